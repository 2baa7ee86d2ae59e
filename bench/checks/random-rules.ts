import * as fc from 'fast-check'
import type { Condition, Conditions } from '../../src/modules/workflows/conditions.js'
import { contextFacts, type Facts, type JsonObject, type JsonValue } from '../../src/modules/workflows/facts.js'
import type { OperatorName } from '../../src/modules/workflows/operators.js'
import type { NotifyEvent, RuleDefinition, WorkflowDefinition } from '../../src/modules/workflows/rule-definition.js'

/** Few words, so that conditions hold about as often as not. */
const WORDS = ['sales', 'support', 'vip', 'NL', '7', '09', 'order 12', 'Order 7', 'https://shop.nl/x', '', 'ſ K']
const word = fc.constantFrom(...WORDS)
const number = fc.constantFrom(-1, 0, 1, 7, 9, 12.5, 905)
const scalar: fc.Arbitrary<JsonValue> = fc.oneof(word, number, fc.boolean(), fc.constant(null))
const text = fc.array(fc.oneof(word, fc.string({ maxLength: 6 })), { maxLength: 6 }).map((parts) => parts.join(' '))

/** Any of the keys may be missing. */
const SOME = { requiredKeys: [] as never[], noNullPrototype: true }

const PLACES = [
  ['conversation', '.category'],
  ['conversation', '.categoryIndex'],
  ['conversation', '.meta.score'],
  ['message', '.text'],
  ['message', '.meta.url'],
  ['message', '.meta'],
  ['contact', '.address.city'],
  ['contact', '.worksFor'],
  ['organization', '.tags'],
  ['organization', '.tags.0'],
  ['forms', '.category0.A form.size'],
  ['results', '.names'],
  ['context', '.currentTime'],
  ['context', '.currentHour'],
  ['context', '.dayOfWeek'],
] as const

const expression = fc.constantFrom(
  'order',
  '(?i)order [0-9]+',
  '^sales$',
  'vip|support',
  '[a-z]+ 7',
  '\\bshop\\b',
  '(?i)k',
  '(?i)s',
  '(a|b)*order',
  '.',
  '',
  'or?der',
  'x{2,3}|sale(s)',
  '\\.nl',
  '(?i)(re)?fund|order',
)
const pattern = fc.constantFrom('https://$shop.nl/*', '(http(s)://)shop.nl(/*)', '*', '$word', '\\*')
const numeric = fc.oneof(number, fc.constantFrom('7', '09', '12.5'))
const span = fc.tuple(number, number).map((both) => both.toSorted((one, other) => one - other))

const VALUES: Readonly<Record<OperatorName, fc.Arbitrary<JsonValue>>> = {
  defined: fc.boolean(),
  equal: scalar,
  notEqual: scalar,
  in: fc.array(scalar, { maxLength: 4 }),
  notIn: fc.array(scalar, { maxLength: 4 }),
  match: expression,
  notMatch: expression,
  pattern,
  noPattern: pattern,
  lessThan: numeric,
  lessThanInclusive: numeric,
  greaterThan: numeric,
  greaterThanInclusive: numeric,
  between: span,
  notBetween: span,
  contains: scalar,
  doesNotContain: scalar,
}

const leaf: fc.Arbitrary<Condition> = fc
  .tuple(fc.constantFrom(...PLACES), fc.constantFrom(...(Object.keys(VALUES) as OperatorName[])))
  .chain(([[fact, path], operator]) => VALUES[operator].map((value) => ({ fact, path, operator, value })))

const { group } = fc.letrec<{ group: Conditions; condition: Condition }>((tie) => ({
  group: fc
    .tuple(fc.boolean(), fc.array(tie('condition'), { maxLength: 4 }))
    .map(([isAll, members]) => (isAll ? { all: members } : { any: members })),
  condition: fc.oneof({ depthSize: 'small', withCrossShrink: true }, leaf, tie('group')),
}))

const event: fc.Arbitrary<NotifyEvent> = fc.record({
  type: fc.constant('notify' as const),
  params: fc.record(
    {
      delay: fc.constantFrom(0, 0, 0, 5, 60),
      isLastRule: fc.boolean(),
      channels: fc.subarray(['c1', 'c2', 'c3']),
    },
    SOME,
  ),
})

const randomRule = fc.record({ conditions: group, event, priority: fc.integer({ min: 1, max: 3 }) })

/** Workflows as they are stored, every operator and place of 4.6 among them. */
export const randomWorkflow: fc.Arbitrary<WorkflowDefinition> = fc
  .array(randomRule, { minLength: 1, maxLength: 6 })
  .map((rules) => ({
    id: 'w',
    name: 'Random',
    version: 1,
    rules: rules.map((each, index) => named(each, `r${index}`)),
  }))

/** Its event says whose it is. */
function named(rule: Omit<RuleDefinition, 'id'>, name: string): RuleDefinition {
  return { ...rule, id: name, event: { type: 'notify', params: { ...rule.event.params, name } } }
}

const list = fc.array(scalar, { maxLength: 3 })

/** Facts at the places that {@link randomWorkflow} reads: the right thing, another one, or nothing. */
export const randomFacts: fc.Arbitrary<Facts> = fc.record({
  conversation: fc.record(
    { category: scalar, categoryIndex: scalar, meta: fc.record({ score: fc.oneof(scalar, list) }) },
    SOME,
  ),
  message: fc.record(
    { text: fc.oneof(text, scalar), meta: fc.oneof(fc.record({ url: fc.oneof(text, word) }), scalar) },
    SOME,
  ),
  contact: fc.record({ address: fc.oneof(fc.record({ city: scalar }), scalar), worksFor: scalar }, SOME),
  organization: fc.record({ tags: fc.oneof(list, scalar) }, SOME),
  forms: fc.record({ category0: fc.record({ 'A form': fc.record({ size: fc.oneof(scalar, list) }) }) }, SOME),
  results: fc.record({ names: list }),
  context: fc
    .date({ min: new Date(0), max: new Date('2099-01-01'), noInvalidDate: true })
    .map((now) => contextFacts(now)),
} satisfies Record<keyof Facts, fc.Arbitrary<JsonObject>>)
