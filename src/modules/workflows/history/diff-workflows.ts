import { isDeepStrictEqual } from 'node:util'
import type { JsonValue } from '../facts.js'
import type { RuleDefinition } from '../rule-definition.js'
import type { WorkflowState } from './workflow-change.js'

export type RuleDifferenceKind = 'added' | 'removed' | 'changed'

/** A part that differs, with its value before and after; null where there was or is none. */
export interface PartDifference {
  part: Part
  from: JsonValue
  to: JsonValue
}

export type Part = (typeof WORKFLOW_PARTS)[number] | 'conditions' | 'priority' | (typeof PARAMS)[number]

export interface RuleDifference {
  kind: RuleDifferenceKind
  /** Null for a rule that was added. */
  before: RuleDefinition | null
  /** Null for a rule that was removed. */
  after: RuleDefinition | null
  /** The parts of a rule that was changed. */
  parts: PartDifference[]
}

export interface WorkflowDifference {
  parts: PartDifference[]
  /** Those that were removed, changed and added, in the order of their lists. */
  rules: RuleDifference[]
}

const WORKFLOW_PARTS = ['name', 'organizations', 'organizationTags'] as const
const PARAMS = ['name', 'channels', 'users', 'delay', 'isLastRule', 'skills', 'skillsDropAfter', 'urgency'] as const
/** Values that mean the same as none. */
const DEFAULTS: Readonly<Partial<Record<Part, JsonValue>>> = { delay: 0, isLastRule: false, urgency: 0, priority: 1 }
/** Lists whose order means nothing. */
const SETS: ReadonlySet<Part> = new Set(['organizations', 'organizationTags', 'channels', 'users', 'skills'])

/**
 * Compares two states of a workflow, rule by rule: rules are the same if they have the same id. The order of rules in their list
 * means nothing, as they run by priority and delay, and neither does that of targets.
 */
export function diffWorkflows(before: WorkflowState, after: WorkflowState): WorkflowDifference {
  const old = new Map(before.rules.map((rule) => [rule.id, rule]))
  const kept = new Set(after.rules.map(({ id }) => id))
  const removed = before.rules.filter(({ id }) => !kept.has(id))
  return {
    parts: WORKFLOW_PARTS.flatMap((part) => differenceIn(part, before[part], after[part])),
    rules: [
      ...removed.map((rule): RuleDifference => ({ kind: 'removed', before: rule, after: null, parts: [] })),
      ...after.rules.flatMap((rule) => differencesOf(old.get(rule.id) ?? null, rule)),
    ],
  }
}

function differencesOf(before: RuleDefinition | null, after: RuleDefinition): RuleDifference[] {
  if (!before) return [{ kind: 'added', before, after, parts: [] }]
  const parts = [
    ...differenceIn('conditions', before.conditions, after.conditions),
    ...PARAMS.flatMap((part) => differenceIn(part, before.event.params[part], after.event.params[part])),
    ...differenceIn('priority', before.priority, after.priority),
  ]
  return parts.length > 0 ? [{ kind: 'changed', before, after, parts }] : []
}

function differenceIn(part: Part, before: unknown, after: unknown): PartDifference[] {
  const [from, to] = [valueOf(part, before), valueOf(part, after)]
  return isDeepStrictEqual(from, to) ? [] : [{ part, from, to }]
}

/** Without the difference of a value that is not given and its default, and of lists in another order. */
function valueOf(part: Part, value: unknown): JsonValue {
  const given = (value ?? DEFAULTS[part] ?? null) as JsonValue
  if (!SETS.has(part)) return given
  return Array.isArray(given) && given.length > 0 ? [...new Set(given as string[])].toSorted() : null
}
