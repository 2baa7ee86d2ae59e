import { Forbidden } from '../errors.js'
import { MASKED_KINDS, type MaskedKind } from './masker.js'

/** Mutations whose `text` or `summary` is new, and is read by people: a placeholder replaces nothing. */
const NEW_TEXTS: ReadonlySet<string> = new Set(['appendMessage', 'addContactNote', 'handOverConversation', 'propose'])
/** Arguments that are messages, which are new too. */
const MESSAGES: ReadonlySet<string> = new Set(['message', 'messages', 'reply'])
/** Messages that change records. */
const WRITING: ReadonlySet<unknown> = new Set(['command', 'field', 'form'])

/**
 * Refuses what a bot has read masked and would write back over what it stands for: records are replaced as wholes.
 * @throws Forbidden naming the argument
 */
export function refuseMasked(
  { mask }: { mask: readonly MaskedKind[] | null },
  mutation: string,
  args: Readonly<Record<string, unknown>>,
): void {
  if (!mask) return
  const hasNewTexts = NEW_TEXTS.has(mutation)
  const found = placeholderIn(args, '', (name, value) => {
    if (MESSAGES.has(name) && isObject(value) && !Array.isArray(value)) return !WRITING.has(value.type)
    return hasNewTexts && (name === 'text' || name === 'summary')
  })
  if (!found) return
  const { path, placeholder } = found
  const message = `${path}: ${placeholder} is what the bot reads in place of something else, and would replace it`
  throw new Forbidden(message, { reason: 'BOT_MASKED', field: path })
}

const PLACEHOLDER = new RegExp(`\\[(?:${MASKED_KINDS.join('|')}) \\d+\\]`)

/**
 * Returns where in an input a text has what stands for something masked; null for nowhere.
 * @param isNew tells by its name, which all elements of a list have, what is not looked at
 */
function placeholderIn(
  value: unknown,
  path: string,
  isNew: (name: string, value: unknown) => boolean,
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
    if (isNew(name, each)) continue
    const at = isList ? `${path}[${key}]` : path === '' ? key : `${path}.${key}`
    const found = (isList ? null : placeholderIn(key, path, isNew)) ?? placeholderIn(each, at, isNew, name)
    if (found) return found
  }
  return null
}

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null
