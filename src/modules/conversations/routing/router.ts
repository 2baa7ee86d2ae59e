import { defineJob } from '../../../platform/jobs/job-type.js'
import type { Clock } from '../../../platform/db/clock.js'
import { reading, type ReadSql } from '../../../platform/db/sql.js'
import { pathOf } from '../../../platform/db/tenancy.js'
import { userStream } from '../../../platform/events/event.js'
import type { DecisionBasis } from '../../workflows/decision-basis.js'
import {
  defaultRouting,
  directRouting,
  planRouting,
  resumeRouting,
  type WorkflowEvaluation,
} from '../../workflows/routing-plan.js'
import { mergeTrace, type RoutingDecision, type RoutingTraceEntry } from '../../workflows/routing-decision.js'
import { queueEntry } from '../state/change-events.js'
import type { ConversationChange } from '../state/conversation-change.js'
import { evaluateWorkflows, type EvaluationOptions } from './evaluate-workflows.js'
import { channelsNamed, keepKnown, knownChannels, knownTargets, onlineAmong, withKnown } from './known-targets.js'
import { joinNeeds, keptNeeds, needsIn } from './agent-needs.js'
import { usersInReach } from '../state/reach.js'
import { applyMove, leaveQueue } from '../state/transitions.js'

/** Evaluates delayed rules when they are due. */
export const ROUTING_RESUME = defineJob<{ conversation: string; queueing: number }>('routing.resume', {
  conversation: 'string',
  queueing: 'number',
})

/** Trigger of the command `/notify`, which may choose the channels itself. */
export const NOTIFY = '/notify'

export interface QueueingOptions {
  /** Cause of the queueing, for the trace: `contact message`, `/notify` … */
  trigger: string
  /** Exactly these channels, without running workflows (4.8, `/notify`). */
  channels?: readonly string[]
  /** Only the workflows of these organizations (4.8, `/notify`; mention of an organization). */
  organizations?: readonly string[]
  /** Its place in the line if the consumer has waited elsewhere: in a conversation that was merged into this one. */
  queuedAt?: Date | null
}

/**
 * Runs the workflows of a conversation that is being queued and applies their decision (3.4): channels and
 * channelsOffline, direct notifications, the job for delayed rules, and the trace. Needs the conversation's row lock;
 * then locks the channels, so that their presence stays exact.
 */
export class Router {
  constructor(
    private readonly options: EvaluationOptions & {
      clock: Clock
      /** Called with the duration of a decision and what made it. */
      observe: (by: 'workflows' | 'channels', ms: number) => void
    },
  ) {}

