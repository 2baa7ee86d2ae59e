import type { Api } from '../api.js'
import { sleep } from '../victim.js'

const BETWEEN_MS = 400
const POSITION = 'switchboard-position'
const ANSWER_MS_MAX = 20_000
const LISTED = 20

/**
 * Writes, and reads what it wrote from a list, on whichever node and server answers: reads of replicas must not be older
 * than what their caller knows.
 */
export class OwnWrites {
  reads = 0
  /** Own writes that a list did not show. */
  hidden = 0
  #isOver = false
  readonly #loop: Promise<void>

  constructor(
    private readonly api: Api,
    private readonly name: string,
  ) {
    this.#loop = this.#run()
  }

  stop(): Promise<void> {
    this.#isOver = true
    return this.#loop
  }

  async #run(): Promise<void> {
    for (let turn = 0; !this.#isOver; turn++, await sleep(BETWEEN_MS)) {
      const name = `${this.name} ${turn}`
      const made = await this.#send('POST', '/locations', { name })
      const position = made?.headers.get(POSITION)
      if (!position) continue
      const listed = await this.#send('GET', `/locations?limit=${LISTED}&sort=-createdAt`, undefined, position)
      if (!listed) continue
      this.reads += 1
      if (!(await listed.text()).includes(`"${name}"`)) this.hidden += 1
    }
  }

  /** Null for what is refused: others count that. */
  async #send(method: string, path: string, body?: object, position?: string): Promise<Response | null> {
    const headers = {
      authorization: `Bearer ${this.api.token}`,
      ...(body && { 'content-type': 'application/json', 'idempotency-key': crypto.randomUUID() }),
      ...(position && { [POSITION]: position }),
    }
    const request = { method, headers, body: body && JSON.stringify(body), signal: AbortSignal.timeout(ANSWER_MS_MAX) }
    const response = await fetch(`${this.api.url}/v2${path}`, request).catch(() => null)
    return response?.ok ? response : null
  }
}
