import { Readable } from 'node:stream'
import type { RateLimiterAbstract } from 'rate-limiter-flexible'
import type { Sql } from '../../db/database.js'
import { BadUserInput } from '../../errors.js'
import { sharedLimiter, spend } from '../../limits/shared-limiter.js'
import { MESSAGE_TEXT_BYTES_MAX } from '../../messages/message-content.js'
import type { RedisClient } from '../../redis.js'
import type { TouchpointService } from '../adapter.js'
import type { DeliveryLog } from '../delivery-log.js'
import type { InboundMessage } from '../inbound-message.js'
import type { InboundMessageReceiver, Received } from '../inbound-message-receiver.js'
import { automaticReason, type Arrival } from './automatic-mail.js'
import { readBounce } from './bounce.js'
import type { MailParser } from './mail-parser.js'
import { withoutToken, type MailTokens } from './mail-tokens.js'
import { readMail, type ParsedMail } from './read-mail.js'
import { trimQuotes } from './quoted-text.js'

export interface MailReceiverOptions {
  sql: Sql
  inbox: InboundMessageReceiver
  deliveries: DeliveryLog
  tokens: MailTokens
  parser: MailParser
  /** Shared by all nodes. */
  redis: RedisClient | undefined
}

export interface IncomingMail {
  service: TouchpointService
  bytes: Buffer
  /** Recipients of the envelope, if known; a reply address is recognized by its token. */
  recipients: readonly string[]
  /** Return path of the envelope: '' for the empty one; null when unknown. */
  returnPath: string | null
}

/** Limit per sender and service in ten minutes: more than a person writes, and the end of any mail loop. */
const MAILS_PER_SENDER_MAX = 120
const SENDER_WINDOW_SECONDS = 600
const TOO_MANY = `more than ${MAILS_PER_SENDER_MAX} mails from one sender in 10 minutes`
/** Length of the full mail kept beside the trimmed text: it is part of every event of the message. */
const ORIGINAL_CHARS_MAX = 8_000
const CUT = '\n[…]'

/** Turns mails into messages. A mail makes one message, however often and on whichever path it arrives. */
export class MailReceiver {
  readonly #senders: RateLimiterAbstract

  constructor(private readonly options: MailReceiverOptions) {
    const limits = { keyPrefix: 'mail-sender', points: MAILS_PER_SENDER_MAX, duration: SENDER_WINDOW_SECONDS }
    this.#senders = sharedLimiter(limits, options.redis)
  }

  /** @throws BadUserInput for a mail without a sender; RateLimited */
  async receive({ service, bytes, recipients, returnPath }: IncomingMail): Promise<Received> {
    const { inbox, parser } = this.options
    const mail = readMail(await parser.parse(bytes), bytes)
    const arrival = { mail, returnPath }
    const reason = (await this.#bounced(service, arrival)) ?? this.#ownOrAutomatic(service, arrival)
    if (reason !== null) return inbox.ignore(service, mail.id, reason)
    if (!mail.from) throw new BadUserInput('mail', 'the mail has no From address')
    await spend(this.#senders, `${service.id} ${mail.from.address}`, 1, TOO_MANY)
    const thread = await this.#threadOf(service, [...recipients, ...mail.recipients])
    const content = saidIn(mail, thread)
    if (content === null) return inbox.ignore(service, mail.id, 'it is empty')
    return inbox.receive({
      service,
      providerId: mail.id,
      from: { email: mail.from.address, ...(mail.from.name && { name: mail.from.name }) },
      ...(thread && { conversation: thread.conversation }),
      ...content,
      attachments: mail.attachments.map(({ fileName, content }) => ({ fileName, content: Readable.from([content]) })),
    })
  }

  /** Records a bounce as the failure of its delivery; the notice itself makes no message. */
  async #bounced(service: TouchpointService, arrival: Arrival): Promise<string | null> {
    const { deliveries, sql, tokens } = this.options
    const bounce = readBounce(arrival, tokens)
    if (!bounce) return null
    const [own] = await sql.query('select 1 from delivery where id = $1 and service_id = $2', [
      bounce.delivery,
      service.id,
    ])
    if (own) await deliveries.report({ delivery: bounce.delivery }, { status: 'failed', reason: bounce.reason })
    return bounce.reason
  }

  #ownOrAutomatic(service: TouchpointService, arrival: Arrival): string | null {
    const { mail } = arrival
    // For example from another service of this server: two services that answer each other would never stop.
    if (this.options.tokens.deliveryIn(`<${mail.id}>`) !== null) return 'it was sent by this server'
    if (mail.from && withoutToken(mail.from.address) === service.params.address)
      return "it comes from the service's own address"
    return automaticReason(arrival)
  }

  /**
   * Returns the conversation that a recipient's token proves. In-Reply-To, References and the subject can be forged, so
   * they prove nothing.
   */
  async #threadOf(service: TouchpointService, recipients: readonly string[]): Promise<Thread | null> {
    const { sql, tokens } = this.options
    for (const recipient of recipients) {
      const conversation = tokens.conversationOf(recipient, service.id)
      if (conversation === null) continue
      const [found] = await sql.query<{ email: string | null }>(
        `select ct.profile ->> 'email' as email from conversation c left join contact ct on ct.id = c.contact_id
         where c.id = $1`,
        [conversation],
      )
      // Deleted in the meantime: the mail begins a new conversation.
      if (found) return { conversation, email: found.email }
    }
    return null
  }
}

interface Thread {
  conversation: string
  /** Email of the conversation's contact. */
  email: string | null
}

/** Returns null for a mail without content. */
function saidIn(mail: ParsedMail, thread: Thread | null): Pick<InboundMessage, 'message' | 'systemMeta'> | null {
  const isAnswer = mail.isReply || thread !== null
  const { text, isTrimmed } = isAnswer ? trimQuotes(mail.text) : { text: mail.text, isTrimmed: false }
  const words = text || mail.subject
  if (!words && mail.attachments.length === 0) return null
  const { address, name } = mail.from!
  return {
    message: { ...(words && { text: fitting(words) }), ...(mail.subject && { meta: { subject: mail.subject } }) },
    systemMeta: {
      ...(isTrimmed && { _original: cut(mail.text, ORIGINAL_CHARS_MAX) }),
      // A reply address may have been forwarded: the conversation continues, and agents see the actual sender.
      ...(thread && thread.email !== address && { _writtenBy: { email: address, ...(name && { name }) } }),
    },
  }
}

/** Truncates to the maximum size of a message's text in bytes. */
function fitting(text: string): string {
  const bytes = Buffer.from(text)
  if (bytes.length <= MESSAGE_TEXT_BYTES_MAX) return text
  const room = MESSAGE_TEXT_BYTES_MAX - Buffer.byteLength(CUT) - 3
  return `${bytes
    .subarray(0, room)
    .toString('utf8')
    .replace(/\ufffd+$/, '')}${CUT}`
}

function cut(text: string, max: number): string {
  return text.length <= max
    ? text
    : `${text
        .slice(0, max)
        .toWellFormed()
        .replace(/\ufffd$/, '')}${CUT}`
}
