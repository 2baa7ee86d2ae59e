import type { MessageInput } from '../../generated/conversations.js'
import type { MailHead } from '../../shared/outbox/store.js'

export const NO_HEAD: MailHead = { to: '', cc: '', bcc: '', subject: '' }

const addressesIn = (text: string): string[] => text.split(/[,;\s]+/).filter(Boolean)

/** The recipients and the subject that were typed; nothing if none were. */
export function mailOf(head: MailHead | undefined): Pick<MessageInput, 'mail' | 'touchpoint'> {
  if (!head) return {}
  const subject = head.subject.trim()
  const [to, cc, bcc] = [addressesIn(head.to), addressesIn(head.cc), addressesIn(head.bcc)]
  if (!subject && to.length + cc.length + bcc.length === 0) return {}
  return { touchpoint: 'EMAIL', mail: { to, cc, bcc, ...(subject && { subject }) } }
}

/** The fields as they were typed above a message that comes back; null above one to the contact alone. */
export function headOf({ mail }: Pick<MessageInput, 'mail'>): MailHead | null {
  if (!mail) return null
  const [to, cc, bcc] = [mail.to, mail.cc, mail.bcc].map((addresses) => addresses?.join(', ') ?? '') as [
    string,
    string,
    string,
  ]
  return { to, cc, bcc, subject: mail.subject ?? '' }
}
