import type { EventActor } from '../../platform/events/event.js'
import type { JsonObject } from '../../platform/json.js'
import { summaryOf } from './summary.js'

export interface ActivityInput {
  id: string
  event: string
  at: Date
  organization: string
  /** Records by their singular name. */
  data: Readonly<Record<string, JsonObject>>
  links: Readonly<Record<string, string>>
  /** Null for the server itself, and if unknown. */
  actor: EventActor | null
}

/** Converts an event to an activity of Activity Streams 2.0: `Create`, `Update` or `Delete`. */
export function activityOf(input: ActivityInput): JsonObject {
  const { id, event, at, links, data, organization } = input
  const resource = event.split('.')[0]!
  const subject = data[resource] ?? {}
  const object = { ...objectOf(resource, subject, links), ...(resource === 'message' && contextOf(input)) }
  return {
    '@context': 'https://www.w3.org/ns/activitystreams',
    id: `urn:uuid:${id}`,
    type: typeOf(event),
    summary: summaryOf({ event, data, actor: actorOf(input) }),
    published: at.toISOString(),
    actor: actorObject(input) ?? { type: 'Organization', id: links.organization ?? urn(organization) },
    object,
    ...(data.conversation &&
      resource !== 'conversation' && { target: objectOf('conversation', data.conversation, links) }),
  }
}

function typeOf(event: string): 'Create' | 'Update' | 'Delete' {
  const what = event.split('.')[1]
  return what === 'create' ? 'Create' : what === 'delete' ? 'Delete' : 'Update'
}

/** Matching types of the vocabulary; `Object` for all others. */
const TYPES: Readonly<Record<string, string>> = {
  message: 'Note',
  contact: 'Person',
  user: 'Person',
  organization: 'Organization',
  organizationGroup: 'Group',
  channel: 'Group',
  service: 'Service',
  article: 'Article',
  file: 'Document',
  attachment: 'Document',
  location: 'Place',
}

function objectOf(resource: string, record: JsonObject, links: Readonly<Record<string, string>>): JsonObject {
  const { id, text, contentType, name, displayName, createdAt, updatedAt } = record
  const profile = record.profile as JsonObject | undefined
  const title = displayName ?? name ?? profile?.name
  return {
    type: resource === 'user' && record.role === 'bot' ? 'Application' : (TYPES[resource] ?? 'Object'),
    id: links[resource] ?? urn(String(id)),
    ...(typeof title === 'string' && { name: title }),
    ...(typeof text === 'string' && { content: text, mediaType: contentType ?? 'text/plain' }),
    ...(typeof createdAt === 'string' && { published: createdAt }),
    ...(typeof updatedAt === 'string' && updatedAt !== createdAt && { updated: updatedAt }),
  }
}

/**
 * Returns the actor: the author of a message, the contact for contact events, the user who signed in, else the caller
 * of the request.
 */
function actorOf({ event, data, actor }: ActivityInput): EventActor | null {
  const isByAuthor = event.startsWith('message.create') || event === 'user.login'
  if (!isByAuthor) return actor
  const { user, contact, message } = data
  if (message?.role === 'contact' && contact) return { kind: 'contact', id: String(contact.id), name: null }
  if (user) return { kind: 'user', id: String(user.id), name: (user.displayName as string | undefined) ?? null }
  return message?.role === 'system' ? null : actor
}

function actorObject(input: ActivityInput): JsonObject | null {
  const actor = actorOf(input)
  if (!actor) return null
  const { data, links } = input
  const known = data[actor.kind]
  if (known?.id === actor.id) return objectOf(actor.kind, known, links)
  return { type: TYPES[actor.kind]!, id: urn(actor.id), ...(actor.name !== null && { name: actor.name }) }
}

function contextOf({ data, links }: ActivityInput): JsonObject {
  const author = data.message?.role === 'contact' ? links.contact : links.user
  return { ...(links.conversation && { context: links.conversation }), ...(author && { attributedTo: author }) }
}

const urn = (id: string): string => `urn:uuid:${id}`

/** Reads the actor of an activity. */
export function actorOfActivity({ actor }: JsonObject, links: Readonly<Record<string, string>>): EventActor | null {
  const { type, id, name } = (actor ?? {}) as JsonObject
  if (id === undefined || type === 'Organization') return null
  const kind = id === links.contact ? 'contact' : 'user'
  return { kind, id: String(id).replace(/^.*[/:]/, ''), name: typeof name === 'string' ? name : null }
}
