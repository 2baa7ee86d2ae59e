import { describe, expect, it } from '@jest/globals'
import * as fc from 'fast-check'
import type { NotifyParams } from '../../src/modules/workflows/rule-definition.js'
import type { RuleEvaluation } from '../../src/modules/workflows/evaluation.js'
import { mergeTrace, type DeferredRule, type RoutingDecision } from '../../src/modules/workflows/routing-decision.js'
import {
  defaultRouting,
  directRouting,
  planRouting,
  resumeRouting,
  triggeredEvents,
  type WorkflowEvaluation,
} from '../../src/modules/workflows/routing-plan.js'

interface RuleSketch extends NotifyParams {
  priority?: number
  matched?: boolean
}

function evaluated(id: string, { priority = 1, matched = true, ...params }: RuleSketch): RuleEvaluation {
  const rule = { id, conditions: { all: [] }, event: { type: 'notify' as const, params }, priority }
  return { rule, matched, conditions: { all: [], result: matched } }
}

function workflow(id: string, nearness: number, rules: Record<string, RuleSketch>): WorkflowEvaluation {
  return {
    workflow: { id, name: `Workflow ${id}` },
    nearness,
    rules: Object.entries(rules).map(([ruleId, sketch]) => evaluated(ruleId, sketch)),
  }
}

const own = (rules: Record<string, RuleSketch>) => [workflow('own', 0, rules)]
const online =
  (...ids: string[]) =>
  (id: string) =>
    ids.includes(id)
const all = () => true
const none = () => false

const fired = (decision: RoutingDecision) => decision.notify.map(({ rule }) => rule?.id)
const outcomes = (decision: RoutingDecision) =>
  Object.fromEntries(decision.trace.map(({ rule, outcome }) => [rule?.id, outcome]))

describe('order (2.7)', () => {
  it('runs higher priorities first, and keeps equal ones in the order of the workflow', () => {
    const decision = planRouting(
      own({
        low: { channels: ['c'] },
        high: { channels: ['c'], priority: 9 },
        mid1: { channels: ['c'], priority: 5 },
        mid2: { channels: ['c'], priority: 5 },
      }),
      all,
    )
    expect(fired(decision)).toEqual(['high', 'mid1', 'mid2', 'low'])
  })

  it('runs the own organization before its parent and grandparent, regardless of priorities', () => {
    const decision = planRouting(
      [
        workflow('mcc', 2, { top: { channels: ['c'], priority: 99 } }),
        workflow('own', 0, { leaf: { channels: ['c'] } }),
        workflow('parent', 1, { middle: { channels: ['c'], priority: 50 } }),
        workflow('own2', 0, { leaf2: { channels: ['c'], priority: 2 } }),
      ],
      all,
    )
    expect(fired(decision)).toEqual(['leaf2', 'leaf', 'middle', 'top'])
  })

  it('runs delayed rules last, by increasing delay, regardless of priority or organization', () => {
    const decision = planRouting(
      [
        workflow('own', 0, { late: { channels: ['c'], delay: 60, priority: 99 }, now: { channels: ['c'] } }),
        workflow('parent', 1, { soon: { channels: ['c'], delay: 5 }, parentNow: { channels: ['c'] } }),
      ],
      all,
    )
    expect(decision.trace.map(({ rule }) => rule?.id)).toEqual(['now', 'parentNow', 'soon', 'late'])
    expect(decision.deferred.map(({ rule, delaySeconds }) => [rule.id, delaySeconds])).toEqual([
      ['soon', 5],
      ['late', 60],
    ])
  })
})