  async queue(
    change: ConversationChange,
    { trigger, channels, organizations, ...given }: QueueingOptions,
  ): Promise<void> {
    const { conversation } = change
    const waited = { ...conversation }
    const queuedAt = change.wasQueued ? conversation.queuedAt : given.queuedAt
    // Open tasks stay open.
    leaveQueue(conversation, channels ? [] : conversation.taskChannels)
    // It keeps its place in the line while it waits.
    conversation.queuedAt = queuedAt ?? change.now
    conversation.queueing++
    if (channels) conversation.taskChannels = [...new Set(channels)]
    const startedAt = performance.now()
    const { decision, basis } = channels
      ? { decision: await this.#direct(change, channels), basis: null }
      : await this.#byWorkflows(change, organizations)
    this.options.observe(channels ? 'channels' : 'workflows', performance.now() - startedAt)
    conversation.needs = keptNeeds(waited, channels ?? [], chosenBy(decision))
    this.#decide(change, trigger, decision, basis)
  }

  /**
   * Notifies channels of an active conversation, without running workflows: a task for the agent who accepts it there
   * (2.12).
   */
  async addTask(change: ConversationChange, channels: readonly string[], trigger = NOTIFY): Promise<void> {
    const { conversation } = change
    conversation.queuedAt ??= change.now
    conversation.taskChannels = [...new Set([...conversation.taskChannels, ...channels])]
    this.#decide(change, trigger, await this.#direct(change, channels))
  }

  /**
   * Notifies channels and users because a clock warned or missed its target. A conversation that waits comes into the
   * queues of these channels, too, and keeps its place; an active one becomes a task there.
   */
  async escalate(
    change: ConversationChange,
    { name, channels, users }: { name: string; channels: readonly string[]; users: readonly string[] },
  ): Promise<void> {
    const { conversation } = change
    const known = await knownChannels(change, channels)
    if (known.size > 0) {
      if (conversation.status === 'active') await this.addTask(change, [...known], name)
      else {
        const decision = await this.#direct(change, [...known])
        conversation.needs = needsIn(conversation, chosenBy(decision))
        this.#decide(change, name, decision)
      }
    }
    const inReach = await usersInReach(change.sql, conversation, users)
    this.#tell(change, name, inReach)
  }

  /**
   * Runs the workflows of one organization on the conversation's path because it was mentioned (open points). A closed
   * or queued conversation is queued, as by `/notify`. An active one stays active and exempt from channel notifications
   * (3.1): only the users that its rules name are notified.
   */
  async mention(change: ConversationChange, organization: string): Promise<void> {
    const { conversation } = change
    if (conversation.type !== 'contact') return
    if (conversation.status !== 'active') {
      applyMove(conversation, 'notify')
      return this.queue(change, { trigger: 'mention', organizations: [organization] })
    }
    const { evaluations, basis } = await evaluateWorkflows(change, this.options, [organization])
    const { users } = await knownTargets(change, evaluations)
    const decision = planRouting(withKnown(evaluations, { channels: new Set(), users }), () => false)
    this.#record(change, 'mention', decision, basis)
    this.#notifyUsers(change, decision)
  }

  /** Applies delayed rules when the first of them is due, if the conversation is still in the same queueing. */
  async resume(change: ConversationChange, queueing: number): Promise<void> {
    const { conversation } = change
    const remainder = conversation.routingRemainder
    if (conversation.status !== 'queued' || conversation.queueing !== queueing || !remainder?.length) return
    const { kept, channels } = await keepKnown(change, remainder)
    const decision = resumeRouting(kept, await onlineAmong(change, channels))
    conversation.routingRemainder = null
    conversation.needs = needsIn(conversation, [], chosenBy(decision))
    await this.#extendTrace(change, decision.trace)
    this.#apply(change, decision)
  }

  /**
   * Reroutes a conversation that was shown to channels whose subscribers turned out to be gone: the rules
   * decide as if they had known (3.4.6), and the conversation keeps its place in the queue. Channels chosen by
   * `/notify` stay chosen.
   */
  async reroute(change: ConversationChange, lost: ReadonlySet<string>): Promise<void> {
    const { conversation } = change
    const lostChannels = conversation.channels.filter((channel) => lost.has(channel))
    const isOnline = await onlineAmong(change, lostChannels)
    const gone = lostChannels.filter((channel) => !isOnline(channel))
    const tasks = new Set(gone.filter((channel) => conversation.taskChannels.includes(channel)))
    conversation.channels = conversation.channels.filter((channel) => !tasks.has(channel))
    conversation.channelsOffline = [...conversation.channelsOffline, ...tasks]
    if (conversation.status !== 'queued' || gone.length === tasks.size) return
    await this.queue(change, { trigger: 'its subscribers were lost' })
  }

  async #direct(change: ConversationChange, channels: readonly string[]): Promise<RoutingDecision> {
    return directRouting(channels, await onlineAmong(change, await knownChannels(change, channels)))
  }

