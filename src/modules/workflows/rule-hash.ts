import canonicalize from 'canonicalize'
import { createHash } from 'node:crypto'
import type { RuleDefinition } from './rule-definition.js'

/** Returns the name under which a rule is stored once for all versions and changes that have it. */
export function hashOfRule(rule: RuleDefinition): string {
  return hashOf(rule)
}

/** Hashes rules in their order. */
export function hashOfRules(rules: readonly RuleDefinition[]): string {
  return hashOf(rules)
}

/** Hashes without regard to the order of keys: the database has another than who wrote the rule. */
function hashOf(value: object): string {
  return createHash('sha256').update(canonicalize(value)!).digest('base64url')
}
