import { readFileSync } from 'node:fs'
import type { AddressInfo, Socket } from 'node:net'
import type { Logger } from 'pino'
import { SMTPServer, type SMTPServerDataStream, type SMTPServerSession } from 'smtp-server'
import type { Sql } from '../../db/database.js'
import { DomainError } from '../../errors.js'
import { readTouchpointService } from '../touchpoint-service.js'
import { serviceOfAddress } from './email-params.js'
import type { MailReceiver } from './mail-receiver.js'
import { withoutToken, type MailTokens } from './mail-tokens.js'

export interface SmtpListenerOptions {
  host: string
  /** 0 chooses a free port. */
  port: number
  /** Maximum size of one mail. */
  bytesMax: number
  /** PEM files; null disables STARTTLS. */
  tls: { certificate: string; key: string } | null
  sql: Sql
  log: Logger
  receiver: MailReceiver
  tokens: MailTokens
}

const CONNECTIONS_MAX = 200
const CONNECTIONS_PER_ADDRESS_MAX = 40
const RECIPIENTS_MAX = 20
/** Maximum time without a byte. */
const SILENCE_MS_MAX = 60_000
/** Maximum time of a session, however slowly it goes on. */
const SESSION_MS_MAX = 600_000
/** Maximum total size of all mails being received. */
const BYTES_AT_ONCE_MAX = 268_435_456

/** An SMTP error reply. */
class Refusal extends Error {
  constructor(
    readonly responseCode: number,
    message: string,
  ) {
    super(message)
  }
}

/**
 * Receives mails by SMTP for the addresses of active services and their reply addresses. A mail is acknowledged once
 * its message is committed: a sender without an acknowledgement repeats it, which makes no second message. Client
 * errors never stop the process.
 */
export class SmtpListener {
  readonly #server: SMTPServer
  readonly #clients = new Map<string, number>()
  #bytesAtOnce = 0

