import type { Bench, HttpResult } from '../harness/bench.js'
import type { Seed } from '../harness/seed.js'
import { SEND } from './send.js'

/** Text that an agent sends. */
export const TEXT = 'Your order left our warehouse this morning, and you should have it tomorrow before noon.'

export interface AgentSends {
  organization: string
  /** Sends messages for so many milliseconds. @param concurrency default: the one given */
  send(ms: number, concurrency?: number): Promise<HttpResult>
}

/** Makes an organization of 20 agents with conversations, in which they answer over HTTP GraphQL. */
export async function openAgentSends(
  bench: Bench,
  given: { conversations: number; concurrency: number },
): Promise<AgentSends> {
  const { seed, ids, tokens } = await openSeeded(bench, given.conversations)
  const bodies = sendBodies(ids)
  return {
    organization: seed.organization,
    send: (ms, concurrency = given.concurrency) =>
      bench.http({ method: 'POST', path: '/graphql', tokens, bodies, concurrency, ms }),
  }
}

export interface Seeded {
  seed: Seed
  /** Its conversations. */
  ids: string[]
  /** Tokens of its agents. */
  tokens: string[]
}

/** Makes an organization of 20 agents with so many conversations. */
export async function openSeeded(bench: Bench, conversations: number): Promise<Seeded> {
  const { seeder } = bench
  const seed = await seeder.organization(20)
  const ids = await seeder.conversations(seed, conversations)
  await seeder.settle()
  return { seed, ids, tokens: await bench.tokens(seed.agents) }
}

/** Requests that send a message of an agent, one to each conversation. */
export function sendBodies(ids: readonly string[]): { query: string; variables: object }[] {
  const message = { type: 'CHAT', role: 'AGENT', text: TEXT }
  return ids.map((conversation) => ({ query: SEND, variables: { conversation, message } }))
}
