import type { Logger } from 'pino'
import type { Sql } from '../../platform/db/database.js'
import { defineJob, type JobKind } from '../../platform/jobs/job-type.js'
import type { Mailer } from '../../platform/outbound/mailer.js'
import { plainName } from '../../platform/outbound/plain-name.js'
import type { TranscriptCodes } from './transcript-codes.js'
import { transcriptWords } from './transcript-words.js'

interface TranscriptMail {
  conversation: string
  contact: string
  to: string
  subject: string
  text: string
}

/** Mails a copy of a conversation: what it said when it was asked for, so that no later merge or deletion changes whose words go. */
export const TRANSCRIPT_MAIL = defineJob<TranscriptMail>('transcript.mail', {
  ...{ conversation: 'string', contact: 'string', to: 'string', subject: 'string', text: 'string' },
})

interface CodeMail {
  conversation: string
  contact: string
  to: string
}

/** Mails a guest the code that proves its address. */
export const TRANSCRIPT_CODE = defineJob<CodeMail>('transcript.code', {
  ...{ conversation: 'string', contact: 'string', to: 'string' },
})

/**
 * Handles `transcript.mail` jobs. At least once: a mail server that fails after accepting the mail gets it again.
 */
export function createTranscriptMailer(options: { sql: Sql; mailer: Mailer; log: Logger }): JobKind<TranscriptMail> {
  const { sql, mailer, log } = options
  return {
    isOutbound: true,
    async handler({ payload: { conversation, contact, to, subject, text } }) {
      // Deleted in the meantime: the erasure drops this job, but may come to it later.
      if ((await sql.query('select 1 from contact where id = $1', [contact])).length === 0) return
      if (!mailer.isSet)
        return log.warn({ conversation }, 'SMTP_URL is not set any more: the transcript was not mailed')
      await mailer.send({ to: { name: '', address: to }, subject, text, headers: AUTOMATIC })
    },
  }
}

/** Handles `transcript.code` jobs. The code is created here, so that no job contains one. */
export function createCodeMailer(options: {
  sql: Sql
  mailer: Mailer
  log: Logger
  codes: TranscriptCodes
}): JobKind<CodeMail> {
  const { sql, mailer, log, codes } = options
  return {
    isOutbound: true,
    async handler({ payload: { conversation, to } }) {
      const [found] = await sql.query<{ language: string | null; organization: string }>(
        `select c.language, coalesce(o.display_name, o.name) as organization
         from conversation c join organization o on o.id = c.organization_id where c.id = $1`,
        [conversation],
      )
      // Deleted in the meantime.
      if (!found) return
      if (!mailer.isSet) return log.warn({ conversation }, 'SMTP_URL is not set any more: the code was not mailed')
      const words = transcriptWords(found.language)
      const text = [
        words.code(plainName(found.organization)),
        codes.codeFor(conversation, to),
        words.codeHelp,
        '',
      ].join('\n\n')
      await mailer.send({ to: { name: '', address: to }, subject: words.codeSubject, text, headers: AUTOMATIC })
    },
  }
}

/** RFC 3834: nobody's absence is to be answered. */
const AUTOMATIC = { 'Auto-Submitted': 'auto-generated' }
