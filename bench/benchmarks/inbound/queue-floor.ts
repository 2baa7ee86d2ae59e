import type { NewEvent } from '../../../src/platform/events/event.js'
import type { Floor } from '../../harness/load-process.js'
import {
  appendFloorEvents,
  conversationRow,
  decisionRow,
  inTransaction,
  messageRow,
  queueEntryOf,
  type InboundFloorOptions,
} from './inbound-rows.js'

export interface QueueFloorOptions extends InboundFloorOptions {
  conversations: string[]
}

/**
 * Writes what a consumer's message to a closed conversation writes, by bare `pg`: the conversation, the message with
 * the decision and the milestones, three events in two streams, by three prepared statements in one transaction.
 */
export const floor: Floor<QueueFloorOptions> = async (client, options, turn) => {
  const { organization, channel, user, text } = options
  const id = options.conversations[turn % options.conversations.length]!
  const at = new Date()
  const decision = decisionRow(options)
  await inTransaction(client, async () => {
    const { rows } = await client.query<{ message_count: number; contact_id: string; milestone_count: number }>({
      name: 'floor-queue',
      text: UPDATE_CONVERSATION,
      values: [id, at, channel, text],
    })
    const message = messageRow(options, id, rows[0]!.message_count, at)
    await client.query({
      name: 'floor-message',
      text: INSERT_MESSAGE,
      values: [
        message.id,
        organization,
        at,
        id,
        message.position,
        user,
        text,
        decision.id,
        JSON.stringify(decision.entries),
        JSON.stringify(decision.facts),
        JSON.stringify(decision.workflows),
        channel,
        rows[0]!.milestone_count,
      ],
    })
    const conversation = conversationRow(options, id, {
      contactId: rows[0]!.contact_id,
      createdById: null,
      createdAt: at,
      updatedAt: at,
      queuedAt: at,
      messageCount: message.position,
      lastMessageId: message.id,
      lastMessageAt: at,
    })
    const events = [
      { stream: `conversation:${id}`, type: 'message.added', data: { message } },
      { stream: `conversation:${id}`, type: 'conversation.changed', data: { conversation } },
      queueEntryOf(options, id, at),
    ] as unknown as NewEvent[]
    await appendFloorEvents(client, events, at)
  })
}

const UPDATE_CONVERSATION = `
update conversation set status = 'queued', queued_at = $2, queueing = queueing + 1, channels_offline = array[$3::uuid],
  awaiting_reply = true, message_count = message_count + 1, last_message_at = $2, last_message_role = 'contact',
  preview = $4, version = version + 1, updated_at = $2, milestone_count = milestone_count + 3, case_at = $2,
  case_channels = array[$3::uuid], waiting_since = $2
where id = $1 returning message_count, contact_id, milestone_count`

const INSERT_MESSAGE = `
with message as (
  insert into message (id, organization_id, org1, created_at, updated_at, conversation_id, position, type, role, user_id, text)
  values ($1, $2, $2, $3, $3, $4, $5, 'chat', 'contact', $6, $7)
), milestone as (
  insert into milestone (conversation_id, nth, kind, at, org1, channels, touchpoint)
  select $4, $13 - 3 + nth, kind, $3, $2, array[$12::uuid], 'web'
  from unnest(array['queued', 'notified', 'consumerTurn']) with ordinality as x(kind, nth)
)
insert into routing_decision (id, conversation_id, queueing, trigger, entries, facts, workflows, created_at)
values ($8, $4, 1, 'contact message', $9, $10, $11, $3)`