describe('a fired rule (3.4)', () => {
  it('notifies online channels and users, and leaves the rest for channelsOffline', () => {
    const decision = planRouting(
      own({
        a: { name: 'A', channels: ['c1', 'c2', 'c1'], users: ['u1', 'u1'] },
        b: { channels: ['c2', 'c3'] },
      }),
      online('c1'),
    )
    expect(decision.notify).toEqual([
      {
        workflow: { id: 'own', name: 'Workflow own' },
        rule: { id: 'a', name: 'A' },
        channels: ['c1'],
        users: ['u1'],
      },
    ])
    expect(decision.offline).toEqual(['c2', 'c3'])
    expect(decision.trace).toEqual([
      {
        workflow: { id: 'own', name: 'Workflow own' },
        rule: { id: 'a', name: 'A' },
        outcome: 'fired',
        reason: 'conditions met',
        conditions: { all: [], result: true },
        channelsNotified: ['c1'],
        channelsOffline: ['c2'],
        users: ['u1'],
      },
      expect.objectContaining({ rule: { id: 'b', name: null }, outcome: 'fired', channelsNotified: [] }),
    ])
  })

  it('skips rules whose conditions are not met', () => {
    const unmet = { channels: ['c'], matched: false, isLastRule: true }
    const decision = planRouting(own({ a: unmet, b: { channels: ['c'] } }), all)
    expect(outcomes(decision)).toEqual({ a: 'notMatched', b: 'fired' })
    expect(fired(decision)).toEqual(['b'])
  })

  it('explains in the trace why a broken rule did not run', () => {
    const error = 'value is not a regular expression'
    const broken = { ...evaluated('a', { matched: false }), conditions: null, error }
    const decision = planRouting([{ workflow: { id: 'w', name: 'W' }, nearness: 0, rules: [broken] }], all)
    expect(decision.trace[0]!.reason).toBe('the rule cannot be evaluated: value is not a regular expression')
  })

  it('checks a channel once, so that none is both notified and offline', () => {
    let calls = 0
    const decision = planRouting(own({ a: { channels: ['c'] }, b: { channels: ['c'] } }), () => calls++ === 0)
    expect(decision.offline).toEqual([])
    expect(calls).toBe(1)
  })
})

describe('isLastRule (3.4.7)', () => {
  it('stops later rules once it notified a channel', () => {
    const decision = planRouting(
      [
        ...own({
          first: { name: 'First', channels: ['c1'], isLastRule: true, priority: 2 },
          second: { channels: ['c2'] },
        }),
        workflow('parent', 1, {
          third: { channels: ['c3'] },
          unmet: { matched: false },
          later: { channels: ['c4'], delay: 5 },
        }),
      ],
      all,
    )
    expect(fired(decision)).toEqual(['first'])
    expect(decision.deferred).toEqual([])
    expect(outcomes(decision)).toEqual({
      first: 'fired',
      second: 'skipped',
      third: 'skipped',
      unmet: 'notMatched',
      later: 'skipped',
    })
    expect(decision.trace[1]!.reason).toBe('the last rule "First" notified a channel')
  })

  it('does not stop while its channels are offline, nor for users alone', () => {
    const decision = planRouting(
      own({
        offline: { channels: ['c1'], isLastRule: true, priority: 3 },
        users: { users: ['u'], isLastRule: true, priority: 2 },
        next: { channels: ['c2'] },
      }),
      online('c2'),
    )
    expect(fired(decision)).toEqual(['users', 'next'])
    expect(decision.offline).toEqual(['c1'])
  })

  // [2.7 priority equal]
  it('applies rules of equal priority together', () => {
    const decision = planRouting(
      own({
        last: { channels: ['c1'], isLastRule: true, priority: 2 },
        peer: { channels: ['c2'], priority: 2 },
        next: { channels: ['c3'] },
      }),
      all,
    )
    expect(fired(decision)).toEqual(['last', 'peer'])
  })
})

