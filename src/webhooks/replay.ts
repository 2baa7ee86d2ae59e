import type { Context } from '../context.js'
import { isId } from '../db/clock.js'
import type { Sql } from '../db/database.js'
import { BadUserInput, NotFound, quoteValue } from '../errors.js'
import { conversationStream, type StoredEvent } from '../events/event.js'
import { eventDataSql } from '../events/streams.js'
import type { Transact } from '../events/transact.js'
import { addJobs, finishJob, type Job } from '../jobs/job.js'
import type { JsonObject } from '../json.js'
import { outgoingEvents, WEBHOOK_EVENT_TYPES } from './outgoing-event.js'
import { recordEvents } from './record-events.js'

/** The job that takes a replay one step further. */
export const WEBHOOK_REPLAY = 'webhook.replay'

const EVENTS_PER_STEP = 500
/** The log is read by time: so much of it a step, and more where nothing happened. */
const MINUTES_PER_STEP = 10
const STRETCH = 4

export interface ReplayRequest {
  service: string
  /** Replays what happened from then on. */
  since?: Date | null
  /** Or from the event of this id on, which it has received. */
  after?: string | null
  /** Only events of this conversation. */
  conversation?: string | null
}

/** Where a replay stands; the payload of its job. */
interface ReplayStep {
  service: string
  conversation: string | null
  at: string
  stream: string
  number: number
  until: string
  minutes: number
}

/**
 * Delivers again, to one webhook, the events of the log since a time: also those from before it was registered, as far
 * as the log goes back. They keep their ids and, in each conversation, their order; what is waiting to be delivered
 * comes after them. Done by a job, step by step.
 * @returns the time it begins at
 * @throws BadUserInput, NotFound for an event that was not delivered to it
 */
export async function startReplay(
  ctx: Context,
  transact: Transact,
  request: ReplayRequest,
): Promise<{ since: Date; until: Date }> {
  const { service, conversation = null } = request
  if ((request.since == null) === (request.after == null)) {
    throw new BadUserInput('since', 'give since, a time, or after, the id of an event')
  }
  const since = request.since ?? (await timeOf(ctx.database, service, request.after!))
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
    tx.addJob({ kind: WEBHOOK_REPLAY, key: `${WEBHOOK_REPLAY}:${service}`, payload: step as unknown as JsonObject })
    return true
  })
  return { since, until }
}

/** All at once happen at the same time: events of the same moment are delivered again, rather than one too few. */
async function timeOf(sql: Sql, service: string, event: string): Promise<Date> {
  const rows = isId(event)
    ? await sql.query<{ at: Date }>(
        `select e.at from webhook_event e join webhook_delivery d on d.event_id = e.id
         where e.id = $1 and d.service_id = $2`,
        [event, service],
      )
    : []
  if (!rows[0]) throw new NotFound(`after: Event ${quoteValue(event)} not found`)
  return rows[0].at
}

/** Takes one step of a replay and plans the next, in one transaction. */
export function takeReplayStep({ epoch, wake }: { epoch: number; wake: () => void }) {
  return async (ctx: Context, job: Job): Promise<void> => {
    const step = job.payload as unknown as ReplayStep
    await ctx.database.sqlTransaction(async (sql) => {
      const { events, next } = await readLog(sql, step)
      // Those of one moment may be of one transaction, which tells some things once.
      const moments = Map.groupBy(events, ({ at }) => at.getTime())
      const outgoing = [...moments.values()].flatMap((moment) => outgoingEvents(epoch, moment))
      if (outgoing.length > 0) await recordEvents(sql, outgoing, ctx.now(), { service: step.service })
      await finishJob(sql, job)
      if (!next) return
      await addJobs(sql, [{ kind: job.kind, key: job.key!, payload: next as unknown as JsonObject }], ctx.clock)
    })
    wake()
  }
}

async function readLog(sql: Sql, step: ReplayStep): Promise<{ events: StoredEvent[]; next: ReplayStep | null }> {
  const until = new Date(step.until)
  const sliceEnd = new Date(new Date(step.at).getTime() + step.minutes * 60_000)
  const end = step.conversation || sliceEnd > until ? until : sliceEnd
  const stream = step.conversation && conversationStream(step.conversation)
  const rows = await sql.query<StoredEvent>(
    `select stream, number, type, at, ${eventDataSql('e')} as data, tag, previous from event e
     where at >= $1 and at <= $2 and (at, stream, number) > ($1, $3, $4) and type like any($5)
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

/** A step does not end within a moment, unless it has nothing else. */
function withoutLastMoment(rows: StoredEvent[]): StoredEvent[] {
  const last = rows.at(-1)!.at.getTime()
  const before = rows.filter(({ at }) => at.getTime() < last)
  return before.length > 0 ? before : rows
}
