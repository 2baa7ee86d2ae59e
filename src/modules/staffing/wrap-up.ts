import type { Context } from '../../platform/context.js'
import { reading } from '../../platform/db/sql.js'
import type { Transact, WriteTx } from '../../platform/events/transact.js'
import { finishJob, type NewJob } from '../../platform/jobs/job.js'
import type { JobRunner } from '../../platform/jobs/job-runner.js'
import { defineJob } from '../../platform/jobs/job-type.js'
import { ifThere } from '../../platform/if-there.js'
import type { AgentState } from './agent-state.js'
import type { GivenAvailability, WrapUp } from './availability.js'
import { changeAvailability } from './set-availability.js'
import { lockStaff } from './staff-row.js'
import { WRAP_UP_KEY, wrapUpKey } from './wrap-up-key.js'

/** Job: a conversation of the user was closed at `at`, or that was undone. Those of a user run in their order. */
const WRAP_UP = defineJob<{ user: string; conversation: string; until: number; isUndone: boolean }>('staffing.wrapUp', {
  user: 'string',
  conversation: 'string',
  until: 'number',
  isUndone: 'boolean',
})
/**
 * Job: the time after a closing is over, and with it the wrap-up that began at `since`, unless another closing made that
 * longer.
 */
const WRAP_UP_END = defineJob<{ user: string; until: number; conversation?: string; since?: number }>(
  'staffing.wrapUpEnd',
  { user: 'string', until: 'number' },
)

const DROP_END = `
delete from job where id = (
  select id from job where kind = '${WRAP_UP_END.kind}' and payload ->> 'user' = $1 and payload ->> 'conversation' = $2
  order by number desc limit 1)`

const LATEST_END = reading(`
select payload ->> 'conversation' as "conversationId", (payload ->> 'until')::float8 as until from job
where kind = '${WRAP_UP_END.kind}' and payload ->> 'user' = $1 and payload -> 'since' = to_jsonb($2::bigint)
  and (payload ->> 'until')::float8 > $3
order by 2 desc limit 1`)

/** Makes an available agent wrap up. Added by the transaction that closes: until it has run, {@link wrapsUpSql} says so. */
export const wrapUp = (user: string, conversation: string, until: number): NewJob =>
  WRAP_UP.create({ user, conversation, until, isUndone: false }, { key: wrapUpKey(user) })

/** Takes that back. */
export const wrapUpUndone = (user: string, conversation: string): NewJob =>
  WRAP_UP.create({ user, conversation, until: 0, isUndone: true }, { key: wrapUpKey(user) })

/** A job that is not done after this time fails again and again, and keeps nobody from work. */
const PENDING_SECONDS_MAX = 60

/** SQL of whether a user is about to wrap up: the room that a closing frees is given to nobody in between. */
export const wrapsUpSql = (user: string): string => `exists (
  select from job j where j.key = '${WRAP_UP_KEY}' || ${user} and j.kind = '${WRAP_UP.kind}'
    and j.created_at > now() - interval '${PENDING_SECONDS_MAX} seconds')`

const AVAILABLE = { availability: 'available', reason: null, isBySystem: true } as const

const wrappingUp = (wrapUp: WrapUp): GivenAvailability => ({
  availability: 'wrapUp',
  reason: null,
  wrapUp,
  isBySystem: true,
})

/** The closing that makes the agent wrap up for the longest, of those since it began to. */
async function latestEnd(system: Context, tx: WriteTx, { userId, since }: AgentState): Promise<WrapUp | null> {
  const [row] = await tx.query<{ conversationId: string; until: number }>(LATEST_END, [
    userId,
    since?.getTime() ?? null,
    system.now().getTime(),
  ])
  return row ? { conversationId: row.conversationId, until: new Date(row.until) } : null
}

/** Registers the jobs by which agents begin and cease to wrap up. */
export function registerWrapUpJobs({
  jobs,
  transact,
  systemContext,
}: {
  jobs: JobRunner
  transact: Transact
  systemContext: (requestId: string) => Context
}): void {
  jobs.register(WRAP_UP, {
    handler: async (job) => {
      const system = systemContext(job.id)
      const { user, conversation, until, isUndone } = job.payload
      await ifThere(
        transact(system, async (tx) => {
          const locked = await lockStaff(system, tx, user)
          await finishJob(tx, job)
          const { availability, wrapUpUntil, wrapUpConversationId } = locked.agent
          if (isUndone) {
            await tx.query(DROP_END, [locked.agent.userId, conversation])
            if (wrapUpConversationId !== conversation) return
            const other = await latestEnd(system, tx, locked.agent)
            await changeAvailability(system, tx, locked, other ? wrappingUp(other) : AVAILABLE)
            return
          }
          // Who paused, or is gone, takes nothing anyway; what is over by now is over.
          if (availability !== 'available' && availability !== 'wrapUp') return
          if (until <= system.now().getTime()) return
          const isLonger = !wrapUpUntil || wrapUpUntil.getTime() < until
          const given = wrappingUp({ until: new Date(until), conversationId: conversation })
          const { userId, since } = isLonger ? await changeAvailability(system, tx, locked, given) : locked.agent
          // Of a shorter time, too: the closing with the longer one may be undone.
          const end = { user: userId, until, conversation, ...(since && { since: since.getTime() }) }
          tx.addJob(WRAP_UP_END.create(end, { runAt: new Date(until) }))
        }),
      )
    },
  })
  jobs.register(WRAP_UP_END, {
    handler: async (job) => {
      const system = systemContext(job.id)
      await ifThere(
        transact(system, async (tx) => {
          const locked = await lockStaff(system, tx, job.payload.user)
          await finishJob(tx, job)
          const { wrapUpUntil } = locked.agent
          if (!wrapUpUntil || wrapUpUntil.getTime() > job.payload.until) return
          // However late the job is: what reports count is the time that was meant.
          await changeAvailability(system, tx, locked, AVAILABLE, wrapUpUntil)
        }),
      )
    },
  })
}
