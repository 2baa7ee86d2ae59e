import { CONTACT_MATCHED, CONTACT_RENAMED, IDENTIFIER_GIVEN } from '../contacts/contact-jobs.js'
import type { Context } from '../../platform/context.js'
import { DomainError, NotFound } from '../../platform/errors.js'
import type { JobRunner } from '../../platform/jobs/job-runner.js'
import { ENDED, type JobHandler, type JobType } from '../../platform/jobs/job-type.js'
import { BOT_GOVERNED, BOT_PAUSED, USER_DEPARTED } from '../users/user-jobs.js'
import { eventsOfContactChange } from './state/change-events.js'
import { CLOSING_STANDS } from './state/closing.js'
import { SNOOZE_ENDS } from './state/snooze.js'
import { COPY_DELETED } from './state/deletion-jobs.js'
import { deleteEarlier } from './messages/edit-message.js'
import { isPaused, leaveOutOfReach, leavePaused } from './departed-users.js'
import {
  MERGE_SUGGEST,
  suggestMatched,
  suggestOthers,
  postUnverified,
  type SuggestDependencies,
} from './messages/merge-suggestions.js'
import { reviewOffers, type OfferReview } from './offers/review-offers.js'
import { registerPresenceJobs } from './routing/presence-jobs.js'
import { ROUTING_RESUME } from './routing/router.js'
import { settleClosing } from './sending/close-conversation.js'
import { wakeWhenDue } from './sending/snooze-conversation.js'
import { askSurvey } from './surveys/ask-survey.js'
import { SURVEY_ASK } from './surveys/plan-surveys.js'
import type { SurveyLinks } from './surveys/survey-links.js'
import { endProposalsOf, lapseProposal, PROPOSAL_LAPSE } from './proposals/proposal-jobs.js'
import { stopOutOfReach, stopStreamsOf, stopUngranted } from './streaming/finish-stream.js'
import { lapse, STREAM_LAPSE } from './streaming/lapse.js'
import { MESSAGE_PROCESS, processDelayed, type SendDependencies } from './sending/send-message.js'

export interface ConversationJobsOptions
  extends Pick<SendDependencies, 'writer' | 'router' | 'assignments'>, OfferReview {
  jobs: JobRunner
  /** Creates a context that sees every tenant; one per job. */
  systemContext: (requestId: string) => Context
  /** Base URL of links, without a trailing slash. */
  publicUrl: string
  surveyLinks: SurveyLinks
}

/** Registers the jobs of conversations: delayed messages, delayed rules, closings, surveys, ends of snoozes, and `/leave` on behalf of removed users. */
export function registerConversationJobs(options: ConversationJobsOptions): void {
  const { assignments, jobs, systemContext, writer, router, publicUrl } = options
  jobs.register(MESSAGE_PROCESS, {
    handler: (job) => {
      const system = systemContext(job.id)
      return endUnlessRefused(system, () => processDelayed({ writer, router, assignments }, system, job))
    },
  })
  jobs.register(CLOSING_STANDS, {
    handler: (job) => {
      const system = systemContext(job.id)
      return endUnlessRefused(system, () => settleClosing(writer, system, job))
    },
  })
  jobs.register(SURVEY_ASK, {
    handler: (job) => {
      const system = systemContext(job.id)
      return endUnlessRefused(system, () => askSurvey({ writer, links: options.surveyLinks }, system, job))
    },
  })
  jobs.register(SNOOZE_ENDS, {
    handler: (job) => {
      const system = systemContext(job.id)
      return endUnlessRefused(system, () => wakeWhenDue(writer, system, job))
    },
  })
  jobs.register(ROUTING_RESUME, {
    handler: async (job) => {
      const { conversation, queueing } = job.payload
      const system = systemContext(job.id)
      const resume = () => writer.run(system, conversation, (change) => router.resume(change, queueing), { job })
      return endUnlessRefused(system, resume)
    },
  })
  jobs.register(CONTACT_RENAMED, {
    handler: async (job) => {
      const system = systemContext(job.id)
      const rows = await system.reads.query<{ id: string }>(SHOWN_OF_CONTACT, [job.payload.contact])
      for (const { id } of rows) {
        const retell = () =>
          writer.run(system, id, (change) => {
            change.addEvents(eventsOfContactChange(change.aggregate))
          })
        await dropRefused(system, retell)
      }
    },
  })
  registerPresenceJobs(options)
  const suggestions = { writer, publicUrl }
  const registerSuggesting = <Payload extends object>(
    type: JobType<Payload>,
    handle: (dependencies: SuggestDependencies, system: Context, payload: Payload) => Promise<void>,
  ): void => {
    jobs.register(type, {
      handler: ({ id, payload }) =>
        dropRefused(systemContext(id), () => handle(suggestions, systemContext(id), payload)),
    })
  }
  registerSuggesting(MERGE_SUGGEST, suggestOthers)
  registerSuggesting(CONTACT_MATCHED, suggestMatched)
  registerSuggesting(IDENTIFIER_GIVEN, postUnverified)
  jobs.register(COPY_DELETED, {
    handler: (job) => {
      const system = systemContext(job.id)
      return dropRefused(system, () => deleteEarlier(writer, system, job.payload))
    },
  })
  jobs.register(BOT_PAUSED, {
    handler: async (job) => {
      const system = systemContext(job.id)
      if (!(await isPaused(system.reads, job.payload.user))) return
      await stopStreamsOf({ writer }, system, job.payload.user)
      await endProposalsOf(writer, system, job.payload.user)
      await leavePaused({ writer, router }, system, job.payload.user)
      await reviewOffers(options, system, [job.payload.user])
    },
  })
  jobs.register(BOT_GOVERNED, {
    handler: (job) => stopUngranted({ writer }, systemContext(job.id), job.payload.user),
  })
  jobs.register(PROPOSAL_LAPSE, { handler: (job) => lapseProposal(writer, systemContext(job.id), job) })
  jobs.register(STREAM_LAPSE, { handler: (job) => lapse({ writer, router }, systemContext(job.id), job) })
  jobs.register(USER_DEPARTED, {
    handler: async (job) => {
      const system = systemContext(job.id)
      await stopOutOfReach({ writer }, system, job.payload.user)
      await endProposalsOf(writer, system, job.payload.user)
      await leaveOutOfReach({ writer, router }, system, job.payload.user)
      await reviewOffers(options, system, [job.payload.user])
    },
  })
}

/** Selects the conversations of a contact that are shown in queues, inboxes or lists of active conversations. */
const SHOWN_OF_CONTACT = `
select c.id from conversation c where c.contact_id = $1 and (c.status in ('queued', 'active')
  or exists (select 1 from participant p where p.conversation_id = c.id and p.inbox)) order by c.id`

/**
 * Runs a job and drops it if a rule refuses it by now (the conversation was deleted or archived, the contact is
 * blocked, a bot exceeded its limits): the refusal is logged, and the runner removes the job.
 */
async function dropRefused(system: Context, run: () => Promise<unknown>): Promise<void> {
  await endUnlessRefused(system, run)
}

/** The same for work that ends the job in its transaction. */
async function endUnlessRefused(system: Context, run: () => Promise<unknown>): ReturnType<JobHandler> {
  try {
    await run()
    return ENDED
  } catch (error) {
    if (!(error instanceof DomainError) || error.code === 'UNAVAILABLE') throw error
    const level = error instanceof NotFound ? 'debug' : 'warn'
    system.log[level]({ err: error, job: system.requestId }, 'job refused')
    return undefined
  }
}
