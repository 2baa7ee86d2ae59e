import { read } from './documents.mjs'

// What the tools may find, and why it stays. `where` is a coordinate of the schema, or a place in a document.

const SCHEMA = 'graphql-eslint: schema'
const EVENTS = [...read('schema.graphql').matchAll(/^type (\w+) implements StreamEvent/gm)]
  .map(([, name]) => name)
  .join(' ')

const names = (list) => new RegExp(`^(?:${list.trim().split(/\s+/).join('|')})$`)

export const EXCEPTIONS = [
  {
    tool: SCHEMA,
    rule: 'strict-id-in-types',
    where: /(?:Connection|Edge)$|^PageInfo$/,
    why: "Relay's own: they have no identity.",
  },
  {
    tool: SCHEMA,
    rule: 'strict-id-in-types',
    where: names(EVENTS),
    why: 'Events: a cache takes what they are about and forgets them; `cursor` is their place.',
  },
  {
    tool: SCHEMA,
    rule: 'strict-id-in-types',
    where:
      names(`Action Comment ContactAddress ContactPresence ContactProfile ConversationViewer Draft GuestSession Item
      LocationAddress MailSender NotifiedConversation OpeningHours OrganizationCategory ReplayChange ReplayTargets
      RoutingTraceEntry RuleEvent RuleEventParams RuleReplay ServiceTest SignInLink SmsSize TokenResponse UserOrganization UserSettings
      WebhookAttempt WebhookReplay WebhookState`),
    why: 'Parts of a record, or answers of one moment: a cache keeps them in what they belong to.',
  },
  {
    tool: SCHEMA,
    rule: 'relay-edge-types',
    where: names('QueueEntryEdge InboxEntryEdge'),
    why: 'Their ids are made of those that they join; what they lead to are nodes.',
  },
  {
    tool: SCHEMA,
    rule: 'relay-edge-types',
    where: names('WebhookDeliveryEdge'),
    why: 'Lines of a log that is read by its service and kept for days.',
  },
  {
    tool: SCHEMA,
    rule: 'naming-convention',
    where: names('CreateWorkflowInput._id WorkflowRuleInput._id'),
    why: 'Legacy clients send workflows back as they read them (2.7).',
  },
  {
    tool: SCHEMA,
    rule: 'no-typename-prefix',
    where: names('File.fileType'),
    why: 'The name of the specification (2.12).',
  },
  {
    tool: SCHEMA,
    rule: 'no-unreachable-types',
    where: names('ErrorCode'),
    why: 'Codes stand in `extensions.code` of errors, which have no type in a schema.',
  },
  {
    tool: SCHEMA,
    rule: 'relay-arguments',
    where: names('Query.search'),
    why: 'Results come by rank, which has no way back.',
  },
  {
    tool: 'graphql-eslint: documents',
    rule: 'require-selections',
    where: /^web\/operations\//,
    why: "The pages keep no cache by id: an `id` that nobody reads is bytes on an agent's line.",
  },
]
