import type { RefusedRecipient } from '../../../platform/outbound/smtp-session.js'
import { forwardingOf } from '../../messages/forwarding.js'
import { outgoingMailOf } from '../../messages/outgoing-mail.js'
import type { Mail } from '../../../platform/outbound/mailer.js'
import { DeliveryRefused, type OutgoingMessage } from '../adapter.js'
import { isGone } from './bounce.js'

type Copies = OutgoingMessage['copies']
type Addressed = Pick<OutgoingMessage, 'recipient' | 'copies' | 'message'>

/** Returns the recipients that the mail names beside the contact, and what else its author chose of its head. */
export function chosenHead({
  message,
  recipient,
}: Addressed): Partial<Pick<Mail, 'alsoTo' | 'cc' | 'bcc' | 'subject'>> {
  const mail = outgoingMailOf(message)
  if (!mail) return {}
  const others = (addresses: readonly string[]): string[] => addresses.filter((address) => address !== recipient)
  const { to, cc, bcc, subject } = mail
  return { alsoTo: others(to), cc: others(cc), bcc: others(bcc), ...(subject !== null && { subject }) }
}

/** Returns the recipients of an attempt: those who have the mail already do not get it again. */
export const recipientsOf = ({ recipient, copies }: Addressed): string[] => [
  recipient,
  ...copies.filter(({ status }) => status !== 'sent').map(({ address }) => address),
]

/**
 * Tells the outcome of each copy once the mail server has taken the mail.
 * @throws DeliveryRefused with it if the server refuses the contact, and has taken the mail for others
 */
export function copiesAfter({ recipient, copies, message }: Addressed, refused: readonly RefusedRecipient[]): Copies {
  const reasons = new Map(refused.map(({ address, reason }) => [address.toLowerCase(), reason]))
  const after = copies.map((copy): Copies[number] => {
    const reason = reasons.get(copy.address)
    if (copy.status === 'sent') return copy
    const { address } = copy
    return reason === undefined ? { address, status: 'sent' } : { address, status: 'failed', reason }
  })
  const own = reasons.get(recipient.toLowerCase())
  // Of what was forwarded, the recipient is somebody else.
  const isBlocked = own !== undefined && isGone(own) && forwardingOf(message) === null
  if (own !== undefined) throw new DeliveryRefused(own, isBlocked ? 'blocked' : null, after)
  return after
}
