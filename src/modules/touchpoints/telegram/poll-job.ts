import type { Database } from '../../../platform/db/database.js'
import { isPlainObject } from '../../../platform/json.js'
import { addJobs, finishJob, RetryLater, type LeasedJob, type NewJob } from '../../../platform/jobs/job.js'
import { defineJob, ENDED, type JobKind } from '../../../platform/jobs/job-type.js'
import type { MaintenanceTask } from '../../../platform/maintenance/maintenance.js'
import { redactSecrets } from '../../services/redact-secrets.js'
import { readOpenedService, readTouchpointService } from '../touchpoint-service.js'
import { callBotApi } from './bot-api.js'
import { ALLOWED_UPDATES } from './telegram-events.js'
import { parseTelegramParams } from './telegram-params.js'
import { jobsOf, type TelegramRoutesOptions } from './telegram-routes.js'

interface Poll {
  service: string
  /** The first update that was not stored; null for what the platform still has. */
  offset: number | null
}

/** The job that fetches updates once and adds the next one of its kind: one at a time for each bot, on any node. */
export const TELEGRAM_POLL = defineJob<Poll>('telegram.poll', { service: 'string', offset: 'any' })

/** Seconds for which the platform waits for an update. */
const WAIT_SECONDS = 20
const UPDATES_MAX = 100
const ANSWER_BYTES_MAX = 8_388_608
const RETRY_MS = 5_000

export interface PollOptions extends TelegramRoutesOptions {
  database: Database
  /** Aborted when the node stops. */
  stopped: AbortSignal
}

/** Key of what a bot's updates wait for: one address or request at a time. */
export const pollKey = (service: string): string => `telegram.poll:${service}`

export const pollJobOf = (service: string, offset: number | null = null): NewJob =>
  TELEGRAM_POLL.create({ service, offset }, { key: pollKey(service), share: service })

/**
 * Handles `telegram.poll`. The updates and the next request are committed together; the platform forgets an update when
 * the next request names a later one.
 */
export function telegramPollJob(options: PollOptions): JobKind<Poll> {
  const { clock, database, http, stopped, wakeJobs } = options
  return {
    isOutbound: true,
    async handler(job) {
      const { service: id, offset } = job.payload
      if (stopped.aborted) throw new RetryLater('the node stops', RETRY_MS)
      const service = await readOpenedService(options, 'telegram', id)
      const params = service && parseTelegramParams(service.params)
      // Another one of its kind was added when the service was saved, and goes on.
      if (params?.receive !== 'poll' || params.botToken === undefined || (await hasLater(database, job))) return
      const body = {
        ...(offset !== null && { offset }),
        timeout: WAIT_SECONDS,
        limit: UPDATES_MAX,
        allowed_updates: ALLOWED_UPDATES,
      }
      const client = { http, now: clock.now(), signal: stopped, timeoutMs: (WAIT_SECONDS + 10) * 1_000 }
      const found = await callBotApi({ ...client, bytesMax: ANSWER_BYTES_MAX }, params, { method: 'getUpdates', body })
        // Whatever it is, the messages wait at the platform for a day.
        .catch((error: unknown) => {
          throw new RetryLater(redactSecrets((error as Error).message, service!.params), RETRY_MS)
        })
      // Switched off meanwhile: what is not confirmed waits at the platform.
      if (!(await readTouchpointService(database, 'telegram', id))) return
      const updates = Array.isArray(found) ? found : []
      const numbers = updates.flatMap((update) =>
        isPlainObject(update) && typeof update.update_id === 'number' ? update.update_id : [],
      )
      const next = numbers.length > 0 ? Math.max(...numbers) + 1 : offset
      await database.sqlTransaction(async (tx) => {
        await finishJob(tx, job)
        await addJobs(tx, [...jobsOf(options, id, updates), pollJobOf(id, next)], clock)
      })
      wakeJobs()
      return ENDED
    },
  }
}

/** Has bots polled that are not: their job was given up, or a restored database has none. */
export function keepPolling({ clock }: Pick<PollOptions, 'clock'>): MaintenanceTask {
  return {
    name: 'bots that are polled',
    async run(sql) {
      const services = await sql.query<{ id: string }>(
        `select id from service s where type = 'telegram' and status = 'active' and params ->> 'receive' = 'poll'
           and not exists (select 1 from job where kind = $1 and payload ->> 'service' = s.id::text and run_at < 'infinity')`,
        [TELEGRAM_POLL.kind],
      )
      await addJobs(
        sql,
        services.map(({ id }) => pollJobOf(id)),
        clock,
      )
    },
  }
}

async function hasLater(database: Database, { id, key }: LeasedJob): Promise<boolean> {
  const rows = await database.query(
    "select 1 from job where kind = $1 and key = $2 and id > $3 and run_at < 'infinity' limit 1",
    [TELEGRAM_POLL.kind, key, id],
  )
  return rows.length > 0
}
