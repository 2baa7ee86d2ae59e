import { connect, type Socket } from 'node:net'
import { Readable } from 'node:stream'
import { parseConnectionUrl } from 'nodemailer/lib/shared'
import SMTPConnection from 'nodemailer/lib/smtp-connection'
import XOAuth2 from 'nodemailer/lib/xoauth2'
import { connectPublic, isNotAllowed, NOT_ALLOWED } from './public-addresses.js'

export interface Envelope {
  /** Return path; '' for a mail that asks for no bounce. */
  from: string
  to: readonly string[]
}

/** A recipient that the mail server refuses, while it takes the mail for others. */
export interface RefusedRecipient {
  address: string
  reason: string
}

/** Outcome of a mail that was not accepted. */
export type MailOutcome =
  /** The mail server will never accept it. */
  | 'refused'
  /** Not accepted, but may be retried. */
  | 'failed'
  /** It was sent completely, and the answer is missing. */
  | 'unknown'

export class MailFailure extends Error {
  constructor(
    message: string,
    readonly outcome: MailOutcome,
    /** True if the server refused the credentials. */
    readonly isSignIn = false,
  ) {
    super(message)
    this.name = new.target.name
  }
}

const CONNECT_MS_MAX = 10_000
const ANSWER_MS_MAX = 30_000
const REASON_CHARS_MAX = 300

export interface OpenOptions {
  /** True if a client gave the address, which then must be public. */
  guarded: boolean
  /** Addresses that are refused to a client who does not sign in. */
  notAt?: ReadonlySet<string>
  signal: AbortSignal
  /** Signs in with a token in place of a password (XOAUTH2). */
  accessToken?: string
}

/** A connection to a mail server, for one mail at a time. */
export class SmtpSession {
  readonly #connection: SMTPConnection
  #isOpen = true

  private constructor(connection: SMTPConnection) {
    this.#connection = connection
    // An error while nothing is being sent ends the session; see `isOpen`.
    connection.on('error', () => (this.#isOpen = false))
    connection.on('end', () => (this.#isOpen = false))
  }

  /**
   * Connects, says hello, and signs in if the address has a user.
   * @param url `smtp://user:password@host:587`, `smtps://…`
   * @throws MailFailure
   */
  static async open(url: string, { guarded, notAt, signal, accessToken }: OpenOptions): Promise<SmtpSession> {
    const { host = 'localhost', port, secure = false, auth } = parseConnectionUrl(url)
    const portNumber = port ?? (secure ? 465 : 587)
    const refused = auth || !notAt?.size ? null : notAt
    const connection = new SMTPConnection({
      host,
      port: portNumber,
      secure,
      // Credentials are only sent over TLS: without TLS there is no sign-in.
      requireTLS: auth !== undefined && auth !== null,
      servername: host,
      connectionTimeout: CONNECT_MS_MAX,
      greetingTimeout: CONNECT_MS_MAX,
      socketTimeout: ANSWER_MS_MAX,
      ...((guarded || refused) && {
        connection: await openSocket({ host, port: portNumber }, { guarded, refused }),
      }),
    })
    const session = new SmtpSession(connection)
    await session.#step(signal, (done) => connection.connect(done))
    if (auth) {
      const { user, pass } = auth as { user?: string; pass?: string }
      const credentials =
        accessToken === undefined
          ? { user, pass, credentials: { user, pass } }
          : { user, oauth2: tokenOf(user, accessToken) }
      await session.#step(signal, (done) => connection.login(credentials as Credentials, (error) => done(error))).catch(
        (error: MailFailure) => {
          if (accessToken === undefined) throw error
          // The token may have been revoked: another is asked for.
          throw new MailFailure(`${error.message} (sign-in by token)`, 'failed', true)
        },
      )
    }
    return session
  }

  get isOpen(): boolean {
    return this.#isOpen
  }

  /** @returns recipients that are refused, where others are taken. @throws MailFailure */
  async send(envelope: Envelope, bytes: Buffer, signal: AbortSignal): Promise<RefusedRecipient[]> {
    let isWhole = false
    // The connection reads it after the server's 354; at its end the final dot is sent.
    const message = Readable.from([bytes], { objectMode: false }).on('end', () => (isWhole = true))
    const { rejected = [], rejectedErrors = [] } = await this.#step<Sent>(
      signal,
      (done) => this.#connection.send({ ...envelope, to: [...envelope.to], size: bytes.length }, message, done),
      () => isWhole,
    )
    return rejected.map((address, index) => ({
      address,
      reason: rejectedErrors[index] ? asFailure(rejectedErrors[index], false).message : 'the mail server refused it',
    }))
  }

  close(): void {
    this.#isOpen = false
    this.#connection.close()
  }

  /** Sends QUIT without waiting for the answer. */
  quit(): void {
    this.#isOpen = false
    this.#connection.quit()
  }

  #step<T = void>(
    signal: AbortSignal,
    begin: (done: (error?: Error | null, result?: T) => void) => void,
    mayHaveArrived: () => boolean = () => false,
  ): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      const settle = (error?: Error | null, result?: T): void => {
        signal.removeEventListener('abort', abort)
        this.#connection.removeListener('error', settle)
        if (!error) return resolve(result as T)
        reject(asFailure(error, mayHaveArrived()))
        this.close()
      }
      const abort = (): void => settle(new Error('no answer in time'))
      if (signal.aborted) return abort()
      signal.addEventListener('abort', abort, { once: true })
      this.#connection.once('error', settle)
      begin(settle)
    })
  }
}

