import pino from 'pino'
import { readConfig } from '../../src/platform/config.js'
import { systemClock, type Clock } from '../../src/platform/db/clock.js'
import { createServer, type Overrides, type Server } from '../../src/app/server.js'
import { makeDatabase } from './database.js'
import { checkAnswer } from './openapi-answers.js'
import { CHEAP, createFactories, type Factories, type MadeOrganization, type MadeUser } from './factories.js'

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

/** Token of the operator of each test's server. */
export const OPERATOR_TOKEN = 'the-operator-of-every-test-server-0001'

export interface TestServer extends Factories {
  server: Server
  url: string
  databaseUrl: string
  clock: FakeClock
  /** Creates a contact center as its operator does; its owner has accepted the invitation. */
  makeContactCenter(options?: { name?: string }): Promise<MadeOrganization & { owner: MadeUser }>
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

/** Shorter than tokens are valid. */
const TOKEN_MS = 12 * 3_600_000

/** Shorter than a statement may take, and so long that nobody who waits for others alone is refused, however slow the machine. */
const LOCK_WAIT_MS = 25_000

/** The suite's servers, which the runner empties after it (`runner/runtime.js`). */
const SERVERS = ((globalThis as Record<symbol, unknown>)[Symbol.for('switchboard-servers')] ??=
  new Set()) as Set<Server>

/** The system's time, moved on by the test. */
export class FakeClock implements Clock {
  #offsetMs = 0
  #standsAt: Date | null = null

  constructor(readonly pace = 1) {}

  now(): Date {
    return this.#standsAt ?? new Date(Date.now() + this.#offsetMs)
  }

  newId(): string {
    return systemClock.newId()
  }

  advance(ms: number): void {
    if (this.#standsAt) this.#standsAt = new Date(this.#standsAt.getTime() + ms)
    else this.#offsetMs += ms
  }

  /** Stands still at this time, until it is advanced: what is due then is not late, however slow the machine. */
  standAt(at = this.now()): void {
    this.#standsAt = at
  }

  /** Goes on from where it stands. */
  goOn(): void {
    if (this.#standsAt) this.#offsetMs = this.#standsAt.getTime() - Date.now()
    this.#standsAt = null
  }
}

/**
 * The whole product on a database of the suite's own and a free port. The request rate is out of the way unless `env`
 * sets it.
 * @param options.beside another node, whose database and clock this one shares; it is closed after this one
 * @param options.pace how many times sooner its recurring rounds come
 * @param options.lockWaitMs maximum wait of its statements for a lock
 */
export async function startTestServer(
  env: Record<string, string> = {},
  {
    beside,
    pace,
    lockWaitMs = LOCK_WAIT_MS,
    ...overrides
  }: Pick<Overrides, 'touchpoints' | 'log' | 'graphqlPlugins'> & {
    beside?: TestServer
    pace?: number
    lockWaitMs?: number
  } = {},
): Promise<TestServer> {
  const testDatabase = beside ? { url: beside.databaseUrl, drop: () => undefined } : await makeDatabase()
  const clock = beside?.clock ?? new FakeClock(pace)
  const config = readConfig({
    PORT: '0',
    HOST: '127.0.0.1',
    DATABASE_URL: testDatabase.url,
    ADMIN_EMAIL: 'owner@example.com',
    ADMIN_PASSWORD: 'correct horse battery',
    RATE_LIMIT_PER_SECOND: '100000',
    DATABASE_POOL_SIZE: '8',
    OPERATOR_TOKEN,
    // Push services demand a contact.
    MAIL_FROM: 'Switchboard <no-reply@example.org>',
    // Nobody answers there: what is looked up is not known.
    DNS_SERVERS: '127.0.0.1:1',
    // They would take the answers that a test prepares.
    SERVICE_CHECK_MINUTES: '0',
    ...env,
  })
  const log = pino({ level: process.env.TEST_LOG_LEVEL ?? 'silent' })
  const server = await createServer(
    { ...config, databaseLockWaitMs: lockWaitMs },
    { clock, log, passwordCost: CHEAP, ...overrides },
  )
  SERVERS.add(server)
  const factories = createFactories(server)
  const tokens = new Map<string, { token: Promise<string>; madeAt: number }>()
  const tokenOf = (as: string | MadeUser | null): Promise<string> | string | null => {
    if (as === null || typeof as === 'string') return as
    const now = clock.now().getTime()
    let made = tokens.get(as.id)
    // A test may have moved the clock beyond its end.
    if (!made || now - made.madeAt > TOKEN_MS)
      tokens.set(as.id, (made = { token: factories.tokenFor(as), madeAt: now }))
    return made.token
  }
  const authorization = async (as: string | MadeUser | null): Promise<Record<string, string>> => {
    const token = await tokenOf(as)
    return token === null ? {} : { authorization: `Bearer ${token}` }
  }
  const gql: TestServer['gql'] = async (as, query, variables) => {
    const response = await fetch(`${server.url}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...(await authorization(as)) },
      body: JSON.stringify({ query, variables }),
    })
    const answer = (await response.json()) as { data: never }
    return { ...answer, status: response.status }
  }
  return {
    ...factories,
    server,
    url: server.url,
    databaseUrl: testDatabase.url,
    clock,
    gql,
    async makeContactCenter({ name = 'A contact center' } = {}) {
      const email = `owner-${systemClock.newId()}@example.com`
      const { data: made, errors } = await gql(OPERATOR_TOKEN, CREATE_CENTER, { input: { name, ownerEmail: email } })
      if (errors) throw new Error(JSON.stringify(errors))
      const { id, invitation } = made.createContactCenter as { id: string; invitation: { url: string } }
      const accepted = await gql(null, ACCEPT, {
        token: invitation.url.split('#')[1],
        password: 'correct horse battery',
      })
      if (accepted.errors) throw new Error(JSON.stringify(accepted.errors))
      const center = { id, name, path: [id] as const }
      const { user } = accepted.data.acceptInvitation as { user: string }
      return { ...center, owner: { id: user, email, role: 'owner', organization: center } }
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

const CREATE_CENTER =
  'mutation ($input: CreateContactCenterInput!) { createContactCenter(input: $input) { id invitation { url } } }'
const ACCEPT =
  'mutation ($token: String!, $password: String!) { acceptInvitation(token: $token, password: $password) { user } }'

function isJson(response: Response): boolean {
  return /[/+]json/.test(response.headers.get('content-type') ?? '')
}
