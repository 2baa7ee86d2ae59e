import type { Clock } from '../db/clock.js'
import type { Sql } from '../db/database.js'
import { pathOf } from '../db/tenancy.js'
import { userStream } from '../events/event.js'
import { lockOnlineChannels } from '../presence/presence.js'
import { applicableWorkflows } from '../workflows/applicable-workflows.js'
import type { RuleEngines } from '../workflows/evaluation.js'
import { liveFacts, type Facts } from '../workflows/facts.js'
import {
  defaultRouting,
  directRouting,
  planRouting,
  resumeRouting,
  type WorkflowEvaluation,
} from '../workflows/routing-plan.js'
import type { WorkflowCache } from '../workflows/workflow-cache.js'
import {
  mergeTrace,
  type DeferredRule,
  type RoutingDecision,
  type RoutingTraceEntry,
} from '../workflows/routing-decision.js'
import { queueEntry } from './change-events.js'
import type { ConversationState } from './conversation-state.js'
import type { ConversationWork } from './conversation-work.js'
import { readFactSource } from './routing-facts.js'
import { applyMove } from './transitions.js'

/** The job that goes on with delayed rules. */
export const ROUTING_RESUME = 'routing.resume'

/** The trigger of the command, which may choose the channels itself. */
export const NOTIFY = '/notify'

export interface QueueingOptions {
  /** What queued it, for the trace: `contact message`, `/notify` … */
  trigger: string
  /** Exactly these channels, past all workflows (4.8, `/notify`). */
  channels?: readonly string[]
  /** Only the workflows of these organizations (4.8, `/notify`; mention of an organization). */
  organizations?: readonly string[]
}

/**
 * Runs the workflows of a conversation that is being queued and applies what they decide (3.4): channels and
 * channelsOffline, direct notifications, the job for delayed rules, and the trace. Needs the conversation's row lock;
 * takes the channels' afterwards, so that who is online is exact.
 */
export class Router {
  constructor(private readonly options: { engines: RuleEngines; workflows: WorkflowCache; clock: Clock }) {}

  async queue(work: ConversationWork, { trigger, channels, organizations }: QueueingOptions): Promise<void> {
    const { conversation } = work
    conversation.queuedAt = work.now
    conversation.queueing++
    conversation.channels = []
    conversation.channelsOffline = []
    conversation.routingRemainder = null
    const decision = channels
      ? await this.#direct(work, channels)
      : await this.#byWorkflows(work, organizations)
    this.#record(work, trigger, decision)
    this.#apply(work, decision)
  }

