import type { Context } from '../../../platform/context.js'
import type { JobRunner } from '../../../platform/jobs/job-runner.js'
import { ifThere } from '../../../platform/if-there.js'
import type { Router } from '../routing/router.js'
import { CLOCK_ACT, CLOCK_DUE, disarmClocks } from '../state/clock-changes.js'
import type { ConversationChange } from '../state/conversation-change.js'
import type { ConversationWriter } from '../writer/conversation-writer.js'
import { actOnClock } from './clock-act.js'

export interface ClockJobsOptions {
  jobs: JobRunner
  writer: ConversationWriter
  router: Router
  systemContext: (requestId: string) => Context
}

/**
 * Registers the job that does what policies say of these, and the one that tells warnings and missed targets: what is told is in the difference that it commits together
 * with its own end, so each is told once, whatever node runs it and whether or not the answer arrives.
 */
export function registerClockJobs({ jobs, router, writer, systemContext }: ClockJobsOptions): void {
  jobs.register(CLOCK_DUE, {
    handler: async (job) => {
      const { conversation, at } = job.payload
      const tell = writer.run(systemContext(job.id), conversation, (change) => disarmClocks(change.conversation, at), {
        job,
      })
      await ifThere(tell)
    },
  })
  jobs.register(CLOCK_ACT, {
    handler: async (job) => {
      const { conversation, ...act } = job.payload
      const run = (change: ConversationChange): Promise<void> => actOnClock(change, router, act)
      await ifThere(writer.run(systemContext(job.id), conversation, run, { job }))
    },
  })
}
