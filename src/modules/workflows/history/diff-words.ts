import type { Condition } from '../conditions.js'
import { isGroup, membersOf } from '../conditions.js'
import type { JsonValue } from '../facts.js'
import type { OperatorName } from '../operators.js'
import type { RuleDefinition } from '../rule-definition.js'
import type { Part, PartDifference, RuleDifference } from './diff-workflows.js'

/** Finds the name of a channel, user or skill. */
export type NameOf = (id: string) => string

const PARTS: Readonly<Record<Part, string>> = {
  name: 'name',
  organizations: 'organizations',
  organizationTags: 'tags of organizations',
  conditions: 'conditions',
  channels: 'channels',
  users: 'users',
  delay: 'delay',
  isLastRule: 'last rule',
  skills: 'skills',
  skillsDropAfter: 'time after which skills no longer count',
  urgency: 'urgency',
  priority: 'priority',
}
const SECONDS: ReadonlySet<Part> = new Set(['delay', 'skillsDropAfter'])
const NAMED: ReadonlySet<Part> = new Set(['channels', 'users', 'skills'])
const CONDITIONS_CHARS_MAX = 500

/** Tells a difference of a rule in a sentence: `Rule "Boats" changed: channels: Sails added; priority: 2, was 1`. */
export function ruleWords({ kind, before, after, parts }: RuleDifference, nameOf: NameOf): string {
  const rule = `Rule ${titleOf((after ?? before)!)}`
  if (kind === 'removed') return `${rule} removed`
  if (kind === 'added') return `${rule} added: ${addedWords(after!, nameOf)}`
  return `${rule} changed: ${parts.map((part) => partWords(part, nameOf)).join('; ')}`
}

/** Tells a difference of one part: `channels: Sails added, Boats removed`, or `priority: 2, was 1`. */
export function partWords({ part, from, to }: PartDifference, nameOf: NameOf): string {
  if (Array.isArray(from) || Array.isArray(to)) {
    const [old, now] = [(from ?? []) as string[], (to ?? []) as string[]]
    const named = (ids: string[]): string[] => ids.map((id) => (NAMED.has(part) ? nameOf(id) : id))
    const added = named(now.filter((id) => !old.includes(id))).map((name) => `${name} added`)
    const removed = named(old.filter((id) => !now.includes(id))).map((name) => `${name} removed`)
    return `${PARTS[part]}: ${[...added, ...removed].join(', ')}`
  }
  return `${PARTS[part]}: ${valueWords(part, to)}, was ${valueWords(part, from)}`
}

function addedWords({ conditions, event: { params } }: RuleDefinition, nameOf: NameOf): string {
  const targets = [...(params.channels ?? []), ...(params.users ?? [])].map(nameOf).join(', ') || 'nobody'
  const delay = params.delay ? ` after ${params.delay} s` : ''
  return `if ${shortConditions(conditions)}, notifies ${targets}${delay}`
}

function valueWords(part: Part, value: JsonValue): string {
  if (part === 'conditions') return value === null ? 'none' : shortConditions(value as unknown as Condition)
  if (value === null) return 'none'
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  if (typeof value === 'number') return SECONDS.has(part) ? `${value} s` : String(value)
  return JSON.stringify(value)
}

function titleOf({ id, event }: RuleDefinition): string {
  return event.params.name ? JSON.stringify(event.params.name) : id
}

function shortConditions(conditions: Condition): string {
  const words = conditionWords(conditions)
  return words.length > CONDITIONS_CHARS_MAX ? `${words.slice(0, CONDITIONS_CHARS_MAX).toWellFormed()}…` : words
}

/** Tells conditions: `message.text matches "boat" and (contact.email is "a@b" or …)`. */
export function conditionWords(condition: Condition): string {
  if (!isGroup(condition)) {
    const { fact, path, operator, value } = condition
    if (operator === 'defined') return `${fact}${path} is ${value === true ? 'there' : 'missing'}`
    return `${fact}${path} ${OPERATORS[operator]} ${JSON.stringify(value)}`
  }
  const members = membersOf(condition)
  const isAll = 'all' in condition
  if (members.length === 0) return isAll ? 'always' : 'never'
  const words = members.map((member) => {
    const text = conditionWords(member)
    return isGroup(member) && membersOf(member).length > 1 && members.length > 1 ? `(${text})` : text
  })
  return words.join(isAll ? ' and ' : ' or ')
}

const OPERATORS: Readonly<Record<Exclude<OperatorName, 'defined'>, string>> = {
  equal: 'is',
  notEqual: 'is not',
  in: 'is one of',
  notIn: 'is none of',
  match: 'matches',
  notMatch: 'does not match',
  pattern: 'fits',
  noPattern: 'does not fit',
  lessThan: 'is less than',
  lessThanInclusive: 'is at most',
  greaterThan: 'is more than',
  greaterThanInclusive: 'is at least',
  between: 'is between',
  notBetween: 'is not between',
  contains: 'contains',
  doesNotContain: 'does not contain',
}
