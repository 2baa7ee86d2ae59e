/**
 * The turn of what waits: the most urgent first, then what is due next, what was queued first, and the smaller id; without
 * a clock after all that are due. `byTurn` of `offers/match.ts` says the same of conversations in memory. Both must change
 * together, or a consumer who is first in line is not the one who is offered first; a test compares them. The index
 * `conversation_turn` has this order.
 */
export const inTurnSql = (alias: string): string =>
  ['urgency desc', 'next_due', 'queued_at', 'id'].map((column) => `${alias}.${column}`).join(', ')
