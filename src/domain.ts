import type { Logger } from 'pino'
import type { AccessChanges } from './access/access-changes.js'
import { ArticlesResolver } from './articles/articles-resolver.js'
import { registerAttachmentJobs } from './attachments/attachment-jobs.js'
import { AttachmentsResolver } from './attachments/attachments-resolver.js'
import { openAttachmentsRoom, type AttachmentsRoom } from './attachments/attachments-room.js'
import { AuthResolver } from './auth/auth-resolver.js'
import { createCredentials } from './auth/credentials.js'
import { createInvitationMailer } from './auth/invitation-mail.js'
import { Invitations } from './auth/invitations.js'
import type { LinkTokens } from './auth/link-tokens.js'
import { createLoginThrottle } from './auth/login-throttle.js'
import type { PasswordHasher } from './auth/passwords.js'
import { serverSecret } from './auth/server-secret.js'
import type { TokenSigner } from './auth/tokens.js'
import { ChannelMembersResolver, ChannelsResolver } from './channels/channels-resolver.js'
import type { Config } from './config.js'
import { ContactsResolver } from './contacts/contacts-resolver.js'
import { CONTACT_FILL, createContactFiller } from './contacts/fill-contact.js'
import { Context } from './context.js'
import { ActionsResolver } from './conversations/actions-resolver.js'
import { CommandsResolver } from './conversations/commands-resolver.js'
import { ContactPresencesResolver } from './conversations/contact-presences-resolver.js'
import { registerConversationJobs } from './conversations/conversation-jobs.js'
import { ConversationWriter } from './conversations/conversation-writer.js'
import { ConversationsResolver, ParticipantsResolver } from './conversations/conversations-resolver.js'
import { ConversationSource } from './conversations/live/conversation-source.js'
import { InboxSource } from './conversations/live/inbox-source.js'
import { LiveResolver } from './conversations/live/live-resolver.js'
import { QueueSource } from './conversations/live/queue-source.js'
import { MessageAddressResolver } from './conversations/message-address-resolver.js'
import { MessageAttachmentsResolver } from './conversations/message-attachments-resolver.js'
import { GuestArrivals } from './conversations/delivery/guest-progress.js'
import { DeliveriesResolver, MessageDeliveriesResolver } from './conversations/message-deliveries-resolver.js'
import { MessagesResolver } from './conversations/messages-resolver.js'
import { createResultsMailer, RESULTS_MAIL } from './conversations/results-mail.js'
import { Router } from './conversations/router.js'
import type { SendDependencies } from './conversations/send-message.js'
import type { Clock } from './db/clock.js'
import type { Database } from './db/database.js'
import { EVERY_TENANT } from './db/tenancy.js'
import type { Dispatcher } from './events/dispatcher.js'
import type { LiveSource } from './events/live-feed.js'
import type { Transact } from './events/transact.js'
import type { JobRunner } from './jobs/job-runner.js'
import type { RunnerSessions } from './jobs/runner-session.js'
import { FilesResolver } from './files/files-resolver.js'
import { CategoryFormsResolver, FormsResolver } from './forms/forms-resolver.js'
import { LocationsResolver } from './locations/locations-resolver.js'
import type { Metrics } from './metrics.js'
import { OrganizationGroupsResolver } from './organizations/organization-groups-resolver.js'
import { OrganizationsResolver } from './organizations/organizations-resolver.js'
import type { Mailer } from './outbound/mailer.js'
import type { Presence } from './presence/presence.js'
import type { RedisClient } from './redis.js'
import type { ServiceKind, ServiceKinds } from './services/service-kinds.js'
import { SearchResolver } from './search/search-resolver.js'
import { ServicesResolver } from './services/services-resolver.js'
import { SmsResolver } from './touchpoints/sms/sms-resolver.js'
import { openTouchpoints, type Install, type TouchpointsRoom } from './touchpoints/touchpoints-room.js'
import { USER_INVITE } from './users/user-jobs.js'
import { UserOrganizationsResolver, UsersResolver } from './users/users-resolver.js'
import { RuleEngines } from './workflows/evaluation.js'
import { WorkflowCache } from './workflows/workflow-cache.js'
import { createWebhooks } from './webhooks/webhooks-room.js'
import type { DeliveryRunner } from './webhooks/delivery-runner.js'
import type { WebhookOutbox } from './webhooks/record-events.js'
import { WebhookKind } from './webhooks/webhook-kind.js'
import { WEBHOOK } from './webhooks/webhook-params.js'
import { WebhookDeliveriesResolver, WebhooksResolver } from './webhooks/webhooks-resolver.js'
import { WorkflowRulesResolver } from './workflows/workflow-rules-resolver.js'
import { WorkflowsResolver } from './workflows/workflows-resolver.js'

/** What the rooms are built from. */
export interface Ground {
  config: Config
  clock: Clock
  log: Logger
  database: Database
  redis: RedisClient | undefined
  dispatcher: Dispatcher
  jobs: JobRunner
  sessions: RunnerSessions
  transact: Transact
  outbox: WebhookOutbox
  mailer: Mailer
  /** Of the database's history. */
  epoch: number
  presence: Presence
  signer: TokenSigner
  linkTokens: LinkTokens
  accessChanges: AccessChanges
  hasher: PasswordHasher
  wakeJobs: () => void
  metrics: Metrics
  /** In the place of the installed touchpoints. */
  touchpoints: Readonly<Record<string, Install>> | undefined
}

export interface Domain {
  /** One instance of each resolver class. */
  resolvers: object[]
  /** What the live subscriptions hear. */
  sources: LiveSource[]
  /** Delivers to webhooks, once started. */
  deliveries: DeliveryRunner
  /** For the routes that carry bytes. */
  attachments: AttachmentsRoom
  /** Marks what guests received; to be stopped. */
  arrivals: GuestArrivals
  /** What providers call, and what listens beside. */
  touchpoints: TouchpointsRoom
}

