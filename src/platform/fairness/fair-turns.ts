import type { Share } from './share.js'

export interface TurnItem {
  readonly share: Share
  /** Cost in turns: after an item of more than 1, the accounts of its path skip turns accordingly. */
  readonly cost: number
  /** Time of arrival: one that is given back has its place before those that arrived later. */
  readonly since: number
}

/** Says what of an account may be taken: all of it, what the accounts below it say, or nothing. */
export type Served = 'all' | 'below' | 'none'

export interface Taking<Item> {
  /** @param account its key, as `accountsOf` returns it; @param isCaller whether items wait in it, not in accounts below it */
  serves?: (account: string, depth: number, isCaller: boolean) => Served
  /** The account that has the turn: the first names of a path. What it takes delays its next turns. */
  within?: readonly string[]
  /** Tells whether an item may be taken now; the next ones of its caller, or those of another, may pass it. */
  mayTake?: (item: Item) => boolean
  /** Tells whether there is room for the item at turn. None passes it: else a large one would never begin. */
  fits?: (item: Item) => boolean
  /** Turns are counted by lane: what an account takes in one delays none of its items in another. */
  lane?: number
}

/** No account waits for more turns of others than this, whatever an item has cost. */
const OWED_MAX = 256
/**
 * So many items of a caller are passed at most: looking for one that may be taken must not take long. As many as the
 * offers that are given to the writer at once: those for agents who are held do not keep back the others.
 */
const PASSED_MAX = 256

/**
 * Queue of items that serves accounts round robin at each level of their paths: contact centers, the customers of each,
 * and the callers of those. No one waits for all of another's items. An account that has taken an item skips as many
 * turns as it costs (deficit round robin). The items of a caller keep their order.
 */
export class FairTurns<Item extends TurnItem> {
  readonly #root: Account<Item>

  /** @param lanes their number */
  constructor(lanes = 1) {
    this.#root = new Account('', lanes)
  }

  get size(): number {
    return this.#root.size
  }

  add(item: Item): void {
    let account = this.#root
    account.size += 1
    for (const name of item.share) {
      account = account.wake(name)
      account.size += 1
    }
    insert(account.line, item)
  }

  /** Takes the next item; none if none may be taken now. */
  take(taking: Taking<Item> = {}): Item | undefined {
    if (this.#root.size === 0) return undefined
    const found = taking.within ? this.#takeWithin(taking.within, taking) : takeBelow(this.#root, taking, 0)
    return found === NO_ROOM ? undefined : found
  }

  #takeWithin(names: readonly string[], taking: Taking<Item>): Item | typeof NO_ROOM | undefined {
    const path = this.#pathOf(names)
    if (path.length <= names.length) return undefined
    const found = takeBelow(path.at(-1)!, taking, null)
    if (found === undefined || found === NO_ROOM) return found
    for (const [depth, name] of names.entries()) {
      path[depth]!.size -= 1
      path[depth + 1]!.owe(found.cost, taking.lane)
      path[depth]!.rest(name)
    }
    return found
  }

  remove(item: Item): void {
    const path = this.#pathOf(item.share)
    const line = path.at(-1)!.line
    const index = path.length > item.share.length ? line.indexOf(item) : -1
    if (index < 0) return
    line.splice(index, 1)
    for (const account of path) account.size -= 1
    for (const [depth, name] of item.share.entries()) path[depth]!.rest(name)
  }

  /** Has the accounts of a path skip more turns, or fewer: what they had besides, or has cost more than was thought. */
  owe(share: Share, cost: number, lane = 0): void {
    let account = this.#root
    for (const name of share) {
      account = account.open(name)
      account.owe(cost, lane)
    }
  }

  /** Puts the accounts of a path behind those that wait: they have just had something without waiting. */
  toEnd(share: Share, lane = 0): void {
    let account = this.#root
    for (const name of share) {
      account = account.open(name)
      account.owed[lane] = Math.max(1, account.owed[lane]!)
    }
  }

  /** Forgets accounts that have nothing waiting. Must be called when they have nothing under way any more. */
  forget(share: Share): void {
    const path = this.#pathOf(share)
    for (let depth = path.length - 1; depth > 0 && path[depth]!.isEmpty; depth--)
      path[depth - 1]!.resting.delete(share[depth - 1]!)
  }

