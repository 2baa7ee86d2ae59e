import { buildSchema } from 'graphql'
import type { AddressInfo } from 'node:net'
import pino from 'pino'
import type { Authenticator } from '../../src/platform/access/authenticator.js'
import type { Caller } from '../../src/platform/access/caller.js'
import { scopesOfRole } from '../../src/platform/access/scopes.js'
import { systemClock } from '../../src/platform/db/clock.js'
import { Database, type Sql } from '../../src/platform/db/database.js'
import { Forbidden, TokenExpired, Unauthenticated } from '../../src/platform/errors.js'
import { Dispatcher, type HintBus } from '../../src/platform/events/dispatcher.js'
import type { StoredEvent } from '../../src/platform/events/event.js'
import type { LiveEvent, LiveFeed, LiveSource } from '../../src/platform/events/live-feed.js'
import { appendEvents } from '../../src/platform/events/streams.js'
import { openOperations } from '../support/operations.js'
import { createHttpApp } from '../../src/api/http/app.js'
import { UnreadAnswers } from '../../src/platform/limits/unread-answers.js'
import { Metrics } from '../../src/platform/metrics.js'
import type { RealtimeLimits } from '../../src/api/realtime/limits.js'
import { createGraphqlHttp } from '../../src/api/graphql/apollo.js'
import { createRealtime, type Realtime } from '../../src/api/realtime/realtime.js'
import { makeDatabase } from '../support/database.js'

const SDL = `
  scalar Date
  type Query { hello: String!, me: String!, boom: String, slow(ms: Int!): Int! }
  type Mutation { add(to: String!): Int! }
  type Subscription {
    counters(names: [String!], after: String): CounterEvent!
    broken(after: String): CounterEvent!
  }
  union CounterEvent = CounterSnapshot | Counted | Wiggled
  type Counter { name: String!, value: Int! }
  type CounterSnapshot { cursor: String!, at: Date!, resync: Boolean!, counters: [Counter!]! }
  type Counted { cursor: String!, at: Date!, name: String!, value: Int!, padding: String, twice: Int }
  type Wiggled { cursor: String!, name: String! }`

/** The state that subscribers follow: counters, each with a stream that tells of its every increment. */
export const counterStream = (name: string): string => `counter:${name}`

export interface CounterRules {
  /** Users who may hear the counters. */
  isAllowed: (caller: Caller, names: readonly string[]) => boolean
  /** Names that a subscription without names follows. */
  defaultNames: readonly string[]
}

export interface LiveServer {
  url: string
  database: Database
  dispatcher: Dispatcher
  realtime: Realtime
  rules: CounterRules
  /** Presence as the feeds were told: begun less ended, by subscription. */
  presence: Map<string, number>
  /** Snapshots read so far, and executions of an event's `twice`. */
  counts: { snapshots: number; executions: number; begun: number; ended: number; asked: number }
  /** While it is there, reads of a snapshot wait for it. */
  hold: { until: Promise<void> | null }
  /** Tokens that are good no more. */
  ended: Set<string>
  /** Until when a token is good; without one here, for ever. */
  expiries: Map<string, Date>
  increment(name: string, padding?: string, times?: number): Promise<StoredEvent[]>
  close(): Promise<void>
}

export interface LiveServerOptions {
  limits?: Partial<RealtimeLimits>
  hints?: HintBus
  /** Joins another server's database. */
  databaseUrl?: string
  headCheckMs?: number
  snapshotDelayMs?: number
}

