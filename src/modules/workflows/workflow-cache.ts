import type { RuleDefinition } from './rule-definition.js'

interface Entry {
  version: string
  rules: RuleDefinition[]
  bytes: number
}

export interface KnownRules {
  id: string
  version: string
  rules: RuleDefinition[]
}

/**
 * Caches the parsed rules of workflows by id and version (LRU), so that a queueing only reads changes. One instance
 * serves a whole process. The rules are shared and must not be modified.
 */
export class WorkflowCache {
  readonly #entries = new Map<string, Entry>()
  readonly #ofOrganization = new Map<string, readonly string[]>()
  readonly #maxBytes: number
  readonly #maxOrganizations: number
  #bytes = 0

  /** @param options.maxBytes maximum size of the rules as JSON */
  constructor(options: { maxBytes?: number; maxOrganizations?: number } = {}) {
    this.#maxBytes = options.maxBytes ?? 32 * 1024 * 1024
    this.#maxOrganizations = options.maxOrganizations ?? 10_000
  }

  /** Returns the cached rules of the workflows that last ran for an organization; they stay valid after an eviction. */
  knownOf(organization: string): KnownRules[] {
    const known: KnownRules[] = []
    for (const id of this.#ofOrganization.get(organization) ?? []) {
      const entry = this.#entries.get(id)
      if (!entry) continue
      moveToEnd(this.#entries, id, entry)
      known.push({ id, version: entry.version, rules: entry.rules })
    }
    return known
  }

  keep(id: string, entry: Entry): void {
    this.#bytes += entry.bytes - (this.#entries.get(id)?.bytes ?? 0)
    moveToEnd(this.#entries, id, entry)
    for (const [oldest, { bytes }] of this.#entries) {
      if (this.#bytes <= this.#maxBytes) return
      this.#entries.delete(oldest)
      this.#bytes -= bytes
    }
  }

  keepOrganization(organization: string, workflows: readonly string[]): void {
    moveToEnd(this.#ofOrganization, organization, workflows)
    const [oldest] = this.#ofOrganization.keys()
    if (oldest !== undefined && this.#ofOrganization.size > this.#maxOrganizations) this.#ofOrganization.delete(oldest)
  }

  /** Number of cached workflows. */
  get size(): number {
    return this.#entries.size
  }
}

/** A Map keeps the order of insertion, so the first key is the least recently used. */
function moveToEnd<V>(map: Map<string, V>, key: string, value: V): void {
  map.delete(key)
  map.set(key, value)
}
