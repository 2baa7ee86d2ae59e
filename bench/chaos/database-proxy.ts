import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net'

/** Ways in which a connection ends at a COMMIT: before it reaches the server, or when only its answer is lost. */
export type CommitCut = 'before' | 'after'

interface Choice {
  isChosen: (sent: string) => boolean
  meanwhile: () => void
}

interface Pair {
  client: Socket
  upstream: Socket
}

const COMMIT = 'commit\0'
/** Statements that identify a transaction of the product. */
const WRITES = ['append-events', 'insert into stream as s']
/** The server has done what it was sent by then, or is stuck. */
const DONE_MS = 60

/** Stands before PostgreSQL, so that what is lost can be chosen: a network takes an answer as easily as a question. */
export class DatabaseProxy {
  /** Connections that were cut at a COMMIT. */
  cuts = 0
  readonly #server: Server
  readonly #pairs = new Set<Pair>()
  readonly #target: URL
  #armed: CommitCut[] = []
  #chosen: Choice | null = null
  #chance = 0

  private constructor(databaseUrl: string) {
    this.#target = new URL(databaseUrl)
    this.#server = createServer({ noDelay: true }, (client) => this.#accept(client))
  }

  static async open(databaseUrl: string): Promise<DatabaseProxy> {
    const proxy = new DatabaseProxy(databaseUrl)
    await new Promise<void>((resolve, reject) => {
      proxy.#server.once('error', reject).listen({ port: 0, host: '127.0.0.1' }, resolve)
    })
    return proxy
  }

  /** The database's URL by way of the proxy. */
  get url(): string {
    const { username, password, pathname } = this.#target
    return `postgresql://${username}:${password}@127.0.0.1:${(this.#server.address() as AddressInfo).port}${pathname}`
  }

  /** The next COMMITs of transactions that append events end their connections so, one each. */
  cutNext(...cuts: CommitCut[]): void {
    this.#armed.push(...cuts)
  }

  /**
   * The next COMMIT of a transaction that sent such statements loses its answer.
   * @param meanwhile called when the server has done it, before its connection is cut
   */
  cutChosen(isChosen: (sent: string) => boolean, meanwhile: () => void): void {
    this.#chosen = { isChosen, meanwhile }
  }

  /** From now on this part of such COMMITs lose their answers. */
  cutSome(chance: number): void {
    this.#chance = chance
  }

  /** Cuts that wait for their COMMIT. */
  get armed(): number {
    return this.#armed.length
  }

  async close(): Promise<void> {
    const closed = new Promise((resolve) => this.#server.close(resolve))
    for (const pair of this.#pairs) this.#cut(pair)
    await closed
  }

  #accept(client: Socket): void {
    const upstream = connect(this.#endpoint)
    const pair = { client, upstream }
    this.#pairs.add(pair)
    for (const [one, other] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      one.on('error', () => undefined)
      one.on('close', () => {
        this.#pairs.delete(pair)
        other.destroy()
      })
    }
    const answers = (chunk: Buffer): void => void client.write(chunk)
    upstream.on('data', answers)
    let isWriting = false
    let sent = ''
    client.on('data', (chunk: Buffer) => {
      isWriting ||= WRITES.some((text) => chunk.includes(text))
      const isCommit = chunk.includes(COMMIT)
      if (this.#chosen) sent += chunk.toString()
      const chosen = isCommit && this.#chosen?.isChosen(sent) ? this.#chosen : null
      const cut = chosen ? 'after' : isCommit && isWriting ? this.#nextCut() : undefined
      if (chosen) this.#chosen = null
      if (isCommit) [isWriting, sent] = [false, '']
      if (cut !== 'before') upstream.write(chunk)
      if (!cut) return
      this.cuts += 1
      upstream.off('data', answers)
      if (cut === 'before') this.#cut(pair)
      else {
        setTimeout(() => {
          chosen?.meanwhile()
          this.#cut(pair)
        }, DONE_MS)
      }
    })
  }

  /** A host that begins with a slash is the folder of a socket file. */
  get #endpoint(): { path: string } | { port: number; host: string; noDelay: true } {
    const host = decodeURIComponent(this.#target.hostname)
    const port = Number(this.#target.port || 5432)
    return host.startsWith('/') ? { path: `${host}/.s.PGSQL.${port}` } : { port, host, noDelay: true }
  }

  #nextCut(): CommitCut | undefined {
    return this.#armed.shift() ?? (Math.random() < this.#chance ? 'after' : undefined)
  }

  #cut({ client, upstream }: Pair): void {
    client.resetAndDestroy()
    upstream.destroy()
  }
}
