import type { Logger } from 'pino'
import type { AttachmentLinks } from '../attachments/attachment-links.js'
import { serverSecret } from '../auth/server-secret.js'
import type { ConversationWriter } from '../conversations/writer/conversation-writer.js'
import type { Clock } from '../../platform/db/clock.js'
import type { Database } from '../../platform/db/database.js'
import type { JobRunner } from '../../platform/jobs/job-runner.js'
import type { Module } from '../../platform/module.js'
import type { Mailer } from '../../platform/outbound/mailer.js'
import type { RedisClient } from '../../platform/redis.js'
import type { Sealer } from '../../platform/sealing/sealer.js'
import { TranscriptCodes } from './transcript-codes.js'
import { createCodeMailer, createTranscriptMailer, TRANSCRIPT_CODE, TRANSCRIPT_MAIL } from './transcript-jobs.js'
import { TranscriptsResolver } from './transcripts-resolver.js'

export interface TranscriptsDependencies {
  clock: Clock
  database: Database
  jobs: JobRunner
  links: AttachmentLinks
  log: Logger
  mailer: Mailer
  redis: RedisClient | undefined
  sealer: Sealer
  writer: ConversationWriter
}

/** Builds what mails consumers copies of their conversations. */
export async function openTranscriptsModule(dependencies: TranscriptsDependencies): Promise<Module> {
  const { clock, database, jobs, links, log, mailer, redis, sealer, writer } = dependencies
  const secret = await serverSecret(database, sealer, 'transcripts')
  const codes = new TranscriptCodes({ secret, now: () => clock.now(), redis })
  jobs.register(TRANSCRIPT_MAIL, createTranscriptMailer({ sql: database, mailer, log }))
  jobs.register(TRANSCRIPT_CODE, createCodeMailer({ sql: database, mailer, log, codes }))
  return { resolvers: [new TranscriptsResolver({ writer, links, codes, isMailSet: mailer.isSet })] }
}
