/** Adds the id of a queue entry: one for each channel that shows the conversation. */
export function queueRow<Entry extends { channel: string; conversation: string }>(
  entry: Entry,
): Entry & { id: string } {
  return { ...entry, id: `${entry.channel}:${entry.conversation}` }
}

/** Adds the id of an entry of the caller's own lists: the same in `inbox` and in `myConversations`. */
export function inboxRow<Entry extends { conversation: string }>(entry: Entry): Entry & { id: string } {
  return { ...entry, id: `inbox:${entry.conversation}` }
}
