import { isId } from '../../db/clock.js'
import { Unprocessable } from '../../errors.js'

/**
 * Runs what was accepted for a conversation in that one or, when it has been merged since, in the one that its messages
 * went to (4.8): the refusal of an archived conversation names it. An archived conversation is never one again that
 * another is merged into, so this comes to an end.
 */
export async function inMergedConversation<T>(id: string, run: (id: string) => Promise<T>): Promise<T> {
  for (let conversation = id; ;) {
    try {
      return await run(conversation)
    } catch (error) {
      const target = error instanceof Unprocessable && error.details.status === 'archived' ? error.details.target : null
      if (!isId(target)) throw error
      conversation = target
    }
  }
}
