import { sleep } from '../victim.js'

/** Speaks `/v2` to a server that may be down: every write carries a key and is repeated until it is answered. */
export class ChaosClient {
  #token = ''
  /** Requests that were not answered, and sent again. */
  repeated = 0

  constructor(
    private readonly url: string,
    private readonly owner: { email: string; password: string },
  ) {}

  async signIn(): Promise<void> {
    this.#token = (await this.#once<{ token: string }>('POST', '/v2/auth/token', this.owner)).token
  }

  get<Value>(path: string): Promise<Value> {
    return this.#once<Value>('GET', path)
  }

  /** Exactly one effect for each key. */
  async post<Value>(path: string, body: object, key: string): Promise<Value> {
    for (;;) {
      try {
        return await this.#once<Value>('POST', path, body, key)
      } catch (error) {
        if (error instanceof Refused) throw error
        this.repeated++
        await sleep(50)
      }
    }
  }

  async #once<Value>(method: string, path: string, body?: object, key?: string): Promise<Value> {
    const response = await fetch(`${this.url}${path}`, {
      method,
      headers: {
        ...(body && { 'content-type': 'application/json' }),
        ...(this.#token && { authorization: `Bearer ${this.#token}` }),
        ...(key && { 'idempotency-key': key }),
      },
      body: body && JSON.stringify(body),
    })
    const text = await response.text()
    if (response.ok) return JSON.parse(text) as Value
    const message = `${method} ${path}: ${response.status} ${text.slice(0, 300)}`
    throw response.status < 500 ? new Refused(message) : new Error(message)
  }
}

/** Trying again would not help. */
class Refused extends Error {}
