import type { Redis } from 'ioredis'
import type { Logger } from 'pino'
import type { AccessChanges } from './access/access-changes.js'
import type { Authenticator } from './access/authenticator.js'
import { AuthResolver } from './auth/auth-resolver.js'
import { createCredentials } from './auth/credentials.js'
import { createInvitationMailer } from './auth/invitation-mail.js'
import { Invitations } from './auth/invitations.js'
import { createLoginThrottle } from './auth/login-throttle.js'
import type { PasswordHasher } from './auth/passwords.js'
import { serverSecret } from './auth/server-secret.js'
import type { TokenSigner } from './auth/tokens.js'
import { ChannelMembersResolver, ChannelsResolver } from './channels/channels-resolver.js'
import type { Config } from './config.js'
import { ContactsResolver } from './contacts/contacts-resolver.js'
import type { Clock } from './db/clock.js'
import type { Database } from './db/database.js'
import type { Dispatcher } from './events/dispatcher.js'
import type { Transact } from './events/transact.js'
import type { JobRunner } from './jobs/job-runner.js'
import { OrganizationGroupsResolver } from './organizations/organization-groups-resolver.js'
import { OrganizationsResolver } from './organizations/organizations-resolver.js'
import type { Presence } from './presence/presence.js'
import { ServicesResolver } from './services/services-resolver.js'
import { USER_INVITE } from './users/user-jobs.js'
import { UserOrganizationsResolver, UsersResolver } from './users/users-resolver.js'
import { RuleEngines } from './workflows/evaluation.js'
import { WorkflowCache } from './workflows/workflow-cache.js'
import { WorkflowRulesResolver } from './workflows/workflow-rules-resolver.js'
import { WorkflowsResolver } from './workflows/workflows-resolver.js'

/** What the rooms are built from. */
export interface Ground {
  config: Config
  clock: Clock
  log: Logger
  database: Database
  redis: Redis | undefined
  dispatcher: Dispatcher
  jobs: JobRunner
  transact: Transact
  presence: Presence
  signer: TokenSigner
  authenticator: Authenticator & AccessChanges
  hasher: PasswordHasher
  wakeJobs: () => void
}

export interface Domain {
  /** One instance of each resolver class. */
  resolvers: object[]
}

/** Builds the rooms' resolvers by hand and registers their jobs. */
export async function createDomain(ground: Ground): Promise<Domain> {
  const { clock, config, database, hasher, jobs, log, redis, signer, transact } = ground
  const accessChanges = ground.authenticator
  const invitations = new Invitations({ sql: database, secret: await serverSecret(database, 'invitations'), clock })
  const { smtpUrl, mailFrom, publicUrl } = config
  jobs.register(USER_INVITE, createInvitationMailer({ invitations, log, smtpUrl, mailFrom, publicUrl }))
  const credentials = createCredentials(hasher, signer)
  const throttle = createLoginThrottle({ redis })
  // TODO(wiring): replaced by the sockets' recheck once realtime is attached.
  const onAccessChange = (_users: string[]): void => undefined
  const engines = new RuleEngines()
  const workflowCache = new WorkflowCache()
  return {
    resolvers: [
      new OrganizationsResolver(transact),
      new OrganizationGroupsResolver(transact),
      new UsersResolver({ transact, credentials, accessChanges }),
      new UserOrganizationsResolver(),
      new AuthResolver({ transact, signer, hasher, throttle, invitations, accessChanges }),
      new ChannelsResolver({ transact, onAccessChange }),
      new ChannelMembersResolver(),
      new ContactsResolver(transact),
      new ServicesResolver(transact),
      new WorkflowsResolver({ transact, cache: workflowCache }),
      new WorkflowRulesResolver({ transact, engines }),
    ],
  }
}
