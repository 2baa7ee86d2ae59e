import { isQuick, quantile, short, type Figure } from '../harness/figures.js'
import { rawRequest, RawConnection } from '../harness/http-client.js'
import { SEND } from './send.js'
import type { Bench } from '../harness/bench.js'

const MESSAGES = 1_000
const CONNECTIONS = 16
/** From the first send to the first that is due: all are sent by then. */
const LEAD_MS = 8_000
const AIM_MS = 100
/** 1,000 at once are as many sends, and take as long as these do: 150 ms. */
const AT_ONCE_AIM = 1.5
/** Milliseconds between one that is due and the next. */
const SPREADS: Readonly<Record<string, number>> = { 'over ten seconds': 10, 'in one moment': 0 }

/** 1,000 delayed messages, one a conversation: how long after its time each is in the conversation, committed. */
export async function benchDelayed(bench: Bench): Promise<Figure[]> {
  const { seeder, url } = bench
  const messages = isQuick() ? 20 : MESSAGES
  const seed = await seeder.organization(2)
  const [token] = await bench.tokens(seed.agents)
  const figures: Figure[] = []
  for (const [name, gapMs] of Object.entries(SPREADS)) {
    const conversations = await seeder.conversations(seed, messages)
    await seeder.settle()
    const startAt = Date.now() + LEAD_MS
    const dueAt = await sendAll(url, token!, conversations, (index) => startAt + index * gapMs)
    const lateMs = await waitForAll(seeder, conversations, dueAt)
    const p95 = quantile(lateMs, 0.95)
    figures.push({
      name: `lateness of ${messages.toLocaleString('en-US')} delayed messages due ${name}, p95`,
      ratio: p95 / AIM_MS,
      aim: gapMs > 0 ? 1 : AT_ONCE_AIM,
      isTime: true,
      product: `p50 ${short(quantile(lateMs, 0.5))} ms, p95 ${short(p95)} ms, p99 ${short(quantile(lateMs, 0.99))} ms`,
      floor: `the aim itself, ${AIM_MS} ms`,
      how:
        `Each message is sent with a delay and kept as a job; counted is from the moment when it is due to the one ` +
        `stored with it when it is processed, on one node, one message a conversation.`,
    })
  }
  return figures
}

/** @returns when each is due, by conversation, in milliseconds since 1970 */
async function sendAll(
  url: string,
  token: string,
  conversations: readonly string[],
  dueAt: (index: number) => number,
): Promise<Map<string, number>> {
  const due = new Map<string, number>()
  let next = 0
  const work = async (): Promise<void> => {
    const connection = await RawConnection.open(url)
    for (let index = next++; index < conversations.length; index = next++) {
      const conversation = conversations[index]!
      const message = { type: 'CHAT', role: 'AGENT', text: 'Are you still there?', delay: dueAt(index) - Date.now() }
      const { body } = await connection.send(
        rawRequest('POST', '/graphql', token, { query: SEND, variables: { conversation, message } }),
      )
      const { data, errors } = JSON.parse(String(body)) as {
        data: { sendMessage: { createdAt: string } }
        errors?: unknown
      }
      if (errors) throw new Error(JSON.stringify(errors))
      due.set(conversation, Date.parse(data.sendMessage.createdAt))
    }
    connection.close()
  }
  await Promise.all(Array.from({ length: CONNECTIONS }, work))
  if (Date.now() > dueAt(0)) throw new Error('the first message was due before all were sent')
  return due
}

async function waitForAll(
  seeder: Bench['seeder'],
  conversations: readonly string[],
  dueAt: ReadonlyMap<string, number>,
): Promise<number[]> {
  const end = Math.max(...dueAt.values()) + 60_000
  for (;;) {
    const rows = await seeder.query<{ conversation: string; at: Date }>(
      `select conversation_id as conversation, created_at as at from message
       where conversation_id = any($1::uuid[]) and position = 2`,
      [conversations],
    )
    if (rows.length === conversations.length) {
      return rows.map(({ conversation, at }) => at.getTime() - dueAt.get(conversation)!)
    }
    if (Date.now() > end) throw new Error(`only ${rows.length} of ${conversations.length} messages have been processed`)
    await new Promise((resolve) => setTimeout(resolve, 500))
  }
}
