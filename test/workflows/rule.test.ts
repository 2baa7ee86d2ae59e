import { describe, expect, it } from '@jest/globals'
import * as fc from 'fast-check'
import { BadUserInput } from '../../src/platform/errors.js'
import { compilePath } from '../../src/modules/workflows/paths.js'
import { checkWorkflowSize, parseRule, parseRulePatch, parseRules } from '../../src/modules/workflows/rule.js'

const leaf = { fact: 'conversation', path: '.category', operator: 'equal', value: 'sales' }
const heavy = { ...leaf, operator: 'match', value: '(.{1,400})x' }
const rule = {
  conditions: { all: [leaf] },
  event: { type: 'notify', params: { name: 'Sales', channels: ['c1'], users: ['u1'], delay: 30, isLastRule: true } },
  priority: 5,
}

function refusal(input: unknown, prefix = 'rules[0]'): BadUserInput {
  try {
    parseRule(input, prefix)
  } catch (error) {
    if (error instanceof BadUserInput) return error
    throw error
  }
  throw new Error(`accepted ${JSON.stringify(input)}`)
}

function parsedOrNull(input: unknown): ReturnType<typeof parseRule> | null {
  try {
    return parseRule(input)
  } catch (error) {
    if (error instanceof BadUserInput) return null
    throw error
  }
}

const withLeaf = (change: object) => ({ ...rule, conditions: { all: [leaf, { ...leaf, ...change }] } })
const withParams = (params: unknown) => ({ ...rule, event: { type: 'notify', params } })
const nested = (depth: number): object => (depth === 0 ? leaf : { all: [nested(depth - 1)] })

