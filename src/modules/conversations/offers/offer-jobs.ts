import { MEMBERS_REMOVED } from '../../channels/channel-members.js'
import { ASSIGNMENT_CHANGED } from '../../channels/channel-writes.js'
import type { AssignmentCache } from '../../channels/assignment-cache.js'
import type { Context } from '../../../platform/context.js'
import type { Clock } from '../../../platform/db/clock.js'
import type { Database } from '../../../platform/db/database.js'
import type { JobRunner } from '../../../platform/jobs/job-runner.js'
import { ifThere } from '../../../platform/if-there.js'
import { STAFF_CHANGED } from '../../staffing/staff-changed.js'
import type { ConversationChange } from '../state/conversation-change.js'
import type { ConversationWriter } from '../writer/conversation-writer.js'
import { expireOffer, wasAway } from './end-offer.js'
import { OFFER_EXPIRE } from './make-offer.js'
import type { Matcher } from './matcher.js'
import { reviewChannel, reviewOffers } from './review-offers.js'

export interface OfferJobsOptions {
  jobs: JobRunner
  database: Database
  clock: Clock
  writer: ConversationWriter
  matcher: Matcher
  assignments: AssignmentCache
  idleMinutes: number
  systemContext: (requestId: string) => Context
}

/** Registers the jobs that end offers, and those that look for work when agents or channels change. */
export function registerOfferJobs(options: OfferJobsOptions): void {
  const { jobs, database, writer, matcher, assignments, systemContext } = options
  jobs.register(OFFER_EXPIRE, {
    handler: async (job) => {
      const { conversation, offer } = job.payload
      const isLate = wasAway(job)
      const expire = (change: ConversationChange): void => expireOffer(change, offer, isLate)
      await ifThere(writer.run(systemContext(job.id), conversation, expire, { job }))
    },
  })
  jobs.register(ASSIGNMENT_CHANGED, {
    handler: async ({ id, payload }) => {
      await assignments.read()
      if (payload.channel !== undefined) await reviewChannel(options, systemContext(id), payload.channel)
      matcher.wake(payload.organization)
    },
  })
  jobs.register(MEMBERS_REMOVED, {
    handler: ({ id, payload }) => reviewOffers(options, systemContext(id), payload.users),
  })
  jobs.register(STAFF_CHANGED, {
    handler: async ({ id, payload: { user } }) => {
      await reviewOffers(options, systemContext(id), [user])
      const [staff] = await database.query<{ org1: string }>('select org1 from app_user where id = $1', [user])
      if (staff) matcher.wake(staff.org1)
    },
  })
}
