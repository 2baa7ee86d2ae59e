import { CONVERSATION_TYPES } from '../conversations/state/conversation-enums.js'
import { BadUserInput, quoteValue } from '../../platform/errors.js'
import { nearestNames } from '../../platform/nearest-names.js'
import { MESSAGE_TYPES } from '../messages/message-enums.js'

const RESOURCES = {
  article: 'An article',
  attachment: 'An attachment',
  cannedResponse: 'A canned response',
  channel: 'A channel',
  contact: 'A contact',
  contactNote: 'A note of a contact',
  file: 'A file',
  form: 'A form',
  location: 'A location',
  organization: 'An organization',
  organizationGroup: 'A group of organizations',
  service: 'A service',
  holidayCalendar: 'A calendar of holidays',
  schedule: 'A schedule',
  reasonCode: 'A reason code',
  skill: 'A skill',
  slaPolicy: 'An SLA policy',
  user: 'A user',
  workflow: 'A workflow',
}

/** An event, or a family of events whose names share a pattern. */
export interface WebhookEvent {
  /** Name as shown in the guide. */
  name: string
  names: readonly string[]
  description: string
}

const one = (name: string, description: string): WebhookEvent => ({ name, names: [name], description })

/** All events that webhooks can receive (open points, event names). */
export const WEBHOOK_EVENTS: readonly WebhookEvent[] = [
  {
    name: 'message.create.<conversation type>.<message type>',
    names: CONVERSATION_TYPES.flatMap((conversation) =>
      MESSAGE_TYPES.map((message) => `message.create.${conversation}.${message}`),
    ),
    description:
      `A message was stored. Conversation types: ${CONVERSATION_TYPES.join(', ')}. ` +
      `Message types: ${MESSAGE_TYPES.join(', ')}.`,
  },
  one('message.update', 'The text, likes, comments, metadata or another field of a message changed.'),
  one('message.delete', 'A message was deleted.'),
  one('message.delivery', 'The delivery status of a message to the consumer changed.'),
  one('conversation.create', 'A conversation was created.'),
  one('conversation.update', 'The status, name, category, metadata or participants of a conversation changed.'),
  one('conversation.delete', 'A conversation was deleted.'),
  one('conversation.offer', 'A conversation was offered or assigned to an agent, who is the `user`.'),
  one('conversation.offerEnd', 'An offer was accepted, declined or withdrawn, or it expired; the agent is the `user`.'),
  one('conversation.clockWarn', 'A target of an SLA policy will soon be missed: once for each clock.'),
  one('conversation.clockBreach', 'A target of an SLA policy was missed: once for each clock.'),
  one(
    'conversation.proposal',
    'A bot proposed something, or a proposal was decided or ended: see `Conversation.proposals`.',
  ),
  one(
    'proposal.requested',
    'An agent, the `user`, asks bots to propose something of the `kind` `data.proposal.kind`, at best before `data.proposal.until`.',
  ),
  one('channel.notify', 'A conversation was added to the queue of a channel.'),
  one('user.login', 'A user signed in.'),
  one('audit.sealed', 'The audit log was sealed: keep `data.audit.seal` elsewhere.'),
  one('contact.erased', 'The erasure of a contact began: keep `data.contact.line` elsewhere, for restores.'),
  one('user.availability', 'An agent began or ceased to take conversations.'),
  one('user.staff', 'The capacity or the skills of an agent changed.'),
  one('service.error', 'An integration failed, for example a webhook whose receiver does not respond.'),
  one('rating.create', 'A consumer was asked to rate a case.'),
  one('rating.update', 'A consumer rated a case.'),
  one('workflowDraft.refuse', 'A planned publication of a workflow did not take place.'),
  one('label.create', 'A label was created.'),
  one('macro.create', 'A shared macro was created.'),
  one('macro.update', 'A shared macro was changed or archived, or is used again.'),
  one('label.update', 'A label was changed or archived, or is used again.'),
  ...Object.entries(RESOURCES).flatMap(([resource, record]) => [
    one(`${resource}.create`, `${record} was created.`),
    one(`${resource}.update`, `${record} was changed.`),
    one(`${resource}.delete`, `${record} was deleted.`),
  ]),
]

const NAMES = WEBHOOK_EVENTS.flatMap(({ names }) => names)
/** Names to suggest: of events that have many names, a pattern. */
const PATTERNS = WEBHOOK_EVENTS.flatMap(({ names }) =>
  names.length === 1 ? names : [`${names[0]!.split('.').slice(0, 2).join('.')}.*`],
)
const NEAREST_MAX = 3

/** Refuses a pattern that matches no event, and suggests similar names. @throws BadUserInput */
export function checkFitsAnEvent(pattern: string, field: string): void {
  if (eventsFitting([pattern]).length > 0) return
  const nearest = nearestNames(pattern, PATTERNS, NEAREST_MAX)
  throw new BadUserInput(
    field,
    `${field} ${quoteValue(pattern)} matches no event; the nearest are ${nearest.join(', ')}`,
  )
}

/** Returns the names of the events that one of the patterns matches; of all events for null. */
export function eventsFitting(patterns: readonly string[] | null): readonly string[] {
  if (patterns === null) return NAMES
  const expressions = patterns.map((pattern) => new RegExp(`^${pattern.split(/\*+/).map(escape).join('.*')}$`))
  return NAMES.filter((name) => expressions.some((expression) => expression.test(name)))
}

function escape(text: string): string {
  return text.replace(/[.-]/g, '\\$&')
}
