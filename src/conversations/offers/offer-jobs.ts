import { MEMBERS_REMOVED } from '../../channels/channel-members.js'
import { ASSIGNMENT_CHANGED } from '../../channels/channel-writes.js'
import type { AssignmentCache } from '../../channels/assignment-cache.js'
import type { Context } from '../../context.js'
import type { Clock } from '../../db/clock.js'
import type { Database } from '../../db/database.js'
import type { JobRunner } from '../../jobs/job-runner.js'
import { defineJob } from '../../jobs/job-type.js'
import { addJobs } from '../../jobs/job.js'
import { STAFF_CHANGED } from '../../staffing/staff-changed.js'
import { settleAfterLeave } from '../commands/leave.js'
import type { Router } from '../routing/router.js'
import type { ConversationDraft } from '../writing/conversation-draft.js'
import type { ConversationWriter } from '../writing/conversation-writer.js'
import { expireOffer, wasAway } from './end-offer.js'
import { OFFER_EXPIRE } from './make-offer.js'
import type { Matcher } from './matcher.js'
import { ifThere, reviewChannel, reviewOffers } from './review-offers.js'

export interface OfferJobsOptions {
  jobs: JobRunner
  database: Database
  clock: Clock
  writer: ConversationWriter
  router: Router
  matcher: Matcher
  assignments: AssignmentCache
  idleMinutes: number
  systemContext: (requestId: string) => Context
}

/** Job: the user has been offline since then for as long as its channels wait for it. */
const AGENT_GONE = defineJob<{ user: string; since: string }>('offer.agentGone', { user: 'string', since: 'string' })

/** Registers the jobs that end offers, and those that look for work when agents or channels change. */
export function registerOfferJobs(options: OfferJobsOptions): void {
  const { jobs, database, clock, writer, router, matcher, assignments, systemContext } = options
  jobs.register(OFFER_EXPIRE, {
    handler: async (job) => {
      const { conversation, offer } = job.payload
      const isLate = wasAway(job, clock.now())
      const expire = (draft: ConversationDraft): void => expireOffer(draft, offer, isLate)
      await ifThere(writer.run(systemContext(job.id), conversation, expire, { job, caller: OFFER_EXPIRE.kind }))
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
      const [staff] = await database.query<StaffRow>(STAFF, [user])
      if (!staff) return
      if (staff.availability === 'offline' && staff.goneSeconds !== null) {
        const runAt = new Date(staff.since.getTime() + staff.goneSeconds * 1_000)
        await addJobs(database, [AGENT_GONE.create({ user, since: staff.since.toISOString() }, { runAt })], clock)
      }
      matcher.wake(staff.org1)
    },
  })
  jobs.register(AGENT_GONE, {
    handler: async ({ id, payload: { user, since } }) => {
      const [staff] = await database.query<StaffRow>(STAFF, [user])
      if (staff?.availability !== 'offline' || staff.since.toISOString() !== since) return
      const rows = await database.query<{ id: string }>(UNANSWERED, [user])
      for (const conversation of rows) {
        const leave = writer.run(systemContext(id), conversation.id, async (draft) => {
          if (!draft.conversation.awaitingReply || !draft.participants.get(user)?.accepted) return
          draft.participants.delete(user)
          await settleAfterLeave(draft, router, 'the agent is offline')
        })
        await ifThere(leave)
      }
    },
  })
}

interface StaffRow {
  availability: string
  since: Date
  org1: string
  goneSeconds: number | null
}

/** The shortest time that one of the agent's channels waits. */
const STAFF = `
select s.availability, s.since, u.org1, (select min((c.assignment ->> 'requeueGoneSeconds')::int)
  from channel_member m join channel c on c.id = m.channel_id where m.user_id = u.id) as "goneSeconds"
from staff s join app_user u on u.id = s.user_id where s.user_id = $1`

const UNANSWERED = `
select c.id from participant p join conversation c on c.id = p.conversation_id
where p.user_id = $1 and p.accepted and c.status = 'active' and c.awaiting_reply order by c.id`
