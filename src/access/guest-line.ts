/**
 * Where a guest's conversation went: the one its token is bound to, and those into which it was merged one after the
 * other (4.8, `/import`). In the last of them the guest speaks and hears now.
 */
export interface GuestLine {
  current: string
  /** All of them, the current one last. */
  conversations: readonly string[]
  /** What the guest may see of the current one; null for all that a consumer sees: it is of the guest's own contact. */
  stretches: readonly GuestStretch[] | null
}

/** What was said in a conversation since it became the guest's; null for from its beginning. */
export interface GuestStretch {
  conversation: string
  since: Date | null
}
