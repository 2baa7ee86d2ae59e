import { BadUserInput, quoteValue } from '../../../platform/errors.js'
import { isAbsent, parseText } from '../../../platform/input.js'
import { isPrototypeKey, isSystemKey, parseJsonObject, parseMeta, type JsonObject } from '../../../platform/json.js'
import { TOUCHPOINTS, type Touchpoint } from '../../touchpoint-traits.js'
import { checkPage } from '../../messages/meta-of-kind.js'
import { attachCategoryForms } from '../messages/active-forms.js'
import type { ConversationChange } from '../state/conversation-change.js'
import { readCategory } from '../messages/read-category.js'
import type { ArgumentPath, Command, Unchecked } from './command.js'
import { badText, firstWord } from './command-text.js'
import { selectTouchpoint } from './select-touchpoint.js'

/** Arguments of `/set`; null clears. */
type SetArguments =
  | { attribute: 'name'; value: string }
  /** Zero-based index if the text is a number, else the name. */
  | { attribute: 'category'; value: string | number | null }
  | { attribute: 'touchpoint'; value: Touchpoint | null }
  | { attribute: 'language'; value: string | null }
  /** `conversation.meta.<key>`; the key is taken literally, dots and all. Null removes it. */
  | { attribute: 'metaKey'; key: string; value: string | null }
  /** `/set` alone: the message's `meta` is merged into the conversation's. */
  | { attribute: 'meta'; meta: JsonObject }

/** Attributes that have a text form of their own: `/set @name …`. */
export const SET_ATTRIBUTES = ['name', 'category', 'touchpoint', 'language'] as const
const NAME_CHARS_MAX = 200
const KEY_CHARS_MAX = 100
const VALUE_CHARS_MAX = 8_000

/**
 * `/set` in all its forms (4.8): `@name`, `@category`, `@touchpoint`, `@language`, a key of the metadata, or an object.
 */
export const set: Command<SetArguments> = {
  name: 'set',
  permission: 'conversation.command',
  grant: 'set',
  inText: ['attribute', 'key', 'value'],
  read: readSet,
  write: writeSet,
  check: checkSet,
  async run({ change, given, at }) {
    const { conversation } = change
    switch (given.attribute) {
      case 'name':
        conversation.name = given.value
        return
      case 'language':
        conversation.language = given.value
        return
      case 'touchpoint':
        return selectTouchpoint(change, given.value, at('value'))
      case 'category':
        return setCategory(change, given.value, at('value'))
      case 'metaKey':
        return given.value === null ? clearMeta(change, given.key) : mergeMeta(change, { [given.key]: given.value })
      case 'meta':
        return mergeMeta(change, given.meta, at('meta'))
    }
  },
}

function readSet(rest: string, meta: JsonObject): Unchecked<SetArguments> {
  if (!rest) return { attribute: 'meta', meta }
  const [key, value] = firstWord(rest)
  if (!key.startsWith('@')) return { attribute: 'metaKey', key, value }
  return { attribute: SET_ATTRIBUTES.find((each) => key === `@${each}`) ?? key, value }
}

function writeSet(given: SetArguments): { rest?: string; meta?: JsonObject } {
  if (given.attribute === 'meta') return { meta: given.meta }
  const key = given.attribute === 'metaKey' ? given.key : `@${given.attribute}`
  return { rest: given.value === null ? key : `${key} ${given.value}` }
}

