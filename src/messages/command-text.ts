import { isId } from '../db/clock.js'
import { BadUserInput, quoteValue } from '../errors.js'
import { isPrototypeKey, isSystemKey } from '../json.js'
import { TOUCHPOINTS, type Touchpoint } from './message-content.js'

/** Commands whose arguments are in the message's `user` and `meta`, not in its text (4.8). */
const PLAIN_COMMANDS = [
  'notify',
  'enqueue',
  'assign',
  'follow',
  'unfollow',
  'join',
  'accept',
  'leave',
  'block',
  'send',
] as const
export type PlainCommand = (typeof PLAIN_COMMANDS)[number]

/** All names a client may write after the slash; `close` is `leave`. */
export const COMMAND_NAMES = [...PLAIN_COMMANDS, 'close', 'set', 'action', 'import'] as const

/** What the text of a command says (4.8); its `meta` and `user` are read by the command itself. */
export type ParsedCommand =
  | { name: PlainCommand }
  | { name: 'set'; attribute: 'name'; value: string }
  /** By zero-based index when the text is a number, else by name. */
  | { name: 'set'; attribute: 'category'; value: string | number | null }
  | { name: 'set'; attribute: 'touchpoint'; value: Touchpoint | null }
  | { name: 'set'; attribute: 'language'; value: string | null }
  /** `conversation.meta.<key>`; the key is taken literally, dots and all. Null removes it. */
  | { name: 'set'; attribute: 'metaKey'; key: string; value: string | null }
  /** `/set` alone: the message's `meta` is merged into the conversation's. */
  | { name: 'set'; attribute: 'meta' }
  | { name: 'action'; action: 'like' }
  | { name: 'action'; action: 'comment'; text: string }
  | { name: 'import'; conversation: string }
  /** `>text`: for a bot; without meaning to the service. */
  | { name: 'bot'; text: string }

const SET_ATTRIBUTES = ['@name', '@category', '@touchpoint', '@language'] as const
const NAME_CHARS_MAX = 200
const KEY_CHARS_MAX = 100
const VALUE_CHARS_MAX = 8_000
const COMMENT_CHARS_MAX = 2_000

/**
 * Reads a command's text. Names are lower case; white space around arguments does not count.
 * @throws BadUserInput for an unknown command (naming the known ones), a missing part or one too many
 */
export function parseCommand(text: string, field = 'text'): ParsedCommand {
  if (text.startsWith('>')) return { name: 'bot', text: text.slice(1).trim() }
  if (!text.startsWith('/')) throw bad(field, `must begin with / or >, not ${quoteValue(text)}`)
  const [name, rest] = firstWord(text.slice(1))
  switch (name) {
    case 'set':
      return parseSet(rest, field)
    case 'action':
      return parseAction(rest, field)
    case 'import':
      return parseImport(rest, field)
    case 'close':
      return withoutArguments('leave', rest, field)
  }
  const plain = PLAIN_COMMANDS.find((known) => known === name)
  if (!plain) {
    const known = COMMAND_NAMES.map((command) => `/${command}`).join(', ')
    throw bad(field, `names the unknown command ${quoteValue(`/${name}`)}; known are ${known}`)
  }
  return withoutArguments(plain, rest, field)
}

/** An argument that would be ignored is refused: who writes `/assign bob` must not believe that bob was assigned. */
function withoutArguments(name: PlainCommand, rest: string, field: string): ParsedCommand {
  if (rest) throw bad(field, `has ${quoteValue(rest)} after /${name}, which takes its arguments in meta and user`)
  return { name }
}

