import { get } from 'node:http'

/** Answer of `/readyz`, on a new connection. */
export interface ReadyAnswer {
  /** From the moment when it was due. */
  ms: number
  /** Null when it says that the server is ready. */
  failure: string | null
}

/** An answer that takes longer is none. */
const PATIENCE_MS = 120_000

/**
 * Asks `/readyz` as a load balancer does, until it is stopped: on a connection of its own each time, and on time whatever
 * became of the one before, so that a server that stands still is asked as often as one that does not.
 */
export class ReadyWatch {
  readonly #answers: Promise<ReadyAnswer>[] = []
  #timer: NodeJS.Timeout | undefined

  constructor(
    private readonly url: string,
    private readonly everyMs: number,
  ) {
    this.#start()
  }

  /** Resolves with all answers, once the last one is there. */
  stop(): Promise<ReadyAnswer[]> {
    clearInterval(this.#timer)
    return Promise.all(this.#answers)
  }

  /** Asks nothing meanwhile: for measurements that stop the server themselves. */
  async paused(run: () => Promise<void>): Promise<void> {
    await this.stop()
    await run()
    this.#start()
  }

  #start(): void {
    this.#ask()
    this.#timer = setInterval(() => this.#ask(), this.everyMs)
  }

  #ask(): void {
    const since = performance.now()
    const { promise, resolve } = Promise.withResolvers<string | null>()
    const signal = AbortSignal.timeout(PATIENCE_MS)
    const request = get(`${this.url}/readyz`, { agent: false, signal }, (response) => {
      let text = ''
      response
        .on('data', (bytes: Buffer) => (text += bytes.toString()))
        .on('error', (error) => resolve(String(error)))
        .on('end', () => resolve(response.statusCode === 200 ? null : `${response.statusCode} ${text}`))
    })
    request.on('error', (error) => resolve(String(error)))
    this.#answers.push(promise.then((failure) => ({ ms: performance.now() - since, failure })))
  }
}
