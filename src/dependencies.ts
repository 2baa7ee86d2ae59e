import type { Logger } from 'pino'
import { AccessChangeListeners } from './access/access-changes.js'
import { createAuthenticator } from './auth/authenticator.js'
import { LinkTokens } from './auth/link-tokens.js'
import { createPasswordHasher, type PasswordHasher } from './auth/passwords.js'
import { serverSecret } from './auth/server-secret.js'
import { createTokenSigner, type TokenSigner } from './auth/tokens.js'
import type { Config } from './config.js'
import { Context } from './context.js'
import type { Clock } from './db/clock.js'
import { CommitProbe } from './db/commit-probe.js'
import { DatabaseClock } from './db/database-clock.js'
import type { Database } from './db/database.js'
import { startEmbeddedPostgres } from './db/embedded-postgres.js'
import { EVERY_TENANT } from './db/tenancy.js'
import { Dispatcher } from './events/dispatcher.js'
import { RedisHints } from './events/redis-hints.js'
import { readEpoch } from './events/streams.js'
import { createTransact, type Transact } from './events/transact.js'
import { openShares, writeLimits } from './fairness/shares.js'
import { WritingTenants } from './fairness/writing-tenants.js'
import { JobRunner } from './jobs/job-runner.js'
import { RunnerSessions } from './jobs/runner-session.js'
import type { Lifecycle } from './lifecycle.js'
import { GuestLimits } from './limits/guest-limits.js'
import { UnreadAnswers } from './limits/unread-answers.js'
import { Metrics } from './metrics.js'
import { openDatabase } from './open-database.js'
import { Mailer } from './outbound/mailer.js'
import { Presence } from './presence/presence.js'
import { closeRedis, connectRedis, type RedisClient } from './redis.js'
import { openWidget, type Widget } from './touchpoints/web/widget.js'
import { WebhookOutbox } from './webhooks/record-events.js'

/** What the modules and the transports are built on. */
export interface AppDependencies {
  config: Config
  log: Logger
  metrics: Metrics
  database: Database
  writingTenants: WritingTenants
  /** Tells whether the database takes writes. */
  commitProbe: CommitProbe
  clock: Clock
  redis: RedisClient | undefined
  /** Epoch of the database's history. */
  epoch: number
  dispatcher: Dispatcher
  jobs: JobRunner
  sessions: RunnerSessions
  transact: Transact
  outbox: WebhookOutbox
  wakeJobs: () => void
  presence: Presence
  hasher: PasswordHasher
  signer: TokenSigner
  linkTokens: LinkTokens
  authenticator: ReturnType<typeof createAuthenticator>
  accessChanges: AccessChangeListeners
  mailer: Mailer
  guestLimits: GuestLimits
  /** Answers that clients have not read yet, of both transports. */
  unreadAnswers: UnreadAnswers
  widget: Widget
  /** Creates a context that sees every tenant, for work without a request. */
  systemContext: (requestId: string) => Context
}

interface Given {
  config: Config
  log: Logger
  /** Replaces the database's time. */
  clock?: Clock
  lifecycle: Lifecycle
}

/** Issuer of bots' tokens, which do not expire: independent of the server's address. */
const TOKEN_ISSUER = 'switchboard'

/** Connects to the database and to Redis, migrates, and builds what everything else needs. Nothing runs by itself yet. */
export async function openDependencies(given: Given): Promise<AppDependencies> {
  const { config, log, lifecycle } = given
  const storage = await openStorage(given)
  const { database, clock, metrics } = storage
  const accessChanges = new AccessChangeListeners()
  const tokens = await openTokens(config, storage)
  accessChanges.add(tokens.authenticator)
  const { smtpUrl, mailFrom, webhookAllowPrivate: allowPrivate } = config
  const mailer = new Mailer({ smtpUrl, from: mailFrom, allowPrivate })
  lifecycle.onStop(() => mailer.close())
  const system = { database, clock, log, caller: null, tenant: EVERY_TENANT, address: null }
  return {
    config,
    log,
    ...storage,
    ...(await openEvents(given, storage)),
    ...tokens,
    hasher: createPasswordHasher(),
    accessChanges,
    mailer,
    guestLimits: new GuestLimits(config, metrics, storage.redis),
    unreadAnswers: new UnreadAnswers(),
    widget: openWidget(database),
    systemContext: (requestId) => new Context({ ...system, requestId }),
  }
}

