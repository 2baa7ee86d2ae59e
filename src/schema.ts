import 'reflect-metadata'
import { GraphQLSchema, isAbstractType } from 'graphql'
import { buildSchema, type NonEmptyArray } from 'type-graphql'
import type { Permission } from './access/permissions.js'
import { ArticlesResolver } from './articles/articles-resolver.js'
import { AttachmentsResolver } from './attachments/attachments-resolver.js'
import { AuthResolver } from './auth/auth-resolver.js'
import { ChannelMembersResolver, ChannelsResolver, UserChannelsResolver } from './channels/channels-resolver.js'
import { ContactAddressResolver, ContactProfileResolver } from './contacts/contact-custom-resolver.js'
import { ContactsResolver } from './contacts/contacts-resolver.js'
import type { Context } from './context.js'
import { ActionsResolver } from './conversations/api/actions-resolver.js'
import { CommandsResolver } from './conversations/api/commands-resolver.js'
import { ContactConversationResolver } from './conversations/api/contact-conversation-resolver.js'
import { ContactPresencesResolver } from './conversations/api/contact-presences-resolver.js'
import { conversationEmbeds } from './conversations/api/conversation.js'
import { ConversationTouchpointsResolver } from './conversations/api/conversation-touchpoints.js'
import { ConversationsResolver, ParticipantsResolver } from './conversations/api/conversations-resolver.js'
import { AgentStatesResolver } from './conversations/live/agent-states-resolver.js'
import { LiveResolver } from './conversations/live/live-resolver.js'
import { DraftsResolver } from './conversations/live/drafts-resolver.js'
import {
  InboxEntriesResolver,
  NotifiedConversationsResolver,
  QueueEntriesResolver,
} from './conversations/live/entries-resolver.js'
import { MessageAddressResolver } from './conversations/api/message-address-resolver.js'
import { MessageAttachmentsResolver } from './conversations/api/message-attachments-resolver.js'
import { MessageFormsResolver } from './conversations/api/message-forms-resolver.js'
import { DeliveriesResolver, MessageDeliveriesResolver } from './conversations/api/message-deliveries-resolver.js'
import { MessagesResolver } from './conversations/api/messages-resolver.js'
import {
  OfferCandidatesResolver,
  OfferedConversationResolver,
  OffersResolver,
  OfferTracesResolver,
} from './conversations/api/offers-resolver.js'
import { participantEmbeds } from './conversations/api/participant.js'
import { FilesResolver } from './files/files-resolver.js'
import { ActiveFormsResolver, FormResultsResolver } from './forms/form-result.js'
import { CategoryFormsResolver, FormFieldsResolver, FormsResolver } from './forms/forms-resolver.js'
import { ErrorCodeEnum } from './graphql/error-code-enum.js'
import { readEnumsByText } from './graphql/enum-input.js'
import { limitParts } from './graphql/limit-parts.js'
import { describeByGlossary } from './glossary.js'
import { preferEmbedded } from './lists/embedded.js'
import { DateTime } from './lists/scalars.js'
import { CannedResponsesResolver } from './canned-responses/canned-responses-resolver.js'
import { ConversationViewersResolver, ViewedConversationResolver } from './conversations/api/viewers.js'
import { ReplayResolver } from './conversations/api/replay-resolver.js'
import { LocationsResolver } from './locations/locations-resolver.js'
import { MessageResultsResolver, ReportedResultsResolver } from './messages/message-results.js'
import { NodesResolver } from './nodes/nodes-resolver.js'
import { OrganizationGroupsResolver } from './organizations/organization-groups-resolver.js'
import { OrganizationsResolver } from './organizations/organizations-resolver.js'
import { ReportRowsResolver, ReportsResolver } from './reports/reports-resolver.js'
import { WallboardResolver } from './reports/wallboard-resolver.js'
import { SearchResolver } from './search/search-resolver.js'
import { ServicesResolver } from './services/services-resolver.js'
import { SchedulesResolver } from './schedules/schedules-resolver.js'
import { SlaPoliciesResolver } from './sla/sla-policies-resolver.js'
import { ClocksResolver } from './conversations/api/clocks-resolver.js'
import { PlaceResolver } from './conversations/api/place-resolver.js'
import { SkillsResolver } from './staffing/skills-resolver.js'
import { StaffingResolver } from './staffing/staffing-resolver.js'
import { MailSendersResolver } from './touchpoints/email/mail-senders-resolver.js'
import { SmsResolver } from './touchpoints/sms/sms-resolver.js'
import { PushResolver } from './push/push-resolver.js'
import { PrivacyResolver } from './privacy/privacy-resolver.js'
import { GuestsResolver } from './touchpoints/web/guests-resolver.js'
import { UserOrganizationsResolver, UsersResolver } from './users/users-resolver.js'
import { WebhookDeliveriesResolver, WebhooksResolver } from './webhooks/webhooks-resolver.js'
import { ConditionTracesResolver } from './workflows/condition-trace-object.js'
import { WorkflowRulesResolver } from './workflows/workflow-rules-resolver.js'
import { WorkflowsResolver } from './workflows/workflows-resolver.js'

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
  CategoryFormsResolver,
  ChannelMembersResolver,
  ChannelsResolver,
  CommandsResolver,
  ConditionTracesResolver,
  ContactAddressResolver,
  ContactConversationResolver,
  ContactPresencesResolver,
  ContactProfileResolver,
  ContactsResolver,
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
  NodesResolver,
  NotifiedConversationsResolver,
  OfferCandidatesResolver,
  OfferedConversationResolver,
  OffersResolver,
  OfferTracesResolver,
  OrganizationGroupsResolver,
  OrganizationsResolver,
  ParticipantsResolver,
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
  WallboardResolver,
  SearchResolver,
  ServicesResolver,
  SchedulesResolver,
  SkillsResolver,
  SlaPoliciesResolver,
  ClocksResolver,
  PlaceResolver,
  SmsResolver,
  StaffingResolver,
  MailSendersResolver,
  UserChannelsResolver,
  UserOrganizationsResolver,
  UsersResolver,
  WebhookDeliveriesResolver,
  WebhooksResolver,
  WorkflowRulesResolver,
  WorkflowsResolver,
]

