import 'reflect-metadata'
// Each type of services declares its settings in its own folder.
import '../modules/services/oidc-settings.js'
import '../modules/services/saml-settings.js'
import '../modules/touchpoints/touchpoints-module.js'
import '../modules/webhooks/webhook-settings.js'
import { AuditActorResolver, AuditResolver } from '../modules/audit/audit-resolver.js'
import { refuseMasked } from '../platform/masking/refuse-masked.js'
import { AuditedMutation } from '../platform/access/audited-mutation.js'
import { getNullableType, isAbstractType, type GraphQLSchema } from 'graphql'
import { buildSchema, type NonEmptyArray } from 'type-graphql'
import type { Permission } from '../platform/access/permissions.js'
import { ArticlesResolver } from '../modules/articles/articles-resolver.js'
import { AttachmentsResolver } from '../modules/attachments/attachments-resolver.js'
import { AuthResolver } from '../modules/auth/auth-resolver.js'
import { FactorsResolver } from '../modules/auth/factors-resolver.js'
import { PasskeysResolver } from '../modules/auth/passkeys/passkeys-resolver.js'
import { SessionsResolver } from '../modules/auth/sessions-resolver.js'
import { SignInPolicyResolver } from '../modules/sign-in-policy/sign-in-policy-resolver.js'
import { ScimResolver } from '../modules/scim/scim-resolver.js'
import { DomainsResolver } from '../modules/sso/domains/domains-resolver.js'
import { SsoResolver } from '../modules/sso/sso-resolver.js'
import {
  ChannelMembersResolver,
  ChannelsResolver,
  UserChannelsResolver,
} from '../modules/channels/channels-resolver.js'
import { ContactCentersResolver } from '../modules/contact-centers/contact-centers-resolver.js'
import { ContactAddressResolver, ContactProfileResolver } from '../modules/contacts/contact-custom-resolver.js'
import { ContactNotesResolver } from '../modules/contacts/notes/contact-notes-resolver.js'
import { ContactsResolver } from '../modules/contacts/contacts-resolver.js'
import type { Context } from '../platform/context.js'
import type { Database } from '../platform/db/database.js'
import { ActionsResolver } from '../modules/conversations/api/actions-resolver.js'
import { CaseChannelsResolver } from '../modules/conversations/api/case-channels-resolver.js'
import { ClosingResolver } from '../modules/conversations/api/closing-resolver.js'
import { CommandsResolver } from '../modules/conversations/api/commands-resolver.js'
import { ContactConversationResolver } from '../modules/conversations/api/contact-conversation-resolver.js'
import { ContactPresencesResolver } from '../modules/conversations/api/contact-presences-resolver.js'
import { conversationEmbeds } from '../modules/conversations/api/conversation.js'
import { ConversationTouchpointsResolver } from '../modules/conversations/api/conversation-touchpoints.js'
import { ConversationsResolver, ParticipantsResolver } from '../modules/conversations/api/conversations-resolver.js'
import { AgentStatesResolver } from '../modules/conversations/live/agent-states-resolver.js'
import { LiveResolver } from '../modules/conversations/live/live-resolver.js'
import { DraftsResolver } from '../modules/conversations/live/drafts-resolver.js'
import {
  InboxEntriesResolver,
  NotifiedConversationsResolver,
  QueueEntriesResolver,
} from '../modules/conversations/live/entries-resolver.js'
import { MessageAddressResolver } from '../modules/conversations/api/message-address-resolver.js'
import { MessageAttachmentsResolver } from '../modules/conversations/api/message-attachments-resolver.js'
import { MessageFormsResolver } from '../modules/conversations/api/message-forms-resolver.js'
import {
  DeliveriesResolver,
  MessageDeliveriesResolver,
} from '../modules/conversations/api/message-deliveries-resolver.js'
import { ForwardingResolver } from '../modules/conversations/api/forwarding-resolver.js'
import { MessagesResolver } from '../modules/conversations/api/messages-resolver.js'
import {
  OfferCandidatesResolver,
  OfferedConversationResolver,
  OffersResolver,
  OfferTracesResolver,
} from '../modules/conversations/api/offers-resolver.js'
import {
  ApprovedMessagesResolver,
  ProposalsResolver,
  ProposingBotsResolver,
} from '../modules/conversations/api/proposals-resolver.js'
import { ProposalChangedResolver } from '../modules/conversations/live/proposal-changed-resolver.js'
import { StreamsResolver } from '../modules/conversations/api/streams-resolver.js'
import { participantEmbeds } from '../modules/conversations/api/participant.js'
import { FilesResolver } from '../modules/files/files-resolver.js'
import { ActiveFormsResolver, FormResultsResolver } from '../modules/forms/form-result.js'
import { CategoryFormsResolver, FormFieldsResolver, FormsResolver } from '../modules/forms/forms-resolver.js'
import { readEnumsByText } from '../api/graphql/enum-input.js'
import { limitParts } from '../api/graphql/limit-parts.js'
import { describeByGlossary } from '../platform/glossary.js'
import { preferEmbedded } from '../platform/lists/embedded.js'
import { DateTime } from '../platform/lists/scalars.js'
import { CannedResponsesResolver } from '../modules/canned-responses/canned-responses-resolver.js'
import { ConversationViewersResolver, ViewedConversationResolver } from '../modules/conversations/api/viewers.js'
import { ReplayResolver } from '../modules/conversations/api/replay-resolver.js'
import { LocationsResolver } from '../modules/locations/locations-resolver.js'
import { CommentsResolver } from '../modules/messages/comments-resolver.js'
import { MessageReactionsResolver } from '../modules/messages/reactions.js'
import { MessageResultsResolver, ReportedResultsResolver } from '../modules/messages/message-results.js'
import { NodesResolver } from '../modules/nodes/nodes-resolver.js'
import { OrganizationGroupsResolver } from '../modules/organizations/organization-groups-resolver.js'
import { OrganizationsResolver } from '../modules/organizations/organizations-resolver.js'
import { ReportRowsResolver, ReportsResolver } from '../modules/reports/reports-resolver.js'
import { RecordChangesResolver } from '../modules/record-changes/record-changes-resolver.js'
import { WallboardResolver } from '../modules/reports/wallboard-resolver.js'
import { SearchResolver } from '../modules/search/search-resolver.js'
import { ServiceKindsResolver } from '../modules/services/service-kinds-resolver.js'
import { ServicesResolver } from '../modules/services/services-resolver.js'
import { HolidayCalendarsResolver } from '../modules/schedules/holiday-calendars-resolver.js'
import { SchedulesResolver } from '../modules/schedules/schedules-resolver.js'
import { BotsResolver } from '../modules/bots/bots-resolver.js'
import { SlaPoliciesResolver } from '../modules/sla/sla-policies-resolver.js'
import { ClocksResolver } from '../modules/conversations/api/clocks-resolver.js'
import { PlaceResolver } from '../modules/conversations/api/place-resolver.js'
import { ReasonCodesResolver } from '../modules/staffing/reason-codes-resolver.js'
import { MessageRatingResolver, RatingsResolver } from '../modules/ratings/ratings-resolver.js'
import { TranscriptsResolver } from '../modules/transcripts/transcripts-resolver.js'
import { FourEyesResolver } from '../modules/four-eyes/four-eyes-resolver.js'
import { PendingChangeUsersResolver } from '../modules/users/pending-change-users.js'
import { HoldsResolver } from '../modules/holds/holds-resolver.js'
import { RetentionResolver } from '../modules/retention/retention-resolver.js'
import { RetentionRunsResolver } from '../modules/retention/retention-runs-resolver.js'
import { LabelsResolver } from '../modules/labels/labels-resolver.js'
import { MacrosResolver } from '../modules/macros/macros-resolver.js'
import { ViewsResolver } from '../modules/views/views-resolver.js'
import { BulkRefusalsResolver, BulkResolver } from '../modules/conversations/api/bulk-resolver.js'
import { BulkChangedResolver } from '../modules/conversations/live/bulk-changed-resolver.js'
import { ContactChangesResolver } from '../modules/timeline/contact-changes-resolver.js'
import { TimelineEntriesResolver, TimelineResolver } from '../modules/timeline/timeline-resolver.js'
import { MacroRunsResolver } from '../modules/conversations/api/macro-runs-resolver.js'
import { ViewCountsResolver } from '../modules/conversations/api/view-counts-resolver.js'
import { SnoozeResolver } from '../modules/conversations/api/snooze-resolver.js'
import { ConversationLabelsResolver } from '../modules/conversations/api/conversation-labels-resolver.js'
import { RoutingCodeResolver } from '../modules/routing-code/routing-resolver.js'
import { SkillsResolver } from '../modules/staffing/skills-resolver.js'
import { StaffingResolver } from '../modules/staffing/staffing-resolver.js'
import { MailSendersResolver } from '../modules/touchpoints/email/mail-senders-resolver.js'
import { MailOthersResolver, MessageMailResolver } from '../modules/touchpoints/email/message-mail-resolver.js'
import { ConversationSignatureResolver } from '../modules/touchpoints/email/signature-resolver.js'
import { RoutesResolver } from '../modules/touchpoints/routes-resolver.js'
import { TemplatesResolver } from '../modules/services/templates-resolver.js'
import {
  MailboxEntriesResolver,
  MailboxEntryMessagesResolver,
} from '../modules/touchpoints/mailbox/mailbox-entries-resolver.js'
import { ServiceHealthResolver } from '../modules/touchpoints/service-health.js'
import { SmsResolver } from '../modules/touchpoints/sms/sms-resolver.js'
import { PushResolver } from '../modules/push/push-resolver.js'
import { ContactErasuresResolver } from '../modules/privacy/contact-erasures-resolver.js'
import { ContactExportsResolver } from '../modules/privacy/export/contact-exports-resolver.js'
import { PrivacyResolver } from '../modules/privacy/privacy-resolver.js'
import { GuestsResolver } from '../modules/touchpoints/web/guests-resolver.js'
import { UserFieldsResolver } from '../modules/users/user-fields-resolver.js'
import {
  BotPausesResolver,
  PausedBotsResolver,
  PausedOrganizationsResolver,
} from '../modules/users/bot-pauses-resolver.js'
import { UserOrganizationsResolver, UsersResolver } from '../modules/users/users-resolver.js'
import { FeedResolver } from '../modules/webhooks/feed/feed-resolver.js'
import { TakesResolver } from '../modules/webhooks/taking/takes-resolver.js'
import { WebhookDeliveriesResolver, WebhooksResolver } from '../modules/webhooks/webhooks-resolver.js'
import { ConditionTracesResolver } from '../modules/workflows/condition-trace-object.js'
import { WorkflowDraftFieldsResolver, WorkflowDraftsResolver } from '../modules/workflows/drafts/drafts-resolver.js'
import { WorkflowChangesResolver, WorkflowHistoryResolver } from '../modules/workflows/history/history-resolver.js'
import { WorkflowRulesResolver } from '../modules/workflows/workflow-rules-resolver.js'
import { RuleEventParamsResolver, WorkflowsResolver } from '../modules/workflows/workflows-resolver.js'