type Storage = Pick<AppDependencies, 'metrics' | 'database' | 'writingTenants' | 'commitProbe' | 'clock' | 'redis'>

async function openStorage({ config, log, lifecycle, ...given }: Given): Promise<Storage> {
  const embedded = config.databaseUrl ? null : await startEmbeddedPostgres({ dataDir: config.dataDir, log })
  if (embedded) lifecycle.onStop(() => embedded.stop())
  const metrics = new Metrics()
  const writingTenants = new WritingTenants()
  const database = await openDatabase(config, embedded, log, metrics, writingTenants)
  lifecycle.onStop(() => database.close())
  metrics.watchPool(database.pool)
  const databaseClock = given.clock ? null : await DatabaseClock.start({ sql: database, log, metrics })
  lifecycle.onStop(() => databaseClock?.stop())
  const commitProbe = new CommitProbe({ sql: database, log, metrics, onSilence: () => void database.lookElsewhere() })
  commitProbe.start()
  lifecycle.onStop(() => commitProbe.stop())
  const redis = config.redisUrl ? connectRedis(config.redisUrl, log) : undefined
  if (redis) lifecycle.onStop(() => closeRedis(redis))
  return { metrics, database, writingTenants, commitProbe, clock: given.clock ?? databaseClock!, redis }
}

async function openTokens(
  { publicUrl }: Config,
  { clock, database }: Storage,
): Promise<Pick<AppDependencies, 'signer' | 'linkTokens' | 'authenticator'>> {
  const time = { now: () => clock.now(), newId: () => clock.newId() }
  const secret = await serverSecret(database, 'tokens')
  const signer = createTokenSigner({ secret, issuer: TOKEN_ISSUER, ...time })
  const linkSecret = await serverSecret(database, 'links')
  return {
    signer,
    linkTokens: new LinkTokens({ secret: linkSecret, issuer: publicUrl, ...time }),
    authenticator: createAuthenticator({ sql: database, signer, clock }),
  }
}

type Events = Pick<
  AppDependencies,
  'epoch' | 'dispatcher' | 'jobs' | 'sessions' | 'transact' | 'outbox' | 'wakeJobs' | 'presence'
>

async function openEvents({ config, log, lifecycle }: Given, storage: Storage): Promise<Events> {
  const { clock, database, metrics } = storage
  const nodeId = clock.newId()
  const epoch = await readEpoch(database)
  const hints = config.redisUrl ? new RedisHints({ url: config.redisUrl, nodeId, epoch, log }) : undefined
  if (hints) lifecycle.onStop(() => hints.close())
  const dispatcher = new Dispatcher({ sql: database, log, hints, observeLate: () => metrics.lateHints.inc() })
  const sessions = new RunnerSessions(database)
  // Closing it releases the runners' leases to other nodes.
  lifecycle.onStop(() => sessions.close())
  const observeLateness = (ms: number, kind: string): void => metrics.jobLateness.observe({ kind }, ms / 1_000)
  const jobs = new JobRunner({ sql: database.asyncCommit, sessions, clock, log, observeLateness })
  const wakeJobs = (): void => jobs.wake()
  const outbox = new WebhookOutbox({ epoch, now: () => clock.now() })
  const shares = openShares('transactions', writeLimits(config.poolSize - config.readPoolSize), metrics)
  return {
    epoch,
    dispatcher,
    sessions,
    jobs,
    wakeJobs,
    outbox,
    transact: createTransact({ database, dispatcher, outbox, shares, wakeJobs }),
    presence: new Presence({ database, clock, log, nodeId }),
  }
}
