import { BotMasked } from './bot-masked.js'
import { MASKED_KINDS, type MaskedKind } from './masker.js'

/** Arguments, by mutation, that are new texts for people: a placeholder in them replaces nothing. */
const NEW_TEXTS: Readonly<Record<string, string>> = {
  appendMessage: 'text',
  addContactNote: 'text',
  handOverConversation: 'note',
  propose: 'suggestion.summary',
}
/** Arguments that are messages, which are new too. */
const MESSAGES: ReadonlySet<string> = new Set(['message', 'messages', 'reply'])
/** Messages that change records. */
const WRITING: ReadonlySet<unknown> = new Set(['command', 'field', 'form'])

/**
 * Refuses what a bot has read masked and would write back over what it stands for: records are replaced as wholes.
 * @throws BotMasked naming the argument
 */
export function refuseMasked(
  { mask }: { mask: readonly MaskedKind[] | null },
  mutation: string,
  args: Readonly<Record<string, unknown>>,
): void {
  if (!mask) return
  const found = placeholderIn(args, '', ({ at, name, value }) => {
    if (MESSAGES.has(name) && isObject(value) && !Array.isArray(value)) return !WRITING.has(value.type)
    return at === NEW_TEXTS[mutation]
  })
  if (!found) return
  const { path, placeholder } = found
  const message = `${path}: ${placeholder} is what the bot reads in place of something else, and would replace it`
  throw new BotMasked(message, path)
}

const PLACEHOLDER = new RegExp(`\\[(?:${MASKED_KINDS.join('|')}) \\d+\\]`)

/**
 * Returns where in an input a text has what stands for something masked; null for nowhere.
 * @param isNew tells by its path and its name, which all elements of a list have, what is not looked at
 */
function placeholderIn(
  value: unknown,
  path: string,
  isNew: (each: { at: string; name: string; value: unknown }) => boolean,
  listName = '',
): { path: string; placeholder: string } | null {
  if (typeof value === 'string') {
    const [placeholder] = PLACEHOLDER.exec(value) ?? []
    return placeholder === undefined ? null : { path, placeholder }
  }
  if (!isObject(value)) return null
  const isList = Array.isArray(value)
  for (const [key, each] of Object.entries(value)) {
    const name = isList ? listName : key
    const at = isList ? `${path}[${key}]` : path === '' ? key : `${path}.${key}`
    if (isNew({ at, name, value: each })) continue
    const found = (isList ? null : placeholderIn(key, path, isNew)) ?? placeholderIn(each, at, isNew, name)
    if (found) return found
  }
  return null
}

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null
