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
 * What a word means wherever the schema uses it without saying more: said once, so that it is said the same everywhere.
 * Sections are those of the interface specification.
 */
const FIELDS: Readonly<Record<string, string>> = {
  id: 'Unique identifier, a UUIDv7.',
  name: 'Name, shown to people.',
  displayName: 'Shown in user interfaces.',
  description: 'Text below the title.',
  title: 'Heading.',
  text: 'What it says.',
  type: 'Its kind.',
  status: 'Its state (section 3).',
  role: 'Role; each corresponds to a scope (section 5).',
  createdAt: 'When it was made.',
  updatedAt: 'When it last changed.',
  meta: "Metadata: free keys, passed on to backend automations; those beginning with `_` are the system's (2.12).",
  organization: 'Owning organization.',
  organizationId: 'Id of the owning organization.',
  organizations: 'Ids of organizations that limit the workflow (2.7).',
  organizationTags: 'Ids of organization groups, or tags, that limit the workflow (2.7).',
  parent: 'The organization above; null at level 1.',
  level: '1, 2 or 3 (section 1).',
  conversation: 'The conversation.',
  conversationId: 'Id of the conversation.',
  contact: 'The consumer.',
  contactId: "Id of the consumer's contact.",
  contactName: 'Name of the consumer.',
  profile: 'Who the contact is (2.11).',
  message: 'The message.',
  messages: 'Messages, in order.',
  position: 'Place in the conversation, from 1.',
  user: 'The user.',
  userId: 'Id of the user.',
  users: 'Ids of users.',
  members: 'Members.',
  memberIds: 'Ids of the member organizations.',
  participants: 'Users who take part (3.2).',
  channel: 'Id of the channel.',
  channels: 'Ids of channels that are notified.',
  channelsOffline: 'Ids of channels that had no active subscriber when a rule chose them (3.4).',
  createdBy: 'Who made it.',
  createdById: 'Id of the user who made it.',
  touchpoint: 'The way to the consumer.',
  category: "The active one of the organization's categories.",
  categoryIndex: 'Zero-based place of the category in the organization.',
  categories: 'Conversation tags; at most one is active in a conversation (2.4).',
  language: 'Two lower-case letters (ISO 639-1).',
  locale: 'Language and region, such as `nl` or `nl_NL`.',
  country: 'Two letters (ISO 3166).',
  industry: 'Stored only; a fact of workflows (4.6).',
  slug: 'A short identifier for addresses.',
  url: 'Address.',
  email: 'Email address.',
  phone: 'Telephone number.',
  telephone: 'Telephone number, E.164.',
  givenName: 'Given name.',
  additionalName: 'Additional name, such as a middle name.',
  familyName: 'Family name.',
  honorificPrefix: 'Such as `Dr`.',
  honorificSuffix: 'Such as `PhD`.',
  gender: 'As the contact gives it.',
  worksFor: 'Company.',
  address: 'Postal address.',
  streetAddress: 'Street.',
  streetNumber: 'House number.',
  postalCode: 'Postal code.',
  addressLocality: 'City.',
  addressRegion: 'Region or province.',
  addressCountry: 'Country.',
  city: 'City, as some integrations name it.',
  provider: 'How the user signs in; `local`: by password.',
  lastLogin: 'When the user last signed in.',
  settings: 'Preferences (2.3).',
  tags: 'Resource sharing tags (4.3).',
  stopwords: 'Typing one shows a warning in the agent UI.',
  commands: 'Bot commands shown to agents.',
  isStatic: 'Always there, not bound to a category (4.6).',
  isBackchannel: "In the agents' stream only, never routed to the consumer.",
  likes: 'Ids of users who like it.',
  service: 'The service it is aimed at.',
  serviceId: 'Id of the service.',
  at: 'When it happened.',
  delivery: 'Id of the delivery.',
  contentType: 'How `text` is to be read.',
  actions: 'Buttons (2.10).',
  items: 'List elements (2.10).',
  payload: 'What a click sends.',
  fallback: 'Address for clients without webviews.',
  size: 'A hint for the layout, such as `compact` or `full`.',
  iconUrl: 'Address of an icon.',
  mediaUrl: 'Address of an image or another medium.',
  mediaType: 'Media type, such as `image/png`.',
  queuedAt: 'Since when it waits.',
  lastMessageAt: 'When the last message was added.',
  unreadCount: "Others' messages since the user last read or wrote.",
  inbox: 'It is in the inbox (3.2).',
  accepted: 'The user has accepted it (3.2).',
  active: 'The user takes part (3.2).',
  follow: 'Consumer messages bring it to the inbox (3.2).',
  typing: 'True while somebody types.',
  entry: 'What the screen shows.',
  reason: 'Why.',
  outcome: 'What became of it.',
  conditions: 'Conditions: `all` or `any` of leaves `{fact, path, operator, value}` (4.6).',
  event: 'What the rule does when its conditions hold (2.7).',
  params: 'Parameters.',
  cursor: 'Present it as `after` to go on from here.',
  node: 'The record.',
  edges: 'The rows of the page.',
  pageInfo: 'Where the page stands in the list.',
  hasNextPage: 'More rows follow.',
  hasPreviousPage: 'Rows stand before.',
  startCursor: 'Cursor of the first row.',
  endCursor: 'Cursor of the last row.',
  field: 'The field to sort by.',
  direction: 'Ascending when absent.',
  timezoneSet: 'The user set the timezone by hand.',
  localeSet: 'The user set the locale by hand.',
  audioOnChat: 'Sound when the queue grows.',
  audioOnMessage: 'Sound on new messages.',
  notifyOnChat: 'Desktop notification when the queue grows.',
  notifyOnMessage: 'Desktop notification on each incoming message.',
  tabdotNotify: 'Browser tab notification on queued conversations.',
  tabdotMessage: 'Browser tab notification on unread messages.',
  pushNotify: 'Mobile push notifications of the inbox.',
  focusOnAccept: 'Open conversations when they are accepted; by default true below level 1.',
  notifications: 'Notification roles of the user.',
  cannedResponses: 'Texts to answer with; may hold placeholders such as `{{ givenName }}`.',
  createOrganizationGroup: 'Makes a group of organizations (4.3).',
  updateOrganizationGroup: 'Changes a group; only the given keys.',
  organizationGroup: 'One group of organizations (2.5).',
  organizationGroups: "Groups in and below the caller's organization (2.5).",
}

