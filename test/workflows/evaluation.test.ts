import { describe, expect, it } from '@jest/globals'
import { BadUserInput } from '../../src/platform/errors.js'
import type { Conditions } from '../../src/modules/workflows/conditions.js'
import { shortened } from '../../src/modules/workflows/condition-trace.js'
import { RuleEngines } from '../../src/modules/workflows/evaluation.js'
import { contextFacts, formFacts, liveFacts, mockFacts, resultFacts } from '../../src/modules/workflows/facts.js'
import { Situation } from '../../src/modules/workflows/situation.js'
import { parseRule } from '../../src/modules/workflows/rule.js'
import type { WorkflowDefinition } from '../../src/modules/workflows/rule-definition.js'

const NOW = new Date('2026-03-04T09:05:59.999Z')

function workflowOf(conditions: unknown[], { id = 'w', version = 1 } = {}): WorkflowDefinition {
  const rules = conditions.map((tree, index) => ({
    id: `r${index}`,
    ...parseRule({ conditions: tree, event: { type: 'notify', params: {} } }),
  }))
  return { id, name: 'Workflow', version, rules }
}

const category = (value: string) => ({ fact: 'conversation', path: '.category', operator: 'equal', value })
const factsOf = (mock: object): Situation => new Situation(mockFacts(mock, NOW))

async function matches(conditions: unknown, mock: object): Promise<boolean> {
  const engines = new RuleEngines()
  const workflow = workflowOf([conditions])
  const [evaluation] = await engines.explain(workflow, factsOf(mock))
  // The one routes messages, the other explains how: they are two pieces of code.
  const matched = await engines.match(workflow, factsOf(mock))
  expect(matched).toHaveLength(evaluation!.matched ? 1 : 0)
  return evaluation!.matched
}

describe('facts', () => {
  // [4.6 fact context process, fact context currentTime, fact context currentHour, fact context currentMin, fact
  // context dayOfWeek, context, context currentTime, context currentHour, context currentMin, context dayOfWeek]
  it('has the time in UTC: HHMM, HH, minute, day', () => {
    expect(contextFacts(NOW)).toEqual({
      process: 1,
      currentTime: 905,
      currentHour: '09',
      currentMin: 5,
      dayOfWeek: 'Wed',
    })
    expect(contextFacts(new Date('2026-03-01T00:00:00+02:00'))).toEqual({
      process: 1,
      currentTime: 2200,
      currentHour: '22',
      currentMin: 0,
      dayOfWeek: 'Sat',
    })
  })

  // [4.6 fact forms by name, fact forms by id, fact forms by category, forms by name, forms by id, forms of a topic by
  // name, forms of a topic by id]
  it('keys static forms by name and id, topic forms likewise under their category', () => {
    expect(
      formFacts([
        { form: 'f1', name: 'Contact form', values: { email: 'a@b' } },
        { form: 'f2', name: 'Order', category: 'sales', categoryIndex: 0, values: { brand: 'Acme' } },
        { form: 'f3', name: 'Size', category: 'sales', categoryIndex: 0, values: { size: 5 } },
      ]),
    ).toEqual({
      'Contact form': { email: 'a@b' },
      f1: { email: 'a@b' },
      category0: { Order: { brand: 'Acme' }, f2: { brand: 'Acme' }, Size: { size: 5 }, f3: { size: 5 } },
    })
  })

  it('treats a form named like a prototype key as an ordinary key', () => {
    const facts = formFacts([{ form: 'f1', name: '__proto__', values: { polluted: true } }])
    expect(Object.keys(facts)).toEqual(['__proto__', 'f1'])
    expect(({} as Record<string, unknown>).polluted).toBeUndefined()
  })

  // [4.6 fact results names, fact results forms, fact results categories, fact results categoryIndexes, results]
  it('flattens results into lists without repeats or nulls', () => {
    expect(
      resultFacts([
        { form: 'f1', name: 'A', category: null, categoryIndex: null },
        { form: 'f2', name: 'B', category: 'sales', categoryIndex: 0 },
        { form: 'f2', name: 'B', category: 'sales', categoryIndex: 0 },
      ]),
    ).toEqual({ names: ['A', 'B'], forms: ['f1', 'f2'], categories: ['sales'], categoryIndexes: [0] })
  })

  it('shows rules nothing beyond the paths of 4.6', () => {
    const conversation = { meta: { a: 1 }, category: null, categoryIndex: undefined, language: 'nl', secret: 'x' }
    const facts = liveFacts(
      {
        conversation,
        message: null,
        contact: { email: 'a@b' },
        organization: { id: 'o', tags: ['t'] },
        forms: [],
        results: [],
      },
      NOW,
    )
    expect(facts.conversation).toEqual({ meta: { a: 1 }, category: null, language: 'nl' })
    expect(facts.message).toEqual({})
    expect(facts.contact).toEqual({ email: 'a@b' })
    expect(facts.organization).toEqual({ id: 'o', tags: ['t'] })
  })

  // [4.5 mock organization, mock conversation, mock context]
  it('accepts mock facts with any keys, and lets context override the time', () => {
    expect(mockFacts({}, NOW).context).toEqual(contextFacts(NOW))
    const facts = mockFacts(
      {
        organization: { commands: ['x'] },
        conversation: { category: 'sales', contactStatus: 'online', channels: ['c'] },
        contact: null,
        context: { currentTime: 1430, dayOfWeek: 'Sun', process: 2 },
      },
      NOW,
    )
    expect(facts.conversation).toEqual({ category: 'sales', contactStatus: 'online', channels: ['c'] })
    expect(facts.organization).toEqual({ commands: ['x'] })
    expect(facts.contact).toEqual({})
    expect(facts.context).toEqual({
      process: 1,
      currentTime: 1430,
      currentHour: '14',
      currentMin: 30,
      dayOfWeek: 'Sun',
    })
    expect(mockFacts({ context: { currentTime: 1430, currentHour: '07' } }, NOW).context).toMatchObject({
      currentHour: '07',
      currentMin: 30,
    })
  })

  it.each<[string, unknown]>([
    ['', null],
    ['', []],
    ['', 'x'],
    ['weather', { weather: {} }],
    ['__proto__', JSON.parse('{"__proto__": {}}')],
    ['contact', { contact: [] }],
    ['message', { message: 'hello' }],
    ['context.currentTime', { context: { currentTime: '09:00' } }],
    ['context.currentTime', { context: { currentTime: 2400 } }],
    ['context.currentTime', { context: { currentTime: 960 } }],
    ['context.currentTime', { context: { currentTime: -1 } }],
  ])('refuses mock facts, naming %j: %j', (field, input) => {
    expect(() => mockFacts(input, NOW)).toThrow(BadUserInput)
    expect(() => mockFacts(input, NOW)).toThrow(expect.objectContaining({ field }))
  })
})

