import { systemClock } from '../../src/db/clock.js'
import type { Floor } from '../harness/load-process.js'

export interface SendFloorOptions {
  conversations: string[]
  organization: string
  user: string
  text: string
}

/**
 * What a send writes, by bare `pg`: three prepared statements in one transaction, with the rows, columns and events that
 * the product writes for an agent's message to a consumer on the web (the message with its delivery, the unread count,
 * the conversation), and nothing else: no HTTP, no permission, no rules.
 */
export const floor: Floor<SendFloorOptions> = async (client, { conversations, organization, user, text }, turn) => {
  const conversation = conversations[turn % conversations.length]!
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
    const participants = await client.query<Record<string, unknown>>({
      name: 'floor-message',
      text: INSERT_MESSAGE,
      values: [id, organization, at, conversation, position, user, text, systemClock.newId()],
    })
    const delivery = {
      id,
      organizationId: organization,
      org1: organization,
      org2: null,
      org3: null,
      conversationId: conversation,
      messageId: id,
      touchpoint: 'web',
      serviceId: null,
      recipient: null,
      status: 'sent',
      reason: null,
      providerId: null,
      segments: null,
      attempts: 0,
      createdAt: at,
      updatedAt: at,
    }
    const message = {
      id,
      type: 'chat',
      role: 'agent',
      isBackchannel: false,
      userId: user,
      contentType: 'text/plain',
      text,
      serviceId: null,
      touchpoint: null,
      actions: null,
      items: null,
      meta: null,
      likes: [],
      comments: [],
      version: 1,
      organizationId: organization,
      org1: organization,
      org2: null,
      org3: null,
      conversationId: conversation,
      position,
      createdAt: at,
      updatedAt: at,
      deliveries: [delivery],
    }
    await client.query({
      name: 'floor-events',
      text: APPEND_EVENTS,
      values: [
        `conversation:${conversation}`,
        at,
        JSON.stringify({ message }),
        JSON.stringify({ participants: participants.rows }),
      ],
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
with message as (
  insert into message (id, organization_id, org1, created_at, updated_at, conversation_id, position, type, role, user_id, text)
  values ($1, $2, $2, $3, $3, $4, $5, 'chat', 'agent', $6, $7)
), delivery as (
  insert into delivery (id, organization_id, org1, created_at, updated_at, conversation_id, message_id, touchpoint, status)
  values ($8, $2, $2, $3, $3, $4, $1, 'web', 'sent')
)
update participant set unread_count = unread_count + 1, updated_at = $3 where conversation_id = $4 and user_id <> $6
returning *`

const APPEND_EVENTS = `
with head as (
  insert into stream as s (name, head) values ($1, 2) on conflict (name) do update set head = s.head + 2 returning s.head
)
insert into event (stream, number, type, at, data)
select $1, head - 1, 'message.added', $2::timestamptz, $3::jsonb from head
union all select $1, head, 'participants.changed', $2::timestamptz, $4::jsonb from head`