function checkSet({ attribute, key, value, meta }: Unchecked<SetArguments>, at: ArgumentPath): SetArguments {
  if (attribute === 'meta') return { attribute, meta: checkMeta(meta, at('meta')) }
  const field = at('value')
  if (isAbsent(value)) throw new BadUserInput(field, `${field} must not be null`)
  const text = parseText(value, field).trim()
  if (text.length > VALUE_CHARS_MAX) throw badText(field, `sets ${text.length} characters; at most ${VALUE_CHARS_MAX}`)
  // An empty text clears: legacy clients write a key without a value.
  const given = text || null
  switch (attribute) {
    case 'metaKey': {
      const checked = checkKey(key, at('key'))
      if (given) checkPage({ [checked]: given }, field)
      return { attribute, key: checked, value: given }
    }
    case 'name':
      if (given) return { attribute, value: line(given, '@name', field) }
      throw badText(field, 'must contain a value for "@name", which cannot be cleared')
    case 'category':
      return { attribute, value: given && (isIndex(given) ? Number(given) : line(given, '@category', field)) }
    case 'touchpoint': {
      const touchpoint = TOUCHPOINTS.find((known) => known === given)
      if (touchpoint || !given) return { attribute, value: touchpoint ?? null }
      throw badText(field, `sets the unknown touchpoint ${quoteValue(given)}; known are ${TOUCHPOINTS.join(', ')}`)
    }
    case 'language':
      if (!given || /^[a-z]{2}$/.test(given)) return { attribute, value: given }
      throw badText(field, `sets the language ${quoteValue(given)}; two lower-case letters are needed`)
  }
  const known = SET_ATTRIBUTES.map((each) => `@${each}`).join(', ')
  throw badText(at('attribute'), `sets the unknown attribute ${quoteValue(attribute)}; known are ${known}`)
}

function checkMeta(meta: unknown, field: string): JsonObject {
  if (isAbsent(meta)) throw new BadUserInput(field, `${field} must not be null`)
  const patch = parseMeta(meta, field)
  if (Object.keys(patch).length === 0) throw new BadUserInput(field, `${field}: /set needs a key and a value, or meta`)
  checkPage(patch, field)
  return patch
}

function isIndex(value: string): boolean {
  return /^\d{1,6}$/.test(value)
}

function checkKey(key: unknown, field: string): string {
  if (typeof key !== 'string') throw badText(field, 'must contain a key')
  if (isSystemKey(key)) throw badText(field, `sets ${quoteValue(key)}: keys beginning with _ are the system's`)
  if (isPrototypeKey(key)) throw badText(field, `sets ${quoteValue(key)}, which is not allowed as a key`)
  if (key.length > KEY_CHARS_MAX)
    throw badText(field, `sets a key of ${key.length} characters; at most ${KEY_CHARS_MAX}`)
  return key
}

function line(value: string, key: string, field: string): string {
  if (value.length > NAME_CHARS_MAX || /[\r\n]/.test(value)) {
    throw badText(field, `must set ${key} to one line of at most ${NAME_CHARS_MAX} characters`)
  }
  return value
}

/**
 * Sets the category by name, or by zero-based index in the organization's categories; null clears it. The forms
 * attached to the category become active; forms of other categories remain, under their own category (2.4, 4.6).
 * @throws Unprocessable
 */
export async function setCategory(
  change: ConversationChange,
  wanted: string | number | null,
  field: string,
): Promise<void> {
  const { conversation } = change
  if (wanted === null) {
    conversation.category = null
    conversation.categoryIndex = null
    return
  }
  const category = await readCategory(change, wanted, field)
  conversation.category = category.name
  conversation.categoryIndex = category.index
  await attachCategoryForms(change, category)
}

/** Merges top-level keys into the conversation's metadata, whose size limit applies to the result. Null removes a key. */
export function mergeMeta(change: ConversationChange, patch: JsonObject, field = 'meta'): void {
  const merged = Object.fromEntries(
    Object.entries({ ...change.conversation.meta, ...patch }).filter(([, value]) => value !== null),
  )
  try {
    // The system's keys do not count, so that a consumer's page does not use up the agents' limit.
    parseJsonObject(Object.fromEntries(Object.entries(merged).filter(([key]) => !isSystemKey(key))), field)
  } catch (error) {
    throw error instanceof BadUserInput ? new BadUserInput(field, `the conversation's ${error.message}`) : error
  }
  change.conversation.meta = merged
}

function clearMeta({ conversation }: ConversationChange, key: string): void {
  const { [key]: _, ...others } = conversation.meta
  conversation.meta = others
}
