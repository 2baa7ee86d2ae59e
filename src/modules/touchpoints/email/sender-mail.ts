import type { Logger } from 'pino'
import type { Sql } from '../../../platform/db/database.js'
import { defineJob, type JobKind } from '../../../platform/jobs/job-type.js'
import type { Mailer } from '../../../platform/outbound/mailer.js'
import { plainName } from '../../../platform/outbound/plain-name.js'
import { EMAIL } from './email-params.js'
import type { SenderProofs } from './sender-proofs.js'

interface SenderMail {
  service: string
  address: string
}

/** Mails a code to a service's address. */
export const SENDER_MAIL = defineJob<SenderMail>('sender.mail', { service: 'string', address: 'string' })

export interface SenderMailOptions {
  sql: Sql
  log: Logger
  mailer: Mailer
  proofs: SenderProofs
}

/**
 * Handles `sender.mail` jobs. The code is created here, so that no job contains one. At least once: a mail server that
 * fails after accepting the mail gets it again.
 */
export function createSenderMailer({ sql, log, mailer, proofs }: SenderMailOptions): JobKind<SenderMail> {
  return {
    isOutbound: true,
    async handler({ payload: { service, address } }) {
      const [found] = await sql.query<{ organization: string; name: string }>(
        `select o.id as organization, o.name from service s join organization o on o.id = s.organization_id
         where s.id = $1 and s.type = $2 and s.params ->> 'address' = $3`,
        [service, EMAIL, address],
      )
      // Deleted, or has another address now.
      if (!found) return
      if (!mailer.isSet) {
        log.warn({ service }, 'SMTP_URL is not set: the code was not mailed; set it and request another')
        return
      }
      const code = proofs.code({ service, organization: found.organization, address })
      await mailer.send({
        to: { name: '', address },
        subject: 'Confirm that mail may be sent from this address',
        text: textOf(plainName(found.name), address, code),
      })
    },
  }
}

function textOf(organization: string, address: string, code: string): string {
  return [
    `"${organization}" wants to answer its customers from ${address}.`,
    `If you want that, give this code to its administrator, who enters it within 24 hours:`,
    code,
    'Otherwise nothing needs to be done, and no mail is sent in your name.',
    '',
  ].join('\n\n')
}
