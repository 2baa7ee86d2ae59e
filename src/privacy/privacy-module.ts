import type { AttachmentStore } from '../attachments/attachment-store.js'
import type { Context } from '../context.js'
import type { ConversationWriter } from '../conversations/writing/conversation-writer.js'
import { CONVERSATION_DELETED, MESSAGE_DELETED, SECOND_LOOK_MS } from '../conversations/writing/deletion-jobs.js'
import type { Transact } from '../events/transact.js'
import { addJobs } from '../jobs/job.js'
import type { JobRunner } from '../jobs/job-runner.js'
import type { JobType } from '../jobs/job-type.js'
import type { Module } from '../module.js'
import { erase } from './erase.js'
import { eraseMessage } from './erase-message.js'
import { PRIVACY_ERASE } from './erasure-job.js'
import { PrivacyResolver } from './privacy-resolver.js'

export interface PrivacyDependencies {
  jobs: JobRunner
  transact: Transact
  writer: ConversationWriter
  store: AttachmentStore
  /** Creates a context that sees every tenant. */
  systemContext: (requestId: string) => Context
}

/** Builds the deletion and erasure of consumers' data, and registers the job. */
export function openPrivacyModule({ jobs, transact, systemContext, ...rest }: PrivacyDependencies): Module {
  jobs.register(PRIVACY_ERASE, {
    handler: (job) => erase(rest, systemContext(job.id), job.payload),
  })
  jobs.register(CONVERSATION_DELETED, {
    handler: async (job) => {
      const system = systemContext(job.id)
      const { deleted: conversation } = job.payload
      await erase(rest, system, { contact: null, conversations: [conversation], beside: [], attachments: [] })
      await lookAgain(system, conversation, CONVERSATION_DELETED, job.payload)
    },
  })
  jobs.register(MESSAGE_DELETED, {
    handler: async (job) => {
      const system = systemContext(job.id)
      await eraseMessage(system.database, job.payload)
      await lookAgain(system, job.payload.of, MESSAGE_DELETED, job.payload)
    },
  })
  return { resolvers: [new PrivacyResolver(transact)] }
}

/** If a conversation's events go to webhooks, a running attempt may store its payload after the erasure. */
async function lookAgain<Payload extends { isAgain?: boolean }>(
  system: Context,
  conversation: string,
  type: JobType<Payload>,
  payload: Payload,
): Promise<void> {
  if (payload.isAgain === true) return
  const { database, clock } = system
  const published = await database.query('select 1 from webhook_event where lane = $1 limit 1', [
    `conversation:${conversation}`,
  ])
  if (published.length === 0) return
  const runAt = new Date(system.now().getTime() + SECOND_LOOK_MS)
  await addJobs(database, [type.create({ ...payload, isAgain: true }, { runAt })], clock)
}
