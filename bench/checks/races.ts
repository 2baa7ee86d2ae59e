import type { Bench } from '../harness/bench.js'
import { RedisProcess } from '../chaos/redis-process.js'
import { failuresOf, type Check } from '../harness/figures.js'
import { RawConnection, rawRequest, type RawResponse } from '../harness/http-client.js'
import { Worker } from '../harness/processes.js'

const RACES = Number(process.env.BENCH_RACES ?? 10_000)
const RACES_AT_ONCE = 8

const ACCEPT = `mutation ($id: ID!) { acceptConversation(conversation: $id, ifQueued: true) { status } }`

/** Four agents accept the same conversation at once: over REST and GraphQL, on two nodes. */
export async function checkRaces({ databaseUrl, seeder }: Bench): Promise<Check[]> {
  const redis = await RedisProcess.start()
  const nodes = [new Worker('bench/harness/server-process.js'), new Worker('bench/harness/server-process.js')]
  try {
    const started = await Promise.all(
      nodes.map((node) => node.ask<{ url: string }>('start', { databaseUrl, redisUrl: redis.url })),
    )
    const seed = await seeder.organization(4)
    const conversations = await seeder.conversations(seed, RACES)
    await seeder.query('delete from participant where conversation_id = any($1::uuid[])', [conversations])
    await seeder.query(
      `update conversation set status = 'queued', queued_at = now(), channels = array[$2::uuid] where id = any($1::uuid[])`,
      [conversations, seed.channel],
    )
    const tokens = await nodes[0]!.ask<string[]>('tokens', seed.agents)
    const startedAt = performance.now()
    const winners = await race(
      conversations,
      started.map(({ url }) => url),
      tokens,
    )
    const seconds = (performance.now() - startedAt) / 1_000
    const others = winners.filter((count) => count !== 1).length
    const [row] = await seeder.query<{ wrong: number }>(
      `select count(*)::int as wrong from conversation c where c.id = any($1::uuid[]) and (c.status <> 'active'
         or (select count(*) from participant p where p.conversation_id = c.id and p.accepted) <> 1
         or (select count(*) from message m where m.conversation_id = c.id and m.type = 'command') <> 1)`,
      [conversations],
    )
    const wrong = row!.wrong
    return [
      {
        name: `/accept with ifQueued, raced ${RACES.toLocaleString('en-US')} times on 2 nodes`,
        aim: 'exactly one winner each time',
        failures: failuresOf({
          [`${others} races without exactly one winner`]: others === 0,
          [`${wrong} conversations differ from the winner's response`]: wrong === 0,
        }),
        found: [
          `${winners.length} races, ${others} without exactly one winner; ${wrong} conversations that do not have one accepting ` +
            `agent and one command; ${Math.round((RACES * 4) / seconds)} answers a second`,
        ],
        how:
          `Each queued conversation is accepted by four agents at once, two over REST and two over GraphQL, one of each on either ` +
          `node; ${RACES_AT_ONCE} races at a time. A winner is who is answered with success; the others are refused with 422.`,
      },
    ]
  } finally {
    await Promise.all(
      nodes.map(async (node) => {
        await node.ask('close').catch(() => undefined)
        await node.stop()
      }),
    )
    await redis.stop()
  }
}

/** @returns how many won, of each race */
async function race(
  conversations: readonly string[],
  urls: readonly string[],
  tokens: readonly string[],
): Promise<number[]> {
  const lanes = await Promise.all(
    Array.from({ length: RACES_AT_ONCE }, () =>
      Promise.all(tokens.map((_, index) => RawConnection.open(urls[index % urls.length]!))),
    ),
  )
  const winners: number[] = []
  const queue = conversations.values()
  await Promise.all(
    lanes.map(async (connections) => {
      for (const id of queue) {
        const answers = await Promise.all(
          connections.map((connection, index) => {
            const isRest = index < tokens.length / 2
            const request = isRest
              ? rawRequest('POST', `/v2/conversations/${id}/messages`, tokens[index]!, {
                  type: 'command',
                  text: '/accept',
                  meta: { ifQueued: true },
                })
              : rawRequest('POST', '/graphql', tokens[index]!, { query: ACCEPT, variables: { id } })
            return connection.send(request)
          }),
        )
        winners.push(answers.filter(isWon).length)
      }
    }),
  )
  for (const connection of lanes.flat()) connection.close()
  return winners
}

/** @throws Error for what is neither a success nor the refusal of who came too late */
function isWon({ status, body }: RawResponse): boolean {
  const text = String(body)
  if (status === 201 || (status === 200 && !text.includes('"errors"'))) return true
  if (status === 422 || text.includes('UNPROCESSABLE')) return false
  throw new Error(`${status} ${text.slice(0, 300)}`)
}
