import { BadUserInput, quoteValue } from '../../platform/errors.js'
import {
  isAbsent,
  parseFields,
  parseList,
  parseOneOf,
  parseText,
  parseUrl,
  type UrlScheme,
} from '../../platform/input.js'
import { type JsonObject, parseMeta } from '../../platform/json.js'

/** A button of a message (2.10). Stored as given, without absent fields. */
export type Action = LinkAction | ReplyAction | PostbackAction | WebviewAction | LocationRequestAction

export interface LinkAction {
  type: 'link'
  text: string
  /** May hold the placeholders `{authuser}` and `{authtoken}` (4.7, rule 7). */
  uri: string
}

export interface ReplyAction {
  type: 'reply'
  text: string
  payload: string
  iconUrl?: string
}

export interface PostbackAction {
  type: 'postback'
  text: string
  payload: string
  iconUrl?: string
  mediaType?: string
}

export interface WebviewAction {
  type: 'webview'
  text: string
  uri: string
  fallback?: string
  size?: string
  meta?: JsonObject
}

export interface LocationRequestAction {
  type: 'locationRequest'
  text: string
  meta?: JsonObject
}

export type ActionType = Action['type']

export const ACTIONS_MAX = 50
const TEXT_CHARS_MAX = 2_000
const PAYLOAD_BYTES_MAX = 65_536
const SIZE_CHARS_MAX = 50

const WEB: readonly UrlScheme[] = ['http', 'https']
/** 2.10 names no schemes. A button may also start a mail or a call; nothing else leaves the browser's sandbox. */
const LINK: readonly UrlScheme[] = ['http', 'https', 'mailto', 'tel']

const FIELDS: Readonly<Record<ActionType, readonly string[]>> = {
  link: ['type', 'text', 'uri', 'payload'],
  reply: ['type', 'text', 'payload', 'iconUrl'],
  postback: ['type', 'text', 'payload', 'iconUrl', 'mediaType'],
  webview: ['type', 'text', 'uri', 'fallback', 'size', 'meta'],
  locationRequest: ['type', 'text', 'meta'],
}
const TYPES = Object.keys(FIELDS) as ActionType[]

/** Parses a message's buttons; none if absent. @throws BadUserInput naming the field (`actions[1].uri`) */
export function parseActions(input: unknown, field: string): Action[] {
  if (isAbsent(input)) return []
  return parseList(input, field, ACTIONS_MAX).map((action, index) => parseAction(action, `${field}[${index}]`))
}

function parseAction(input: unknown, field: string): Action {
  const type = parseOneOf((input as { type?: unknown } | null)?.type, `${field}.type`, TYPES)
  const given = parseFields(input, field, FIELDS[type])
  // Legacy bots omit the text of a reply, which then defaults to its payload.
  const textInput = type === 'reply' && (isAbsent(given.text) || given.text === '') ? given.payload : given.text
  const text = parseText(textInput, `${field}.text`, { min: 1, max: TEXT_CHARS_MAX })
  const payload = () => parseText(given.payload, `${field}.payload`, { min: 1, maxBytes: PAYLOAD_BYTES_MAX })
  const optional = <T>(key: string, parse: (value: unknown, field: string) => T): { [key: string]: T } =>
    isAbsent(given[key]) ? {} : { [key]: parse(given[key], `${field}.${key}`) }

  switch (type) {
    case 'link': {
      // Legacy bots send this name; stored as `uri`.
      const key = isAbsent(given.uri) && !isAbsent(given.payload) ? 'payload' : 'uri'
      return { type, text, uri: parseLinkUri(given[key], `${field}.${key}`) }
    }
    case 'reply':
      return { type, text, payload: payload(), ...optional('iconUrl', parseWebUrl) }
    case 'postback':
      return {
        type,
        text,
        payload: payload(),
        ...optional('iconUrl', parseWebUrl),
        ...optional('mediaType', parseMediaType),
      }
    case 'webview':
      return {
        type,
        text,
        uri: parseWebUrl(given.uri, `${field}.uri`),
        ...optional('fallback', parseWebUrl),
        ...optional('size', parseSize),
        ...optional('meta', parseMeta),
      }
    case 'locationRequest':
      return { type, text, ...optional('meta', parseMeta) }
  }
}

export function parseWebUrl(value: unknown, field: string): string {
  return parseUrl(value, field, WEB)
}

/** Parses a hint for the layout, such as `full` or `compact`. */
export function parseSize(value: unknown, field: string): string {
  return parseText(value, field, { min: 1, max: SIZE_CHARS_MAX })
}

/** Parses a media type, `type/subtype` (RFC 6838, section 4.2). */
export function parseMediaType(value: unknown, field: string): string {
  const text = parseText(value, field, { max: 127 })
  if (/^[a-z0-9][\w!#$&^.+-]*\/[a-z0-9*][\w!#$&^.+-]*$/i.test(text)) return text
  throw new BadUserInput(field, `${field} must be a media type such as image/png, not ${quoteValue(value)}`)
}

/**
 * Parses the address of a link. Placeholders count as letters: the rest must be a URL whose scheme no placeholder can
 * supply.
 */
function parseLinkUri(value: unknown, field: string): string {
  if (typeof value !== 'string') return parseUrl(value, field, LINK)
  parseUrl(value.replace(/\{(?:authuser|authtoken)\}/g, 'x'), field, LINK)
  return value.trim()
}
