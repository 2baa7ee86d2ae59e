import { sanitiseHtml } from '../../platform/content/sanitise-html.js'
import { isId } from '../../platform/db/clock.js'
import { BadUserInput, quoteValue } from '../../platform/errors.js'
import {
  isAbsent,
  parseBoolean,
  parseFields,
  parseInteger,
  parseList,
  parseOneOf,
  parseText,
  pathOf,
} from '../../platform/input.js'
import { isPlainObject, type JsonObject, parseMeta } from '../../platform/json.js'
import { type Action, parseActions, parseWebUrl } from './actions.js'
import { type Item, parseItems } from './items.js'
import { checkMetaOfKind } from './meta-of-kind.js'
import {
  CONTENT_TYPES,
  MESSAGE_ROLES,
  MESSAGE_TYPES,
  type ContentType,
  type MessageRole,
  type MessageType,
} from './message-enums.js'
import { parseOutgoingMail, type OutgoingMail } from './outgoing-mail.js'
import { parseTemplate, type GivenTemplate } from '../services/template-message.js'
import { TOUCHPOINTS, type Touchpoint } from '../touchpoint-traits.js'
import { parseMark, type Mark } from './mark.js'
import { parseProvenance, type Provenance } from './provenance.js'
import { parseReportedResults, type ReportedResult } from './reported-results.js'

export const MESSAGE_TEXT_BYTES_MAX = 65_536
/** Maximum size of a message's actions and items together, as JSON. */
export const MESSAGE_PARTS_BYTES_MAX = 262_144
/** 24.8 days: the largest GraphQL Int, so that both interfaces accept the same. */
export const MESSAGE_DELAY_MS_MAX = 2_147_483_647
/** Far more than any event has. */
const EVENT_DEPTH_MAX = 1_000
/** Maximum number of messages in one request: a conversation create (4.7) or a send of several messages. */
export const MESSAGES_MAX = 100

/** A message as sent by a client (2.9), normalised. Permissions are checked where it is sent. */
export interface NewMessage {
  /** Chosen by the client; if null, the server generates one. */
  id: string | null
  type: MessageType
  role: MessageRole
  isBackchannel: boolean
  contentType: ContentType
  /** Sanitised when `contentType` is `text/html`; an http or https URL for `text/url` and the images. */
  text: string | null
  /** The user on whose behalf the message is sent; null for the caller. */
  user: string | null
  service: string | null
  touchpoint: Touchpoint | null
  actions: Action[]
  items: Item[]
  /** Results of a tag, search or report. */
  results: ReportedResult[]
  meta: JsonObject
  delayMs: number
  /** The state of the conversation that its author saw: it is held if others have done something since. */
  mark: Mark | null
  /** Id of the last message that a guest's page showed. */
  seen: string | null
  /** A template of a service, which makes the text; null for a message of its own words. */
  template: GivenTemplate | null
  /** Recipients and subject of the mail that it is sent as; null where that is not chosen. */
  mail: OutgoingMail | null
  /** Depth of the event that it answers. */
  depth: number | null
  /** Model, tools and sources, as a bot names them; absent in what an older node stored. */
  provenance?: Provenance | null
  /** Id of the proposal of a bot from which a person made it. */
  proposal?: string | null
}

/** Tells whether a message is from the team to the consumer: neither the consumer's own nor for the team alone. */
export const isToConsumer = ({ role, isBackchannel }: Pick<NewMessage, 'role' | 'isBackchannel'>): boolean =>
  role === 'agent' && !isBackchannel

/** Fields of a message that a client may set. */
export const MESSAGE_FIELDS = [
  'type',
  'role',
  'isBackchannel',
  'user',
  'contentType',
  'text',
  'service',
  'touchpoint',
  'actions',
  'items',
  'results',
  'meta',
  'delay',
  'mark',
  'seen',
  'template',
  'mail',
  'depth',
  'provenance',
  'proposal',
] as const

/** Parses a list of messages; none if absent. @throws BadUserInput naming the field (`messages[2].delay`) */
export function parseMessages(input: unknown, field = 'messages'): NewMessage[] {
  if (isAbsent(input)) return []
  return parseList(input, field, MESSAGES_MAX).map((message, index) => parseMessage(message, `${field}[${index}]`))
}

