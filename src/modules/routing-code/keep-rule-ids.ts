import type { JsonObject, JsonValue } from '../../platform/json.js'
import { ordered } from './render-records.js'
import { isObject, ruleName } from './sections.js'

/**
 * Gives the rules of a document the ids that they have: rules of the same name, then the same rules, then those without another at the
 * same place. Their history and their traces go on so. A rule that is new gets an id when it is saved.
 */
export function keepRuleIds(wanted: unknown, stored: JsonValue): unknown {
  if (!Array.isArray(wanted) || !Array.isArray(stored)) return wanted
  const rules = stored.filter(isObject)
  const free = new Set(rules)
  const kept = wanted.map((rule: unknown) => (isObject(rule) ? { ...rule } : rule))
  const open = new Set(kept.filter(isObject))
  const give = (rule: JsonObject, from: JsonObject | undefined): void => {
    if (!from) return
    rule.id = from.id!
    free.delete(from)
    open.delete(rule)
  }
  const byId = new Map(rules.map((rule) => [rule.id, rule]))
  for (const rule of open) {
    if (rule.id === undefined || rule.id === null) continue
    give(rule, byId.get(rule.id))
    open.delete(rule)
  }
  const [named, freeNamed] = [Map.groupBy(kept, ruleName), Map.groupBy(free, ruleName)]
  for (const rule of open) {
    const name = ruleName(rule)
    const same = freeNamed.get(name)
    if (name !== null && named.get(name)!.length === 1 && same?.length === 1) give(rule, same[0])
  }
  const alike = Map.groupBy(free, contentOf)
  for (const rule of open) give(rule, alike.get(contentOf(rule))?.shift())
  for (const [index, rule] of kept.entries()) {
    const at = rules[index]
    if (isObject(rule) && open.has(rule) && at && free.has(at) && ruleName(at) === ruleName(rule)) give(rule, at)
  }
  return kept
}

/** Returns the same text for two rules that differ at most in their ids. */
const contentOf = (rule: JsonObject): string =>
  JSON.stringify(ordered({ ...rule, id: null, priority: rule.priority ?? 1 }))