/**
 * Every resolver class of the product. The schema is built from the classes; each module gives its instances.
 */
const RESOLVERS: NonEmptyArray<Function> = [
  ActiveFormsResolver,
  ArticlesResolver,
  AttachmentsResolver,
  ActionsResolver,
  AgentStatesResolver,
  AuthResolver,
  FactorsResolver,
  PasskeysResolver,
  SessionsResolver,
  SsoResolver,
  DomainsResolver,
  ScimResolver,
  SignInPolicyResolver,
  CategoryFormsResolver,
  ChannelMembersResolver,
  ChannelsResolver,
  CaseChannelsResolver,
  ClosingResolver,
  CommandsResolver,
  CommentsResolver,
  MessageReactionsResolver,
  ConditionTracesResolver,
  ContactAddressResolver,
  ContactCentersResolver,
  ContactConversationResolver,
  ContactPresencesResolver,
  ContactProfileResolver,
  ContactsResolver,
  ContactNotesResolver,
  ContactChangesResolver,
  TimelineResolver,
  TimelineEntriesResolver,
  ConversationTouchpointsResolver,
  ConversationsResolver,
  DeliveriesResolver,
  FilesResolver,
  FormFieldsResolver,
  FormResultsResolver,
  FormsResolver,
  GuestsResolver,
  InboxEntriesResolver,
  LiveResolver,
  CannedResponsesResolver,
  LocationsResolver,
  MessageAddressResolver,
  MessageAttachmentsResolver,
  MessageFormsResolver,
  MessageDeliveriesResolver,
  MessageResultsResolver,
  MessagesResolver,
  ForwardingResolver,
  NodesResolver,
  NotifiedConversationsResolver,
  OfferCandidatesResolver,
  OfferedConversationResolver,
  OffersResolver,
  OfferTracesResolver,
  OrganizationGroupsResolver,
  OrganizationsResolver,
  ParticipantsResolver,
  ContactErasuresResolver,
  ContactExportsResolver,
  PrivacyResolver,
  PushResolver,
  QueueEntriesResolver,
  DraftsResolver,
  ReplayResolver,
  ReportedResultsResolver,
  ConversationViewersResolver,
  ViewedConversationResolver,
  ReportRowsResolver,
  ReportsResolver,
  RecordChangesResolver,
  WallboardResolver,
  RoutingCodeResolver,
  RuleEventParamsResolver,
  SearchResolver,
  AuditActorResolver,
  AuditResolver,
  ServiceKindsResolver,
  ServicesResolver,
  SchedulesResolver,
  HolidayCalendarsResolver,
  LabelsResolver,
  FourEyesResolver,
  PendingChangeUsersResolver,
  HoldsResolver,
  RetentionResolver,
  RetentionRunsResolver,
  MacrosResolver,
  MacroRunsResolver,
  ViewsResolver,
  BulkResolver,
  BulkRefusalsResolver,
  BulkChangedResolver,
  MessageRatingResolver,
  RatingsResolver,
  TranscriptsResolver,
  ConversationLabelsResolver,
  SnoozeResolver,
  StreamsResolver,
  ViewCountsResolver,
  SkillsResolver,
  ReasonCodesResolver,
  SlaPoliciesResolver,
  BotsResolver,
  PausedBotsResolver,
  PausedOrganizationsResolver,
  BotPausesResolver,
  ProposalsResolver,
  ProposingBotsResolver,
  ApprovedMessagesResolver,
  ProposalChangedResolver,
  ClocksResolver,
  PlaceResolver,
  MailboxEntriesResolver,
  MailboxEntryMessagesResolver,
  SmsResolver,
  StaffingResolver,
  MailSendersResolver,
  MailOthersResolver,
  MessageMailResolver,
  RoutesResolver,
  ConversationSignatureResolver,
  ServiceHealthResolver,
  TemplatesResolver,
  UserChannelsResolver,
  UserOrganizationsResolver,
  UserFieldsResolver,
  UsersResolver,
  FeedResolver,
  TakesResolver,
  WebhookDeliveriesResolver,
  WebhooksResolver,
  WorkflowChangesResolver,
  WorkflowDraftFieldsResolver,
  WorkflowDraftsResolver,
  WorkflowHistoryResolver,
  WorkflowRulesResolver,
  WorkflowsResolver,
]

