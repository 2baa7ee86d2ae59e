import { OutOfStep, type LiveEvent } from './live-view.js'

/** Fields that identify an entry of a queue or of an inbox. */
export interface EntryKey {
  conversation: string
  /** Set in queues' entries: a conversation waits in several. */
  channel?: string
}

/** By `entryKey`: in the order of the snapshot, new ones last. */
export type Entries<Row> = ReadonlyMap<string, Row>

const CHANGES: Readonly<Record<string, 'more' | 'add' | 'change' | 'remove'>> = {
  QueueSnapshotPage: 'more',
  QueueEntryAdded: 'add',
  QueueEntryChanged: 'change',
  QueueEntryRemoved: 'remove',
  InboxSnapshotPage: 'more',
  InboxEntryAdded: 'add',
  InboxEntryChanged: 'change',
  InboxEntryRemoved: 'remove',
  MyConversationsSnapshotPage: 'more',
  MyConversationAdded: 'add',
  MyConversationChanged: 'change',
  MyConversationRemoved: 'remove',
}

export function entryKey({ conversation, channel }: EntryKey): string {
  return channel === undefined ? conversation : `${conversation} ${channel}`
}

/**
 * The entries after an event of `queue`, `inbox` or `myConversations`, whichever fields the document selects beside the
 * key's. @throws OutOfStep
 */
export function applyToEntries<Row extends EntryKey>(state: Entries<Row> | null, event: LiveEvent): Entries<Row> {
  const { __typename: type, entries = [], entry } = event as LiveEvent & { entries?: Row[]; entry?: Row }
  if (type.endsWith('Snapshot')) return new Map(entries.map((row) => [entryKey(row), row]))
  if (!state) throw new OutOfStep(`${type} before a snapshot`)
  const change = CHANGES[type]
  // A notice beside the entries, or a type of a later version of the server.
  if (!change) return state
  if (change === 'more') return new Map([...state, ...entries.map((row) => [entryKey(row), row] as const)])
  const key = entryKey(entry ?? (event as LiveEvent & EntryKey))
  if (state.has(key) === (change === 'add'))
    throw new OutOfStep(`${type} of ${key}, which is ${change === 'add' ? '' : 'not '}there`)
  const next = new Map(state)
  if (change === 'remove') next.delete(key)
  else next.set(key, entry!)
  return next
}