  /**
   * Runs the workflows of one organization on the conversation's path because it was mentioned (open points). One that
   * is closed or queued is queued by that, as by `/notify`. An active one stays so, exempt from channel notifications
   * (3.1): of what its rules would notify, the users are.
   */
  async mention(work: ConversationWork, organization: string): Promise<void> {
    const { conversation } = work
    if (conversation.type !== 'contact') return
    if (conversation.status !== 'active') {
      applyMove(conversation, 'notify')
      return this.queue(work, { trigger: 'mention', organizations: [organization] })
    }
    const { applicable, facts } = await this.#applicable(work, [organization])
    const decision = planRouting(withKnownChannels(await this.#evaluate(applicable, facts), new Set()), () => false)
    this.#record(work, 'mention', decision)
    this.#notifyUsers(work, decision)
  }

  /** Goes on with the delayed rules when the first of them is due, if the conversation is still in that queueing. */
  async resume(work: ConversationWork, queueing: number): Promise<void> {
    const { conversation } = work
    const remainder = conversation.routingRemainder
    if (conversation.status !== 'queued' || conversation.queueing !== queueing || !remainder?.length) return
    const isOnline = await onlineAmong(work.sql, conversation, remainder.flatMap((rule) => rule.channels))
    const decision = resumeRouting(await keepKnown(work.sql, conversation, remainder), isOnline)
    conversation.routingRemainder = null
    await this.#extendTrace(work, decision.trace)
    this.#apply(work, decision)
  }

  /**
   * Sees to what was shown to channels whose subscribers were on a dead node by then: as the rules would have done had
   * they known (3.4.6), and with its place in the line. Where `/notify` chose the channels they stay chosen.
   */
  async reroute(work: ConversationWork, lost: ReadonlySet<string>): Promise<void> {
    const { conversation, sql } = work
    if (conversation.status !== 'queued') return
    const shown = conversation.channels.filter((channel) => lost.has(channel))
    const online = await lockOnlineChannels(sql, shown)
    const gone = new Set(shown.filter((channel) => !online.has(channel)))
    if (gone.size === 0) return
    const [decision] = await sql.query<{ trigger: string }>(
      'select trigger from routing_decision where conversation_id = $1 and queueing = $2 order by id desc limit 1',
      [conversation.id, conversation.queueing],
    )
    if (decision?.trigger === NOTIFY) {
      conversation.channels = conversation.channels.filter((channel) => !gone.has(channel))
      conversation.channelsOffline = [...conversation.channelsOffline, ...gone]
      return
    }
    const { queuedAt } = conversation
    await this.queue(work, { trigger: 'a node with subscribers died' })
    conversation.queuedAt = queuedAt
  }

  async #direct(work: ConversationWork, channels: readonly string[]): Promise<RoutingDecision> {
    return directRouting(channels, await onlineAmong(work.sql, work.conversation, channels))
  }

  async #byWorkflows(work: ConversationWork, only: readonly string[] | undefined): Promise<RoutingDecision> {
    const { sql, conversation } = work
    const { applicable, facts } = await this.#applicable(work, only)
    const evaluations = await this.#evaluate(applicable, facts)
    const own = conversation.organizationId
    if ((!only || only.includes(own)) && !applicable.some(({ nearness }) => nearness === 0)) {
      // 3.4.2: without workflows of its own, all channels of the organization; those above run all the same.
      const channels = await channelsOf(sql, own)
      if (applicable.length === 0) return defaultRouting(channels, await onlineAmong(sql, conversation, channels))
      evaluations.unshift(allChannels(own, channels))
    }
    const rules = evaluations.flatMap((evaluation) => evaluation.rules).filter((rule) => rule.matched)
    const named = rules.flatMap(({ rule }) => rule.event.params.channels ?? [])
    const known = await knownChannels(sql, conversation, named)
    const isOnline = await onlineAmong(sql, conversation, [...known])
    return planRouting(withKnownChannels(evaluations, known), isOnline)
  }

  /** The workflows that run, of all organizations on the path or only of some, and what their rules read. */
  async #applicable(work: ConversationWork, only: readonly string[] | undefined) {
    const { sql, conversation } = work
    const source = await readFactSource(work)
    const organization = {
      id: conversation.organizationId,
      path: pathOf(conversation),
      tags: source.organization.tags ?? [],
    }
    const all = await applicableWorkflows(sql, organization, this.options.workflows)
    return {
      applicable: all.filter(({ organizationId }) => !only || only.includes(organizationId)),
      facts: liveFacts(source, work.now),
    }
  }

  #evaluate(
    applicable: Awaited<ReturnType<typeof applicableWorkflows>>,
    facts: Facts,
  ): Promise<WorkflowEvaluation[]> {
    return Promise.all(
      applicable.map(async ({ workflow, nearness }) => ({
        workflow: { id: workflow.id, name: workflow.name },
        nearness,
        rules: await this.options.engines.evaluateWorkflow(workflow, facts),
      })),
    )
  }

  #apply(work: ConversationWork, decision: RoutingDecision): void {
    const { conversation } = work
    const online = decision.notify.flatMap(({ channels }) => channels)
    conversation.channels = [...new Set([...conversation.channels, ...online])]
    conversation.channelsOffline = [...new Set([...conversation.channelsOffline, ...decision.offline])].filter(
      (channel) => !conversation.channels.includes(channel),
    )
    this.#notifyUsers(work, decision)
    const [next] = decision.deferred
    if (!next) return
    conversation.routingRemainder = decision.deferred
    work.addJob({
      kind: ROUTING_RESUME,
      runAt: new Date((conversation.queuedAt ?? work.now).getTime() + next.delaySeconds * 1_000),
      payload: { conversation: conversation.id, queueing: conversation.queueing },
    })
  }

  /** Direct notifications: heard in the user's inbox stream, whatever the user is subscribed to (2.7). */
  #notifyUsers(work: ConversationWork, { notify }: RoutingDecision): void {
    for (const { workflow, rule, users } of notify) {
      const data = { rule: rule?.name ?? workflow?.name ?? null, entry: queueEntry(work.aggregate) }
      for (const user of users) work.emit(userStream(user), 'rule.notification', data)
    }
  }

  #record({ conversation, decisions, now }: ConversationWork, trigger: string, decision: RoutingDecision): void {
    decisions.push({
      id: this.options.clock.newId(),
      conversationId: conversation.id,
      queueing: conversation.queueing,
      trigger,
      entries: decision.trace,
      createdAt: now,
    })
  }

  async #extendTrace(work: ConversationWork, update: readonly RoutingTraceEntry[]): Promise<void> {
    const { conversation, sql } = work
    const rows = await sql.query<{ id: string; trigger: string; entries: RoutingTraceEntry[]; created_at: Date }>(
      `select id, trigger, entries, created_at from routing_decision
       where conversation_id = $1 and queueing = $2 order by id desc limit 1`,
      [conversation.id, conversation.queueing],
    )
    const [row] = rows
    if (!row) return
    work.decisions.push({
      id: row.id,
      conversationId: conversation.id,
      queueing: conversation.queueing,
      trigger: row.trigger,
      entries: mergeTrace(row.entries, update),
      createdAt: row.created_at,
    })
  }
}

