import type { Clock } from '../db/clock.js'
import type { Sql } from '../db/database.js'
import { pathOf } from '../db/tenancy.js'
import { userStream } from '../events/event.js'
import type { JsonObject, JsonValue } from '../json.js'
import { camelRow } from '../lists/rows.js'
import type { MessageRow } from '../messages/message-row.js'
import { lockOnlineChannels } from '../presence/presence.js'
import { applicableWorkflows } from '../workflows/applicable-workflows.js'
import type { RuleEngines } from '../workflows/evaluation.js'
import { liveFacts, type Facts, type FactSource } from '../workflows/facts.js'
import {
  defaultRouting,
  directRouting,
  planRouting,
  resumeRouting,
  type WorkflowEvaluation,
} from '../workflows/routing-plan.js'
import type { WorkflowCache } from '../workflows/workflow-cache.js'
import { mergeTrace, type DeferredRule, type RoutingDecision, type RoutingTraceEntry } from '../workflows/routing-decision.js'
import { queueEntry } from './change-events.js'
import type { ConversationState } from './conversation-state.js'
import type { ConversationWork } from './conversation-work.js'

/** The job that goes on with delayed rules. */
export const ROUTING_RESUME = 'routing.resume'

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
    work.decisions.push({
      id: this.options.clock.newId(),
      conversationId: conversation.id,
      queueing: conversation.queueing,
      trigger,
      entries: decision.trace,
      createdAt: work.now,
    })
    this.#apply(work, decision)
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

  async #direct(work: ConversationWork, channels: readonly string[]): Promise<RoutingDecision> {
    return directRouting(channels, await onlineAmong(work.sql, work.conversation, channels))
  }

  async #byWorkflows(work: ConversationWork, only: readonly string[] | undefined): Promise<RoutingDecision> {
    const { sql, conversation } = work
    const source = await readFactSource(work)
    const organization = { id: conversation.organizationId, path: pathOf(conversation), tags: source.organization.tags ?? [] }
    const applicable = (await applicableWorkflows(sql, organization, this.options.workflows)).filter(
      ({ organizationId }) => !only || only.includes(organizationId),
    )
    const evaluations = await this.#evaluate(applicable, liveFacts(source, work.now))
    if (!only && !applicable.some(({ nearness }) => nearness === 0)) {
      // 3.4.2: without workflows of its own, all channels of the organization; those above run all the same.
      const channels = await channelsOf(sql, conversation.organizationId)
      if (applicable.length === 0) return defaultRouting(channels, await onlineAmong(sql, conversation, channels))
      evaluations.unshift(allChannels(organization.id, channels))
    }
    const rules = evaluations.flatMap((evaluation) => evaluation.rules).filter((rule) => rule.matched)
    const named = rules.flatMap(({ rule }) => rule.event.params.channels ?? [])
    const known = await knownChannels(sql, conversation, named)
    const isOnline = await onlineAmong(sql, conversation, [...known])
    return planRouting(withKnownChannels(evaluations, known), isOnline)
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
    for (const { workflow, rule, users } of decision.notify) {
      for (const user of users) notifyUser(work, user, rule?.name ?? workflow?.name ?? null)
    }
    const [next] = decision.deferred
    if (!next) return
    conversation.routingRemainder = decision.deferred
    work.addJob({
      kind: ROUTING_RESUME,
      runAt: new Date((conversation.queuedAt ?? work.now).getTime() + next.delaySeconds * 1_000),
      payload: { conversation: conversation.id, queueing: conversation.queueing },
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

/** A direct notification of a rule: heard in the user's inbox stream, whatever the user is subscribed to (2.7). */
function notifyUser(work: ConversationWork, user: string, rule: string | null): void {
  work.emit(userStream(user), 'rule.notification', { rule, entry: queueEntry(work.aggregate) })
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

interface FactRow {
  meta: JsonObject | null
  country: string | null
  industry: string | null
  locale: string | null
  tags: string[] | null
  contactMeta: JsonObject | null
  profile: JsonObject | null
  lastMessage: { meta: JsonObject | null; text: string | null; touchpoint: string | null } | null
}

/** What rules may read of the conversation and its surroundings (4.6); one statement. */
async function readFactSource(work: ConversationWork): Promise<FactSource> {
  const { conversation, sql } = work
  const rows = await sql.query<Record<string, unknown>>(
    `select o.meta, o.country, o.industry, o.locale, o.tags, c.meta as contact_meta, c.profile,
            (select jsonb_build_object('meta', m.meta, 'text', m.text, 'touchpoint', m.touchpoint) from message m
             where m.conversation_id = $2 and m.role = 'contact' order by m.position desc limit 1) as last_message
     from organization o left join contact c on c.id = $3 where o.id = $1`,
    [conversation.organizationId, conversation.id, conversation.contactId],
    'read-facts',
  )
  const row = camelRow<FactRow>(rows[0]!)
  const latest = work.messages.findLast((message: MessageRow) => message.role === 'contact') ?? row.lastMessage
  const profile = row.profile ?? {}
  return {
    conversation: {
      meta: conversation.meta,
      category: conversation.category,
      categoryIndex: conversation.categoryIndex,
      language: conversation.language,
    },
    message: latest && {
      meta: latest.meta ?? {},
      text: latest.text,
      touchpoint: latest.touchpoint ?? conversation.touchpoint,
    },
    contact: row.profile && {
      meta: row.contactMeta ?? {},
      email: (profile.email ?? null) as string | null,
      worksFor: (profile.worksFor ?? null) as JsonValue,
      address: (profile.address ?? null) as JsonValue,
    },
    organization: {
      id: conversation.organizationId,
      meta: row.meta ?? {},
      country: row.country,
      industry: row.industry,
      locale: row.locale,
      tags: row.tags ?? [],
    },
    forms: conversation.forms,
    results: conversation.results,
  }
}
