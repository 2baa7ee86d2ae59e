import {
  isEnumType,
  isInputObjectType,
  isInterfaceType,
  isObjectType,
  isSpecifiedScalarType,
  type GraphQLNamedType,
  type GraphQLSchema,
} from 'graphql'

/**
 * Descriptions of fields and arguments that have none of their own, by name, so that they are the same everywhere.
 * Sections are those of the interface specification.
 */
const FIELDS: Readonly<Record<string, string>> = {
  id: 'Unique identifier, a UUIDv7.',
  name: 'Name, for display.',
  displayName: 'Name shown in user interfaces.',
  description: 'Text below the title.',
  title: 'Heading.',
  status: 'State of its life cycle (section 3).',
  role: 'Role; each corresponds to a scope (section 5).',
  createdAt: 'Time of creation.',
  updatedAt: 'Time of the last change.',
  version: 'Counts its changes, from 1; `ifVersion` of a change names it.',
  meta: "Metadata with arbitrary keys, passed on to backend automations; keys beginning with `_` are the system's (2.12).",
  organization: 'Owning organization.',
  area: 'Part of the set-up in which two administrators are needed.',
  object: 'Id of the record that is changed.',
  orgPath: 'Ids of the owning organization and its ancestors, joined by `#`, its own last (2.4).',
  organizationId: 'Id of the owning organization.',
  organizations: 'Ids of organizations that limit the workflow (2.7).',
  organizationTags: 'Ids of organization groups, or tags, that limit the workflow (2.7).',
  parent: 'Parent organization; null at level 1.',
  level: 'Level 1, 2 or 3 (section 1).',
  conversationId: 'Id of the conversation to which it belongs.',
  conversation: 'Id of a conversation.',
  message: 'Id of a message.',
  hold: 'Id of a legal hold.',
  policy: 'Id of a retention policy.',
  days: 'Number of days.',
  subject: 'Kind of the records.',
  deed: 'Act before which the message was kept.',
  contact: 'The consumer.',
  contactId: "Id of the consumer's contact.",
  contactName: 'Name of the consumer.',
  profile: 'Profile of the contact (2.11).',
  messages: 'Messages, in order.',
  position: 'Position in the conversation, from 1.',
  users: 'Ids of users.',
  members: 'Ids of the organizations or users that belong to it.',
  memberIds: 'Ids of the member organizations.',
  participants: 'Users who take part (3.2).',
  channel: 'Id of the channel.',
  channels: 'Ids of notified channels.',
  channelsOffline: 'Ids of channels that had no active subscriber when a rule chose them (3.4).',
  createdBy: 'The user who created the conversation.',
  createdById: 'Id of the user who created the conversation.',
  touchpoint: 'Touchpoint to the consumer.',
  category: "The active category, one of the organization's.",
  categoryIndex: "Zero-based index of the category in the organization's categories.",
  categories: 'Conversation tags; at most one is active in a conversation (2.4).',
  language: 'Language, as two lower-case letters (ISO 639-1).',
  locale: 'Language and region, such as `nl` or `nl_NL`.',
  country: 'Two-letter country code (ISO 3166).',
  industry: 'Industry, which workflows can use as a fact (4.6).',
  slug: 'Short identifier for addresses.',
  url: 'Address on the web.',
  email: 'Email address.',
  phone: 'Telephone number.',
  telephone: 'Telephone number, E.164.',
  givenName: 'Given name: in many cultures the first one.',
  additionalName: 'Additional name, such as a middle name.',
  familyName: 'Family name: in many cultures the last one.',
  honorificPrefix: 'Title before the name, such as `Dr`.',
  honorificSuffix: 'Title after the name, such as `PhD`.',
  gender: 'Gender as given by the contact.',
  worksFor: 'Company.',
  address: 'Postal address.',
  streetAddress: 'Name of the street; `streetNumber` is the house number.',
  streetNumber: 'House number.',
  postalCode: 'Postal code, as it is written in its country.',
  addressLocality: 'City.',
  addressRegion: 'Region or province.',
  addressCountry: 'Country, as a name or a code.',
  city: 'City; the name used by some integrations.',
  provider: 'Authentication provider; `local` means by password.',
  lastLogin: 'Time when the user last signed in.',
  settings: 'Preferences (2.3).',
  tags: 'Resource sharing tags (4.3).',
  stopwords: 'Words for which the agent UI shows a warning when typed.',
  commands: 'Bot commands shown to agents.',
  isStatic: 'Whether the form is always available, independent of categories (4.6).',
  isBackchannel: 'Whether the message is only shown to agents and never sent to the consumer.',
  likes: 'Ids of users who like the message.',
  service: 'The service to send by.',
  serviceId: 'Id of the service.',
  at: 'Time of the event.',
  delivery: 'Id of the delivery.',
  contentType: 'Format of `text`.',
  actions: 'Buttons (2.10).',
  items: 'List elements (2.10).',
  payload: 'Payload that a click sends.',
  fallback: 'Address for clients without webviews.',
  size: 'A hint for the layout, such as `compact` or `full`.',
  iconUrl: 'Address of an icon.',
  mediaUrl: 'Address of an image or another medium.',
  mediaType: 'Media type, such as `image/png`.',
  queuedAt: 'Time at which the conversation was queued.',
  lastMessageAt: 'Time of the last message.',
  unreadCount: "Number of others' messages since the user last read or wrote.",
  inbox: "Whether the conversation is in the user's inbox (3.2).",
  accepted: 'Whether the user has accepted the conversation (3.2).',
  active: 'Whether the user is an active participant (3.2).',
  follow: "Whether consumer messages add the conversation to the user's inbox (3.2).",
  typing: 'Whether typing has started; false when it has stopped.',
  entry: 'The entry to show.',
  conditions: 'Conditions: `all` or `any` of leaves `{fact, path, operator, value}` (4.6).',
  event: 'Action of the rule when its conditions hold (2.7).',
  params: 'Values that its kind takes, by name.',
  cursor: 'Cursor to resume after this position, by `after`.',
  node: 'The record.',
  edges: 'Records of the page, each with its cursor.',
  nodes: 'Records of the page: those of `edges`, for clients that need no cursors.',
  pageInfo: 'Position of the page in the list.',
  hasNextPage: 'Whether further records follow.',
  hasPreviousPage: 'Whether there are earlier records.',
  startCursor: 'Cursor of the first record.',
  endCursor: 'Cursor of the last record.',
  field: 'The field to sort by.',
  direction: 'Direction; ascending by default.',
  timezoneSet: 'Whether the user set the time zone manually.',
  localeSet: 'Whether the user set the locale manually.',
  audioOnChat: 'Sound when the queue grows.',
  audioOnMessage: 'Sound on new messages.',
  notifyOnChat: 'Desktop notification when the queue grows.',
  notifyOnMessage: 'Desktop notification on each incoming message.',
  tabdotNotify: 'Browser tab notification on queued conversations.',
  tabdotMessage: 'Browser tab notification on unread messages.',
  pushNotify: 'Mobile push notifications of the inbox.',
  focusOnAccept: 'Whether to open conversations when they are accepted; true by default below level 1.',
  notifications: 'Notification roles of the user.',
  cannedResponses: 'Canned responses; may contain placeholders such as `{{ givenName }}`.',
  createOrganizationGroup: 'Creates a group of organizations, with which records are shared (4.3).',
  updateOrganizationGroup: 'Updates a group. Only the given keys change.',
  organizationGroup: 'A group of organizations by its id (2.5).',
  organizationGroups: "Groups in and below the caller's organization (2.5).",
}