  async #byWorkflows(
    change: ConversationChange,
    only: readonly string[] | undefined,
  ): Promise<{ decision: RoutingDecision; basis: DecisionBasis | null }> {
    const { sql, conversation } = change
    const { evaluations, basis } = await evaluateWorkflows(change, this.options, only)
    const own = conversation.organizationId
    if ((!only || only.includes(own)) && !evaluations.some(({ nearness }) => nearness === 0)) {
      // 3.4.2: without workflows of its own, all channels of the organization are notified; workflows of
      // organizations above still run.
      const channels = await change.shared.once(`channels of ${own}`, () => channelsOf(sql, own))
      if (!basis) return { decision: defaultRouting(channels, await onlineAmong(change, channels)), basis }
      evaluations.unshift(allChannels(own, channels))
    }
    const [known, isOnline] = await Promise.all([
      knownTargets(change, evaluations),
      onlineAmong(change, channelsNamed(evaluations)),
    ])
    return { decision: planRouting(withKnown(evaluations, known), isOnline), basis }
  }

  #decide(
    change: ConversationChange,
    trigger: string,
    decision: RoutingDecision,
    basis: DecisionBasis | null = null,
  ): void {
    this.#record(change, trigger, decision, basis)
    this.#apply(change, decision)
  }

  #apply(change: ConversationChange, decision: RoutingDecision): void {
    const { conversation } = change
    const online = decision.notify.flatMap(({ channels }) => channels)
    conversation.channels = [...new Set([...conversation.channels, ...online])]
    conversation.channelsOffline = [...new Set([...conversation.channelsOffline, ...decision.offline])].filter(
      (channel) => !conversation.channels.includes(channel),
    )
    conversation.needs = joinNeeds(conversation.needs, decision)
    this.#notifyUsers(change, decision)
    const [next] = decision.deferred
    if (!next) return
    conversation.routingRemainder = decision.deferred
    const runAt = new Date((conversation.queuedAt ?? change.now).getTime() + next.delaySeconds * 1_000)
    const { id, queueing } = conversation
    change.addJob(ROUTING_RESUME.create({ conversation: id, queueing }, { runAt }))
  }

  /** Adds direct notifications, which reach the user's inbox stream regardless of other subscriptions (2.7). */
  #notifyUsers(change: ConversationChange, { notify }: RoutingDecision): void {
    for (const { workflow, rule, users } of notify) {
      this.#tell(change, rule?.name ?? workflow?.name ?? null, users)
    }
  }

  #tell(change: ConversationChange, name: string | null, users: Iterable<string>): void {
    const path = [...pathOf(change.conversation)] as string[]
    const data = { rule: name, entry: queueEntry(change.aggregate), path }
    for (const user of users) change.emit(userStream(user), 'rule.notification', data)
  }

  #record(
    { conversation, decisions, now }: ConversationChange,
    trigger: string,
    decision: RoutingDecision,
    basis: DecisionBasis | null,
  ): void {
    decisions.push({
      id: this.options.clock.newId(),
      conversationId: conversation.id,
      queueing: conversation.queueing,
      trigger,
      entries: decision.trace,
      facts: basis?.facts ?? null,
      workflows: basis?.workflows ?? null,
      createdAt: now,
    })
  }

  async #extendTrace(change: ConversationChange, update: readonly RoutingTraceEntry[]): Promise<void> {
    const { conversation, sql } = change
    const rows = await sql.query<{ id: string; trigger: string; entries: RoutingTraceEntry[]; created_at: Date }>(
      reading(`select id, trigger, entries, created_at from routing_decision
       where conversation_id = $1 and queueing = $2 order by id desc limit 1`),
      [conversation.id, conversation.queueing],
    )
    const [row] = rows
    if (!row) return
    change.decisions.push({
      id: row.id,
      conversationId: conversation.id,
      queueing: conversation.queueing,
      trigger: row.trigger,
      entries: mergeTrace(row.entries, update),
      // The entries of the stored row stay.
      facts: null,
      workflows: null,
      createdAt: row.created_at,
    })
  }
}

/** Channels that a decision puts a conversation into, whether somebody is there or not. */
const chosenBy = ({ notify, offline }: RoutingDecision): string[] => [
  ...notify.flatMap(({ channels }) => channels),
  ...offline,
]

/** Replaces the workflows of an organization that has none (3.4.2). */
function allChannels(organization: string, channels: string[]): WorkflowEvaluation {
  const event = { type: 'notify' as const, params: { name: 'all channels of the organization', channels } }
  const rule = { id: organization, conditions: { all: [] }, event, priority: 1 }
  const workflow = { id: organization, name: 'no workflows' }
  return { workflow, nearness: 0, rules: [{ rule, matched: true, conditions: null }] }
}

async function channelsOf(sql: ReadSql, organization: string): Promise<string[]> {
  const rows = await sql.query<{ id: string }>(
    reading('select id from channel where organization_id = $1 order by id'),
    [organization],
  )
  return rows.map(({ id }) => id)
}
