import type { FastifyReply } from 'fastify'
import type { AddressInfo } from 'node:net'
import pino, { type Logger } from 'pino'
import { BYTE_ENDPOINTS } from '../rest-compat/byte-endpoints.js'
import { countRequest } from '../rest-compat/count-request.js'
import { registerRestCompat } from '../rest-compat/register.js'
import type { AccessChanges } from './access/access-changes.js'
import type { Authenticator } from './access/authenticator.js'
import { addAttachmentRoutes } from './attachments/attachment-routes.js'
import { createAuthenticator } from './auth/authenticator.js'
import { LinkTokens } from './auth/link-tokens.js'
import { createPasswordHasher, type PasswordHasher } from './auth/passwords.js'
import { serverSecret } from './auth/server-secret.js'
import { createTokenSigner, type TokenSigner } from './auth/tokens.js'
import type { Config } from './config.js'
import type { Clock } from './db/clock.js'
import type { Database } from './db/database.js'
import { DatabaseClock } from './db/database-clock.js'
import { startEmbeddedPostgres } from './db/embedded-postgres.js'
import { createDomain } from './domain.js'
import { Dispatcher } from './events/dispatcher.js'
import { RedisHints } from './events/redis-hints.js'
import { readEpoch } from './events/streams.js'
import { createTransact } from './events/transact.js'
import { Maintenance } from './maintenance/maintenance.js'
import { createGraphqlHttp } from './graphql/apollo.js'
import { OPERATION_LIMITS, openShares } from './fairness/shares.js'
import { Documents } from './graphql/documents.js'
import { loadBrowserClient } from './graphql/browser-client.js'
import { Operations } from './graphql/operations.js'
import { listenForMetrics } from './http/metrics-access.js'
import { createHttpApp } from './http/app.js'
import { addConsole } from './http/console.js'
import { addGraphqlRoute } from './http/graphql-route.js'
import { addInvitationPage } from './http/invitation-page.js'
import { addKeySetRoute } from './http/key-set-route.js'
import { RequestContexts } from './http/request-context.js'
import { JobCounts } from './jobs/job-counts.js'
import { JobRunner } from './jobs/job-runner.js'
import { RunnerSessions } from './jobs/runner-session.js'
import { CostBudget } from './limits/cost-budget.js'
import { RequestRate } from './limits/request-rate.js'
import { Metrics } from './metrics.js'
import { bootstrap, type FirstOwner } from './organizations/bootstrap.js'
import { openDatabase } from './open-database.js'
import { Mailer } from './outbound/mailer.js'
import { Presence } from './presence/presence.js'
import { createRealtime, type Realtime } from './realtime/realtime.js'
import { closeRedis, connectRedis } from './redis.js'
import { createSchema } from './schema.js'
import { createSearchMaintenance } from './search/search-maintenance.js'
import { addInboundRoutes } from './touchpoints/inbound-routes.js'
import { openWidget } from './touchpoints/web/widget.js'
import type { Install } from './touchpoints/install.js'
import { WebhookOutbox } from './webhooks/record-events.js'
import { listen } from './http/listen.js'
import { createMaintenance } from './maintenance-tasks.js'

/** Replacements for tests. */
export interface Overrides {
  /** Replaces the database's time. */
  clock?: Clock
  log?: Logger
  touchpoints?: Readonly<Record<string, Install>>
}

export interface Server {
  /** Address that it listens at. */
  url: string
  port: number
  database: Database
  signer: TokenSigner
  authenticator: Authenticator & AccessChanges
  jobs: JobRunner
  maintenance: Maintenance
  dispatcher: Dispatcher
  /** Address of the metrics, if they have a separate port. */
  metricsPort: number | undefined
  /** Runs operations in process. */
  operations: Operations
  /** The owner created by a first start; null otherwise. */
  firstOwner: FirstOwner | null
  /** Drains: sockets, requests, jobs, then the database. */
  close(): Promise<void>
}

/** Issuer of bots' tokens, which do not expire: independent of the server's address. */
const TOKEN_ISSUER = 'switchboard'

