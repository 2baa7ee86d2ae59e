import type { Sql } from '../../../platform/db/database.js'
import { selectList } from '../../../platform/db/columns.js'
import { hasWebhookListenersSql } from '../../../platform/events/outbox.js'
import { camelRow } from '../../../platform/lists/rows.js'
import { CONVERSATION_COLUMNS, PARTICIPANT_COLUMNS } from '../state/conversation-columns.js'
import { reachOfConversations } from '../state/contact-routes.js'
import type { Aggregate, ConversationState, ParticipantState } from '../state/conversation-state.js'
import { OPEN_STREAMS, type OpenStream } from '../state/message-stream.js'

interface LockedRow extends ConversationState {
  contactName: string | null
  contactStatus: string | null
  hasWebhookListeners: boolean
}

/**
 * Reads conversations with their participants and locks the conversations' rows until the end of the transaction, in
 * the order of their ids, so that no two transactions deadlock. Waits for locked rows. Omits ids that do not exist.
 */
export async function lockAggregates(sql: Sql, ids: readonly string[]): Promise<Map<string, Aggregate>> {
  return readAggregates(sql, ids, [], { text: LOCK, name: 'lock-conversations' })
}

/**
 * Locks conversations like {@link lockAggregates}, but skips those that another transaction has locked.
 * @param delivering conversations whose operation sends to the contact: includes the touchpoints that reach it
 * @returns as `busy` those that exist and are locked by another transaction
 */
export async function lockFreeAggregates(
  sql: Sql,
  ids: readonly string[],
  delivering: readonly string[],
): Promise<{ aggregates: Map<string, Aggregate>; busy: ReadonlySet<string> }> {
  const lock = { text: `${LOCK} skip locked`, name: 'lock-free-conversations' }
  const aggregates = await readAggregates(sql, ids, delivering, lock)
  const left = ids.filter((id) => !aggregates.has(id))
  if (left.length === 0) return { aggregates, busy: new Set() }
  const rows = await sql.query<{ id: string }>('select id from conversation where id = any($1::uuid[])', [left])
  return { aggregates, busy: new Set(rows.map(({ id }) => id)) }
}

/** Not `for update`: the key never changes, and rows that refer to it may be added concurrently. */
const LOCK = `
select ${selectList(CONVERSATION_COLUMNS, 'c')}, ct.profile ->> 'name' as contact_name, ct.status as contact_status,
  ${hasWebhookListenersSql('c')} as has_webhook_listeners
from conversation c left join contact ct on ct.id = c.contact_id
where c.id = any($1::uuid[]) order by c.id for no key update of c`

const PARTICIPANTS = `select ${selectList(PARTICIPANT_COLUMNS, 'p')} from participant p
  where p.conversation_id = any($1::uuid[]) order by p.created_at, p.user_id`

async function readAggregates(
  sql: Sql,
  ids: readonly string[],
  delivering: readonly string[],
  lock: { text: string; name: string },
): Promise<Map<string, Aggregate>> {
  // Further statements: after waiting for a lock, a single one would read participants as of before the wait.
  const locked = sql.query<Record<string, unknown>>(lock.text, [ids], lock.name)
  const joined = sql.query<Record<string, unknown>>(PARTICIPANTS, [ids], 'read-participants')
  const begun = sql.query<Record<string, unknown>>(OPEN_STREAMS, [ids], 'read-open-streams')
  const reached = delivering.length > 0 ? reachOfConversations(sql, delivering) : null
  const [conversations, participants, streams, reaches] = await Promise.all([locked, joined, begun, reached])
  const aggregates = new Map<string, Aggregate>()
  for (const row of conversations) {
    const { contactName, contactStatus, hasWebhookListeners, ...conversation } = camelRow<LockedRow>(row)
    const isContactBlocked = contactStatus === 'blocked'
    const reach = reaches?.get(conversation.id)
    aggregates.set(conversation.id, {
      conversation,
      participants: new Map(),
      contactName,
      isContactBlocked,
      hasWebhookListeners,
      reach,
    })
  }
  for (const row of participants) {
    const participant = camelRow<ParticipantState>(row)
    aggregates.get(participant.conversationId)?.participants.set(participant.userId, participant)
  }
  for (const row of streams) {
    const stream = camelRow<OpenStream>(row)
    const aggregate = aggregates.get(stream.conversationId)
    if (aggregate) aggregate.streams = [...(aggregate.streams ?? []), stream]
  }
  return aggregates
}
