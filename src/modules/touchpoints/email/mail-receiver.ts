import { Readable } from 'node:stream'
import type { RateLimiterAbstract } from 'rate-limiter-flexible'
import { BadUserInput, Unprocessable } from '../../../platform/errors.js'
import { networkOf } from '../../../platform/limits/network-of.js'
import { sharedLimiter, spend } from '../../../platform/limits/shared-limiter.js'
import type { RedisClient } from '../../../platform/redis.js'
import { RAW_MAIL } from '../../attachments/content-type.js'
import type { TouchpointService } from '../adapter.js'
import type { DeliveryLog } from '../delivery-log.js'
import type { InboundAttachment, RefusedFile } from '../inbound-files.js'
import type { InboundMessageReceiver, Received } from '../inbound-message-receiver.js'
import type { Sql } from '../../../platform/db/database.js'
import { headOf, saidIn, type MailThreadProof } from './mail-content.js'
import {
  fatesOf,
  identitiesOf,
  settledAs,
  stateOf,
  type Ignored,
  type MailFate,
  type MailLedger,
  type MailState,
} from './mail-fate.js'
import { automaticReason, type Arrival } from './automatic-mail.js'
import { isGone, readBounce } from './bounce.js'
import { trustedResults } from './auth-results.js'
import { unprovedMailOf, type EmailParams } from './email-params.js'
import type { MailWay } from './check-thread.js'
import type { MailChecker } from './mail-checker.js'
import type { MailParser } from './mail-parser.js'
import { evidenceOf, judge, UNPROVED, type Verdict } from './sender-proof.js'
import { withoutToken, type MailTokens } from './mail-tokens.js'
import type { MailTurn } from './mail-turns.js'
import { readMail, type MailAddress, type ParsedMail } from './read-mail.js'
import { threadOfMail } from './thread-of-mail.js'

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
  /** The whole mail is not in the bytes, but its texts; of the rest this is known. */
  excerpt?: Excerpt
  /** The record of what became of each mail. */
  ledger?: MailLedger
  /** Time at which the mail server took it, if known. */
  sentAt?: Date
  /** False for a mail that came long ago, such as those of a mailbox that is read for the first time. */
  isCounted?: boolean
  /** Set if an administrator wants it read again, whatever became of it: each request has another text. */
  askedAgain?: string
  /** True if a mail that names one of our Message-IDs, which carry a proof, continues its conversation. */
  isThreadedByReference?: boolean
}

export interface Excerpt {
  /** Text that tells it from a mail with the same texts. */
  distinction: string
  files: InboundAttachment[]
  /** Files that are not fetched, and why. */
  notFetched: RefusedFile[]
}

/** Limit per sender and service in ten minutes, see `unprovedKey`: more than a person writes, and the end of any mail loop. */
const MAILS_PER_SENDER_MAX = 120
const SENDER_WINDOW_SECONDS = 600
const TOO_MANY = `more than ${MAILS_PER_SENDER_MAX} mails from one sender in 10 minutes`
const REFUSED = {
  proven: '',
  failed: "the mail is against the policy of its sender's domain (DMARC), and this address refuses such mail",
  unproved: "nothing proves the mail's sender (SPF, DKIM, DMARC), and this address refuses such mail",
} as const
const GONE = 'it answers a message that was forwarded from a conversation which is gone'
const UNREAD = '[This mail could not be read. It is attached as it came.]'

/** Turns mails into messages. A mail makes one message, however often and on whichever path it arrives. */
export class MailReceiver {
  readonly #senders: RateLimiterAbstract

  constructor(private readonly options: MailReceiverOptions) {
    const limits = { keyPrefix: 'mail-sender', points: MAILS_PER_SENDER_MAX, duration: SENDER_WINDOW_SECONDS }
    this.#senders = sharedLimiter(limits, options.redis)
  }

  /** @throws BadUserInput for a mail without a sender; RateLimited; Unprocessable by the policy for unproved mail */
  async receive(incoming: IncomingMail): Promise<Received> {
    return (await this.take(incoming)).received
  }

