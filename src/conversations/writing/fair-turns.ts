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
    if (line) line.push(item)
    else tenant.callers.set(item.caller, [item])
    this.#size += 1
  }

  /** Takes the next item of a tenant that may be served now. */
  take(mayServe: (tenant: string) => boolean = () => true): Item | undefined {
    for (let refused = 0; refused < this.#tenants.size;) {
      const [name, tenant] = this.#tenants.entries().next().value!
      this.#tenants.delete(name)
      if (!mayServe(name)) refused += 1
      else if (tenant.owed >= 1) {
        tenant.owed -= 1
        refused = 0
      } else {
        const item = this.#takeOf(tenant)
        if (tenant.callers.size > 0) this.#tenants.set(name, tenant)
        return item
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

  #takeOf(tenant: Tenant<Item>): Item {
    const [caller, line] = tenant.callers.entries().next().value!
    const item = line.shift()!
    tenant.callers.delete(caller)
    if (line.length > 0) tenant.callers.set(caller, line)
    tenant.owed += item.cost - 1
    this.#size -= 1
    return item
  }
}
