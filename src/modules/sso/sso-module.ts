import type { AccessChanges } from '../../platform/access/access-changes.js'
import type { Logger } from 'pino'
import type { Config } from '../../platform/config.js'
import type { Context } from '../../platform/context.js'
import type { Clock } from '../../platform/db/clock.js'
import type { Database } from '../../platform/db/database.js'
import type { Transact } from '../../platform/events/transact.js'
import type { JobRunner } from '../../platform/jobs/job-runner.js'
import { sharedLimiter } from '../../platform/limits/shared-limiter.js'
import type { Module } from '../../platform/module.js'
import { DnsTexts } from '../../platform/outbound/dns-texts.js'
import { OutboundHttp } from '../../platform/outbound/outbound-http.js'
import type { RedisClient } from '../../platform/redis.js'
import type { Sealer } from '../../platform/sealing/sealer.js'
import type { BrowserSessions } from '../auth/browser-session.js'
import { serverSecret } from '../auth/server-secret.js'
import type { TokenSigner } from '../auth/tokens.js'
import type { ServiceKind } from '../services/service-kinds.js'
import type { Credentials } from '../users/credentials.js'
import { Attempts, pruneAttempts } from './attempts.js'
import { checkingDomains, DOMAIN_CHECK, domainCheck } from './domains/check-domains.js'
import { DomainProof } from './domains/domain-proof.js'
import { LOOKS_PER_HOUR } from './domains/domain-writes.js'
import { DomainsResolver } from './domains/domains-resolver.js'
import { QUESTIONS_PER_MINUTE } from './domains/sign-in-methods.js'
import { OIDC } from './oidc-params.js'
import { OidcKind } from './oidc-kind.js'
import { ProviderLogouts } from './provider-logouts.js'
import { ProviderSignIns } from './provider-sign-ins.js'
import type { FourEyesGuard } from '../four-eyes/four-eyes-guard.js'
import { Providers } from './providers.js'
import { SamlKind } from './saml-kind.js'
import { SAML } from './saml-params.js'
import { SsoResolver } from './sso-resolver.js'

export interface SsoDependencies {
  config: Pick<Config, 'publicUrl' | 'webhookAllowPrivate' | 'dnsServers'>
  clock: Clock
  database: Database
  jobs: JobRunner
  log: Logger
  systemContext: (requestId: string) => Context
  redis: RedisClient | undefined
  sealer: Sealer
  signer: TokenSigner
  transact: Transact
  accessChanges: AccessChanges
  credentials: Credentials
  browserSessions: BrowserSessions
  fourEyes: FourEyesGuard
}

export interface SsoModule extends Module {
  kinds: readonly (readonly [string, ServiceKind])[]
  /** Sign-ins by providers, for the routes of browsers. */
  signIns: ProviderSignIns
  providers: Providers
  /** Sign-outs of which providers tell. */
  logouts: ProviderLogouts
}

/** Builds sign-in by providers (OpenID Connect, SAML). */
export async function openSsoModule(dependencies: SsoDependencies): Promise<SsoModule> {
  const { accessChanges, browserSessions: sessions, clock, config, credentials, database: sql } = dependencies
  const { jobs, log, redis, sealer, signer, systemContext, transact } = dependencies
  const { dnsServers, publicUrl, webhookAllowPrivate: allowPrivate } = config
  const http = new OutboundHttp({ allowPrivate, userAgent: 'Switchboard-Sign-In/1', keepAlive: false })
  const providers = new Providers({ sql, sealer, http, allowPrivate })
  const attempts = new Attempts(await serverSecret(sql, sealer, 'sign-in-attempts'))
  const proof = new DomainProof(await serverSecret(sql, sealer, 'domains'))
  const dns = new DnsTexts(dnsServers)
  jobs.register(DOMAIN_CHECK, domainCheck({ transact, systemContext, proof, dns, log }))
  const looks = sharedLimiter({ keyPrefix: 'domain-look', points: LOOKS_PER_HOUR, duration: 3_600 }, redis)
  const questions = sharedLimiter({ keyPrefix: 'sign-in-methods', points: QUESTIONS_PER_MINUTE, duration: 60 }, redis)
  const shared = { transact, accessChanges, providers, attempts, publicUrl }
  return {
    providers,
    kinds: [
      [OIDC, new OidcKind({ ...shared, allowPrivate })],
      [SAML, new SamlKind({ ...shared, http, allowPrivate })],
    ],
    signIns: new ProviderSignIns({ ...shared, signer, sessions, redis }),
    logouts: new ProviderLogouts({ providers, accessChanges, clock, redis }),
    resolvers: [
      new SsoResolver({ ...shared, credentials }),
      new DomainsResolver({ transact, proof, dns, looks, questions, publicUrl }, dependencies.fourEyes),
    ],
    maintenance: [{ name: 'sign-in attempts', run: pruneAttempts }, checkingDomains(clock)],
    stop: () => http.close(),
  }
}
