import { Readable } from 'node:stream'
import type { RateLimiterAbstract } from 'rate-limiter-flexible'
import type { Sql } from '../../../platform/db/database.js'
import { BadUserInput, Unprocessable } from '../../../platform/errors.js'
import { networkOf } from '../../../platform/limits/network-of.js'
import { sharedLimiter, spend } from '../../../platform/limits/shared-limiter.js'
import type { JsonObject } from '../../../platform/json.js'
import { MESSAGE_TEXT_BYTES_MAX } from '../../messages/message-content.js'
import type { RedisClient } from '../../../platform/redis.js'
import type { TouchpointService } from '../adapter.js'
import type { DeliveryLog } from '../delivery-log.js'
import type { InboundMessage } from '../inbound-message.js'
import type { InboundMessageReceiver, Received } from '../inbound-message-receiver.js'
import { automaticReason, type Arrival } from './automatic-mail.js'
import { readBounce } from './bounce.js'
import { trustedResults } from './auth-results.js'
import { unprovedMailOf, type EmailParams } from './email-params.js'
import type { MailWay } from './check-thread.js'
import type { MailChecker } from './mail-checker.js'
import type { MailParser } from './mail-parser.js'
import { evidenceOf, judge, UNPROVED, type SenderProof, type Verdict } from './sender-proof.js'
import { withoutToken, type MailTokens } from './mail-tokens.js'
import type { MailTurn } from './mail-turns.js'
import { readMail, type MailAddress, type ParsedMail } from './read-mail.js'
import { trimQuotes } from './quoted-text.js'

export interface MailReceiverOptions {
  sql: Sql
  inbox: InboundMessageReceiver
  deliveries: DeliveryLog
  tokens: MailTokens
  parser: MailParser
  checker: Pick<MailChecker, 'check'>
  /** Hosts whose `Authentication-Results` are believed, in lower case, where the service names none. */
  authHosts: readonly string[]
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
  /**
   * The way it came: from a mail server of the installation or with the service's secret, which may say what it found out
   * about the sender (`trusted`), or from anybody by SMTP.
   */
  way: 'trusted' | MailWay
}

/** Limit per sender and service in ten minutes, see `unprovedKey`: more than a person writes, and the end of any mail loop. */
const MAILS_PER_SENDER_MAX = 120
const SENDER_WINDOW_SECONDS = 600
const TOO_MANY = `more than ${MAILS_PER_SENDER_MAX} mails from one sender in 10 minutes`
/** Length of the full mail kept beside the trimmed text: it is part of every event of the message. */
const ORIGINAL_CHARS_MAX = 8_000
const REFUSED = {
  proven: '',
  failed: "the mail is against the policy of its sender's domain (DMARC), and this address refuses such mail",
  unproved: "nothing proves the mail's sender (SPF, DKIM, DMARC), and this address refuses such mail",
} as const
const CUT = '\n[…]'

/** Turns mails into messages. A mail makes one message, however often and on whichever path it arrives. */
export class MailReceiver {
  readonly #senders: RateLimiterAbstract

  constructor(private readonly options: MailReceiverOptions) {
    const limits = { keyPrefix: 'mail-sender', points: MAILS_PER_SENDER_MAX, duration: SENDER_WINDOW_SECONDS }
    this.#senders = sharedLimiter(limits, options.redis)
  }

