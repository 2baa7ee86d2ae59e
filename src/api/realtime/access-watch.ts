import type { Logger } from 'pino'
import type { Authenticator } from '../../platform/access/authenticator.js'
import type { Caller } from '../../platform/access/caller.js'
import type { Clock } from '../../platform/db/clock.js'
import { DomainError, TokenExpired, Unavailable } from '../../platform/errors.js'
import { CloseCode } from './limits.js'
import type { LiveSocket } from './live-socket.js'
import { Subscription } from './subscription.js'

export interface AccessWatchOptions {
  sockets: ReadonlySet<LiveSocket>
  authenticator: Authenticator
  clock: Clock
  log: Logger
}

const CHECKS_AT_ONCE = 8

/**
 * Ends access that callers have lost: closes sockets of ended callers, and ends subscriptions that are no longer
 * allowed.
 */
export class AccessWatch {
  /** Sockets still to be checked while the database is slow to answer. */
  #due = new Set<LiveSocket>()
  #isAsking = false

  constructor(private readonly options: AccessWatchOptions) {}

  /** Checks the callers and subscriptions of these sockets. */
  look(sockets: readonly LiveSocket[]): void {
    const now = this.options.clock.now()
    for (const socket of sockets) {
      // A token expires at its time, whatever the database says.
      if (socket.caller?.expiresAt && socket.caller.expiresAt <= now) closeEnded(socket, now)
      else this.#due.add(socket)
    }
    if (!this.#isAsking) void this.#ask()
  }

  /** Checks the sockets and subscriptions of these users, and of guests by their contacts, now; or everybody's. */
  async recheck(ids?: ReadonlySet<string>): Promise<void> {
    const sockets = [...this.options.sockets].filter(
      ({ caller }) => ids === undefined || ids.has(subjectOf(caller) ?? ''),
    )
    await this.#askAbout(sockets)
  }

  async #askAbout(sockets: readonly LiveSocket[]): Promise<void> {
    await this.#endCallers(sockets)
    await this.#checkAll(sockets.flatMap(subscriptionsOf))
  }

  async #ask(): Promise<void> {
    this.#isAsking = true
    try {
      while (this.#due.size > 0) {
        const sockets = [...this.#due]
        this.#due.clear()
        await this.#askAbout(sockets)
      }
    } catch (error) {
      this.options.log.warn({ err: error }, 'failed to check the callers of sockets')
    } finally {
      this.#isAsking = false
    }
  }

  async #endCallers(sockets: readonly LiveSocket[]): Promise<void> {
    const connected = sockets.flatMap((socket) => {
      const { caller, address } = socket
      return caller ? { caller, address, socket } : []
    })
    if (connected.length === 0) return
    const ended = await this.options.authenticator.findEnded(connected)
    const now = this.options.clock.now()
    for (const { socket } of ended) closeEnded(socket, now)
  }

  /** Asks once for all subscriptions that get the same answer. */
  async #checkAll(subscriptions: readonly Subscription[]): Promise<void> {
    const byKey = new Map<string, Subscription[]>()
    for (const subscription of subscriptions) {
      const key = subscription.accessKey
      if (key === null) continue
      const alike = byKey.get(key)
      if (alike) alike.push(subscription)
      else byKey.set(key, [subscription])
    }
    const queue = byKey.values()
    const work = async (): Promise<void> => {
      for (const alike of queue) await this.#check(alike)
    }
    await Promise.all(Array.from({ length: Math.min(CHECKS_AT_ONCE, byKey.size) }, work))
  }

  async #check(alike: readonly Subscription[]): Promise<void> {
    try {
      const answer = await alike[0]!.ask()
      await Promise.all(alike.map((subscription) => subscription.take(answer)))
    } catch (error) {
      // A domain error is an answer; after any other error nothing changes until the next check.
      if (!(error instanceof DomainError) || error instanceof Unavailable) {
        this.options.log.warn({ err: error }, 'failed to check a subscription')
      } else {
        for (const subscription of alike) subscription.fail(error)
      }
    }
  }
}

/** The user, or the contact of a guest. */
const subjectOf = (caller: Caller | null): string | null =>
  caller?.kind === 'user' ? caller.user : caller?.kind === 'guest' ? caller.contact : null

function subscriptionsOf(socket: LiveSocket): Subscription[] {
  return [...socket.operations.values()].filter((operation) => operation instanceof Subscription)
}

function closeEnded(socket: LiveSocket, now: Date): void {
  const { expiresAt } = socket.caller!
  const isExpired = expiresAt !== undefined && expiresAt <= now
  socket.close(CloseCode.FORBIDDEN, isExpired ? new TokenExpired().message : 'access has ended')
}