/** Messages in the response of a webhook's receiver, and the paths of unknown fields. */
export interface AnsweredMessages {
  messages: NewMessage[]
  ignored: string[]
}

/**
 * Parses the messages in the response of a webhook's receiver as leniently as request bodies on `/v2`: the event's
 * `conversation` may be repeated, and unknown fields are ignored (open points, unknown fields).
 * @throws BadUserInput naming the field, also for another conversation
 */
export function parseAnsweredMessages(input: unknown, conversation: string): AnsweredMessages {
  if (!Array.isArray(input)) return { messages: parseMessages(input), ignored: [] }
  const known = new Set<string>(MESSAGE_FIELDS)
  const ignored: string[] = []
  const messages = input.map((message: unknown, index) => {
    if (!isPlainObject(message)) return message
    const { conversation: named, ...fields } = message
    if (!isAbsent(named) && String(named).toLowerCase() !== conversation) {
      const path = `messages[${index}].conversation`
      throw new BadUserInput(path, `${path} must be the event's conversation ${conversation}, not ${quoteValue(named)}`)
    }
    const unknown = Object.keys(fields).filter((key) => !known.has(key))
    ignored.push(...unknown.map((key) => `messages[${index}].${key}`))
    return Object.fromEntries(Object.entries(fields).filter(([key]) => known.has(key)))
  })
  return { messages: parseMessages(messages), ignored }
}

/**
 * Parses one message as sent by REST and GraphQL clients (2.9), and fills in defaults. Null counts as absent; enum
 * values are lower case, as in the specification's tables.
 * @param field path of the message within the input; '' if the message is the input
 * @throws BadUserInput naming the field and the value
 */
export function parseMessage(input: unknown, field = ''): NewMessage {
  const given = parseFields(input, field, MESSAGE_FIELDS)
  const at = (key: (typeof MESSAGE_FIELDS)[number]) => pathOf(field, key)
  const type = parseType(given.type, at('type'))
  const contentType = parseOneOf(given.contentType ?? 'text/plain', at('contentType'), CONTENT_TYPES)
  const newMessage: NewMessage = {
    id: null,
    type,
    role: parseOneOf(given.role ?? 'bot', at('role'), MESSAGE_ROLES),
    isBackchannel: parseBoolean(given.isBackchannel ?? false, at('isBackchannel')),
    contentType,
    text: parseBody(given.text, contentType, at('text')),
    user: parseId(given.user, at('user')),
    service: parseId(given.service, at('service')),
    touchpoint: isAbsent(given.touchpoint) ? null : parseOneOf(given.touchpoint, at('touchpoint'), TOUCHPOINTS),
    actions: parseActions(given.actions, at('actions')),
    items: parseItems(given.items, at('items')),
    results: parseReportedResults(given.results, at('results'), type),
    meta: parseMeta(given.meta, at('meta')),
    delayMs: parseInteger(given.delay ?? 0, at('delay'), 0, MESSAGE_DELAY_MS_MAX),
    mark: isAbsent(given.mark) ? null : parseMark(given.mark, at('mark')),
    seen: parseId(given.seen, at('seen')),
    template: parseTemplate(given.template, at('template')),
    mail: parseOutgoingMail(given.mail, at('mail')),
    depth: isAbsent(given.depth) ? null : parseInteger(given.depth, at('depth'), 0, EVENT_DEPTH_MAX),
    provenance: parseProvenance(given.provenance, at('provenance')),
    proposal: parseId(given.proposal, at('proposal')),
  }
  checkTemplate(newMessage, at)
  checkMail(newMessage, at)
  checkParts(newMessage, at)
  checkText(newMessage, at('text'))
  checkMetaOfKind(newMessage, at('meta'))
  return newMessage
}

/** Parses a message type; 2.12 calls a mention `comment` (2.9). */
function parseType(value: unknown, field: string): MessageType {
  return value === 'comment' ? 'mention' : parseOneOf(value ?? 'chat', field, MESSAGE_TYPES)
}

