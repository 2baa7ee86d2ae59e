import type { Sql } from '../../db/database.js'
import type { DeliveryRow } from '../../messages/delivery.js'
import type { MessageRow } from '../../messages/message-row.js'
import type { DecisionBasis } from '../../workflows/decision-basis.js'
import type { RoutingTraceEntry } from '../../workflows/routing-decision.js'
import type { ConversationState, ParticipantState } from './conversation-state.js'

/** What a queueing decided, for `routing_decision`. */
export interface RoutingDecisionRow {
  id: string
  conversationId: string
  queueing: number
  trigger: string
  /** Of the rules that matched; of all when there is no basis. */
  entries: RoutingTraceEntry[]
  facts: DecisionBasis['facts'] | null
  workflows: DecisionBasis['workflows'] | null
  createdAt: Date
}

/** A conversation's row to write; advanced is updated in the columns of {@link ACTIVITY} only. */
export interface ChangedConversation {
  state: ConversationState
  change: 'inserted' | 'updated' | 'advanced'
}

/** All that a batch of operations writes; no row twice. */
export interface ConversationChanges {
  conversations: ChangedConversation[]
  participants: ParticipantState[]
  leavers: { conversationId: string; userId: string }[]
  messages: MessageRow[]
  changedMessages: MessageRow[]
  deliveries: DeliveryRow[]
  changedDeliveries: DeliveryRow[]
  decisions: RoutingDecisionRow[]
}

export function noChanges(): ConversationChanges {
  return {
    conversations: [],
    participants: [],
    leavers: [],
    messages: [],
    changedMessages: [],
    deliveries: [],
    changedDeliveries: [],
    decisions: [],
  }
}

function activityOf(conversation: ConversationState): object {
  const { id, awaitingReply, messageCount, lastMessageId, lastMessageAt, lastMessageRole, preview } = conversation
  const { version, updatedAt } = conversation
  return { id, awaitingReply, messageCount, lastMessageId, lastMessageAt, lastMessageRole, preview, version, updatedAt }
}

/** Writes a batch's changes with one statement a table; tables without a change cost nothing. */
export async function writeChanges(sql: Sql, changes: ConversationChanges): Promise<void> {
  const conversations = (wanted: ChangedConversation['change']): ConversationState[] =>
    changes.conversations.filter(({ change }) => change === wanted).map(({ state }) => state)
  const writes: [rows: readonly object[], name: string, text: string][] = [
    [conversations('inserted'), 'insert-conversations', INSERT_CONVERSATIONS],
    [conversations('updated'), 'update-conversations', UPDATE_CONVERSATIONS],
    [conversations('advanced').map(activityOf), 'advance-conversations', ADVANCE_CONVERSATIONS],
    [changes.messages, 'insert-messages', INSERT_MESSAGES],
    [changes.changedMessages, 'update-messages', UPDATE_MESSAGES],
    [changes.deliveries, 'insert-deliveries', INSERT_DELIVERIES],
    [changes.changedDeliveries, 'update-deliveries', UPDATE_DELIVERIES],
    [changes.leavers, 'delete-participants', DELETE_PARTICIPANTS],
    [changes.participants, 'upsert-participants', UPSERT_PARTICIPANTS],
    [changes.decisions, 'upsert-decisions', UPSERT_DECISIONS],
  ]
  // Not awaited one by one: the connection runs them in order, and the first failure fails the transaction.
  await Promise.all(
    writes
      .filter(([rows]) => rows.length > 0)
      .map(([rows, name, text]) => sql.query(text, [JSON.stringify(rows)], name)),
  )
}

const IMMUTABLE_CONVERSATION = {
  id: 'uuid',
  organizationId: 'uuid',
  org1: 'uuid',
  org2: 'uuid',
  org3: 'uuid',
  type: 'text',
  slug: 'text',
  createdById: 'uuid',
  createdAt: 'timestamptz',
}
/** What every message changes; most change nothing else. */
const ACTIVITY_COLUMNS = {
  awaitingReply: 'boolean',
  messageCount: 'int',
  lastMessageId: 'uuid',
  lastMessageAt: 'timestamptz',
  lastMessageRole: 'text',
  preview: 'text',
  version: 'bigint',
  updatedAt: 'timestamptz',
}
const MUTABLE_CONVERSATION = {
  name: 'text',
  status: 'text',
  contactId: 'uuid',
  touchpoint: 'text',
  touchpoints: 'jsonb',
  touchpointChosen: 'boolean',
  category: 'text',
  categoryIndex: 'int',
  language: 'text',
  channels: 'uuid[]',
  channelsOffline: 'uuid[]',
  taskChannels: 'uuid[]',
  forms: 'jsonb',
  results: 'jsonb',
  meta: 'jsonb',
  queuedAt: 'timestamptz',
  queueing: 'int',
  routingRemainder: 'jsonb',
  ...ACTIVITY_COLUMNS,
}
const PARTICIPANT_KEY = { conversationId: 'uuid', userId: 'uuid' }
const PARTICIPANT_REST = {
  name: 'text',
  avatar: 'text',
  role: 'text',
  unreadCount: 'int',
  inbox: 'boolean',
  accepted: 'boolean',
  active: 'boolean',
  follow: 'boolean',
  createdAt: 'timestamptz',
  updatedAt: 'timestamptz',
}
const MUTABLE_MESSAGE = {
  position: 'int',
  text: 'text',
  meta: 'jsonb',
  likes: 'uuid[]',
  comments: 'jsonb',
  version: 'int',
  updatedAt: 'timestamptz',
  actions: 'jsonb',
  items: 'jsonb',
}
const MESSAGE = {
  id: 'uuid',
  organizationId: 'uuid',
  org1: 'uuid',
  org2: 'uuid',
  org3: 'uuid',
  conversationId: 'uuid',
  type: 'text',
  role: 'text',
  isBackchannel: 'boolean',
  userId: 'uuid',
  contentType: 'text',
  serviceId: 'uuid',
  touchpoint: 'text',
  results: 'jsonb',
  isDelayedOfCreate: 'boolean',
  originId: 'uuid',
  createdAt: 'timestamptz',
  ...MUTABLE_MESSAGE,
}

