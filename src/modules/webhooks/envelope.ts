import type { SelectionSetNode } from 'graphql'
import type { JsonObject, JsonValue } from '../../platform/json.js'
import { camelRow } from '../../platform/lists/rows.js'
import { activityOf } from './activity.js'
import { select } from './payload-selection.js'
import { recordResource, type Publication } from './record-resource.js'
import {
  contactResource,
  conversationResource,
  deliveryResource,
  messageResource,
  previousOfConversation,
  shape,
  userResource,
  type EventContext,
} from './resources.js'

/** Beginning of the addresses in an envelope. */
export type Address = Omit<Publication, 'at'>

export interface PublishedEvent {
  id: string
  event: string
  at: Date
  organization: string
  conversation: string | null
  /** Data of the event itself. */
  data: JsonObject
  context: EventContext | null
  /** Ids of the conversation's newest messages, in order. */
  messages?: readonly string[]
}

/**
 * Builds the body to send (open points, envelope): `{id, event, timestamp, organization, data, activity}`. Plain
 * `JSON.stringify` of plain values, so that a receiver that parses and serializes it gets the same bytes.
 */
export function envelopeBody(published: PublishedEvent, address: Address): string {
  const { publicUrl } = address
  const { id, event, at, organization } = published
  const records = recordsOf(published, { ...address, at })
  const links = linksOf(records, organization, publicUrl)
  return JSON.stringify({
    id,
    event,
    timestamp: at.toISOString(),
    organization,
    data: { ...records, ...deliveriesOf(published), ...previousOf(published), links },
    activity: activityOf({
      id,
      event,
      at,
      organization,
      data: records,
      links,
      actor: published.context?.actor ?? null,
    }),
  })
}

/** Builds the envelope for a webhook with a query: `data` contains the selection, and there is no `activity`. */
export function selectedBody(body: string, selection: SelectionSetNode): string {
  const { id, event, timestamp, organization, data } = JSON.parse(body) as Record<string, JsonValue>
  return JSON.stringify({ id, event, timestamp, organization, data: select(data!, selection) })
}

/** Returns complete records by singular name: first the subject of the event, then related ones. */
function recordsOf(
  { event, conversation, data, context, messages = [] }: PublishedEvent,
  publication: Publication,
): Record<string, JsonObject> {
  const [resource] = event.split('.') as [string]
  const { publicUrl } = publication
  // Of an erased contact, which is empty or gone, the event alone tells something.
  const isRead = context?.record && event !== 'contact.erased'
  const record = isRead ? recordResource(resource, context.record!, publication) : null
  const records: Record<string, JsonObject> = {}
  if (resource === 'message') records.message = messageOf({ data, conversation, context }, publicUrl)
  else if (record) records[resource] = event === 'service.error' ? { ...record, ...shape(data) } : record
  else if (resource === 'channel' && context?.channel) {
    records.channel = recordResource('channel', context.channel, publication)!
  } else if (resource === 'user' && context?.user) records.user = userResource(context.user)
  // Without its context, a notification has no channel: its data is the entry of the queue.
  else if (resource !== 'conversation' && event !== 'channel.notify') records[resource] = shape(data)
  if (context?.conversation) {
    records.conversation = conversationResource(context.conversation, {
      participants: context.participants ?? [],
      messages,
      mark: context.mark,
      publicUrl,
    })
  } else if (resource === 'conversation') {
    // Without its context it was deleted, or erased before the delivery: what is left of the event is not for receivers.
    const id = conversation ?? data.id!
    records.conversation = event === 'conversation.delete' ? { id, ...data } : { id }
  }
  if (context?.organization) records.organization ??= recordResource('organization', context.organization, publication)!
  if (context?.contact) records.contact = contactResource(context.contact)
  if (context?.user && !records.user) records.user = userResource(context.user)
  return records
}

/** Returns the message; for deliveries, that of the last one. */
function messageOf(
  { data, conversation, context }: Pick<PublishedEvent, 'data' | 'conversation' | 'context'>,
  publicUrl: string,
): JsonObject {
  if (data.message) {
    const deliveries = context?.deliveries?.map((delivery) => camelRow<JsonObject>(delivery))
    return messageResource({ ...(data.message as JsonObject), ...(deliveries && { deliveries }) }, publicUrl)
  }
  const last = (data.deliveries as JsonObject[] | undefined)?.at(-1)
  return { id: last?.messageId ?? data.id!, conversation }
}

/** Returns the deliveries of `message.delivery` that changed together, for example by a read mark. */
function deliveriesOf({ data, event }: PublishedEvent): { deliveries?: JsonObject[] } {
  if (event !== 'message.delivery') return {}
  return { deliveries: (data.deliveries as JsonObject[]).map(deliveryResource) }
}

/** Returns the former values of what changed (`previous`). */
function previousOf({ data, event }: PublishedEvent): { previous?: JsonObject } {
  if (event !== 'conversation.update') return {}
  return { previous: previousOfConversation((data.previous ?? {}) as JsonObject) }
}

/** Path of the records in `/v2` where it is not their name in the plural; null for those that are not there. */
const PATHS: Readonly<Record<string, string | null | ((record: JsonObject) => string)>> = {
  audit: null,
  cannedResponse: null,
  contactNote: ({ contact }) => `contacts/${String(contact)}/notes`,
  holidayCalendar: 'holidaycalendars',
  organizationGroup: 'orggroups',
  proposal: null,
  reasonCode: 'reasoncodes',
  slaPolicy: 'slapolicies',
  workflowDraft: null,
}

function linksOf(records: Record<string, JsonObject>, organization: string, publicUrl: string): Record<string, string> {
  const links = Object.entries(records).flatMap(([resource, record]) => {
    const { id } = record
    const known = PATHS[resource] === undefined ? `${resource}s` : PATHS[resource]
    const path = typeof known === 'function' ? known(record) : known
    return typeof id === 'string' && path !== null ? [[resource, `${publicUrl}/v2/${path}/${id}`]] : []
  })
  return { ...Object.fromEntries(links), organization: `${publicUrl}/v2/organizations/${organization}` }
}
