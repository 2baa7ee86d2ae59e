import { setTimeout as sleep } from 'node:timers/promises'
import type { Context } from '../../../platform/context.js'
import { pathOf, tenantSql } from '../../../platform/db/tenancy.js'
import { BadUserInput } from '../../../platform/errors.js'
import { camelRow } from '../../../platform/lists/rows.js'
import type { DecisionBasis } from '../../workflows/decision-basis.js'
import { liveFacts, type Facts } from '../../workflows/facts.js'
import { RecordedDecisions, versionsOf } from '../../workflows/recorded-decisions.js'
import { planRecorded } from '../../workflows/recorded-plan.js'
import type { RoutingDecision } from '../../workflows/routing-decision.js'
import type { WorkflowDefinition } from '../../workflows/rule-definition.js'
import { CompiledSchedules } from '../../schedules/current-schedule.js'
import { readHours } from '../../workflows/schedule-facts.js'
import { unsavedDefinition } from '../../workflows/try-workflow.js'
import type { WorkflowRuleInput } from '../../workflows/workflow-input.js'
import { readVersions } from '../../workflows/workflow-versions.js'
import { fetchWorkflow } from '../../workflows/fetch-workflow.js'
import type { ConversationState } from '../state/conversation-state.js'
import { SharedReads } from '../state/shared-reads.js'
import { readFactSource, type FactReader } from './routing-facts.js'

const CONVERSATIONS_MAX = 500
const CHANGES_MAX = 50
const DAYS_MAX = 31
const DAY_MS = 86_400_000
/** Time after which no further queueing is evaluated. */
const REPLAY_MS_MAX = 10_000
const REST_MS_MAX = 20

interface Queueing {
  conversation: string
  name: string
  queuedAt: Date
}

/** The targets of one queueing, and those that the unsaved rules would choose. */
export interface ReplayedQueueing extends Queueing {
  before: Targets
  after: Targets
}

/** A queueing of which it is not known whom the unsaved rules would choose. */
export interface UnknownQueueing extends Queueing {
  /** Places in the facts that they look at and that nobody recorded. */
  facts: readonly string[]
  /** Set if the rules that ran then are not kept. */
  lacksRules: boolean
}

export interface Targets {
  channels: string[]
  users: string[]
}

export interface Replay {
  replayed: number
  changed: number
  /** Number of changed queueings that would reach no channel and no user. */
  unreached: number
  /** Number of queueings of which it is not known; none of them counts as changed. */
  unknown: number
  /** False if there were more queueings than are replayed, or if it took too long. */
  isComplete: boolean
  changes: ReplayedQueueing[]
  unknowns: UnknownQueueing[]
}

/**
 * Evaluates unsaved rules of one workflow for conversations queued since a time, as if every channel had a subscriber,
 * and compares the result with the rules that ran then, evaluated the same way. Facts have the values that were read
 * then; facts that no rule read are unknown, and so is the outcome if they decide. @throws NotFound, BadUserInput
 */
export async function replayRules(
  ctx: Context,
  { workflow: id, rules, since }: { workflow: string; rules: readonly WorkflowRuleInput[]; since: Date },
): Promise<Replay> {
  if (ctx.now().getTime() - since.getTime() > DAYS_MAX * DAY_MS) {
    throw new BadUserInput('since', `since ${since.toISOString()} is more than ${DAYS_MAX} days ago`)
  }
  const workflow = await fetchWorkflow(ctx, id)
  const unsaved = await unsavedDefinition(ctx, workflow, rules)
  const decisions = await readDecisions(ctx, workflow.id, since)
  const past = decisions.slice(0, CONVERSATIONS_MAX)
  const recorded = new RecordedDecisions(await readVersions(ctx.reads, versionsOf(past)))
  const replay: Replay = {
    replayed: 0,
    changed: 0,
    unreached: 0,
    unknown: 0,
    isComplete: past.length === decisions.length,
    changes: [],
    unknowns: [],
  }
  const endsAt = performance.now() + REPLAY_MS_MAX
  for (const decision of past) {
    if (performance.now() > endsAt) return { ...replay, isComplete: false }
    const startedAt = performance.now()
    count(replay, decision, await compare(recorded, decision, unsaved))
    // Hundreds of conversations: others have as much time in between.
    await sleep(Math.min(REST_MS_MAX, performance.now() - startedAt))
  }
  return replay
}

