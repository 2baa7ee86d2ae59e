import type { Entries } from '@switchboard/client'
import type { QueueRow } from '../../shared/live/entries.js'

/** One row for each conversation: one that waits in several channels waits once. Longest wait first. */
export function queueRows(rows: Entries<QueueRow>): QueueRow[] {
  const first = new Map<string, QueueRow>()
  for (const row of rows.values()) {
    if (!first.has(row.conversation)) first.set(row.conversation, row)
  }
  return [...first.values()].toSorted((a, b) => (a.queuedAt < b.queuedAt ? -1 : a.queuedAt > b.queuedAt ? 1 : 0))
}

/** How many wait: a sum over what the stream says, never a counter. */
export function distinct(rows: Entries<QueueRow>): number {
  return new Set([...rows.values()].map(({ conversation }) => conversation)).size
}
