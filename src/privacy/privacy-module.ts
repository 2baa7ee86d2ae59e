import type { AttachmentStore } from '../attachments/attachment-store.js'
import type { Context } from '../context.js'
import type { ConversationWriter } from '../conversations/writing/conversation-writer.js'
import type { Transact } from '../events/transact.js'
import type { JobRunner } from '../jobs/job-runner.js'
import { erase } from './erase.js'
import { PRIVACY_ERASE, type Erasure } from './erasure-job.js'
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
export function openPrivacyModule({ jobs, transact, systemContext, ...rest }: PrivacyDependencies): object[] {
  jobs.register(PRIVACY_ERASE, {
    handler: (job) => erase(rest, systemContext(job.id), job.payload as unknown as Erasure),
  })
  return [new PrivacyResolver(transact)]
}