describe('a rule (2.7)', () => {
  it('is returned as it was sent, with priority 1 by default', () => {
    expect(parseRule(rule)).toEqual(rule)
    expect(parseRule({ conditions: { any: [leaf] }, event: { type: 'notify', params: {} } })).toEqual({
      conditions: { any: [leaf] },
      event: { type: 'notify', params: {} },
      priority: 1,
    })
  })

  it('accepts empty conditions, nesting, and the id that a client sends back', () => {
    expect(parseRule({ ...rule, _id: 'x', conditions: { all: [] } })).toEqual({ ...rule, conditions: { all: [] } })
    const conditions = { any: [{ all: [leaf, { any: [leaf] }] }, leaf] }
    expect(parseRule({ ...rule, conditions }).conditions).toEqual(conditions)
  })

  it('accepts null for an absent optional param', () => {
    const params = { name: null, channels: null, users: null, delay: null, isLastRule: null }
    expect(parseRule(withParams(params)).event.params).toEqual({})
  })

  // [4.6 conditions path] [2.7 conditions root, event type, event params, params.delay negative, priority]
  it.each<[string, unknown]>([
    ['rules[0]', null],
    ['rules[0]', []],
    ['rules[0]', 'rule'],
    ['rules[0].extra', { ...rule, extra: 1 }],
    ['rules[0].__proto__', JSON.parse('{"__proto__": {}, "conditions": {"all": []}}')],
    ['rules[0].constructor', { ...rule, constructor: {} }],
    ['rules[0].conditions', { ...rule, conditions: undefined }],
    ['rules[0].conditions', { ...rule, conditions: {} }],
    ['rules[0].conditions', { ...rule, conditions: { all: [], any: [] } }],
    ['rules[0].conditions.not', { ...rule, conditions: { not: leaf } }],
    ['rules[0].conditions.all', { ...rule, conditions: { all: leaf } }],
    ['rules[0].conditions.fact', { ...rule, conditions: leaf }],
    ['rules[0].conditions.all[1]', { ...rule, conditions: { all: [leaf, 5] } }],
    ['rules[0].conditions.all[1].fact', withLeaf({ fact: 'weather' })],
    ['rules[0].conditions.all[1].fact', withLeaf({ fact: 'constructor' })],
    ['rules[0].conditions.all[1].operator', withLeaf({ operator: 'equals' })],
    ['rules[0].conditions.all[1].operator', withLeaf({ operator: '__proto__' })],
    ['rules[0].conditions.all[1].path', withLeaf({ path: 'category' })],
    ['rules[0].conditions.all[1].path', withLeaf({ path: '.' })],
    ['rules[0].conditions.all[1].path', withLeaf({ path: undefined })],
    ['rules[0].conditions.all[1].path', withLeaf({ path: '.a.__proto__.b' })],
    ['rules[0].conditions.all[1].path', withLeaf({ path: '.constructor' })],
    ['rules[0].conditions.all[1].path', withLeaf({ path: '.a'.repeat(21) })],
    ['rules[0].conditions.all[1].value', withLeaf({ value: undefined })],
    ['rules[0].conditions.all[1].value', withLeaf({ operator: 'match', value: '(' })],
    ['rules[0].conditions.all[1].value[1]', withLeaf({ operator: 'in', value: ['a', {}] })],
    ['rules[0].conditions.all[1].params', withLeaf({ params: {} })],
    ['rules[0].conditions', { ...rule, conditions: { all: Array.from({ length: 10 }, () => heavy) } }],
    ['rules[0].event', { ...rule, event: undefined }],
    ['rules[0].event.type', { ...rule, event: { type: 'assign', params: {} } }],
    ['rules[0].event.params', { ...rule, event: { type: 'notify' } }],
    ['rules[0].event.params.channel', withParams({ channel: 'c1' })],
    ['rules[0].event.params.channels', withParams({ channels: 'c1' })],
    ['rules[0].event.params.channels[0]', withParams({ channels: [5] })],
    ['rules[0].event.params.users[1]', withParams({ users: ['u', ''] })],
    ['rules[0].event.params.users', withParams({ users: Array.from({ length: 101 }, () => 'u') })],
    ['rules[0].event.params.name', withParams({ name: 5 })],
    ['rules[0].event.params.name', withParams({ name: 'a\0' })],
    ['rules[0].event.params.isLastRule', withParams({ isLastRule: 'true' })],
    ...[-1, 0.5, 2 ** 31, 1e308, NaN, Infinity, '30', true].map((delay): [string, unknown] => [
      'rules[0].event.params.delay',
      withParams({ delay }),
    ]),
    ...[0, -1, 1.5, 2 ** 31, 1e308, NaN, '1'].map((priority): [string, unknown] => [
      'rules[0].priority',
      { ...rule, priority },
    ]),
  ])('is refused with the field %s', (field, input) => {
    const error = refusal(input)
    expect(error.field).toBe(field)
    expect(error.message).toContain('rules[0]')
    expect(error.code).toBe('BAD_USER_INPUT')
  })

  it('names the value that was refused', () => {
    expect(refusal(withLeaf({ operator: 'equals' })).message).toContain('"equals"')
    expect(refusal(withParams({ delay: 1e308 })).message).toBe(
      'rules[0].event.params.delay must be a whole number of seconds from 0 to 2592000, not 1e+308',
    )
    expect(refusal({ ...rule, extra: 1 }, '').field).toBe('extra')
  })

  it('limits nesting, the number of conditions and the size', () => {
    expect(parseRule({ ...rule, conditions: nested(10) }).conditions).toEqual(nested(10))
    expect(refusal({ ...rule, conditions: nested(11) }).message).toMatch(/nested 11 levels deep; the maximum is 10/)
    expect(refusal({ ...rule, conditions: nested(5000) }).message).toMatch(/levels deep/)
    const many = { any: Array.from({ length: 199 }, () => leaf) }
    expect(parseRule({ ...rule, conditions: many }).conditions).toEqual(many)
    expect(refusal({ ...rule, conditions: { any: [...many.any, leaf] } }).message).toMatch(/more than 200 conditions/)
    const list = { ...leaf, operator: 'in', value: Array.from({ length: 1000 }, () => 'x'.repeat(200)) }
    expect(refusal({ ...rule, conditions: { all: [list] } }).message).toMatch(/bytes; the maximum is 100000/)
  })

  it('limits a whole workflow', async () => {
    expect(await parseRules([rule, rule])).toEqual([rule, rule])
    await expect(parseRules([rule, { ...rule, priority: 0 }])).rejects.toThrow(/^rules\[1\]\.priority/)
    await expect(parseRules({ 0: rule })).rejects.toThrow(BadUserInput)
    expect(() => checkWorkflowSize(Array.from({ length: 201 }, () => parseRule(rule)))).toThrow(/the maximum is 200/)
    const expressions = { ...rule, conditions: { all: Array.from({ length: 5 }, () => heavy) } }
    const many = Array.from({ length: 10 }, () => expressions)
    await expect(parseRules(many)).rejects.toThrow(/more than 20000 instructions/)
    const wide = parseRule({ ...rule, conditions: { all: Array.from({ length: 150 }, () => leaf) } })
    expect(() => checkWorkflowSize(Array.from({ length: 14 }, () => wide))).toThrow(
      /2114 conditions; the maximum is 2000/,
    )
  })

  it('either parses or refuses anything with BadUserInput', () => {
    const key = fc.constantFrom('all', 'any', 'fact', 'path', 'operator', 'value', '__proto__', 'constructor')
    const { tree } = fc.letrec<{ tree: unknown }>((tie) => ({
      tree: fc.oneof(
        { maxDepth: 6 },
        fc.jsonValue({ maxDepth: 1 }),
        fc.constant(leaf),
        fc.array(tie('tree'), { maxLength: 3 }),
        fc.dictionary(key, tie('tree'), { maxKeys: 4 }),
      ),
    }))
    fc.assert(
      fc.property(tree, fc.jsonValue(), fc.jsonValue(), (conditions, event, priority) => {
        for (const input of [
          { conditions, event, priority },
          { ...rule, conditions },
          { ...rule, event },
          conditions,
        ]) {
          const parsed = parsedOrNull(input)
          expect(parsed && parseRule(JSON.parse(JSON.stringify(parsed)))).toEqual(parsed)
        }
      }),
      { numRuns: 1000 },
    )
  })
})

