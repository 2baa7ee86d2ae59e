/** A cached value with its size. */
interface Entry<Value> {
  value: Value
  bytes: number
  owner: string
}

export interface CacheLimits {
  bytes: number
  /** Maximum bytes per owner. */
  bytesPerOwner: number
  entries: number
}

/** An LRU cache with limited memory, also per owner, so that one client's documents cannot evict those of others. */
export class DocumentCache<Value> {
  /** A Map iterates in the order of insertion: the first key is the least recently used. */
  readonly #entries = new Map<string, Entry<Value>>()
  readonly #owners = new Map<string, number>()
  #bytes = 0

  constructor(private readonly limits: CacheLimits) {}

  get size(): number {
    return this.#entries.size
  }

  get bytes(): number {
    return this.#bytes
  }

  has(key: string): boolean {
    return this.#entries.has(key)
  }

  find(key: string): Value | undefined {
    const entry = this.#entries.get(key)
    if (!entry) return undefined
    this.#entries.delete(key)
    this.#entries.set(key, entry)
    return entry.value
  }

  add(key: string, value: Value, bytes: number, owner: string): void {
    const { limits } = this
    if (bytes > limits.bytesPerOwner) return
    this.#entries.set(key, { value, bytes, owner })
    this.#count(owner, bytes)
    if (this.#owners.get(owner)! > limits.bytesPerOwner) {
      this.#evict(
        (entry) => entry.owner === owner,
        () => this.#owners.get(owner)! <= limits.bytesPerOwner,
      )
    }
    this.#evict(
      () => true,
      () => this.#bytes <= limits.bytes && this.size <= limits.entries,
    )
  }

  #evict(isEligible: (entry: Entry<Value>) => boolean, isEnough: () => boolean): void {
    for (const [key, entry] of this.#entries) {
      if (isEnough()) return
      if (!isEligible(entry)) continue
      this.#entries.delete(key)
      this.#count(entry.owner, -entry.bytes)
    }
  }

  #count(owner: string, bytes: number): void {
    this.#bytes += bytes
    const total = (this.#owners.get(owner) ?? 0) + bytes
    if (total > 0) this.#owners.set(owner, total)
    else this.#owners.delete(owner)
  }
}
