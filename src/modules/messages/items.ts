import { BadUserInput } from '../../platform/errors.js'
import { isAbsent, parseFields, parseList, parseText } from '../../platform/input.js'
import { type Action, parseActions, parseMediaType, parseSize, parseWebUrl } from './actions.js'

/** An element of a message's list (2.10), with at least one of title, description, mediaUrl and actions. */
export interface Item {
  title?: string
  description?: string
  size?: string
  mediaUrl?: string
  mediaType?: string
  iconUrl?: string
  actions?: Action[]
}

export const ITEMS_MAX = 100
const TITLE_CHARS_MAX = 2_000
const DESCRIPTION_CHARS_MAX = 8_000

const PARSERS = {
  title: (value: unknown, field: string) => parseText(value, field, { max: TITLE_CHARS_MAX }),
  description: (value: unknown, field: string) => parseText(value, field, { max: DESCRIPTION_CHARS_MAX }),
  size: parseSize,
  mediaUrl: parseWebUrl,
  mediaType: parseMediaType,
  iconUrl: parseWebUrl,
  actions: parseActions,
} satisfies Record<keyof Item, (value: unknown, field: string) => string | Action[]>

const FIELDS = Object.keys(PARSERS) as (keyof Item)[]

/** Parses a message's items; none if absent. @throws BadUserInput naming the field (`items[0].actions[1].uri`) */
export function parseItems(input: unknown, field: string): Item[] {
  if (isAbsent(input)) return []
  return parseList(input, field, ITEMS_MAX).map((item, index) => parseItem(item, `${field}[${index}]`))
}

function parseItem(input: unknown, field: string): Item {
  const given = parseFields(input, field, FIELDS)
  const item: Item = Object.fromEntries(
    Object.entries(given).map(([key, value]) => [key, PARSERS[key as keyof Item](value, `${field}.${key}`)]),
  )
  if (!item.title && !item.description && !item.mediaUrl && !item.actions?.length) {
    throw new BadUserInput(field, `${field} needs a title, a description, a mediaUrl or actions`)
  }
  return item
}