describe('PATCH of a rule', () => {
  const stored = parseRule(rule)

  it('replaces whole top-level fields', () => {
    expect(parseRulePatch(stored, { event: { type: 'notify', params: { channels: ['c2'] } } })).toEqual({
      ...rule,
      event: { type: 'notify', params: { channels: ['c2'] } },
    })
    expect(parseRulePatch(stored, { conditions: { any: [] } })).toEqual({ ...rule, conditions: { any: [] } })
    expect(parseRulePatch(stored, {})).toEqual(rule)
    expect(parseRulePatch(stored, { priority: null }).priority).toBe(1)
  })

  it('is checked like a whole rule', () => {
    expect(() => parseRulePatch(stored, { event: { params: {} } })).toThrow(/^event\.type/)
    expect(() => parseRulePatch(stored, { conditions: null })).toThrow(/^conditions/)
    expect(() => parseRulePatch(stored, { delay: 5 })).toThrow(/unknown field "delay"/)
  })
})

describe('paths', () => {
  const facts = {
    meta: { url: 'https://x', 'a.b': { c: 1 }, a: { b: { c: 2 }, d: 3 } },
    category0: { 'Contact form': { brand: 'Acme' }, 'Form v1.2': { email: 'e' } },
    tags: ['x', { y: 'z' }],
    'address.city': 'Utrecht',
    nothing: null,
  }

  it.each([
    ['.meta.url', 'https://x'],
    ['.category0.Contact form.brand', 'Acme'],
    ['.category0.Form v1.2.email', 'e'],
    ['.meta.a.b.c', 1],
    ['.meta.a.d', 3],
    ['.address.city', 'Utrecht'],
    ['.tags.0', 'x'],
    ['.tags.1.y', 'z'],
    ['.nothing', null],
    ['.nothing.more', undefined],
    ['.meta.url.length', undefined],
    ['.tags.length', undefined],
    ['.tags.map', undefined],
    ['.missing.deep', undefined],
    ['.toString', undefined],
    ['.__proto__.toString', undefined],
    ['meta.url', undefined],
    ['.', undefined],
    ['', undefined],
  ])('%s', (path, expected) => {
    expect(compilePath(path)(facts)).toBe(expected)
  })

  it('finds every own key, and never throws', () => {
    fc.assert(
      fc.property(fc.anything(), fc.string(), (fact, path) => {
        expect(() => compilePath(`.${path}`)(fact)).not.toThrow()
      }),
    )
    fc.assert(
      fc.property(fc.dictionary(fc.string({ minLength: 1 }), fc.jsonValue()), (fact) => {
        for (const key of Object.keys(fact)) expect(compilePath(`.${key}`)(fact)).toBe(fact[key])
      }),
    )
  })
})
