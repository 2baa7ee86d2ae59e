import type { EventType, EventTypes } from '../../platform/events/event.js'
import { PREVIOUS_OF_PARTICIPANT } from '../conversations/state/conversation-columns.js'
import type { PayloadFields } from './payload-selection.js'
import { DELIVERY_FIELDS, PREVIOUS_FIELDS } from './resources.js'

/** Returns the fields of the `data` of these events, as `/v2` describes their records. */
export type PayloadFieldsOf = (events: readonly string[]) => PayloadFields

/** Events that tell their own values of the record: it is gone, or is no record of `/v2`. */
type Told =
  | Exclude<
      Extract<EventType, `${string}.deleted`>,
      'message.deleted' | 'workflowDraft.deleted' | 'domain.deleted' | 'view.deleted'
    >
  | 'cannedResponse.created'
  | 'cannedResponse.updated'
  | 'audit.sealed'
  | 'contact.erased'
  | 'workflowDraft.refused'
  | 'proposal.requested'

/** The values of an event beside `id` and `organization`, which all of them have. */
type Values<Type extends Told> = {
  readonly [Name in Exclude<keyof EventTypes[Type], 'id' | 'organization'>]: Fields<EventTypes[Type][Name]>
}
type Fields<Value> = [Value] extends [string | number | boolean | readonly string[] | null | undefined] ? Plain : null

/** The fields of a plain value: none. */
type Plain = Readonly<Record<string, never>>
const PLAIN: Plain = {}

const CANNED_RESPONSE = { shortcut: PLAIN, text: PLAIN }
/** As its row has it. */
const WHOLE_CANNED_RESPONSE = { ...CANNED_RESPONSE, orgPath: PLAIN, createdAt: PLAIN, updatedAt: PLAIN }
const TOLD: { readonly [Type in Told]: Values<Type> } = {
  'conversation.deleted': {},
  'organization.deleted': { name: PLAIN, displayName: PLAIN, level: PLAIN, status: PLAIN, path: PLAIN, parent: PLAIN },
  'organizationGroup.deleted': { name: PLAIN, members: PLAIN },
  'user.deleted': { email: PLAIN, role: PLAIN, status: PLAIN, displayName: PLAIN },
  'channel.deleted': {
    name: PLAIN,
    status: PLAIN,
    assignment: null,
    serviceLevel: null,
    survey: null,
    signature: PLAIN,
  },
  'contact.deleted': { profile: null, meta: null, status: PLAIN },
  'contactNote.deleted': { contact: PLAIN, author: PLAIN },
  'workflow.deleted': { name: PLAIN, organizations: PLAIN, organizationTags: PLAIN, version: PLAIN },
  'service.deleted': { name: PLAIN, type: PLAIN, meta: null, status: PLAIN },
  'form.deleted': { name: PLAIN, isStatic: PLAIN, fields: null, tags: PLAIN, meta: null },
  'cannedResponse.created': WHOLE_CANNED_RESPONSE,
  'cannedResponse.updated': WHOLE_CANNED_RESPONSE,
  'cannedResponse.deleted': CANNED_RESPONSE,
  'article.deleted': {
    title: PLAIN,
    summary: PLAIN,
    language: PLAIN,
    category: PLAIN,
    status: PLAIN,
    tags: PLAIN,
    meta: null,
  },
  'attachment.deleted': { fileName: PLAIN, fileType: PLAIN, size: PLAIN, tags: PLAIN },
  'file.deleted': { name: PLAIN, url: PLAIN, fileType: PLAIN, size: PLAIN, tags: PLAIN, attachment: PLAIN },
  'location.deleted': {
    name: PLAIN,
    address: null,
    latitude: PLAIN,
    longitude: PLAIN,
    telephone: PLAIN,
    email: PLAIN,
    url: PLAIN,
    timezone: PLAIN,
    openingHours: null,
    tags: PLAIN,
  },
  'holidayCalendar.deleted': { name: PLAIN, days: null },
  'schedule.deleted': {
    name: PLAIN,
    timezone: PLAIN,
    spans: null,
    exceptions: null,
    text: PLAIN,
    version: PLAIN,
    calendarIds: PLAIN,
  },
  'reasonCode.deleted': { name: PLAIN, availabilities: PLAIN },
  'skill.deleted': { name: PLAIN },
  'slaPolicy.deleted': {
    name: PLAIN,
    position: PLAIN,
    conditions: null,
    targets: null,
    version: PLAIN,
    schedule: PLAIN,
  },
  'contact.erased': { erasure: PLAIN, reason: PLAIN, line: PLAIN },
  'audit.sealed': { number: PLAIN, hash: PLAIN, seal: PLAIN },
  'proposal.requested': { kind: PLAIN, user: PLAIN, until: PLAIN },
  'workflowDraft.refused': { workflow: PLAIN, user: PLAIN, reason: PLAIN, message: PLAIN },
}
const PAST: Readonly<Record<string, string>> = {
  create: 'created',
  update: 'updated',
  delete: 'deleted',
  refuse: 'refused',
}

/** Events of conversations that somebody sent, or is offered: the `user`. */
const HAS_USER = /^(message\.(create|update)|conversation\.offer|proposal\.)/

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
  const isOfConversation = ['message', 'conversation', 'proposal'].includes(resource) || event === 'channel.notify'
  const own = told(`${resource}.${PAST[what] ?? what}`) ?? published[resource]
  const records: Record<string, PayloadFields | null> = {
    ...(isOfConversation && { conversation: conversation!, organization: organization! }),
    ...(isOfConversation && event !== 'conversation.delete' && { contact: contact! }),
    ...(HAS_USER.test(event) && { user: user! }),
    [resource]: own ?? { conversation, contact, organization, user }[resource] ?? null,
  }
  if (event === 'message.delete') records.message = fieldsOf(['message.update']).message!
  if (event === 'message.delivery') records.message = { id: PLAIN, conversation: {} }
  return {
    ...records,
    ...(event === 'message.delivery' && { deliveries: named(DELIVERY_FIELDS) }),
    ...(event === 'conversation.update' && { previous: previousOf(conversation!) }),
    links: Object.fromEntries([...Object.keys(records), 'organization'].map((name) => [name, {}])),
  }
}

function told(type: string): PayloadFields | null {
  const values = (TOLD as Readonly<Record<string, PayloadFields>>)[type]
  return values ? { id: PLAIN, organization: {}, ...values } : null
}

function previousOf(conversation: PayloadFields): PayloadFields {
  const { userId: _, ...participant } = named(PREVIOUS_OF_PARTICIPANT)
  const fields = PREVIOUS_FIELDS.map((name) => [name, conversation[name] ?? null])
  return { ...Object.fromEntries(fields), contact: {}, participants: { user: {}, ...participant } }
}

const named = (names: readonly string[]): PayloadFields => Object.fromEntries(names.map((name) => [name, PLAIN]))

/** Joins the fields of both; null where either may hold anything. */
function merged(one: PayloadFields, other: PayloadFields): PayloadFields {
  const both = { ...one }
  for (const [name, fields] of Object.entries(other)) {
    const known = both[name]
    both[name] = known && fields ? merged(known, fields) : known === undefined ? fields : null
  }
  return both
}
