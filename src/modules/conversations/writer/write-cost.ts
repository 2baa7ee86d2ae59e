import { CALLER_DEPTH } from '../../../platform/fairness/share.js'
import { lastUsed } from '../../../platform/last-used.js'

/** Events and rows of a send: each further one costs a part of a send. */
const OF_A_SEND = { events: 6, rows: 4 }
const EVENTS_PER_SEND = 24
const ROWS_PER_SEND = 16

/**
 * Returns what a write has cost, in sends: by what it has written, not by the time it took. On a busy machine everything takes
 * long, and those who have to wait for others would seem to be expensive.
 */
export const costOf = ({ events, rows }: { events: number; rows: number }): number =>
  1 + Math.max(0, events - OF_A_SEND.events) / EVENTS_PER_SEND + Math.max(0, rows - OF_A_SEND.rows) / ROWS_PER_SEND

/** Rows of a delivery to a webhook: its own, and that of its place in line. */
const ROWS_OF_A_DELIVERY = 2

/** Returns what deliveries to webhooks cost the write that causes them; making them is the webhooks' own work. */
export const costOfDeliveries = (number: number): number => (number * ROWS_OF_A_DELIVERY) / ROWS_PER_SEND

const KNOWN_MAX = 20_000
/** After one that cost more, the next is believed at once to cost about as much; it takes some to believe the contrary. */
const RISE = 1 / 2
const FALL = 1 / 8

/**
 * Estimates what a write will cost by what the caller's writes of the same kind have cost. A guest who has not done it yet
 * is taken for an average one of the customer.
 */
export class CostEstimates {
  readonly #known = lastUsed<number>(KNOWN_MAX)

  /** @param accounts of the caller, as `accountsOf` returns them @param least what is known of it, in sends */
  of(accounts: readonly string[], kind: string, least: number): number {
    const own = this.#known.get(keyOf(accounts.at(-1)!, kind))
    return Math.max(least, own ?? this.#known.get(keyOf(accounts[CALLER_DEPTH]!, kind)) ?? 1)
  }

  learn(accounts: readonly string[], kind: string, cost: number): void {
    for (const account of accounts.slice(CALLER_DEPTH)) {
      const key = keyOf(account, kind)
      const known = this.#known.get(key)
      const part = known !== undefined && cost < known ? FALL : RISE
      this.#known.set(key, known === undefined ? cost : known + (cost - known) * part)
    }
  }
}

const keyOf = (account: string, kind: string): string => `${account} ${kind}`