describe('delays (3.4.5)', () => {
  const rules = {
    now: { channels: ['c1'] },
    soon: { channels: ['c2'], delay: 30 },
    later: { channels: ['c3'], delay: 60 },
  }

  it('wait when an earlier rule notified a channel', () => {
    const decision = planRouting(own(rules), all)
    expect(fired(decision)).toEqual(['now'])
    expect(decision.deferred).toEqual([
      {
        workflow: { id: 'own', name: 'Workflow own' },
        rule: { id: 'soon', name: null },
        channels: ['c2'],
        users: [],
        delaySeconds: 30,
        isLastRule: false,
      },
      expect.objectContaining({ delaySeconds: 60 }),
    ])
    expect(outcomes(decision)).toEqual({ now: 'fired', soon: 'deferred', later: 'deferred' })
    expect(decision.trace[1]!.delaySeconds).toBe(30)
  })

  it('are bypassed until a channel was notified', () => {
    const decision = planRouting(own(rules), online('c2', 'c3'))
    expect(fired(decision)).toEqual(['soon'])
    expect(decision.offline).toEqual(['c1'])
    expect(decision.deferred.map(({ rule }) => rule.id)).toEqual(['later'])
    expect(decision.trace[1]!.reason).toMatch(/delay bypassed/)
    expect(planRouting(own(rules), none)).toMatchObject({ notify: [], deferred: [], offline: ['c1', 'c2', 'c3'] })
  })

  it('are also bypassed after only users were notified', () => {
    const decision = planRouting(own({ users: { users: ['u'] }, soon: { channels: ['c'], delay: 30 } }), all)
    expect(fired(decision)).toEqual(['users', 'soon'])
  })

  it('fire together when equal, and are bypassed together', () => {
    const decision = planRouting(
      own({
        a: { channels: ['c1'], delay: 9 },
        b: { channels: ['c2'], delay: 9 },
        c: { channels: ['c3'], delay: 10 },
      }),
      all,
    )
    expect(fired(decision)).toEqual(['a', 'b'])
    expect(decision.deferred.map(({ rule }) => rule.id)).toEqual(['c'])
  })

  it('end the processing when a bypassed one is the last rule', () => {
    const decision = planRouting(
      own({
        a: { channels: ['c1'], delay: 9, isLastRule: true },
        b: { channels: ['c2'], delay: 10 },
      }),
      all,
    )
    expect(outcomes(decision)).toEqual({ a: 'fired', b: 'skipped' })
    expect(decision.deferred).toEqual([])
  })
})

describe('a deferred rule at its time', () => {
  const plan = (isLastRule: boolean) =>
    planRouting(
      own({
        now: { channels: ['c1'] },
        a: { name: 'A', channels: ['c2'], users: ['u'], delay: 30, isLastRule },
        b: { channels: ['c3'], delay: 30 },
        c: { channels: ['c4'], delay: 60 },
      }),
      all,
    )

  it('fires with those of the same delay, and returns the remainder', () => {
    const decision = resumeRouting(plan(false).deferred, online('c2'))
    expect(decision.notify).toEqual([expect.objectContaining({ channels: ['c2'], users: ['u'] })])
    expect(decision.offline).toEqual(['c3'])
    expect(decision.deferred.map(({ rule, delaySeconds }) => [rule.id, delaySeconds])).toEqual([['c', 60]])
    expect(resumeRouting(decision.deferred, all)).toMatchObject({ notify: [{ channels: ['c4'] }], deferred: [] })
  })

  it('cancels the remainder when it is the last rule and notified a channel', () => {
    const decision = resumeRouting(plan(true).deferred, all)
    expect(decision.deferred).toEqual([])
    expect(outcomes(decision)).toEqual({ a: 'fired', b: 'fired', c: 'skipped' })
  })

  it('continues after the last rule if nobody was online', () => {
    const decision = resumeRouting(plan(true).deferred, none)
    expect(decision.offline).toEqual(['c2', 'c3'])
    expect(decision.deferred.map(({ rule }) => rule.id)).toEqual(['c'])
  })

  it('survives as JSON, also empty', () => {
    const { deferred } = plan(true)
    const stored = JSON.parse(JSON.stringify(deferred)) as DeferredRule[]
    expect(resumeRouting(stored, all)).toEqual(resumeRouting(deferred, all))
    expect(resumeRouting([], all)).toEqual({ notify: [], offline: [], deferred: [], trace: [] })
  })

  it('changes its entry in the stored trace and keeps what its conditions saw', () => {
    const first = plan(true)
    const trace = mergeTrace(first.trace, resumeRouting(first.deferred, all).trace)
    expect(trace.map(({ rule, outcome }) => [rule?.id, outcome])).toEqual([
      ['now', 'fired'],
      ['a', 'fired'],
      ['b', 'fired'],
      ['c', 'skipped'],
    ])
    const changed = { reason: 'its delay ended', conditions: { result: true }, channelsNotified: ['c2'] }
    expect(trace[1]).toMatchObject(changed)
  })
})