/** Parses the text; an empty text counts as absent. */
function parseBody(value: unknown, contentType: ContentType, field: string): string | null {
  if (isAbsent(value) || value === '') return null
  if (contentType === 'text/plain') return parseText(value, field, { maxBytes: MESSAGE_TEXT_BYTES_MAX })
  if (contentType !== 'text/html') return parseWebUrl(value, field)
  const html = sanitiseHtml(parseText(value, field, { maxBytes: MESSAGE_TEXT_BYTES_MAX }))
  // Checked again, since escaping and closing tags lengthen the text.
  return parseText(html, field, { maxBytes: MESSAGE_TEXT_BYTES_MAX }) || null
}

function parseId(value: unknown, field: string): string | null {
  if (isAbsent(value)) return null
  if (isId(value)) return value.toLowerCase()
  throw new BadUserInput(field, `${field} must be an ID, not ${quoteValue(value)}`)
}

/** A template makes the whole message: what else it held would have no effect. */
function checkTemplate(given: NewMessage, at: (key: (typeof MESSAGE_FIELDS)[number]) => string): void {
  const { template, type, role, isBackchannel, text, actions, items, meta } = given
  if (!template) return
  const refuse = (key: (typeof MESSAGE_FIELDS)[number], rule: string): never => {
    throw new BadUserInput(at(key), `${at(key)} ${rule} with a template`)
  }
  if (type !== 'chat') refuse('type', `must be chat, not ${type},`)
  if (role !== 'agent') refuse('role', `must be agent, not ${role},`)
  if (isBackchannel) refuse('isBackchannel', 'must be false')
  if (text !== null) refuse('text', 'is not allowed')
  if (actions.length > 0) refuse('actions', 'is not allowed')
  if (items.length > 0) refuse('items', 'is not allowed')
  if (meta.fileId !== undefined) refuse('meta', 'must have no fileId')
}

/** Only what is sent to the consumer is a mail. */
function checkMail(given: NewMessage, at: (key: (typeof MESSAGE_FIELDS)[number]) => string): void {
  const { mail, type, role, isBackchannel, touchpoint, template } = given
  if (!mail) return
  const refuse = (key: (typeof MESSAGE_FIELDS)[number], rule: string): never => {
    throw new BadUserInput(at(key), `${at(key)} ${rule} with mail`)
  }
  if (type !== 'chat' && type !== 'card') refuse('type', `must be chat or card, not ${type},`)
  if (role !== 'agent') refuse('role', `must be agent, not ${role},`)
  if (isBackchannel) refuse('isBackchannel', 'must be false')
  if (touchpoint !== null && touchpoint !== 'email') refuse('touchpoint', `must be email, not ${touchpoint},`)
  if (template) refuse('template', 'is not allowed')
}

function checkParts({ type, actions, items }: NewMessage, at: (key: 'actions' | 'items') => string): void {
  if (items.length && type !== 'chat' && type !== 'card') {
    throw new BadUserInput(at('items'), `${at('items')} can be in chat and card messages, not in ${type}`)
  }
  if (!actions.length && !items.length) return
  const bytes = Buffer.byteLength(JSON.stringify(actions)) + Buffer.byteLength(JSON.stringify(items))
  if (bytes > MESSAGE_PARTS_BYTES_MAX) {
    const field = at(items.length ? 'items' : 'actions')
    throw new BadUserInput(
      field,
      `${field}: actions and items have ${bytes} bytes as JSON; at most ${MESSAGE_PARTS_BYTES_MAX} are allowed`,
    )
  }
}

function checkText({ type, contentType, text, actions, items, meta, template }: NewMessage, field: string): void {
  if (type === 'command') {
    if (contentType !== 'text/plain' || !text || !/^[/>]/.test(text)) {
      const rule = 'of a command must be plain text beginning with / or >'
      throw new BadUserInput(field, `${field} ${rule}, not ${quoteValue(text)}`)
    }
    return
  }
  if (text !== null || template) return
  if (contentType !== 'text/plain' && contentType !== 'text/html') {
    throw new BadUserInput(field, `${field} must hold the URL of the ${contentType} message`)
  }
  // `text` of a file message describes the attachment (2.12).
  const isFile = typeof meta.fileId === 'string'
  const saysNothing = !isFile && (type === 'chat' || (type === 'card' && meta.title === undefined))
  if (type === 'postback' || (saysNothing && !actions.length && !items.length)) {
    throw new BadUserInput(field, `${field} must not be empty in a ${type} message`, 'MISSING_VALUE')
  }
}
