import { BadUserInput, quoteValue } from '../errors.js'
import { MESSAGE_TYPES } from '../messages/message-enums.js'

const CONVERSATION_TYPES = ['contact', 'agent', 'bot', 'system']
const RESOURCES = [
  'article',
  'attachment',
  'channel',
  'contact',
  'file',
  'form',
  'location',
  'organization',
  'organizationGroup',
  'service',
  'user',
  'workflow',
]

/** One event of the table, or a family of them that differ in a name. */
export interface WebhookEvent {
  /** As the guide shows it. */
  name: string
  names: readonly string[]
  description: string
}

const one = (name: string, description: string): WebhookEvent => ({ name, names: [name], description })

/** Every event that webhooks are told of (open points, event names). */
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
  one('message.update', 'A message changed: its text, likes, comments, metadata.'),
  one('message.delete', 'A message was deleted.'),
  one('message.delivery', 'A message to the consumer came further, or could not be delivered.'),
  one('conversation.create', 'A conversation began.'),
  one('conversation.update', 'Its status, name, category, metadata or participants changed.'),
  one('conversation.delete', 'A conversation was deleted.'),
  one('channel.notify', 'A queued conversation came into the queue of a channel.'),
  one('user.login', 'A user signed in.'),
  one('service.error', 'An integration failed, such as a webhook that does not answer.'),
  ...RESOURCES.flatMap((resource) => [
    one(`${resource}.create`, `A record of the type ${resource} was made.`),
    one(`${resource}.update`, 'It changed.'),
    one(`${resource}.delete`, 'It was deleted.'),
  ]),
]

const NAMES = WEBHOOK_EVENTS.flatMap(({ names }) => names)
const NEAREST_MAX = 3

/** @throws BadUserInput for a pattern that no event ever fits, with the nearest names */
export function checkFitsAnEvent(pattern: string, field: string): void {
  const expression = new RegExp(`^${pattern.split(/\*+/).map(escape).join('.*')}$`)
  if (NAMES.some((name) => expression.test(name))) return
  const nearest = NAMES.map((name) => [distance(pattern, name), name] as const)
    .toSorted(([near], [far]) => near - far)
    .slice(0, NEAREST_MAX)
    .map(([, name]) => name)
  throw new BadUserInput(field, `${field} ${quoteValue(pattern)} fits no event; the nearest are ${nearest.join(', ')}`)
}

function escape(text: string): string {
  return text.replace(/[.-]/g, '\\$&')
}

/** Levenshtein's: how many letters are to be put in, left out or replaced. Patterns have at most 100. */
function distance(pattern: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, index) => index)
  for (let at = 0; at < pattern.length; at++) {
    const next = [at + 1]
    for (let to = 0; to < other.length; to++) {
      const replaced = row[to]! + (pattern[at] === other[to] ? 0 : 1)
      next.push(Math.min(replaced, row[to + 1]! + 1, next[to]! + 1))
    }
    row = next
  }
  return row.at(-1)!
}
