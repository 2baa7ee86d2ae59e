import type { Bench, HttpResult } from '../harness/bench.js'
import { SEND } from './send.js'

const TEXT = 'Your order left our warehouse this morning, and you should have it tomorrow before noon.'

export interface AgentSends {
  organization: string
  /** Sends messages for so many milliseconds. */
  send(ms: number): Promise<HttpResult>
}

/** Makes an organization of 20 agents with conversations, in which they answer over HTTP GraphQL. */
export async function openAgentSends(
  bench: Bench,
  given: { conversations: number; concurrency: number },
): Promise<AgentSends> {
  const { seeder } = bench
  const seed = await seeder.organization(20)
  const conversations = await seeder.conversations(seed, given.conversations)
  await seeder.settle()
  const tokens = await bench.tokens(seed.agents)
  const message = { type: 'CHAT', role: 'AGENT', text: TEXT }
  const bodies = conversations.map((conversation) => ({ query: SEND, variables: { conversation, message } }))
  const { concurrency } = given
  return {
    organization: seed.organization,
    send: (ms) => bench.http({ method: 'POST', path: '/graphql', tokens, bodies, concurrency, ms }),
  }
}