  /** @throws BadUserInput for a mail without a sender; RateLimited; Unprocessable by the policy for unproved mail */
  async receive(incoming: IncomingMail): Promise<Received> {
    const { service, bytes, recipients, returnPath } = incoming
    const { inbox, parser } = this.options
    const mail = readMail(await parser.parse(bytes, turnOf(incoming)), bytes)
    const verdict = await this.#verdictOn(mail, incoming)
    const isProven = verdict.proof === 'proven'
    const [providerId, alsoKnownAs] = isProven
      ? [mail.identity, mail.identityUnproved]
      : [mail.identityUnproved, mail.identity]
    const arrival = { mail, returnPath }
    const reason = (await this.#bounced(service, arrival)) ?? this.#ownOrAutomatic(service, arrival)
    if (reason !== null) return inbox.ignore(service, providerId, reason)
    if (!mail.from) throw new BadUserInput('mail', 'the mail has no From address')
    const thread = await this.#threadOf(service, [...recipients, ...mail.recipients])
    const policy = isProven || thread ? 'show' : unprovedMailOf(service)
    if (policy === 'refuse' && !verdict.isTemporary) throw new Unprocessable(REFUSED[verdict.proof])
    const counted = isProven ? mail.from.address : unprovedKey(mail.from, thread, incoming.way)
    await spend(this.#senders, `${service.id} ${counted}`, 1, TOO_MANY)
    const content = saidIn(mail, thread, verdict.proof)
    if (content === null) return inbox.ignore(service, providerId, 'it is empty')
    return inbox.receive({
      service,
      providerId,
      alsoKnownAs,
      isApart: policy !== 'show',
      from: { email: mail.from.address, ...(mail.from.name && { name: mail.from.name }) },
      ...(thread && { conversation: thread.conversation }),
      ...content,
      attachments: mail.attachments.map(({ fileName, content }) => ({ fileName, content: Readable.from([content]) })),
    })
  }

  /** Finds out whether the sender is who the mail says. */
  async #verdictOn(mail: ParsedMail, incoming: IncomingMail): Promise<Verdict> {
    const { service, bytes, way } = incoming
    const { authHosts, checker } = this.options
    const isClear = mail.headers.filter(({ key }) => key === 'from').length === 1
    const address = isClear ? (mail.from?.address ?? null) : null
    if (address === null) return UNPROVED
    if (way === 'trusted') {
      const hosts = (service.params as EmailParams).authHosts ?? authHosts
      const results = trustedResults(mail.headers, hosts)
      if (results) return judge(address, evidenceOf(results))
    }
    const signatures = mail.headers.filter(({ key }) => key === 'dkim-signature').length
    const known = way === 'trusted' ? null : way
    return checker.check(bytes, { address, way: known, turn: turnOf(incoming), signatures })
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
    if (mail.messageId !== null && this.options.tokens.deliveryIn(`<${mail.messageId}>`) !== null)
      return 'it was sent by this server'
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

/**
 * Returns what a mail is counted by that may be forged: whoever forges a sender uses up nothing of the sender's own count, nor
 * of the count of those who answer in a conversation.
 */
function unprovedKey({ address }: MailAddress, thread: Thread | null, way: IncomingMail['way']): string {
  if (thread) return `in ${thread.conversation}`
  return `${address} from ${networkOfWay(way)}`
}

const turnOf = ({ service, way }: IncomingMail): MailTurn => ({ service, network: networkOfWay(way) })

const networkOfWay = (way: IncomingMail['way']): string => (way === 'trusted' ? way : networkOf(way.ip))

/** Returns null for a mail without content. */
function saidIn(
  mail: ParsedMail,
  thread: Thread | null,
  proof: SenderProof,
): Pick<InboundMessage, 'message' | 'systemMeta'> | null {
  const isAnswer = mail.isReply || thread !== null
  const { text, isTrimmed } = isAnswer ? trimQuotes(mail.text) : { text: mail.text, isTrimmed: false }
  const words = text || mail.subject
  if (!words && mail.attachments.length === 0) return null
  const { address, name } = mail.from!
  return {
    message: { ...(words && { text: fitting(words) }), ...(mail.subject && { meta: { subject: mail.subject } }) },
    systemMeta: {
      _mail: headOf(mail),
      ...(isTrimmed && { _original: cut(mail.text, ORIGINAL_CHARS_MAX) }),
      // A reply address may have been forwarded: the conversation continues, and agents see the actual sender.
      ...(thread && thread.email !== address && { _writtenBy: { email: address, ...(name && { name }) } }),
      // Agents are told that somebody else may have written it.
      ...(proof !== 'proven' && { _sender: { email: address, proof } }),
    },
  }
}

/** Returns the part of the mail's head that the message keeps: from whom, to whom, and where answers are wanted. */
function headOf({ from, to, cc, replyTo }: ParsedMail): JsonObject {
  const lean = ({ address, name }: MailAddress): JsonObject => ({ address, ...(name && { name }) })
  const isElsewhere = replyTo !== null && replyTo.address !== from!.address
  return {
    from: lean(from!),
    to: to.map(lean),
    cc: cc.map(lean),
    ...(isElsewhere && { replyTo: lean(replyTo) }),
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
