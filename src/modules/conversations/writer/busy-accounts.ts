import type { Served } from '../../../platform/fairness/fair-turns.js'
import { CALLER_DEPTH, accountsOf } from '../../../platform/fairness/share.js'
import type { WritingAccounts } from '../../../platform/fairness/writing-accounts.js'
import { HEAVY_COST, type QueuedWrite, type WriteQueue } from './write-queue.js'

/** Nobody waits at a desk for the system's own work: it may have more unfinished before it is parted from what others do. */
const HEAVY_COST_OF_SYSTEM = 48

/**
 * Determines which accounts write so much that others would have to wait: those with more unfinished writes than
 * {@link HEAVY_COST} sends, while another account of the same level writes. A busy caller does not make its colleagues busy:
 * what it has unfinished is not counted to its customer and contact center. Who writes alone is never busy: then large batches
 * delay nobody and are most efficient.
 */
export class BusyAccounts {
  #busy = new Set<string>()
  /** Those that have busy ones below them. */
  #above = new Set<string>()

  constructor(
    private readonly queue: Pick<WriteQueue<QueuedWrite>, 'heavy' | 'costOf'>,
    private readonly writing: WritingAccounts,
  ) {}

  /** Fixes the answers until the next call, so that each account is either busy or not during a round. */
  refresh(): void {
    this.#busy = new Set()
    this.#above = new Set()
    const heavy = [...this.queue.heavy].toSorted((one, other) => other.length - one.length)
    /** Costs of busy accounts, by the accounts above them. */
    const apart = new Map<string, number>()
    for (const accounts of heavy) {
      const depth = accounts.length - 1
      const account = accounts[depth]!
      const cost = this.queue.costOf(account) - (apart.get(account) ?? 0)
      if (cost <= heavyCostOf(accounts) || !this.#hasOther(accounts, depth)) continue
      this.#busy.add(account)
      for (const above of accounts.slice(0, -1)) {
        apart.set(above, (apart.get(above) ?? 0) + cost)
        this.#above.add(above)
      }
    }
  }

  get areNone(): boolean {
    return this.#busy.size === 0
  }

  /** Serves all but the busy accounts. */
  readonly servesOthers = (account: string): Served => (this.#busy.has(account) ? 'none' : 'below')

  /** Serves the busy accounts. */
  readonly servesBusy = (account: string): Served =>
    this.#busy.has(account) ? 'all' : this.#above.has(account) ? 'below' : 'none'

  /** Returns the busy account of a write's path. */
  readonly busyOf = ({ share }: QueuedWrite): readonly string[] => {
    const depth = accountsOf(share).findIndex((account) => this.#busy.has(account))
    return share.slice(0, depth + 1)
  }

  /** Among callers, colleagues and other guests count alike. */
  #hasOther(accounts: readonly string[], depth: number): boolean {
    for (let level = Math.min(depth, CALLER_DEPTH); level <= depth; level++)
      if (this.writing.hasOther(accounts[level]!, level)) return true
    return false
  }
}

const heavyCostOf = (accounts: readonly string[]): number =>
  accounts[CALLER_DEPTH]?.endsWith(' system') ? HEAVY_COST_OF_SYSTEM : HEAVY_COST