  /** Receives a mail, and tells what became of it; one that is known already is not recorded. @throws as {@link receive} */
  async take(incoming: IncomingMail): Promise<{ received: Received; fate: MailFate }> {
    const { service, bytes, recipients, returnPath, ledger, excerpt } = incoming
    const { inbox, parser } = this.options
    const mail = readMail(await parser.parse(bytes, turnOf(incoming)), bytes, excerpt?.distinction)
    const verdict = await this.#verdictOn(mail, incoming)
    const isProven = verdict.proof === 'proven'
    const [providerId, alsoKnownAs] = identitiesOf(mail, isProven, incoming.askedAgain)
    const fateOf = fatesOf(providerId)
    const arrival = { mail, returnPath }
    const isAskedAgain = incoming.askedAgain !== undefined
    const ignored = (await this.#bounced(service, arrival)) ?? this.#ownOrAutomatic(service, arrival, isAskedAgain)
    const ignore = async (state: MailState, reason: string): Promise<{ received: Received; fate: MailFate }> => {
      const fate = fateOf(state, reason)
      const received = await inbox.ignore(service, providerId, reason, ledger && ((sql) => ledger.settle(sql, fate)))
      return { received, fate }
    }
    if (ignored !== null) return ignore(ignored.state, ignored.reason)
    if (!mail.from) throw new BadUserInput('mail', 'the mail has no From address')
    // A mailbox keeps it as it came; elsewhere its files are named.
    if (ledger && mail.sealedIn !== null) throw new BadUserInput('mail', `its text is within ${mail.sealedIn}`)
    if (await ledger?.knows([providerId, alsoKnownAs])) {
      const fate = fateOf('again', 'it was received before')
      return { received: { ignored: fate.reason!, isRepeat: true }, fate }
    }
    const thread = await threadOfMail(this.options, {
      service,
      mail,
      recipients: [...recipients, ...mail.recipients],
      isThreadedByReference: incoming.isThreadedByReference === true,
    })
    if (thread === 'gone') return ignore('automatic', GONE)
    const policy = isProven || thread ? 'show' : unprovedMailOf(service)
    if (policy === 'refuse' && !verdict.isTemporary) throw new Unprocessable(REFUSED[verdict.proof])
    const counted = isProven ? mail.from.address : unprovedKey(mail.from, thread, incoming.way)
    if (incoming.isCounted !== false) await spend(this.#senders, `${service.id} ${counted}`, 1, TOO_MANY)
    const files =
      excerpt?.files ?? mail.attachments.map((file) => ({ ...file, content: Readable.from([file.content]) }))
    const content = saidIn(mail, thread, verdict.proof, files.length + (excerpt?.notFetched.length ?? 0) > 0)
    if (content === null) return ignore('unreadable', 'it is empty')
    const received = await inbox.receive({
      service,
      providerId,
      alsoKnownAs,
      isApart: policy !== 'show',
      ...(incoming.sentAt && { sentAt: incoming.sentAt }),
      from: { email: mail.from.address, ...(mail.from.name && { name: mail.from.name }) },
      ...(thread && { conversation: thread.conversation }),
      ...(thread?.forwarding && { answers: thread.forwarding }),
      ...content,
      attachments: files,
      ...(excerpt && { notFetched: excerpt.notFetched }),
      ...(ledger && { alsoWrites: (sql, settled) => ledger.settle(sql, fateOf(...stateOf(settled))) }),
    })
    return { received, fate: received.isRepeat ? fateOf('again', null) : fateOf(...stateOf(settledAs(received))) }
  }

  /**
   * Makes a message of a mail that cannot be read: its subject, if its head is legible, and the mail itself as a file.
   * @param head the bytes up to the first empty line
   * @returns null where nobody knows who wrote it
   */
  async takeUnreadable(
    { service, ledger, way }: Pick<IncomingMail, 'service' | 'ledger' | 'way'>,
    { head, raw, reason }: { head: Buffer; raw: Readable; reason: string },
  ): Promise<MailFate | null> {
    const { inbox, parser } = this.options
    const mail = await parser.parse(head, turnOf({ service, way })).then(
      (email) => readMail(email, head),
      () => null,
    )
    if (!mail?.from) {
      raw.destroy()
      return null
    }
    const fateOf = fatesOf(mail.identityUnproved)
    const { address, name } = mail.from
    const given = { service, mail, recipients: mail.recipients, isThreadedByReference: false }
    const thread = await threadOfMail(this.options, given)
    if (thread === 'gone') {
      raw.destroy()
      const fate = fateOf('automatic', GONE)
      await inbox.ignore(service, mail.identityUnproved, GONE, ledger && ((sql) => ledger.settle(sql, fate)))
      return fate
    }
    const received = await inbox.receive({
      service,
      providerId: mail.identityUnproved,
      // Nobody has checked who wrote it.
      isApart: unprovedMailOf(service) !== 'show',
      from: { email: address, ...(name && { name }) },
      ...(thread?.forwarding && { conversation: thread.conversation, answers: thread.forwarding }),
      message: { text: [mail.subject, UNREAD].filter(Boolean).join('\n\n') },
      systemMeta: { _mail: headOf(mail), _sender: { email: address, proof: 'unproved' }, _unread: reason },
      attachments: [{ fileName: 'mail.eml', type: RAW_MAIL, content: raw }],
      ...(ledger && {
        alsoWrites: (sql, { message, ignored }) =>
          ledger.settle(sql, { ...fateOf(ignored === null ? 'unreadable' : 'blocked', ignored ?? reason), message }),
      }),
    })
    return received.isRepeat ? fateOf('again', null) : fateOf('unreadable', reason)
  }

  /** Finds out whether the sender is who the mail says. */
  async #verdictOn(mail: ParsedMail, incoming: IncomingMail): Promise<Verdict> {
    const { service, bytes, way } = incoming
    const { authHosts, checker } = this.options
    const isClear = mail.headers.filter(({ key }) => key === 'from').length === 1
    const address = isClear ? (mail.from?.address ?? null) : null
    if (address === null) return UNPROVED
    if (way === 'trusted') {
      const params = service.params as EmailParams & { authservId?: string }
      const hosts = params.authservId ? [params.authservId] : (params.authHosts ?? authHosts)
      const results = trustedResults(mail.headers, hosts)
      if (results) return judge(address, evidenceOf(results))
    }
    // What is signed is not all here.
    if (incoming.excerpt) return UNPROVED
    const signatures = mail.headers.filter(({ key }) => key === 'dkim-signature').length
    const known = way === 'trusted' ? null : way
    return checker.check(bytes, { address, way: known, turn: turnOf(incoming), signatures })
  }

  /** Records a bounce as the failure of its delivery; the notice itself makes no message. */
  async #bounced(service: TouchpointService, arrival: Arrival): Promise<Ignored | null> {
    const { deliveries, sql, tokens } = this.options
    const bounce = readBounce(arrival, tokens)
    if (!bounce) return null
    const [own] = await sql.query<{ isAlone: boolean; isForwarded: boolean }>(
      `select d.copies = '[]' as "isAlone", m.is_backchannel as "isForwarded"
       from delivery d join message m on m.id = d.message_id where d.id = $1 and d.service_id = $2`,
      [bounce.delivery, service.id],
    )
    const { recipient: bounced, reason, isProven } = bounce
    // Nobody but the recipient has a mail without copies. The address may be that of a forwarding which the recipient has set up.
    const code = own?.isAlone && !own.isForwarded && isProven && isGone(reason) ? 'blocked' : null
    if (own) await deliveries.report({ delivery: bounce.delivery }, { status: 'failed', reason, bounced, code })
    return { state: 'bounce', reason: bounce.reason }
  }