function parseSet(rest: string, field: string): ParsedCommand {
  if (!rest) return { name: 'set', attribute: 'meta' }
  const [key, value] = firstWord(rest)
  if (!value) return parseClear(key, field)
  if (value.length > VALUE_CHARS_MAX) throw bad(field, `sets ${value.length} characters; at most ${VALUE_CHARS_MAX}`)
  if (!key.startsWith('@')) return { name: 'set', attribute: 'metaKey', key: metaKey(key, field), value }
  switch (key) {
    case '@name':
      return { name: 'set', attribute: 'name', value: line(value, key, field) }
    case '@category':
      return { name: 'set', attribute: 'category', value: isIndex(value) ? Number(value) : line(value, key, field) }
    case '@touchpoint': {
      const touchpoint = TOUCHPOINTS.find((known) => known === value)
      if (touchpoint) return { name: 'set', attribute: 'touchpoint', value: touchpoint }
      throw bad(field, `sets the unknown touchpoint ${quoteValue(value)}; known are ${TOUCHPOINTS.join(', ')}`)
    }
    case '@language':
      if (/^[a-z]{2}$/.test(value)) return { name: 'set', attribute: 'language', value }
      throw bad(field, `sets the language ${quoteValue(value)}; two lower-case letters are needed`)
  }
  throw unknownAttribute(key, field)
}

function unknownAttribute(key: string, field: string): BadUserInput {
  return bad(field, `sets the unknown attribute ${quoteValue(key)}; known are ${SET_ATTRIBUTES.join(', ')}`)
}

/** A key without a value: legacy clients clear by it. */
function parseClear(key: string, field: string): ParsedCommand {
  if (!key.startsWith('@')) return { name: 'set', attribute: 'metaKey', key: metaKey(key, field), value: null }
  switch (key) {
    case '@name':
      throw bad(field, 'lacks the value to set for "@name", which cannot be cleared')
    case '@category':
    case '@touchpoint':
    case '@language':
      return { name: 'set', attribute: key.slice(1) as 'category' | 'touchpoint' | 'language', value: null }
  }
  throw unknownAttribute(key, field)
}

function isIndex(value: string): boolean {
  return /^\d{1,6}$/.test(value)
}

function metaKey(key: string, field: string): string {
  if (isSystemKey(key)) throw bad(field, `sets ${quoteValue(key)}: keys beginning with _ are the system's`)
  if (isPrototypeKey(key)) throw bad(field, `sets ${quoteValue(key)}, which is not allowed as a key`)
  if (key.length > KEY_CHARS_MAX) throw bad(field, `sets a key of ${key.length} characters; at most ${KEY_CHARS_MAX}`)
  return key
}

function line(value: string, key: string, field: string): string {
  if (value.length > NAME_CHARS_MAX || /[\r\n]/.test(value)) {
    throw bad(field, `must set ${key} to one line of at most ${NAME_CHARS_MAX} characters`)
  }
  return value
}

function parseAction(rest: string, field: string): ParsedCommand {
  const [action, text] = firstWord(rest)
  if (action === 'like') {
    if (text) throw bad(field, `has ${quoteValue(text)} after /action like`)
    return { name: 'action', action }
  }
  if (action !== 'comment') throw bad(field, `names the unknown action ${quoteValue(action)}; known are like, comment`)
  if (!text) throw bad(field, 'lacks the text of the comment')
  if (text.length > COMMENT_CHARS_MAX) {
    throw bad(field, `has a comment of ${text.length} characters; at most ${COMMENT_CHARS_MAX} are allowed`)
  }
  return { name: 'action', action, text }
}

function parseImport(rest: string, field: string): ParsedCommand {
  if (!isId(rest)) throw bad(field, `must name the conversation to import by its ID, not ${quoteValue(rest)}`)
  return { name: 'import', conversation: rest.toLowerCase() }
}

/** The text up to the first white space, and the trimmed rest. */
function firstWord(text: string): [word: string, rest: string] {
  const end = text.search(/\s/)
  return end < 0 ? [text, ''] : [text.slice(0, end), text.slice(end).trim()]
}

function bad(field: string, problem: string): BadUserInput {
  return new BadUserInput(field, `${field} ${problem}`)
}
