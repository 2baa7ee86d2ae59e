import { lookup } from 'node:dns/promises'
import MailComposer from 'nodemailer/lib/mail-composer'
import { MailFailure, SmtpSession, type Envelope, type RefusedRecipient } from './smtp-session.js'

/** A mail for the composer. Names and subjects may contain anything: they are encoded. */
export interface Mail {
  /** Default: `MAIL_FROM`. */
  from?: { name: string; address: string }
  to: { name: string; address: string }
  /** Further recipients; those of `bcc` are not in the mail. */
  alsoTo?: readonly string[]
  cc?: readonly string[]
  bcc?: readonly string[]
  replyTo?: { name: string; address: string }
  subject: string
  text: string
  html?: string
  /** With angle brackets; generated when absent. */
  messageId?: string
  inReplyTo?: string
  references?: string[]
  headers?: Record<string, string>
  attachments?: { filename: string; contentType: string; content: Buffer }[]
  /** Default: now. */
  date?: Date
}

export interface SendOptions {
  /** A client's own mail server, instead of `SMTP_URL`. */
  smtpUrl?: string
  /** Recipients of this attempt, of those that the mail names; default: all. */
  recipients?: readonly string[]
  /** Address for bounces; default: the sender. */
  returnPath?: string
  signal?: AbortSignal
  /** Signs in with a token in place of a password. */
  accessToken?: string
  /** True if a client's `smtpUrl` may lead to the server of `SMTP_URL` without credentials of its own. */
  mayRelay?: boolean
}

export interface MailerOptions {
  /** `SMTP_URL`; when absent, mail is only sent by servers that the caller names. */
  smtpUrl: string | undefined
  /** `MAIL_FROM`. */
  from: string
  /** True if servers named by clients may have private addresses. */
  allowPrivate: boolean
}

/** A connection that was idle for longer may have been closed by the server. */
const IDLE_MS_MAX = 5_000
const IDLE_PER_SERVER_MAX = 4
const MAILS_PER_SESSION_MAX = 100
const NOWHERE: ReadonlySet<string> = new Set()
const SEND_MS_MAX = 60_000

/** The server of a mail, and what holds for connections to it. */
interface Way {
  url: string
  guarded: boolean
  notAt: ReadonlySet<string>
  accessToken: string | undefined
}

interface Idle {
  session: SmtpSession
  mails: number
  since: number
}

/** Sends all outgoing mail. Reuses connections while they are open. */
export class Mailer {
  readonly #idle = new Map<string, Idle[]>()
  #sweep: NodeJS.Timeout | null = null

  constructor(private readonly options: MailerOptions) {}

  /** Tells whether the installation has a mail server. */
  get isSet(): boolean {
    return this.options.smtpUrl !== undefined
  }

  /** Hands a mail to the mail server. @returns recipients that it refuses, while it takes the mail for others. @throws MailFailure */
  async send(mail: Mail, options: SendOptions = {}): Promise<RefusedRecipient[]> {
    const { smtpUrl, returnPath, signal, accessToken, mayRelay = false } = options
    const url = smtpUrl ?? this.options.smtpUrl
    if (url === undefined) throw new MailFailure('no mail server is configured (SMTP_URL)', 'refused')
    const { bytes, from, to } = await this.build(mail)
    const envelope: Envelope = { from: returnPath ?? from, to: options.recipients ?? to }
    const guarded = smtpUrl !== undefined && !this.options.allowPrivate
    const notAt = guarded && !mayRelay ? await this.#ownAddresses() : NOWHERE
    return this.#deliver({ url, guarded, notAt, accessToken }, envelope, bytes, signal)
  }

