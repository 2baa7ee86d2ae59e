import type { Caller } from '../../platform/access/caller.js'

interface Entry {
  caller: Caller
  /** The user, or the contact of a guest. */
  subject: string
  staleAtMs: number
}

interface Loading {
  subject: string
  promise: Promise<Caller>
  /** Something changed while it was loaded: the result may be stale. */
  outdated: boolean
}

/** A change made on another node takes effect within this time. */
const FRESH_MS = 2_000
const SIZE_MAX = 10_000

/**
 * Caches callers by token id for at most two seconds, so that a busy client costs no SQL per request. Changes made on
 * this node take effect immediately.
 */
export class AccessCache {
  readonly #entries = new Map<string, Entry>()
  readonly #loading = new Map<string, Loading>()
  readonly #tokensOf = new Map<string, Set<string>>()

  constructor(private readonly options: { freshMs?: number; sizeMax?: number; nowMs?: () => number } = {}) {}

  /** Returns the cached caller or loads it; concurrent requests share one load. Failures are not cached. */
  get(token: string, subject: string, load: () => Promise<Caller>): Promise<Caller> | Caller {
    const entry = this.#entries.get(token)
    if (entry && entry.staleAtMs > this.#nowMs()) return entry.caller
    const underWay = this.#loading.get(token)
    if (underWay && !underWay.outdated) return underWay.promise
    return this.#load(token, subject, load)
  }

  /** Drops a user's or contact's callers, including those being loaded. */
  forget(subject: string): void {
    for (const token of this.#tokensOf.get(subject) ?? []) this.#entries.delete(token)
    this.#tokensOf.delete(subject)
    for (const loading of this.#loading.values()) if (loading.subject === subject) loading.outdated = true
  }

  get size(): number {
    return this.#entries.size
  }

  async #load(token: string, subject: string, load: () => Promise<Caller>): Promise<Caller> {
    const loading: Loading = { subject, promise: load(), outdated: false }
    this.#loading.set(token, loading)
    try {
      const caller = await loading.promise
      if (!loading.outdated) this.#keep(token, subject, caller)
      return caller
    } finally {
      if (this.#loading.get(token) === loading) this.#loading.delete(token)
    }
  }

  #keep(token: string, subject: string, caller: Caller): void {
    // A map keeps the order of insertion: the oldest entry comes first.
    this.#drop(token)
    this.#entries.set(token, { caller, subject, staleAtMs: this.#nowMs() + (this.options.freshMs ?? FRESH_MS) })
    let tokens = this.#tokensOf.get(subject)
    if (!tokens) this.#tokensOf.set(subject, (tokens = new Set()))
    tokens.add(token)
    if (this.#entries.size > (this.options.sizeMax ?? SIZE_MAX)) this.#drop(this.#entries.keys().next().value!)
  }

  #drop(token: string): void {
    const entry = this.#entries.get(token)
    if (!entry) return
    this.#entries.delete(token)
    const tokens = this.#tokensOf.get(entry.subject)
    tokens?.delete(token)
    if (tokens?.size === 0) this.#tokensOf.delete(entry.subject)
  }

  /** A monotonic time: a wall clock that is set back would keep revoked callers. */
  #nowMs(): number {
    return (this.options.nowMs ?? performance.now.bind(performance))()
  }
}
