import type { Logger } from 'pino'
import type { Authenticator } from './access/authenticator.js'
import type { AccessChanges } from './access/access-changes.js'
import { ArticlesResolver } from './articles/articles-resolver.js'
import { registerAttachmentJobs } from './attachments/attachment-jobs.js'
import { AttachmentsResolver } from './attachments/attachments-resolver.js'
import { openAttachmentsModule, type AttachmentsModule } from './attachments/attachments-module.js'
import { AuthResolver } from './auth/auth-resolver.js'
import { BrowserSessions } from './auth/browser-session.js'
import { createCredentials } from './auth/credentials.js'
import { PasswordLinks } from './auth/password-links.js'
import { createInvitationMailer, createResetMailer, PASSWORD_RESET } from './auth/password-mail.js'
import type { LinkTokens } from './auth/link-tokens.js'
import { createLoginThrottle, createResetThrottle } from './auth/login-throttle.js'
import type { PasswordHasher } from './auth/passwords.js'
import { serverSecret } from './auth/server-secret.js'
import type { TokenSigner } from './auth/tokens.js'
import { ChannelMembersResolver, ChannelsResolver, UserChannelsResolver } from './channels/channels-resolver.js'
import type { Config } from './config.js'
import { ContactAddressResolver, ContactProfileResolver } from './contacts/contact-custom-resolver.js'
import { ContactsResolver } from './contacts/contacts-resolver.js'
import { CONTACT_FILL, createContactFiller } from './contacts/fill-contact.js'
import { Context } from './context.js'
import { ActionsResolver } from './conversations/api/actions-resolver.js'
import { CommandsResolver } from './conversations/api/commands-resolver.js'
import { ContactConversationResolver } from './conversations/api/contact-conversation-resolver.js'
import { ContactPresencesResolver } from './conversations/api/contact-presences-resolver.js'
import { registerConversationJobs } from './conversations/conversation-jobs.js'
import { ConversationWriter } from './conversations/writing/conversation-writer.js'
import { ConversationsResolver, ParticipantsResolver } from './conversations/api/conversations-resolver.js'
import { ConversationSource } from './conversations/live/conversation-source.js'
import { InboxSource, MyConversationsSource } from './conversations/live/inbox-source.js'
import { LiveResolver } from './conversations/live/live-resolver.js'
import { DraftsResolver } from './conversations/live/drafts-resolver.js'
import {
  InboxEntriesResolver,
  NotifiedConversationsResolver,
  QueueEntriesResolver,
} from './conversations/live/entries-resolver.js'
import { QueueSource } from './conversations/live/queue-source.js'
import { MessageAddressResolver } from './conversations/api/message-address-resolver.js'
import { MessageAttachmentsResolver } from './conversations/api/message-attachments-resolver.js'
import { GuestReceipts } from './conversations/delivery/guest-receipts.js'
import { DeliveriesResolver, MessageDeliveriesResolver } from './conversations/api/message-deliveries-resolver.js'
import { MessagesResolver } from './conversations/api/messages-resolver.js'
import { createResultsMailer, RESULTS_MAIL } from './conversations/messages/results-mail.js'
import { ChannelsBack } from './conversations/routing/channels-back.js'
import { Router } from './conversations/routing/router.js'
import type { SendDependencies } from './conversations/sending/send-message.js'
import type { Clock } from './db/clock.js'
import type { Database } from './db/database.js'
import { EVERY_TENANT } from './db/tenancy.js'
import type { Dispatcher } from './events/dispatcher.js'
import type { LiveSource } from './events/live-feed.js'
import type { Transact } from './events/transact.js'
import type { JobRunner } from './jobs/job-runner.js'
import type { RunnerSessions } from './jobs/runner-session.js'
import { FilesResolver } from './files/files-resolver.js'
import { CategoryFormsResolver, FormFieldsResolver, FormsResolver } from './forms/forms-resolver.js'
import { CannedResponsesResolver } from './canned-responses/canned-responses-resolver.js'
import { ConversationViewersResolver, ViewedConversationResolver } from './conversations/api/viewers.js'
import { ReplayResolver } from './conversations/api/replay-resolver.js'
import { LocationsResolver } from './locations/locations-resolver.js'
import { GuestLimits } from './limits/guest-limits.js'
import type { Metrics } from './metrics.js'
import { NodesResolver } from './nodes/nodes-resolver.js'
import { OrganizationGroupsResolver } from './organizations/organization-groups-resolver.js'
import { OrganizationsResolver } from './organizations/organizations-resolver.js'
import type { Mailer } from './outbound/mailer.js'
import type { Presence } from './presence/presence.js'
import { openPrivacyModule } from './privacy/privacy-module.js'
import type { RedisClient } from './redis.js'
import type { ServiceKind, ServiceKinds } from './services/service-kinds.js'
import { SearchResolver } from './search/search-resolver.js'
import { ServicesResolver } from './services/services-resolver.js'
import { SmsResolver } from './touchpoints/sms/sms-resolver.js'
import type { Install } from './touchpoints/install.js'
import { openTouchpointsModule, type TouchpointsModule } from './touchpoints/touchpoints-module.js'
import { USER_INVITE } from './users/user-jobs.js'
import { UserOrganizationsResolver, UsersResolver } from './users/users-resolver.js'
import { RuleEngines } from './workflows/evaluation.js'
import { WorkflowCache } from './workflows/workflow-cache.js'
import { createWebhooks } from './webhooks/webhooks-module.js'
import type { DeliveryRunner } from './webhooks/delivery-runner.js'
import type { WebhookOutbox } from './webhooks/record-events.js'
import { WebhookKind } from './webhooks/webhook-kind.js'
import { WEBHOOK } from './webhooks/webhook-params.js'
import { WebhookDeliveriesResolver, WebhooksResolver } from './webhooks/webhooks-resolver.js'
import { WorkflowRulesResolver } from './workflows/workflow-rules-resolver.js'
import { WorkflowsResolver } from './workflows/workflows-resolver.js'

