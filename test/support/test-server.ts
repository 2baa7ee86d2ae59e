import pino from 'pino'
import { readConfig } from '../../src/config.js'
import { systemClock, type Clock } from '../../src/db/clock.js'
import { createServer, type Overrides, type Server } from '../../src/server.js'
import { makeDatabase } from './database.js'
import { checkAnswer } from './openapi-answers.js'
import { createFactories, type Factories, type MadeUser } from './factories.js'

export interface GraphqlAnswer<Data> {
  status: number
  data: Data
  errors?: { message: string; path?: (string | number)[]; extensions: Record<string, unknown> & { code: string } }[]
}

export interface RestAnswer {
  status: number
  headers: Headers
  // The tests state what they expect of it.
  body: any // oxlint-disable-line typescript/no-explicit-any
}

export interface TestServer extends Factories {
  server: Server
  url: string
  databaseUrl: string
  clock: FakeClock
  /** Sends one operation over HTTP. @param token without `Bearer`, or a user to make one for */
  // oxlint-disable-next-line typescript/no-explicit-any
  gql<Data = any>(
    as: string | MadeUser | null,
    query: string,
    variables?: Record<string, unknown>,
  ): Promise<GraphqlAnswer<Data>>
  /** Sends one request to `/v2…`. @throws Error for an answer that the OpenAPI document does not describe */
  rest(
    as: string | MadeUser | null,
    method: string,
    path: string,
    body?: unknown,
    headers?: Record<string, string>,
  ): Promise<RestAnswer>
  close(): Promise<void>
}

/** The system's time, moved on by the test. */
export class FakeClock implements Clock {
  #offsetMs = 0

  now(): Date {
    return new Date(Date.now() + this.#offsetMs)
  }

  newId(): string {
    return systemClock.newId()
  }

  advance(ms: number): void {
    this.#offsetMs += ms
  }
}

/**
 * The whole product on a database of the suite's own and a free port. The request rate is out of the way unless `env`
 * sets it.
 * @param options.beside another node, whose database and clock this one shares; it is closed after this one
 */
export async function startTestServer(
  env: Record<string, string> = {},
  { beside, ...overrides }: Pick<Overrides, 'touchpoints' | 'log'> & { beside?: TestServer } = {},
): Promise<TestServer> {
  const testDatabase = beside ? { url: beside.databaseUrl, drop: () => undefined } : await makeDatabase()
  const clock = beside?.clock ?? new FakeClock()
  const config = readConfig({
    PORT: '0',
    HOST: '127.0.0.1',
    DATABASE_URL: testDatabase.url,
    ADMIN_EMAIL: 'owner@example.com',
    ADMIN_PASSWORD: 'correct horse battery',
    RATE_LIMIT_PER_SECOND: '100000',
    DATABASE_POOL_SIZE: '8',
    // Push services demand a contact.
    MAIL_FROM: 'Switchboard <no-reply@example.org>',
    ...env,
  })
  const log = pino({ level: process.env.TEST_LOG_LEVEL ?? 'silent' })
  const server = await createServer(config, { clock, log, ...overrides })
  const factories = createFactories({ sql: server.database, signer: server.signer })
  const tokens = new Map<string, Promise<string>>()
  const tokenOf = (as: string | MadeUser | null): Promise<string> | string | null => {
    if (as === null || typeof as === 'string') return as
    if (!tokens.has(as.id)) tokens.set(as.id, factories.tokenFor(as))
    return tokens.get(as.id)!
  }
  const authorization = async (as: string | MadeUser | null): Promise<Record<string, string>> => {
    const token = await tokenOf(as)
    return token === null ? {} : { authorization: `Bearer ${token}` }
  }
  return {
    ...factories,
    server,
    url: server.url,
    databaseUrl: testDatabase.url,
    clock,
    async gql(as, query, variables) {
      const response = await fetch(`${server.url}/graphql`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...(await authorization(as)) },
        body: JSON.stringify({ query, variables }),
      })
      const answer = (await response.json()) as { data: never }
      return { ...answer, status: response.status }
    },
    async rest(as, method, path, body, headers = {}) {
      const response = await fetch(`${server.url}${path}`, {
        method,
        headers: {
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
          ...(await authorization(as)),
          ...headers,
        },
        body: body === undefined ? undefined : typeof body === 'string' ? body : JSON.stringify(body),
      })
      const text = await response.text()
      const { status, headers: given } = response
      const answer = { status, headers: given, body: text && isJson(response) ? JSON.parse(text) : text }
      if (path.startsWith('/v2/')) {
        checkAnswer({ method, path, requestBody: body, contentType: given.get('content-type'), ...answer })
      }
      return answer
    },
    async close() {
      await server.close()
      await testDatabase.drop()
    },
  }
}

function isJson(response: Response): boolean {
  return response.headers.get('content-type')?.includes('json') ?? false
}
