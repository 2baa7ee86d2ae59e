import pg from 'pg'
import { addressesOf } from '../database-address.js'
import { CONNECT_MS_MAX, KEEPALIVE_MS, prepareSession, requirePrimary } from './session.js'

/**
 * Connects to the primary, for every connection of a node: of several hosts, to the one that took the last connection, until
 * it takes none or turns out to be a standby.
 */
export class PrimaryConnector {
  /** Class of connections for pools, each of which goes to the address of its time. */
  readonly Client: typeof pg.Client
  readonly #addresses: readonly string[]
  #at = 0

  /**
   * @param isShared whether the address leads to a pooler that gives each transaction another session
   * @throws Error for an address that is not valid
   */
  constructor(
    url: string,
    readonly isShared = false,
  ) {
    this.#addresses = addressesOf(url)
    this.Client = isShared ? withoutNames(clientsOf(this)) : clientsOf(this)
  }

  /** The address to try now. */
  get address(): string {
    return this.#addresses[this.#at]!
  }

  /** An address has led to no primary: the next attempt takes another one, if there are several. */
  avoid(address: string): void {
    if (address === this.address) this.#at = (this.#at + 1) % this.#addresses.length
  }

  /** Prepares a new connection of a pool. @throws when its server is a standby */
  async prepare(client: pg.ClientBase, isPatient?: () => boolean): Promise<void> {
    try {
      await prepareSession(client, isPatient, this.isShared)
    } catch (error) {
      this.avoid((client as pg.ClientBase & { address: string }).address)
      throw error
    }
  }

  /**
   * Opens a connection outside pools, to the first host that is a primary.
   * @throws the error of the last host when none is
   */
  async connect(config?: pg.ClientConfig): Promise<pg.Client> {
    for (let tries = 1; ; tries++) {
      const client = new this.Client(config)
      client.on('error', () => undefined)
      try {
        await client.connect()
        await requirePrimary(client)
        return client
      } catch (error) {
        client.end().catch(() => undefined)
        this.avoid((client as pg.Client & { address: string }).address)
        if (tries >= this.#addresses.length) throw error
      }
    }
  }
}

function clientsOf(connector: PrimaryConnector): typeof pg.Client {
  return class extends pg.Client {
    readonly address: string

    constructor(config?: pg.ClientConfig) {
      const { address } = connector
      super({
        ...config,
        connectionString: address,
        connectionTimeoutMillis: CONNECT_MS_MAX,
        keepAlive: true,
        keepAliveInitialDelayMillis: KEEPALIVE_MS,
      })
      this.address = address
    }

    override connect(callback?: unknown): never {
      // Pools connect by a callback, and only they try again by themselves.
      const connected = (error?: Error): void => {
        if (error) connector.avoid(this.address)
        ;(callback as (error?: Error) => void)(error)
      }
      return super.connect((callback && connected) as never) as never
    }
  }
}

/** Statements with a name would be prepared in the session of one transaction and be missing in the next. */
function withoutNames(Client: typeof pg.Client): typeof pg.Client {
  return class extends Client {
    override query(...given: unknown[]): never {
      const [statement, ...more] = given
      const isNamed = typeof statement === 'object' && statement !== null && 'name' in statement && 'text' in statement
      const query = super.query.bind(this) as (...all: unknown[]) => never
      return isNamed ? query({ ...statement, name: undefined }, ...more) : query(...given)
    }
  } as typeof pg.Client
}
