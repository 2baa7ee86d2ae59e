import type { InboxRow } from '../../shared/live/entries.js'

/** 0: it awaits an answer; 1: it is answered; 2: it is put aside. */
const groupOf = ({ awaitsAnswer, snoozedUntil }: InboxRow): number => (snoozedUntil ? 2 : awaitsAnswer ? 0 : 1)

/** The agent's conversations by whose turn it is: the newest first, what is put aside by when it comes back. */
export function byTurn(rows: Iterable<InboxRow>): InboxRow[] {
  const key = ({ snoozedUntil, lastMessageAt }: InboxRow): string => snoozedUntil ?? lastMessageAt ?? ''
  const order = (a: InboxRow, b: InboxRow): number => (key(a) < key(b) ? -1 : key(a) > key(b) ? 1 : 0)
  return [...rows].toSorted((a, b) => groupOf(a) - groupOf(b) || (a.snoozedUntil ? order(a, b) : order(b, a)))
}

/** The head above the first row of each group, by its conversation. */
export function headsOf(rows: readonly InboxRow[], names: readonly string[]): ReadonlyMap<string, string> {
  const groups = Map.groupBy(rows, groupOf)
  return new Map([...groups].map(([group, of]) => [of[0]!.conversation, `${names[group]} ${of.length}`]))
}
