import { sleep } from './victim.js'

const REQUEST_MS_MAX = 10_000
const RETRY_MS = 100

/** A request without an answer, which is sent again. */
export interface Unanswered {
  at: number
  /** From the request to its failure. */
  ms: number
  /** GraphQL's code, or that of HTTP. */
  code: string
  reason: string
}

/** The server has decided against it: trying again would not help. */
export class Refused extends Error {}

/**
 * One caller of both interfaces. A write carries a key and is repeated until it is answered: it has one effect. One
 * without a key is sent once: without an answer nobody knows whether it was done, but twice it never is.
 */
export class Api {
  readonly unanswered: Unanswered[] = []
  #repeated = 0

  constructor(
    readonly url: string,
    readonly token: string,
    /** After so long a request counts as not answered. */
    private readonly msMax = REQUEST_MS_MAX,
  ) {}

  get repeated(): number {
    return this.#repeated
  }

  /** @throws Refused */
  async rest<Value>(method: string, path: string, body: object, key: string): Promise<Value> {
    return this.#untilAnswered(() => this.#rest<Value>(method, path, body, { 'idempotency-key': key }))
  }

  /** Sends it once, without a key. @returns null without an answer. @throws Refused */
  async restOnce<Value>(method: string, path: string, body: object): Promise<Value | null> {
    return this.#answered(() => this.#rest<Value>(method, path, body, {}))
  }

  async #rest<Value>(method: string, path: string, body: object, headers: object): Promise<Value> {
    const { status, answer } = await this.#send(`/v2${path}`, method, body, headers)
    if (status >= 500 || status === 429) throw new Failed(String(status), JSON.stringify(answer).slice(0, 200))
    if (status >= 400) throw new Refused(`${method} ${path}: ${status} ${JSON.stringify(answer).slice(0, 300)}`)
    return answer as Value
  }

  /** @param variables `$key` among them makes it safe to repeat. @throws Refused */
  async gql<Value>(query: string, variables: Record<string, unknown>): Promise<Value> {
    return (await this.gqlAll<Value>(query, variables))[0]!
  }

  /** The same for an operation with several fields. */
  async gqlAll<Value>(query: string, variables: Record<string, unknown> = {}): Promise<Value[]> {
    return this.#untilAnswered(async () => {
      const { answer } = await this.#send('/graphql', 'POST', { query, variables }, {})
      const { data, errors } = answer as GraphqlAnswer
      if (!errors?.[0]) return Object.values(data!) as Value[]
      const { message, extensions } = errors[0]
      if (PASSING.has(extensions?.code ?? '')) throw new Failed(extensions!.code!, message)
      throw new Refused(`${extensions?.code}: ${message}`)
    })
  }

  async #untilAnswered<Value>(send: () => Promise<Value>): Promise<Value> {
    for (;;) {
      const answer = await this.#answered(send)
      if (answer !== null) return answer
      this.#repeated += 1
      await sleep(RETRY_MS)
    }
  }

  async #answered<Value>(send: () => Promise<Value>): Promise<Value | null> {
    const since = performance.now()
    try {
      return await send()
    } catch (error) {
      if (error instanceof Refused) throw error
      const at = performance.now()
      const code = error instanceof Failed ? error.code : 'none'
      this.unanswered.push({ at, ms: at - since, code, reason: reasonOf(error) })
      return null
    }
  }

  async #send(path: string, method: string, body: object, more: object): Promise<{ status: number; answer: unknown }> {
    const response = await fetch(`${this.url}${path}`, {
      method,
      headers: {
        'content-type': 'application/json',
        ...(this.token && { authorization: `Bearer ${this.token}` }),
        ...more,
      },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(this.msMax),
    })
    const text = await response.text()
    // A balancer's own errors are pages.
    return { status: response.status, answer: text.startsWith('{') ? JSON.parse(text) : { errors: [pageError(text)] } }
  }
}

const pageError = (page: string) => ({
  message: page.replaceAll(/<[^>]*>|\s+/g, ' ').trim(),
  extensions: { code: 'UNAVAILABLE' },
})

class Failed extends Error {
  constructor(
    readonly code: string,
    message: string,
  ) {
    super(`${code}: ${message}`)
  }
}

function reasonOf(error: unknown): string {
  const { message, cause } = error as Error
  return cause instanceof Error ? `${message}: ${cause.message}` : message
}

const PASSING = new Set(['UNAVAILABLE', 'RATE_LIMITED', 'INTERNAL_SERVER_ERROR'])

interface GraphqlAnswer {
  data?: Record<string, unknown> | null
  errors?: { message: string; extensions?: { code?: string } }[]
}
