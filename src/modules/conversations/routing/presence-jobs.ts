import { isWaitingSql } from '../../channels/is-waiting-sql.js'
import type { Context } from '../../../platform/context.js'
import { RetryLater } from '../../../platform/jobs/job.js'
import type { JobRunner } from '../../../platform/jobs/job-runner.js'
import { SUBSCRIBERS_BACK, SUBSCRIBERS_LOST } from '../../../platform/presence/lost-channels.js'
import { isPresenceComplete } from '../../../platform/presence/online-channels.js'
import { PRESENCE_COMPLETE_MS } from '../../../platform/presence/presence-times.js'
import { ifThere } from '../../../platform/if-there.js'
import { bringOnline } from './bring-online.js'
import type { ConversationWriter } from '../writer/conversation-writer.js'
import type { Router } from './router.js'

export interface PresenceJobsOptions {
  jobs: JobRunner
  systemContext: (requestId: string) => Context
  writer: ConversationWriter
  router: Router
}

/**
 * Registers the jobs that reroute conversations when a node with subscribers dies or subscribers return. Both are
 * idempotent.
 */
export function registerPresenceJobs({ jobs, systemContext, writer, router }: PresenceJobsOptions): void {
  jobs.register(SUBSCRIBERS_BACK, {
    handler: ({ id, payload }) => bringOnline(writer, systemContext(id), payload.channels),
  })
  jobs.register(SUBSCRIBERS_LOST, {
    handler: async ({ id, payload }) => {
      const system = systemContext(id)
      if (!(await isPresenceComplete(system.reads))) {
        throw new RetryLater('not all nodes have registered their subscribers again', PRESENCE_COMPLETE_MS)
      }
      const lost = new Set(payload.channels)
      const conversations = await system.reads.query<{ id: string }>(SHOWN_SINCE, [[...lost], payload.since])
      for (const conversation of conversations) {
        await ifThere(writer.run(system, conversation.id, (change) => router.reroute(change, lost)))
      }
    },
  })
}

/**
 * Selects queued conversations changed since a time: every routing writes its conversation. Those that were written for
 * another reason are rerouted as well.
 */
const SHOWN_SINCE = `
select c.id from conversation c where ${isWaitingSql('c')} and c.channels && $1::uuid[] and c.updated_at >= $2
order by c.queued_at, c.id`
