import { floorMessage, floorPlace } from '../harness/floor-message.js'
import type { NewEvent } from '../../src/platform/events/event.js'
import { systemClock } from '../../src/platform/db/clock.js'
import type { Floor } from '../harness/load-process.js'
import { appendFloorEvents, inTransaction } from './inbound/inbound-rows.js'

export interface SendFloorOptions {
  conversations: string[]
  organization: string
  /** The participants of a conversation are those of its place in the list and of the next one, see `Seeder`. */
  agents: string[]
  text: string
}

/**
 * Writes what a send writes, by bare `pg`: three prepared statements in one transaction, with the rows, columns and
 * events that the product writes for an agent's message to a consumer on the web (the message with its delivery, the
 * other agent's unread count, the conversation, the entry in both agents' lists), and nothing else: no HTTP, no
 * permission, no rules.
 */
export const floor: Floor<SendFloorOptions> = async (client, { conversations, organization, agents, text }, turn) => {
  const place = turn % conversations.length
  const conversation = conversations[place]!
  const [user, other] = [agents[place % agents.length]!, agents[(place + 1) % agents.length]!]
  const id = systemClock.newId()
  const at = new Date()
  await inTransaction(client, async () => {
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
    const [participant] = participants.rows
    const message = { ...messageOf({ id, organization, conversation, position, user, text }, at) }
    const entry = entryOf({ organization, conversation, text }, at)
    const events = [
      { stream: `conversation:${conversation}`, type: 'message.added', data: { message } },
      {
        stream: `conversation:${conversation}`,
        type: 'participants.changed',
        data: { participants: [participant, { ...participant, user_id: user }] },
      },
      ...[user, other].map((agent) => ({
        stream: `user:${agent}`,
        type: 'mine.changed',
        data: { entry, path: [organization] },
      })),
    ]
    await appendFloorEvents(client, events as unknown as NewEvent[], at)
  })
}

function messageOf(
  of: { id: string; organization: string; conversation: string; position: number; user: string; text: string },
  at: Date,
): object {
  const delivery = {
    id: of.id,
    ...floorPlace(of),
    messageId: of.id,
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
  return { ...floorMessage({ ...of, role: 'agent' }, at), deliveries: [delivery] }
}

function entryOf(of: { organization: string; conversation: string; text: string }, at: Date): object {
  return {
    conversation: of.conversation,
    organization: of.organization,
    name: 'Swift Otter',
    contactName: 'Consumer 1',
    status: 'active',
    touchpoint: 'web',
    category: null,
    language: null,
    preview: of.text,
    unreadCount: 0,
    active: true,
    accepted: true,
    follow: false,
    lastMessageAt: at,
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
