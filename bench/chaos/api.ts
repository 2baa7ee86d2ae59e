import { sleep } from './victim.js'

const REQUEST_MS_MAX = 10_000
const RETRY_MS = 100

/** The server has decided against it: trying again would not help. */
export class Refused extends Error {}

/** One caller of both interfaces. A write carries a key and is repeated until it is answered: it has one effect. */
export class Api {
  /** Requests without an answer, sent again. */
  readonly unanswered: { at: number; reason: string }[] = []

  constructor(
    readonly url: string,
    readonly token: string,
    /** After so long a request counts as not answered. */
    private readonly msMax = REQUEST_MS_MAX,
  ) {}

  get repeated(): number {
    return this.unanswered.length
  }

  /** @throws Refused */
  async rest<Value>(method: string, path: string, body: object, key: string): Promise<Value> {
    return this.#untilAnswered(async () => {
      const { status, answer } = await this.#send(`/v2${path}`, method, body, { 'idempotency-key': key })
      if (status >= 500 || status === 429) throw new Error(`${status} ${JSON.stringify(answer).slice(0, 200)}`)
      if (status >= 400) throw new Refused(`${method} ${path}: ${status} ${JSON.stringify(answer).slice(0, 300)}`)
      return answer as Value
    })
  }

  /** @param variables `$key` among them makes it safe to repeat. @throws Refused */
  async gql<Value>(query: string, variables: Record<string, unknown>): Promise<Value> {
    return this.#untilAnswered(async () => {
      const { answer } = await this.#send('/graphql', 'POST', { query, variables }, {})
      const { data, errors } = answer as GraphqlAnswer
      if (!errors?.[0]) return Object.values(data!)[0] as Value
      const { message, extensions } = errors[0]
      if (PASSING.has(extensions?.code ?? '')) throw new Error(message)
      throw new Refused(`${extensions?.code}: ${message}`)
    })
  }

  async #untilAnswered<Value>(send: () => Promise<Value>): Promise<Value> {
    for (;;) {
      try {
        return await send()
      } catch (error) {
        if (error instanceof Refused) throw error
        this.unanswered.push({ at: performance.now(), reason: reasonOf(error) })
        await sleep(RETRY_MS)
      }
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

function reasonOf(error: unknown): string {
  const { message, cause } = error as Error
  return cause instanceof Error ? `${message}: ${cause.message}` : message
}

const PASSING = new Set(['UNAVAILABLE', 'RATE_LIMITED', 'INTERNAL_SERVER_ERROR'])

interface GraphqlAnswer {
  data?: Record<string, unknown> | null
  errors?: { message: string; extensions?: { code?: string } }[]
}
