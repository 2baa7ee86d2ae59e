import type { PoolClient } from 'pg'
import { systemClock } from '../src/db/clock.js'

export interface FloorMessage {
  conversation: string
  organization: string
  user: string
  text: string
}

/**
 * What a send writes, by bare `pg`: three prepared statements in one transaction, with the columns and the event that
 * the product writes, and nothing else: no HTTP, no permission, no rules.
 */
export async function floorSend(client: PoolClient, { conversation, organization, user, text }: FloorMessage): Promise<void> {
  const id = systemClock.newId()
  const at = new Date()
  try {
    await client.query('begin')
    const updated = await client.query<{ message_count: number }>({
      name: 'floor-conversation',
      text: UPDATE_CONVERSATION,
      values: [conversation, id, at, text],
    })
    const position = updated.rows[0]!.message_count
    await client.query({
      name: 'floor-message',
      text: INSERT_MESSAGE,
      values: [id, organization, at, conversation, position, user, text],
    })
    const message = {
      id, type: 'chat', role: 'agent', isBackchannel: false, userId: user, contentType: 'text/plain', text,
      serviceId: null, touchpoint: null, actions: null, items: null, meta: null, likes: [], comments: [], version: 1,
      organizationId: organization, org1: organization, org2: null, org3: null, conversationId: conversation, position,
      createdAt: at, updatedAt: at,
    }
    await client.query({
      name: 'floor-event',
      text: APPEND_EVENT,
      values: [`conversation:${conversation}`, at, JSON.stringify({ message })],
    })
    await client.query('commit')
  } catch (error) {
    await client.query('rollback')
    throw error
  }
}

const UPDATE_CONVERSATION = `
update conversation set message_count = message_count + 1, last_message_id = $2, last_message_at = $3,
  last_message_role = 'agent', preview = $4, version = version + 1, updated_at = $3
where id = $1 returning message_count`

const INSERT_MESSAGE = `
insert into message (id, organization_id, org1, created_at, updated_at, conversation_id, position, type, role, user_id, text)
values ($1, $2, $2, $3, $3, $4, $5, 'chat', 'agent', $6, $7)`

const APPEND_EVENT = `
with head as (
  insert into stream as s (name, head) values ($1, 1) on conflict (name) do update set head = s.head + 1 returning s.head
)
insert into event (stream, number, type, at, data) select $1, head, 'message.added', $2, $3::jsonb from head`
