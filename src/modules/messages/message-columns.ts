import {
  guestViewFor,
  propertyList,
  viewFor,
  type Columns,
  type GuestColumns,
  type ShownTo,
} from '../../platform/db/columns.js'
import type { DeliveryRow } from './delivery.js'
import type { MessageRow } from './message-row.js'
import { provenanceForGuest } from './provenance.js'

const ID = { sql: 'uuid', events: 'shown', erasure: 'kept' } as const

/**
 * All columns of a message: how they are stored and shown. Guests see neither agents' likes and comments nor which user
 * sent a message on their behalf.
 */
export const MESSAGE_COLUMNS = {
  id: { ...ID, guest: 'shown', list: 'order' },
  organizationId: { ...ID, guest: 'shown', list: 'filter' },
  org1: { ...ID, guest: 'shown' },
  org2: { ...ID, guest: 'shown' },
  org3: { ...ID, guest: 'shown' },
  conversationId: { ...ID, guest: 'shown', list: 'filter' },
  position: { sql: 'int', written: 'change', guest: 'shown', events: 'shown', erasure: 'kept', list: 'order' },
  type: { sql: 'text', guest: 'shown', events: 'shown', webhook: 'shown', erasure: 'kept', list: 'filter' },
  role: { sql: 'text', guest: 'shown', events: 'shown', webhook: 'shown', erasure: 'kept', list: 'filter' },
  isBackchannel: { sql: 'boolean', guest: 'shown', events: 'shown', webhook: 'shown', erasure: 'kept', list: 'filter' },
  userId: { ...ID, guest: (user, { role }) => (role === 'contact' ? null : user), list: 'filter' },
  contentType: { sql: 'text', guest: 'shown', events: 'shown', webhook: 'shown', erasure: 'kept', list: 'filter' },
  text: { sql: 'text', written: 'change', guest: 'shown', events: 'shown', webhook: 'shown', list: 'filter' },
  serviceId: ID,
  touchpoint: { sql: 'text', guest: 'shown', events: 'shown', webhook: 'shown', erasure: 'kept', list: 'filter' },
  actions: { sql: 'jsonb', written: 'change', guest: 'shown', events: 'shown', webhook: 'shown' },
  items: { sql: 'jsonb', written: 'change', guest: 'shown', events: 'shown', webhook: 'shown' },
  meta: { sql: 'jsonb', written: 'change', guest: withoutSender, events: 'shown', webhook: 'shown', list: 'filter' },
  likes: {
    sql: 'uuid[]',
    written: 'change',
    guest: () => [],
    events: 'shown',
    webhook: 'shown',
    erasure: 'kept',
    list: 'filter',
  },
  comments: { sql: 'jsonb', written: 'change', guest: () => [], events: 'shown', webhook: 'shown' },
  results: { sql: 'jsonb', guest: 'shown', events: 'shown', webhook: 'shown' },
  version: { sql: 'int', written: 'change', guest: 'shown', events: 'shown', webhook: 'shown', erasure: 'kept' },
  originId: ID,
  originalId: { sql: 'uuid', erasure: 'kept' },
  isDelayedOfCreate: { sql: 'boolean', events: 'shown', erasure: 'kept' },
  editedAt: { sql: 'timestamptz', written: 'change', guest: 'shown', events: 'shown', erasure: 'kept' },
  isAutomated: { sql: 'boolean', guest: 'shown', events: 'shown', webhook: 'shown', erasure: 'kept' },
  depth: { sql: 'int', events: 'shown', webhook: 'shown', erasure: 'kept' },
  provenance: {
    sql: 'jsonb',
    guest: (provenance) => provenanceForGuest(provenance ?? null),
    events: 'shown',
    webhook: 'shown',
  },
  disclosure: { sql: 'text', guest: 'shown', events: 'shown', webhook: 'shown', erasure: 'kept' },
  ending: { sql: 'text', guest: 'shown', events: 'shown', webhook: 'shown', erasure: 'kept' },
  crossedAnswer: { sql: 'boolean', events: 'shown', webhook: 'shown', erasure: 'kept' },
  createdAt: { sql: 'timestamptz', guest: 'shown', events: 'shown', erasure: 'kept', list: 'order' },
  updatedAt: {
    sql: 'timestamptz',
    written: 'change',
    guest: 'shown',
    events: 'shown',
    erasure: 'kept',
    list: 'order',
  },
} satisfies GuestColumns<Omit<MessageRow, 'deliveries'>>

const HEAD_OF_MAIL = ['_sender', '_writtenBy', '_mail']

/** Hides whom a mail is from and to, which is for agents: it names addresses of other people. */
function withoutSender(meta: MessageRow['meta']): MessageRow['meta'] {
  if (!meta || !HEAD_OF_MAIL.some((key) => key in meta)) return meta
  const { _sender, _writtenBy, _mail, ...shown } = meta
  return shown
}

/** A message in events: the shown columns, and the deliveries of a message that was just sent. */
export type MessageData = Pick<MessageRow, ShownTo<typeof MESSAGE_COLUMNS, 'events'> | 'deliveries'>

const shownInEvents = viewFor<Omit<MessageRow, 'deliveries'>, typeof MESSAGE_COLUMNS, 'events'>(
  MESSAGE_COLUMNS,
  'events',
)

export function messageData(message: MessageRow): MessageData {
  const { deliveries } = message
  return { ...shownInEvents(message), ...(deliveries && { deliveries }) }
}

const shownToGuests = guestViewFor<Omit<MessageRow, 'deliveries'>>(MESSAGE_COLUMNS)

/** Converts a message for a guest, or for anyone who sees it like its consumer. */
export function messageForGuest<Message extends MessageData>(message: Message): Message {
  return { ...shownToGuests(message), deliveries: [] }
}

/** The select list of whole messages at alias `t`. */
export const WHOLE_MESSAGE = propertyList(MESSAGE_COLUMNS, 't')

/** All columns of a delivery. */
export const DELIVERY_COLUMNS = {
  id: ID,
  organizationId: ID,
  org1: ID,
  org2: ID,
  org3: ID,
  conversationId: ID,
  messageId: ID,
  touchpoint: { sql: 'text', events: 'shown', webhook: 'shown', erasure: 'kept' },
  status: { sql: 'text', written: 'change', events: 'shown', erasure: 'kept' },
  reason: { sql: 'text', written: 'change', events: 'shown', webhook: 'shown' },
  code: { sql: 'text', written: 'change', events: 'shown', webhook: 'shown', erasure: 'kept' },
  providerId: { sql: 'text', written: 'change', events: 'shown', webhook: 'shown' },
  segments: { sql: 'int', written: 'change', events: 'shown', webhook: 'shown', erasure: 'kept' },
  attempts: { sql: 'int', written: 'change', events: 'shown', webhook: 'shown', erasure: 'kept' },
  serviceId: { ...ID, written: 'change' },
  recipient: { sql: 'text', written: 'change', events: 'shown', webhook: 'shown' },
  copies: { sql: 'jsonb', written: 'change', events: 'shown', webhook: 'shown' },
  createdAt: { sql: 'timestamptz', events: 'shown', erasure: 'kept' },
  updatedAt: { sql: 'timestamptz', written: 'change', events: 'shown', erasure: 'kept' },
} satisfies Columns<DeliveryRow>
