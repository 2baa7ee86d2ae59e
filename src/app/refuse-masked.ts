import type { Context } from '../platform/context.js'
import { placeholderIn } from '../platform/content/masker.js'
import { Forbidden } from '../platform/errors.js'

/** Mutations whose texts are new, and are read by people: a placeholder replaces nothing. */
const NEW_TEXTS: ReadonlySet<string> = new Set([
  'sendMessage',
  'sendMessages',
  'beginMessage',
  'appendMessage',
  'finishMessage',
  'propose',
  'addContactNote',
  'handOverConversation',
])

/**
 * Refuses what a bot has read masked and would write back over what it stands for: records are replaced as wholes.
 * @throws Forbidden naming the argument
 */
export function refuseMasked(ctx: Context, mutation: string, args: Readonly<Record<string, unknown>>): void {
  if (!ctx.mask || NEW_TEXTS.has(mutation)) return
  const found = placeholderIn(args)
  if (!found) return
  const { path, placeholder } = found
  const message = `${path}: ${placeholder} is what the bot reads in place of something else, and would replace it`
  throw new Forbidden(message, { reason: 'BOT_MASKED', field: path })
}
