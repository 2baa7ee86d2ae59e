import { isId } from '../../platform/db/clock.js'
import { BadUserInput, quoteValue } from '../../platform/errors.js'
import { parseInteger, parseText, parseWebAddress } from '../../platform/input.js'
import type { JsonObject } from '../../platform/json.js'
import type { MessageType } from './message-enums.js'

const TEXT_CHARS_MAX = 2_000
const CATEGORY_INDEX_MAX = 10_000
/** A CSS colour: a name, #hex or a colour function of numbers. No `url(…)`, nothing that could end a declaration. */
const COLOUR = /^(?:#[0-9a-f]{3,8}|[a-z]{1,40}|(?:rgba?|hsla?|hwb|lab|lch|oklab|oklch)\([0-9a-z.,%/ +-]{1,60}\))$/i

/**
 * Validates metadata with a meaning for the message's type (2.12); other keys are free. Whether a target, form or
 * category exists is checked by the module that uses it. Metadata of commands is checked by each command.
 * @throws BadUserInput naming the key (`meta.targetUser`)
 */
export function checkMetaOfKind({ type, meta }: { type: MessageType; meta: JsonObject }, field: string): void {
  checkPage(meta, field)
  switch (type) {
    case 'mention':
      return checkMention(meta, field)
    case 'card':
      checkStrings(meta, field, ['title'])
      if ('backgroundColor' in meta) checkColour(meta.backgroundColor, `${field}.backgroundColor`)
      return
    case 'form':
    case 'field':
      checkStrings(meta, field, ['form', 'field', 'category', 'key'])
      if ('categoryIndex' in meta) parseInteger(meta.categoryIndex, `${field}.categoryIndex`, 0, CATEGORY_INDEX_MAX)
  }
}

/**
 * Validates `url` in a message's or conversation's metadata, the page to which consoles link (2.12). Values other than
 * texts are not used as addresses. @throws BadUserInput
 */
export function checkPage(meta: JsonObject, field: string): void {
  if (typeof meta.url === 'string') parseWebAddress(meta.url, `${field}.url`)
}

/** Validates a mention, which targets one organization or one user; only the server sets `targetName` (2.12). */
function checkMention(meta: JsonObject, field: string): void {
  delete meta.targetName
  const targets = (['targetUser', 'targetOrganization'] as const).filter((key) => (meta[key] ?? null) !== null)
  const [target] = targets
  if (!target || targets.length > 1) {
    throw new BadUserInput(
      `${field}.targetUser`,
      `a mention needs exactly one of ${field}.targetUser and ${field}.targetOrganization, not ${targets.length}`,
    )
  }
  if (!isId(meta[target])) {
    throw new BadUserInput(`${field}.${target}`, `${field}.${target} must be an ID, not ${quoteValue(meta[target])}`)
  }
}

function checkStrings(meta: JsonObject, field: string, keys: readonly string[]): void {
  for (const key of keys) {
    if ((meta[key] ?? null) !== null) parseText(meta[key], `${field}.${key}`, { max: TEXT_CHARS_MAX })
  }
}

function checkColour(value: unknown, field: string): void {
  if (value === null || (typeof value === 'string' && COLOUR.test(value))) return
  throw new BadUserInput(field, `${field} must be a CSS colour, not ${quoteValue(value)}`)
}