/** Descriptions of fields of one type, where those of the name alone would say nothing. */
const FIELDS_OF_TYPES: Readonly<Record<string, string>> = {
  'ArticleFilter.content': 'The body, under its second name in `/v2`.',
  'AuditEntryFilter.action': 'Name of the mutation, or `signIn`, `signInRefused`, `signOut`, `resetPassword`.',
  'AuditEntryFilter.actor': 'Id of the user or contact who did it.',
  'AuditEntryFilter.object': 'Id of the record that it is about.',
  'AuditEntryFilter.objectType': 'Type of the record that it is about, such as `user`.',
  'ContactFilter.conversation': 'Id of a conversation of the contact.',
  'ContactOrderField.email': 'Email address of the profile.',
  'ContactOrderField.name': 'Name of the profile.',
  'ContactOrderField.telephone': 'Telephone number of the profile.',
  'ConversationFilter.assignee': 'Id of a user who has accepted the conversation, while it is active.',
  'ConversationFilter.awaitsAnswer': 'Whether the consumer wrote last, and nobody has answered.',
  'ConversationFilter.caseChannels': 'Ids of the channels that were notified of the present case.',
  'ConversationFilter.labels': 'Id of a label that is on it.',
  'ConversationFilter.nextDue': 'Time at which the next of its clocks (SLA) is due; null while none runs.',
  'ConversationOrderField.nextDue': 'Time at which the next of its clocks (SLA) is due; null while none runs.',
  'ConversationFilter.snoozed': 'Whether it is put aside.',
  'ConversationFilter.unread': 'Whether it has messages that the caller, who takes part in it, has not read.',
  'ConversationFilter.snoozedBy': 'Id of the user who has put it aside.',
  'ConversationFilter.snoozedUntil': 'Time until which it is put aside; null if it is not.',
  'FileFilter.attachment': 'Id of the attachment that has its content; null for an external address.',
  'MessageFilter.conversation': 'Id of the conversation in which it was sent.',
  'MessageFilter.user': 'Id of the user who sent it; null for a consumer.',
  'AttachmentFilter.user': 'Id of the user who uploaded it; null for a consumer.',
  'ChannelMemberFilter.user': 'Id of the member.',
  'ParticipantFilter.user': 'Id of the user who takes part.',
  'SlaPolicyFilter.schedule': 'Id of the schedule whose open time counts.',
  'WebhookDeliveryFilter.conversation': 'Id of the conversation that the event is about; null if there is none.',
  'Action.type': 'Effect of a click.',
  'ActionInput.type': 'Effect of a click.',
  'AgentState.userId': 'Id of the agent.',
  'ChannelMember.userId': 'Id of the agent.',
  'Comment.text': 'Body of the comment, as its author wrote it.',
  'Conversation.type': 'Kind of those who talk: with a consumer, with a bot, or agents among themselves.',
  'ConversationChanged.conversation': 'State after the change.',
  'ConversationRemoved.conversationId': 'Id of the conversation that is gone.',
  'ConversationSnapshot.conversation': 'State at `cursor`.',
  'ConversationViewer.user': 'Profile of the viewer; null if the user has been deleted.',
  'ConversationViewer.userId': 'Id of the viewer.',
  'Draft.conversation': 'Id of the conversation for which it is written.',
  'Draft.text': 'Body of the message so far.',
  'DraftChanged.conversation': 'Id of the conversation for which the draft is written.',
  'InboxEntry.conversation': 'Id of the conversation that is shown.',
  'InboxEntryRemoved.conversation': 'Id of the conversation that left the inbox.',
  'Message.conversation': 'The conversation in which it was sent.',
  'Message.conversationId': 'Id of the conversation in which it was sent.',
  'Message.type': 'Kind of content, on which the meaning of `text`, `items` and `meta` depends (2.9).',
  'MessageAdded.message': 'The new message.',
  'MessageChanged.message': 'State after the change.',
  'MessageInput.text': 'Body in the format of `contentType`; for an image, its address.',
  'MyConversationRemoved.conversation': 'Id of the conversation that left the list.',
  'NotifiedConversation.conversation': 'Id of the conversation that was queued.',
  'Offer.conversation': 'The conversation that is offered.',
  'Offer.conversationId': 'Id of the conversation that is offered.',
  'Offer.user': 'Profile of the agent to whom it is made; null if the user has been deleted.',
  'Offer.userId': 'Id of the agent to whom it is made.',
  'OfferCandidate.outcome': 'Whether the agent was chosen, or the first ground against it.',
  'OfferCandidate.user': 'Profile of the member; null if the user has been deleted.',
  'OfferCandidate.userId': 'Id of the member.',
  'OfferEnded.conversation': 'Id of the conversation that was offered.',
  'OfferEnded.outcome': 'Whether it was accepted, declined, expired or withdrawn.',
  'OfferTrace.userId': 'Id of the agent to whom it was made.',
  'Participant.conversationId': 'Id of the conversation in which the user takes part.',
  'Participant.userId': 'Id of the user who takes part.',
  'QueueEntry.conversation': 'Id of the conversation that waits.',
  'QueueEntryRemoved.conversation': 'Id of the conversation that left the queue.',
  'QueueEntryRemoved.reason': 'Event that ended the wait in this queue.',
  'ReplayChange.conversation': 'Id of the conversation that was queued.',
  'ReportLine.channel': 'Channel that the line counts.',
  'ReportLine.organization': 'Organization that the line counts.',
  'ReportLine.touchpoint': 'Touchpoint that the line counts.',
  'ReportLine.user': 'Agent that the line counts.',
  'RoutingTraceEntry.outcome': 'Whether the rule notified, waits, did not match, or was passed over.',
  'UpdateMessageInput.text': 'New body.',
  'WebhookDelivery.conversationId': 'Id of the conversation that the event is about; null if there is none.',
  'WebhookDelivery.serviceId': 'Id of the webhook to which it is sent.',
  'WebhookReplay.serviceId': 'Id of the webhook to which events are sent again.',
}

