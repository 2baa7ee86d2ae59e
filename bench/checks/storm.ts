import type { Bench } from '../harness/bench.js'
import { failuresOf, type Check } from '../harness/figures.js'
import { Worker } from '../harness/processes.js'
import type { ScreenOptions } from '../harness/screen.js'
import type { Wrongs } from '../harness/screens-process.js'

const SOCKETS = Number(process.env.BENCH_STORM_SOCKETS ?? 5_000)
const CONVERSATIONS = 100
const AGENTS = 50
const MESSAGES = 5
/** In each conversation that the seeder makes. */
const SEEDED = 1
const CAUGHT_UP_MS_MAX = 10_000

const SEND = `mutation ($conversation: ID!, $message: MessageInput!) {
  sendMessage(conversation: $conversation, message: $message) { id }
}`

/** All sockets are cut in one moment, come back in one moment, and have missed messages meanwhile. */
export async function checkStorm({ url, seeder, tokens }: Bench): Promise<Check[]> {
  const clients = new Worker('bench/harness/screens-process.js')
  try {
    const seed = await seeder.organization(AGENTS)
    const conversations = await seeder.conversations(seed, CONVERSATIONS)
    const agents = await tokens(seed.agents)
    const screens: ScreenOptions[] = Array.from({ length: SOCKETS }, (_, index) => ({
      url,
      token: agents[index % AGENTS]!,
      conversations: [conversations[index % CONVERSATIONS]!],
    }))
    const openedAt = Date.now()
    await clients.ask('open', screens)
    const openedMs = Date.now() - openedAt
    await sendToAll(url, conversations, agents)
    await clients.ask('reach', { positions: [SEEDED + 1] })
    const cutAt = Date.now()
    await clients.ask('cut')
    const reopening = clients.ask('reopen')
    for (let sent = 1; sent < MESSAGES; sent += 1) await sendToAll(url, conversations, agents)
    await reopening
    const caughtUpMs = (await clients.ask<number>('reach', { positions: [SEEDED + MESSAGES] })) - cutAt
    const wrongs = await clients.ask<Wrongs>('wrongs')
    return [
      {
        name: `reconnect storm: ${SOCKETS.toLocaleString('en-US')} sockets cut at once`,
        aim: `all caught up within ${CAUGHT_UP_MS_MAX / 1_000} s, 0 holes`,
        failures: failuresOf({
          [`it took ${caughtUpMs} ms`]: caughtUpMs <= CAUGHT_UP_MS_MAX,
          [`${wrongs.holes} holes, ${wrongs.repeated} repeated`]: wrongs.holes + wrongs.repeated === 0,
          [`${wrongs.resyncs} snapshots in the place of events`]: wrongs.resyncs === 0,
        }),
        found: [
          `all caught up after ${caughtUpMs} ms; ${wrongs.holes} holes, ${wrongs.repeated} repeated, ${wrongs.resyncs} resyncs; ` +
            `opening them at first, 50 at a time, took ${openedMs} ms`,
        ],
        how:
          `${SOCKETS} sockets of ${AGENTS} agents watch ${CONVERSATIONS} conversations; all are cut and reconnect at once with ` +
          `their cursors while ${MESSAGES - 1} messages are sent to each conversation. From the cut until the last has all.`,
      },
    ]
  } finally {
    await clients.stop()
  }
}

async function sendToAll(url: string, conversations: readonly string[], tokens: readonly string[]): Promise<void> {
  await Promise.all(
    conversations.map(async (conversation, index) => {
      const message = { role: 'AGENT', text: 'Your order left our warehouse this morning.' }
      const response = await fetch(`${url}/graphql`, {
        method: 'POST',
        headers: { authorization: `Bearer ${tokens[index % tokens.length]}`, 'content-type': 'application/json' },
        body: JSON.stringify({ query: SEND, variables: { conversation, message } }),
      })
      const { errors } = (await response.json()) as { errors?: unknown }
      if (errors) throw new Error(JSON.stringify(errors))
    }),
  )
}
