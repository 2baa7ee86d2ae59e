import { Unavailable } from '../../../platform/errors.js'
import { FairTurns, type Taking } from '../../../platform/fairness/fair-turns.js'
import { accountsOf, CUSTOMER_DEPTH, TENANT_DEPTH, type Share } from '../../../platform/fairness/share.js'
import { BULKHEADS, isSingle, type Bulkhead } from './bulkhead.js'

/** Properties of a write that the queue uses. */
export interface QueuedWrite {
  /** Ids of the conversations that it changes. */
  readonly ids: readonly string[]
  /** On whose behalf it runs. */
  readonly share: Share
  /** Estimated memory held while it waits. */
  readonly bytes: number
  /** Estimated cost in sends. */
  readonly cost: number
  bulkhead: Bulkhead
  /** Time of arrival, by `performance.now()`. */
  readonly since: number
  /** Time for which it may wait, in ms, if that is not {@link WAIT_MS_MAX}. */
  readonly waitMsMax?: number
}

/** A write that has not begun after this time is refused. */
const WAIT_MS_MAX = 10_000

/** Tells whether the time of a write is over. */
export const isLate = ({ since, waitMsMax = WAIT_MS_MAX }: QueuedWrite, now = performance.now()): boolean =>
  now - since > waitMsMax

export const LIMITS = {
  writes: 20_000,
  bytes: 128 * 1024 * 1024,
  writesOfTenant: 5_000,
  bytesOfTenant: 32 * 1024 * 1024,
  /** Leaves room for the contact center's other customers. */
  writesOfCustomer: 4_000,
  bytesOfCustomer: 24 * 1024 * 1024,
  writesOfCaller: 2_000,
  writesOfConversation: 1_000,
}

/** Maximum number of consecutive writes of one conversation in a batch. */
const IN_A_ROW_MAX = 8

/** Lanes of turns: everybody's, and that of busy accounts. */
const LANES = 2

/** An account with more unfinished writes than this, in sends, is heavy: others may have to wait for it. */
export const HEAVY_COST = 16

type PerBulkhead<Value> = Record<Bulkhead, Value>

export interface Size {
  max: number
  /** In sends. A write that costs more has a batch of its own. */
  costMax: number
}

export interface Choice<Write> extends Pick<Taking<Write>, 'serves' | 'mayTake' | 'lane'> {
  /** Returns the account to which a batch belongs, once it has its first write; absent: to all of them. */
  accountOf?: (first: Write) => readonly string[]
}

interface Entry {
  readonly accounts: readonly string[]
  /** Number of its conversations that have an earlier unfinished write. */
  ahead: number
  /** True if it is running or about to be. */
  isTaken: boolean
  /** The lane in which it was taken. */
  lane: number
}

interface Usage {
  writes: number
  bytes: number
  /** Estimated, in sends. */
  cost: number
}

const NOTHING: Readonly<Usage> = { writes: 0, bytes: 0, cost: 0 }

/**
 * Queue of waiting and running writes. Writes to one conversation run in order of arrival. Contact centers, their customers and
 * the callers of those take turns. Each caller, customer, contact center and conversation has a limit of its own, so that
 * none fills the queue for the others.
 */
