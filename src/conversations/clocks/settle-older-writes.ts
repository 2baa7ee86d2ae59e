import type { Sql } from '../../db/database.js'

/** Rows mended per run; the next one goes on with those that still differ. */
const MENDED_MAX = 1_000

const CLOCKS = `jsonb_array_elements(c.sla -> 'clocks') k where k ->> 'endedAt' is null`

/** As `settle` of the clocks adds them up. */
const URGENCY = `coalesce((c.needs ->> 'urgency')::int, 0) + coalesce((
  select case when bool_or(k ->> 'state' = 'breached') then 2 when bool_or(k ->> 'warnedAt' is not null) then 1 end
  from ${CLOCKS}), 0)`

/** As `riskAt`. */
const RISK_AT = `(
  select to_timestamp(min(coalesce(k ->> 'warnedAt', k ->> 'warnAt', k ->> 'dueAt')::float8) / 1000)
  from ${CLOCKS} and k ->> 'state' <> 'paused')`

/**
 * Derives urgency and the time of risk again where they are not what the row says: during an upgrade, nodes of an older
 * release queue, answer and close conversations without writing these columns. Rows that are locked are left to the next
 * run; whoever holds them may write them.
 */
export async function settleOlderWrites(sql: Sql): Promise<void> {
  await sql.query(`
with open as (
  select id from conversation where status = 'queued' union
  select id from conversation where next_due is not null union
  select id from conversation where risk_at is not null
), stale as (
  select c.id from conversation c join open using (id)
  where c.status = 'queued' and c.urgency <> ${URGENCY} or c.risk_at is distinct from ${RISK_AT}
  order by c.id limit ${MENDED_MAX} for update of c skip locked
)
update conversation c set urgency = ${URGENCY}, risk_at = ${RISK_AT} where c.id in (select id from stale)`)
}
