import { ArticlesResolver } from '../modules/articles/articles-resolver.js'
import { openAttachmentsModule } from '../modules/attachments/attachments-module.js'
import { openAuditModule } from '../modules/audit/audit-module.js'
import { requireAlways } from '../modules/bots/read-grants.js'
import type { RequireVoice } from '../modules/auth/guest-tokens.js'
import { callerOfUser } from '../modules/auth/caller-of-user.js'
import { openAuthModule } from '../modules/auth/auth-module.js'
import { CannedResponsesResolver } from '../modules/canned-responses/canned-responses-resolver.js'
import {
  ChannelMembersResolver,
  ChannelsResolver,
  UserChannelsResolver,
} from '../modules/channels/channels-resolver.js'
import { openContactCentersModule } from '../modules/contact-centers/contact-centers-module.js'
import { openContactsModule } from '../modules/contacts/contacts-module.js'
import { openConversationsModule } from '../modules/conversations/conversations-module.js'
import type { AppDependencies } from './dependencies.js'
import { maintainEventPartitions } from '../platform/events/event-partitions.js'
import { FourEyesGuard, type CallerOf } from '../modules/four-eyes/four-eyes-guard.js'
import { openFourEyesModule } from '../modules/four-eyes/four-eyes-module.js'
import { FilesResolver } from '../modules/files/files-resolver.js'
import { ActiveFormsResolver, FormResultsResolver } from '../modules/forms/form-result.js'
import { CategoryFormsResolver, FormFieldsResolver, FormsResolver } from '../modules/forms/forms-resolver.js'
import { addConsole } from '../api/http/console.js'
import { addScimRoutes } from '../api/http/scim-routes.js'
import { serverSecret } from '../modules/auth/server-secret.js'
import { SCOPES } from '../platform/access/scopes.js'
import { pruneIdempotencyKeys } from '../platform/limits/idempotency.js'
import { sealingOwnTypes } from '../modules/services/seal-own-types.js'
import { resealing } from '../platform/sealing/reseal.js'
import { HoldsResolver } from '../modules/holds/holds-resolver.js'
import { LabelsResolver } from '../modules/labels/labels-resolver.js'
import { MacrosResolver } from '../modules/macros/macros-resolver.js'
import { ViewsResolver } from '../modules/views/views-resolver.js'
import { LocationsResolver } from '../modules/locations/locations-resolver.js'
import { CommentsResolver } from '../modules/messages/comments-resolver.js'
import { MessageReactionsResolver } from '../modules/messages/reactions.js'
import { MessageResultsResolver, ReportedResultsResolver } from '../modules/messages/message-results.js'
import type { Module } from '../platform/module.js'
import { NodesResolver } from '../modules/nodes/nodes-resolver.js'
import { OrganizationGroupsResolver } from '../modules/organizations/organization-groups-resolver.js'
import { OrganizationsResolver } from '../modules/organizations/organizations-resolver.js'
import { openPrivacyModule } from '../modules/privacy/privacy-module.js'
import { openPushModule } from '../modules/push/push-module.js'
import { openRatingsModule } from '../modules/ratings/ratings-module.js'
import { RecordChangesResolver } from '../modules/record-changes/record-changes-resolver.js'
import { RecordChangesSource } from '../modules/record-changes/record-changes-source.js'
import { openReportsModule } from '../modules/reports/reports-module.js'
import { openSearchModule } from '../modules/search/search-module.js'
import { openRetentionModule } from '../modules/retention/retention-module.js'
import { openRoutingCodeModule } from '../modules/routing-code/routing-code-module.js'
import { HolidayCalendarsResolver } from '../modules/schedules/holiday-calendars-resolver.js'
import { openScimModule, type ScimModule } from '../modules/scim/scim-module.js'
import { BotsResolver } from '../modules/bots/bots-resolver.js'
import { SchedulesResolver } from '../modules/schedules/schedules-resolver.js'
import { PolicyCache } from '../modules/sla/policy-cache.js'
import { pruneVersions } from '../modules/sla/prune-versions.js'
import { SlaPoliciesResolver } from '../modules/sla/sla-policies-resolver.js'
import { ServiceKindsResolver } from '../modules/services/service-kinds-resolver.js'
import type { ServiceKind, ServiceKinds } from '../modules/services/service-kinds.js'
import { pruneAuthorizations, ServiceAuthorizations } from '../modules/services/service-authorization.js'
import type { ServiceWriteOptions } from '../modules/services/service-writes.js'
import { ServiceTests } from '../modules/services/service-test.js'
import { TemplatesResolver } from '../modules/services/templates-resolver.js'
import { ServicesResolver } from '../modules/services/services-resolver.js'
import { SignInPolicyResolver } from '../modules/sign-in-policy/sign-in-policy-resolver.js'
import { openSsoModule, type SsoModule } from '../modules/sso/sso-module.js'
import { openStaffingModule } from '../modules/staffing/staffing-module.js'
import type { Install } from '../modules/touchpoints/install.js'
import { MailOthersResolver, MessageMailResolver } from '../modules/touchpoints/email/message-mail-resolver.js'
import { SmsResolver } from '../modules/touchpoints/sms/sms-resolver.js'
import { openTranscriptsModule } from '../modules/transcripts/transcripts-module.js'
import { openTouchpointsModule } from '../modules/touchpoints/touchpoints-module.js'
import { ContactChangesResolver } from '../modules/timeline/contact-changes-resolver.js'
import { ContactChangesSource } from '../modules/timeline/contact-changes-source.js'
import { TimelineEntriesResolver, TimelineResolver } from '../modules/timeline/timeline-resolver.js'
import { PendingChangeUsersResolver } from '../modules/users/pending-change-users.js'
import { UserFieldsResolver } from '../modules/users/user-fields-resolver.js'
import {
  BotPausesResolver,
  PausedBotsResolver,
  PausedOrganizationsResolver,
} from '../modules/users/bot-pauses-resolver.js'
import { UserOrganizationsResolver, UsersResolver } from '../modules/users/users-resolver.js'
import { payloadFields } from '../../rest-compat/openapi/payload-fields.js'
import { WebhookKind } from '../modules/webhooks/webhook-kind.js'
import { FEED, FeedKind } from '../modules/webhooks/feed/feed-kind.js'
import { EventsKind } from '../modules/webhooks/taking/events-kind.js'
import { EVENTS, WEBHOOK } from '../modules/webhooks/webhook-params.js'
import { openWebhooksModule } from '../modules/webhooks/webhooks-module.js'
import { openWorkflowsModule } from '../modules/workflows/workflows-module.js'

