import type { PendingWrite } from './pending-write.js'

type LockingWrite = Pick<PendingWrite, 'agentsToLock'>

/**
 * The agents whose rows are locked by transactions of this node that are under way. Writes that need one of them wait for
 * their turn in the queue instead of for the lock: a batch that waits for a lock for long is rolled back.
 */
export class HeldAgents {
  readonly #counts = new Map<string, number>()

  /** Holds the agents of these writes until their transaction has ended. */
  during<T>(writes: readonly LockingWrite[], transaction: Promise<T>): Promise<T> {
    const users = [...new Set(writes.flatMap(({ agentsToLock }) => agentsToLock ?? []))]
    if (users.length === 0) return transaction
    for (const user of users) this.#counts.set(user, (this.#counts.get(user) ?? 0) + 1)
    return transaction.finally(() => {
      for (const user of users) {
        const left = this.#counts.get(user)! - 1
        if (left > 0) this.#counts.set(user, left)
        else this.#counts.delete(user)
      }
    })
  }

  /** True if a write needs none of them. */
  readonly areFreeFor = ({ agentsToLock }: LockingWrite): boolean =>
    !agentsToLock || !agentsToLock.some((user) => this.#counts.has(user))
}
