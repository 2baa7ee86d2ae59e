import type { Logger } from 'pino'
import { AccessChangeListeners } from '../platform/access/access-changes.js'
import { BotBudgets } from '../modules/bots/bot-budgets.js'
import { createAuthenticator } from '../modules/auth/authenticator.js'
import { reasonToHold } from '../modules/contact-centers/held-jobs.js'
import { SealKey } from '../modules/audit/seal-key.js'
import { LinkTokens } from '../modules/auth/link-tokens.js'
import { createPasswordHasher, type PasswordCost, type PasswordHasher } from '../modules/auth/passwords.js'
import { serverSecret } from '../modules/auth/server-secret.js'
import { createTokenSigner, type TokenSigner } from '../modules/auth/tokens.js'
import { SurveyLinks } from '../modules/conversations/surveys/survey-links.js'
import type { Config } from '../platform/config.js'
import { Context } from '../platform/context.js'
import type { Clock } from '../platform/db/clock.js'
import { CommitProbe } from '../platform/db/commit-probe.js'
import { DatabaseClock } from '../platform/db/database-clock.js'
import type { Database } from '../platform/db/database.js'
import { startEmbeddedPostgres } from '../platform/db/embedded-postgres.js'
import { EVERY_TENANT } from '../platform/db/tenancy.js'
import { AccessBroadcast } from '../platform/events/access-broadcast.js'
import { Dispatcher } from '../platform/events/dispatcher.js'
import { HINTS_SECRET, RedisHints, type RedisHintsOptions } from '../platform/events/redis-hints.js'
import { readEpoch } from '../platform/events/streams.js'
import { createTransact, type Transact } from '../platform/events/transact.js'
import { openShares, writeLimits } from '../platform/fairness/shares.js'
import { WritingAccounts } from '../platform/fairness/writing-accounts.js'
import { JobRunner } from '../platform/jobs/job-runner.js'
import { Pulse } from '../platform/jobs/pulse.js'
import { RunnerSessions } from '../platform/jobs/runner-session.js'
import type { Lifecycle } from './lifecycle.js'
import { CenterQuotas } from '../platform/limits/center-quotas.js'
import { GuestLimits } from '../platform/limits/guest-limits.js'
import { UnreadAnswers } from '../platform/limits/unread-answers.js'
import { Metrics } from '../platform/metrics.js'
import { openDatabase } from './open-database.js'
import { Mailer } from '../platform/outbound/mailer.js'
import { Presence } from '../platform/presence/presence.js'
import { closeRedis, connectRedis, type RedisClient } from '../platform/redis.js'
import { openSealer } from '../platform/sealing/open-sealer.js'
import { Sealer } from '../platform/sealing/sealer.js'
import { openWidget, type Widget } from '../modules/touchpoints/web/widget.js'
import { WebhookOutbox } from '../modules/webhooks/record-events.js'

/** Everything that the modules and the transports are built on. */
export interface AppDependencies {
  config: Config
  log: Logger
  metrics: Metrics
  database: Database
  writingAccounts: WritingAccounts
  /** Tells whether the database takes writes. */
  commitProbe: CommitProbe
  clock: Clock
  redis: RedisClient | undefined
  /** Seals secrets at rest. */
  sealer: Sealer
  /** A part of the ids of the installation's events, also in a copy of it. */
  epoch: number
  dispatcher: Dispatcher
  jobs: JobRunner
  sessions: RunnerSessions
  pulse: Pulse
  transact: Transact
  outbox: WebhookOutbox
  wakeJobs: () => void
  presence: Presence
  /** Resolves when the contents of the database are moved: the node must end. */
  fenced: Promise<Error>
  hasher: PasswordHasher
  signer: TokenSigner
  linkTokens: LinkTokens
  /** Signs the links by which consumers rate. */
  surveyLinks: SurveyLinks
  sealKey: SealKey
  authenticator: ReturnType<typeof createAuthenticator>
  accessChanges: AccessChangeListeners
  mailer: Mailer
  guestLimits: GuestLimits
  budgets: BotBudgets
  quotas: CenterQuotas
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
  /** Replaces that of passwords, in tests. */
  passwordCost?: PasswordCost
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
  const events = await openEvents(given, storage)
  accessChanges.add(new AccessBroadcast(events.dispatcher, accessChanges))
  return {
    config,
    log,
    ...storage,
    ...events,
    ...tokens,
    hasher: createPasswordHasher({ observeWait: metrics.waitsOf('sign_ins'), cost: given.passwordCost }),
    accessChanges,
    budgets: new BotBudgets({ sql: database, clock, log }),
    mailer,
    guestLimits: new GuestLimits(config, metrics, storage.quotas, storage.redis),
    unreadAnswers: new UnreadAnswers(),
    widget: openWidget({ sql: database, clock, idleMinutes: config.idleMinutes, isMailSet: mailer.isSet }),
    systemContext: (requestId) => new Context({ ...system, requestId }),
  }
}

