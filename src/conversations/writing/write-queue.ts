import { Unavailable } from '../../errors.js'
import { FairTurns } from './fair-turns.js'
import { BULKHEADS, isSingle, type Bulkhead } from './bulkhead.js'

/** Properties of a write that the queue uses. */
export interface QueuedWrite {
  /** Ids of the conversations that it changes. */
  readonly ids: readonly string[]
  /** Id of the level-1 organization on whose behalf it runs. */
  readonly tenant: string
  readonly caller: string
  /** Estimated memory held while it waits. */
  readonly bytes: number
  /** Cost in sends. */
  readonly cost: number
  bulkhead: Bulkhead
  /** Time of arrival, by `performance.now()`. */
  readonly since: number
  /** How long it may wait, in ms, if that is not {@link WAIT_MS_MAX}. */
  readonly waitMsMax?: number
}

/** A write that has not begun after this time is refused. */
const WAIT_MS_MAX = 10_000

/** Whether the time of a write is over. */
export const isLate = ({ since, waitMsMax = WAIT_MS_MAX }: QueuedWrite, now = performance.now()): boolean =>
  now - since > waitMsMax

export const LIMITS = {
  writes: 20_000,
  bytes: 128 * 1024 * 1024,
  writesOfTenant: 5_000,
  bytesOfTenant: 32 * 1024 * 1024,
  writesOfCaller: 2_000,
  writesOfConversation: 1_000,
}

/** Maximum number of consecutive writes of one conversation in a batch. */
const IN_A_ROW_MAX = 8

type PerBulkhead<Value> = Record<Bulkhead, Value>

export interface Size {
  max: number
  costMax: number
}

interface Entry {
  /** Number of its conversations that have an earlier unfinished write. */
  ahead: number
  /** Whether it is running or about to be. */
  isTaken: boolean
}

/**
 * Queue of waiting and running writes. Writes to one conversation run in order of arrival. Level-1 organizations take
 * turns, and so do the callers of each. Each caller, organization and conversation has a limit of its own, so that none
 * fills the queue for the others.
 */
export class WriteQueue<Write extends QueuedWrite> {
  /** All entries in order of arrival. */
  readonly #entries = new Map<Write, Entry>()
  /** Those of them that have a time of their own. */
  readonly #timed = new Set<Write>()
  /** Writes of each conversation, earliest first. */
  readonly #lines = new Map<string, Write[]>()
  readonly #turns = Object.fromEntries(BULKHEADS.map((bulkhead) => [bulkhead, new FairTurns<Write>()])) as PerBulkhead<
    FairTurns<Write>
  >
  readonly #waiting: PerBulkhead<number> = { shared: 0, tenant: 0, single: 0, blocked: 0 }
  readonly #usage = new Map<string, { writes: number; bytes: number }>()

  constructor(private readonly limits: typeof LIMITS = LIMITS) {}

  /** Number of writes of a bulkhead that could run now. */
  readyIn(bulkhead: Bulkhead): number {
    return this.#turns[bulkhead].size
  }

  /** Number of writes of a bulkhead that have not been taken, whether or not they could run. */
  waitingIn(bulkhead: Bulkhead): number {
    return this.#waiting[bulkhead]
  }

