import { Unavailable } from '../../errors.js'
import { FairTurns } from './fair-turns.js'
import { LANES, type Lane } from './lane.js'

/** What the queue knows of a write. */
export interface QueuedWrite {
  /** The conversations that it is about. */
  readonly ids: readonly string[]
  /** The level-1 organization that it is done for. */
  readonly tenant: string
  readonly caller: string
  /** About what it holds of memory while it waits. */
  readonly bytes: number
  /** In sends. */
  readonly cost: number
  lane: Lane
  /** By `performance.now()`. */
  readonly since: number
}

export const LIMITS = {
  writes: 20_000,
  bytes: 128 * 1024 * 1024,
  writesOfTenant: 5_000,
  bytesOfTenant: 32 * 1024 * 1024,
  writesOfCaller: 2_000,
  writesOfConversation: 1_000,
}

/** How many of one conversation's writes a batch takes before it takes others'. */
const IN_A_ROW_MAX = 8

type Lanes<Value> = Record<Lane, Value>

export interface Size {
  max: number
  costMax: number
}

interface Entry {
  /** How many of its conversations have an earlier write that has not ended. */
  ahead: number
  /** It is being done, or about to be. */
  isTaken: boolean
}

/**
 * Writes that wait, and those that are being done. Writes to one conversation are done in the order they came. The
 * level-1 organizations take turns, and within one its callers do. Nobody fills it for others: each caller,
 * organization and conversation has a bound of its own.
 */
export class WriteQueue<Write extends QueuedWrite> {
  /** In the order they came. */
  readonly #entries = new Map<Write, Entry>()
  /** The writes of each conversation, the earliest first. */
  readonly #lines = new Map<string, Write[]>()
  readonly #turns = Object.fromEntries(LANES.map((lane) => [lane, new FairTurns<Write>()])) as Lanes<FairTurns<Write>>
  readonly #waiting: Lanes<number> = { shared: 0, apart: 0, alone: 0, held: 0 }
  readonly #held = new Map<string, { writes: number; bytes: number }>()

  constructor(private readonly limits: typeof LIMITS = LIMITS) {}

  /** Writes of a lane that nothing is ahead of. */
  readyIn(lane: Lane): number {
    return this.#turns[lane].size
  }

  /** Those that have not been taken, whatever is ahead of them. */
  waitingIn(lane: Lane): number {
    return this.#waiting[lane]
  }

  /** Those of all lanes. */
  get waiting(): number {
    return LANES.reduce((sum, lane) => sum + this.#waiting[lane], 0)
  }

  /** All that have not ended. */
  get size(): number {
    return this.#entries.size
  }

  /** @throws Unavailable when too many wait */
  add(write: Write): void {
    this.#checkLimits(write)
    for (const key of holders(write)) {
      const held = this.#held.get(key) ?? { writes: 0, bytes: 0 }
      held.writes += 1
      held.bytes += write.bytes
      this.#held.set(key, held)
    }
    for (const id of write.ids) {
      const line = this.#lines.get(id)
      if (line) line.push(write)
      else this.#lines.set(id, [write])
    }
    this.#entries.set(write, { ahead: 0, isTaken: true })
    this.giveBack(write)
  }

  /** All of a tenant that have not ended. */
  writesOf(tenant: string): number {
    return this.#held.get(tenant)?.writes ?? 0
  }

  /**
   * Takes what goes together: at most `max` writes, whose costs make at most `costMax` but for the last. Those that go
   * apart are of one tenant; of those that go alone it is one.
   * @param mayServe whether a tenant may have one more, with what those of it in this batch cost
   */
  take(lane: Lane, { max, costMax }: Size, mayServe: (tenant: string, cost: number) => boolean = () => true): Write[] {
    if (this.readyIn(lane) === 0) return []
    const turns = this.#turns[lane]
    const isAlone = lane === 'alone' || lane === 'held'
    const batch: Write[] = []
    let cost = 0
    const costs = new Map<string, number>()
    const hasRoom = (): boolean => batch.length < (isAlone ? 1 : max) && cost < costMax
    const isServed = (tenant: string): boolean =>
      lane === 'shared' || batch.length === 0 ? mayServe(tenant, costs.get(tenant) ?? 0) : tenant === batch[0]!.tenant
    const take = (write: Write): void => {
      this.#entries.get(write)!.isTaken = true
      this.#waiting[lane] -= 1
      batch.push(write)
      cost += write.cost
      costs.set(write.tenant, (costs.get(write.tenant) ?? 0) + write.cost)
    }
    while (hasRoom()) {
      const next = turns.take(isServed)
      if (!next) break
      take(next)
      this.#takeFollowers(next, IN_A_ROW_MAX, hasRoom, take)
    }
    for (const first of [...batch]) this.#takeFollowers(first, Infinity, hasRoom, take)
    return batch
  }

  /** A write that was taken has not been done: it waits again, in its place before later ones on its conversations. */
  giveBack(write: Write): void {
    this.#entries.get(write)!.isTaken = false
    this.#waiting[write.lane] += 1
    this.#offer(write)
  }

  /** A write has ended, well or not: the next ones on its conversations may be done. */
  end(write: Write): void {
    const entry = this.#entries.get(write)
    if (!entry) return
    this.#entries.delete(write)
    if (!entry.isTaken) {
      this.#waiting[write.lane] -= 1
      if (entry.ahead === 0) this.#turns[write.lane].remove(write)
    }
    for (const key of holders(write)) {
      const held = this.#held.get(key)!
      held.writes -= 1
      held.bytes -= write.bytes
      if (held.writes === 0) this.#held.delete(key)
    }
    for (const id of write.ids) this.#leaveLine(id, write)
  }

  /** Those that have waited since before this, and are not being done. */
  waitingSince(before: number): Write[] {
    const late: Write[] = []
    for (const [write, { isTaken }] of this.#entries) {
      if (write.since >= before) break
      if (!isTaken) late.push(write)
    }
    return late
  }

  /** Writes of the same conversation that come right after one of the batch. */
  #takeFollowers(first: Write, max: number, hasRoom: () => boolean, take: (write: Write) => void): void {
    if (first.ids.length > 1) return
    let taken = 0
    for (const write of this.#lines.get(first.ids[0]!)!) {
      if (this.#entries.get(write)!.isTaken) continue
      // With a conversation more, it may wait for what another batch does.
      if (write.lane !== first.lane || write.ids.length > 1 || taken >= max || !hasRoom()) return
      if (write.lane === 'apart' && write.tenant !== first.tenant) return
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

  /** Lets it be taken, if nothing is ahead of it. */
  #offer(write: Write): void {
    const entry = this.#entries.get(write)!
    entry.ahead = write.ids.filter((id) => this.#lines.get(id)![0] !== write).length
    if (entry.ahead === 0) this.#turns[write.lane].add(write)
  }

  #checkLimits(write: Write): void {
    const { limits } = this
    const [all, tenant, caller] = holders(write).map((key) => this.#held.get(key) ?? { writes: 0, bytes: 0 })
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

/** The counts that a write is part of. */
const holders = ({ tenant, caller }: QueuedWrite): string[] => ['', tenant, `${tenant} ${caller}`]
