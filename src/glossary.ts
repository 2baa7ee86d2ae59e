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
  text: 'Text.',
  type: 'Type.',
  status: 'Status (section 3).',
  role: 'Role; each corresponds to a scope (section 5).',
  createdAt: 'Time of creation.',
  updatedAt: 'Time of the last change.',
  meta: "Metadata with arbitrary keys, passed on to backend automations; keys beginning with `_` are the system's (2.12).",
  organization: 'Owning organization.',
  organizationId: 'Id of the owning organization.',
  organizations: 'Ids of organizations that limit the workflow (2.7).',
  organizationTags: 'Ids of organization groups, or tags, that limit the workflow (2.7).',
  parent: 'Parent organization; null at level 1.',
  level: 'Level 1, 2 or 3 (section 1).',
  conversation: 'The conversation.',
  conversationId: 'Id of the conversation.',
  contact: 'The consumer.',
  contactId: "Id of the consumer's contact.",
  contactName: 'Name of the consumer.',
  profile: 'Profile of the contact (2.11).',
  message: 'The message.',
  messages: 'Messages, in order.',
  position: 'Position in the conversation, from 1.',
  user: 'The user.',
  userId: 'Id of the user.',
  users: 'Ids of users.',
  members: 'Members.',
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
  url: 'Address.',
  email: 'Email address.',
  phone: 'Telephone number.',
  telephone: 'Telephone number, E.164.',
  givenName: 'Given name.',
  additionalName: 'Additional name, such as a middle name.',
  familyName: 'Family name.',
  honorificPrefix: 'Title before the name, such as `Dr`.',
  honorificSuffix: 'Title after the name, such as `PhD`.',
  gender: 'Gender as given by the contact.',
  worksFor: 'Company.',
  address: 'Postal address.',
  streetAddress: 'Street.',
  streetNumber: 'House number.',
  postalCode: 'Postal code.',
  addressLocality: 'City.',
  addressRegion: 'Region or province.',
  addressCountry: 'Country.',
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
  reason: 'Reason.',
  outcome: 'Outcome.',
  conditions: 'Conditions: `all` or `any` of leaves `{fact, path, operator, value}` (4.6).',
  event: 'Action of the rule when its conditions hold (2.7).',
  params: 'Parameters.',
  cursor: 'Cursor to resume after this position, by `after`.',
  node: 'The record.',
  edges: 'Records of the page.',
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
  createOrganizationGroup: 'Creates a group of organizations (4.3).',
  updateOrganizationGroup: 'Updates a group. Only the given keys change.',
  organizationGroup: 'A group of organizations (2.5).',
  organizationGroups: "Groups in and below the caller's organization (2.5).",
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
        field.description ??= FIELDS[field.name]
        for (const argument of field.args) {
          argument.description ??= ARGUMENTS[argument.name] ?? FIELDS[argument.name]
        }
      }
    } else if (isInputObjectType(type)) {
      for (const field of Object.values(type.getFields())) field.description ??= inputDescription(type.name, field.name)
    } else if (isEnumType(type)) {
      for (const value of type.getValues()) value.description ??= enumDescription(type.name, value.name)
    }
  }
}

function inputDescription(type: string, field: string): string | undefined {
  if (!type.endsWith('Filter')) return FIELDS[field]
  return (
    COMPARISONS[field] ?? (FIELDS[field] && `Condition on the field: ${FIELDS[field]}`) ?? `Condition on \`${field}\`.`
  )
}

function enumDescription(type: string, value: string): string | undefined {
  return type.endsWith('OrderField') ? `Sorts by \`${value}\`.` : ENUM_VALUES[`${type}.${value}`]
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
  Query: 'Queries.',
  Mutation: 'Mutations; each is one transaction.',
  Subscription: 'Subscriptions over graphql-transport-ws; each begins with a snapshot, or after a cursor.',
}
