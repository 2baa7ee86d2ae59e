import { defineJob, type JobKind } from '../../../platform/jobs/job-type.js'
import type { Logger } from 'pino'
import type { Sql } from '../../../platform/db/database.js'
import { pathOf } from '../../../platform/db/tenancy.js'
import type { FormResult } from '../../forms/active-form.js'
import type { FormField } from '../../forms/form-field.js'
import { MAIL_SHARE, type NewJob } from '../../../platform/jobs/job.js'
import type { Mailer } from '../../../platform/outbound/mailer.js'
import type { ConversationState } from '../state/conversation-state.js'
import type { FormDefinition } from './read-forms.js'

interface Sent {
  /** Id of the results message. */
  message: string
  /** Index of the result in that message. */
  index: number
  form: FormDefinition
}

interface ResultsMail extends Omit<Sent, 'form'> {
  to: string
}

/** Mails one result to one address. */
export const RESULTS_MAIL = defineJob<ResultsMail>('results.mail', { message: 'string', index: 'number', to: 'string' })

/**
 * Creates one job for each address of the form, so that a failure is retried alone. A form may be shared by an
 * organization that is not on the conversation's path; its addresses then receive nothing about these consumers.
 */
export function mailResults(conversation: ConversationState, { message, index, form }: Sent): NewJob[] {
  if (!pathOf(conversation).includes(form.organizationId)) return []
  return form.email.map((to) =>
    RESULTS_MAIL.create({ message, index, to }, { key: `results:${message}:${index}:${to}`, share: MAIL_SHARE }),
  )
}

export interface ResultsMailOptions {
  sql: Sql
  log: Logger
  /** Without a configured mail server nothing is sent, and a warning is logged. */
  mailer: Mailer
  /** Base of the link, without a trailing slash. */
  publicUrl: string
}

/**
 * Creates the handler of `results.mail` jobs. At least once: if the mail server fails after accepting a mail, it is
 * sent again.
 */
export function createResultsMailer({ sql, log, mailer, publicUrl }: ResultsMailOptions): JobKind<ResultsMail> {
  return {
    isOutbound: true,
    async handler({ payload: { message, index, to } }) {
      if (!mailer.isSet) {
        log.warn({ message }, 'SMTP_URL is not set: the results were not mailed')
        return
      }
      const [row] = await sql.query<ResultRow>(READ, [message, index])
      // The conversation was deleted in the meantime.
      if (!row?.result) return
      await mailer.send({
        to: { name: '', address: to },
        subject: `Results of ${row.result.name}: ${row.contact?.name ?? row.name}`,
        text: textOf(row, `${publicUrl}/c/${row.slug}`),
      })
    },
  }
}

interface ResultRow {
  result: FormResult | null
  name: string
  slug: string
  contact: { name?: string; email?: string; telephone?: string } | null
  fields: FormField[] | null
}

const READ = `
select m.results -> $2::int as result, c.name, c.slug, ct.profile as contact, f.fields
from message m join conversation c on c.id = m.conversation_id left join contact ct on ct.id = c.contact_id
left join form f on f.id::text = m.results -> $2::int ->> 'form'
where m.id = $1`

/** Formats a result as plain text, since values come from consumers. */
function textOf({ result, name, contact, fields }: ResultRow, url: string): string {
  const { category, completedAt, values } = result!
  const who = [contact?.name, contact?.email, contact?.telephone].filter(Boolean).join(', ')
  const labels = new Map(fields?.map(({ key, label }) => [key, label]))
  return [
    `Form: ${result!.name}${category === null ? '' : ` (${category})`}`,
    `Completed: ${completedAt}`,
    `Conversation: ${name} ${url}`,
    ...(who ? [`Contact: ${who}`] : []),
    '',
    ...Object.entries(values).map(([key, value]) => `${labels.get(key) ?? key}: ${shownValue(value)}`),
    '',
  ].join('\n')
}

function shownValue(value: FormResult['values'][string]): string {
  return Array.isArray(value) ? value.join(', ') : String(value)
}
