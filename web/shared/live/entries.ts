import { applyToEntries, type Entries } from '@switchboard/client'
import type { InboxSubscription, QueueSubscription } from '../../generated/live.js'
import { InboxDocument, MyConversationsDocument, QueueDocument } from '../../generated/live.js'
import type { NamedDocument } from './live.js'

type Queued = QueueSubscription['queue']
type Inboxed = InboxSubscription['inbox']
export type QueueRow = Extract<Queued, { __typename: 'QueueEntryAdded' }>['entry']
export type InboxRow = Extract<Inboxed, { __typename: 'InboxEntryAdded' }>['entry']
export type DraftNotice = Extract<Inboxed, { __typename: 'DraftChanged' }>
export type BulkNotice = Extract<Inboxed, { __typename: 'BulkChanged' }>
export type RuleNotice = Extract<Inboxed, { __typename: 'RuleNotification' }>

/** The queues of the channels, or of all that the caller is a member of. */
export const QUEUE: NamedDocument<Entries<QueueRow>> = { name: 'queue', query: QueueDocument, apply: applyToEntries }

export const INBOX: NamedDocument<Entries<InboxRow>> = { name: 'inbox', query: InboxDocument, apply: applyToEntries }

/** Conversations that the caller has accepted and not left. */
export const MINE: NamedDocument<Entries<InboxRow>> = {
  name: 'mine',
  query: MyConversationsDocument,
  apply: applyToEntries,
}
