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
  /** Of the envelope, where there is one: which of them is a reply address, only its token tells. */
  recipients: readonly string[]
  /** Of the envelope: '' for the empty one; null when it is not known. */
  returnPath: string | null
}

/** Of one sender to one service in ten minutes: a person does not write more, and a loop ends here at the latest. */
const MAILS_PER_SENDER_MAX = 120
const SENDER_WINDOW_SECONDS = 600
const TOO_MANY = `more than ${MAILS_PER_SENDER_MAX} mails of one sender in 10 minutes`
/** Kept of the whole mail beside the trimmed text: it is carried in every event of the message. */
const ORIGINAL_CHARS_MAX = 8_000
const CUT = '\n[…]'

/** Makes messages of mails. The same mail makes one, however often it comes and by whichever way. */
export class MailReceiver {
  readonly #senders: RateLimiterAbstract

  constructor(private readonly options: MailReceiverOptions) {
    const limits = { keyPrefix: 'mail-sender', points: MAILS_PER_SENDER_MAX, duration: SENDER_WINDOW_SECONDS }
    this.#senders = sharedLimiter(limits, options.redis)
  }

  /**
   * @throws BadUserInput for what is no mail of anybody; RateLimited
   */
  async receive({ service, bytes, recipients, returnPath }: IncomingMail): Promise<Received> {
    const { inbox, parser } = this.options
    const mail = readMail(await parser.parse(bytes), bytes)
    const arrival = { mail, returnPath }
    const reason = (await this.#bounced(service, arrival)) ?? this.#ownOrAutomatic(service, arrival)
    if (reason !== null) return inbox.ignore(service, mail.id, reason)
    if (!mail.from) throw new BadUserInput('mail', 'the mail names nobody in From')
    await spend(this.#senders, `${service.id} ${mail.from.address}`, 1, TOO_MANY)
    const thread = await this.#threadOf(service, [...recipients, ...mail.recipients])
    const said = saidIn(mail, thread)
    if (said === null) return inbox.ignore(service, mail.id, 'it says nothing')
    return inbox.receive({
      service,
      providerId: mail.id,
      from: { email: mail.from.address, ...(mail.from.name && { name: mail.from.name }) },
      ...(thread && { conversation: thread.conversation }),
      ...said,
      attachments: mail.attachments.map(({ fileName, content }) => ({ fileName, content: Readable.from([content]) })),
    })
  }

  /** The mail of ours that came back has failed; what the mail server says of it is no message. */
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
    // Of another service here, say: two that answer each other would never end.
    if (this.options.tokens.deliveryIn(`<${mail.id}>`) !== null) return 'it was sent by this server'
    if (mail.from && withoutToken(mail.from.address) === service.params.address) return 'it comes from its own address'
    return automaticReason(arrival)
  }

  /**
   * The conversation that a recipient's token proves. In-Reply-To, References and the subject are anybody's to write, so
   * that they prove nothing.
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
      // Deleted meanwhile: the mail begins anew.
      if (found) return { conversation, email: found.email }
    }
    return null
  }
}

interface Thread {
  conversation: string
  /** Of its contact. */
  email: string | null
}

/** Null for a mail that says nothing at all. */
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
      // Whoever was passed the reply address may answer to it: the conversation goes on, and agents see who it was.
      ...(thread && thread.email !== address && { _writtenBy: { email: address, ...(name && { name }) } }),
    },
  }
}

/** At most as many bytes as a message's text has. */
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