  #ownOrAutomatic(service: TouchpointService, arrival: Arrival, isAskedAgain: boolean): Ignored | null {
    const { mail } = arrival
    // For example from another service of this server: two services that answer each other would never stop.
    if (mail.messageId !== null && this.options.tokens.deliveryIn(`<${mail.messageId}>`) !== null)
      return { state: 'own', reason: 'it was sent by this server' }
    if (mail.from && withoutToken(mail.from.address) === service.params.address)
      return { state: 'own', reason: "it comes from the service's own address" }
    // An administrator knows better.
    const reason = isAskedAgain ? null : automaticReason(arrival)
    return reason === null ? null : { state: 'automatic', reason }
  }
}

/**
 * Returns what a mail is counted by that may be forged: whoever forges a sender uses up nothing of the sender's own count, nor
 * of the count of those who answer in a conversation.
 */
function unprovedKey({ address }: MailAddress, thread: MailThreadProof | null, way: IncomingMail['way']): string {
  if (thread) return `in ${thread.conversation}`
  return `${address} from ${networkOfWay(way)}`
}

const turnOf = ({ service, way }: Pick<IncomingMail, 'service' | 'way'>): MailTurn => ({
  service,
  network: networkOfWay(way),
})

const networkOfWay = (way: IncomingMail['way']): string => (way === 'trusted' ? way : networkOf(way.ip))
