import type { Entries } from '@switchboard/client'
import type { QueueRow } from '../../shared/live/entries.js'

/** `waiting`: the longest wait first; `due`: what is due next, then what has no due time. */
export type QueueOrder = 'waiting' | 'due'

const ORDER_KEY = 'queue-order'

/** The order that was chosen in this browser. */
export function readOrder(): QueueOrder {
  try {
    return localStorage.getItem(ORDER_KEY) === 'due' ? 'due' : 'waiting'
  } catch {
    return 'waiting'
  }
}

export function keepOrder(order: QueueOrder): void {
  try {
    localStorage.setItem(ORDER_KEY, order)
  } catch {
    // The browser keeps nothing; the order lasts as long as the page.
  }
}

/** One row for each conversation: one that waits in several channels waits once. */
export function queueRows(rows: Entries<QueueRow>, order: QueueOrder): QueueRow[] {
  const first = new Map<string, QueueRow>()
  for (const row of rows.values()) {
    if (!first.has(row.conversation)) first.set(row.conversation, row)
  }
  const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)
  const dueOf = ({ nextDue }: QueueRow): string => nextDue ?? '~'
  return [...first.values()].toSorted(
    (a, b) => (order === 'due' && compare(dueOf(a), dueOf(b))) || compare(a.queuedAt, b.queuedAt),
  )
}

/** Counts those who wait: a sum over what the stream says, never a counter. */
export function distinct(rows: Entries<QueueRow>): number {
  return new Set([...rows.values()].map(({ conversation }) => conversation)).size
}
