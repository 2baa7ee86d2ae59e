import { systemClock } from '../../../src/platform/db/clock.js'
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

/**
 * Writes what the create of a routed conversation writes, by bare `pg`: contact, conversation, message, decision and
 * milestones by one prepared statement, four events in three streams by another, in one transaction. No HTTP, no
 * permission, no rules.
 */
export const floor: Floor<InboundFloorOptions> = async (client, options) => {
  const { organization, channel, user, text } = options
  const [id, contact] = [systemClock.newId(), systemClock.newId()]
  const at = new Date()
  const message = messageRow(options, id, 1, at)
  const decision = decisionRow(options)
  const profile = { name: 'Consumer', email: `${contact}@example.com` }
  const conversation = conversationRow(options, id, {
    contactId: contact,
    createdById: user,
    createdAt: at,
    updatedAt: at,
    queuedAt: at,
    messageCount: 1,
    lastMessageId: message.id,
    lastMessageAt: at,
  })
  const events = [
    {
      stream: `organization:${organization}`,
      type: 'contact.created',
      data: { id: contact, meta: null, status: 'active', profile, organization },
    },
    { stream: `conversation:${id}`, type: 'conversation.created', data: { conversation } },
    { stream: `conversation:${id}`, type: 'message.added', data: { message } },
    queueEntryOf(options, id, at),
  ] as unknown as NewEvent[]
  await inTransaction(client, async () => {
    await client.query({
      name: 'floor-create',
      text: INSERT_ALL,
      values: [
        organization,
        at,
        contact,
        JSON.stringify(profile),
        profile.email,
        id,
        channel,
        user,
        message.id,
        text,
        JSON.stringify(conversation.touchpoints),
        decision.id,
        JSON.stringify(decision.entries),
        JSON.stringify(decision.facts),
        JSON.stringify(decision.workflows),
      ],
    })
    await appendFloorEvents(client, events, at)
  })
}

const INSERT_ALL = `
with contact as (
  insert into contact (id, organization_id, org1, created_at, updated_at, profile, email)
  values ($3, $1, $1, $2, $2, $4, $5)
), conversation as (
  insert into conversation (id, organization_id, org1, created_at, updated_at, type, name, slug, status, contact_id,
    touchpoint, touchpoints, channels_offline, created_by_id, queued_at, queueing, awaiting_reply, message_count,
    last_message_id, last_message_at, last_message_role, preview, milestone_count, case_at, case_channels, waiting_since)
  values ($6::uuid, $1, $1, $2, $2, 'contact', 'Swift Otter', $6::uuid::text, 'queued', $3, 'web', $11, array[$7::uuid], $8, $2, 1, true,
    1, $9, $2, 'contact', $10, 4, $2, array[$7::uuid], $2)
), message as (
  insert into message (id, organization_id, org1, created_at, updated_at, conversation_id, position, type, role, user_id, text)
  values ($9, $1, $1, $2, $2, $6, 1, 'chat', 'contact', $8, $10)
), milestone as (
  insert into milestone (conversation_id, nth, kind, at, org1, channels, touchpoint)
  select $6, nth, kind, $2, $1, array[$7::uuid], 'web'
  from unnest(array['created', 'queued', 'notified', 'consumerTurn']) with ordinality as x(kind, nth)
)
insert into routing_decision (id, conversation_id, queueing, trigger, entries, facts, workflows, created_at)
values ($12, $6, 1, 'contact message', $13, $14, $15, $2)`
