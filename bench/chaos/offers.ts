import type pg from 'pg'
import WebSocket from 'ws'
import { LiveClient } from '@switchboard/client'
import { QUEUE } from '@switchboard/client/documents'
import { Refused } from './api.js'
import type { Random } from './random.js'
import { createConversation, type Person, type Stage } from './stage.js'
import { sleep } from './victim.js'

const BETWEEN_MS = 300

export interface Habits {
  /** Between looking at its offers. */
  pauseMs: number
  /** Shares of the offers that an agent lets expire, and that it declines. */
  ignored: number
  declined: number
}

const HABITS: Habits = { pauseMs: 100, ignored: 0.15, declined: 0.3 }

interface Pending {
  id: string
  conversationId: string
}

/** Agents who answer offers, and a bot that queues a conversation for them every now and then, until stopped. */
export async function runOffers(url: string, stage: Stage, random: Random, isOver: () => boolean): Promise<void> {
  const { bot, offers } = stage
  const closeScreens = openScreens(url, offers.agents)
  try {
    const working = offers.agents.map((agent) => answerOffers(agent, random, HABITS, isOver))
    for (let turn = 0; !isOver(); turn += 1) {
      const conversation = await createConversation(bot, `offered ${turn}`)
      const notify = { type: 'command', text: '/notify', meta: { channels: [offers.channel] } }
      await bot.api.rest('POST', `/conversations/${conversation}/messages`, notify, `offer ${turn}`)
      await sleep(BETWEEN_MS)
    }
    await Promise.all(working)
  } finally {
    await closeScreens()
  }
}

/** Opens the queues of agents by sockets. @returns what closes them */
export function openScreens(url: string, agents: readonly Person[]): () => Promise<void> {
  const screens = agents.map(
    ({ api: { token } }) => new LiveClient({ serverUrl: url, token: () => token, webSocketImpl: WebSocket }),
  )
  for (const screen of screens) screen.open(QUEUE, { variables: {}, onChange: () => undefined })
  return async () => void (await Promise.all(screens.map((screen) => screen.close())))
}

/**
 * An agent who answers offers until stopped: it leaves what it accepts, which closes it. At the end the agent goes offline:
 * what is pending is withdrawn, and nothing is offered any more.
 */
export async function answerOffers(
  { api }: Person,
  random: Random,
  { pauseMs, ignored: ignores, declined }: Habits,
  isOver: () => boolean,
): Promise<void> {
  const ask = async <Value>(query: string, variables: Record<string, unknown> = {}): Promise<Value[] | null> =>
    api.gqlAll<Value>(query, variables).catch((error: unknown) => {
      // The offer ended in the meantime, or the request before the repeated one had its effect.
      if (error instanceof Refused) return null
      throw error
    })
  const ignored = new Set<string>()
  const set = (availability: string) =>
    ask('mutation ($is: Availability!) { setAvailability(availability: $is) { load } }', { is: availability })
  while (!isOver()) {
    const [state, pending] = (await ask(LOOK)) as [{ availability: string }, Pending[]]
    if (state.availability !== 'AVAILABLE') await set('AVAILABLE')
    for (const { id, conversationId } of pending.filter((offer) => !ignored.has(offer.id))) {
      if (random.chance(ignores)) ignored.add(id)
      else if (random.chance(declined)) await ask('mutation ($id: ID!) { declineOffer(offer: $id) { id } }', { id })
      else {
        await ask('mutation ($id: ID!) { acceptConversation(conversation: $id, ifQueued: true) { id } }', {
          id: conversationId,
        })
        await ask('mutation ($id: ID!) { leaveConversation(conversation: $id) { id } }', { id: conversationId })
      }
    }
    await sleep(pauseMs)
  }
  await set('OFFLINE')
}

const LOOK = '{ agentState { availability } offers { id conversationId } }'

export interface OffersFound {
  made: number
  accepted: number
  declined: number
  expired: number
  withdrawn: number
  /** Offers that did not end exactly once, and those made while one of the same conversation was pending. */
  wrong: number
}

/** By the table and the log, which must agree. */
export async function judgeOffers(sql: pg.Client): Promise<OffersFound> {
  const { rows } = await sql.query<OffersFound>(`
    with told as (
      select type, lead(type) over (partition by stream order by number) as next
      from event where type in ('conversation.offered', 'conversation.offerEnded')
    ), ended as (
      select data ->> 'offer' as offer, count(*) as times from event where type = 'conversation.offerEnded' group by 1
    )
    select count(*)::int as made,
      count(*) filter (where outcome = 'accepted')::int as accepted,
      count(*) filter (where outcome = 'declined')::int as declined,
      count(*) filter (where outcome = 'expired')::int as expired,
      count(*) filter (where outcome = 'withdrawn')::int as withdrawn,
      (count(*) filter (where o.outcome is null or e.times is distinct from 1)
        + (select count(*) from told where type = next))::int as wrong
    from offer o left join ended e on e.offer = o.id::text`)
  return rows[0]!
}