  /** Number of waiting writes of all bulkheads. */
  get waiting(): number {
    return BULKHEADS.reduce((sum, bulkhead) => sum + this.#waiting[bulkhead], 0)
  }

  /** Number of unfinished writes. */
  get size(): number {
    return this.#entries.size
  }

  /** Adds a write. @throws Unavailable if too many are waiting */
  add(write: Write): void {
    this.#checkLimits(write)
    for (const key of holders(write)) {
      const used = this.#usage.get(key) ?? { writes: 0, bytes: 0 }
      used.writes += 1
      used.bytes += write.bytes
      this.#usage.set(key, used)
    }
    for (const id of write.ids) {
      const line = this.#lines.get(id)
      if (line) line.push(write)
      else this.#lines.set(id, [write])
    }
    this.#entries.set(write, { ahead: 0, isTaken: true })
    if (write.waitMsMax !== undefined) this.#timed.add(write)
    this.giveBack(write)
  }

  /** Returns the number of a tenant's unfinished writes. */
  writesOf(tenant: string): number {
    return this.#usage.get(tenant)?.writes ?? 0
  }

  /**
   * Takes writes that run together: at most `max`, with a total cost of at most `costMax` except for the last one. In
   * the bulkhead `tenant` they belong to one tenant; in the bulkheads `single` and `blocked` it is a single write.
   * @param mayServe whether a tenant may have another write, given the cost of its writes in this batch
   * @param mayTake whether a write may be taken now
   */
  take(
    bulkhead: Bulkhead,
    { max, costMax }: Size,
    mayServe: (tenant: string, cost: number) => boolean = () => true,
    mayTake: (write: Write) => boolean = () => true,
  ): Write[] {
    if (this.readyIn(bulkhead) === 0) return []
    const turns = this.#turns[bulkhead]
    const batch: Write[] = []
    let cost = 0
    const costs = new Map<string, number>()
    const hasRoom = (): boolean => batch.length < (isSingle(bulkhead) ? 1 : max) && cost < costMax
    const isServed = (tenant: string): boolean =>
      bulkhead === 'shared' || batch.length === 0
        ? mayServe(tenant, costs.get(tenant) ?? 0)
        : tenant === batch[0]!.tenant
    const take = (write: Write): void => {
      this.#entries.get(write)!.isTaken = true
      this.#waiting[bulkhead] -= 1
      batch.push(write)
      cost += write.cost
      costs.set(write.tenant, (costs.get(write.tenant) ?? 0) + write.cost)
    }
    while (hasRoom()) {
      const next = turns.take(isServed, mayTake)
      if (!next) break
      take(next)
      this.#takeFollowers(next, IN_A_ROW_MAX, { hasRoom, mayTake, take })
    }
    for (const first of [...batch]) this.#takeFollowers(first, Infinity, { hasRoom, mayTake, take })
    return batch
  }

  /** Returns a taken write that was not executed to its place, ahead of later ones on its conversations. */
  giveBack(write: Write): void {
    this.#entries.get(write)!.isTaken = false
    this.#waiting[write.bulkhead] += 1
    this.#offer(write)
  }

  /** Ends a write, whatever its outcome: the next ones on its conversations may run. */
  end(write: Write): void {
    const entry = this.#entries.get(write)
    if (!entry) return
    this.#entries.delete(write)
    if (write.waitMsMax !== undefined) this.#timed.delete(write)
    if (!entry.isTaken) {
      this.#waiting[write.bulkhead] -= 1
      if (entry.ahead === 0) this.#turns[write.bulkhead].remove(write)
    }
    for (const key of holders(write)) {
      const used = this.#usage.get(key)!
      used.writes -= 1
      used.bytes -= write.bytes
      if (used.writes === 0) this.#usage.delete(key)
    }
    for (const id of write.ids) this.#leaveLine(id, write)
  }

  /** Returns waiting writes whose time is over. */
  late(): Write[] {
    const now = performance.now()
    const late = [...this.#timed].filter((write) => isLate(write, now) && !this.#entries.get(write)!.isTaken)
    for (const [write, { isTaken }] of this.#entries) {
      if (now - write.since <= WAIT_MS_MAX) break
      if (!isTaken && write.waitMsMax === undefined) late.push(write)
    }
    return late
  }

  /** Takes writes of the same conversation that directly follow one of the batch. */
  #takeFollowers(
    first: Write,
    max: number,
    { hasRoom, mayTake, take }: { hasRoom(): boolean; mayTake(write: Write): boolean; take(write: Write): void },
  ): void {
    if (first.ids.length > 1) return
    let taken = 0
    for (const write of this.#lines.get(first.ids[0]!)!) {
      if (this.#entries.get(write)!.isTaken) continue
      // A write with further conversations might have to wait for another batch.
      if (write.bulkhead !== first.bulkhead || write.ids.length > 1 || taken >= max || !hasRoom()) return
      if ((write.bulkhead === 'tenant' && write.tenant !== first.tenant) || !mayTake(write)) return
      take(write)
      taken += 1
    }
  }

  #leaveLine(id: string, write: Write): void {
    const line = this.#lines.get(id)!
    const wasFirst = line[0] === write
    line.splice(line.indexOf(write), 1)
    const next = line[0]
    if (!next) this.#lines.delete(id)
    else if (wasFirst && !this.#entries.get(next)!.isTaken) this.#offer(next)
  }

  /** Makes a write available if none is ahead of it. */
  #offer(write: Write): void {
    const entry = this.#entries.get(write)!
    entry.ahead = write.ids.filter((id) => this.#lines.get(id)![0] !== write).length
    if (entry.ahead === 0) this.#turns[write.bulkhead].add(write)
  }

  #checkLimits(write: Write): void {
    const { limits } = this
    const [all, tenant, caller] = holders(write).map((key) => this.#usage.get(key) ?? { writes: 0, bytes: 0 })
    const isFull =
      all!.writes >= limits.writes ||
      all!.bytes + write.bytes > limits.bytes ||
      tenant!.writes >= limits.writesOfTenant ||
      tenant!.bytes + write.bytes > limits.bytesOfTenant ||
      caller!.writes >= limits.writesOfCaller ||
      write.ids.some((id) => (this.#lines.get(id)?.length ?? 0) >= limits.writesOfConversation)
    if (isFull) throw new Unavailable('too many writes are waiting: try again')
  }
}

/** Keys of the counters that include a write. */
const holders = ({ tenant, caller }: QueuedWrite): string[] => ['', tenant, `${tenant} ${caller}`]
