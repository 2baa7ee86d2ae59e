/** An entry of a queue with its id: one for each channel that shows the conversation. */
export function queueRow<Entry extends { channel: string; conversation: string }>(
  entry: Entry,
): Entry & { id: string } {
  return { ...entry, id: `${entry.channel}:${entry.conversation}` }
}

/** An entry of a list of the caller's own with its id: the same in `inbox` and in `myConversations`. */
export function inboxRow<Entry extends { conversation: string }>(entry: Entry): Entry & { id: string } {
  return { ...entry, id: `inbox:${entry.conversation}` }
}
