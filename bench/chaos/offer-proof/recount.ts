import type pg from 'pg'
import { sleep } from '../victim.js'

const SAMPLE_MS = 20

/** Findings of the recounts. */
export interface Recounted {
  samples: number
  /** The highest load as a part of a capacity. */
  highest: number
  /** Samples with a load above a capacity, and the first of them in words. */
  above: number
  firstAbove: string | null
  /** Samples with two pending offers of one conversation. */
  doubled: number
}

/**
 * Recounts all loads and pending offers in plain SQL, each time in one statement, until stopped; knows nothing of how
 * the product counts. A load that was too high for longer than the time between two samples is found.
 */
export async function recount(
  sql: pg.Client,
  agents: readonly { id: string; capacity: number }[],
  isOver: () => boolean,
): Promise<Recounted> {
  const found: Recounted = { samples: 0, highest: 0, above: 0, firstAbove: null, doubled: 0 }
  const values = [agents.map(({ id }) => id), agents.map(({ capacity }) => capacity)]
  while (!isOver()) {
    const { rows } = await sql.query<{ user: string; load: number; capacity: number; doubled: number }>(RECOUNT, values)
    found.samples++
    const [worst] = rows
    found.highest = Math.max(found.highest, worst!.load / worst!.capacity)
    if (worst!.doubled > 0) found.doubled++
    if (worst!.load > worst!.capacity) {
      found.above++
      found.firstAbove ??= `agent ${worst!.user} had ${worst!.load} of ${worst!.capacity}`
    }
    await sleep(SAMPLE_MS)
  }
  return found
}

/** The fullest agent, and how many conversations have two pending offers. */
const RECOUNT = `
with held as (
  select p.user_id, c.touchpoint from participant p join conversation c on c.id = p.conversation_id
  where p.accepted and c.status = 'active'
  union all
  select o.user_id, c.touchpoint from offer o join conversation c on c.id = o.conversation_id where o.outcome is null
), loads as (
  select a.id, a.capacity, coalesce(sum(case touchpoint when 'web' then 4 when 'sms' then 2 when 'email' then 1 end), 0)::int as load
  from unnest($1::uuid[], $2::int[]) as a(id, capacity) left join held on user_id = a.id group by a.id, a.capacity
)
select id as user, load, capacity, (select count(*)::int from (
  select from offer where outcome is null group by conversation_id having count(*) > 1) x) as doubled
from loads order by load::float / capacity desc limit 1`