  /** Builds a mail without sending it. @throws MailFailure for a recipient that no mail can have */
  async build(mail: Mail): Promise<{ bytes: Buffer; from: string; to: string[] }> {
    const { alsoTo = [], cc = [], bcc = [], ...rest } = mail
    const message = new MailComposer({
      from: this.options.from,
      ...rest,
      to: [mail.to, ...alsoTo],
      cc: [...cc],
      bcc: [...bcc],
      // Texts come from clients: none may refer to a file or an address to read.
      disableFileAccess: true,
      disableUrlAccess: true,
    }).compile()
    const { from, to } = message.getEnvelope()
    const recipients = [to].flat().filter((each) => typeof each === 'string' && each !== '') as string[]
    if (recipients.length !== 1 + alsoTo.length + cc.length + bcc.length)
      throw new MailFailure('mail cannot be sent to this address', 'refused')
    return { bytes: await message.build(), from: from || '', to: recipients }
  }

  /** Signs in at a client's own mail server, and sends nothing. @throws MailFailure */
  async check({
    smtpUrl,
    accessToken,
    signal,
  }: {
    smtpUrl: string
    accessToken?: string
    signal: AbortSignal
  }): Promise<void> {
    const guarded = !this.options.allowPrivate
    const notAt = guarded ? await this.#ownAddresses() : NOWHERE
    const session = await SmtpSession.open(smtpUrl, { guarded, notAt, signal, accessToken })
    session.quit()
  }

  close(): void {
    if (this.#sweep) clearInterval(this.#sweep)
    for (const idle of this.#idle.values()) for (const { session } of idle) session.quit()
    this.#idle.clear()
  }

  /** Addresses of the installation's mail server, which may accept mail from this machine without a password. */
  async #ownAddresses(): Promise<ReadonlySet<string>> {
    const own = this.options.smtpUrl
    if (own === undefined) return NOWHERE
    const found = await lookup(new URL(own).hostname.replace(/^\[|\]$/g, ''), { all: true }).catch(() => {
      throw new MailFailure('the address of SMTP_URL cannot be resolved', 'failed')
    })
    return new Set(found.map(({ address }) => address))
  }

  async #deliver(
    { url, guarded, notAt, accessToken }: Way,
    envelope: Envelope,
    bytes: Buffer,
    given?: AbortSignal,
  ): Promise<RefusedRecipient[]> {
    const timeout = AbortSignal.timeout(SEND_MS_MAX)
    const signal = given ? AbortSignal.any([given, timeout]) : timeout
    const key = `${guarded} ${notAt.size > 0} ${url} ${accessToken ?? ''}`
    const warm = this.#take(key)
    if (warm) {
      try {
        const refused = await warm.session.send(envelope, bytes, signal)
        this.#keep(key, { session: warm.session, mails: warm.mails + 1, since: Date.now() })
        return refused
      } catch (error) {
        // The server closed the idle connection in the meantime: nothing was sent.
        if (!(error instanceof MailFailure) || error.outcome !== 'failed') throw error
      }
    }
    const session = await SmtpSession.open(url, { guarded, notAt, signal, accessToken })
    const refused = await session.send(envelope, bytes, signal)
    this.#keep(key, { session, mails: 1, since: Date.now() })
    return refused
  }

  #take(key: string): Idle | undefined {
    const idle = this.#idle.get(key) ?? []
    for (let last = idle.pop(); last; last = idle.pop()) {
      if (last.session.isOpen && Date.now() - last.since < IDLE_MS_MAX) return last
      last.session.close()
    }
    return undefined
  }

  #keep(key: string, used: Idle): void {
    const idle = this.#idle.get(key) ?? []
    if (!used.session.isOpen || used.mails >= MAILS_PER_SESSION_MAX || idle.length >= IDLE_PER_SERVER_MAX) {
      used.session.quit()
      return
    }
    this.#idle.set(key, [...idle, used])
    this.#sweep ??= setInterval(() => this.#closeIdle(), IDLE_MS_MAX).unref()
  }

  #closeIdle(): void {
    for (const [key, idle] of this.#idle) {
      const kept = idle.filter(({ session, since }) => session.isOpen && Date.now() - since < IDLE_MS_MAX)
      for (const { session } of idle.filter((each) => !kept.includes(each))) session.quit()
      if (kept.length) this.#idle.set(key, kept)
      else this.#idle.delete(key)
    }
  }
}
