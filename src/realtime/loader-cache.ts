import type { Context, LoaderDefinition, LoaderMemory } from '../context.js'

/** As old as what other nodes change may be shown, like the role of a caller. */
const KEPT_MS = 2_000

/**
 * What loaders gave a moment ago, for live screens: thousands of events name the same few users, and none has to wait
 * for a statement because of that. Only for definitions that allow it.
 */
export class LoaderCache implements LoaderMemory {
  #kept = new Map<LoaderDefinition<unknown>, Map<string, unknown>>()

  async load<V>(definition: LoaderDefinition<V>, ctx: Context, ids: readonly string[]): Promise<Map<string, V>> {
    const all = this.#kept
    if (all.size === 0) setTimeout(() => this.forget(), KEPT_MS).unref()
    let kept = all.get(definition) as Map<string, V> | undefined
    if (!kept) all.set(definition, (kept = new Map()))
    // What one caller may see of a record another may not.
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

  /** Something that is kept has changed. What is being read meanwhile is not kept either. */
  forget(): void {
    this.#kept = new Map()
  }
}
