import { columnName, sqlTypes, type Column } from '../../../platform/db/columns.js'
import type { Sql } from '../../../platform/db/database.js'
import type { DeliveryRow } from '../../messages/delivery.js'
import { DELIVERY_COLUMNS, MESSAGE_COLUMNS } from '../../messages/message-columns.js'
import type { MessageRow } from '../../messages/message-row.js'
import { UPSERT_CLOCKS, type ClockRow } from '../../sla/clock-row.js'
import type { DecisionBasis } from '../../workflows/decision-basis.js'
import type { RoutingTraceEntry } from '../../workflows/routing-decision.js'
import { CONVERSATION_COLUMNS, PARTICIPANT_COLUMNS } from './conversation-columns.js'
import { END_OFFERS, INSERT_OFFERS, type EndedOffer, type OfferRow } from './offer.js'
import type { ConversationState, ParticipantState } from './conversation-state.js'
import { END_STREAMS, INSERT_STREAMS, type EndedStream, type OpenStream } from './message-stream.js'
import { END_PROPOSALS, type EndedProposal } from './pending-proposal.js'
import { groupMilestones, INSERT_MILESTONES, type MilestoneRow } from './milestone.js'

/** The decision of a queueing, for `routing_decision`. */
export interface RoutingDecisionRow {
  id: string
  conversationId: string
  queueing: number
  trigger: string
  /** Entries of matched rules; of all rules if there is no basis. */
  entries: RoutingTraceEntry[]
  facts: DecisionBasis['facts'] | null
  workflows: DecisionBasis['workflows'] | null
  createdAt: Date
}

/** A conversation's row to write; an advanced one is updated only in the columns of {@link ACTIVITY}. */
export interface ChangedConversation {
  state: ConversationState
  change: 'inserted' | 'updated' | 'advanced'
}

/** All changes of a batch of operations; no row occurs twice. */
export interface ConversationChanges {
  conversations: ChangedConversation[]
  participants: ParticipantState[]
  leavers: { conversationId: string; userId: string }[]
  messages: MessageRow[]
  changedMessages: MessageRow[]
  deliveries: DeliveryRow[]
  changedDeliveries: DeliveryRow[]
  decisions: RoutingDecisionRow[]
  offers: OfferRow[]
  endedOffers: EndedOffer[]
  milestones: MilestoneRow[]
  clocks: ClockRow[]
  begunStreams: OpenStream[]
  endedStreams: EndedStream[]
  endedProposals: EndedProposal[]
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
    offers: [],
    endedOffers: [],
    milestones: [],
    clocks: [],
    begunStreams: [],
    endedStreams: [],
    endedProposals: [],
  }
}

function activityOf(conversation: ConversationState): object {
  const activity: Record<string, unknown> = { id: conversation.id }
  for (const property of ACTIVITY) activity[property] = conversation[property]
  return activity
}

/** Writes a batch's changes with one statement per table; tables without changes are skipped. */
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
    [changes.offers, 'insert-offers', INSERT_OFFERS],
    [changes.endedOffers, 'end-offers', END_OFFERS],
    [groupMilestones(changes.milestones), 'insert-milestones', INSERT_MILESTONES],
    [changes.clocks, 'upsert-clocks', UPSERT_CLOCKS],
    [changes.begunStreams, 'insert-streams', INSERT_STREAMS],
    [changes.endedStreams, 'end-streams', END_STREAMS],
    [changes.endedProposals, 'end-proposals', END_PROPOSALS],
  ]
  // Not awaited individually: the connection runs the statements in order, and the first failure fails the
  // transaction.
  await Promise.all(
    writes
      .filter(([rows]) => rows.length > 0)
      .map(([rows, name, text]) => sql.query(text, [JSON.stringify(rows)], name)),
  )
}

const isInserted = ({ written }: Column): boolean => written !== 'database'
const isChanged = ({ written }: Column): boolean => written === 'change' || written === 'message'

/** SQL types of the columns that inserts and updates write. */
const CONVERSATION = sqlTypes(CONVERSATION_COLUMNS, isInserted)
const CHANGED_CONVERSATION = sqlTypes(CONVERSATION_COLUMNS, isChanged)
/** Columns that every message changes; most messages change no others. */
const ACTIVITY_COLUMNS = sqlTypes(CONVERSATION_COLUMNS, ({ written }) => written === 'message')
const PARTICIPANT = sqlTypes(PARTICIPANT_COLUMNS, isInserted)
const CHANGED_PARTICIPANT = sqlTypes(PARTICIPANT_COLUMNS, isChanged)
const PARTICIPANT_KEY = sqlTypes(PARTICIPANT_COLUMNS, ({ written }) => written === undefined)
const MESSAGE = sqlTypes(MESSAGE_COLUMNS, isInserted)
const CHANGED_MESSAGE = sqlTypes(MESSAGE_COLUMNS, isChanged)
const DELIVERY = sqlTypes(DELIVERY_COLUMNS, isInserted)
const CHANGED_DELIVERY = sqlTypes(DELIVERY_COLUMNS, isChanged)

type SqlTypes = Readonly<Record<string, string>>

const columns = (of: SqlTypes): string => Object.keys(of).map(columnName).join(', ')
const values = (of: SqlTypes): string =>
  Object.keys(of)
    .map((key) => `x."${key}"`)
    .join(', ')
const records = (of: SqlTypes): string =>
  `jsonb_to_recordset($1::jsonb) as x(${Object.entries(of)
    .map(([key, type]) => `"${key}" ${type}`)
    .join(', ')})`
const insert = (table: string, of: SqlTypes): string =>
  `insert into ${table} (${columns(of)}) select ${values(of)} from ${records(of)}`
const assign = (of: SqlTypes, from: string): string =>
  Object.keys(of)
    .map((key) => `${columnName(key)} = ${from === 'x' ? `x."${key}"` : `excluded.${columnName(key)}`}`)
    .join(', ')

const INSERT_CONVERSATIONS = insert('conversation', CONVERSATION)
const UPDATE_CONVERSATIONS = `update conversation c set ${assign(CHANGED_CONVERSATION, 'x')}
  from ${records({ id: 'uuid', ...CHANGED_CONVERSATION })} where c.id = x.id`
const ADVANCE_CONVERSATIONS = `update conversation c set ${assign(ACTIVITY_COLUMNS, 'x')}
  from ${records({ id: 'uuid', ...ACTIVITY_COLUMNS })} where c.id = x.id`
const INSERT_MESSAGES = insert('message', MESSAGE)
const UPDATE_MESSAGES = `update message m set ${assign(CHANGED_MESSAGE, 'x')}
  from ${records({ id: 'uuid', ...CHANGED_MESSAGE })} where m.id = x.id`
const INSERT_DELIVERIES = insert('delivery', DELIVERY)
const UPDATE_DELIVERIES = `update delivery d set ${assign(CHANGED_DELIVERY, 'x')}
  from ${records({ id: 'uuid', ...CHANGED_DELIVERY })} where d.id = x.id`
const DELETE_PARTICIPANTS = `delete from participant p using ${records(PARTICIPANT_KEY)}
  where p.conversation_id = x."conversationId" and p.user_id = x."userId"`
const UPSERT_PARTICIPANTS = `${insert('participant', PARTICIPANT)}
  on conflict (conversation_id, user_id) do update set ${assign(CHANGED_PARTICIPANT, 'excluded')}`
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

/** Fields of a conversation that every message changes. */
export const ACTIVITY: ReadonlySet<keyof ConversationState> = new Set(
  Object.keys(ACTIVITY_COLUMNS) as (keyof ConversationState)[],
)
