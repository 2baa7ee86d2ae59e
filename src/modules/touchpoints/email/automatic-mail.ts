import type { ParsedMail } from './read-mail.js'

export interface Arrival {
  mail: ParsedMail
  /** Return path of the envelope: '' for mail that asks for no answer; null when unknown. */
  returnPath: string | null
}

/**
 * Returns why a mail was sent by a machine, or null. Such a mail makes no message, since automatic answers would loop
 * (RFC 3834, and the headers that clients send in practice).
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
  // Not `list`: groups by which an organization forwards mail for its address set it too.
  if (precedence !== null && /^(?:bulk|junk|auto_reply)\b/i.test(precedence))
    return `Precedence: ${precedence.slice(0, 40)}`
  if (mail.report) return 'it is a delivery report'
  if (returnPath === '' || mail.header('return-path') === '<>') return 'its return path is empty'
  if (/^(?:mailer-daemon|postmaster)@/i.test(mail.from?.address ?? '')) return `it comes from ${mail.from!.address}`
  return null
}