describe('conditions', () => {
  const yes = { fact: 'context', path: '.process', operator: 'equal', value: 1 }
  const no = { fact: 'context', path: '.process', operator: 'equal', value: 2 }

  // [4.6 conditions all, conditions any, conditions nested] [2.7 conditions all, conditions any]
  it.each<[unknown, boolean]>([
    [{ all: [] }, true],
    [{ any: [] }, false],
    [{ all: [{ any: [] }] }, false],
    [{ any: [{ all: [] }] }, true],
    [{ all: [yes, yes] }, true],
    [{ all: [yes, no] }, false],
    [{ any: [no, yes] }, true],
    [{ any: [no, no] }, false],
    [{ all: [yes, { any: [no, { all: [yes, yes] }] }] }, true],
    [{ any: [no, { all: [yes, { any: [no, no] }] }] }, false],
  ])('%j: %s', async (conditions, expected) => {
    expect(await matches(conditions, {})).toBe(expected)
  })

  // [4.6 conditions leaf, conditions path keys]
  it.each<[string, string, string, unknown, object]>([
    ['message', '.meta.url', 'pattern', '(http(s)://)shop.$tld/*', { message: { meta: { url: 'https://shop.nl/' } } }],
    ['contact', '.address.city', 'equal', 'Utrecht', { contact: { address: { city: 'Utrecht' } } }],
    ['contact', '.address.city', 'equal', 'Utrecht', { contact: { 'address.city': 'Utrecht' } }],
    ['forms', '.category0.Order form.brand', 'in', ['A'], { forms: { category0: { 'Order form': { brand: 'A' } } } }],
    ['results', '.names', 'contains', 'Order', { results: { names: ['Order'] } }],
    ['results', '.names', 'doesNotContain', 'Order', {}],
    ['organization', '.tags', 'contains', 'vip', { organization: { tags: ['vip'] } }],
    ['conversation', '.contactStatus', 'equal', 'online', { conversation: { contactStatus: 'online' } }],
    ['context', '.currentTime', 'between', [900, 1700], {}],
    ['context', '.currentTime', 'notBetween', [900, 1700], { context: { currentTime: 200 } }],
    ['context', '.currentHour', 'equal', '09', {}],
    ['context', '.dayOfWeek', 'notIn', ['Sat', 'Sun'], {}],
    ['conversation', '.category', 'defined', true, { conversation: { category: null } }],
    ['conversation', '.category', 'defined', false, {}],
  ])('reads %s%s %s %j', async (fact, path, operator, value, mock) => {
    expect(await matches({ all: [{ fact, path, operator, value }] }, mock)).toBe(true)
  })

  it('contains the value that each leaf read, in the structure of the rule', async () => {
    const text = { fact: 'message', path: '.text', operator: 'match', value: 'x' }
    const conditions = { any: [category('sales'), { all: [yes, text] }] }
    const [evaluation] = await new RuleEngines().explain(
      workflowOf([conditions]),
      factsOf({ conversation: { category: 'support' } }),
    )
    expect(evaluation!.conditions).toEqual({
      any: [
        { ...category('sales'), factValue: 'support', result: false },
        {
          all: [
            { ...yes, factValue: 1, result: true },
            { ...text, result: false },
          ],
          result: false,
        },
      ],
      result: false,
    })
  })

  it('truncates the recorded values for storage', () => {
    const deep = { list: Array.from({ length: 1000 }, (_, index) => ({ index, text: 'x'.repeat(1000) })) }
    for (const value of ['x'.repeat(1e6), deep, Array.from({ length: 1e5 }, () => 1), { [`k${'y'.repeat(1e5)}`]: 1 }]) {
      expect(JSON.stringify(shortened(value)).length).toBeLessThan(1000)
    }
    expect(shortened({ a: [1, null, { b: 'c' }] })).toEqual({ a: [1, null, { b: 'c' }] })
    const cut = shortened(`${'x'.repeat(199)}😀\0`)
    expect(typeof cut === 'string' && cut.isWellFormed() && !cut.includes('\0')).toBe(true)
  })

  it('does not let a rule that cannot be compiled stop the others', async () => {
    const workflow = workflowOf([{ all: [yes] }, { all: [yes] }])
    workflow.rules[0]!.conditions = { all: [{ ...yes, operator: 'match', value: '(' }] } as Conditions
    const [broken, fine] = await new RuleEngines().explain(workflow, factsOf({}))
    const error = expect.stringMatching(/^conditions\.all\[0\]\.value .*missing closing \)/)
    expect(broken).toMatchObject({ matched: false, conditions: null, error })
    expect(fine!.matched).toBe(true)
  })
})