/** The resolvers' instances of each server, by its database, which every context has. */
const instancesOf = new WeakMap<Database, ReadonlyMap<Function, object>>()
const NONE: ReadonlyMap<Function, object> = new Map()
let shared: Promise<GraphQLSchema> | undefined

/**
 * Gives the schema for contexts of this database, whose resolvers are these instances. It is built once: nothing in it is a
 * server's own, and a process of tests has hundreds of servers.
 * @throws Error naming a resolver without an instance
 */
export function createSchema(database: Database, instances: readonly object[]): Promise<GraphQLSchema> {
  const byClass = new Map(instances.map((instance) => [instance.constructor, instance]))
  for (const resolver of RESOLVERS) {
    if (!byClass.has(resolver)) throw new Error(`there is no instance of ${resolver.name}`)
  }
  instancesOf.set(database, byClass)
  return (shared ??= build({ skipCheck: true }))
}

/** Builds the schema by itself, for `schema.graphql`, and checks it, which a start need not do again. */
export function schemaShape(): Promise<GraphQLSchema> {
  return build({ skipCheck: false })
}

const deliveredElsewhere = (): never => {
  throw new Error('subscriptions are delivered by the socket server')
}

async function build({ skipCheck }: { skipCheck: boolean }): Promise<GraphQLSchema> {
  const schema = await buildSchema({
    skipCheck,
    resolvers: RESOLVERS,
    container: ({ context }: { context: Context }) => instancesOf.get(context.database) ?? NONE,
    // The only permission check of both interfaces: section 5's table.
    authChecker: ({ context, info, args }, operations) => {
      const ctx = context as Context
      const isMutation = info.parentType.name === 'Mutation'
      if (isMutation) ctx.mutation = new AuditedMutation(info.fieldName, args, ctx.maybeCaller)
      for (const operation of operations) ctx.require(operation as Permission)
      if (isMutation) refuseMasked(ctx, info.fieldName, args)
      return true
    },
    // type-graphql requires one if there are subscriptions; `realtime/` delivers them.
    pubSub: { publish: deliveredElsewhere, subscribe: deliveredElsewhere },
    scalarsMap: [{ type: Date, scalar: DateTime }],
    validate: false,
  })
  for (const type of Object.values(schema.getTypeMap())) {
    // Values of a union or interface name their type. type-graphql's own resolution is asynchronous, which the compiled
    // executor does not support.
    if (isAbstractType(type)) type.resolveType = (value: { __typename: string }) => value.__typename
  }
  answerMutationsApart(schema)
  preferEmbedded(schema, { Conversation: conversationEmbeds, Participant: participantEmbeds })
  limitParts(schema)
  readEnumsByText(schema)
  describeByGlossary(schema)
  return schema
}

/**
 * Makes the results of mutations nullable: of several in one document, those that succeeded are answered beside the errors
 * of the others, which a non-null result would turn into no data at all.
 */
function answerMutationsApart(schema: GraphQLSchema): void {
  for (const field of Object.values(schema.getMutationType()!.getFields())) field.type = getNullableType(field.type)
}
