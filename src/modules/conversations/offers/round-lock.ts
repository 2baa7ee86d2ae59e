import { setTimeout as sleep } from 'node:timers/promises'
import type { RunnerSessions } from '../../../platform/jobs/runner-session.js'

/** An arbitrary constant: the class of the advisory locks of organizations in which a node decides on offers. */
const ROUND_LOCKS = 730_196_043
/** Between two looks whether another node has ended its round. */
const LOOK_MS = 10
/** After a round the others have a chance of the next one: they look in between. */
const BETWEEN_MS = 20
/** A node that takes longer hangs: the others go on beside it. */
const WAIT_MS_MAX = 5_000

/**
 * Lets one node at a time decide on the offers of an organization: two that decide at once give the same places to
 * different conversations, and whichever writes first wins, not the oldest. Held on the connection that proves the node
 * alive, so it ends with the node. Offers are right without it: the writer decides each again.
 */
export class RoundLock {
  /** Time at which the last round here ended, by `performance.now()`. */
  readonly #endedAt = new Map<string, number>()

  constructor(private readonly sessions: RunnerSessions) {}

  async during<T>(organization: string, round: () => Promise<T>): Promise<T> {
    const release = await this.#take(organization)
    try {
      return await round()
    } finally {
      release()
      this.#endedAt.set(organization, performance.now())
    }
  }

  async #take(organization: string): Promise<() => void> {
    const values = [ROUND_LOCKS, organization]
    const session = await this.sessions.current()
    const betweenMs = (this.#endedAt.get(organization) ?? -Infinity) + BETWEEN_MS - performance.now()
    if (betweenMs > 0) await sleep(betweenMs)
    for (const startedAt = performance.now(); performance.now() - startedAt < WAIT_MS_MAX; await sleep(LOOK_MS)) {
      const [row] = await session.query<{ isOurs: boolean }>(TAKE, values)
      // A lost connection has released it.
      if (row!.isOurs) return () => void session.query(RELEASE, values).catch(() => undefined)
    }
    return () => undefined
  }
}

const TAKE = 'select pg_try_advisory_lock($1, hashtext($2)) as "isOurs"'
const RELEASE = 'select pg_advisory_unlock($1, hashtext($2))'
