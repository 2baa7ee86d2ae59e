import type { AccessChanges } from '../../platform/access/access-changes.js'
import type { Clock } from '../../platform/db/clock.js'
import type { Database } from '../../platform/db/database.js'
import type { Transact } from '../../platform/events/transact.js'
import type { JobRunner } from '../../platform/jobs/job-runner.js'
import type { Logger } from 'pino'
import type { Module } from '../../platform/module.js'
import type { Mailer } from '../../platform/outbound/mailer.js'
import type { RedisClient } from '../../platform/redis.js'
import type { Sealer } from '../../platform/sealing/sealer.js'
import type { Credentials } from '../users/credentials.js'
import { removeEndedToken } from '../users/api-token-uses.js'
import { API_TOKEN_ENDS, USER_INVITE } from '../users/user-jobs.js'
import { AuthResolver } from './auth-resolver.js'
import { BrowserSessions } from './browser-session.js'
import { createCredentials } from './credentials.js'
import { pruneEnrolments } from './enrol-factors.js'
import type { FourEyesGuard } from '../four-eyes/four-eyes-guard.js'
import { FactorsResolver } from './factors-resolver.js'
import { createLoginThrottle } from './login-throttle.js'
import { pruneChallenges } from './passkeys/passkey-challenges.js'
import { PasskeyPace } from './passkeys/passkey-pace.js'
import { Passkeys } from './passkeys/passkeys.js'
import { PasskeysResolver } from './passkeys/passkeys-resolver.js'
import { PasswordLinks } from './password-links.js'
import type { RequireVoice } from './guest-tokens.js'
import { createInvitationMailer, createResetMailer, PASSWORD_RESET } from './password-mail.js'
import type { PasswordHasher } from './passwords.js'
import { SecondFactors } from './second-factors.js'
import { SessionsResolver } from './sessions-resolver.js'
import { ResetThrottle } from './reset-throttle.js'
import { serverSecret } from './server-secret.js'
import { pruneTokens } from './token-families.js'
import type { TokenSigner } from './tokens.js'

export interface AuthDependencies {
  config: { publicUrl: string }
  clock: Clock
  log: Logger
  database: Database
  redis: RedisClient | undefined
  jobs: JobRunner
  transact: Transact
  mailer: Mailer
  hasher: PasswordHasher
  sealer: Sealer
  signer: TokenSigner
  accessChanges: AccessChanges
  requireVoice: RequireVoice
  fourEyes: FourEyesGuard
}

export interface AuthModule extends Module {
  /** Links by which invited users choose a password. */
  links: PasswordLinks
  /** Checks and creates users' credentials. */
  credentials: Credentials
  /** Signs in pages served by the server itself. */
  browserSessions: BrowserSessions
}

/** Builds sign-in, sessions, invitations and resets, and registers the jobs that mail links. */
export async function openAuthModule(dependencies: AuthDependencies): Promise<AuthModule> {
  const { accessChanges, clock, config, database, hasher, jobs, log, mailer, redis, sealer, signer, transact } =
    dependencies
  const { requireVoice, fourEyes } = dependencies
  const secret = await serverSecret(database, sealer, 'invitations')
  const storeSecret = await serverSecret(database, sealer, 'browser-store')
  const links = new PasswordLinks({ sql: database, secret, clock, publicUrl: config.publicUrl })
  jobs.register(USER_INVITE, createInvitationMailer({ links, log, mailer }))
  jobs.register(API_TOKEN_ENDS, {
    async handler({ payload: { token } }) {
      for (const guest of await removeEndedToken(database, token, clock.now())) accessChanges.userChanged(guest)
    },
  })
  jobs.register(PASSWORD_RESET, createResetMailer({ links, log, mailer }))
  const throttle = createLoginThrottle({ redis })
  const passkeys = new Passkeys({ publicUrl: config.publicUrl, pace: new PasskeyPace(redis) })
  const factors = new SecondFactors({
    passkeys,
    sealer,
    throttle,
    secret: await serverSecret(database, sealer, 'recovery-codes'),
    issuer: new URL(config.publicUrl).hostname,
  })
  const credentials = createCredentials({ hasher, signer, throttle })
  const signIn = { transact, signer, hasher, throttle, links, accessChanges, factors, passkeys }
  const resetThrottle = new ResetThrottle({ redis })
  return {
    links,
    credentials,
    browserSessions: new BrowserSessions({ ...signIn, storeSecret }),
    resolvers: [
      new AuthResolver({ ...signIn, requireVoice, resetThrottle, isMailSet: mailer.isSet }),
      new SessionsResolver({ accessChanges }),
      new FactorsResolver({ transact, accessChanges, credentials, factors, passkeys }, fourEyes),
      new PasskeysResolver({ ...signIn, credentials }),
    ],
    maintenance: [
      { name: 'tokens', run: pruneTokens },
      { name: 'enrolments', run: pruneEnrolments },
      { name: 'passkeyChallenges', run: pruneChallenges },
    ],
  }
}