/** Dependencies of the modules. */
export interface AppDependencies {
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
  /** Epoch of the database's history. */
  epoch: number
  presence: Presence
  signer: TokenSigner
  linkTokens: LinkTokens
  /** Authenticates tokens in webhooks' answers. */
  authenticator: Authenticator
  accessChanges: AccessChanges
  hasher: PasswordHasher
  wakeJobs: () => void
  metrics: Metrics
  /** Replaces the installed touchpoints. */
  touchpoints: Readonly<Record<string, Install>> | undefined
}

export interface Domain {
  /** Instances of the resolver classes. */
  resolvers: object[]
  /** Sources of the live subscriptions. */
  sources: LiveSource[]
  /** Delivers to webhooks, once started. */
  deliveries: DeliveryRunner
  /** Signs in pages served by the server itself. */
  browserSessions: BrowserSessions
  /** For the routes that transfer bytes. */
  attachments: AttachmentsModule & Pick<SendDependencies, 'guestLimits'>
  /** Records what guests received; must be stopped. */
  receipts: GuestReceipts
  /** Endpoints and listeners for providers. */
  touchpoints: TouchpointsModule
}

/** Builds the modules' resolvers and registers their jobs. */
export async function createDomain(dependencies: AppDependencies): Promise<Domain> {
  const { accessChanges, clock, config, database, hasher, jobs, log, mailer, redis, signer, transact } = dependencies
  const { publicUrl } = config
  const linkSecret = await serverSecret(database, 'invitations')
  const links = new PasswordLinks({ sql: database, secret: linkSecret, clock, publicUrl })
  jobs.register(USER_INVITE, createInvitationMailer({ links, log, mailer }))
  jobs.register(PASSWORD_RESET, createResetMailer({ links, log, mailer }))
  const attachmentSecret = await serverSecret(database, 'attachments')
  const attachments = await openAttachmentsModule({ config, clock, log, secret: attachmentSecret })
  registerAttachmentJobs({ jobs, sql: database, store: attachments.store })
  const throttle = createLoginThrottle({ redis })
  const credentials = createCredentials({ hasher, signer, throttle })
  const signIn = { transact, signer, hasher, throttle, links, accessChanges }
  const engines = new RuleEngines()
  const workflowCache = new WorkflowCache()
  const conversations = createConversationsModule(dependencies, engines, workflowCache)
  const systemContext = systemContexts(dependencies)
  const touchpointsDependencies = { ...dependencies, ...conversations.send, attachments, systemContext }
  const touchpoints = await openTouchpointsModule(touchpointsDependencies, dependencies.touchpoints)
  const { store } = attachments
  const privacy = openPrivacyModule({ jobs, transact, systemContext, store, writer: conversations.send.writer })
  const webhooks = createWebhooksModule(dependencies, conversations.send, touchpoints.kinds)
  return {
    browserSessions: new BrowserSessions(signIn),
    attachments: { ...attachments, guestLimits: conversations.send.guestLimits },
    receipts: conversations.receipts,
    touchpoints,
    deliveries: webhooks.deliveries,
    sources: conversations.sources,
    resolvers: [
      new OrganizationsResolver(transact),
      new OrganizationGroupsResolver(transact),
      new UsersResolver({ transact, credentials, accessChanges }),
      new UserOrganizationsResolver(),
      new AuthResolver({
        ...signIn,
        resetThrottle: createResetThrottle({ redis }),
        isMailSet: mailer.isSet,
      }),
      new ChannelsResolver({
        transact,
        onAccessChange: (users) => users.forEach((user) => accessChanges.userChanged(user)),
      }),
      new ChannelMembersResolver(),
      new UserChannelsResolver(),
      new ContactsResolver(transact),
      new ServicesResolver({ transact, kinds: webhooks.kinds }),
      new FormsResolver(transact),
      new CategoryFormsResolver(),
      new FormFieldsResolver(),
      new ArticlesResolver(transact),
      new CannedResponsesResolver(transact),
      new LocationsResolver(transact),
      new AttachmentsResolver({ transact, links: attachments.links }),
      new FilesResolver({ transact, links: attachments.links }),
      new WorkflowsResolver({ transact, cache: workflowCache }),
      new WorkflowRulesResolver({ transact, engines }),
      ...conversations.resolvers,
      ...touchpoints.resolvers,
      ...privacy,
      new NodesResolver(),
      new SearchResolver(),
      new SmsResolver(),
      ...webhooks.resolvers,
    ],
  }
}