/** Builds, migrates and starts the whole server; the only place where its parts are assembled. */
export async function createServer(config: Config, overrides: Overrides = {}): Promise<Server> {
  const log = overrides.log ?? pino({ level: config.logLevel })
  const stops: (() => Promise<unknown> | void)[] = []
  const stopAll = async () => {
    for (const stop of stops.toReversed()) await stop()
  }
  try {
    const embedded = config.databaseUrl ? null : await startEmbeddedPostgres({ dataDir: config.dataDir, log })
    if (embedded) stops.push(() => embedded.stop())
    const metrics = new Metrics()
    const database = await openDatabase(config, embedded, log, metrics)
    stops.push(() => database.close())
    const databaseClock = overrides.clock ? null : await DatabaseClock.start({ sql: database, log, metrics })
    stops.push(() => databaseClock?.stop())
    const clock = overrides.clock ?? databaseClock!
    const redis = config.redisUrl ? connectRedis(config.redisUrl, log) : undefined
    if (redis) stops.push(() => closeRedis(redis))

    metrics.watchPool(database.pool)
    const hasher = createPasswordHasher()
    const signer = createTokenSigner({
      secret: await serverSecret(database, 'tokens'),
      issuer: TOKEN_ISSUER,
      now: () => clock.now(),
      newId: () => clock.newId(),
    })
    const linkTokens = new LinkTokens({
      secret: await serverSecret(database, 'links'),
      issuer: config.publicUrl,
      now: () => clock.now(),
      newId: () => clock.newId(),
    })
    const authenticator = createAuthenticator({ sql: database, signer, clock })
    const firstOwner = await makeFirstOwner(config, database, clock, hasher)

    const nodeId = clock.newId()
    const epoch = await readEpoch(database)
    const hints = config.redisUrl ? new RedisHints({ url: config.redisUrl, nodeId, epoch, log }) : undefined
    if (hints) stops.push(() => hints.close())
    const dispatcher = new Dispatcher({ sql: database, log, hints })
    const sessions = new RunnerSessions(database)
    // Closing it releases the runners' leases to other nodes.
    stops.push(() => sessions.close())
    const jobs = new JobRunner({
      sql: database.asyncCommit,
      sessions,
      clock,
      log,
      observeLateness: (ms, kind) => metrics.jobLateness.observe({ kind }, ms / 1_000),
    })
    const jobCounts = new JobCounts({ sql: database, log, metrics })
    const wakeJobs = () => jobs.wake()
    let realtime: Realtime | undefined
    const outbox = new WebhookOutbox({ epoch, now: () => clock.now() })
    const transact = createTransact({ database, dispatcher, outbox, wakeJobs })
    const presence = new Presence({ database, clock, log, nodeId })
    const accessChanges: AccessChanges = {
      userChanged(user) {
        authenticator.userChanged(user)
        realtime?.userChanged(user)
      },
    }
    const { smtpUrl, mailFrom, webhookAllowPrivate: allowPrivate } = config
    const mailer = new Mailer({ smtpUrl, from: mailFrom, allowPrivate })
    stops.push(() => mailer.close())
    const domain = await createDomain({
      config,
      clock,
      log,
      database,
      redis,
      dispatcher,
      jobs,
      sessions,
      transact,
      outbox,
      mailer,
      epoch,
      presence,
      signer,
      linkTokens,
      authenticator,
      accessChanges,
      hasher,
      wakeJobs,
      metrics,
      touchpoints: overrides.touchpoints,
    })

    const schema = await createSchema(domain.resolvers)
    const budget = new CostBudget(config.graphqlCostPerMinute, redis)
    const documents = new Documents(schema)
    metrics.gauge('documents', 'Number of cached GraphQL documents.', () => documents.kept.size)
    metrics.gauge('documents_bytes', 'Estimated memory of cached GraphQL documents.', () => documents.kept.bytes)
    const operations = new Operations({
      schema,
      documents,
      budget,
      expiredTokenStatus: config.expiredTokenStatus,
      shares: openShares('operations', OPERATION_LIMITS, metrics),
    })
    let isStarted = false
    const { guestOrigins, readSettings } = openWidget(database)
    const app = createHttpApp({ config, log, clock, metrics, database, guestOrigins, isStarted: () => isStarted })
    const contexts = new RequestContexts({ authenticator, database, clock, log, publicUrl: config.publicUrl })
    const graphqlHttp = await createGraphqlHttp(operations, log)
    const browserClient = config.graphiql ? await loadBrowserClient() : undefined
    await addGraphqlRoute(app.fastify, { operations, graphqlHttp, contexts, log, browserClient })
    const contextFor: typeof contexts.of = (request, authorization) => contexts.of(request, authorization)
    const rate = new RequestRate(config.rateLimitPerSecond, redis)
    await registerRestCompat(app.fastify, {
      schema,
      operations,
      contextFor,
      rate,
      publicUrl: config.publicUrl,
      extraEndpoints: BYTE_ENDPOINTS,
    })
    await addAttachmentRoutes(app.fastify, {
      ...domain.attachments,
      transact,
      database,
      bodies: app.bodies,
      bytesMax: config.attachmentBytesMax,
      contextFor,
      countRequest: (reply, policy, of) => countRequest(rate, policy, of, reply),
    })
    const { publicUrl } = config
    const { routes } = domain.touchpoints
    await addInboundRoutes(app.fastify, { database, bodies: app.bodies, log, routes, publicUrl })
    addInvitationPage(app.fastify)
    addKeySetRoute(app.fastify, linkTokens)
    const count = (reply: FastifyReply, of: string) => countRequest(rate, 'address', of, reply)
    const pages = { sessions: domain.browserSessions, publicUrl, contextFor, readSettings, countRequest: count }
    await addConsole(app.fastify, pages)
    const live = createRealtime({
      config,
      operations,
      sources: domain.sources,
      authenticator,
      database,
      dispatcher,
      clock,
      log,
      metrics,
      guestOrigins,
    })
    realtime = live

    const maintenance = createMaintenance(config, { database, clock, log })
    await maintenance.start()
    stops.push(() => maintenance.stop())
    const searchMaintenance = createSearchMaintenance({ database, clock, log })
    await searchMaintenance.start()
    stops.push(() => searchMaintenance.stop())
    await presence.start()
    stops.push(() => presence.stop())
    dispatcher.start()
    stops.push(() => dispatcher.stop())
    jobs.start()
    stops.push(() => jobs.stop())
    await jobCounts.start()
    stops.push(() => jobCounts.stop())
    domain.deliveries.start()
    stops.push(() => domain.deliveries.stop())
    stops.push(() => domain.touchpoints.stop())
    await domain.touchpoints.start()
    stops.push(() => domain.receipts.stop())
    live.attach(app.fastify.server)
    const metricsServer = await listenForMetrics(config, metrics, log)
    if (metricsServer) stops.push(() => metricsServer.stop())
    await listen(app.fastify, config)
    isStarted = true
    stops.push(async () => {
      app.beginDrain()
      await live.drain()
      await app.fastify.close()
      await graphqlHttp.stop()
    })
    const { port } = app.fastify.server.address() as AddressInfo
    let closed: Promise<void> | undefined
    return {
      url: `http://127.0.0.1:${port}`,
      port,
      database,
      signer,
      authenticator,
      jobs,
      maintenance,
      dispatcher,
      metricsPort: metricsServer?.port,
      operations,
      firstOwner,
      close: () => (closed ??= stopAll()),
    }
  } catch (error) {
    await stopAll().catch((stopError: unknown) => log.error({ err: stopError }, 'failed to stop after a failed start'))
    throw error
  }
}

function makeFirstOwner(
  { adminEmail, adminPassword }: Config,
  database: Database,
  clock: Clock,
  hasher: PasswordHasher,
): Promise<FirstOwner | null> {
  const hashPassword = (password: string) => hasher.hash(password)
  return bootstrap({ database, clock, hashPassword, adminEmail, adminPassword })
}
