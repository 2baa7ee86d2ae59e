import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { eventId } from '../../../src/modules/webhooks/outgoing-event.js'
import { ChaosClient } from './client.js'
import { checkDelayedJobs } from './delayed-jobs.js'
import { broken } from '../problems.js'
import { freePort } from '../free-port.js'
import { sleep, Victim } from '../victim.js'
import { openBenchDatabase } from '../../harness/database.js'

/** Messages that are sent and delivered to the webhook. */
const EVENTS = Number(process.env.CHAOS_EVENTS ?? 5_000)
/** Jobs that come due while the server is down. */
const JOBS = Number(process.env.CHAOS_JOBS ?? 1_000)
const CONVERSATIONS = 40
const DRAIN_MS_MAX = 180_000
const SECRET = 'what only the two of them know'

interface Line {
  id: string
  conversation: string
  bytes: string
  isSigned: boolean
}

interface LoggedEvent {
  id: string
  conversation: string
}

/** `npm run chaos:webhooks`: server and receiver are killed with -9 at random; nothing may be lost, or out of order. */
async function main(): Promise<void> {
  const startedAt = performance.now()
  const database = await openBenchDatabase()
  const folder = mkdtempSync(join(tmpdir(), 'switchboard-chaos-'))
  const journal = join(folder, 'received.jsonl')
  const [serverPort, receiverPort] = [await freePort(), await freePort()]
  const [url, receiverUrl] = [`http://127.0.0.1:${serverPort}`, `http://127.0.0.1:${receiverPort}/`]
  const owner = { email: 'owner@example.com', password: 'correct horse battery' }
  const server = new Victim(
    'src/main.js',
    {
      PORT: String(serverPort),
      HOST: '127.0.0.1',
      DATABASE_URL: database.url,
      LOG_LEVEL: 'fatal',
      ADMIN_EMAIL: owner.email,
      ADMIN_PASSWORD: owner.password,
      WEBHOOK_ALLOW_PRIVATE: 'true',
      RATE_LIMIT_PER_SECOND: '1000000',
      GRAPHQL_COST_PER_MINUTE: '1000000000',
    },
    `${url}/readyz`,
  )
  const receiver = new Victim(
    'bench/chaos/webhooks/receiver.js',
    {
      PORT: String(receiverPort),
      JOURNAL: journal,
      SECRET,
    },
    receiverUrl,
  )
  const sql = new pg.Client({ connectionString: database.url })
  await sql.connect()
  try {
    await Promise.all([server.start(), receiver.start()])
    const client = new ChaosClient(url, owner)
    await client.signIn()
    print(`${EVENTS} messages in ${CONVERSATIONS} conversations, delivered to a webhook; ${database.description}`)
    await register(client, receiverUrl)
    await sendThroughChaos({ client, server, receiver })
    await drain(sql, journal)
    const problems = await compare(sql, journal)
    problems.push(...(await checkDelayedJobs({ client, server, sql, count: JOBS })))
    for (const problem of problems) print(`  WRONG  ${problem}`)
    const verdict = problems.length === 0 ? 'all as promised' : 'NOT as promised'
    print(`${verdict}, in ${seconds(performance.now() - startedAt)} s`)
    process.exitCode = Math.min(1, problems.length)
  } finally {
    await Promise.all([server.kill(), receiver.kill()])
    await sql.end()
    await database.close()
    rmSync(folder, { recursive: true, force: true })
  }
}

async function register(client: ChaosClient, receiverUrl: string): Promise<void> {
  const params = { url: receiverUrl, secret: SECRET, events: ['message.create.*'] }
  const { id } = await client.post<{ id: string }>('/v2/services', { type: 'webhook', params }, 'the webhook')
  while ((await client.get<{ status: string }>(`/v2/services/${id}`)).status !== 'active') await sleep(50)
}

