import { setTimeout as sleep } from 'node:timers/promises'
import type { Context } from '../../../platform/context.js'
import { pathOf, tenantSql } from '../../../platform/db/tenancy.js'
import { BadUserInput } from '../../../platform/errors.js'
import { camelRow } from '../../../platform/lists/rows.js'
import type { DecisionBasis } from '../../workflows/decision-basis.js'
import { RuleEngines } from '../../workflows/evaluation.js'
import { liveFacts, type Facts } from '../../workflows/facts.js'
import { planRouting } from '../../workflows/routing-plan.js'
import type { WorkflowDefinition } from '../../workflows/rule-definition.js'
import { CompiledSchedules } from '../../schedules/current-schedule.js'
import { readHours } from '../../workflows/schedule-facts.js'
import { Situation } from '../../workflows/situation.js'
import { unsavedDefinition } from '../../workflows/try-workflow.js'
import type { WorkflowRuleInput } from '../../workflows/workflow-input.js'
import { readVersions } from '../../workflows/workflow-versions.js'
import type { WorkflowVersion } from '../../workflows/applicable-workflow.js'
import { fetchWorkflow } from '../../workflows/fetch-workflow.js'
import type { ConversationState } from '../state/conversation-state.js'
import { readFactSource, type FactReader } from './routing-facts.js'

const CONVERSATIONS_MAX = 500
const CHANGES_MAX = 50
const DAYS_MAX = 31
const DAY_MS = 86_400_000
/** Time after which no further queueing is evaluated. */
const REPLAY_MS_MAX = 10_000
const REST_MS_MAX = 20

/** The targets of one queueing, and those that the unsaved rules would choose. */
export interface ReplayedQueueing {
  conversation: string
  name: string
  queuedAt: Date
  before: Targets
  after: Targets
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
  /** False if there were more queueings than are replayed, or if it took too long. */
  isComplete: boolean
  changes: ReplayedQueueing[]
}

/**
 * Evaluates unsaved rules of one workflow for conversations queued since a time, as if every channel had a subscriber,
 * and compares the result with the rules that ran then, evaluated the same way. Facts have the values that were read
 * then; facts that no rule read have their current values. @throws NotFound, BadUserInput
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
  const versions = await readVersions(ctx.reads, versionsOf(past, workflow.id))
  const engines = new RuleEngines()
  const replay: Replay = {
    replayed: 0,
    changed: 0,
    unreached: 0,
    isComplete: past.length === decisions.length,
    changes: [],
  }
  const shared = readsOnce()
  const endsAt = performance.now() + REPLAY_MS_MAX
  for (const decision of past) {
    if (performance.now() > endsAt) return { ...replay, isComplete: false }
    const then = versionOf(decision, workflow.id, versions)
    if (!then) continue
    const startedAt = performance.now()
    // The clock is set to the time of the decision; other facts are as they were read then.
    const facts = await factsOf(ctx, decision, decision.decidedAt, shared)
    count(replay, decision, await compare(engines, () => Situation.recorded(decision.facts, facts), { then, unsaved }))
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
  return factsOf(ctx, conversation, row?.created_at ?? ctx.now(), readsOnce())
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

function versionsOf(decisions: readonly DecisionRow[], workflow: string): { id: string; version: string }[] {
  const versions = decisions.flatMap(({ workflows }) => workflows.filter(({ id }) => id === workflow))
  return [...new Map(versions.map((each) => [each.version, each])).values()]
}

function versionOf(
  { workflows }: DecisionRow,
  workflow: string,
  versions: readonly WorkflowVersion[],
): WorkflowVersion | undefined {
  const ran = workflows.find(({ id }) => id === workflow)
  return versions.find(({ id, version }) => id === workflow && version === ran?.version)
}

async function compare(
  engines: RuleEngines,
  situation: () => Situation,
  { then, unsaved }: { then: WorkflowDefinition; unsaved: WorkflowDefinition },
): Promise<{ before: Targets; after: Targets }> {
  return {
    before: await targetsOf(engines, then, situation()),
    after: await targetsOf(engines, { ...unsaved, version: 'unsaved' }, situation()),
  }
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

/** Caches reads that many conversations have in common. */
function readsOnce(): FactReader['shared'] {
  const read = new Map<string, Promise<unknown>>()
  return {
    once<T>(key: string, load: () => Promise<T>): Promise<T> {
      if (!read.has(key)) read.set(key, load())
      return read.get(key) as Promise<T>
    },
  }
}

async function targetsOf(engines: RuleEngines, workflow: WorkflowDefinition, situation: Situation): Promise<Targets> {
  const rules = await engines.match(workflow, situation)
  const { trace } = planRouting([{ workflow, nearness: 0, rules }], () => true)
  const fired = trace.filter(({ outcome }) => outcome === 'fired' || outcome === 'deferred')
  const ids = new Set(fired.map(({ rule }) => rule?.id))
  const params = rules.filter(({ rule }) => ids.has(rule.id)).map(({ rule }) => rule.event.params)
  const sorted = (lists: readonly (string[] | undefined)[]): string[] =>
    [...new Set(lists.flatMap((list) => list ?? []))].toSorted()
  return { channels: sorted(params.map((each) => each.channels)), users: sorted(params.map((each) => each.users)) }
}

function count(
  replay: Replay,
  { id, name, decidedAt }: DecisionRow,
  { before, after }: Record<'before' | 'after', Targets>,
): void {
  replay.replayed += 1
  if (JSON.stringify(before) === JSON.stringify(after)) return
  replay.changed += 1
  if (after.channels.length + after.users.length === 0) replay.unreached += 1
  if (replay.changes.length < CHANGES_MAX) {
    replay.changes.push({ conversation: id, name, queuedAt: decidedAt, before, after })
  }
}