  /** Tells whether it keeps nothing of any account. */
  get isForgotten(): boolean {
    return this.#root.isEmpty
  }

  /** Returns the accounts of a path that exist, the root first. */
  #pathOf(share: readonly string[]): Account<Item>[] {
    const path = [this.#root]
    for (const name of share) {
      const next = path.at(-1)!.find(name)
      if (!next) break
      path.push(next)
    }
    return path
  }
}

/** A level of the tree: an account, with its items or the accounts below it. */
class Account<Item extends TurnItem> {
  /** Number of items that wait in it and below it. */
  size = 0
  /** Number of turns to skip in each lane, because of the cost of earlier items. */
  readonly owed: number[]
  /** Items of a caller, in order of arrival. */
  readonly line: Item[] = []
  /** Accounts below it that have items, in the order of turns of each lane. */
  readonly rounds: readonly Map<string, Account<Item>>[]
  /** Accounts below it that have none. */
  readonly resting = new Map<string, Account<Item>>()

  constructor(
    readonly key: string,
    private readonly lanes: number,
  ) {
    this.owed = Array.from({ length: lanes }, () => 0)
    this.rounds = Array.from({ length: lanes }, () => new Map())
  }

  get isEmpty(): boolean {
    return this.size === 0 && this.resting.size === 0
  }

  owe(cost: number, lane = 0): void {
    this.owed[lane] = Math.min(OWED_MAX, Math.max(0, this.owed[lane]! + cost))
  }

  find(name: string): Account<Item> | undefined {
    return this.rounds[0]!.get(name) ?? this.resting.get(name)
  }

  open(name: string): Account<Item> {
    let account = this.find(name)
    if (!account) {
      account = new Account(this.key === '' ? name : `${this.key} ${name}`, this.lanes)
      this.resting.set(name, account)
    }
    return account
  }

  /** Lets an account below take its turns. */
  wake(name: string): Account<Item> {
    const account = this.open(name)
    if (this.resting.delete(name)) for (const round of this.rounds) round.set(name, account)
    return account
  }

  /** Takes an account below out of the round if it has nothing left. */
  rest(name: string): void {
    const account = this.rounds[0]!.get(name)
    if (!account || account.size > 0) return
    for (const round of this.rounds) round.delete(name)
    this.resting.set(name, account)
  }

  toEnd(name: string, account: Account<Item>, lane: number): void {
    const round = this.rounds[lane]!
    round.delete(name)
    round.set(name, account)
  }
}

const NO_ROOM = Symbol('no room')

/** @param depth of the accounts below this one; null where all of them are served */
function takeBelow<Item extends TurnItem>(
  account: Account<Item>,
  taking: Taking<Item>,
  depth: number | null,
): Item | typeof NO_ROOM | undefined {
  const { serves, lane = 0 } = taking
  const found = account.line.length > 0 ? takeOf(account.line, taking) : undefined
  if (found) {
    if (found !== NO_ROOM) account.size -= 1
    return found
  }
  // Those moved to the end of the round come again, until each that may be served owes nothing.
  for (const [name, next] of account.rounds[lane]!) {
    const served = depth === null ? 'all' : (serves?.(next.key, depth, next.line.length > 0) ?? 'all')
    if (served === 'none') continue
    if (next.owed[lane]! >= 1) {
      next.owed[lane]! -= 1
      account.toEnd(name, next, lane)
      continue
    }
    const item = takeBelow(next, taking, served === 'all' || depth === null ? null : depth + 1)
    if (item === undefined) continue
    if (item === NO_ROOM) return item
    account.size -= 1
    next.owe(item.cost - 1, lane)
    account.toEnd(name, next, lane)
    account.rest(name)
    return item
  }
  return undefined
}

function takeOf<Item extends TurnItem>(
  line: Item[],
  { mayTake = () => true, fits = () => true }: Taking<Item>,
): Item | typeof NO_ROOM | undefined {
  const index = line.findIndex((item, at) => at >= PASSED_MAX || mayTake(item))
  if (index < 0 || index >= PASSED_MAX) return undefined
  if (!fits(line[index]!)) return NO_ROOM
  return line.splice(index, 1)[0]
}

function insert<Item extends TurnItem>(line: Item[], item: Item): void {
  let place = line.length
  while (place > 0 && line[place - 1]!.since > item.since) place--
  line.splice(place, 0, item)
}
