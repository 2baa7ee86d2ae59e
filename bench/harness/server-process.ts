import pg from 'pg'
import pino from 'pino'
import { AssignmentCache } from '../../src/modules/channels/assignment-cache.js'
import { readConfig } from '../../src/platform/config.js'
import { Context } from '../../src/platform/context.js'
import { systemClock } from '../../src/platform/db/clock.js'
import { OfferChanges } from '../../src/modules/conversations/state/offer-changes.js'
import { createServer, type Server } from '../../src/app/server.js'
import { scopesOfRole, type Role } from '../../src/platform/access/scopes.js'
import { bypassApollo } from './bypass-apollo.js'
import { LoopBlock } from './loop-block.js'
import { runConcurrently, type LoadResult } from './load.js'
import { cpuMicros, serve } from './processes.js'
import type { SeededUser } from './seed.js'
import { OPERATOR_TOKEN } from './server-settings.js'

let server: Server | undefined
let loopBlock: LoopBlock | undefined
const log = pino({ level: process.env.LOG_LEVEL ?? 'info' }, pino.destination({ dest: '/dev/null', sync: true }))

/** The whole product as `main.ts` starts it, in a process of its own; logs are written and thrown away. */
serve({
  async start({
    databaseUrl,
    redisUrl,
    settings,
  }: {
    databaseUrl: string
    redisUrl?: string
    settings?: Record<string, string>
  }): Promise<{ url: string }> {
    const config = readConfig({
      PORT: '0',
      HOST: '127.0.0.1',
      DATABASE_URL: databaseUrl,
      REDIS_URL: redisUrl,
      ADMIN_EMAIL: 'owner@example.com',
      ADMIN_PASSWORD: 'correct horse battery',
      OPERATOR_TOKEN,
      // The limits count every request, and let the load pass.
      RATE_LIMIT_PER_SECOND: '1000000',
      GRAPHQL_COST_PER_MINUTE: '1000000000',
      WEBHOOK_ALLOW_PRIVATE: 'true',
      // Attackers have many addresses.
      TRUST_PROXY: '1',
      ...settings,
    })
    server = await createServer(config, { log })
    return { url: server.url }
  },

  async tokens(users: SeededUser[]): Promise<string[]> {
    return Promise.all(users.map((user) => tokenFor(server!, user)))
  },

  async cpu(): Promise<number> {
    return cpuMicros()
  },

  async memory(): Promise<number> {
    return process.memoryUsage().rss
  },

  /** Returns the longest block of the event loop since this was asked last, in milliseconds of CPU. */
  async longestBlock(): Promise<number> {
    loopBlock ??= new LoopBlock()
    return loopBlock.take()
  },

  /** Returns the number of statements sent to PostgreSQL so far; counts from when it is asked first. */
  async statements(): Promise<number> {
    countStatements()
    return statements
  },

  /** Passes over what notices offers and wakes the matcher, from now on. */
  async bypassOffers(isBypassed: boolean): Promise<void> {
    bypassOffers(isBypassed)
  },

  /** Executes operations without Apollo Server's request pipeline and plugins, from now on. */
  async bypassApollo(isBypassed: boolean): Promise<void> {
    bypassApollo(isBypassed)
  },

  /**
   * Bytes of the heap after a collection that gives its free pages back; the process needs `--expose-gc`. An ordinary one keeps
   * them for the next burst, as many as the largest one needed: the process then seems to grow by them.
   */
  async heap(): Promise<number> {
    globalThis.gc!({ execution: 'sync', type: 'major', flavor: 'last-resort' })
    return process.memoryUsage().heapUsed
  },

  /** Runs an operation in process, as REST does: without HTTP and JSON. */
  async runInProcess(load: {
    query: string
    variables: Record<string, unknown>[]
    tokens: string[]
    concurrency: number
    ms: number
  }): Promise<LoadResult> {
    const { operations, database, authenticator } = server!
    const callers = await Promise.all(load.tokens.map((token) => authenticator.authenticate(`Bearer ${token}`)))
    return runConcurrently(load.concurrency, load.ms, async (turn) => {
      const ctx = new Context({
        database,
        clock: systemClock,
        log,
        caller: callers[turn % callers.length]!,
        requestId: systemClock.newId(),
        address: '127.0.0.1',
      })
      const variables = load.variables[turn % load.variables.length]!
      const { errors } = await operations.respond(ctx, { query: load.query, variables })
      if (errors) throw new Error(JSON.stringify(errors))
    })
  },

  async close(): Promise<void> {
    await server?.close()
  },
})

async function tokenFor({ database, signer }: Server, user: SeededUser): Promise<string> {
  const family = systemClock.newId()
  await database.query(
    `insert into token_family (id, user_id, created_at, expires_at) values ($1, $2, now(), now() + interval '1 day')`,
    [family, user.id],
  )
  const scopes = scopesOfRole(user.role as Role)
  return (await signer.signAccess({ user: user.id, organization: user.organization, scopes, family })).token
}

let statements = 0
let isCounting = false

function countStatements(): void {
  if (isCounting) return
  isCounting = true
  const { query } = pg.Client.prototype
  pg.Client.prototype.query = function (this: pg.Client, ...given: unknown[]) {
    statements++
    return Reflect.apply(query, this, given) as never
  }
}

const { settle } = OfferChanges.prototype
const { holdsAccepts, offering } = AssignmentCache.prototype
const NONE: ReadonlySet<string> = new Set()

function bypassOffers(isBypassed: boolean): void {
  OfferChanges.prototype.settle = isBypassed ? () => undefined : settle
  AssignmentCache.prototype.holdsAccepts = isBypassed ? () => Promise.resolve(false) : holdsAccepts
  AssignmentCache.prototype.offering = isBypassed ? () => Promise.resolve(NONE) : offering
}
