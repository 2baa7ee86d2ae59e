import { readFileSync } from 'node:fs'
import type { AddressInfo, Socket } from 'node:net'
import type { Logger } from 'pino'
import proxyAddr from '@fastify/proxy-addr'
import type { SMTPServerDataStream, SMTPServerOptions, SMTPServerSession } from 'smtp-server'
import type { Sql } from '../../../platform/db/database.js'
import { DomainError, Unavailable } from '../../../platform/errors.js'
import { BytesInFlight, HeldBlocks, type Flight } from '../../../platform/limits/bytes-in-flight.js'
import { atLeastRate } from '../../../platform/limits/least-rate.js'
import { readTouchpointService } from '../touchpoint-service.js'
import { serviceOfAddress } from './email-params.js'
import type { IncomingMail, MailReceiver } from './mail-receiver.js'
import { withoutToken, type MailTokens } from './mail-tokens.js'
import { SmtpServerInTurn } from './smtp-server-in-turn.js'

export interface SmtpListenerOptions {
  host: string
  /** 0 chooses a free port. */
  port: number
  /** Maximum size of one mail. */
  bytesMax: number
  /** PEM files; null disables STARTTLS. */
  tls: { certificate: string; key: string } | null
  /** Addresses and networks of the installation's own mail servers, which check who sends to them. */
  relays: readonly string[]
  sql: Sql
  log: Logger
  receiver: MailReceiver
  tokens: MailTokens
}

const CONNECTIONS_MAX = 1_000
const RECIPIENTS_MAX = 20
/** Maximum time without a byte. */
const SILENCE_MS_MAX = 60_000
/** Maximum time of a session, however slowly it goes on. */
const SESSION_MS_MAX = 600_000
/** Maximum total size of all mails being received, and of those of one network. */
const BYTES_LIMITS = { total: 256 * 1_048_576, perAddress: 64 * 1_048_576 }

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
  readonly #server: SmtpServerInTurn
  readonly #bytes = new BytesInFlight(BYTES_LIMITS)
  readonly #isRelay: (address: string) => boolean

  constructor(private readonly options: SmtpListenerOptions) {
    const { bytesMax, log, relays, tls } = options
    const isRelay = proxyAddr.compile([...relays])
    this.#isRelay = (address) => isRelay(bareAddress(address), 0)
    const settings: SMTPServerOptions = {
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
      onRcptTo: ({ address }, session, done) => void settle(this.#checkRecipient(address, session), done, log),
      onData: (stream, session, done) => void settle(this.#take(stream, session), done, log),
    }
    this.#server = new SmtpServerInTurn(settings, this.#isRelay)
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
    if (service === null || !isReply) return service
    const isKnown = [tokens.conversationOf(recipient, service), tokens.forwardOf(recipient, service)].some(Boolean)
    return isKnown ? service : null
  }

  async #take(stream: SMTPServerDataStream, session: SMTPServerSession): Promise<void> {
    if (!session.remoteAddress) throw new Refusal(421, 'the connection has ended')
    const held = this.#bytes.open(session.remoteAddress, () => this.#cut(session, stream, 'others send less'))
    try {
      await this.#deliver(await this.#read(stream, session, held), session)
    } finally {
      held.end()
    }
  }

  async #deliver(bytes: Buffer, session: SMTPServerSession): Promise<void> {
    const { mailFrom, rcptTo } = session.envelope
    const recipients = new Map<string, string[]>()
    for (const { address } of rcptTo) {
      const service = await this.#serviceOf(address)
      if (service !== null) recipients.set(service, [...(recipients.get(service) ?? []), address])
    }
    if (recipients.size === 0) throw new Refusal(550, 'no such address here')
    const returnPath = mailFrom ? mailFrom.address : ''
    const way = this.#wayOf(session, returnPath)
    for (const [id, addresses] of recipients) {
      const service = await readTouchpointService(this.options.sql, 'email', id)
      if (service) await this.options.receiver.receive({ service, bytes, recipients: addresses, returnPath, way })
    }
  }

  #wayOf({ remoteAddress, hostNameAppearsAs }: SMTPServerSession, sender: string): IncomingMail['way'] {
    if (this.#isRelay(remoteAddress)) return 'trusted'
    return {
      ip: bareAddress(remoteAddress),
      helo: typeof hostNameAppearsAs === 'string' ? hostNameAppearsAs : '',
      sender,
    }
  }

  /** Reads to the end in any case, since the client expects an answer only then; excess data is discarded. */
  async #read(stream: SMTPServerDataStream, session: SMTPServerSession, held: Flight): Promise<Buffer> {
    const { bytesMax } = this.options
    const mail = new HeldBlocks(held)
    let size = 0
    let refusal: Refusal | null = null
    try {
      for await (const chunk of atLeastRate(stream, () => this.#cut(session, stream, 'too slow'))) {
        size += chunk.length
        if (refusal) continue
        if (size > bytesMax) refusal = new Refusal(552, `a mail may have ${bytesMax} bytes`)
        else refusal = refusalOfMore(mail, chunk)
        if (refusal) mail.drop()
      }
    } catch (error) {
      if (error instanceof Refusal || stream.writableEnded) throw error
      this.options.log.debug({ err: error }, 'a client hung up in the middle of a mail')
      throw new Refusal(421, 'the connection has ended')
    }
    if (refusal) throw refusal
    return mail.join()
  }

  #cut(session: SMTPServerSession, stream: SMTPServerDataStream, why: string): void {
    stream.destroy(new Refusal(421, why))
    for (const connection of this.#server.connections) {
      if (connection.session === session) connection.close()
    }
  }
}

const bareAddress = (address: string): string => address.replace(/^::ffff:(?=\d+\.)/i, '')

function refusalOfMore(mail: HeldBlocks, chunk: Buffer): Refusal | null {
  try {
    mail.push(chunk)
    return null
  } catch (error) {
    if (error instanceof Unavailable) return new Refusal(452, 'busy: try again later')
    throw error
  }
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
