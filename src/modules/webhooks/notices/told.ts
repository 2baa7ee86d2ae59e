import type { JsonObject } from '../../../platform/json.js'

/** An event to put into words. */
export interface Told {
  /** Name of the event. */
  event: string
  /** Records by their singular name. */
  data: Readonly<Record<string, JsonObject | undefined>>
  /** Name of who did it; null for the server, and if unknown. */
  actor: string | null
  /** The event's data in the log, for what the records do not tell; null once it has expired. */
  raw: JsonObject | null
}

const NAME_CHARS_MAX = 80

/** Returns the name of a record; null without one. */
export function titleOf(record: JsonObject | undefined): string | null {
  const { displayName, name, title, fileName, shortcut, profile } = record ?? {}
  return oneLine(displayName ?? name ?? title ?? fileName ?? shortcut ?? (profile as JsonObject | undefined)?.name)
}

/** Returns the conversation in words: `the conversation with Eve`. */
export function conversationOf(data: Told['data']): string {
  const { conversation } = data
  if (conversation?.type === undefined) return 'a conversation'
  if (conversation.type === 'contact') return `the conversation with ${consumerOf(data) ?? 'a consumer'}`
  const name = oneLine(conversation.name)
  return `the team conversation${name ? ` ${name}` : ''}`
}

/** Returns the name that the contact has; null without one. */
export const consumerOf = ({ contact }: Told['data']): string | null => titleOf(contact)

export const userOf = ({ user }: Told['data']): string | null => oneLine(user?.displayName ?? user?.name)

export const byOf = ({ actor }: Pick<Told, 'actor'>): string => (actor === null ? '' : ` by ${actor}`)

/** Splits a name of the interface into words: `holidayCalendar`. */
export const wordsOf = (name: string): string => name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)

/** Characters that change how others are shown: of a name they would turn the words around it. */
const UNSEEN = /[\p{Cc}\u061c\u200e\u200f\u202a-\u202e\u2028\u2029\u2066-\u2069]/gu

/** Returns a name on one line, shortened; null for anything but text. */
export function oneLine(value: unknown): string | null {
  if (typeof value !== 'string') return null
  const line = shortened(value.replace(UNSEEN, ' ').replace(/\s+/g, ' '), NAME_CHARS_MAX)
  return line === '' ? null : line
}

/** Returns the beginning of a text, without what would not be seen. */
export function shortened(text: string, charsMax: number): string {
  // Two units a character at most: a long text need not be split as a whole.
  const clean = text
    .slice(0, charsMax * 3)
    .replace(UNSEEN, (each) => (each === '\n' ? each : ' '))
    .trim()
  const characters = [...clean.toWellFormed()]
  const isCut = characters.length > charsMax || text.length > charsMax * 3
  return isCut ? `${characters.slice(0, charsMax).join('').trimEnd()}…` : clean.toWellFormed()
}
