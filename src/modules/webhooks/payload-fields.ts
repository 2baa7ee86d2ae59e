import type { EventType, EventTypes } from '../../platform/events/event.js'
import { PREVIOUS_OF_PARTICIPANT } from '../conversations/state/conversation-columns.js'
import type { PayloadFields } from './payload-selection.js'
import { DELIVERY_FIELDS, PREVIOUS_FIELDS } from './resources.js'

/** Returns the fields of the `data` of these events, as `/v2` describes their records. */
export type PayloadFieldsOf = (events: readonly string[]) => PayloadFields

/** Events that tell their own values of the record: it is gone, or is no record of `/v2`. */
type Told =
  | Exclude<Extract<EventType, `${string}.deleted`>, 'message.deleted'>
  | 'cannedResponse.created'
  | 'cannedResponse.updated'
  | 'audit.sealed'

/** The values of an event beside `id` and `organization`, which all of them have. */
type Values<Type extends Told> = Readonly<Record<Exclude<keyof EventTypes[Type], 'id' | 'organization'>, null>>

const CANNED_RESPONSE = { shortcut: null, text: null }
const TOLD: { readonly [Type in Told]: Values<Type> } = {
  'conversation.deleted': {},
  'organization.deleted': { name: null, displayName: null, level: null, status: null, path: null, parent: null },
  'organizationGroup.deleted': { name: null, members: null },
  'user.deleted': { email: null, role: null, status: null, displayName: null },
  'channel.deleted': { name: null, status: null, assignment: null, serviceLevel: null },
  'contact.deleted': { profile: null, meta: null, status: null },
  'workflow.deleted': { name: null, organizations: null, organizationTags: null, version: null },
  'service.deleted': { name: null, type: null, meta: null, status: null },
  'form.deleted': { name: null, isStatic: null, fields: null, tags: null, meta: null },
  'cannedResponse.created': CANNED_RESPONSE,
  'cannedResponse.updated': CANNED_RESPONSE,
  'cannedResponse.deleted': CANNED_RESPONSE,
  'article.deleted': {
    title: null,
    summary: null,
    language: null,
    category: null,
    status: null,
    tags: null,
    meta: null,
  },
  'attachment.deleted': { fileName: null, fileType: null, size: null, tags: null },
  'file.deleted': { name: null, url: null, fileType: null, size: null, tags: null, attachment: null },
  'location.deleted': {
    name: null,
    address: null,
    latitude: null,
    longitude: null,
    telephone: null,
    email: null,
    url: null,
    timezone: null,
    openingHours: null,
    tags: null,
  },
  'holidayCalendar.deleted': { name: null, days: null },
  'schedule.deleted': {
    name: null,
    timezone: null,
    spans: null,
    exceptions: null,
    text: null,
    version: null,
    calendarIds: null,
  },
  'reasonCode.deleted': { name: null, availabilities: null },
  'skill.deleted': { name: null },
  'slaPolicy.deleted': {
    name: null,
    position: null,
    conditions: null,
    targets: null,
    version: null,
    schedule: null,
  },
  'audit.sealed': { number: null, hash: null, seal: null },
}
const PAST: Readonly<Record<string, string>> = { create: 'created', update: 'updated', delete: 'deleted' }

/** Events of conversations that somebody sent, or is offered: the `user`. */
const HAS_USER = /^(message\.(create|update)|conversation\.offer)/

/**
 * Returns the fields that the `data` of any of these events can hold: what else a webhook selects would be null in every
 * delivery. As `envelope.ts` fills it.
 */
export function fieldsOfEvents(events: readonly string[], fieldsOf: PayloadFieldsOf): PayloadFields {
  return events.reduce<PayloadFields>((all, event) => merged(all, fieldsOfEvent(event, fieldsOf)), {})
}

function fieldsOfEvent(event: string, fieldsOf: PayloadFieldsOf): PayloadFields {
  const [resource, what] = event.split('.') as [string, string]
  const { conversation, contact, organization, user, ...published } = fieldsOf([event])
  const isOfConversation = ['message', 'conversation'].includes(resource) || event === 'channel.notify'
  const own = told(`${resource}.${PAST[what] ?? what}`) ?? published[resource]
  const records: Record<string, PayloadFields | null> = {
    ...(isOfConversation && { conversation: conversation!, organization: organization! }),
    ...(isOfConversation && event !== 'conversation.delete' && { contact: contact! }),
    ...(HAS_USER.test(event) && { user: user! }),
    [resource]: own ?? { conversation, contact, organization, user }[resource] ?? null,
  }
  if (event === 'message.delete') records.message = fieldsOf(['message.update']).message!
  if (event === 'message.delivery') records.message = { id: null, conversation: {} }
  return {
    ...records,
    ...(event === 'message.delivery' && { deliveries: named(DELIVERY_FIELDS) }),
    ...(event === 'conversation.update' && { previous: previousOf(conversation!) }),
    links: Object.fromEntries([...Object.keys(records), 'organization'].map((name) => [name, {}])),
  }
}

function told(type: string): PayloadFields | null {
  const values = (TOLD as Readonly<Record<string, PayloadFields>>)[type]
  return values ? { id: null, organization: {}, ...values } : null
}

function previousOf(conversation: PayloadFields): PayloadFields {
  const { userId: _, ...participant } = named(PREVIOUS_OF_PARTICIPANT)
  const fields = PREVIOUS_FIELDS.map((name) => [name, conversation[name] ?? null])
  return { ...Object.fromEntries(fields), contact: {}, participants: { user: {}, ...participant } }
}

const named = (names: readonly string[]): PayloadFields => Object.fromEntries(names.map((name) => [name, null]))

/** Joins the fields of both; null where either may hold anything. */
function merged(one: PayloadFields, other: PayloadFields): PayloadFields {
  const both = { ...one }
  for (const [name, fields] of Object.entries(other)) {
    const known = both[name]
    both[name] = known && fields ? merged(known, fields) : known === undefined ? fields : null
  }
  return both
}
