import { isWaitingSql } from '../../channels/is-waiting-sql.js'
import type { Context } from '../../context.js'
import { NotFound } from '../../errors.js'
import type { JobRunner } from '../../jobs/job-runner.js'
import { SUBSCRIBERS_BACK, SUBSCRIBERS_LOST } from '../../presence/presence.js'
import { bringOnline } from './bring-online.js'
import type { ConversationWriter } from '../writing/conversation-writer.js'
import type { Router } from './router.js'

export interface PresenceJobsOptions {
  jobs: JobRunner
  systemContext: (requestId: string) => Context
  writer: ConversationWriter
  router: Router
}

/** What a node's death asks of the queues, and its return. Each can be done twice. */
export function registerPresenceJobs({ jobs, systemContext, writer, router }: PresenceJobsOptions): void {
  jobs.register(SUBSCRIBERS_BACK, {
    handler: ({ id, payload }) => bringOnline(writer, systemContext(id), payload.channels),
  })
  jobs.register(SUBSCRIBERS_LOST, {
    handler: async ({ id, payload }) => {
      const system = systemContext(id)
      const lost = new Set(payload.channels)
      const shown = await system.reads.query<{ id: string }>(SHOWN_SINCE, [[...lost], payload.since])
      for (const conversation of shown) {
        await writer
          .run(system, conversation.id, (draft) => router.reroute(draft, lost))
          .catch((error: unknown) => {
            // Deleted meanwhile.
            if (!(error instanceof NotFound)) throw error
          })
      }
    },
  })
}

/** Every routing writes its conversation; some were written for another reason, and are routed as they would be now. */
const SHOWN_SINCE = `
select c.id from conversation c where ${isWaitingSql('c')} and c.channels && $1::uuid[] and c.updated_at >= $2
order by c.queued_at, c.id`