interface Sent {
  rejected?: string[]
  rejectedErrors?: SmtpError[]
}

type Credentials = Parameters<SMTPConnection['login']>[0]

/** The library asks for a token, and for a new one when it is refused, which is decided elsewhere. */
function tokenOf(user: string | undefined, accessToken: string) {
  const token = new XOAuth2({ user, accessToken })
  return {
    getToken: (renew: boolean, done: (error: Error | null, token?: string) => void) =>
      renew ? done(new Error('the token was refused')) : done(null, accessToken),
    buildXOAuth2Token: (given: string) => token.buildXOAuth2Token(given),
  }
}

type SmtpError = Error & { responseCode?: number; code?: string; response?: string }

function asFailure(error: SmtpError, mayHaveArrived: boolean): MailFailure {
  const words = (error.response ?? error.message).replace(/\s+/g, ' ').slice(0, REASON_CHARS_MAX)
  const { responseCode = 0, code } = error
  if (responseCode >= 500) return new MailFailure(`the mail server refused it: ${words}`, 'refused')
  if (responseCode >= 400) return new MailFailure(`the mail server is not ready: ${words}`, 'failed')
  if (mayHaveArrived) return new MailFailure(`the mail server did not confirm: ${words}`, 'unknown')
  // Refused by the library before anything was sent: an invalid address, or more bytes than the server accepts.
  if (code === 'EENVELOPE' || code === 'EMESSAGE') return new MailFailure(words, 'refused')
  return new MailFailure(`the mail server was not reached: ${words}`, 'failed')
}

function openSocket(
  to: { host: string; port: number },
  { guarded, refused }: { guarded: boolean; refused: ReadonlySet<string> | null },
): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const fail = (error: Error): void => {
      const refused = isNotAllowed(error)
      reject(
        new MailFailure(
          refused ? `smtpUrl: ${NOT_ALLOWED}` : `the mail server was not reached: ${error.message}`,
          refused ? 'refused' : 'failed',
        ),
      )
    }
    try {
      const socket = guarded ? connectPublic(to) : connect(to)
      socket.setTimeout(CONNECT_MS_MAX, () => socket.destroy(new Error('no connection in time')))
      socket.once('error', fail)
      socket.once('connect', () => {
        socket.setTimeout(0)
        socket.removeListener('error', fail)
        // Asked of the connection itself: names lead elsewhere from one moment to the next.
        if (!refused?.has(socket.remoteAddress?.replace(/^::ffff:/, '') ?? '')) return resolve(socket)
        socket.destroy()
        reject(new MailFailure("smtpUrl is the installation's own mail server: leave it out", 'refused'))
      })
    } catch (error) {
      fail(error as Error)
    }
  })
}
