import { defineJob } from '../../platform/jobs/job-type.js'
import type { Context } from '../../platform/context.js'
import { isId } from '../../platform/db/clock.js'
import type { Sql } from '../../platform/db/database.js'
import { BadUserInput } from '../../platform/errors.js'
import { conversationStream, type StoredEvent } from '../../platform/events/event.js'
import { eventDataSql } from '../../platform/events/streams.js'
import type { Transact } from '../../platform/events/transact.js'
import { addJobs, finishJob, type Job } from '../../platform/jobs/job.js'
import { recordNotFound } from '../../platform/lists/fetch-record.js'
import { outgoingEvents, WEBHOOK_EVENT_TYPES } from './outgoing-event.js'
import { recordEvents } from './record-events.js'

const EVENTS_PER_STEP = 500
/** The log is read by time: minutes per step, extended when there are no events. */
const MINUTES_PER_STEP = 10
const STRETCH = 4

export interface ReplayRequest {
  service: string
  /** Time of the first events to replay. */
  since?: Date | null
  /** Id of a received event; replays from it on. */
  after?: string | null
  /** Only events of this conversation. */
  conversation?: string | null
}

/** State of a replay; the payload of its job. */
interface ReplayStep {
  service: string
  conversation: string | null
  at: string
  stream: string
  number: number
  until: string
  minutes: number
}

/** Does one step of a replay. */
export const WEBHOOK_REPLAY = defineJob<ReplayStep>('webhook.replay', {
  service: 'string',
  conversation: 'any',
  at: 'string',
  stream: 'string',
  number: 'number',
  until: 'string',
  minutes: 'number',
})

/**
 * Delivers the events of the log since a time to one webhook again, including those before its registration, as far as
 * the log goes back. They keep their ids and their order within a conversation; waiting deliveries follow them. A job
 * does it in steps.
 * @returns the time at which it begins
 * @throws BadUserInput, NotFound for an event that was not delivered to the webhook
 */
export async function startReplay(
  ctx: Context,
  transact: Transact,
  request: ReplayRequest,
): Promise<{ since: Date; until: Date }> {
  const { service, conversation = null } = request
  if ((request.since == null) === (request.after == null)) {
    throw new BadUserInput('since', 'either since, a time, or after, the id of an event, is required')
  }
  const since = request.since ?? (await timeOf(ctx.reads, service, request.after!))
  const until = ctx.now()
  const step: ReplayStep = {
    service,
    conversation,
    at: since.toISOString(),
    stream: '',
    number: 0,
    until: until.toISOString(),
    minutes: MINUTES_PER_STEP,
  }
  await transact(ctx, async (tx) => {
    tx.addJob(WEBHOOK_REPLAY.create(step, { key: `${WEBHOOK_REPLAY.kind}:${service}` }))
    return true
  })
  return { since, until }
}

/** Returns the time of the event: others of the same time are repeated rather than missed. */
async function timeOf(sql: Sql, service: string, event: string): Promise<Date> {
  const rows = isId(event)
    ? await sql.query<{ at: Date }>(
        `select e.at from webhook_event e join webhook_delivery d on d.event_id = e.id
         where e.id = $1 and d.service_id = $2`,
        [event, service],
      )
    : []
  if (!rows[0]) throw recordNotFound('Event', event, 'after')
  return rows[0].at
}

/** Does one step of a replay and adds the job of the next, in one transaction. */
export function takeReplayStep({ epoch, wake }: { epoch: number; wake: (service: string) => void }) {
  return async (ctx: Context, job: Job<ReplayStep>): Promise<void> => {
    const step = job.payload
    await ctx.database.sqlTransaction(async (sql) => {
      const { events, next } = await readLog(sql, step)
      // Events of one time may belong to one transaction, of which some facts are published once.
      const moments = Map.groupBy(events, ({ at }) => at.getTime())
      const outgoing = [...moments.values()].flatMap((moment) => outgoingEvents(epoch, moment))
      if (outgoing.length > 0) await recordEvents(sql, outgoing, ctx.now(), { service: step.service })
      await finishJob(sql, job)
      if (!next) return
      await addJobs(sql, [WEBHOOK_REPLAY.create(next, { key: job.key! })], ctx.clock)
    })
    wake(step.service)
  }
}

async function readLog(sql: Sql, step: ReplayStep): Promise<{ events: StoredEvent[]; next: ReplayStep | null }> {
  const until = new Date(step.until)
  const sliceEnd = new Date(new Date(step.at).getTime() + step.minutes * 60_000)
  const end = step.conversation || sliceEnd > until ? until : sliceEnd
  const stream = step.conversation && conversationStream(step.conversation)
  const rows = await sql.query<StoredEvent>(
    `select stream, number, type, at, ${eventDataSql('e')} as data, tag, previous from event e
     where at >= $1 and at <= $2 and (at, stream, number) > ($1, $3, $4) and type = any($5)
       and ($6::text is null or stream = $6)
     order by at, stream, number limit $7`,
    [step.at, end, step.stream, step.number, WEBHOOK_EVENT_TYPES, stream, EVENTS_PER_STEP],
  )
  if (rows.length < EVENTS_PER_STEP) {
    const minutes = rows.length > 0 ? MINUTES_PER_STEP : step.minutes * STRETCH
    const next = { ...step, at: end.toISOString(), stream: '', number: 0, minutes }
    return { events: rows, next: end >= until ? null : next }
  }
  const events = withoutLastMoment(rows)
  const last = events.at(-1)!
  return { events, next: { ...step, at: last.at.toISOString(), stream: last.stream, number: last.number } }
}

/**
 * Removes the events of the last time, so that a step does not end between events of one time, unless there are no
 * others.
 */
function withoutLastMoment(rows: StoredEvent[]): StoredEvent[] {
  const last = rows.at(-1)!.at.getTime()
  const before = rows.filter(({ at }) => at.getTime() < last)
  return before.length > 0 ? before : rows
}