export class WriteQueue<Write extends QueuedWrite> {
  /** All entries in order of arrival. */
  readonly #entries = new Map<Write, Entry>()
  /** Those of them that have a time of their own. */
  readonly #timed = new Set<Write>()
  /** Writes of each conversation, earliest first. */
  readonly #lines = new Map<string, Write[]>()
  readonly #turns = Object.fromEntries(
    BULKHEADS.map((bulkhead) => [bulkhead, new FairTurns<Write>(LANES)]),
  ) as PerBulkhead<FairTurns<Write>>
  readonly #waiting: PerBulkhead<number> = { shared: 0, tenant: 0, single: 0, blocked: 0 }
  readonly #all: Usage = { ...NOTHING }
  readonly #usage = new Map<string, Usage>()
  /** The path to each heavy account, by its key. */
  readonly #heavy = new Map<string, readonly string[]>()

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

  /** Returns the accounts with more than {@link HEAVY_COST} of unfinished writes: the paths to each. */
  get heavy(): Iterable<readonly string[]> {
    return this.#heavy.values()
  }

  /** Returns the estimated cost of an account's unfinished writes, in sends. */
  costOf(account: string): number {
    return this.#usage.get(account)?.cost ?? 0
  }

  /** Adds a write. @throws Unavailable if too many are waiting */
  add(write: Write): void {
    const accounts = accountsOf(write.share)
    this.#checkLimits(write, accounts)
    this.#count(write, accounts, 1)
    for (const id of write.ids) {
      const line = this.#lines.get(id)
      if (line) line.push(write)
      else this.#lines.set(id, [write])
    }
    this.#entries.set(write, { accounts, ahead: 0, isTaken: true, lane: 0 })
    if (write.waitMsMax !== undefined) this.#timed.add(write)
    this.giveBack(write)
  }

  /**
   * Takes writes that run together: at most `max`, with a total cost of at most `costMax` unless it is a single one. In the
   * bulkheads `single` and `blocked` it always is.
   */
  take(bulkhead: Bulkhead, { max, costMax }: Size, choice: Choice<Write> = {}): Write[] {
    if (this.readyIn(bulkhead) === 0) return []
    const turns = this.#turns[bulkhead]
    const batch: Write[] = []
    let cost = 0
    const { mayTake = () => true, lane = 0 } = choice
    const fits = (write: Write): boolean => batch.length === 0 || cost + write.cost <= costMax
    const hasRoom = (): boolean => batch.length < (isSingle(bulkhead) ? 1 : max) && cost < costMax
    const take = (write: Write): void => {
      const entry = this.#entries.get(write)!
      entry.isTaken = true
      entry.lane = lane
      this.#waiting[bulkhead] -= 1
      batch.push(write)
      cost += write.cost
    }
    const follow = (write: Write): void => {
      turns.owe(write.share, write.cost, lane)
      take(write)
    }
    const options: Taking<Write> = { ...choice, fits }
    while (hasRoom()) {
      const next = turns.take(options)
      if (!next) break
      if (batch.length === 0 && choice.accountOf) options.within = choice.accountOf(next)
      take(next)
      this.#takeFollowers(next, IN_A_ROW_MAX, { hasRoom, fits, mayTake, take: follow })
    }
    for (const first of [...batch]) this.#takeFollowers(first, Infinity, { hasRoom, fits, mayTake, take: follow })
    return batch
  }

  /** Returns a taken write that was not executed to its place, ahead of later ones on its conversations. */
  giveBack(write: Write): void {
    this.#entries.get(write)!.isTaken = false
    this.#waiting[write.bulkhead] += 1
    this.#offer(write)
  }

  /** Has the accounts of an executed write skip turns for what it has cost, in sends, beyond what was estimated. */
  settle(write: Write, cost: number): void {
    const entry = this.#entries.get(write)
    if (entry) this.#turns[write.bulkhead].owe(write.share, cost - write.cost, entry.lane)
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
    this.#count(write, entry.accounts, -1)
    if (!this.#usage.has(entry.accounts.at(-1)!))
      for (const bulkhead of BULKHEADS) this.#turns[bulkhead].forget(write.share)
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
    {
      hasRoom,
      fits,
      mayTake,
      take,
    }: { hasRoom(): boolean; fits(write: Write): boolean; mayTake(write: Write): boolean; take(write: Write): void },
  ): void {
    if (first.ids.length > 1) return
    let taken = 0
    for (const write of this.#lines.get(first.ids[0]!)!) {
      if (this.#entries.get(write)!.isTaken) continue
      // A write with further conversations might have to wait for another batch.
      if (write.bulkhead !== first.bulkhead || write.ids.length > 1 || taken >= max || !hasRoom()) return
      const isOthers = write.bulkhead === 'tenant' && write.share[TENANT_DEPTH] !== first.share[TENANT_DEPTH]
      if (isOthers || !fits(write) || !mayTake(write)) return
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

  /** Counts a write that begins or ends with its accounts. */
  #count({ bytes, cost }: Write, accounts: readonly string[], by: 1 | -1): void {
    for (const used of [this.#all, ...accounts.map((account) => this.#usageOf(account))]) {
      used.writes += by
      used.bytes += by * bytes
      used.cost += by * cost
    }
    for (const [depth, account] of accounts.entries()) {
      const used = this.#usage.get(account)!
      if (used.cost <= HEAVY_COST) this.#heavy.delete(account)
      else if (!this.#heavy.has(account)) this.#heavy.set(account, accounts.slice(0, depth + 1))
      if (used.writes === 0) this.#usage.delete(account)
    }
  }

  #usageOf(account: string): Usage {
    let used = this.#usage.get(account)
    if (!used) this.#usage.set(account, (used = { ...NOTHING }))
    return used
  }

  #checkLimits(write: Write, accounts: readonly string[]): void {
    const { limits } = this
    const of = (account: string): Readonly<Usage> => this.#usage.get(account) ?? NOTHING
    const [tenant, customer] = [of(accounts[TENANT_DEPTH]!), of(accounts[CUSTOMER_DEPTH]!)]
    const isFull =
      this.#all.writes >= limits.writes ||
      this.#all.bytes + write.bytes > limits.bytes ||
      tenant.writes >= limits.writesOfTenant ||
      tenant.bytes + write.bytes > limits.bytesOfTenant ||
      customer.writes >= limits.writesOfCustomer ||
      customer.bytes + write.bytes > limits.bytesOfCustomer ||
      of(accounts.at(-1)!).writes >= limits.writesOfCaller ||
      write.ids.some((id) => (this.#lines.get(id)?.length ?? 0) >= limits.writesOfConversation)
    if (isFull) throw new Unavailable('too many writes are waiting: try again')
  }
}