const MUTABLE_DELIVERY = {
  status: 'text',
  reason: 'text',
  providerId: 'text',
  segments: 'int',
  attempts: 'int',
  updatedAt: 'timestamptz',
  serviceId: 'uuid',
  recipient: 'text',
}
const DELIVERY = {
  id: 'uuid',
  organizationId: 'uuid',
  org1: 'uuid',
  org2: 'uuid',
  org3: 'uuid',
  conversationId: 'uuid',
  messageId: 'uuid',
  touchpoint: 'text',
  createdAt: 'timestamptz',
  ...MUTABLE_DELIVERY,
}

type Columns = Readonly<Record<string, string>>

const snake = (property: string): string => property.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
const columns = (of: Columns): string => Object.keys(of).map(snake).join(', ')
const values = (of: Columns): string =>
  Object.keys(of)
    .map((key) => `x."${key}"`)
    .join(', ')
const records = (of: Columns): string =>
  `jsonb_to_recordset($1::jsonb) as x(${Object.entries(of)
    .map(([key, type]) => `"${key}" ${type}`)
    .join(', ')})`
const insert = (table: string, of: Columns): string =>
  `insert into ${table} (${columns(of)}) select ${values(of)} from ${records(of)}`
const assign = (of: Columns, from: string): string =>
  Object.keys(of)
    .map((key) => `${snake(key)} = ${from === 'x' ? `x."${key}"` : `excluded.${snake(key)}`}`)
    .join(', ')

const INSERT_CONVERSATIONS = insert('conversation', { ...IMMUTABLE_CONVERSATION, ...MUTABLE_CONVERSATION })
const UPDATE_CONVERSATIONS = `update conversation c set ${assign(MUTABLE_CONVERSATION, 'x')}
  from ${records({ id: 'uuid', ...MUTABLE_CONVERSATION })} where c.id = x.id`
const ADVANCE_CONVERSATIONS = `update conversation c set ${assign(ACTIVITY_COLUMNS, 'x')}
  from ${records({ id: 'uuid', ...ACTIVITY_COLUMNS })} where c.id = x.id`
const INSERT_MESSAGES = insert('message', MESSAGE)
const UPDATE_MESSAGES = `update message m set ${assign(MUTABLE_MESSAGE, 'x')}
  from ${records({ id: 'uuid', ...MUTABLE_MESSAGE })} where m.id = x.id`
const INSERT_DELIVERIES = insert('delivery', DELIVERY)
const UPDATE_DELIVERIES = `update delivery d set ${assign(MUTABLE_DELIVERY, 'x')}
  from ${records({ id: 'uuid', ...MUTABLE_DELIVERY })} where d.id = x.id`
const DELETE_PARTICIPANTS = `delete from participant p using ${records(PARTICIPANT_KEY)}
  where p.conversation_id = x."conversationId" and p.user_id = x."userId"`
const UPSERT_PARTICIPANTS = `${insert('participant', { ...PARTICIPANT_KEY, ...PARTICIPANT_REST })}
  on conflict (conversation_id, user_id) do update set ${assign(PARTICIPANT_REST, 'excluded')}`
const DECISION = {
  id: 'uuid',
  conversationId: 'uuid',
  queueing: 'int',
  trigger: 'text',
  entries: 'jsonb',
  facts: 'jsonb',
  workflows: 'jsonb',
  createdAt: 'timestamptz',
}
const UPSERT_DECISIONS = `${insert('routing_decision', DECISION)}
  on conflict (id) do update set entries = excluded.entries`

/** The fields of a conversation that a message changes by itself. */
export const ACTIVITY: ReadonlySet<string> = new Set(Object.keys(ACTIVITY_COLUMNS))
