import type { Arrival } from './automatic-mail.js'
import type { MailTokens } from './mail-tokens.js'

export interface Bounce {
  /** Delivery of the returned mail. */
  delivery: string
  reason: string
  /** Address that did not get it, as the mail server says; null if it does not. */
  recipient: string | null
  /** True if its writer has the returned mail itself: who takes part in the thread knows the Message-ID too. */
  isProven: boolean
}

/**
 * Words of a mail server that there is no such address, or that it takes nothing any more (RFC 3463); not those on a full mailbox,
 * the sender, or the content. 5.4.1 is what Exchange Online says.
 */
const GONE = /\b5\.(?:1\.(?:[1236]|10)|2\.1)\b|\b5\.4\.1\b.*recipient address rejected/i

export const isGone = (words: string): boolean => GONE.test(words)

const REASON_CHARS_MAX = 300

/**
 * Reads a mail server's notice that it could not deliver a mail. Believed only if it contains one of our Message-IDs,
 * which nobody else can make; notices of a delay or of a successful delivery are ignored.
 */
export function readBounce({ mail, returnPath }: Arrival, tokens: MailTokens): Bounce | null {
  const { report, from, subject, text } = mail
  if (report?.status) {
    const delivery = tokens.deliveryIn(report.original) ?? tokens.deliveryIn(report.status)
    const field = (name: string): string | undefined => fieldOf(report.status, name)
    if (delivery === null || field('action')?.toLowerCase() !== 'failed') return null
    const words = field('diagnostic-code')?.replace(/^\w+;\s*/, '') ?? subject
    const reason = [field('status'), words].filter(Boolean).join(' ')
    const named = field('original-recipient') ?? field('final-recipient')
    const recipient =
      named
        ?.replace(/^[\w-]+;\s*/, '')
        .replace(/^<|>$/g, '')
        .toLowerCase() ?? null
    const isProven = tokens.provesDelivery(report.original, delivery)
    return { delivery, recipient, isProven, reason: `returned: ${reason}`.slice(0, REASON_CHARS_MAX) }
  }
  // Some servers write no report and quote the returned mail in the text.
  const isOfServer = returnPath === '' && /^(?:mailer-daemon|postmaster)@/.test(from?.address ?? '')
  const delivery = isOfServer ? tokens.deliveryIn(text) : null
  if (delivery === null) return null
  const isProven = tokens.provesDelivery(text, delivery)
  return { delivery, recipient: null, isProven, reason: `returned: ${subject}`.slice(0, REASON_CHARS_MAX) }
}

/** Returns the first field with the name, unfolded. */
function fieldOf(status: string, name: string): string | undefined {
  const unfolded = status.replace(/\r?\n[ \t]+/g, ' ')
  const line = unfolded.split(/\r?\n/).find((each) => each.toLowerCase().startsWith(`${name}:`))
  return line?.slice(name.length + 1).trim()
}
