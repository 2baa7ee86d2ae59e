import type { Context } from '../../../platform/context.js'
import { isId } from '../../../platform/db/clock.js'
import { reading } from '../../../platform/db/sql.js'
import { BadUserInput, Forbidden, Unprocessable } from '../../../platform/errors.js'
import { isAbsent, parseList, parseText } from '../../../platform/input.js'
import { recordNotFound } from '../../../platform/lists/fetch-record.js'
import { rowsById } from '../../../platform/lists/rows.js'
import { parseEmailAddress } from '../../contacts/identifiers.js'
import { metaOfForwarding } from '../../messages/forwarding.js'
import { WHOLE_MESSAGE } from '../../messages/message-columns.js'
import { MESSAGE_TEXT_BYTES_MAX, parseMessage, type NewMessage } from '../../messages/message-content.js'
import type { MessageType } from '../../messages/message-enums.js'
import { isConsumerVisible, type MessageRow } from '../../messages/message-row.js'
import { addDeliveryJob } from '../delivery/deliver.js'
import { mailServiceOf } from '../delivery/forward-delivery.js'
import { findMessageOrCopy } from '../delivery/resend-message.js'
import { senderOf } from '../messages/members.js'
import type { ConversationChange } from '../state/conversation-change.js'
import { inMergedConversation, requireUnmerged } from '../state/merged-conversation.js'
import { processMessage } from './process-message.js'
import { runMessages, type SendDependencies } from './send-message.js'

/** More are a mailing list. */
export const FORWARD_ADDRESSES_MAX = 10

export interface ForwardRequest {
  message: string
  to: unknown
  note?: string | null
  /** True to forward also what the consumer does not see. */
  evenIfInternal?: boolean | null
}

/** Types that say something by themselves. */
const FORWARDED: readonly MessageType[] = ['chat', 'card', 'postback']

/**
 * Forwards a message of a conversation by mail to people outside: adds a note that says so, with a delivery. Answers become
 * notes as well.
 * @throws Forbidden for a bot; BadUserInput for an address to which it may not go; NotFound; Unprocessable for a message that is
 *   not forwarded, and without a service that sends mail
 */
export async function forwardMessage(
  { writer, router }: Pick<SendDependencies, 'writer' | 'router'>,
  ctx: Context,
  { message: id, to, note, evenIfInternal }: ForwardRequest,
): Promise<MessageRow> {
  // A mail to any address would take what is said here anywhere: a person is to answer for that.
  if (ctx.userCaller.isBot) throw new Forbidden('only people forward messages', { reason: 'PERSON_REQUIRED' })
  const addresses = parseAddresses(to)
  const said = noteOf(note)
  const known = isId(id)
    ? (await rowsById<MessageRow>(ctx, 'message', [id], WHOLE_MESSAGE)).get(id.toLowerCase())
    : null
  if (!known || ctx.seesAsConsumer) throw recordNotFound('Message', id, 'message')
  const forward = async (change: ConversationChange): Promise<MessageRow> => {
    requireUnmerged(change.conversation)
    const message = await findMessageOrCopy(change, known)
    if (!message) throw recordNotFound('Message', id, 'message')
    requireForwarded(message, evenIfInternal === true)
    const service = await mailServiceOf(change, message)
    await requireOutside(change, addresses)
    const newMessage = { ...said, meta: metaOfForwarding({ messageId: message.id, to: addresses }) }
    const sender = senderOf(ctx)
    const added = await processMessage(change, { router, sender, newMessage, id: change.clock.newId() })
    const [recipient, ...copies] = addresses
    const delivery = change.addDelivery(added, {
      ...{ touchpoint: 'email', serviceId: service, recipient: recipient!, status: 'queued', reason: null, code: null },
      copies: copies.map((address) => ({ address, status: 'queued' })),
    })
    addDeliveryJob(change, delivery, added)
    return added
  }
  const work = { newMessages: [said], operation: forward }
  const options = { delivers: true, kind: 'forward' }
  return inMergedConversation(ctx.reads, known.conversationId, (at) => runMessages(writer, ctx, at, work, options))
}

/** @throws BadUserInput naming the field and the value */
function parseAddresses(given: unknown): string[] {
  const known = new Set<string>()
  const addresses = parseList(given, 'to', FORWARD_ADDRESSES_MAX).map((each, index) => {
    const field = `to[${index}]`
    const address = parseEmailAddress(each, field)
    if (known.has(address)) throw new BadUserInput(field, `${field} ${address} is listed before`)
    known.add(address)
    return address
  })
  if (addresses.length === 0) throw new BadUserInput('to', 'to must have at least one address', 'MISSING_VALUE')
  return addresses
}

/** Returns the note, which may be without words: then it only says what was forwarded. */
function noteOf(given: string | null | undefined): NewMessage {
  const text = isAbsent(given) ? '' : parseText(given, 'note', { maxBytes: MESSAGE_TEXT_BYTES_MAX })
  const words = text.trim() === '' ? null : text
  return { ...parseMessage({ role: 'agent', isBackchannel: true, text: words ?? '-' }, ''), text: words }
}

function requireForwarded(message: MessageRow, evenIfInternal: boolean): void {
  const { type, text, actions, items, meta } = message
  const refuse = (why: string): never => {
    throw new Unprocessable(why, { reason: 'NOT_FORWARDED', field: 'message' })
  }
  if (!FORWARDED.includes(type)) refuse(`a message of the type ${type} is not forwarded, only ${FORWARDED.join(', ')}`)
  if (!evenIfInternal && !isConsumerVisible(message)) {
    refuse('the message is for the team alone: forward it with evenIfInternal, if those outside may read it')
  }
  const hasContent = text !== null || actions !== null || items !== null || meta?.fileId !== undefined
  if (!hasContent && meta?.title === undefined) refuse('the message has nothing that could be forwarded')
}

/**
 * Refuses addresses whose mails would come back into a conversation: those of services, and the consumer's, whose answer would be
 * taken for somebody else's. @throws BadUserInput
 */
async function requireOutside(change: ConversationChange, addresses: readonly string[]): Promise<void> {
  const plain = addresses.map(withoutDetail)
  const [own] = await change.sql.query<{ address: string }>(OWN, [[...addresses, ...plain]], 'own-of-forwarding')
  const email = (await change.reach())?.email
  for (const [index, address] of addresses.entries()) {
    const field = `to[${index}]`
    if (address === own?.address || plain[index] === own?.address) {
      throw new BadUserInput(field, `${field} ${address} is the address of a service, which would write to itself`)
    }
    if (email && plain[index] === withoutDetail(email)) {
      throw new BadUserInput(field, `${field} ${address} is the consumer's own address: answer the consumer instead`)
    }
  }
}

/** Mail for `support+anything@example.com` comes to `support@example.com`. */
const withoutDetail = (address: string): string => address.replace(/\+[^@]*@/, '@')

const OWN = reading(
  `select lower(params ->> 'address') as address from service
   where touchpoint = 'email' and lower(params ->> 'address') = any($1::text[]) limit 1`,
)