/** Comparisons of a filter. */
const COMPARISONS: Readonly<Record<string, string>> = {
  eq: 'Equal; null: has no value.',
  ne: 'Not equal; null: has a value.',
  in: 'Equal to any of these.',
  contains: 'Contains it, whatever the case.',
  startsWith: 'Begins with it.',
  endsWith: 'Ends with it.',
  gt: 'Greater.',
  gte: 'Greater or equal.',
  lt: 'Less.',
  lte: 'Less or equal.',
}

const ARGUMENTS: Readonly<Record<string, string>> = {
  id: 'Its id.',
  input: 'The new record.',
  patch: 'Only the given keys change; null clears.',
  idempotencyKey: 'Chosen by the client: the same key and input give the first answer again, for 24 hours.',
  filter: 'Conditions that all must hold.',
  orderBy: 'Terms to sort by, the first one first.',
  all: 'All sign-ins of the caller.',
  password: 'At least 8 characters.',
  refreshToken: 'The refresh token received last.',
  rule: "The rule's id.",
  workflow: "The workflow's id.",
}

const ENUM_VALUES: Readonly<Record<string, string>> = {
  'OrderDirection.ASC': 'Smallest first.',
  'OrderDirection.DESC': 'Greatest first.',
  'UserLocale.EN': 'English.',
  'UserLocale.NL': 'Dutch.',
  'UserLocale.DE': 'German.',
  'UserLocale.FR': 'French.',
  'UserRole.VIEWER': 'Scope `guest`.',
  'UserRole.AGENT': 'Scope `agent`: talks to consumers.',
  'UserRole.BOT': 'Scope `bot`: an automation with an API token.',
  'UserRole.ADMIN': 'Scope `admin`.',
  'UserRole.OWNER': 'Scope `admin`; only owners change owners.',
  'UserStatus.QUEUED': 'Made, and has not signed in yet.',
  'UserStatus.INVITED': 'Was invited by mail.',
  'UserStatus.ACTIVE': 'Signs in.',
  'UserStatus.ARCHIVED': 'Can no longer sign in.',
}

/** Gives what has no description of its own that of its word. */
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
  return COMPARISONS[field] ?? (FIELDS[field] && `By: ${FIELDS[field]}`) ?? `By ${field}.`
}

function enumDescription(type: string, value: string): string | undefined {
  return type.endsWith('OrderField') ? `By \`${value}\`.` : ENUM_VALUES[`${type}.${value}`]
}

function typeDescription({ name }: GraphQLNamedType): string | undefined {
  if (name.endsWith('Edge')) return 'A row of a page and its cursor (Relay).'
  if (name.endsWith('Order')) return 'A term to sort by.'
  if (name.endsWith('Filter')) return 'All given conditions must hold.'
  return TYPES[name]
}

const TYPES: Readonly<Record<string, string>> = {
  ContactAddressInput: 'Where a contact lives or works (2.11).',
  OrganizationCategoryInput: 'A conversation tag (2.4).',
  RuleEventInput: 'What a rule does when its conditions hold (2.7).',
  RuleEventParamsInput: 'Parameters of `notify` (2.7).',
  Query: 'What can be read.',
  Mutation: 'What can be changed. Each is one transaction.',
  Subscription: 'What can be followed live, over graphql-transport-ws. Each begins with a snapshot, or after a cursor.',
}