describe('without workflows', () => {
  it('notifies all channels of the organization (3.4.2)', () => {
    expect(defaultRouting(['c1', 'c2', 'c1'], online('c1'))).toEqual({
      notify: [{ workflow: null, rule: null, channels: ['c1'], users: [] }],
      offline: ['c2'],
      deferred: [],
      trace: [
        {
          workflow: null,
          rule: null,
          outcome: 'fired',
          reason: expect.stringMatching(/^no workflows/),
          conditions: null,
          channelsNotified: ['c1'],
          channelsOffline: ['c2'],
          users: [],
        },
      ],
    })
    expect(defaultRouting([], all)).toMatchObject({ notify: [], offline: [] })
  })

  it('notifies exactly the channels that were named (4.8)', () => {
    expect(directRouting(['c9'], all)).toMatchObject({ notify: [{ channels: ['c9'] }], offline: [] })
  })
})

describe('mock facts (4.5)', () => {
  it('return the events of the rules that matched, in order', () => {
    const events = triggeredEvents([
      evaluated('a', { name: 'A', delay: 5 }),
      evaluated('b', { name: 'B' }),
      evaluated('c', { name: 'C', matched: false }),
      evaluated('d', { name: 'D', priority: 7 }),
    ])
    expect(events).toEqual([
      { type: 'notify', params: { name: 'D' } },
      { type: 'notify', params: { name: 'B' } },
      { type: 'notify', params: { name: 'A', delay: 5 } },
    ])
  })
})

describe('any set of rules', () => {
  const channel = fc.constantFrom('c1', 'c2', 'c3', 'c4')
  const sketch = fc.record({
    priority: fc.integer({ min: 1, max: 3 }),
    matched: fc.boolean(),
    channels: fc.array(channel, { maxLength: 3 }),
    users: fc.array(fc.constantFrom('u1', 'u2'), { maxLength: 2 }),
    delay: fc.constantFrom(0, 0, 10, 20, 30),
    isLastRule: fc.boolean(),
  })
  const workflows = fc.array(fc.tuple(fc.nat(2), fc.array(sketch, { maxLength: 5 })), { maxLength: 4 })

  it('is decided completely: every rule once, every channel in exactly one list', () => {
    fc.assert(
      fc.property(workflows, fc.subarray(['c1', 'c2', 'c3', 'c4']), (sketches, onlineIds) => {
        const evaluations = sketches.map(([nearness, rules], index) =>
          workflow(
            `w${index}`,
            nearness,
            Object.fromEntries(rules.map((rule, ruleIndex) => [`w${index}r${ruleIndex}`, rule])),
          ),
        )
        const isOnline = online(...onlineIds)
        const first = planRouting(evaluations, isOnline)
        const decisions = [first]
        let trace = first.trace
        for (let { deferred } = first; deferred.length > 0;) {
          const next = resumeRouting(deferred, isOnline)
          expect(next.deferred.length).toBeLessThan(deferred.length)
          trace = mergeTrace(trace, next.trace)
          decisions.push(next)
          deferred = next.deferred
        }
        const rules = evaluations.flatMap((evaluation) => evaluation.rules)
        const traced = trace.map(({ rule }) => rule?.id ?? '')
        expect(traced.toSorted()).toEqual(rules.map(({ rule }) => rule.id).toSorted())
        expect(trace.filter(({ outcome }) => outcome === 'deferred')).toEqual([])
        for (const { notify, offline } of decisions) {
          for (const id of notify.flatMap(({ channels }) => channels)) expect(onlineIds).toContain(id)
          for (const id of offline) expect(onlineIds).not.toContain(id)
        }
        // Nothing waits while nobody has been notified, and a matched rule is skipped only after a last rule delivered.
        const delivered = first.trace.some(({ channelsNotified }) => channelsNotified.length > 0)
        expect(first.deferred.length > 0 && !delivered).toBe(false)
        const lastRules = new Set(rules.filter(({ rule }) => rule.event.params.isLastRule).map(({ rule }) => rule.id))
        const stopped = trace.some(
          ({ rule, channelsNotified }) => channelsNotified.length > 0 && lastRules.has(rule?.id ?? ''),
        )
        expect(trace.some(({ outcome }) => outcome === 'skipped') && !stopped).toBe(false)
      }),
      { numRuns: 500 },
    )
  })
})
