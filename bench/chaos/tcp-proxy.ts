import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net'

interface Pair {
  client: Socket
  upstream: Socket | null
  port: number
}

/** Stands between clients and servers, so that connections can be cut as a network cuts them: without a word. */
export class TcpProxy {
  readonly #server: Server
  readonly #pairs = new Set<Pair>()
  readonly #avoided = new Set<number>()
  #next = 0

  /** @param ports of the servers on this machine; each connection goes to the next one that takes it */
  private constructor(private readonly ports: readonly number[]) {
    // A client that is done writing may go on reading.
    this.#server = createServer({ allowHalfOpen: false, noDelay: true }, (client) => this.#accept(client))
  }

  static async open(ports: readonly number[]): Promise<TcpProxy> {
    const proxy = new TcpProxy(ports)
    await new Promise<void>((resolve, reject) => {
      proxy.#server.once('error', reject).listen({ port: 0, host: '127.0.0.1', backlog: 4_096 }, resolve)
    })
    return proxy
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`
  }

  get connections(): number {
    return this.#pairs.size
  }

  /** Cuts the connections to a server, and takes no further ones there, until `serve`. */
  avoid(port: number): void {
    this.#avoided.add(port)
    this.cut((pair) => pair.port === port)
  }

  serve(port: number): void {
    this.#avoided.delete(port)
  }

  /** @param isChosen all of them unless it says otherwise. @returns how many were cut */
  cut(isChosen: (pair: Readonly<Pair>) => boolean = () => true): number {
    const chosen = [...this.#pairs].filter(isChosen)
    for (const { client, upstream } of chosen) {
      client.resetAndDestroy()
      upstream?.resetAndDestroy()
    }
    return chosen.length
  }

  /** Keeps here what servers send until connections are cut, or `resume`. */
  pause(): void {
    for (const { upstream } of this.#pairs) upstream?.unpipe().pause()
  }

  resume(): void {
    for (const { client, upstream } of this.#pairs) upstream?.pipe(client)
  }

  async close(): Promise<void> {
    const closed = new Promise((resolve) => this.#server.close(resolve))
    this.cut()
    await closed
  }

  #accept(client: Socket): void {
    const pair: Pair = { client, upstream: null, port: 0 }
    this.#pairs.add(pair)
    client.on('error', () => undefined)
    client.on('close', () => {
      this.#pairs.delete(pair)
      pair.upstream?.destroy()
    })
    this.#reach(pair, this.#next++, this.ports.length)
  }

  #reach(pair: Pair, turn: number, tries: number): void {
    if (pair.client.destroyed) return
    const port = this.ports[turn % this.ports.length]!
    if (this.#avoided.has(port)) {
      if (tries <= 1) pair.client.destroy()
      else this.#reach(pair, turn + 1, tries - 1)
      return
    }
    const upstream = connect({ port, host: '127.0.0.1', noDelay: true })
    pair.upstream = upstream
    pair.port = port
    let isConnected = false
    upstream.on('connect', () => {
      isConnected = true
      pair.client.pipe(upstream).pipe(pair.client)
    })
    upstream.on('error', () => undefined)
    upstream.on('close', () => {
      if (isConnected || tries <= 1) pair.client.destroy()
      else this.#reach(pair, turn + 1, tries - 1)
    })
  }
}