/** Operators of a filter's comparison. */
const COMPARISONS: Readonly<Record<string, string>> = {
  eq: 'Equal to the value; null means that there is no value.',
  ne: 'Not equal to the value; null means that there is a value.',
  in: 'Equal to any of the values.',
  contains: 'Contains the text, ignoring case.',
  startsWith: 'Begins with the text.',
  endsWith: 'Ends with the text.',
  gt: 'Greater than the value.',
  gte: 'Greater than or equal to the value.',
  lt: 'Less than the value.',
  lte: 'Less than or equal to the value.',
}

const ARGUMENTS: Readonly<Record<string, string>> = {
  conversation: 'Id of the conversation; NOT_FOUND if the caller does not see it.',
  message: 'Id of a message in the conversation.',
  user: "Id of a user in or below the caller's organization; NOT_FOUND otherwise.",
  id: 'Id of the record.',
  input: 'The new record.',
  patch: 'The changes. Only the given keys change; null clears.',
  idempotencyKey: 'Key chosen by the client: for 24 hours, the same key and input return the first response again.',
  filter: 'Conditions that must all hold.',
  orderBy: 'Sort terms, most significant first.',
  all: 'Whether to end all sign-ins of the caller.',
  password: 'Password of at least 8 characters.',
  refreshToken: 'The most recently received refresh token.',
  rule: 'Id of the rule.',
  workflow: 'Id of the workflow.',
}