/**
 * Returns the facts that rules may read of a conversation (4.6): current values, at the time at which it was last
 * queued.
 */
export async function routingFacts(ctx: Context, conversation: ConversationState): Promise<Facts> {
  const [row] = await ctx.reads.query<{ created_at: Date }>(
    'select created_at from routing_decision where conversation_id = $1 order by id desc limit 1',
    [conversation.id],
  )
  return factsOf(ctx, conversation, row?.created_at ?? ctx.now(), new SharedReads(ctx.reads))
}

type DecisionRow = DecisionBasis & { decidedAt: Date } & ConversationState

async function readDecisions(ctx: Context, workflow: string, since: Date): Promise<DecisionRow[]> {
  const values: unknown[] = [JSON.stringify([{ id: workflow }]), since, CONVERSATIONS_MAX + 1]
  const tenant = tenantSql(ctx.tenant, 'c', values)
  const rows = await ctx.reads.query<Record<string, unknown>>(
    `select c.*, d.facts, d.workflows, d.created_at as decided_at
     from conversation c cross join lateral (
       select facts, workflows, created_at from routing_decision
       where conversation_id = c.id and created_at >= $2 and workflows @> $1::jsonb and facts is not null
       order by id desc limit 1) d
     where ${tenant} order by c.id desc limit $3`,
    values,
  )
  return rows.map((row) => camelRow<DecisionRow>(row))
}

interface Compared {
  before: Targets
  after: Targets
  unknown: Pick<UnknownQueueing, 'facts' | 'lacksRules'> | null
}

async function compare(
  recorded: RecordedDecisions,
  decision: DecisionRow,
  unsaved: WorkflowDefinition,
): Promise<Compared> {
  const none: Targets = { channels: [], users: [] }
  const then = recorded.versionOf(decision, unsaved.id)
  const before = then && (await targetsOf(recorded, decision, then))
  if (!before || before.unknown) return { before: none, after: none, unknown: { facts: [], lacksRules: true } }
  const { targets: after, unknown } = await targetsOf(recorded, decision, { ...unsaved, version: 'unsaved' })
  return { before: before.targets, after, unknown: unknown && { facts: unknown, lacksRules: false } }
}

async function factsOf(
  ctx: Context,
  conversation: ConversationState,
  at: Date,
  shared: FactReader['shared'],
): Promise<Facts> {
  const source = await readFactSource({ sql: ctx.reads, conversation, messages: [], shared })
  // Rules that are tried may ask for hours that those of then did not.
  source.hours = await shared.once(`hours of ${conversation.organizationId}`, () =>
    readHours(ctx.reads, pathOf(conversation), new CompiledSchedules()),
  )
  return liveFacts(source, at)
}

async function targetsOf(
  recorded: RecordedDecisions,
  decision: DecisionRow,
  workflow: WorkflowDefinition,
): Promise<{ targets: Targets; unknown: readonly string[] | null }> {
  const rules = await recorded.engines.explain(workflow, await recorded.situationOf(decision))
  const { decision: plan, unknown } = planRecorded([{ workflow, nearness: 0, rules }], () => true, targetsIn)
  return { targets: targetsIn(plan), unknown: unknown && unknown.places }
}

function targetsIn({ notify, deferred }: RoutingDecision): Targets {
  const sorted = (ids: string[]): string[] => [...new Set(ids)].toSorted()
  const all = [...notify, ...deferred]
  return {
    channels: sorted(all.flatMap(({ channels }) => channels)),
    users: sorted(all.flatMap(({ users }) => users)),
  }
}

function count(replay: Replay, { id, name, decidedAt }: DecisionRow, { before, after, unknown }: Compared): void {
  replay.replayed += 1
  if (unknown) {
    replay.unknown += 1
    if (replay.unknowns.length < CHANGES_MAX) {
      replay.unknowns.push({ conversation: id, name, queuedAt: decidedAt, ...unknown })
    }
    return
  }
  if (JSON.stringify(before) === JSON.stringify(after)) return
  replay.changed += 1
  if (after.channels.length + after.users.length === 0) replay.unreached += 1
  if (replay.changes.length < CHANGES_MAX) {
    replay.changes.push({ conversation: id, name, queuedAt: decidedAt, before, after })
  }
}
