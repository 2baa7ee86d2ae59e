import type { JsonObject } from '../json.js'

export interface ActivityInput {
  id: string
  event: string
  at: Date
  organization: string
  /** Records by their singular name. */
  data: Readonly<Record<string, JsonObject>>
  links: Readonly<Record<string, string>>
}

/** The event as an activity of Activity Streams 2.0: `Create`, `Update` or `Delete`. */
export function activityOf(input: ActivityInput): JsonObject {
  const { id, event, at, links, data, organization } = input
  const resource = event.split('.')[0]!
  const subject = data[resource] ?? {}
  const object = { ...objectOf(resource, subject, links), ...(resource === 'message' && contextOf(input)) }
  return {
    '@context': 'https://www.w3.org/ns/activitystreams',
    id: `urn:uuid:${id}`,
    type: typeOf(event),
    published: at.toISOString(),
    actor: actorOf(input) ?? { type: 'Organization', id: links.organization ?? urn(organization) },
    object,
    ...(data.conversation &&
      resource !== 'conversation' && { target: objectOf('conversation', data.conversation, links) }),
  }
}

function typeOf(event: string): 'Create' | 'Update' | 'Delete' {
  const what = event.split('.')[1]
  return what === 'create' ? 'Create' : what === 'delete' ? 'Delete' : 'Update'
}

/** Types of the vocabulary that fit; `Object` for what has no word in it. */
const TYPES: Readonly<Record<string, string>> = {
  message: 'Note', contact: 'Person', user: 'Person', organization: 'Organization', organizationGroup: 'Group',
  channel: 'Group', service: 'Service', article: 'Article', file: 'Document', attachment: 'Document', location: 'Place',
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

/** Who did it, as far as the event tells: the author of a message, the user who signed in. */
function actorOf({ event, data, links }: ActivityInput): JsonObject | null {
  const isByAuthor = event.startsWith('message.create') || event === 'user.login'
  if (!isByAuthor) return null
  if (data.message?.role === 'contact' && data.contact) return objectOf('contact', data.contact, links)
  return data.user ? objectOf('user', data.user, links) : null
}

function contextOf({ data, links }: ActivityInput): JsonObject {
  const author = data.message?.role === 'contact' ? links.contact : links.user
  return { ...(links.conversation && { context: links.conversation }), ...(author && { attributedTo: author }) }
}

const urn = (id: string): string => `urn:uuid:${id}`