/**
 * Builds the product's modules, in the order in which they start.
 * @param touchpoints replaces installed touchpoints
 */
export async function openModules(
  dependencies: AppDependencies,
  touchpoints: Readonly<Record<string, Install>> = {},
): Promise<Module[]> {
  const { accessChanges, config, log, redis, sealer, transact } = dependencies
  const requireVoice: RequireVoice = (sql, given) => requireAlways(sql, { ...given, action: 'other' })
  const fourEyes = new FourEyesGuard({ transact, sealer, callerOf })
  const auth = await openAuthModule({ ...dependencies, requireVoice, fourEyes })
  const sso = await openSsoModule({ ...dependencies, ...auth, fourEyes })
  const scim = openScimModule({ ...dependencies, ...sso, fourEyes })
  const attached = await openAttachmentsModule(dependencies)
  const { attachments } = attached
  const workflows = openWorkflowsModule(dependencies)
  const policies = new PolicyCache(dependencies.database)
  const conversations = openConversationsModule({ ...dependencies, ...workflows, policies })
  const { send, typing } = conversations
  const contact = await openTouchpointsModule({ ...dependencies, ...send, typing, attachments }, touchpoints)
  const kinds: ServiceKinds = new Map<string, ServiceKind>([
    [WEBHOOK, new WebhookKind(config, payloadFields, sealer)],
    [EVENTS, new EventsKind(payloadFields)],
    ...sso.kinds,
    [FEED, new FeedKind()],
    ...contact.kinds,
  ])
  const writing = { transact, kinds, sealer, isChecking: config.serviceCheckMinutes > 0 }
  const authorizations = await openAuthorizations(dependencies, writing)
  return [
    expiring(dependencies),
    openSearchModule(dependencies),
    {
      resolvers: [new TimelineResolver(), new TimelineEntriesResolver(), new ContactChangesResolver()],
      sources: [new ContactChangesSource()],
    },
    openReportsModule(dependencies),
    openRatingsModule({ ...dependencies, writer: send.writer }),
    openAuditModule(dependencies),
    { resolvers: [new RecordChangesResolver()], sources: [new RecordChangesSource()] },
    auth,
    sso,
    pages(dependencies, { ...auth, authorizations }, sso),
    scim,
    provisioning(dependencies, scim),
    { resolvers: [new SignInPolicyResolver(fourEyes)] },
    openFourEyesModule({ ...dependencies, fourEyes }),
    { resolvers: [new OrganizationsResolver(transact), new OrganizationGroupsResolver(transact)] },
    {
      resolvers: [
        new UserFieldsResolver(),
        new UsersResolver({ transact, credentials: auth.credentials, accessChanges }),
        new UserOrganizationsResolver(),
        new PendingChangeUsersResolver(),
      ],
    },
    openContactCentersModule({ ...dependencies, links: auth.links }),
    channels(dependencies),
    openContactsModule(dependencies),
    {
      resolvers: [
        new TemplatesResolver({ transact, kinds }),
        new ServiceKindsResolver({ kinds, publicUrl: config.publicUrl }),
        new ServicesResolver(
          { ...writing, tests: new ServiceTests({ kinds, sealer, redis }), authorizations },
          fourEyes,
        ),
      ],
      maintenance: [sealingOwnTypes(sealer, kinds, log), { name: 'sign-ins for services', run: pruneAuthorizations }],
    },
    { resolvers: [new FormsResolver(transact), new CategoryFormsResolver(), new FormFieldsResolver()] },
    { resolvers: [new ActiveFormsResolver(), new FormResultsResolver()] },
    {
      resolvers: [
        new CommentsResolver(),
        new MessageReactionsResolver(),
        new MessageResultsResolver(),
        new ReportedResultsResolver(),
      ],
    },
    { resolvers: [new ArticlesResolver(transact)] },
    { resolvers: [new CannedResponsesResolver(transact)] },
    { resolvers: [new LabelsResolver(transact)] },
    { resolvers: [new HoldsResolver(transact, fourEyes)] },
    { resolvers: [new MacrosResolver(transact)] },
    { resolvers: [new ViewsResolver(transact)] },
    { resolvers: [new LocationsResolver(transact)] },
    {
      resolvers: [
        new SchedulesResolver(transact),
        new HolidayCalendarsResolver(transact),
        new SlaPoliciesResolver({ transact, policies }),
        new BotsResolver({ transact, accessChanges }),
        new PausedBotsResolver(),
        new PausedOrganizationsResolver(),
        new BotPausesResolver(),
      ],
      maintenance: [{ name: 'versions of schedules and SLA policies', run: pruneVersions }],
    },
    openStaffingModule(dependencies),
    await openPushModule(dependencies),
    attached,
    { resolvers: [new FilesResolver({ transact, links: attachments.links })] },
    workflows,
    openRoutingCodeModule({ transact, accessChanges, metrics: dependencies.metrics }),
    { resolvers: [new NodesResolver()] },
    openWebhooksModule({ ...dependencies, send, kinds, links: attachments.links }),
    await openPrivacyModule({ ...dependencies, ...send, ...attachments, fourEyes }),
    openRetentionModule({ ...dependencies, writer: send.writer, fourEyes }),
    contact,
    { resolvers: [new SmsResolver(), new MailOthersResolver(), new MessageMailResolver()] },
    await openTranscriptsModule({ ...dependencies, writer: send.writer, links: attachments.links }),
    conversations,
  ]
}