/** Builds the rooms' resolvers by hand and registers their jobs. */
export async function createDomain(ground: Ground): Promise<Domain> {
  const { accessChanges, clock, config, database, hasher, jobs, log, mailer, redis, signer, transact } = ground
  const invitations = new Invitations({ sql: database, secret: await serverSecret(database, 'invitations'), clock })
  const { publicUrl } = config
  jobs.register(USER_INVITE, createInvitationMailer({ invitations, log, mailer, publicUrl }))
  const attachmentSecret = await serverSecret(database, 'attachments')
  const attachments = await openAttachmentsRoom({ config, clock, log, secret: attachmentSecret })
  registerAttachmentJobs({ jobs, sql: database, store: attachments.store })
  const credentials = createCredentials(hasher, signer)
  const throttle = createLoginThrottle({ redis })
  const engines = new RuleEngines()
  const workflowCache = new WorkflowCache()
  const conversations = createConversationsRoom(ground, new Router({ engines, workflows: workflowCache, clock }))
  const systemContext = systemContexts(ground)
  const touchpointsGround = { ...ground, ...conversations.send, attachments, systemContext }
  const touchpoints = await openTouchpoints(touchpointsGround, ground.touchpoints)
  const webhooks = createWebhooksRoom(ground, conversations.send, touchpoints.kinds)
  return {
    attachments,
    arrivals: conversations.arrivals,
    touchpoints,
    deliveries: webhooks.deliveries,
    sources: conversations.sources,
    resolvers: [
      new OrganizationsResolver(transact),
      new OrganizationGroupsResolver(transact),
      new UsersResolver({ transact, credentials, accessChanges }),
      new UserOrganizationsResolver(),
      new AuthResolver({ transact, signer, hasher, throttle, invitations, accessChanges }),
      new ChannelsResolver({ transact, onAccessChange: (users) => users.forEach((user) => accessChanges.userChanged(user)) }),
      new ChannelMembersResolver(),
      new ContactsResolver(transact),
      new ServicesResolver({ transact, kinds: webhooks.kinds }),
      new FormsResolver(transact),
      new CategoryFormsResolver(),
      new ArticlesResolver(transact),
      new LocationsResolver(transact),
      new AttachmentsResolver({ transact, links: attachments.links }),
      new FilesResolver({ transact, links: attachments.links }),
      new WorkflowsResolver({ transact, cache: workflowCache }),
      new WorkflowRulesResolver({ transact, engines }),
      ...conversations.resolvers,
      ...touchpoints.resolvers,
      new SearchResolver(),
      new SmsResolver(),
      ...webhooks.resolvers,
    ],
  }
}

function createConversationsRoom(
  ground: Ground,
  router: Router,
): Pick<Domain, 'arrivals' | 'resolvers' | 'sources'> & { send: SendDependencies } {
  const { clock, config, database, dispatcher, jobs, linkTokens, log, mailer, outbox, presence, transact } = ground
  const { metrics, wakeJobs } = ground
  const observeQueueWait = (ms: number): void => metrics.queueWait.observe(ms / 1_000)
  const writer = new ConversationWriter({ database, dispatcher, outbox, clock, log, wakeJobs, observeQueueWait })
  const systemContext = systemContexts(ground)
  registerConversationJobs({ jobs, systemContext, writer, router, publicUrl: config.publicUrl })
  const { publicUrl } = config
  jobs.register(RESULTS_MAIL, createResultsMailer({ sql: database, log, mailer, publicUrl }))
  jobs.register(CONTACT_FILL, createContactFiller(transact, systemContext))
  const arrivals = new GuestArrivals({ writer, log, systemContext })
  return {
    arrivals,
    send: { writer, router },
    sources: [new QueueSource({ presence, writer, log }), new InboxSource(), new ConversationSource({ presence, arrivals })],
    resolvers: [
      new ConversationsResolver({ writer, router, arrivals, publicUrl: config.publicUrl }),
      new ParticipantsResolver(),
      new MessagesResolver({ writer, router }),
      new MessageAddressResolver({ publicUrl }),
      new MessageAttachmentsResolver(),
      new MessageDeliveriesResolver(),
      new ContactPresencesResolver(),
      new DeliveriesResolver({ writer }),
      new CommandsResolver({ writer, router }),
      new ActionsResolver({ writer, router, linkTokens, linkOrigins: config.linkOrigins }),
      new LiveResolver({ dispatcher, writer }),
    ],
  }
}

function createWebhooksRoom(
  ground: Ground,
  send: SendDependencies,
  otherKinds: readonly (readonly [string, ServiceKind])[],
): Pick<Domain, 'resolvers' | 'deliveries'> & { kinds: ServiceKinds } {
  const { config, transact } = ground
  const { publicUrl, webhookAllowPrivate: allowPrivate } = config
  const systemContext = systemContexts(ground)
  const deliveries = createWebhooks({ ...ground, send, systemContext, publicUrl, allowPrivate })
  const kinds: ServiceKinds = new Map([[WEBHOOK, new WebhookKind()], ...otherKinds])
  const wake = (): void => deliveries.wake()
  const resolvers = [new WebhooksResolver({ transact, kinds, wake }), new WebhookDeliveriesResolver()]
  return { deliveries, kinds, resolvers }
}

/** Contexts that see every tenant, for what is done without a request. */
function systemContexts({ database, clock, log }: Ground): (requestId: string) => Context {
  const system = { database, clock, log, caller: null, tenant: EVERY_TENANT, address: null }
  return (requestId) => new Context({ ...system, requestId })
}
