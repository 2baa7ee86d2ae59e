/**
 * A guest's conversations: the one its token is bound to, and those into which it was merged, one after the other (4.8,
 * `/import`). The guest reads and writes in the last of them.
 */
export interface GuestLine {
  current: string
  /** All of them, the current one last. */
  conversations: readonly string[]
  /**
   * The visible parts of the current one; null for everything that a consumer may see: it belongs to the guest's own
   * contact.
   */
  stretches: readonly GuestStretch[] | null
}

/** Messages of a conversation since it became the guest's; null for from its beginning. */
export interface GuestStretch {
  conversation: string
  since: Date | null
}
