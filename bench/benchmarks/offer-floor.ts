import { systemClock } from '../../src/platform/db/clock.js'
import type { NewEvent } from '../../src/platform/events/event.js'
import type { Floor } from '../harness/load-process.js'
import type { Seed } from '../harness/seed.js'
import { appendFloorEvents, inTransaction } from './inbound/inbound-rows.js'

export interface OfferFloorOptions {
  ids: string[]
  seed: Seed
}

/**
 * Writes what an offer writes, by bare `pg`: the locks of the conversation and the agent, the rows, and the same
 * events.
 */
export const floor: Floor<OfferFloorOptions> = async (client, { ids, seed }, turn) => {
  const conversation = ids[turn % ids.length]!
  const { id: user } = seed.agents[turn % seed.agents.length]!
  const id = systemClock.newId()
  const at = new Date()
  const until = new Date(at.getTime() + 300_000)
  const candidates = seed.agents.map((agent) => ({
    userId: agent.id,
    outcome: agent.id === user ? 'chosen' : 'lessSuitable',
    reason: agent.id === user ? 'the best of those who have room' : 'others come first',
    load: 0,
  }))
  await inTransaction(client, async () => {
    await client.query({ name: 'floor-offer-lock', text: LOCK, values: [user] })
    await client.query({
      name: 'floor-offer',
      text: OFFER,
      values: [
        id,
        conversation,
        seed.channel,
        user,
        at,
        until,
        JSON.stringify(candidates),
        seed.organization,
        systemClock.newId(),
      ],
    })
    const offer = { id, conversationId: conversation, channelId: seed.channel, userId: user, until }
    const entry = {
      conversation,
      organization: seed.organization,
      name: 'Swift Otter',
      contactName: 'Consumer 1',
      status: 'queued',
    }
    const events = [
      { stream: `conversation:${conversation}`, type: 'conversation.offered', data: { offer } },
      { stream: `conversation:${conversation}`, type: 'conversation.changed', data: { conversation: entry } },
      { stream: `user:${user}`, type: 'offer.made', data: { offer, entry, path: [seed.organization] } },
    ]
    await appendFloorEvents(client, events as unknown as NewEvent[], at)
  })
}

const LOCK = 'select user_id from staff where user_id = $1 for no key update'

const OFFER = `
with offered as (
  update conversation set offer_id = $1, offer_user_id = $4, offer_until = $6, offer_at = $5, version = version + 1,
    milestone_count = milestone_count + 1, updated_at = $5 where id = $2 returning milestone_count
), made as (
  insert into offer (id, conversation_id, queueing, channel_id, user_id, made_at, until)
  values ($1, $2, 1, $3, $4, $5, $6)
), explained as (
  update routing_decision set candidates = $7 where conversation_id = $2
), told as (
  insert into milestone (conversation_id, nth, kind, at, org1, user_id, channels, touchpoint, detail)
  select $2, milestone_count, 'offered', $5, $8, $4, array[$3::uuid], 'web', $3::text from offered
)
insert into job (id, kind, run_at, payload, created_at)
values ($9, 'offer.expire', $6, jsonb_build_object('conversation', $2::text, 'offer', $1::text), $5)`
