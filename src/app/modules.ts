import { ArticlesResolver } from '../modules/articles/articles-resolver.js'
import { openAttachmentsModule } from '../modules/attachments/attachments-module.js'
import { openAuditModule } from '../modules/audit/audit-module.js'
import { requireAlways } from '../modules/bots/read-grants.js'
import type { RequireVoice } from '../modules/auth/guest-tokens.js'
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
import { FilesResolver } from '../modules/files/files-resolver.js'
import { ActiveFormsResolver, FormResultsResolver } from '../modules/forms/form-result.js'
import { CategoryFormsResolver, FormFieldsResolver, FormsResolver } from '../modules/forms/forms-resolver.js'
import { addConsole } from '../api/http/console.js'
import { addScimRoutes } from '../api/http/scim-routes.js'
import { pruneIdempotencyKeys } from '../platform/limits/idempotency.js'
import { sealingOwnTypes } from '../modules/services/seal-own-types.js'
import { resealing } from '../platform/sealing/reseal.js'
import { HoldsResolver } from '../modules/holds/holds-resolver.js'
import { LabelsResolver } from '../modules/labels/labels-resolver.js'
import { MacrosResolver } from '../modules/macros/macros-resolver.js'
import { ViewsResolver } from '../modules/views/views-resolver.js'
import { LocationsResolver } from '../modules/locations/locations-resolver.js'
import { CommentsResolver } from '../modules/messages/comments-resolver.js'
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
import { openRoutingCodeModule } from '../modules/routing-code/routing-code-module.js'
import { HolidayCalendarsResolver } from '../modules/schedules/holiday-calendars-resolver.js'
import { openScimModule, type ScimModule } from '../modules/scim/scim-module.js'
import { BotsResolver } from '../modules/bots/bots-resolver.js'
import { SchedulesResolver } from '../modules/schedules/schedules-resolver.js'
import { PolicyCache } from '../modules/sla/policy-cache.js'
import { pruneVersions } from '../modules/sla/prune-versions.js'
import { SlaPoliciesResolver } from '../modules/sla/sla-policies-resolver.js'
import type { ServiceKind, ServiceKinds } from '../modules/services/service-kinds.js'
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
  const auth = await openAuthModule({ ...dependencies, requireVoice })
  const sso = await openSsoModule({ ...dependencies, ...auth })
  const scim = openScimModule({ ...dependencies, ...sso })
  const attached = await openAttachmentsModule(dependencies)
  const { attachments } = attached
  const workflows = openWorkflowsModule(dependencies)
  const policies = new PolicyCache(dependencies.database)
  const conversations = openConversationsModule({ ...dependencies, ...workflows, policies })
  const { send } = conversations
  const contact = await openTouchpointsModule({ ...dependencies, ...send, attachments }, touchpoints)
  const kinds: ServiceKinds = new Map<string, ServiceKind>([
    [WEBHOOK, new WebhookKind(config, payloadFields, sealer)],
    [EVENTS, new EventsKind(payloadFields)],
    sso.kind,
    [FEED, new FeedKind()],
    ...contact.kinds,
  ])
  return [
    retention(dependencies),
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
    pages(dependencies, auth, sso),
    scim,
    provisioning(dependencies, scim),
    { resolvers: [new SignInPolicyResolver(transact)] },
    { resolvers: [new OrganizationsResolver(transact), new OrganizationGroupsResolver(transact)] },
    {
      resolvers: [
        new UserFieldsResolver(),
        new UsersResolver({ transact, credentials: auth.credentials, accessChanges }),
        new UserOrganizationsResolver(),
      ],
    },
    openContactCentersModule({ ...dependencies, links: auth.links }),
    channels(dependencies),
    openContactsModule(dependencies),
    {
      resolvers: [
        new TemplatesResolver({ transact, kinds }),
        new ServicesResolver({ transact, kinds, sealer, tests: new ServiceTests({ kinds, sealer, redis }) }),
      ],
      maintenance: [sealingOwnTypes(sealer, kinds, log)],
    },
    { resolvers: [new FormsResolver(transact), new CategoryFormsResolver(), new FormFieldsResolver()] },
    { resolvers: [new ActiveFormsResolver(), new FormResultsResolver()] },
    { resolvers: [new CommentsResolver(), new MessageResultsResolver(), new ReportedResultsResolver()] },
    { resolvers: [new ArticlesResolver(transact)] },
    { resolvers: [new CannedResponsesResolver(transact)] },
    { resolvers: [new LabelsResolver(transact)] },
    { resolvers: [new HoldsResolver(transact)] },
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
    await openPrivacyModule({ ...dependencies, ...send, ...attachments }),
    contact,
    { resolvers: [new SmsResolver(), new MailOthersResolver(), new MessageMailResolver()] },
    await openTranscriptsModule({ ...dependencies, writer: send.writer, links: attachments.links }),
    conversations,
  ]
}

/** Removes what is kept for a time only: old events, and answers to repeated requests; and old keys' seals. */
function retention({ config: { eventRetentionDays }, log, sealer }: AppDependencies): Module {
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
  { browserSessions: sessions }: { browserSessions: Parameters<typeof addConsole>[1]['sessions'] },
  { signIns, logouts }: SsoModule,
): Module {
  return {
    addRoutes: ({ fastify, contextFor, countRequest }) =>
      addConsole(fastify, {
        sessions,
        signIns,
        logouts,
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
