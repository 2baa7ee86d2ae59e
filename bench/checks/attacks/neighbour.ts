import type { Bench } from '../../harness/bench.js'

const PER_SECOND = 20

/** Milliseconds that another tenant waited; without end for what was refused. */
export interface Times {
  sends: number[]
  reads: number[]
}

/** Its work, for `how`. */
export const NEIGHBOUR = `${PER_SECOND} sends and as many pages of conversations a second of another tenant`

/** Sends and reads at a steady pace, each begun on time whatever became of the one before. */
export type Neighbour = (ms: number) => Promise<Times>

export async function prepareNeighbour({ seeder, tokens, url }: Bench): Promise<Neighbour> {
  const seed = await seeder.organization(5)
  const conversations = await seeder.conversations(seed, 200)
  const [token] = await tokens(seed.agents)
  const send = (turn: number): Promise<number> =>
    timed(url, token!, SEND, { conversation: conversations[turn % conversations.length] })
  const read = (): Promise<number> => timed(url, token!, PAGE)
  return async (ms) => {
    const times: { sends: Promise<number>[]; reads: Promise<number>[] } = { sends: [], reads: [] }
    const startedAt = performance.now()
    for (let turn = 0; turn < (ms / 1_000) * PER_SECOND; turn += 1) {
      await sleep(startedAt + (turn * 1_000) / PER_SECOND - performance.now())
      times.sends.push(send(turn))
      times.reads.push(read())
    }
    return { sends: await Promise.all(times.sends), reads: await Promise.all(times.reads) }
  }
}

const SEND = `mutation ($conversation: ID!) {
  sendMessage(conversation: $conversation, message: { role: AGENT, text: "It is on its way." }) { id }
}`
const PAGE = `{ conversations(first: 20) { edges { node { id status preview contact { profile { name } } } } } }`

/** @returns milliseconds; without end when it is refused: nothing that failed may count as fast */
async function timed(url: string, token: string, query: string, variables: object = {}): Promise<number> {
  const since = performance.now()
  const response = await fetch(`${url}/graphql`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ query, variables }),
  })
  const { errors } = (await response.json()) as { errors?: unknown }
  return errors ? Infinity : performance.now() - since
}

export function sleep(ms: number): Promise<void> {
  return ms > 0 ? new Promise((resolve) => setTimeout(resolve, ms)) : Promise.resolve()
}
