import type { Context, LoaderDefinition, LoaderMemory } from '../../platform/context.js'

/** Maximum age of values that other nodes may have changed, as for the role of a caller. */
const KEPT_MS = 2_000

/**
 * Caches results of loaders for live subscriptions: thousands of events refer to the same few users, and need no
 * statement for them. Only for definitions with `allowStale`.
 */
export class LoaderCache implements LoaderMemory {
  #kept = new Map<LoaderDefinition<unknown>, Map<string, unknown>>()

  async load<V>(definition: LoaderDefinition<V>, ctx: Context, ids: readonly string[]): Promise<Map<string, V>> {
    const all = this.#kept
    if (all.size === 0) setTimeout(() => this.forget(), KEPT_MS).unref()
    let kept = all.get(definition) as Map<string, V> | undefined
    if (!kept) all.set(definition, (kept = new Map()))
    // One caller may see a record that another may not.
    const scope = ctx.tenant.path.join()
    const keyOf = (id: string): string => `${scope}/${id}`
    const missing = ids.filter((id) => !kept.has(keyOf(id)))
    if (missing.length > 0) {
      for (const [id, value] of await definition.load(ctx, missing)) kept.set(keyOf(id), value)
    }
    return new Map(
      ids.flatMap((id) => {
        const value = kept.get(keyOf(id))
        return value === undefined ? [] : [[id, value] as const]
      }),
    )
  }

  /** Clears the cache after a change; reads in progress are not cached either. */
  forget(): void {
    this.#kept = new Map()
  }
}
