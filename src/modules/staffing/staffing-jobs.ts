import type { Context } from '../../platform/context.js'
import type { Transact } from '../../platform/events/transact.js'
import { finishJob, RetryLater } from '../../platform/jobs/job.js'
import type { JobRunner } from '../../platform/jobs/job-runner.js'
import { defineJob } from '../../platform/jobs/job-type.js'
import { DEAD_AFTER_SECONDS, HEARTBEAT_MS } from '../../platform/presence/presence-times.js'
import { ifThere } from '../../platform/if-there.js'
import { MISSES_MAX } from './missed-offers.js'
import { changeAvailability } from './set-availability.js'
import { lockStaff } from './staff-row.js'

/** Job: an offer to the user expired; counts as a miss if the user could see it. */
export const OFFER_MISSED = defineJob<{ user: string; offer: string }>('staffing.missed', {
  user: 'string',
  offer: 'string',
})
/** By then, a node that was alive when an offer ended has renewed its row. */
export const JUDGED_AFTER_MS = HEARTBEAT_MS
/** Job: the user accepted a conversation, or declined one. */
export const OFFER_ANSWERED = defineJob<{ user: string; isAccepted: boolean }>('staffing.answered', {
  user: 'string',
  isAccepted: 'boolean',
})

const RETRY_MS = 500

/**
 * Tells whether the agent could see the offer all the time: one subscription to the queue began before the offer and
 * outlived it, on a node that renewed its row before, after, and in between. `isOpen`: whether the row may be renewed
 * yet.
 */
const SEEN = `
select coalesce(bool_or(n.seen_at >= o.end_recorded_at), false) as "isSeen",
  coalesce(bool_or(n.seen_at < o.end_recorded_at and n.seen_at > now() - make_interval(secs => $2)), false) as "isOpen"
from offer o join queue_subscriber q on q.channel_id = o.channel_id and q.user_id = o.user_id
  and (q.lost_at is null or q.lost_at >= o.end_recorded_at)
join node n on n.id = q.node_id and greatest(q.since, n.alive_since) <= o.recorded_at
where o.id = $1`

/** Offers that were pending together are one miss, and none if the agent answered one of them. */
const COUNT = `
update staff s set misses = s.misses + 1, misses_from = o.end_recorded_at from offer o
where s.user_id = $1 and o.id = $2 and o.recorded_at >= coalesce(s.misses_from, '-infinity') returning s.misses`

/** Registers the jobs that count the offers that an agent misses; each counts exactly once. */
export function registerStaffingJobs({
  jobs,
  transact,
  systemContext,
}: {
  jobs: JobRunner
  transact: Transact
  systemContext: (requestId: string) => Context
}): void {
  jobs.register(OFFER_MISSED, {
    handler: async (job) => {
      const system = systemContext(job.id)
      await ifThere(
        transact(system, async (tx) => {
          const locked = await lockStaff(system, tx, job.payload.user)
          const [seen] = await tx.query<{ isSeen: boolean; isOpen: boolean }>(
            SEEN,
            [job.payload.offer, DEAD_AFTER_SECONDS],
            'offer-seen',
          )
          if (seen?.isOpen && !seen.isSeen) throw new RetryLater('the node has not renewed its row yet', RETRY_MS)
          await finishJob(tx, job)
          await tx.query('update offer set judged = true where id = $1', [job.payload.offer])
          if (!seen?.isSeen) return
          const [row] = await tx.query<{ misses: number }>(COUNT, [locked.agent.userId, job.payload.offer])
          if (!row || row.misses < MISSES_MAX || locked.agent.availability !== 'available') return
          await changeAvailability(system, tx, locked, { availability: 'notResponding', reason: null })
        }),
      )
    },
  })
  jobs.register(OFFER_ANSWERED, {
    handler: async (job) => {
      const system = systemContext(job.id)
      const { user, isAccepted } = job.payload
      await ifThere(
        transact(system, async (tx) => {
          const locked = await lockStaff(system, tx, user)
          await finishJob(tx, job)
          await tx.query('update staff set misses = 0, misses_from = now() where user_id = $1', [locked.agent.userId])
          if (!isAccepted || locked.agent.availability !== 'notResponding') return
          await changeAvailability(system, tx, locked, { availability: 'available', reason: null })
        }),
      )
    },
  })
}
