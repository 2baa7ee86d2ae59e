import type { InboxRow, QueueRow } from '../../shared/live/entries.js'

/** Clocks that are due within this are a group of their own. */
const SOON_MS = 5 * 60_000

/** Tells whether it is the agent's turn. */
export const awaitsAgent = ({ awaitsAnswer, snoozedUntil }: InboxRow): boolean => awaitsAnswer && !snoozedUntil

/** 0: it awaits an answer; 1: it is answered; 2: it is put aside. */
const turnOf = (row: InboxRow): number => (row.snoozedUntil ? 2 : awaitsAgent(row) ? 0 : 1)

/** The agent's conversations by whose turn it is: the newest first, what is put aside by when it comes back. */
export function byTurn(rows: Iterable<InboxRow>): InboxRow[] {
  const key = ({ snoozedUntil, lastMessageAt }: InboxRow): string => snoozedUntil ?? lastMessageAt ?? ''
  const order = (a: InboxRow, b: InboxRow): number => (key(a) < key(b) ? -1 : key(a) > key(b) ? 1 : 0)
  return [...rows].toSorted((a, b) => turnOf(a) - turnOf(b) || (a.snoozedUntil ? order(a, b) : order(b, a)))
}

/** The heads of `byTurn`. */
export const headsByTurn = (rows: readonly InboxRow[], names: readonly string[]): ReadonlyMap<string, string> =>
  headsOf(rows, names, turnOf)

/** The heads of what waits in the order of its clocks: 0 is late, 1 due soon, 2 later or without a clock. */
export const headsByDue = (rows: readonly QueueRow[], names: readonly string[], now: number) =>
  headsOf(rows, names, ({ nextDue }) => {
    const leftMs = nextDue ? Date.parse(nextDue) - now : Infinity
    return leftMs < 0 ? 0 : leftMs < SOON_MS ? 1 : 2
  })

/** The head above the first row of each group, by its conversation. */
function headsOf<Row extends { conversation: string }>(
  rows: readonly Row[],
  names: readonly string[],
  groupOf: (row: Row) => number,
): ReadonlyMap<string, string> {
  const groups = Map.groupBy(rows, groupOf)
  return new Map([...groups].map(([group, of]) => [of[0]!.conversation, `${names[group]} ${of.length}`]))
}
