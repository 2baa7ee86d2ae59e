import pg from 'pg'
import { addressesOf } from '../database-address.js'
import { LOCK_WAIT_MS_MAX } from '../database-config.js'
import { TIMELINE } from './commit-outcome.js'
import {
  CONNECT_MS_MAX,
  cutConnection,
  KEEPALIVE_MS,
  prepareSession,
  readPrimaryTimeline,
  timelineOf,
} from './session.js'
import { preparedAnew } from './prepared-anew.js'
import { traced } from './traced-client.js'

/**
 * Connects to the primary, for every connection of a node: of several hosts, to the one that took the last connection, until
 * it takes none or turns out to be a standby.
 */
export class PrimaryConnector {
  /** Class of connections for pools, each of which goes to the address of its time. */
  readonly Client: typeof pg.Client
  readonly #addresses: readonly string[]
  /** Open or being opened. */
  readonly #clients = new Set<AddressedClient>()
  #at = 0
  /** The newest timeline seen; 0 before the first. */
  #timeline = 0
  #looking: Promise<boolean> | null = null

  /**
   * @param isShared whether the address leads to a pooler that gives each transaction another session
   * @param isUnnamed whether names of statements are left out, since that pooler loses what is prepared
   * @param lockWaitMs maximum wait of a statement for a lock
   * @throws Error for an address that is not valid
   */
  constructor(
    url: string,
    readonly isShared = false,
    isUnnamed = false,
    readonly lockWaitMs = LOCK_WAIT_MS_MAX,
  ) {
    this.#addresses = addressesOf(url)
    const Client = clientsOf(this, this.#clients)
    this.Client = traced(isUnnamed ? withoutNames(Client) : preparedAnew(Client))
  }

  get hostCount(): number {
    return this.#addresses.length
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
      await prepareSession(client, isPatient, this.isShared, this.lockWaitMs)
      this.#saw(client as AddressedClient, numberOf(timelineOf(client)))
    } catch (error) {
      this.avoid((client as AddressedClient).address)
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
        this.#saw(client as AddressedClient, numberOf(await readPrimaryTimeline(client)))
        return client
      } catch (error) {
        client.end().catch(() => undefined)
        this.avoid((client as AddressedClient).address)
        if (tries >= this.#addresses.length) throw error
      }
    }
  }

  /** The newest timeline seen; 0 before the first. */
  get timeline(): number {
    return this.#timeline
  }

  /**
   * To be called while the server does not answer, as one does whose machine is gone: no packet says so. All hosts are asked,
   * and the primary of the newest timeline is the one: connections to those of older ones are cut, and the next ones go
   * there.
   * @param known a timeline that another connector has seen
   * @returns whether connections were cut. Never rejects.
   */
  lookElsewhere(known = 0): Promise<boolean> {
    this.#looking ??= this.#look(known).finally(() => (this.#looking = null))
    return this.#looking
  }

  async #look(known: number): Promise<boolean> {
    const timelines = await Promise.all(this.#addresses.map((address) => askTimeline(address)))
    const newest = Math.max(known, ...timelines.map((timeline) => timeline ?? 0))
    // One that is reachable and older is a primary that was replaced and does not know it yet.
    if (newest === 0 || newest < this.#timeline) return false
    this.#timeline = newest
    if (timelines.includes(newest) && timelines[this.#at] !== newest) this.#at = timelines.indexOf(newest)
    return this.#cutOlder(newest, timelines[this.#at] === newest ? this.address : null)
  }

  #saw(client: AddressedClient, timeline: number | null): void {
    if (timeline === null) return
    client.timeline = timeline
    if (timeline <= this.#timeline) return
    this.#timeline = timeline
    // Through a pooler the other connections may lead to the new primary already.
    if (!this.isShared) this.#cutOlder(timeline, client.address)
  }

  /** @param address connections that are being opened to it are not older. @returns whether there were any */
  #cutOlder(timeline: number, address: string | null): boolean {
    const older = [...this.#clients].filter((client) => {
      if (client.timeline !== null) return client.timeline < timeline
      return client.address !== address && client.knownTimeline > 0 && client.knownTimeline < timeline
    })
    for (const client of older) cutConnection(client, 'another server is the primary')
    return older.length > 0
  }
}

interface Addressed {
  readonly address: string
  /** Timeline of its server; null until it is known. */
  timeline: number | null
  /** The newest one seen when it was opened. */
  readonly knownTimeline: number
}

type AddressedClient = pg.Client & Addressed

/** The number of the timeline that a primary writes; null for a standby, and for a server that does not answer. */
async function askTimeline(connectionString: string): Promise<number | null> {
  const limits = { connectionTimeoutMillis: CONNECT_MS_MAX, query_timeout: CONNECT_MS_MAX }
  const client = new pg.Client({ connectionString, ...limits })
  client.on('error', () => undefined)
  try {
    await client.connect()
    const { rows } = await client.query<{ timeline: string | null }>(`select ${TIMELINE} as timeline`)
    return numberOf(rows[0]!.timeline)
  } catch {
    return null
  } finally {
    client.end().catch(() => undefined)
  }
}

/** @param timeline see {@link TIMELINE} */
function numberOf(timeline: string | null): number | null {
  return timeline === null ? null : Number.parseInt(timeline.slice(0, 8), 16)
}

function clientsOf(connector: PrimaryConnector, all: Set<AddressedClient>): typeof pg.Client {
  return class extends pg.Client implements Addressed {
    readonly address: string
    timeline: number | null = null
    readonly knownTimeline: number

    constructor(config?: pg.ClientConfig) {
      const { address, timeline } = connector
      super({
        ...config,
        connectionString: address,
        connectionTimeoutMillis: CONNECT_MS_MAX,
        keepAlive: true,
        keepAliveInitialDelayMillis: KEEPALIVE_MS,
      })
      this.address = address
      this.knownTimeline = timeline
      all.add(this)
      this.once('end', () => all.delete(this))
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
export function withoutNames(Client: typeof pg.Client): typeof pg.Client {
  return class extends Client {
    override query(...given: unknown[]): never {
      const [statement, ...more] = given
      const isNamed = typeof statement === 'object' && statement !== null && 'name' in statement && 'text' in statement
      const query = super.query.bind(this) as (...all: unknown[]) => never
      return isNamed ? query({ ...statement, name: undefined }, ...more) : query(...given)
    }
  } as typeof pg.Client
}
