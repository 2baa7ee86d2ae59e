import { ArticlesResolver } from './articles/articles-resolver.js'
import { openAttachmentsModule } from './attachments/attachments-module.js'
import { openAuthModule } from './auth/auth-module.js'
import { CannedResponsesResolver } from './canned-responses/canned-responses-resolver.js'
import { ChannelMembersResolver, ChannelsResolver, UserChannelsResolver } from './channels/channels-resolver.js'
import { openContactsModule } from './contacts/contacts-module.js'
import { openConversationsModule } from './conversations/conversations-module.js'
import type { AppDependencies } from './dependencies.js'
import { maintainEventPartitions } from './events/event-partitions.js'
import { FilesResolver } from './files/files-resolver.js'
import { ActiveFormsResolver, FormResultsResolver } from './forms/form-result.js'
import { CategoryFormsResolver, FormFieldsResolver, FormsResolver } from './forms/forms-resolver.js'
import { addConsole } from './http/console.js'
import { pruneIdempotencyKeys } from './limits/idempotency.js'
import { LocationsResolver } from './locations/locations-resolver.js'
import { MessageResultsResolver, ReportedResultsResolver } from './messages/message-results.js'
import type { Module } from './module.js'
import { NodesResolver } from './nodes/nodes-resolver.js'
import { OrganizationGroupsResolver } from './organizations/organization-groups-resolver.js'
import { OrganizationsResolver } from './organizations/organizations-resolver.js'
import { openPrivacyModule } from './privacy/privacy-module.js'
import { openPushModule } from './push/push-module.js'
import { openReportsModule } from './reports/reports-module.js'
import { openSearchModule } from './search/search-module.js'
import { SchedulesResolver } from './schedules/schedules-resolver.js'
import { PolicyCache } from './sla/policy-cache.js'
import { pruneVersions } from './sla/prune-versions.js'
import { SlaPoliciesResolver } from './sla/sla-policies-resolver.js'
import type { ServiceKinds } from './services/service-kinds.js'
import { ServiceTests } from './services/service-test.js'
import { ServicesResolver } from './services/services-resolver.js'
import { openStaffingModule } from './staffing/staffing-module.js'
import type { Install } from './touchpoints/install.js'
import { SmsResolver } from './touchpoints/sms/sms-resolver.js'
import { openTouchpointsModule } from './touchpoints/touchpoints-module.js'
import { UserOrganizationsResolver, UsersResolver } from './users/users-resolver.js'
import { WebhookKind } from './webhooks/webhook-kind.js'
import { WEBHOOK } from './webhooks/webhook-params.js'
import { openWebhooksModule } from './webhooks/webhooks-module.js'
import { openWorkflowsModule } from './workflows/workflows-module.js'

/**
 * Builds the product's modules, in the order in which they start.
 * @param touchpoints replaces installed touchpoints
 */
export async function openModules(
  dependencies: AppDependencies,
  touchpoints: Readonly<Record<string, Install>> = {},
): Promise<Module[]> {
  const { accessChanges, config, redis, transact } = dependencies
  const auth = await openAuthModule(dependencies)
  const attached = await openAttachmentsModule(dependencies)
  const { attachments } = attached
  const workflows = openWorkflowsModule(dependencies)
  const policies = new PolicyCache(dependencies.database)
  const conversations = openConversationsModule({ ...dependencies, ...workflows, policies })
  const { send } = conversations
  const contact = await openTouchpointsModule({ ...dependencies, ...send, attachments }, touchpoints)
  const kinds: ServiceKinds = new Map([[WEBHOOK, new WebhookKind(config)], ...contact.kinds])
  return [
    retention(dependencies),
    openSearchModule(dependencies),
    openReportsModule(dependencies),
    auth,
    pages(dependencies, auth),
    { resolvers: [new OrganizationsResolver(transact), new OrganizationGroupsResolver(transact)] },
    {
      resolvers: [
        new UsersResolver({ transact, credentials: auth.credentials, accessChanges }),
        new UserOrganizationsResolver(),
      ],
    },
    channels(dependencies),
    openContactsModule(dependencies),
    { resolvers: [new ServicesResolver({ transact, kinds, tests: new ServiceTests({ kinds, redis }) })] },
    { resolvers: [new FormsResolver(transact), new CategoryFormsResolver(), new FormFieldsResolver()] },
    { resolvers: [new ActiveFormsResolver(), new FormResultsResolver()] },
    { resolvers: [new MessageResultsResolver(), new ReportedResultsResolver()] },
    { resolvers: [new ArticlesResolver(transact)] },
    { resolvers: [new CannedResponsesResolver(transact)] },
    { resolvers: [new LocationsResolver(transact)] },
    {
      resolvers: [new SchedulesResolver(transact), new SlaPoliciesResolver({ transact, policies })],
      maintenance: [{ name: 'versions of schedules and SLA policies', run: pruneVersions }],
    },
    openStaffingModule(dependencies),
    await openPushModule(dependencies),
    attached,
    { resolvers: [new FilesResolver({ transact, links: attachments.links })] },
    workflows,
    { resolvers: [new NodesResolver()] },
    openWebhooksModule({ ...dependencies, send, kinds }),
    openPrivacyModule({ ...dependencies, ...send, ...attachments }),
    contact,
    { resolvers: [new SmsResolver()] },
    conversations,
  ]
}

/** Removes what is kept for a time only: old events, and answers to repeated requests. */
function retention({ config: { eventRetentionDays } }: AppDependencies): Module {
  return {
    maintenance: [
      { name: 'events', run: (sql, now) => maintainEventPartitions(sql, now, eventRetentionDays) },
      { name: 'idempotency keys', run: pruneIdempotencyKeys },
    ],
  }
}

/** What browsers are served: the console with its sign-in, and the web widget. */
function pages(
  { config: { publicUrl }, widget: { readSettings } }: AppDependencies,
  { browserSessions: sessions }: { browserSessions: Parameters<typeof addConsole>[1]['sessions'] },
): Module {
  return {
    addRoutes: ({ fastify, contextFor, countRequest }) =>
      addConsole(fastify, {
        sessions,
        publicUrl,
        contextFor,
        readSettings,
        countRequest: (reply, address) => countRequest(reply, 'address', address),
      }),
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
