import type pg from 'pg'
import type { ChaosClient } from './client.js'
import { broken } from '../problems.js'
import { sleep, type Victim } from '../victim.js'

const CONVERSATIONS = 20
const SENDERS = 32
/** Long enough for all of them to be sent before the first is due. */
const DELAY_MS = 12_000
/** Time within which jobs that are due when the server comes back are done. */
const LATE_MS_MAX = 2_000
const WAIT_MS_MAX = 60_000

/**
 * Delayed messages come due while the server is down: none may be lost, each must take effect once, and soon after the
 * server is back.
 * @returns what is not as promised
 */
export async function checkDelayedJobs({
  client,
  server,
  sql,
  count,
}: {
  client: ChaosClient
  server: Victim
  sql: pg.Client
  count: number
}): Promise<string[]> {
  const conversations = await Promise.all(
    Array.from({ length: CONVERSATIONS }, (_, index) =>
      client.post<{ id: string }>(
        '/v2/conversations',
        {
          type: 'contact',
          touchpoint: 'web',
          contact: { profile: { email: `jobs-${index}@example.com` } },
        },
        `jobs ${index}`,
      ),
    ),
  )
  const startedAt = Date.now()
  let next = 0
  const send = async (): Promise<void> => {
    for (let index = next++; index < count; index = next++) {
      const path = `/v2/conversations/${conversations[index % CONVERSATIONS]!.id}/messages`
      await client.post(path, { role: 'contact', text: `job ${index}`, delay: DELAY_MS }, `job ${index}`)
    }
  }
  await Promise.all(Array.from({ length: SENDERS }, send))
  const sentMs = Date.now() - startedAt
  await server.kill()
  await sleep(Math.max(0, DELAY_MS - (Date.now() - startedAt)) + sentMs + 500)
  const due = await readJobs(sql)
  await server.start()
  const deadline = Date.now() + WAIT_MS_MAX
  while ((await readJobs(sql)) > 0 && Date.now() < deadline) await sleep(50)
  const { rows } = await sql.query<{ text: string; times: number; late: number }>(
    `select text, count(*)::int as times, max(extract(epoch from created_at) * 1000 - $1)::float as late
     from message where text like 'job %' group by text`,
    [server.readyAt],
  )
  const latest = Math.round(Math.max(0, ...rows.map(({ late }) => late)))
  process.stdout.write(
    `${count} delayed messages, ${due} of them due while the server was killed: ${rows.length} took effect, ` +
      `the last ${latest} ms after it was ready again\n`,
  )
  return broken([
    [count - due, 'delayed messages were not waiting when the server was killed'],
    [count - rows.length, 'delayed messages were lost'],
    [rows.filter(({ times }) => times > 1).length, 'delayed messages took effect more than once'],
    [latest > LATE_MS_MAX ? 1 : 0, `delayed message was ${latest} ms late, more than ${LATE_MS_MAX} ms`],
  ])
}

async function readJobs(sql: pg.Client): Promise<number> {
  const { rows } = await sql.query<{ count: number }>(
    `select count(*)::int as count from job where kind = 'message.process'`,
  )
  return rows[0]!.count
}