async function onlineAmong(
  sql: Sql,
  conversation: ConversationState,
  channels: readonly string[],
): Promise<(channel: string) => boolean> {
  const known = await knownChannels(sql, conversation, channels)
  const online = await lockOnlineChannels(sql, [...known])
  return (channel) => online.has(channel)
}

/** Channels that exist and belong to the conversation's organization or to one above it. */
async function knownChannels(
  sql: Sql,
  conversation: ConversationState,
  channels: readonly string[],
): Promise<Set<string>> {
  if (channels.length === 0) return new Set()
  const rows = await sql.query<{ id: string }>(
    'select id from channel where id = any($1::uuid[]) and organization_id = any($2::uuid[])',
    [[...new Set(channels)], pathOf(conversation)],
  )
  return new Set(rows.map(({ id }) => id))
}

async function keepKnown(
  sql: Sql,
  conversation: ConversationState,
  remainder: readonly DeferredRule[],
): Promise<DeferredRule[]> {
  const known = await knownChannels(sql, conversation, remainder.flatMap((rule) => rule.channels))
  return remainder.map((rule) => ({ ...rule, channels: rule.channels.filter((channel) => known.has(channel)) }))
}

/** A rule may name a channel that has been deleted since: it is as if it were not named. */
function withKnownChannels(evaluations: WorkflowEvaluation[], known: ReadonlySet<string>): WorkflowEvaluation[] {
  return evaluations.map((evaluation) => ({
    ...evaluation,
    rules: evaluation.rules.map((entry) => {
      const { params } = entry.rule.event
      if (!params.channels?.some((channel) => !known.has(channel))) return entry
      const channels = params.channels.filter((channel) => known.has(channel))
      return { ...entry, rule: { ...entry.rule, event: { ...entry.rule.event, params: { ...params, channels } } } }
    }),
  }))
}

/** Stands in for the workflows that an organization does not have (3.4.2). */
function allChannels(organization: string, channels: string[]): WorkflowEvaluation {
  const event = { type: 'notify' as const, params: { name: 'all channels of the organization', channels } }
  const rule = { id: organization, conditions: { all: [] }, event, priority: 1 }
  const workflow = { id: organization, name: 'no workflows' }
  return { workflow, nearness: 0, rules: [{ rule, matched: true, conditions: null }] }
}

async function channelsOf(sql: Sql, organization: string): Promise<string[]> {
  const rows = await sql.query<{ id: string }>('select id from channel where organization_id = $1 order by id', [
    organization,
  ])
  return rows.map(({ id }) => id)
}
