import type { Arrival } from './automatic-mail.js'
import type { MailTokens } from './mail-tokens.js'

export interface Bounce {
  /** Of the mail that came back. */
  delivery: string
  reason: string
}

const REASON_CHARS_MAX = 300

/**
 * What a mail server says of a mail of ours that it could not deliver. Only one that shows our Message-ID, which
 * nobody else can make, is believed; a delay, and a report that it was delivered, change nothing.
 */
export function readBounce({ mail, returnPath }: Arrival, tokens: MailTokens): Bounce | null {
  const { report, from, subject, text } = mail
  if (report?.status) {
    const delivery = tokens.deliveryIn(report.original) ?? tokens.deliveryIn(report.status)
    const field = (name: string): string | undefined => fieldOf(report.status, name)
    if (delivery === null || field('action')?.toLowerCase() !== 'failed') return null
    const words = field('diagnostic-code')?.replace(/^\w+;\s*/, '') ?? subject
    const reason = [field('status'), words].filter(Boolean).join(' ')
    return { delivery, reason: `it came back: ${reason}`.slice(0, REASON_CHARS_MAX) }
  }
  // Of servers that write no report: the mail that came back is quoted below their words.
  const isOfServer = returnPath === '' && /^(?:mailer-daemon|postmaster)@/.test(from?.address ?? '')
  const delivery = isOfServer ? tokens.deliveryIn(text) : null
  return delivery === null ? null : { delivery, reason: `it came back: ${subject}`.slice(0, REASON_CHARS_MAX) }
}

/** The first field of that name, unfolded. */
function fieldOf(status: string, name: string): string | undefined {
  const unfolded = status.replace(/\r?\n[ \t]+/g, ' ')
  const line = unfolded.split(/\r?\n/).find((each) => each.toLowerCase().startsWith(`${name}:`))
  return line?.slice(name.length + 1).trim()
}
