import { describe, expect, it } from '@jest/globals'
import * as fc from 'fast-check'
import { BadUserInput } from '../../src/platform/errors.js'
import { LinearExpression } from '../../src/platform/content/linear-expression.js'
import {
  compileOperator,
  isOperatorName,
  OPERATOR_NAMES,
  type OperatorName,
} from '../../src/modules/workflows/operators.js'

const TEXT_LIMIT = 1_000_000

function holds(fact: unknown, operator: OperatorName, value: unknown): boolean {
  return compileOperator(operator, value, 'value').holds(fact, TEXT_LIMIT)
}

function outcomeOf(run: () => boolean): string {
  try {
    return run() ? 'held' : 'did not hold'
  } catch (error) {
    if (error instanceof BadUserInput) return 'refused'
    throw error
  }
}

describe('operators of 4.6', () => {
  // [4.6 defined, defined null, defined boolean, equal, notEqual, in, notIn, match, notMatch, pattern names, pattern
  // optional parts, pattern wildcards, noPattern, lessThan, lessThanInclusive, greaterThan, greaterThanInclusive,
  // between, notBetween, contains, doesNotContain]
  it.each<[unknown, OperatorName, unknown, boolean]>([
    // defined: present at the path, may be null
    ['x', 'defined', true, true],
    [null, 'defined', true, true],
    ['', 'defined', true, true],
    [undefined, 'defined', true, false],
    [undefined, 'defined', false, true],
    [null, 'defined', false, false],
    // equal and notEqual: strict
    ['a', 'equal', 'a', true],
    ['A', 'equal', 'a', false],
    [1, 'equal', 1, true],
    ['1', 'equal', 1, false],
    [0, 'equal', false, false],
    [null, 'equal', null, true],
    [undefined, 'equal', null, false],
    ['1', 'notEqual', 1, true],
    ['a', 'notEqual', 'a', false],
    [undefined, 'notEqual', 'a', true],
    // in and notIn
    ['b', 'in', ['a', 'b'], true],
    ['c', 'in', ['a', 'b'], false],
    [1, 'in', ['1'], false],
    ['a', 'in', [], false],
    [undefined, 'in', ['a', null], false],
    ['c', 'notIn', ['a', 'b'], true],
    ['a', 'notIn', ['a', 'b'], false],
    [undefined, 'notIn', ['a'], true],
    // match and notMatch: found anywhere, case-sensitive
    ['my order is late', 'match', 'order', true],
    ['my order is late', 'match', '^order', false],
    ['my Order', 'match', 'order', false],
    ['my Order', 'match', '(?i)order', true],
    ['12-34', 'match', '^\\d{2}-\\d{2}$', true],
    ['a/b', 'match', 'a\\/b', true],
    ['café', 'match', 'caf\\u00e9', true],
    ['anything', 'match', '', true],
    ['x (?= y', 'match', '[(?=]{3} y', true],
    [930, 'match', '^9', true],
    [undefined, 'match', '.*', false],
    [null, 'match', 'null', false],
    [['order'], 'match', 'order', false],
    ['my order', 'notMatch', 'order', false],
    ['hello', 'notMatch', 'order', true],
    [undefined, 'notMatch', 'order', true],
    // pattern and noPattern: the whole text
    ['/cart/42', 'pattern', '/cart/$id', true],
    ['/cart/42/pay', 'pattern', '/cart/$id', false],
    ['/cart/42/pay', 'pattern', '/cart/$id(/*)', true],
    ['/cart/', 'pattern', '/cart/$id', false],
    ['/cart/grüße', 'pattern', '/cart/$word', true],
    ['/cart/a-b_c~d%20 e', 'pattern', '/cart/$word', true],
    ...'!"#$&\'()*+,./:;<=>?@[\\]^`{|}\t\x7f'
      .split('')
      .map((mark): [unknown, OperatorName, unknown, boolean] => [`/cart/a${mark}b`, 'pattern', '/cart/$word', false]),
    ['https://www.example.com/a?b=c', 'pattern', '(http(s)://)($subdomain.)$domain.$tld(/*)', true],
    ['example.com', 'pattern', '(http(s)://)($subdomain.)$domain.$tld(/*)', true],
    ['example', 'pattern', '(http(s)://)($subdomain.)$domain.$tld(/*)', false],
    ['/v1.2/', 'pattern', '/v$major(.$minor)/*', true],
    ['/v/', 'pattern', '/v$major(.$minor)/*', false],
    ['/A', 'pattern', '/a', false],
    ['/a+b[c]', 'pattern', '/a+b[c]', true],
    ['/aab', 'pattern', '/a+b', false],
    ['/price/$5(x)*', 'pattern', '/price/\\$5\\(x\\)\\*', true],
    ['line\nbreak', 'pattern', 'line*break', true],
    [undefined, 'pattern', '*', false],
    ['/cart/42', 'noPattern', '/cart/$id', false],
    ['/shop', 'noPattern', '/cart/$id', true],
    [undefined, 'noPattern', '*', true],
    // numeric, also for strings that are a decimal number
    [4, 'lessThan', 5, true],
    [5, 'lessThan', 5, false],
    [5, 'lessThanInclusive', 5, true],
    [6, 'lessThanInclusive', 5, false],
    [6, 'greaterThan', 5, true],
    [5, 'greaterThan', 5, false],
    [5, 'greaterThanInclusive', 5, true],
    [4, 'greaterThanInclusive', 5, false],
    ['09', 'lessThan', 10, true],
    ['09', 'between', ['08', '17'], true],
    ['-1.5', 'lessThan', -1, true],
    ['five', 'lessThan', 10, false],
    ['', 'lessThan', 10, false],
    [null, 'lessThan', 10, false],
    [undefined, 'lessThan', 10, false],
    [true, 'greaterThan', 0, false],
    [[5], 'greaterThan', 0, false],
    [900, 'between', [900, 1700], true],
    [1700, 'between', [900, 1700], true],
    [1701, 'between', [900, 1700], false],
    [undefined, 'between', [900, 1700], false],
    [1701, 'notBetween', [900, 1700], true],
    [900, 'notBetween', [900, 1700], false],
    [undefined, 'notBetween', [900, 1700], true],
    // array
    [['vip', 'new'], 'contains', 'vip', true],
    [['1'], 'contains', 1, false],
    [['vip'], 'contains', 'vi', false],
    ['vip', 'contains', 'vip', false],
    [undefined, 'contains', 'vip', false],
    [['vip'], 'doesNotContain', 'vip', false],
    [['new'], 'doesNotContain', 'vip', true],
    [undefined, 'doesNotContain', 'vip', true],
  ])('%j %s %j: %s', (fact, operator, value, expected) => {
    expect(holds(fact, operator, value)).toBe(expected)
  })

  it.each<[OperatorName, unknown]>([
    ['defined', 'true'],
    ['defined', undefined],
    ['equal', undefined],
    ['equal', {}],
    ['equal', ['a']],
    ['equal', NaN],
    ['equal', 'nul\0'],
    ['equal', '\ud800'],
    ['notEqual', { fact: 'contact' }],
    ['equal', 'x'.repeat(1001)],
    ['in', 'a'],
    ['in', [['a']]],
    ['notIn', null],
    ['in', Array.from({ length: 1001 }, () => 1)],
    ['match', 5],
    ['match', '['],
    ['match', '(a'],
    ['match', 'a{2000}'],
    ['match', 'a'.repeat(1001)],
    ['notMatch', '(?=a)'],
    ['match', '(?!a)b'],
    ['match', '(?<=a)b'],
    ['match', '(?<!a)b'],
    ['match', '(a)\\1'],
    ['match', '\\8'],
    ['match', '(?<n>a)\\k<n>'],
    ['match', '(?>a)'],
    ['pattern', ''],
    ['pattern', '(a'],
    ['pattern', 'a)'],
    ['noPattern', '/$'],
    ['pattern', '\\'],
    ['pattern', 1],
    ['lessThan', 'ten'],
    ['lessThan', null],
    ['greaterThan', Infinity],
    ['greaterThanInclusive', [1]],
    ['between', 5],
    ['between', [1]],
    ['between', [1, 2, 3]],
    ['between', [2, 1]],
    ['notBetween', [1, 'x']],
    ['contains', {}],
    ['doesNotContain', undefined],
  ])('%s refuses the value %j, naming the field', (operator, value) => {
    expect(() => compileOperator(operator, value, 'all[0].value')).toThrow(BadUserInput)
    expect(() => compileOperator(operator, value, 'all[0].value')).toThrow(/^all\[0\]\.value/)
  })

  it('reports when an expression needs lookaround or backreferences', () => {
    expect(() => compileOperator('match', 'a(?!b)', 'value')).toThrow(/lookahead and lookbehind are not.*linear/)
    expect(() => compileOperator('match', '(a)\\1', 'value')).toThrow(/backreferences are not supported.*linear/)
  })

  it('knows exactly the names of 4.6, and no inherited ones', () => {
    expect([...OPERATOR_NAMES].toSorted()).toEqual([
      'between',
      'contains',
      'defined',
      'doesNotContain',
      'equal',
      'greaterThan',
      'greaterThanInclusive',
      'in',
      'lessThan',
      'lessThanInclusive',
      'match',
      'noPattern',
      'notBetween',
      'notEqual',
      'notIn',
      'notMatch',
      'pattern',
    ])
    for (const name of ['constructor', '__proto__', 'toString', 'everyFact:equal', '', null]) {
      expect(isOperatorName(name)).toBe(false)
    }
  })

  // [4.6 negations]
  it('never throws on a fact, and a negative operator is the exact negation of its positive', () => {
    const pairs: [OperatorName, OperatorName, unknown][] = [
      ['equal', 'notEqual', 'a'],
      ['in', 'notIn', ['a', 1, null]],
      ['match', 'notMatch', '(a|b)+c?$'],
      ['pattern', 'noPattern', '/$a(/*)'],
      ['between', 'notBetween', [-1, 10]],
      ['contains', 'doesNotContain', 1],
    ]
    fc.assert(
      fc.property(fc.anything(), (fact) => {
        for (const [positive, negative, value] of pairs) {
          expect(holds(fact, positive, value)).toBe(!holds(fact, negative, value))
        }
        for (const name of ['lessThan', 'lessThanInclusive', 'greaterThan', 'greaterThanInclusive'] as const) {
          expect(typeof holds(fact, name, 3)).toBe('boolean')
        }
      }),
      { numRuns: 300 },
    )
  })

  it('either compiles or refuses any value with BadUserInput', () => {
    fc.assert(
      fc.property(fc.constantFrom(...OPERATOR_NAMES), fc.oneof(fc.jsonValue(), fc.string()), (name, value) => {
        expect(outcomeOf(() => holds('text', name, value))).toMatch(/held|did not hold|refused/)
      }),
      { numRuns: 1000 },
    )
  })
})

