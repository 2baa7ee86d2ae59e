interface Tenant<Item> {
  /** Waiting items by caller, in the order of turns. */
  callers: Map<string, Item[]>
  /** Number of turns to skip, because of the cost of earlier items. */
  owed: number
}

export interface TurnKey {
  readonly tenant: string
  readonly caller: string
  /** Cost in turns: after an item of more than 1, its tenant skips turns accordingly. */
  readonly cost: number
  /** Time of arrival: one that is given back has its place before those that arrived later. */
  readonly since: number
}

/**
 * Queue of items that serves tenants round robin, and each tenant's callers round robin: no one waits for all of
 * another's items.
 */
export class FairTurns<Item extends TurnKey> {
  /** Tenants in the order of turns. */
  readonly #tenants = new Map<string, Tenant<Item>>()
  #size = 0

  get size(): number {
    return this.#size
  }

  add(item: Item): void {
    let tenant = this.#tenants.get(item.tenant)
    if (!tenant) this.#tenants.set(item.tenant, (tenant = { callers: new Map(), owed: 0 }))
    const line = tenant.callers.get(item.caller)
    if (line) insert(line, item)
    else tenant.callers.set(item.caller, [item])
    this.#size += 1
  }

  /**
   * Takes the next item of a tenant that may be served now.
   * @param mayTake whether an item may be taken now; the next ones of its caller, or those of another, may pass it
   */
  take(
    mayServe: (tenant: string) => boolean = () => true,
    mayTake: (item: Item) => boolean = () => true,
  ): Item | undefined {
    for (let refused = 0; refused < this.#tenants.size;) {
      const [name, tenant] = this.#tenants.entries().next().value!
      this.#tenants.delete(name)
      if (!mayServe(name)) refused += 1
      else if (tenant.owed >= 1) {
        tenant.owed -= 1
        refused = 0
      } else {
        const item = this.#takeOf(tenant, mayTake)
        if (tenant.callers.size > 0) this.#tenants.set(name, tenant)
        if (item) return item
        refused += 1
        continue
      }
      this.#tenants.set(name, tenant)
    }
    return undefined
  }

  remove(item: Item): void {
    const tenant = this.#tenants.get(item.tenant)
    const line = tenant?.callers.get(item.caller)
    const index = line?.indexOf(item) ?? -1
    if (!tenant || !line || index < 0) return
    line.splice(index, 1)
    this.#size -= 1
    if (line.length === 0) tenant.callers.delete(item.caller)
    if (tenant.callers.size === 0) this.#tenants.delete(item.tenant)
  }

  #takeOf(tenant: Tenant<Item>, mayTake: (item: Item) => boolean): Item | undefined {
    for (const [caller, line] of tenant.callers) {
      const index = line.findIndex((item, at) => at >= PASSED_MAX || mayTake(item))
      if (index < 0 || index >= PASSED_MAX) continue
      const [item] = line.splice(index, 1) as [Item]
      tenant.callers.delete(caller)
      if (line.length > 0) tenant.callers.set(caller, line)
      tenant.owed += item.cost - 1
      this.#size -= 1
      return item
    }
    return undefined
  }
}

function insert<Item extends TurnKey>(line: Item[], item: Item): void {
  let place = line.length
  while (place > 0 && line[place - 1]!.since > item.since) place--
  line.splice(place, 0, item)
}

/**
 * So many items of a caller are passed at most: looking for one that may be taken must not take long. As many as the
 * offers that are given to the writer at once: those for agents who are held do not keep back the others.
 */
const PASSED_MAX = 256