describe('RuleEngines', () => {
  it('keeps overlapping evaluations apart', async () => {
    const engines = new RuleEngines()
    const names = Array.from({ length: 40 }, (_, index) => `c${index}`)
    const isIn = (name: string) => ({ ...category(name), operator: 'in', value: [name] })
    const workflow = workflowOf(names.map((name) => ({ all: [category(name), isIn(name)] })))
    const evaluated = await Promise.all(
      names.map(async (name, index) => {
        // Some start while others are under way.
        for (let turn = 0; turn < index % 5; turn++) await Promise.resolve()
        return engines.explain(workflow, factsOf({ conversation: { category: name } }))
      }),
    )
    for (const [index, evaluations] of evaluated.entries()) {
      expect(evaluations.filter((evaluation) => evaluation.matched).map(({ rule }) => rule.id)).toEqual([`r${index}`])
      expect(evaluations).toHaveLength(40)
      for (const { conditions } of evaluations) {
        expect(conditions).toMatchObject({ all: [{ factValue: names[index] }, { factValue: names[index] }] })
      }
    }
  })

  it('evaluates one rule by id', async () => {
    const engines = new RuleEngines()
    const workflow = workflowOf([{ all: [category('a')] }, { all: [category('b')] }])
    const facts = factsOf({ conversation: { category: 'b' } })
    expect((await engines.explainRule(workflow, 'r0', facts))?.matched).toBe(false)
    expect((await engines.explainRule(workflow, 'r1', facts))?.matched).toBe(true)
    expect(await engines.explainRule(workflow, 'r2', facts)).toBeUndefined()
  })

  it('compiles a new version only', async () => {
    const engines = new RuleEngines()
    const facts = factsOf({ conversation: { category: 'b' } })
    const first = workflowOf([{ all: [category('a')] }])
    const changed = workflowOf([{ all: [category('b')] }])
    expect((await engines.explain(first, facts))[0]!.matched).toBe(false)
    expect((await engines.explain({ ...changed, version: 1 }, facts))[0]!.matched).toBe(false)
    expect((await engines.explain({ ...changed, version: 2 }, facts))[0]!.matched).toBe(true)
    expect(engines.size).toBe(2)
  })

  it('keeps the most recently used within its limit', async () => {
    const engines = new RuleEngines({ maxWeight: 10 })
    const ids = Array.from({ length: 6 }, (_, index) => `w${index}`)
    const workflows = ids.map((id) => workflowOf([{ all: [category('a')] }], { id }))
    for (const workflow of workflows) await engines.explain(workflow, factsOf({}))
    expect(engines.size).toBe(3)
    const large = workflowOf([{ all: Array.from({ length: 20 }, () => category('a')) }], { id: 'large' })
    await engines.explain(large, factsOf({}))
    expect(engines.size).toBe(1)
  })

  it('yields to timers while a long workflow is evaluated', async () => {
    const slow = { fact: 'message', path: '.text', operator: 'match', value: '(a|b)*a(a|b){15}$' }
    const workflow = workflowOf(Array.from({ length: 40 }, () => ({ all: [slow] })))
    const text = Array.from({ length: 20_000 }, (_, index) => 'ab'[(index * index + (index >> 3)) % 2]).join('')
    let ticks = 0
    const timer = setInterval(() => ticks++, 1)
    await new RuleEngines().explain(workflow, factsOf({ message: { text: `${text}!` } }))
    clearInterval(timer)
    expect(ticks).toBeGreaterThan(0)
  })
})
