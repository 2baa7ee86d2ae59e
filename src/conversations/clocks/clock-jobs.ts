import type { Context } from '../../context.js'
import { NotFound } from '../../errors.js'
import type { JobRunner } from '../../jobs/job-runner.js'
import { CLOCK_DUE, disarmClocks } from '../writing/clock-changes.js'
import type { ConversationWriter } from '../writing/conversation-writer.js'

export interface ClockJobsOptions {
  jobs: JobRunner
  writer: ConversationWriter
  systemContext: (requestId: string) => Context
}

/**
 * Registers the job that tells warnings and missed targets: what is told is in the difference that it commits together
 * with its own end, so each is told once, whatever node runs it and whether or not the answer arrives.
 */
export function registerClockJobs({ jobs, writer, systemContext }: ClockJobsOptions): void {
  jobs.register(CLOCK_DUE, {
    handler: async (job) => {
      const { conversation, at } = job.payload
      const tell = writer.run(systemContext(job.id), conversation, (draft) => disarmClocks(draft.conversation, at), {
        job,
      })
      await tell.catch((error: unknown) => {
        // It was deleted in the meantime.
        if (!(error instanceof NotFound)) throw error
      })
    },
  })
}