const ENUM_VALUES: Readonly<Record<string, string>> = {
  'OrderDirection.ASC': 'Ascending.',
  'OrderDirection.DESC': 'Descending.',
  'UserLocale.EN': 'English.',
  'UserLocale.NL': 'Dutch.',
  'UserLocale.DE': 'German.',
  'UserLocale.FR': 'French.',
  'UserRole.VIEWER': 'Scope `guest`.',
  'UserRole.AGENT': 'Scope `agent`: talks to consumers.',
  'UserRole.BOT': 'Scope `bot`: an automation with an API token.',
  'UserRole.ADMIN': 'Scope `admin`.',
  'UserRole.OWNER': 'Scope `admin`; only owners change owners.',
  'UserStatus.QUEUED': 'Created, but has not signed in yet.',
  'UserStatus.INVITED': 'Invited by mail.',
  'UserStatus.ACTIVE': 'Signs in.',
  'UserStatus.ARCHIVED': 'Can no longer sign in.',
}

/** Adds descriptions, by name, to fields and arguments that have none. */
export function describeByGlossary(schema: GraphQLSchema): void {
  for (const type of Object.values(schema.getTypeMap())) {
    if (type.name.startsWith('__') || isSpecifiedScalarType(type)) continue
    type.description ??= typeDescription(type)
    if (isObjectType(type) || isInterfaceType(type)) {
      for (const field of Object.values(type.getFields())) {
        field.description ??= fieldDescription(type.name, field.name)
        for (const argument of field.args) {
          argument.description ??= ARGUMENTS[argument.name] ?? FIELDS[argument.name]
        }
      }
    } else if (isInputObjectType(type) && !type.name.endsWith(FILTER)) {
      for (const field of Object.values(type.getFields())) field.description ??= fieldDescription(type.name, field.name)
    } else if (isEnumType(type)) {
      for (const value of type.getValues()) value.description ??= ENUM_VALUES[`${type.name}.${value.name}`]
    }
  }
  describeLists(schema)
}