/** Builds the schema with the resolvers' instances. @throws Error naming a resolver without an instance */
export function createSchema(instances: readonly object[]): Promise<GraphQLSchema> {
  const byClass = new Map(instances.map((instance) => [instance.constructor, instance]))
  for (const resolver of RESOLVERS) {
    if (!byClass.has(resolver)) throw new Error(`there is no instance of ${resolver.name}`)
  }
  return build((resolver) => byClass.get(resolver))
}

/** Builds the schema without instances, for `schema.graphql`. */
export function schemaShape(): Promise<GraphQLSchema> {
  return build(() => undefined)
}

const deliveredElsewhere = (): never => {
  throw new Error('subscriptions are delivered by the socket server')
}

async function build(instanceOf: (resolver: Function) => object | undefined): Promise<GraphQLSchema> {
  const made = await buildSchema({
    resolvers: RESOLVERS,
    container: { get: (resolver) => instanceOf(resolver) },
    // The only permission check of both interfaces: section 5's table.
    authChecker: ({ context }, operations) => {
      for (const operation of operations) (context as Context).require(operation as Permission)
      return true
    },
    // type-graphql requires one if there are subscriptions; `realtime/` delivers them.
    pubSub: { publish: deliveredElsewhere, subscribe: deliveredElsewhere },
    scalarsMap: [{ type: Date, scalar: DateTime }],
    validate: false,
  })
  const { types, ...config } = made.toConfig()
  // Codes stand in `extensions`, which have no type: the enum is there for whoever generates code from the schema.
  const schema = new GraphQLSchema({ ...config, types: [...types, ErrorCodeEnum] })
  for (const type of Object.values(schema.getTypeMap())) {
    // Values of a union or interface name their type. type-graphql's own resolution is asynchronous, which the compiled
    // executor does not support.
    if (isAbstractType(type)) type.resolveType = (value: { __typename: string }) => value.__typename
  }
  preferEmbedded(schema, { Conversation: conversationEmbeds, Participant: participantEmbeds })
  limitParts(schema)
  readEnumsByText(schema)
  describeByGlossary(schema)
  return schema
}
