import { BadUserInput } from '../../platform/errors.js'
import { isAbsent, parseFields, parseList, parseText, pathOf } from '../../platform/input.js'
import { isPlainObject, type JsonObject } from '../../platform/json.js'
import { parseEmailAddress } from '../contacts/identifiers.js'

/** The head of a mail to the consumer, as far as its author chose it; addresses in lower case. */
export interface OutgoingMail {
  /** Recipients beside the contact. */
  to: string[]
  cc: string[]
  /** Recipients whom the others do not see. */
  bcc: string[]
  subject: string | null
  replyTo: string | null
}

/** Lists of recipients, in their order. */
export const RECIPIENT_LISTS = ['to', 'cc', 'bcc'] as const
/** Recipients beside the contact, of all lists together. */
export const MAIL_RECIPIENTS_MAX = 50
const SUBJECT_CHARS_MAX = 250

/** @throws BadUserInput naming the field and the value */
export function parseOutgoingMail(given: unknown, field: string): OutgoingMail | null {
  if (isAbsent(given)) return null
  const { subject, replyTo, ...lists } = parseFields(given, field, [...RECIPIENT_LISTS, 'subject', 'replyTo'])
  const known = new Set<string>()
  const addressesOf = (list: (typeof RECIPIENT_LISTS)[number]): string[] => {
    const at = pathOf(field, list)
    const addresses = isAbsent(lists[list]) ? [] : parseList(lists[list], at, MAIL_RECIPIENTS_MAX)
    return addresses.map((each, index) => {
      const address = parseEmailAddress(each, `${at}[${index}]`)
      if (known.has(address)) throw new BadUserInput(`${at}[${index}]`, `${at}[${index}] ${address} is listed before`)
      known.add(address)
      return address
    })
  }
  const [to, cc, bcc] = [addressesOf('to'), addressesOf('cc'), addressesOf('bcc')]
  if (known.size > MAIL_RECIPIENTS_MAX) {
    throw new BadUserInput(field, `${field} has ${known.size} recipients; at most ${MAIL_RECIPIENTS_MAX} are allowed`)
  }
  return {
    ...{ to, cc, bcc },
    subject: isAbsent(subject) ? null : parseSubject(subject, pathOf(field, 'subject')),
    replyTo: isAbsent(replyTo) ? null : parseEmailAddress(replyTo, pathOf(field, 'replyTo')),
  }
}

function parseSubject(given: unknown, field: string): string {
  const subject = parseText(given, field, { min: 1, max: SUBJECT_CHARS_MAX }).trim()
  if (subject === '' || /\p{Cc}/u.test(subject)) {
    throw new BadUserInput(field, `${field} must be one line that is not blank`)
  }
  return subject
}

/** Returns what the author of a stored message chose of its mail; null for any other message. Only the server sets this key. */
export function outgoingMailOf({ role, meta }: { role: string; meta: JsonObject | null }): OutgoingMail | null {
  const mail = meta?._mail
  // An answer to a forwarded mail has the head of that mail there, as a consumer's has.
  const isReceived = role === 'contact' || meta?._answersForwarding !== undefined
  return !isReceived && isPlainObject(mail) ? (mail as unknown as OutgoingMail) : null
}

/** All recipients beside the contact. */
export const copiesOf = (mail: OutgoingMail): string[] => RECIPIENT_LISTS.flatMap((list) => mail[list])
