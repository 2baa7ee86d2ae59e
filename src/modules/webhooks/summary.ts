import type { EventActor } from '../../platform/events/event.js'
import type { JsonObject } from '../../platform/json.js'

export interface SummaryInput {
  event: string
  /** Records by their singular name. */
  data: Readonly<Record<string, JsonObject>>
  actor: EventActor | null
}

/** Describes the event in a sentence with its actor: "User Jenny Jones created a chat message". */
export function summaryOf({ event, data, actor }: SummaryInput): string {
  return `${actorWords(actor, data)} ${deedWords(event, data)}`
}

function actorWords(actor: EventActor | null, data: SummaryInput['data']): string {
  if (!actor) return 'The service'
  if (actor.kind === 'user') return `User ${actor.name ?? actor.id}`
  return `Contact ${titleOf(data.contact) ?? actor.id}`
}

function deedWords(event: string, data: SummaryInput['data']): string {
  const [resource, what, , kind] = event.split('.') as [string, string, string?, string?]
  switch (event) {
    case 'user.login':
      return 'logged in'
    case 'audit.sealed':
      return 'sealed the audit log'
    case 'contact.erased':
      return 'began to erase a contact'
    case 'workflowDraft.refuse':
      return 'did not publish a draft of a workflow as planned'
    case 'channel.notify':
      return `notified ${named('channel', data.channel)} of ${named('conversation', data.conversation)}`
    case 'proposal.requested':
      return 'asked bots to propose something'
    case 'message.delivery':
      return 'reported the delivery of a message'
    case 'service.error':
      return `reported an error of ${named('service', data.service)}`
  }
  const verb = VERBS[what] ?? what
  if (resource === 'message') return `${verb} ${kind ? withArticle(`${kind} message`) : 'a message'}`
  return `${verb} ${named(resource, data[resource])}`
}

const VERBS: Readonly<Record<string, string>> = { create: 'created', update: 'updated', delete: 'deleted' }

/** Returns `conversation Blue Whale`, or `a conversation` without a name. */
function named(resource: string, record: JsonObject | undefined): string {
  const words = resource.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)
  const title = titleOf(record)
  return title === null ? withArticle(words) : `${words} ${title}`
}

function withArticle(words: string): string {
  return `${/^[aeio]/.test(words) ? 'an' : 'a'} ${words}`
}

function titleOf(record: JsonObject | undefined): string | null {
  const { displayName, name, title, fileName, profile } = record ?? {}
  const found = displayName ?? name ?? title ?? fileName ?? (profile as JsonObject | undefined)?.name
  return typeof found === 'string' && found !== '' ? found : null
}