function createConversationsModule(
  dependencies: AppDependencies,
  engines: RuleEngines,
  workflows: WorkflowCache,
): Pick<Domain, 'receipts' | 'resolvers' | 'sources'> & { send: SendDependencies } {
  const { clock, config, database, dispatcher, jobs, linkTokens, log, mailer, outbox, presence, transact } =
    dependencies
  const { metrics, redis, wakeJobs } = dependencies
  const observeQueueWait = (ms: number): void => metrics.queueWait.observe(ms / 1_000)
  const router = new Router({
    engines,
    workflows,
    clock,
    observe: (by, ms) => metrics.routing.observe({ by }, ms / 1_000),
  })
  const writer = new ConversationWriter({
    database,
    dispatcher,
    outbox,
    clock,
    log,
    wakeJobs,
    observeQueueWait,
    observeWait: metrics.waitsOf('writes'),
  })
  metrics.watchShares('writes', {
    get running() {
      return writer.counts.running
    },
    get waiting() {
      return writer.counts.waiting
    },
  })
  const systemContext = systemContexts(dependencies)
  registerConversationJobs({ jobs, systemContext, writer, router, publicUrl: config.publicUrl })
  const { publicUrl } = config
  jobs.register(RESULTS_MAIL, createResultsMailer({ sql: database, log, mailer, publicUrl }))
  jobs.register(CONTACT_FILL, createContactFiller(transact, systemContext))
  const receipts = new GuestReceipts({ writer, log, systemContext })
  const send = { writer, router, guestLimits: new GuestLimits(config, metrics, redis) }
  return {
    receipts,
    send,
    sources: [
      new QueueSource({ presence, back: new ChannelsBack({ sql: database, clock, log, wakeJobs }) }),
      new InboxSource(),
      new MyConversationsSource(),
      new ConversationSource({ presence, receipts, dispatcher, sql: database, log }),
    ],
    resolvers: [
      new ConversationsResolver({ ...send, receipts, engines, publicUrl: config.publicUrl }),
      new ParticipantsResolver(),
      new MessagesResolver(send),
      new MessageAddressResolver({ publicUrl }),
      new MessageAttachmentsResolver(),
      new MessageDeliveriesResolver(),
      new ContactAddressResolver(),
      new ContactProfileResolver(),
      new ContactConversationResolver(),
      new ContactPresencesResolver(),
      new DeliveriesResolver({ writer }),
      new CommandsResolver(send),
      new ActionsResolver({ ...send, linkTokens, linkOrigins: config.linkOrigins }),
      new LiveResolver({ dispatcher, writer }),
      new QueueEntriesResolver(),
      new DraftsResolver(transact),
      new ReplayResolver(),
      new ConversationViewersResolver(),
      new ViewedConversationResolver(),
      new InboxEntriesResolver(),
      new NotifiedConversationsResolver(),
    ],
  }
}

function createWebhooksModule(
  dependencies: AppDependencies,
  send: SendDependencies,
  otherKinds: readonly (readonly [string, ServiceKind])[],
): Pick<Domain, 'resolvers' | 'deliveries'> & { kinds: ServiceKinds } {
  const { config, transact } = dependencies
  const { publicUrl, webhookAllowPrivate: allowPrivate } = config
  const systemContext = systemContexts(dependencies)
  const deliveries = createWebhooks({ ...dependencies, send, systemContext, publicUrl, allowPrivate })
  const kinds: ServiceKinds = new Map([[WEBHOOK, new WebhookKind()], ...otherKinds])
  const wake = (): void => deliveries.wake()
  const resolvers = [new WebhooksResolver({ transact, kinds, wake }), new WebhookDeliveriesResolver()]
  return { deliveries, kinds, resolvers }
}

/** Creates contexts that see every tenant, for work without a request. */
function systemContexts({ database, clock, log }: AppDependencies): (requestId: string) => Context {
  const system = { database, clock, log, caller: null, tenant: EVERY_TENANT, address: null }
  return (requestId) => new Context({ ...system, requestId })
}
