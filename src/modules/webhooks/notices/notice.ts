import { textOfHtml } from '../../../platform/content/html-text.js'
import type { JsonObject } from '../../../platform/json.js'
import { sentenceOf } from './notice-words.js'
import { consumerOf, oneLine, shortened, type Told } from './told.js'

/** An event in words for people. All of it is plain text that consumers may have written. */
export interface Notice {
  /** One sentence: what happened. */
  says: string
  /** The consumer, the touchpoint, the channel and the organization. */
  about: readonly string[]
  /** Beginning of what was written; null for none. */
  text: string | null
  link: NoticeLink
}

export interface NoticeLink {
  label: string
  url: string
}

const TEXT_CHARS_MAX = 300
/** Bound of HTML that is read, which may have more tags than text. */
const HTML_CHARS_MAX = 20_000

const TOUCHPOINTS: Readonly<Record<string, string>> = {
  web: 'web chat',
  email: 'email',
  sms: 'SMS',
  messenger: 'messenger',
}

/**
 * Describes an event to people.
 * @param body of the delivery, as its owner may see it
 * @param raw the event's data in the log, for what the body lacks; null once it has expired
 */
export function noticeOf(body: string, raw: JsonObject | null, publicUrl: string): Notice {
  const { event, data, activity } = JSON.parse(body) as Envelope
  const actor = activity?.actor?.type === 'Organization' ? undefined : activity?.actor?.name
  const told: Told = { event, data, actor: oneLine(actor), raw }
  return { says: sentenceOf(told), about: aboutOf(told), text: textOf(told), link: linkOf(told, publicUrl) }
}

interface Envelope {
  event: string
  data: Told['data']
  activity?: { actor?: { type?: string; name?: string } }
}

function aboutOf({ data }: Told): string[] {
  const { conversation, channel, organization, message } = data
  const touchpoint = message?.touchpoint ?? conversation?.touchpoint
  const isOfContact = conversation?.type === 'contact'
  return [
    isOfContact ? `Consumer: ${consumerOf(data) ?? 'without a name'}` : null,
    isOfContact && typeof touchpoint === 'string' ? `By: ${TOUCHPOINTS[touchpoint] ?? oneLine(touchpoint)}` : null,
    oneLine(channel?.name) && `Channel: ${oneLine(channel?.name)}`,
    conversation &&
      oneLine(organization?.displayName ?? organization?.name) &&
      `Organization: ${oneLine(organization?.displayName ?? organization?.name)}`,
  ].filter((each): each is string => typeof each === 'string')
}

function textOf({ event, data }: Told): string | null {
  const [resource] = event.split('.')
  const { message, rating, service, workflowDraft } = data
  const written = {
    message: message?.contentType === 'text/html' ? plain(message.text) : (message?.text ?? titleOf(message)),
    rating: rating?.comment,
    service: event === 'service.error' ? service?.error : null,
    workflowDraft: workflowDraft?.message,
  }[resource as 'message']
  // What is not to be seen is not shown: nothing may be left.
  return (typeof written === 'string' && shortened(written, TEXT_CHARS_MAX)) || null
}

const plain = (html: unknown): string | null =>
  typeof html === 'string' ? textOfHtml(html.slice(0, HTML_CHARS_MAX)) : null

/** A card may have a title in place of a text. */
const titleOf = (message: JsonObject | undefined): unknown => (message?.meta as JsonObject | undefined)?.title

function linkOf({ event, data }: Told, publicUrl: string): NoticeLink {
  const { conversation, contact } = data
  const console = `${publicUrl}/console`
  const key = conversation?.slug ?? conversation?.id
  if (typeof key === 'string' && event !== 'conversation.delete')
    return { label: 'Open the conversation', url: `${console}/c/${encodeURIComponent(key)}` }
  if (event.startsWith('contact.') && typeof contact?.id === 'string' && !/\.(delete|erased)$/.test(event))
    return { label: 'Open the contact', url: `${console}/contacts/${encodeURIComponent(contact.id)}` }
  if (event === 'service.error') return { label: 'Open the health of services', url: `${console}/admin/health` }
  return { label: 'Open the console', url: console }
}

/** A notice that shows an administrator, and the receiver, that notices arrive. */
export function testNotice(service: string | null, publicUrl: string): Notice {
  const name = oneLine(service)
  const says = `This is a test of ${name ? `the service “${name}”` : 'a webhook'}: notices of its events come here.`
  return { says, about: [], text: null, link: { label: 'Open the console', url: `${publicUrl}/console` } }
}
