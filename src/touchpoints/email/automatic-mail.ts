import type { ParsedMail } from './read-mail.js'

export interface Arrival {
  mail: ParsedMail
  /** The return path of the envelope: '' for a mail that wants no answer; null when nobody told it. */
  returnPath: string | null
}

/**
 * Why a mail is not a person's words to us: machines answer machines without end, so such a mail makes no message
 * (RFC 3834, and what clients send in fact). Null for a mail to take in.
 */
export function automaticReason({ mail, returnPath }: Arrival): string | null {
  const submitted = mail.header('auto-submitted')
  if (submitted !== null && !/^no\b/i.test(submitted)) return `Auto-Submitted: ${submitted.slice(0, 40)}`
  for (const name of ['x-autoreply', 'x-autorespond', 'x-auto-reply-from', 'x-mail-autoreply']) {
    if (mail.header(name) !== null) return `${name} is set`
  }
  const suppress = mail.header('x-auto-response-suppress')
  if (suppress !== null && /\b(?:all|oof|autoreply)\b/i.test(suppress)) return 'X-Auto-Response-Suppress'
  const precedence = mail.header('precedence')
  // Not `list`: groups by which an organization passes on what is sent to its address say so too.
  if (precedence !== null && /^(?:bulk|junk|auto_reply)\b/i.test(precedence))
    return `Precedence: ${precedence.slice(0, 40)}`
  if (mail.report) return 'it is a report on another mail'
  if (returnPath === '' || mail.header('return-path') === '<>') return 'its return path is empty'
  if (/^(?:mailer-daemon|postmaster)@/i.test(mail.from?.address ?? '')) return `it is of ${mail.from!.address}`
  return null
}
