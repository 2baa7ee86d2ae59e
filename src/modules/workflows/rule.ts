import { BadUserInput } from '../../platform/errors.js'
import { countConditions, parseConditions } from './conditions.js'
import { evaluationTurns } from './evaluation-turns.js'
import type { NotifyEvent, NotifyParams, RuleDefinition } from './rule-definition.js'
import { engineRule } from './rule-engine.js'
import { fieldOf, readArray, readInteger, readObject, readText, refuse } from './rule-input.js'

export const RULE_DELAY_SECONDS_MAX = 30 * 24 * 3600
const PRIORITY_MAX = 2 ** 31 - 1
/** Urgencies are compared; there is nothing to count. */
const URGENCY_MAX = 1_000
export const RULES_MAX = 200
const WORKFLOW_CONDITIONS_MAX = 2000
/** For all rules of a workflow: some 0.3 s of compiling. */
const WORKFLOW_EXPRESSION_SIZE_MAX = 20_000
const TARGETS_MAX = 100
const ID_LENGTH_MAX = 100
const NAME_LENGTH_MAX = 200
const RULE_BYTES_MAX = 100_000

/**
 * Validates a client's rule (2.7, 4.6), from its shape to its regular expressions. Allows `id` and `_id`, since clients
 * send back what they fetched, and leaves them to the caller. An absent or null priority becomes 1; other defaults are
 * not filled in, so that the event reads back as it was saved.
 * @param fieldPrefix name of the input in messages: `rules[0]`, or empty if it is the whole body
 * @throws BadUserInput naming the field, such as `rules[0].conditions.all[1].operator`, and the value
 */
export function parseRule(input: unknown, fieldPrefix = ''): Omit<RuleDefinition, 'id'> {
  return parseMeasuredRule(input, fieldPrefix).rule
}

function parseMeasuredRule(input: unknown, fieldPrefix: string) {
  const rule = readObject(input, fieldPrefix, ['id', '_id', ...RULE_FIELDS])
  const { conditions, expressionSize } = parseConditions(rule.conditions, fieldOf(fieldPrefix, 'conditions'))
  const parsed: Omit<RuleDefinition, 'id'> = {
    conditions,
    event: parseEvent(rule.event, fieldOf(fieldPrefix, 'event')),
    priority: readInteger(rule.priority ?? 1, fieldOf(fieldPrefix, 'priority'), 1, PRIORITY_MAX),
  }
  engineRule(parsed, fieldPrefix)
  const bytes = Buffer.byteLength(JSON.stringify(parsed))
  if (bytes > RULE_BYTES_MAX) {
    const what = fieldPrefix || 'the rule'
    throw new BadUserInput(fieldPrefix, `${what} has ${bytes} bytes; the maximum is ${RULE_BYTES_MAX}`)
  }
  return { rule: parsed, expressionSize }
}

/**
 * Applies a PATCH to a rule: its top-level fields replace those of `stored` completely (section 1), so that
 * `event.params` without `delay` removes the delay. A null priority resets it to 1. @throws BadUserInput
 */
export function parseRulePatch(
  stored: Omit<RuleDefinition, 'id'>,
  patch: unknown,
  fieldPrefix = '',
): Omit<RuleDefinition, 'id'> {
  const changes = readObject(patch, fieldPrefix, ['id', '_id', ...RULE_FIELDS])
  const merged: Record<string, unknown> = {}
  for (const field of RULE_FIELDS) merged[field] = changes[field] === undefined ? stored[field] : changes[field]
  return parseRule(merged, fieldPrefix)
}

/**
 * Validates a workflow's complete list of rules, in turns with other evaluations: compiling regular expressions takes
 * long. @throws BadUserInput also when the list is too long
 */
export async function parseRules(input: unknown, field = 'rules'): Promise<Omit<RuleDefinition, 'id'>[]> {
  let total = 0
  const rules: Omit<RuleDefinition, 'id'>[] = []
  for (const [index, item] of readArray(input, field, RULES_MAX).entries()) {
    if (evaluationTurns.isOver) await evaluationTurns.enter()
    const { rule, expressionSize } = parseMeasuredRule(item, fieldOf(field, index))
    total += expressionSize
    if (total > WORKFLOW_EXPRESSION_SIZE_MAX) {
      throw new BadUserInput(
        field,
        `${field} contain regular expressions that compile to more than ` +
          `${WORKFLOW_EXPRESSION_SIZE_MAX} instructions: shorten repetitions such as {1,500}`,
      )
    }
    rules.push(rule)
  }
  checkWorkflowSize(rules, field)
  return rules
}

/**
 * Validates the size of a workflow when a rule is added or changed: `rules` as after the change. @throws BadUserInput
 */
export function checkWorkflowSize(rules: readonly Omit<RuleDefinition, 'id'>[], field = 'rules'): void {
  readArray(rules, field, RULES_MAX)
  const conditions = rules.reduce((sum, rule) => sum + countConditions(rule.conditions), 0)
  if (conditions > WORKFLOW_CONDITIONS_MAX) {
    throw new BadUserInput(
      field,
      `${field} contain ${conditions} conditions; the maximum is ${WORKFLOW_CONDITIONS_MAX}`,
    )
  }
}

const RULE_FIELDS = ['conditions', 'event', 'priority'] as const

function parseEvent(input: unknown, field: string): NotifyEvent {
  const event = readObject(input, field, ['type', 'params'])
  if (event.type !== 'notify') refuse(fieldOf(field, 'type'), '"notify"', event.type)
  return { type: 'notify', params: parseParams(event.params, fieldOf(field, 'params')) }
}

function parseParams(input: unknown, field: string): NotifyParams {
  const { name, channels, users, delay, isLastRule, ...needs } = readObject(input, field, [
    'name',
    'channels',
    'users',
    'delay',
    'isLastRule',
    'skills',
    'skillsDropAfter',
    'urgency',
  ])
  const params: NotifyParams = {}
  if (name != null) params.name = readText(name, fieldOf(field, 'name'), NAME_LENGTH_MAX)
  if (channels != null) params.channels = readIds(channels, fieldOf(field, 'channels'))
  if (users != null) params.users = readIds(users, fieldOf(field, 'users'))
  if (delay != null) {
    params.delay = readInteger(delay, fieldOf(field, 'delay'), 0, RULE_DELAY_SECONDS_MAX, ' of seconds')
  }
  if (isLastRule != null) {
    if (typeof isLastRule !== 'boolean') refuse(fieldOf(field, 'isLastRule'), 'true or false', isLastRule)
    params.isLastRule = isLastRule
  }
  const { skills, skillsDropAfter, urgency } = needs
  if (skills != null) params.skills = readIds(skills, fieldOf(field, 'skills'))
  if (skillsDropAfter != null) {
    const at = fieldOf(field, 'skillsDropAfter')
    params.skillsDropAfter = readInteger(skillsDropAfter, at, 0, RULE_DELAY_SECONDS_MAX, ' of seconds')
  }
  if (urgency != null) params.urgency = readInteger(urgency, fieldOf(field, 'urgency'), -URGENCY_MAX, URGENCY_MAX)
  return params
}

function readIds(input: unknown, field: string): string[] {
  return readArray(input, field, TARGETS_MAX).map((item, index) => {
    const id = readText(item, fieldOf(field, index), ID_LENGTH_MAX)
    return id === '' ? refuse(fieldOf(field, index), 'an id', id) : id
  })
}
