import type { Caller } from '../../platform/access/caller.js'
import { RateLimited } from '../../platform/errors.js'
import type { RealtimeLimits } from './limits.js'

/** Open sockets and operations of one caller on this node. */
interface Holding {
  sockets: number
  operations: number
}

/** Limits sockets and operations per caller, in addition to the limits per socket, since a caller can open many. */
export class CallerSockets {
  readonly #held = new Map<string, Holding>()

  constructor(private readonly limits: RealtimeLimits) {}

  /** Counts a new socket. @throws RateLimited */
  enter(caller: Caller, operations: SocketOperations): void {
    const isGuest = caller.kind === 'guest'
    const { socketsPerGuest, socketsPerUser, operationsPerGuest, operationsPerUser } = this.limits
    const max = isGuest ? socketsPerGuest : socketsPerUser
    const held = this.#held.get(caller.key) ?? { sockets: 0, operations: 0 }
    if (held.sockets >= max) throw new RateLimited(`a caller may have ${max} sockets open at once`, 1)
    this.#held.set(caller.key, held)
    held.sockets += 1
    operations.countIn(held, isGuest ? operationsPerGuest : operationsPerUser)
  }

  /** Removes a closed socket, whose operations have ended. */
  leave({ key }: Caller): void {
    const held = this.#held.get(key)
    if (held && --held.sockets === 0) this.#held.delete(key)
  }
}

/** An operation of a socket, until either side ends it. */
export interface SocketOperation {
  readonly id: string
  /** Ends it without a message to the client: the socket was closed, or the id was reused. */
  /** @param isLost the connection was lost: the client is likely to come back */
  drop(isLost?: boolean): void
}

/** The operations of one socket by id, also counted per caller. */
export class SocketOperations extends Map<string, SocketOperation> {
  #held: Holding | null = null
  #max = 0

  /** @param max for all sockets of the caller together */
  countIn(held: Holding, max: number): void {
    this.#held = held
    this.#max = max
  }

  /** The caller's maximum number of operations if it is reached, else null. */
  get exhausted(): number | null {
    return this.#held && this.#held.operations >= this.#max ? this.#max : null
  }

  override set(id: string, operation: SocketOperation): this {
    if (!this.has(id)) this.#count(1)
    return super.set(id, operation)
  }

  override delete(id: string): boolean {
    const isDeleted = super.delete(id)
    if (isDeleted) this.#count(-1)
    return isDeleted
  }

  override clear(): void {
    this.#count(-this.size)
    super.clear()
  }

  #count(by: number): void {
    if (this.#held) this.#held.operations += by
  }
}
