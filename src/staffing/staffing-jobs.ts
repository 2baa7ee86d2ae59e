import type { Context } from '../context.js'
import type { Transact } from '../events/transact.js'
import { NotFound } from '../errors.js'
import { finishJob } from '../jobs/job.js'
import type { JobRunner } from '../jobs/job-runner.js'
import { defineJob } from '../jobs/job-type.js'
import { changeAvailability } from './set-availability.js'
import { lockStaff } from './staff-row.js'

/** Job: an offer to the user expired. */
export const OFFER_MISSED = defineJob<{ user: string }>('staffing.missed', { user: 'string' })
/** Job: the user accepted a conversation, or declined one. */
export const OFFER_ANSWERED = defineJob<{ user: string; isAccepted: boolean }>('staffing.answered', {
  user: 'string',
  isAccepted: 'boolean',
})

/** Expired offers in a row after which an agent is not responding. */
const MISSES_MAX = 2

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
      await forUser(() =>
        transact(system, async (tx) => {
          const locked = await lockStaff(system, tx, job.payload.user)
          await finishJob(tx, job)
          const [row] = await tx.query<{ misses: number }>(
            'update staff set misses = misses + 1 where user_id = $1 returning misses',
            [locked.agent.userId],
          )
          if (row!.misses < MISSES_MAX || locked.agent.availability !== 'available') return
          await changeAvailability(system, tx, locked, { availability: 'notResponding', reason: null })
        }),
      )
    },
  })
  jobs.register(OFFER_ANSWERED, {
    handler: async (job) => {
      const system = systemContext(job.id)
      const { user, isAccepted } = job.payload
      await forUser(() =>
        transact(system, async (tx) => {
          const locked = await lockStaff(system, tx, user)
          await finishJob(tx, job)
          await tx.query('update staff set misses = 0 where user_id = $1', [locked.agent.userId])
          if (!isAccepted || locked.agent.availability !== 'notResponding') return
          await changeAvailability(system, tx, locked, { availability: 'available', reason: null })
        }),
      )
    },
  })
}

/** Nothing is left to count of a user who was deleted; the runner removes the job. */
async function forUser(run: () => Promise<unknown>): Promise<void> {
  try {
    await run()
  } catch (error) {
    if (!(error instanceof NotFound)) throw error
  }
}
