import { describe, expect, it } from '@jest/globals'
import * as fc from 'fast-check'
import { RE2JS } from 're2js'
import { LinearExpression } from '../../src/platform/content/linear-expression.js'
import { requiredLiterals } from '../../src/platform/content/required-literals.js'

describe('requiredLiterals', () => {
  it.each<[string, string[][] | null]>([
    ['refund', [['refund']]],
    ['(?i)Order [0-9]+|refund 7', [['order '], ['refund 7']]],
    ['^https://shop\\.nl/.*/77$', [['https://shop.nl/', '/77']]],
    ['colou?r', [['colo']]],
    ['ab+c', [['ab']]],
    ['abc{2,3}de', [['ab', 'de']]],
    ['(one|two) three', [[' three']]],
    ['\\binvoice\\b', [['invoice']]],
    ['(?i)straße', [['stra']]],
    ['(?i)KISS', [['kiss']]],
    ['lo😀?', [['lo']]],
    // Nothing that all matches have, or nothing that is read.
    ['a|refund', null],
    ['[0-9]+', null],
    ['refund|', null],
    ['', null],
    ['x(?i)refund', null],
    ['(?i:refund)', null],
    ['\\x41bc', null],
    ['\\Qa|b\\E', null],
    ['[[:alpha:]]bc', null],
    ['a{b', null],
    ['a\\', null],
    ['(abc', null],
  ])('of %j: %j', (source, expected) => {
    expect(requiredLiterals(source)).toEqual(expected)
  })
})

describe('LinearExpression', () => {
  const atom = fc.constantFrom(
    'a',
    'b',
    'ab',
    'K',
    'k',
    's',
    'S',
    ' ',
    'é',
    '😀',
    '.',
    '\\.',
    '\\d',
    '\\b',
    '\\x41',
    '\\u0041',
    '\\t',
    '\\/',
    '[ab]',
    '[^a]',
    '[\\]a]',
    '(?:ab)',
    '(a|b)',
    '(?<n>s)',
    '^',
    '$',
    '-',
    '/',
    '{',
    '}',
    ']',
    '#',
    '\\Qa\\E',
    '[[:alpha:]]',
  )
  const quantifier = fc.constantFrom('', '', '', '?', '*', '+', '{2}', '{0,1}', '{1,}', '+?', '??')
  const sequence = fc
    .array(
      fc.tuple(atom, quantifier).map((parts) => parts.join('')),
      { maxLength: 5 },
    )
    .map((parts) => parts.join(''))
  const nested = fc.oneof(
    sequence,
    fc.tuple(sequence, sequence).map(([inner, rest]) => `(${inner})${rest}`),
  )
  const source = fc
    .tuple(fc.constantFrom('', '(?i)', '(?s)'), fc.array(nested, { minLength: 1, maxLength: 3 }))
    .map(([flags, alternatives]) => flags + alternatives.join('|'))
  const text = fc
    .array(
      fc.constantFrom(
        'a',
        'b',
        'A',
        'B',
        'k',
        'K',
        'K',
        's',
        'S',
        'ſ',
        ' ',
        'é',
        'É',
        '😀',
        'İ',
        '.',
        '/',
        '-',
        '7',
        '{2}',
        '\n',
      ),
      { maxLength: 10 },
    )
    .map((parts) => parts.join(''))

  it('finds what the engine finds by itself: a text without a required word cannot match', () => {
    let found = 0
    fc.assert(
      fc.property(source, fc.array(text, { minLength: 1, maxLength: 5 }), (expression, texts) => {
        let engine: RE2JS
        let linear: LinearExpression
        try {
          linear = new LinearExpression(expression)
          engine = RE2JS.compile(RE2JS.translateRegExp(expression))
        } catch {
          return
        }
        for (const each of texts) {
          const expected = engine.matcher(each).find()
          if (expected) found++
          expect([expression, each, linear.test(each, 1_000)]).toEqual([expression, each, expected])
        }
      }),
      { numRuns: 5_000 },
    )
    expect(found).toBeGreaterThan(1_000)
  })
})