const FILTER = 'Filter'
const ORDER_FIELD = 'OrderField'

/** Describes filters and sort fields by what the records' own fields are. */
function describeLists(schema: GraphQLSchema): void {
  const ofRecord = (list: string, suffix: string, field: string): string | undefined => {
    const type = schema.getType(list.slice(0, -suffix.length))
    const own = isObjectType(type) ? type.getFields()[field]?.description : undefined
    return FIELDS_OF_TYPES[`${list}.${field}`] ?? own ?? FIELDS[field]
  }
  for (const type of Object.values(schema.getTypeMap())) {
    if (isInputObjectType(type) && type.name.endsWith(FILTER)) {
      for (const field of Object.values(type.getFields())) {
        const described = COMPARISONS[field.name] ?? ofRecord(type.name, FILTER, field.name)
        field.description ??=
          described && (COMPARISONS[field.name] ? described : `Condition on the field: ${described}`)
      }
    } else if (isEnumType(type) && type.name.endsWith(ORDER_FIELD)) {
      for (const value of type.getValues()) {
        const described = ofRecord(type.name, ORDER_FIELD, value.value as string)
        value.description ??= described && `Sorts by the field: ${described}`
      }
    }
  }
}

function fieldDescription(type: string, field: string): string | undefined {
  return FIELDS_OF_TYPES[`${type}.${field}`] ?? FIELDS[field]
}

function typeDescription({ name }: GraphQLNamedType): string | undefined {
  if (name.endsWith('Edge')) return 'A record of a page with its cursor (Relay).'
  if (name.endsWith('Order')) return 'A sort term.'
  if (name.endsWith('Filter')) return 'Conditions of which all given ones must hold.'
  return TYPES[name]
}

const TYPES: Readonly<Record<string, string>> = {
  ContactAddressInput: 'Postal address of a contact (2.11).',
  OrganizationCategoryInput: 'A conversation tag (2.4).',
  RuleEventInput: 'Action of a rule when its conditions hold (2.7).',
  RuleEventParamsInput: 'Parameters of `notify` (2.7).',
  Query: 'Queries: what they return is limited to what the caller may see.',
  Mutation: 'Mutations; each is one transaction.',
  Subscription: 'Subscriptions over graphql-transport-ws; each begins with a snapshot, or after a cursor.',
}