type Storage = Pick<
  AppDependencies,
  'metrics' | 'database' | 'writingAccounts' | 'commitProbe' | 'clock' | 'redis' | 'quotas' | 'sealer'
> & { observeTime: DatabaseClock['observe'] | undefined }

async function openStorage({ config, log, lifecycle, ...given }: Given): Promise<Storage> {
  const embedded = config.databaseUrl ? null : await startEmbeddedPostgres({ dataDir: config.dataDir, log })
  if (embedded) lifecycle.onStop(() => embedded.stop())
  const metrics = new Metrics()
  const writingAccounts = new WritingAccounts()
  const database = await openDatabase(config, embedded, log, metrics, writingAccounts)
  lifecycle.onStop(() => database.close())
  metrics.watchPool(database.pool)
  const databaseClock = given.clock ? null : await DatabaseClock.start({ sql: database, log, metrics })
  lifecycle.onStop(() => databaseClock?.stop())
  const commitProbe = new CommitProbe({ sql: database, log, metrics, onSilence: () => void database.lookElsewhere() })
  commitProbe.start()
  lifecycle.onStop(() => commitProbe.stop())
  const sealer = await openSealer(database, config.secretsKeys, log)
  const redis = config.redisUrl ? connectRedis(config.redisUrl, log, metrics) : undefined
  if (redis) lifecycle.onStop(() => closeRedis(redis))
  const quotas = new CenterQuotas(database)
  const observeTime = databaseClock?.observe.bind(databaseClock)
  return {
    observeTime,
    metrics,
    database,
    writingAccounts,
    commitProbe,
    clock: given.clock ?? databaseClock!,
    redis,
    quotas,
    sealer,
  }
}

async function openTokens(
  { publicUrl, operatorToken }: Config,
  { clock, database, sealer }: Storage,
): Promise<Pick<AppDependencies, 'signer' | 'linkTokens' | 'surveyLinks' | 'sealKey' | 'authenticator'>> {
  const time = { now: () => clock.now(), newId: () => clock.newId() }
  const secret = await serverSecret(database, sealer, 'tokens')
  const signer = createTokenSigner({ secret, issuer: TOKEN_ISSUER, ...time })
  const linkSecret = await serverSecret(database, sealer, 'links')
  return {
    signer,
    linkTokens: new LinkTokens({ secret: linkSecret, issuer: publicUrl, ...time }),
    surveyLinks: new SurveyLinks(await serverSecret(database, sealer, 'surveys'), publicUrl, time.now),
    sealKey: await SealKey.open(database, sealer),
    authenticator: createAuthenticator({ sql: database, signer, clock, operatorToken }),
  }
}

/** Hints have a key of their own. */
async function openHints(
  url: string,
  { clock, database, sealer, ...given }: Storage & Omit<RedisHintsOptions, 'url' | 'sealer' | 'now'>,
): Promise<RedisHints> {
  const key = Buffer.from(await serverSecret(database, sealer, HINTS_SECRET))
  const { nodeId, log } = given
  return new RedisHints({ url, nodeId, log, sealer: new Sealer([key]), now: () => clock.now() })
}

type Events = Pick<
  AppDependencies,
  'epoch' | 'dispatcher' | 'jobs' | 'sessions' | 'pulse' | 'transact' | 'outbox' | 'wakeJobs' | 'presence' | 'fenced'
>

async function openEvents({ config, log, lifecycle }: Given, storage: Storage): Promise<Events> {
  const { clock, database, metrics } = storage
  const nodeId = clock.newId()
  const fenced = Promise.withResolvers<Error>()
  const epoch = await readEpoch(database)
  const hints = config.redisUrl ? await openHints(config.redisUrl, { nodeId, log, ...storage }) : undefined
  if (hints) lifecycle.onStop(() => hints.close())
  const dispatcher = new Dispatcher({ sql: database, log, hints, observeLate: () => metrics.lateHints.inc() })
  const sessions = new RunnerSessions(database)
  // Closing it releases the runners' leases to other nodes.
  lifecycle.onStop(() => sessions.close())
  const pulse = new Pulse({ sessions, clock, log, observeTime: storage.observeTime })
  const observeLateness = (ms: number, kind: string): void => metrics.jobLateness.observe({ kind }, ms / 1_000)
  const jobs = new JobRunner({
    ...{ sql: database.asyncCommit, sessions, pulse, clock, log, observeLateness },
    holds: (job) => reasonToHold(database, storage.quotas, job),
  })
  const wakeJobs = (): void => jobs.wake()
  const outbox = new WebhookOutbox({ epoch, now: () => clock.now() })
  const shares = openShares('transactions', writeLimits(config.poolSize - config.readPoolSize), metrics)
  return {
    epoch,
    dispatcher,
    sessions,
    pulse,
    jobs,
    wakeJobs,
    outbox,
    transact: createTransact({ database, dispatcher, outbox, shares, wakeJobs }),
    presence: new Presence({ database, clock, log, nodeId, onFenced: fenced.resolve }),
    fenced: fenced.promise,
  }
}
