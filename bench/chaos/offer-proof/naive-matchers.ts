import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { sleep } from '../victim.js'
import { addWaiting } from './office.js'
import { recount, type Recounted } from './recount.js'

const MATCHERS = 4
const MS = 5_000
/** Time after which an agent answers an offer. */
const ANSWER_MS = 30
const PAUSE_MS = 1

/**
 * The control: matchers that read loads, decide, and then write, as one is tempted to, without locks. The recount must
 * find loads above the capacity, and conversations with two offers; one that finds neither finds nothing. The nodes are
 * down meanwhile.
 */
export async function runNaiveMatchers(
  url: string,
  channel: string,
  agents: readonly { id: string; capacity: number }[],
): Promise<Recounted> {
  const connect = async (): Promise<pg.Client> => {
    const sql = new pg.Client({ connectionString: url })
    await sql.connect()
    return sql
  }
  const clients = await Promise.all(Array.from({ length: MATCHERS + 2 }, connect))
  try {
    const [watching, answering, ...matching] = clients
    await addWaiting(answering!, channel, 2_000)
    const until = performance.now() + MS
    const isOver = (): boolean => performance.now() > until
    const found = recount(watching!, agents, isOver)
    const values = [channel, agents.map(({ id }) => id), agents.map(({ capacity }) => capacity)]
    await Promise.all([
      answer(answering!, isOver),
      ...matching.map(async (sql) => {
        while (!isOver()) {
          await push(sql, values)
          await sleep(PAUSE_MS)
        }
      }),
    ])
    return await found
  } finally {
    await Promise.all(clients.map((sql) => sql.end()))
  }
}

async function push(sql: pg.Client, values: unknown[]): Promise<void> {
  const { rows } = await sql.query<{ conversation: string; user: string }>(DECIDE, values)
  const [pair] = rows
  if (!pair) return
  const { conversation, user } = pair
  await sql.query('begin')
  await sql.query(
    `insert into offer (id, conversation_id, queueing, channel_id, user_id, made_at, until)
     values ($1, $2, 1, $3, $4, now(), now() + interval '20 seconds')`,
    [randomUUID(), conversation, values[0], user],
  )
  await sql.query('update conversation set offer_user_id = $2 where id = $1', [conversation, user])
  await sql.query('commit')
}

/** Ends offers, so that places become free. */
async function answer(sql: pg.Client, isOver: () => boolean): Promise<void> {
  while (!isOver()) {
    await sql.query(`update offer set outcome = 'declined', ended_at = now() where outcome is null and random() < 0.3`)
    await sleep(ANSWER_MS)
  }
}

const DECIDE = `
with held as (
  select o.user_id, sum(case c.touchpoint when 'web' then 4 when 'sms' then 2 else 1 end) as load
  from offer o join conversation c on c.id = o.conversation_id where o.outcome is null group by o.user_id
)
select c.id as conversation, a.id as user
from (select c.id, case c.touchpoint when 'web' then 4 when 'sms' then 2 else 1 end as weight from conversation c
  where c.status = 'queued' and $1 = any(c.channels) and not exists (
    select from offer o where o.conversation_id = c.id and o.outcome is null) order by c.queued_at limit 1) c
cross join unnest($2::uuid[], $3::int[]) as a(id, capacity) left join held h on h.user_id = a.id
where coalesce(h.load, 0) + c.weight <= a.capacity order by coalesce(h.load, 0)::float / a.capacity, a.id limit 1`
