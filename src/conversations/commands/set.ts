import { BadUserInput, quoteValue } from '../../errors.js'
import { isPrototypeKey, isSystemKey, parseJsonObject, parseMeta, type JsonObject } from '../../json.js'
import { TOUCHPOINTS, type Touchpoint } from '../../messages/message-enums.js'
import { checkPage } from '../../messages/meta-of-kind.js'
import { attachCategoryForms } from '../messages/active-forms.js'
import type { ConversationState } from '../writing/conversation-state.js'
import type { ConversationDraft } from '../writing/conversation-draft.js'
import { readCategory } from '../messages/read-category.js'
import type { Command } from './command.js'
import { badText, firstWord } from './command-text.js'

/** Parsed arguments of `/set`; null clears. */
type SetArguments =
  | { attribute: 'name'; value: string }
  /** Zero-based index if the text is a number, else the name. */
  | { attribute: 'category'; value: string | number | null }
  | { attribute: 'touchpoint'; value: Touchpoint | null }
  | { attribute: 'language'; value: string | null }
  /** `conversation.meta.<key>`; the key is taken literally, dots and all. Null removes it. */
  | { attribute: 'metaKey'; key: string; value: string | null }
  /** `/set` alone: the message's `meta` is merged into the conversation's. */
  | { attribute: 'meta' }

const SET_ATTRIBUTES = ['@name', '@category', '@touchpoint', '@language'] as const
const NAME_CHARS_MAX = 200
const KEY_CHARS_MAX = 100
const VALUE_CHARS_MAX = 8_000

/**
 * `/set` in all its forms (4.8): `@name`, `@category`, `@touchpoint`, `@language`, a key of the metadata, or an object.
 */
export const set: Command<SetArguments> = {
  name: 'set',
  permission: 'conversation.command',
  parse: parseSet,
  async run({ draft, parsed, meta }) {
    const { conversation } = draft
    switch (parsed.attribute) {
      case 'name':
        conversation.name = parsed.value
        return
      case 'language':
        conversation.language = parsed.value
        return
      case 'touchpoint':
        return selectTouchpoint(conversation, parsed.value)
      case 'category':
        return setCategory(draft, parsed.value, 'text')
      case 'metaKey':
        return parsed.value === null ? clearMeta(draft, parsed.key) : mergeMeta(draft, { [parsed.key]: parsed.value })
      case 'meta':
        if (Object.keys(meta).length === 0) throw new BadUserInput('meta', '/set needs a key and a value, or meta')
        return mergeMeta(draft, parseMeta(meta, 'meta'))
    }
  },
}

function parseSet(rest: string, field: string): SetArguments {
  if (!rest) return { attribute: 'meta' }
  const [key, value] = firstWord(rest)
  if (!value) return parseClear(key, field)
  if (value.length > VALUE_CHARS_MAX)
    throw badText(field, `sets ${value.length} characters; at most ${VALUE_CHARS_MAX}`)
  if (!key.startsWith('@')) return { attribute: 'metaKey', key: metaKey(key, field), value }
  switch (key) {
    case '@name':
      return { attribute: 'name', value: line(value, key, field) }
    case '@category':
      return { attribute: 'category', value: isIndex(value) ? Number(value) : line(value, key, field) }
    case '@touchpoint': {
      const touchpoint = TOUCHPOINTS.find((known) => known === value)
      if (touchpoint) return { attribute: 'touchpoint', value: touchpoint }
      throw badText(field, `sets the unknown touchpoint ${quoteValue(value)}; known are ${TOUCHPOINTS.join(', ')}`)
    }
    case '@language':
      if (/^[a-z]{2}$/.test(value)) return { attribute: 'language', value }
      throw badText(field, `sets the language ${quoteValue(value)}; two lower-case letters are needed`)
  }
  throw unknownAttribute(key, field)
}

function unknownAttribute(key: string, field: string): BadUserInput {
  return badText(field, `sets the unknown attribute ${quoteValue(key)}; known are ${SET_ATTRIBUTES.join(', ')}`)
}

/** Parses a key without a value: legacy clients clear fields this way. */
function parseClear(key: string, field: string): SetArguments {
  if (!key.startsWith('@')) return { attribute: 'metaKey', key: metaKey(key, field), value: null }
  switch (key) {
    case '@name':
      throw badText(field, 'must contain a value for "@name", which cannot be cleared')
    case '@category':
    case '@touchpoint':
    case '@language':
      return { attribute: key.slice(1) as 'category' | 'touchpoint' | 'language', value: null }
  }
  throw unknownAttribute(key, field)
}

function isIndex(value: string): boolean {
  return /^\d{1,6}$/.test(value)
}

function metaKey(key: string, field: string): string {
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
 * Makes the touchpoint the one for messages to the consumer (4.7, delivery rule 4), and marks it as selected in
 * `touchpoints`.
 */
export function selectTouchpoint(conversation: ConversationState, selected: Touchpoint | null): void {
  conversation.touchpoint = selected
  conversation.touchpointChosen = selected !== null
  const known = { ...(selected && { [selected]: { services: [] } }), ...conversation.touchpoints }
  conversation.touchpoints = Object.fromEntries(
    Object.entries(known).map(([name, value]) => [name, { ...(value as JsonObject), selected: name === selected }]),
  )
}

/**
 * Sets the category by name, or by zero-based index in the organization's categories; null clears it. The forms
 * attached to the category become active; forms of other categories remain, under their own category (2.4, 4.6).
 * @throws Unprocessable
 */
export async function setCategory(
  draft: ConversationDraft,
  wanted: string | number | null,
  field: string,
): Promise<void> {
  const { conversation } = draft
  if (wanted === null) {
    conversation.category = null
    conversation.categoryIndex = null
    return
  }
  const category = await readCategory(draft, wanted, field)
  conversation.category = category.name
  conversation.categoryIndex = category.index
  await attachCategoryForms(draft, category)
}

/** Merges top-level keys into the conversation's metadata, whose size limit applies to the result. */
export function mergeMeta(draft: ConversationDraft, patch: ConversationDraft['conversation']['meta']): void {
  checkPage(patch, 'meta')
  const merged = { ...draft.conversation.meta, ...patch }
  try {
    // The system's keys do not count, so that a consumer's page does not use up the agents' limit.
    parseJsonObject(Object.fromEntries(Object.entries(merged).filter(([key]) => !isSystemKey(key))), 'meta')
  } catch (error) {
    throw error instanceof BadUserInput ? new BadUserInput('meta', `the conversation's ${error.message}`) : error
  }
  draft.conversation.meta = merged
}

function clearMeta({ conversation }: ConversationDraft, key: string): void {
  const { [key]: _, ...others } = conversation.meta
  conversation.meta = others
}
