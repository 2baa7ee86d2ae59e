/** Counts what an operation's caller says in its conversation. */
export interface Charges {
  /** Counts a message. @throws BudgetSpent for a bot that may say no more */
  charge(): Promise<void>
}

/** People, guests and the server itself have no budget. */
export const UNCHARGED: Charges = { charge: () => Promise.resolve() }