  constructor(private readonly options: SmtpListenerOptions) {
    const { bytesMax, log, tls } = options
    this.#server = new SMTPServer({
      banner: 'Switchboard',
      size: bytesMax,
      authOptional: true,
      disabledCommands: tls ? ['AUTH'] : ['AUTH', 'STARTTLS'],
      ...(tls && { cert: readFileSync(tls.certificate), key: readFileSync(tls.key) }),
      disableReverseLookup: true,
      maxClients: CONNECTIONS_MAX,
      socketTimeout: SILENCE_MS_MAX,
      closeTimeout: 5_000,
      logger: false,
      onConnect: (session, done) => done(this.#enter(session)),
      onClose: (session) => this.#leave(session),
      onRcptTo: ({ address }, session, done) => void settle(this.#checkRecipient(address, session), done, log),
      onData: (stream, session, done) => void settle(this.#take(stream, session), done, log),
    })
    // Clients that disconnect or violate the protocol.
    this.#server.on('error', (error: Error) => log.debug({ err: error }, 'SMTP session failed'))
    this.#server.server.on('connection', (socket: Socket) => {
      const timer = setTimeout(() => socket.destroy(), SESSION_MS_MAX).unref()
      socket.once('close', () => clearTimeout(timer))
    })
  }

  /** @returns the port. @throws Error naming the settings when the port is not available */
  start(): Promise<number> {
    const { host, port } = this.options
    return new Promise((resolve, reject) => {
      const fail = (error: Error): void => {
        reject(new Error(`cannot listen on SMTP_LISTEN_HOST ${host}, SMTP_LISTEN_PORT ${port}: ${error.message}`))
      }
      this.#server.server.once('error', fail)
      this.#server.listen(port, host, () => {
        this.#server.server.removeListener('error', fail)
        resolve((this.#server.server.address() as AddressInfo).port)
      })
    })
  }

  /** Lets running transfers finish, for at most 5 s. */
  stop(): Promise<void> {
    return new Promise((resolve) => this.#server.close(() => resolve()))
  }

  #enter({ remoteAddress }: SMTPServerSession): Refusal | null {
    const count = (this.#clients.get(remoteAddress) ?? 0) + 1
    this.#clients.set(remoteAddress, count)
    return count > CONNECTIONS_PER_ADDRESS_MAX ? new Refusal(421, 'too many connections from your address') : null
  }

  #leave({ remoteAddress }: SMTPServerSession): void {
    const count = (this.#clients.get(remoteAddress) ?? 1) - 1
    if (count > 0) this.#clients.set(remoteAddress, count)
    else this.#clients.delete(remoteAddress)
  }

  async #checkRecipient(address: string, session: SMTPServerSession): Promise<void> {
    if (session.envelope.rcptTo.length >= RECIPIENTS_MAX) throw new Refusal(452, 'too many recipients')
    if ((await this.#serviceOf(address)) === null) throw new Refusal(550, 'no such address here')
  }

  /** A reply address is accepted with its own token only. */
  async #serviceOf(recipient: string): Promise<string | null> {
    const { sql, tokens } = this.options
    const address = withoutToken(recipient)
    const service = await serviceOfAddress(sql, address)
    const isReply = address !== recipient.toLowerCase()
    return service !== null && isReply && tokens.conversationOf(recipient, service) === null ? null : service
  }

  async #take(stream: SMTPServerDataStream, session: SMTPServerSession): Promise<void> {
    const chunks: Buffer[] = []
    try {
      await this.#read(stream, chunks)
      await this.#deliver(Buffer.concat(chunks), session)
    } finally {
      this.#bytesAtOnce -= bytesOf(chunks)
    }
  }

  async #deliver(bytes: Buffer, { envelope: { mailFrom, rcptTo } }: SMTPServerSession): Promise<void> {
    const recipients = new Map<string, string[]>()
    for (const { address } of rcptTo) {
      const service = await this.#serviceOf(address)
      if (service !== null) recipients.set(service, [...(recipients.get(service) ?? []), address])
    }
    if (recipients.size === 0) throw new Refusal(550, 'no such address here')
    for (const [id, addresses] of recipients) {
      const service = await readTouchpointService(this.options.sql, 'email', id)
      const returnPath = mailFrom ? mailFrom.address : ''
      if (service) await this.options.receiver.receive({ service, bytes, recipients: addresses, returnPath })
    }
  }

  /** Reads to the end in any case, since the client expects an answer only then; excess data is discarded. */
  async #read(stream: SMTPServerDataStream, chunks: Buffer[]): Promise<void> {
    const { bytesMax } = this.options
    let size = 0
    let refusal: Refusal | null = null
    for await (const chunk of stream as AsyncIterable<Buffer>) {
      size += chunk.length
      if (refusal) continue
      if (size > bytesMax) refusal = new Refusal(552, `a mail may have ${bytesMax} bytes`)
      else if (this.#bytesAtOnce + chunk.length > BYTES_AT_ONCE_MAX) refusal = new Refusal(452, 'busy: try again later')
      if (refusal) {
        this.#bytesAtOnce -= bytesOf(chunks.splice(0))
        continue
      }
      chunks.push(chunk)
      this.#bytesAtOnce += chunk.length
    }
    if (refusal) throw refusal
  }
}

function bytesOf(chunks: readonly Buffer[]): number {
  return chunks.reduce((sum, chunk) => sum + chunk.length, 0)
}

async function settle(work: Promise<void>, done: (error?: Error | null) => void, log: Logger): Promise<void> {
  const error: unknown = await work.then(
    () => null,
    (reason: unknown) => reason ?? new Error('unknown'),
  )
  done(error === null ? null : refusalOf(error, log))
}

/** Refuses permanently what can never be accepted as a mail, everything else temporarily. */
function refusalOf(error: unknown, log: Logger): Refusal {
  if (error instanceof Refusal) return error
  if (error instanceof DomainError) {
    const isFinal = ['BAD_USER_INPUT', 'NOT_FOUND', 'UNPROCESSABLE'].includes(error.code)
    return new Refusal(isFinal ? 554 : 450, oneLine(error))
  }
  log.error({ err: error }, 'failed to receive a mail')
  return new Refusal(451, 'try again later')
}

function oneLine({ message }: Error): string {
  return message.replace(/[^\x20-\x7e]+/g, ' ').slice(0, 200)
}
