import type { Database, Sql } from '../../../platform/db/database.js'
import type { Transact } from '../../../platform/events/transact.js'
import { isPlainObject } from '../../../platform/json.js'
import { hurryJob } from '../../../platform/jobs/hurry-job.js'
import { addJobs, finishJob, RetryLater, type LeasedJob, type NewJob } from '../../../platform/jobs/job.js'
import { defineJob, ENDED, type JobKind } from '../../../platform/jobs/job-type.js'
import type { MaintenanceTask } from '../../../platform/maintenance/maintenance.js'
import type { OutboundHttp } from '../../../platform/outbound/outbound-http.js'
import { retryDelayMs } from '../../../platform/outbound/retries.js'
import { hidingSecrets } from '../../services/hide-secrets.js'
import { servicesWithoutJob } from '../../services/service-in-use.js'
import { noteProblem } from '../../services/service-problem.js'
import { DeliveryFailed, DeliveryRefused, ServiceRefused, type TouchpointService } from '../adapter.js'
import { readOpenedService, readTouchpointService } from '../touchpoint-service.js'
import { callBotApi } from './bot-api.js'
import { PollPlaces } from './poll-places.js'
import { ALLOWED_UPDATES, telegramEvent } from './telegram-events.js'
import { parseTelegramParams } from './telegram-params.js'
import { jobsOf, noteOthers, type TelegramRoutesOptions } from './telegram-routes.js'

interface Poll {
  service: string
  /** The bot that `offset` is of: updates below it would be lost of another one. */
  bot: string | null
  /** The first update that was not stored; null for what the platform still has. */
  offset: number | null
}

/** The job that fetches updates once and adds the next one of its kind: one at a time for each bot, on any node. */
export const TELEGRAM_POLL = defineJob<Poll>('telegram.poll', { service: 'string', bot: 'any', offset: 'any' })

/** Seconds for which the platform waits for an update. */
const WAIT_SECONDS = 20
const UPDATES_MAX = 100
const ANSWER_BYTES_MAX = 8_388_608
const RETRY_MS = 5_000
/** Longest pause after an error that says nothing of its end: the platform keeps updates for a day. */
const RETRY_MS_MAX = 300_000
/** Until the next request for a bot that found no place to wait in. */
const PAUSE_MS = 5_000

export interface PollOptions extends TelegramRoutesOptions {
  database: Database
  transact: Transact
  /** Requests for updates, which wait. */
  polling: OutboundHttp
  /** Aborted when the node stops. */
  stopped: AbortSignal
}

/** Key of what a bot's updates wait for: one address or request at a time. */
export const pollKey = (service: string): string => `telegram.poll:${service}`

export const pollJobOf = (service: string, since: Omit<Poll, 'service'> | null = null, runAt?: Date): NewJob =>
  TELEGRAM_POLL.create(
    { service, bot: since?.bot ?? null, offset: since?.offset ?? null },
    { key: pollKey(service), share: service, ...(runAt && { runAt }) },
  )

/**
 * Handles `telegram.poll`. The updates and the next request are committed together; the platform forgets an update when
 * the next request names a later one.
 */
export function telegramPollJob(options: PollOptions, places = new PollPlaces()): JobKind<Poll> {
  const { clock, database, polling, stopped, wakeJobs } = options
  return {
    isOutbound: true,
    async handler(job) {
      const { service: id, bot: earlier, offset: reached } = job.payload
      if (stopped.aborted) throw new RetryLater('the node stops', RETRY_MS)
      const service = await readOpenedService(options, 'telegram', id)
      const params = service && parseTelegramParams(service.params)
      // Another one of its kind was added when the service was saved, and goes on.
      if (params?.receive !== 'poll' || params.bot === undefined || (await hasLater(database, job))) return
      const { bot } = params
      const offset = bot === earlier ? reached : null
      const body = { ...(offset !== null && { offset }), limit: UPDATES_MAX, allowed_updates: ALLOWED_UPDATES }
      const client = { http: polling, now: clock.now(), signal: stopped, bytesMax: ANSWER_BYTES_MAX }
      const asked = await places.during(async (mayWait) => {
        const timeout = mayWait ? WAIT_SECONDS : 0
        const call = { method: 'getUpdates', body: { ...body, timeout } }
        const found = await hidingSecrets(service!.params, () =>
          callBotApi({ ...client, timeoutMs: (timeout + 10) * 1_000 }, params, call),
        ).catch((error: unknown) => putOff(options, job, service!, error))
        return { found, mayWait }
      })
      if (!asked) throw new RetryLater('other bots have all places for requests of this node', PAUSE_MS)
      if (service!.status === 'failing') await note(options, job, id, null)
      // Switched off meanwhile: what is not confirmed waits at the platform.
      if (!(await readTouchpointService(database, 'telegram', id))) return
      const updates = Array.isArray(asked.found) ? asked.found : []
      const numbers = updates.flatMap((update) =>
        isPlainObject(update) && Number.isSafeInteger(update.update_id) ? (update.update_id as number) : [],
      )
      const next = numbers.length > 0 ? Math.max(...numbers) + 1 : offset
      // Whatever does not wait, for lack of a place or since it answers at once without any, is not asked without a pause.
      const isPaused = numbers.length === 0 && (!asked.mayWait || updates.length > 0)
      const runAt = isPaused ? new Date(clock.now().getTime() + PAUSE_MS) : undefined
      const events = updates.map(telegramEvent)
      await database.sqlTransaction(async (tx) => {
        await finishJob(tx, job)
        await addJobs(
          tx,
          [...jobsOf(options, { service: id, bot }, events), pollJobOf(id, { bot, offset: next }, runAt)],
          clock,
        )
        await noteOthers({ sql: tx, clock }, id, events)
      })
      wakeJobs()
      return ENDED
    },
  }
}

/** Puts the request off: the messages wait at the platform for a day. A refusal is told by the service. @throws RetryLater */
async function putOff(
  options: PollOptions,
  job: LeasedJob,
  service: TouchpointService,
  error: unknown,
): Promise<never> {
  const { message } = error as Error
  const isRefused = error instanceof ServiceRefused || error instanceof DeliveryRefused
  if (isRefused) await note(options, job, service.id, message)
  const askedMs = error instanceof DeliveryFailed ? error.retryAfterMs : null
  const ownMs = Math.min(RETRY_MS_MAX, Math.max(RETRY_MS, retryDelayMs(job.attempts)))
  throw new RetryLater(message, askedMs ?? ownMs)
}

async function note(
  { systemContext, transact }: PollOptions,
  { id }: LeasedJob,
  service: string,
  problem: string | null,
): Promise<void> {
  await noteProblem(systemContext(id), transact, { service, problem })
}

/** Has what waits for an hour after a refusal run now: the service was saved. */
export async function hurryPolls(sql: Pick<Sql, 'query'>, service: string, now: Date): Promise<void> {
  await hurryJob(sql, pollKey(service), now)
}

/** Has bots polled that are not: their job was given up, or a restored database has none. */
export function keepPolling({ clock }: Pick<PollOptions, 'clock'>): MaintenanceTask {
  return {
    name: 'bots that are polled',
    async run(sql) {
      const services = await servicesWithoutJob(sql, TELEGRAM_POLL.kind, ['telegram'], `params ->> 'receive' = 'poll'`)
      await addJobs(
        sql,
        services.map((id) => pollJobOf(id)),
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
