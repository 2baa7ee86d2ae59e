/** Everything of one conversation that an author reads before it writes. */
export interface Seen {
  mark: string
  status: string
  accepted: ReadonlySet<string>
  /** Time of the last edit by message. */
  messages: ReadonlyMap<string, string | null>
}

/** A message that was sent after its author had read this. */
export interface Sent {
  id: string
  author: string
  seen: Seen
}

export interface LoggedEvent {
  type: string
  data: {
    message?: {
      id: string
      type: string
      role: string
      text: string | null
      userId: string | null
      editedAt?: string | null
      position: number
    }
    id?: string
    conversation?: { status: string }
    participants?: { userId: string; accepted: boolean }[]
  }
}

const QUIET = /^\/(join|follow|unfollow|action|set|accept)\b/

/**
 * Counts, from the log of a conversation alone, the answers whose author had not read what others had done before: it knows
 * nothing of marks.
 */
export function countBlind(events: readonly LoggedEvent[], all: readonly Sent[]): string[] {
  return all.flatMap(({ id, author, seen }) => {
    const at = events.findIndex(({ type, data }) => type === 'message.added' && data.message!.id === id)
    if (at < 0) return [`${id} was sent, and is not in the log`]
    const why = unread(events.slice(0, at), author, seen)
    return why === null ? [] : [`${id}: ${why}`]
  })
}

function unread(before: readonly LoggedEvent[], author: string, seen: Seen): string | null {
  // An operation's changes come after the message that it adds.
  let isOwn = false
  let status = null as { is: string; isOwn: boolean } | null
  let accepted: { is: Set<string>; isOwn: boolean } = { is: new Set(), isOwn: true }
  for (const { type, data } of before) {
    const { message } = data
    if (message && type === 'message.added') isOwn = message.role !== 'contact' && message.userId === author
    if (message && (type === 'message.added' || type === 'message.changed')) {
      const isQuiet = message.type === 'command' && QUIET.test(message.text ?? '')
      const isOthers = message.role === 'contact' || message.userId !== author
      if (!seen.messages.has(message.id) && isOthers && !isQuiet) return `${message.role} ${message.text ?? ''} unread`
      const edited = message.editedAt ?? null
      const read = seen.messages.get(message.id) ?? null
      if (type === 'message.changed' && edited !== null && (read === null || read < edited))
        return `an edit of ${message.id} unread`
    }
    const is = data.conversation?.status
    if (is !== undefined && is !== status?.is) status = { is, isOwn: isOwn && status !== null }
    if (data.participants) {
      const now = new Set(data.participants.filter((each) => each.accepted).map(({ userId }) => userId))
      if (now.symmetricDifference(accepted.is).size > 0) accepted = { is: now, isOwn }
    }
  }
  if (status && !status.isOwn && status.is !== seen.status) return `${seen.status} became ${status.is} unread`
  if (!accepted.isOwn && accepted.is.symmetricDifference(seen.accepted).size > 0) return 'who has accepted unread'
  return null
}