/** Reads users with their rights of now; of a contact center that is not in use, nobody. */
const callerOf: CallerOf = async (sql, user, scopes) => {
  const found = await callerOfUser(sql, user, scopes)
  return found?.isCenterInUse ? found.caller : null
}

/** Builds the sign-ins at providers for services. */
async function openAuthorizations(
  { config: { publicUrl }, database, redis, sealer }: AppDependencies,
  writing: ServiceWriteOptions,
): Promise<ServiceAuthorizations> {
  return new ServiceAuthorizations({
    ...writing,
    publicUrl,
    redis,
    secret: await serverSecret(database, sealer, 'service-authorizations'),
    callerOf: (user) => callerOf(database, user, SCOPES),
  })
}

/** Removes what is kept for a time only: old events, and answers to repeated requests; and old keys' seals. */
function expiring({ config: { eventRetentionDays }, log, sealer }: AppDependencies): Module {
  return {
    maintenance: [
      { name: 'events', run: (sql, now) => maintainEventPartitions(sql, now, eventRetentionDays) },
      { name: 'idempotency keys', run: pruneIdempotencyKeys },
      resealing(sealer, log),
    ],
  }
}

/** Serves the pages for browsers: the console with its sign-in, and the web widget. */
function pages(
  { config: { publicUrl }, widget: { readSettings } }: AppDependencies,
  {
    browserSessions: sessions,
    authorizations,
  }: { browserSessions: Parameters<typeof addConsole>[1]['sessions']; authorizations: ServiceAuthorizations },
  { signIns, logouts }: SsoModule,
): Module {
  return {
    addRoutes: ({ fastify, contextFor, countRequest }) =>
      addConsole(fastify, {
        sessions,
        signIns,
        logouts,
        authorizations,
        publicUrl,
        contextFor,
        readSettings,
        countRequest: (reply, address) => countRequest(reply, 'address', address),
      }),
  }
}

/** Serves the providers that keep users and groups here. */
function provisioning({ log }: AppDependencies, { scim }: ScimModule): Module {
  return {
    addRoutes: ({ fastify, ...parts }) => addScimRoutes(fastify, { ...parts, scim, log }),
  }
}

function channels({ accessChanges, transact }: AppDependencies): Module {
  const onAccessChange = (users: readonly string[]): void => users.forEach((user) => accessChanges.userChanged(user))
  return {
    resolvers: [
      new ChannelsResolver({ transact, onAccessChange }),
      new ChannelMembersResolver(),
      new UserChannelsResolver(),
    ],
  }
}
