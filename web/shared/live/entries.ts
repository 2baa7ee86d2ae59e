import type { InboxSubscription, MyConversationsSubscription, QueueSubscription } from '../graphql/live.js'
import { InboxDocument, MyConversationsDocument, QueueDocument } from '../graphql/live.js'
import type { NamedDocument } from './live.js'
import { OutOfStep, type LiveEvent } from './live-view.js'

type Queued = QueueSubscription['queue']
type Inboxed = InboxSubscription['inbox']
type Own = MyConversationsSubscription['myConversations']
export type QueueRow = Extract<Queued, { __typename: 'QueueEntryAdded' }>['entry']
export type InboxRow = Extract<Inboxed, { __typename: 'InboxEntryAdded' }>['entry']
export type DraftNotice = Extract<Inboxed, { __typename: 'DraftChanged' }>
export type RuleNotice = Extract<Inboxed, { __typename: 'RuleNotification' }>

/** By conversation, and in queues by channel as well: in the order of the snapshot, new ones last. */
export type Rows<Row> = ReadonlyMap<string, Row>

export function queueKey(row: { conversation: string; channel: string }): string {
  return `${row.conversation} ${row.channel}`
}

/** The queues of the channels, or of all that the caller is a member of. */
export const QUEUE: NamedDocument<Rows<QueueRow>> = {
  name: 'queue',
  query: QueueDocument,
  apply(state, event) {
    const given = event as LiveEvent & Queued
    switch (given.__typename) {
      case 'QueueSnapshot':
        return new Map(given.entries.map((row) => [queueKey(row), row]))
      case 'QueueSnapshotPage':
        return more(
          state,
          given.entries.map((row) => [queueKey(row), row]),
        )
      case 'QueueEntryAdded':
        return added(state, queueKey(given.entry), given.entry)
      case 'QueueEntryChanged':
        return changed(state, queueKey(given.entry), given.entry)
      case 'QueueEntryRemoved':
        return removed(state, queueKey(given))
      default:
        // Of a later version of the server: nothing to keep.
        return fitting(state)
    }
  },
}

export const INBOX: NamedDocument<Rows<InboxRow>> = {
  name: 'inbox',
  query: InboxDocument,
  apply(state, event) {
    const given = event as LiveEvent & Inboxed
    switch (given.__typename) {
      case 'InboxSnapshot':
        return new Map(given.entries.map((row) => [row.conversation, row]))
      case 'InboxSnapshotPage':
        return more(
          state,
          given.entries.map((row) => [row.conversation, row]),
        )
      case 'InboxEntryAdded':
        return added(state, given.entry.conversation, given.entry)
      case 'InboxEntryChanged':
        return changed(state, given.entry.conversation, given.entry)
      case 'InboxEntryRemoved':
        return removed(state, given.conversation)
      default:
        return fitting(state)
    }
  },
}

/** What the caller has accepted and not left. */
export const MINE: NamedDocument<Rows<InboxRow>> = {
  name: 'mine',
  query: MyConversationsDocument,
  apply(state, event) {
    const given = event as LiveEvent & Own
    switch (given.__typename) {
      case 'MyConversationsSnapshot':
        return new Map(given.entries.map((row) => [row.conversation, row]))
      case 'MyConversationsSnapshotPage':
        return more(
          state,
          given.entries.map((row) => [row.conversation, row]),
        )
      case 'MyConversationAdded':
        return added(state, given.entry.conversation, given.entry)
      case 'MyConversationChanged':
        return changed(state, given.entry.conversation, given.entry)
      case 'MyConversationRemoved':
        return removed(state, given.conversation)
      default:
        return fitting(state)
    }
  },
}

/** A further part of a snapshot. */
function more<Row>(state: Rows<Row> | null, entries: (readonly [string, Row])[]): Rows<Row> {
  return new Map([...fitting(state), ...entries])
}

export function added<Row>(state: Rows<Row> | null, key: string, row: Row): Rows<Row> {
  const rows = fitting(state)
  if (rows.has(key)) throw new OutOfStep(`${key} was added twice`)
  return new Map(rows).set(key, row)
}

export function changed<Row>(state: Rows<Row> | null, key: string, row: Row): Rows<Row> {
  const rows = fitting(state)
  if (!rows.has(key)) throw new OutOfStep(`${key} changed and is not there`)
  return new Map(rows).set(key, row)
}

export function removed<Row>(state: Rows<Row> | null, key: string): Rows<Row> {
  const rows = new Map(fitting(state))
  if (!rows.delete(key)) throw new OutOfStep(`${key} was removed and is not there`)
  return rows
}

function fitting<Row>(state: Rows<Row> | null): Rows<Row> {
  if (!state) throw new OutOfStep('an event before a snapshot')
  return state
}
