import { expect, it } from '@jest/globals'
import * as fc from 'fast-check'
import { randomFacts, randomWorkflow } from '../../bench/checks/random-rules.js'
import type { WorkflowVersion } from '../../src/modules/workflows/applicable-workflow.js'
import { RuleEngines } from '../../src/modules/workflows/evaluation.js'
import { contextFacts, mockFacts, type Facts } from '../../src/modules/workflows/facts.js'
import { RecordedDecisions, type RecordedBasis } from '../../src/modules/workflows/recorded-decisions.js'
import { planRecorded } from '../../src/modules/workflows/recorded-plan.js'
import type { RoutingDecision } from '../../src/modules/workflows/routing-decision.js'
import { planRouting } from '../../src/modules/workflows/routing-plan.js'
import type { Condition, Conditions } from '../../src/modules/workflows/conditions.js'
import type { WorkflowDefinition } from '../../src/modules/workflows/rule-definition.js'
import { Situation } from '../../src/modules/workflows/situation.js'

/** The gate makes ten times as many, of which these are the first. */
const MADE = process.env.REQUIRE_ALL_SUITES ? 10_000 : 1_000
const SEED = 20_261_128
const at = fc.date({ min: new Date(0), max: new Date('2099-01-01'), noInvalidDate: true })
const online = fc.subarray(['c1', 'c2', 'c3'])
/** The clock of the facts is that of the decision. */
const situationOf = (facts: Facts, decidedAt: Date): Facts => ({ ...facts, context: contextFacts(decidedAt) })
const versionOf = (workflow: WorkflowDefinition, index = 0): WorkflowVersion => ({
  ...workflow,
  id: `w${index}`,
  version: `${index}@0`,
})
const stored = <T>(value: T): T => JSON.parse(JSON.stringify(value)) as T

/** Decides as a queueing does, and returns what is stored of it. */
async function decide(
  versions: readonly WorkflowVersion[],
  { facts, decidedAt, isOnline }: { facts: Facts; decidedAt: Date; isOnline: (channel: string) => boolean },
): Promise<{ decision: RoutingDecision; basis: RecordedBasis }> {
  const engines = new RuleEngines()
  const situation = new Situation(situationOf(facts, decidedAt))
  await engines.prepare(versions, situation)
  const evaluations = []
  for (const [nearness, workflow] of versions.entries()) {
    evaluations.push({ workflow, nearness, rules: await engines.match(workflow, situation) })
  }
  const workflows = versions.map(({ id, version }, nearness) => ({ id, version, nearness }))
  const seen = stored(situation.seen)
  return { decision: planRouting(evaluations, isOnline), basis: { facts: seen, workflows, decidedAt } }
}

async function replay(
  recorded: RecordedDecisions,
  basis: RecordedBasis,
  { versions, isOnline }: { versions: readonly WorkflowVersion[]; isOnline: (channel: string) => boolean | undefined },
) {
  const situation = await recorded.situationOf(basis)
  await recorded.engines.prepare(versions, situation)
  const evaluations = []
  for (const [nearness, workflow] of versions.entries()) {
    evaluations.push({ workflow, nearness, rules: await recorded.engines.explain(workflow, situation) })
  }
  return planRecorded(evaluations, isOnline, outcomeOf)
}

const outcomeOf = ({ notify, offline, deferred }: RoutingDecision): unknown => stored({ notify, offline, deferred })

it('repeats random decisions, 10,000 of them, from what they recorded: none differs, and none is unknown', async () => {
  let made = 0
  await fc.assert(
    fc.asyncProperty(
      fc.array(randomWorkflow, { minLength: 1, maxLength: 3 }),
      randomFacts,
      at,
      online,
      async (random, facts, decidedAt, up) => {
        made += 1
        const versions = random.map(versionOf)
        const isOnline = (channel: string): boolean => up.includes(channel)
        const { decision, basis } = await decide(versions, { facts, decidedAt, isOnline })
        // Only of the channels that the decision asked for is it known.
        const asked = new Set(decision.trace.flatMap((entry) => [...entry.channelsNotified, ...entry.channelsOffline]))
        const again = await replay(new RecordedDecisions(versions), basis, {
          versions,
          isOnline: (channel) => (asked.has(channel) ? isOnline(channel) : undefined),
        })
        expect(again.unknown).toBeNull()
        expect(outcomeOf(again.decision)).toEqual(outcomeOf(decision))
      },
    ),
    { numRuns: MADE, seed: SEED },
  )
  expect(made).toBe(MADE)
})

it('answers for other rules what they would have decided, or that it is not known: never anything else', async () => {
  const counts = { known: 0, unknown: 0, unknownChannels: 0 }
  await fc.assert(
    fc.asyncProperty(randomWorkflow, randomWorkflow, randomFacts, at, online, online, async (...given) => {
      const [then, draft, facts, decidedAt, up, recordedOf] = given
      const isOnline = (channel: string): boolean => up.includes(channel)
      const { basis } = await decide([versionOf(then)], { facts, decidedAt, isOnline })
      const other = { ...versionOf(draft), version: 'draft' }
      const truth = await decide([other], { facts, decidedAt, isOnline })
      const { decision, unknown } = await replay(new RecordedDecisions([versionOf(then)]), basis, {
        versions: [other],
        isOnline: (channel) => (recordedOf.includes(channel) ? isOnline(channel) : undefined),
      })
      counts[unknown ? 'unknown' : 'known'] += 1
      if (unknown && unknown.channels.length > 0) counts.unknownChannels += 1
      if (!unknown) expect(outcomeOf(decision)).toEqual(outcomeOf(truth.decision))
      else expect(unknown.places.length + unknown.channels.length).toBeGreaterThan(0)
    }),
    { numRuns: 2_500, seed: SEED },
  )
  for (const count of Object.values(counts)) expect(count).toBeGreaterThan(300)
})