async function sendThroughChaos({
  client,
  server,
  receiver,
}: {
  client: ChaosClient
  server: Victim
  receiver: Victim
}): Promise<void> {
  const startedAt = performance.now()
  let isOver = false
  const torments = [
    server.torment([1_000, 4_000], [0, 1_000], () => isOver),
    receiver.torment([300, 2_500], [0, 1_000], () => isOver),
  ]
  const send = async (worker: number): Promise<void> => {
    const { id } = await client.post<{ id: string }>(
      '/v2/conversations',
      {
        type: 'contact',
        touchpoint: 'web',
        contact: { profile: { email: `chaos-${worker}@example.com` } },
      },
      `conversation ${worker}`,
    )
    for (let index = worker; index < EVENTS; index += CONVERSATIONS) {
      const text = `message ${index}`
      await client.post(`/v2/conversations/${id}/messages`, { role: 'contact', text }, text)
    }
  }
  await Promise.all(Array.from({ length: CONVERSATIONS }, (_, worker) => send(worker)))
  isOver = true
  await Promise.all(torments)
  print(
    `  sent in ${seconds(performance.now() - startedAt)} s: server killed ${server.kills} times, receiver ` +
      `${receiver.kills} times; ${client.repeated} requests without an answer were repeated`,
  )
}

async function drain(sql: pg.Client, journal: string): Promise<void> {
  const startedAt = performance.now()
  const log = new Set((await readLog(sql)).map(({ id }) => id))
  for (;;) {
    const received = new Set(readJournal(journal).map(({ id }) => id))
    const left = log.difference(received).size
    if (left === 0 || performance.now() - startedAt > DRAIN_MS_MAX) {
      const waited = seconds(performance.now() - startedAt)
      print(`  the last delivery came ${waited} s after the last kill; ${left} are missing`)
      return
    }
    await sleep(200)
  }
}

/** @returns what is not as promised */
async function compare(sql: pg.Client, journal: string): Promise<string[]> {
  const log = await readLog(sql)
  const received = readJournal(journal)
  const first = new Map<string, Line>()
  let otherBytes = 0
  for (const line of received) {
    const earlier = first.get(line.id)
    if (!earlier) first.set(line.id, line)
    else if (earlier.bytes !== line.bytes) otherBytes++
  }
  const known = new Set(log.map(({ id }) => id))
  const inOrder = (lines: readonly LoggedEvent[]) => Map.groupBy(lines, ({ conversation }) => conversation)
  const delivered = inOrder([...first.values()])
  const disordered = [...inOrder(log)].filter(([conversation, events]) => {
    return events.map(({ id }) => id).join() !== (delivered.get(conversation) ?? []).map(({ id }) => id).join()
  })
  const { rows } = await sql.query<{ attempts: number; failed: number }>(
    `select coalesce(sum(attempts), 0)::int as attempts, count(*) filter (where status <> 'delivered')::int as failed
     from webhook_delivery`,
  )
  const again = received.length - first.size
  print(
    `  ${log.length} events in the log, ${first.size} received, ${again} came again with the same id; ` +
      `${rows[0]!.attempts} attempts recorded`,
  )
  return broken([
    [EVENTS - log.length, 'messages were acknowledged and are not in the log, or are there twice'],
    [log.filter(({ id }) => !first.has(id)).length, 'events of the log were not received'],
    [[...first.keys()].filter((id) => !known.has(id)).length, 'events were received that are not in the log'],
    [disordered.length, 'conversations were received out of order'],
    [otherBytes, 'events came again with other bytes'],
    [received.filter(({ isSigned }) => !isSigned).length, 'deliveries had a wrong signature'],
    [rows[0]!.failed, 'deliveries do not count as made'],
  ])
}

/** The messages of the log by conversation, in the order of their streams. */
async function readLog(sql: pg.Client): Promise<LoggedEvent[]> {
  const { rows } = await sql.query<{
    stream: string
    number: string
    tag: number
    at: Date
    epoch: number
    conversation: string
  }>(
    `select e.stream, e.number, e.tag, e.at, i.epoch, e.data -> 'message' ->> 'conversationId' as conversation
     from event e cross join installation i where e.type = 'message.added' order by e.stream, e.number`,
  )
  return rows.map(({ number, epoch, conversation, ...event }) => {
    return { id: eventId(epoch, { ...event, number: Number(number) }), conversation }
  })
}

function readJournal(journal: string): Line[] {
  if (!existsSync(journal)) return []
  // What follows the last line break was cut by a kill, before it was acknowledged.
  return readFileSync(journal, 'utf8')
    .split('\n')
    .slice(0, -1)
    .filter(isWhole)
    .map((line) => JSON.parse(line) as Line)
}

function isWhole(line: string): boolean {
  return line.startsWith('{') && line.endsWith('}')
}

const seconds = (ms: number): string => (ms / 1_000).toFixed(1)

function print(line: string): void {
  process.stdout.write(`${line}\n`)
}

main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`)
  process.exitCode = 1
})