describe('regular expressions', () => {
  it.each([
    ['(a+)+$', 'a'.repeat(28) + '!'],
    ['(a+)+$', 'a'.repeat(100_000) + '!'],
    ['(x+x+)+y', 'x'.repeat(100_000)],
    ['(.*)*(.*)*(.*)*b', 'a'.repeat(100_000)],
    ['(a|b)*a(a|b){15}$', 'ab'.repeat(50_000) + '!'],
  ])('%s ends, by an engine that does not backtrack', (source, subject) => {
    // By one that does, the shortest of them takes half a minute and the others longer than the sun shines. That the time
    // is linear, tells npm run bench -- --only linear.
    expect(new LinearExpression(source).test(subject, TEXT_LIMIT)).toBe(false)
  })

  it.each([
    `(?i)${'[b-\uffff]'.repeat(190)}`,
    `(?i)[${'b-\\x{ffff}'.repeat(90)}]`,
    '\\pL'.repeat(300),
    `(?i)[${'\\PL'.repeat(300)}]`,
  ])('refuses expressions that would take long to compile: %s', (source) => {
    expect(() => new LinearExpression(source)).toThrow('too many Unicode classes or ranges')
  })

  it('reads no more of a text than the limit', () => {
    const expression = new LinearExpression('end$')
    expect(expression.test(`${'.'.repeat(50)}end`, 53)).toBe(true)
    expect(expression.test(`${'.'.repeat(50)}end`, 52)).toBe(false)
  })

  it('agrees with JavaScript on their common syntax', () => {
    const atoms = ['a', 'b', '.', '[ab]', '[^a]', '\\d', '\\w', '\\s', '\\b', '(?:ab|c)', '(a)', '\\.', '1']
    const piece = fc
      .tuple(fc.constantFrom(...atoms), fc.constantFrom('', '*', '+', '?', '{1,2}'))
      .map(([part, times]) => (part === '\\b' ? part : part + times))
    const source = fc
      .tuple(fc.constantFrom('', '^'), fc.array(piece, { maxLength: 5 }), fc.constantFrom('', '$'))
      .map(([start, pieces, end]) => start + pieces.join('') + end)
    const subject = fc.string({ unit: fc.constantFrom('a', 'b', 'c', '1', ' ', '.', '-'), maxLength: 12 })
    fc.assert(
      fc.property(source, fc.array(subject, { maxLength: 5 }), (expression, subjects) => {
        const linear = new LinearExpression(expression)
        const native = new RegExp(expression)
        for (const text of subjects) expect(linear.test(text, 100)).toBe(native.test(text))
      }),
      { numRuns: 300 },
    )
  })
})