const leaf = (fact: string, path: string, value: unknown, operator = 'equal'): Condition =>
  ({ fact, path, operator, value }) as Condition
const KNOWN = leaf('message', '.text', 'hello')
const FALSE = leaf('message', '.text', 'bye')
const NOT_READ = leaf('contact', '.email', 'a@example.com')
const workflowOf = (conditions: Conditions): WorkflowVersion => ({
  id: 'w0',
  name: 'W',
  version: '0@0',
  rules: [{ id: 'r', conditions, event: { type: 'notify', params: { channels: ['c1'] } }, priority: 1 }],
})

async function judged(conditions: Conditions, more: { recorded?: Conditions; facts?: object } = {}) {
  const { recorded = { all: [KNOWN, FALSE] }, facts = { message: { text: 'hello' } } } = more
  const decidedAt = new Date('2026-11-30T09:05:00Z')
  const then = workflowOf(recorded)
  const { basis } = await decide([then], { facts: mockFacts(facts, decidedAt), decidedAt, isOnline: () => true })
  const decisions = new RecordedDecisions([then])
  const draft = { ...workflowOf(conditions), version: 'draft' }
  const [rule] = await decisions.engines.explain(draft, await decisions.situationOf(basis))
  return rule!.unknown ? 'unknown' : rule!.matched
}

it.each<[string, Conditions, boolean | 'unknown']>([
  ['all with a false is false', { all: [FALSE, NOT_READ] }, false],
  ['all with what is unknown, else true, is unknown', { all: [KNOWN, NOT_READ] }, 'unknown'],
  ['any with a true is true', { any: [NOT_READ, KNOWN] }, true],
  ['any with what is unknown, else false, is unknown', { any: [NOT_READ, FALSE] }, 'unknown'],
  ['an unknown group is as an unknown condition', { all: [KNOWN, { any: [FALSE, { all: [NOT_READ] }] }] }, 'unknown'],
  ['a decided group hides it', { any: [{ all: [NOT_READ, FALSE] }, { any: [NOT_READ, KNOWN] }] }, true],
  ['a negative operator is unknown too', { all: [leaf('contact', '.email', 'x', 'notEqual')] }, 'unknown'],
  ['so is whether there is a value', { all: [leaf('contact', '.email', false, 'defined')] }, 'unknown'],
  ['the time is that of the decision', { all: [leaf('context', '.currentTime', 905)] }, true],
  ['so is the day', { all: [leaf('context', '.dayOfWeek', 'Mon'), leaf('context', '.process', 1)] }, true],
  ['but not the hours of a schedule', { all: [leaf('context', '.schedules.Office.isOpen', true)] }, 'unknown'],
])('%s', async (_name, conditions, result) => {
  expect(await judged(conditions)).toBe(result)
})

it('knows that there was no value where a rule looked and found none', async () => {
  const recorded = { all: [NOT_READ, leaf('message', '.meta.url', 'x')] }
  expect(await judged({ all: [leaf('contact', '.email', false, 'defined')] }, { recorded })).toBe(true)
  expect(await judged({ all: [leaf('contact', '.email', 'x', 'notEqual')] }, { recorded })).toBe(true)
  expect(await judged({ all: [leaf('message', '.meta', 'x')] }, { recorded })).toBe('unknown')
})

it('reads within a value that was recorded whole, and not within another', async () => {
  const facts = { message: { meta: { page: { url: 'shop', tags: ['a', 'b'] } } }, forms: { Order: { size: 3 } } }
  const whole = { recorded: { all: [leaf('message', '.meta', 1), leaf('forms', '.Order', 1)] }, facts }
  expect(await judged({ all: [leaf('message', '.meta.page.url', 'shop')] }, whole)).toBe(true)
  expect(await judged({ all: [leaf('message', '.meta.page.tags.1', 'b')] }, whole)).toBe(true)
  expect(await judged({ all: [leaf('message', '.meta.other', false, 'defined')] }, whole)).toBe(true)
  // Forms have names of their own, which may have dots: `Order.size` could be one.
  expect(await judged({ all: [leaf('forms', '.Order.size', 3)] }, whole)).toBe('unknown')
  expect(await judged({ all: [leaf('contact', '.meta.page', 1)] }, whole)).toBe('unknown')
})

it('counts a rule that cannot be compiled as not read', async () => {
  const broken = { all: [leaf('contact', '.email', '(', 'match')] }
  expect(await judged({ all: [NOT_READ] }, { recorded: broken })).toBe('unknown')
})

it('takes as unknown what has more possibilities than are tried', () => {
  const rules = Array.from({ length: 12 }, (_, index) => ({
    rule: {
      id: `r${index}`,
      conditions: { all: [] },
      event: { type: 'notify' as const, params: { channels: ['c1'] } },
      priority: 1,
    },
    matched: false,
    conditions: null,
    unknown: [`contact.meta.${index}`],
  }))
  const evaluations = [{ workflow: { id: 'w', name: 'W' }, nearness: 0, rules }]
  const same = planRecorded(
    evaluations,
    () => true,
    () => 'the same',
  )
  expect(same.unknown?.places).toHaveLength(12)
  const few = [{ ...evaluations[0]!, rules: rules.slice(0, 6) }]
  const certain = planRecorded(
    few,
    () => true,
    () => 'the same',
  )
  expect(certain.unknown).toBeNull()
})