/** The product's own delivery over a small state, on a real database and real sockets. */
export async function startLiveServer(options: LiveServerOptions = {}): Promise<LiveServer> {
  const made = options.databaseUrl ? null : await makeDatabase()
  const log = pino({ level: process.env.TEST_LOG_LEVEL ?? 'silent' })
  const database = await Database.open({ url: options.databaseUrl ?? made!.url, poolSize: 8, entities: [], log })
  await database.migrate()
  await database.query('create table if not exists counter (name text primary key, value int not null)')
  const dispatcher = new Dispatcher({ sql: database, log, hints: options.hints, headCheckMs: options.headCheckMs })
  dispatcher.start()
  const rules: CounterRules = { isAllowed: () => true, defaultNames: ['a', 'b'] }
  const presence = new Map<string, number>()
  const counts = { snapshots: 0, executions: 0, begun: 0, ended: 0, asked: 0 }
  const ended = new Set<string>()
  const expiries = new Map<string, Date>()
  const hold: LiveServer['hold'] = { until: null }

  const increment: LiveServer['increment'] = async (name, padding, times = 1) => {
    const stored = await database.sqlTransaction(async (sql) => {
      const rows = await sql.query<{ value: number }>(
        `insert into counter as c (name, value) values ($1, $2)
         on conflict (name) do update set value = c.value + $2 returning value`,
        [name, times],
      )
      const events = Array.from({ length: times }, (_each, index) => ({
        stream: counterStream(name),
        type: 'counted',
        data: { name, value: rows[0]!.value - times + 1 + index, ...(padding !== undefined && { padding }) },
      }))
      return appendEvents(sql, events, systemClock.now())
    })
    dispatcher.publish(stored)
    return stored
  }

  const schema = buildSchema(SDL)
  const query = schema.getQueryType()!.getFields()
  query.hello!.resolve = () => 'world'
  query.me!.resolve = (_root, _args, ctx) => ctx.caller.key
  query.boom!.resolve = () => {
    throw new Error('a secret of the server')
  }
  query.slow!.resolve = async (_root, { ms }: { ms: number }) => {
    await new Promise((resolve) => setTimeout(resolve, ms))
    return ms
  }
  schema.getMutationType()!.getFields().add!.resolve = async (_root, { to }: { to: string }) =>
    (await increment(to))[0]!.number
  const counted = schema.getType('Counted') as unknown as ReturnType<typeof schema.getQueryType> & object
  counted.getFields().twice!.resolve = async ({ value }: { value: number }) => {
    counts.executions += 1
    await new Promise((resolve) => setTimeout(resolve, value % 3))
    return value * 2
  }
  schema.getType('Date')! satisfies object
  Object.assign(schema.getType('Date')!, { serialize: (value: Date) => value.toISOString() })

  const source: LiveSource = {
    field: 'counters',
    async open(ctx, { names }) {
      const named = (names as string[] | null | undefined) ?? null
      const open = named ?? rules.defaultNames
      if (!rules.isAllowed(ctx.caller, open)) throw new Forbidden('these counters are not yours')
      return feedOf(open, named === null)
    },
  }
  const feedOf = (names: readonly string[], isDefault: boolean): LiveFeed => ({
    streams: names.map(counterStream),
    audience: 'all',
    async snapshot(sql: Sql) {
      counts.snapshots += 1
      await hold.until
      if (options.snapshotDelayMs) await new Promise((resolve) => setTimeout(resolve, options.snapshotDelayMs))
      const counters = await sql.query('select name, value from counter where name = any($1::text[])', [names])
      return { __typename: 'CounterSnapshot', counters }
    },
    toEvent: ({ data, type }) => (type === 'counted' ? ({ __typename: 'Counted', ...data } as LiveEvent) : null),
    toEphemeral: ({ data }) => ({ __typename: 'Wiggled', ...data }),
    async begin(subscription) {
      counts.begun += 1
      await database.query('select 1')
      presence.set(subscription, (presence.get(subscription) ?? 0) + 1)
    },
    async end(subscription) {
      await database.query('select 1')
      presence.set(subscription, (presence.get(subscription) ?? 0) - 1)
      counts.ended += 1
    },
    async isStillAllowed(ctx) {
      counts.asked += 1
      return rules.isAllowed(ctx.caller, names)
    },
    ...(isDefault && { currentStreams: async () => rules.defaultNames.map(counterStream) }),
  })
  const broken: LiveSource = {
    field: 'broken',
    open: async () => ({ ...feedOf(['a'], false), snapshot: async () => Promise.reject(new Error('a secret')) }),
  }

  const config = {
    trustProxy: false as const,
    host: '127.0.0.1',
    metricsPort: undefined,
    metricsToken: undefined,
    allowedOrigins: ['https://app.example'],
    publicUrl: 'http://public.example',
    expiredTokenStatus: 403 as const,
    logsRequests: true,
    rateLimitPerSecond: 1_000,
  }
  const metrics = new Metrics()
  const operations = openOperations(schema, 1_000_000_000)
  const authenticator = authenticatorOf(ended, expiries)
  const unreadAnswers = new UnreadAnswers()
  const http = createHttpApp({
    config,
    log,
    clock: systemClock,
    metrics,
    unreadAnswers,
    isStarted: () => true,
    isCommitting: () => true,
  })
  const realtime = createRealtime({
    unreadAnswers,
    config,
    operations,
    gate: await createGraphqlHttp(operations, log),
    sources: [source, broken],
    authenticator,
    database,
    dispatcher,
    clock: systemClock,
    log,
    metrics,
    limits: options.limits,
  })
  realtime.attach(http.fastify.server, http.rate)
  await http.fastify.listen({ port: 0, host: '127.0.0.1' })
  const { port } = http.fastify.server.address() as AddressInfo
  return {
    url: `ws://127.0.0.1:${port}/graphql`,
    database,
    dispatcher,
    realtime,
    rules,
    presence,
    counts,
    hold,
    ended,
    expiries,
    increment,
    async close() {
      await realtime.drain()
      await http.fastify.close()
      dispatcher.stop()
      await database.close()
      await made?.drop()
    },
  }
}

/** `Bearer <user>` speaks for anybody. */
function authenticatorOf(ended: ReadonlySet<string>, expiries: ReadonlyMap<string, Date>): Authenticator {
  return {
    async authenticate(authorization) {
      if (!authorization) return null
      const match = /^Bearer (\w+)$/.exec(authorization)
      if (!match) throw new Unauthenticated('invalid token')
      const [, user = ''] = match
      if (user === 'expired') throw new TokenExpired()
      const expiresAt = expiries.get(user)
      return {
        kind: 'user',
        user,
        key: `user:${user}`,
        role: 'agent',
        isBot: false,
        displayName: user,
        avatar: null,
        email: `${user}@example.com`,
        organization: 'o',
        path: ['o'],
        scopes: new Set(scopesOfRole('agent')),
        ...(expiresAt && { expiresAt }),
      } satisfies Caller
    },
    noteUse: () => undefined,
    findEnded: async (connections) =>
      new Set(connections.filter(({ caller }) => caller.kind === 'user' && ended.has(caller.user))),
  }
}
