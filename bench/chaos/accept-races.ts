import type pg from 'pg'
import { Refused } from './api.js'
import { createConversation, type Person, type Stage } from './stage.js'
import { sleep } from './victim.js'

const ACCEPT = `mutation ($id: ID!) { acceptConversation(conversation: $id, ifQueued: true) { id } }`
const PAUSE_MS = 200

/** One conversation that all agents tried to accept, if it was still queued, and the final response to each. */
export interface AcceptRace {
  conversation: string
  responses: ReadonlyMap<string, 'won' | 'lost'>
}

/**
 * Lets agents race for conversations that nobody else writes to, one after the other, until stopped. Their requests
 * have no idempotency key: an agent without a response repeats the request, and must get the outcome.
 */
export async function runAcceptRaces(name: string, stage: Stage, isOver: () => boolean): Promise<AcceptRace[]> {
  const races: AcceptRace[] = []
  for (let turn = 0; !isOver(); turn += 1) {
    const conversation = await createConversation(stage.bot, `${name} ${turn}`)
    const responses = await Promise.all(
      stage.agents.map(async (agent) => [agent.id, await accept(agent, conversation)] as const),
    )
    races.push({ conversation, responses: new Map(responses) })
    await sleep(PAUSE_MS)
  }
  return races
}

async function accept({ api }: Person, id: string): Promise<'won' | 'lost'> {
  try {
    await api.gql(ACCEPT, { id })
    return 'won'
  } catch (error) {
    if (error instanceof Refused) return 'lost'
    throw error
  }
}

/** Returns agents with a wrong response: a winner that lost, or a second winner. */
export async function countWrongAnswers(sql: pg.Client, races: readonly AcceptRace[]): Promise<number> {
  const { rows } = await sql.query<{ conversation: string; winner: string }>(
    `select conversation_id as conversation, user_id as winner from participant
     where accepted and conversation_id = any($1::uuid[])`,
    [races.map(({ conversation }) => conversation)],
  )
  const winners = new Map(rows.map(({ conversation, winner }) => [conversation, winner]))
  return races
    .flatMap(({ conversation, responses }) =>
      [...responses].map(([agent, answer]) => (winners.get(conversation) === agent) !== (answer === 'won')),
    )
    .filter((isWrong) => isWrong).length
}

/** Writes whose key was refused although they took effect. */
export async function countRefusedYetDone(sql: pg.Client, keys: readonly string[]): Promise<number> {
  const { rows } = await sql.query<{ done: number }>(
    `select count(*)::int as done from message where coalesce(meta ->> 'key', text) = any($1::text[])`,
    [keys],
  )
  return rows[0]!.done
}
