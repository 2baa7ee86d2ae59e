import type { Socket } from 'node:net'
import { SMTPServer, type SMTPServerOptions } from 'smtp-server'
import { SMTPConnection } from 'smtp-server/lib/smtp-connection.js'
import type { SMTPStream } from 'smtp-server/lib/smtp-stream.js'
import { RateLimited } from '../../../platform/errors.js'
import { LoopTurns } from '../../../platform/fairness/loop-turns.js'
import { networkOf } from '../../../platform/limits/network-of.js'
import { NetworkRate } from '../../../platform/limits/network-rate.js'

/** Bound of one network address; of IPv6, of its /64. */
const CONNECTIONS_PER_NETWORK_MAX = 40
/** Bound of a network's commands, with one for each connection: some twenty mails a second. */
const COMMANDS_PER_SECOND_MAX = 100
/** Bound of a connection's commands since the last mail that was taken from it. A mail has five, and its recipients. */
const COMMANDS_WITHOUT_MAIL_MAX = 200
/** Reading mails gets a fifth of the process, some 60 MB a second. */
const DATA_REST_FACTOR = 4
/** Time in which a client that was refused may read why. */
const REFUSED_MS_MAX = 1_000

/**
 * Takes the commands of all connections in turns with everything else that the process does, however many arrive together,
 * and bounds those of a connection and of a network. Nothing is read of a connection while one of its commands waits.
 */
export class SmtpServerInTurn extends SMTPServer {
  readonly turns = new LoopTurns()
  /** Those of the mails themselves. */
  readonly dataTurns = new LoopTurns({ restFactor: DATA_REST_FACTOR })
  readonly rate = new NetworkRate(COMMANDS_PER_SECOND_MAX)
  readonly #connections = new Map<string, number>()

  /** @param isRelay tells the addresses of the installation's own mail servers, whose commands are not bounded */
  constructor(
    options: SMTPServerOptions,
    readonly isRelay: (address: string) => boolean,
  ) {
    super(options)
  }

  override connect(socket: Socket): void {
    // It was reset before it was accepted.
    if (socket.remoteAddress === undefined) return void socket.destroy()
    const network = networkOf(socket.remoteAddress)
    if ((this.#connections.get(network) ?? 0) >= CONNECTIONS_PER_NETWORK_MAX) return refuse(socket)
    this.#count(network, 1)
    const connection = new ConnectionInTurn(this, socket, () => this.#count(network, -1))
    this.connections.add(connection)
    connection.on('error', (error: Error) => this._onError(error))
    connection.init()
  }

  #count(network: string, change: number): void {
    const count = (this.#connections.get(network) ?? 0) + change
    if (count > 0) this.#connections.set(network, count)
    else this.#connections.delete(network)
  }
}

/** Costs as little as can be: none of the places of all connections is taken. */
function refuse(socket: Socket): void {
  socket.on('error', () => undefined)
  socket.end('421 too many connections from your network\r\n')
  socket.destroySoon()
}

class ConnectionInTurn extends SMTPConnection {
  #commands = 0
  #hasLeft = false

  constructor(
    private readonly server: SmtpServerInTurn,
    socket: Socket,
    private readonly left: () => void,
  ) {
    super(server, socket)
  }

  override _createParser(): SMTPStream {
    const parser = super._createParser()
    const feed = parser._feedDataStream.bind(parser)
    parser._feedDataStream = (chunk, done) =>
      this.server.dataTurns.run(() => (parser.isClosed ? done() : feed(chunk, done)))
    return parser
  }

  override connectionReady(next?: () => void): void {
    void this.#admit(() => super.connectionReady(next))
  }

  override _onCommand(command: Buffer, next?: () => void): void {
    void this.#admit(() => super._onCommand(command, next))
  }

  override send(code: number, data?: string | string[] | null, context?: string | false): void {
    if (context === 'DATA_OK') this.#commands = 0
    super.send(code, data, context)
  }

  override _onClose(): void {
    super._onClose()
    if (!this.#hasLeft) this.left()
    this.#hasLeft = true
  }

  /** Counts what the client wants, and has it done when it is its turn. */
  async #admit(work: () => void): Promise<void> {
    const { server, remoteAddress } = this
    if (!server.isRelay(remoteAddress)) {
      this.#commands += 1
      if (this.#commands > COMMANDS_WITHOUT_MAIL_MAX) return this.#refuse('too many commands without a mail')
      try {
        await server.rate.count(remoteAddress)
      } catch (error) {
        if (!(error instanceof RateLimited)) throw error
        return this.#refuse('too many commands from your network')
      }
    }
    server.turns.run(() => {
      if (!this._closing && !this._closed) work()
    })
  }

  #refuse(message: string): void {
    this.send(421, message)
    // What else it sends is not even read.
    this._socket.pause()
    setTimeout(() => this._socket.destroy(), REFUSED_MS_MAX).unref()
  }
}
