import type { Logger } from 'pino'
import type { Context } from '../../platform/context.js'
import type { Clock } from '../../platform/db/clock.js'
import type { Database, Sql } from '../../platform/db/database.js'
import type { Transact } from '../../platform/events/transact.js'
import { dueNowSql, type DueParameters, type Pulse } from '../../platform/jobs/pulse.js'
import { Maintenance } from '../../platform/maintenance/maintenance.js'
import { DEAD_AFTER_SECONDS } from '../../platform/presence/presence-times.js'
import { changeAvailability } from './set-availability.js'
import { lockStaff } from './staff-row.js'

export interface AbsenceOptions {
  database: Database
  clock: Clock
  log: Logger
  transact: Transact
  systemContext: (requestId: string) => Context
  everyMs?: number
  /** Asks whether anybody is there; absent: each round looks. */
  pulse?: Pulse | undefined
}

/** Time without a subscription to a queue after which an agent is offline. */
export const GONE_SECONDS = 60
const EVERY_MS = 5_000
/** Users set offline in one round; the others follow in the next. */
const ROUND_MAX = 500
/** An arbitrary constant: the node that looks for absent agents holds this advisory lock. */
const ABSENCE_LOCK = 7_301_960_434

/**
 * Sets agents offline who have had no subscription to a queue for a minute. When they were first missing is in the
 * database, so that neither a restart nor a dead node makes a minute longer.
 */
export class AbsenceWatch {
  readonly #maintenance: Maintenance

  constructor(private readonly options: AbsenceOptions) {
    const { database, clock, log, pulse, everyMs = EVERY_MS } = options
    const due = pulse && { pulse, dueSql: ({ now }: DueParameters) => dueNowSql(ANYBODY, now) }
    const tasks = [{ name: 'absent agents', run: (sql: Sql, now: Date) => this.#round(sql, now) }]
    this.#maintenance = new Maintenance({ database, clock, log, tasks, everyMs, due, lock: ABSENCE_LOCK })
  }

  start(): Promise<void> {
    return this.#maintenance.start()
  }

  stop(): Promise<void> {
    return this.#maintenance.stop()
  }

  /** Looks once. */
  run(): Promise<void> {
    return this.#maintenance.run()
  }

  async #round(sql: Sql, now: Date): Promise<void> {
    await sql.query(NOTE_ABSENCES, [now, DEAD_AFTER_SECONDS], 'note-absences')
    const goneBefore = new Date(now.getTime() - GONE_SECONDS * 1_000)
    const gone = await sql.query<{ id: string }>(
      `select user_id as id from staff where availability <> 'offline' and gone_at <= $1
       order by gone_at limit ${ROUND_MAX}`,
      [goneBefore],
      'absent-agents',
    )
    for (const { id } of gone) await this.#setOffline(id, goneBefore)
  }

  /** In a transaction of its own: nobody waits for the others' streams. */
  async #setOffline(user: string, goneBefore: Date): Promise<void> {
    const { systemContext, transact, clock } = this.options
    const system = systemContext(clock.newId())
    await transact(system, async (tx) => {
      const locked = await lockStaff(system, tx, user)
      const rows = await tx.query(STILL_GONE, [user, goneBefore, DEAD_AFTER_SECONDS])
      if (rows.length > 0) await changeAvailability(system, tx, locked, { availability: 'offline', reason: null })
    })
  }
}

const ANYBODY = `exists (select from staff where availability <> 'offline')`

const SUBSCRIBED = `select 1 from queue_subscriber q join node n on n.id = q.node_id
  where q.user_id = s.user_id and n.seen_at > now() - make_interval(secs => `

/** Rows that others have locked are noted in the next round. */
const NOTE_ABSENCES = `
with seen as materialized (
  select s.user_id, s.gone_at, exists (${SUBSCRIBED}$2)) as is_here from staff s where s.availability <> 'offline'
), differing as materialized (
  select s.user_id, d.is_here from staff s join seen d on d.user_id = s.user_id
  where d.is_here = (d.gone_at is not null) order by s.user_id for no key update of s skip locked
)
update staff s set gone_at = case when d.is_here then null else $1::timestamptz end
from differing d where d.user_id = s.user_id`

const STILL_GONE = `
select 1 from staff s where s.user_id = $1 and s.availability <> 'offline' and s.gone_at <= $2
  and not exists (${SUBSCRIBED}$3))`
