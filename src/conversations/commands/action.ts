import { BadUserInput, NotFound, quoteValue, Unprocessable } from '../../errors.js'
import type { MessageRow } from '../../messages/message-row.js'
import type { ConversationDraft } from '../writing/conversation-draft.js'
import type { Command } from './command.js'
import { badText, firstWord } from './command-text.js'

const LIKES_PER_MESSAGE_MAX = 100 // 8
const COMMENTS_PER_MESSAGE_MAX = 10 // 8

const COMMENT_CHARS_MAX = 2_000

type ActionArguments = { action: 'like' } | { action: 'comment'; text: string }

/** `/action like` and `/action comment <text>` (4.8) on the message `meta.message`. */
export const action: Command<ActionArguments> = {
  name: 'action',
  permission: 'conversation.command',
  parse: parseAction,
  async run({ draft, actor, parsed, meta, message: command }) {
    const target = await readTarget(draft, meta.message)
    if (parsed.action === 'like') {
      if (target.likes.includes(actor.userId)) return
      requireRoom(target.likes, LIKES_PER_MESSAGE_MAX, 'likes')
      draft.changeMessage({ ...target, likes: [...target.likes, actor.userId] })
    } else {
      requireRoom(target.comments, COMMENTS_PER_MESSAGE_MAX, 'comments')
      const comment = { user: actor.userId, message: command.id, text: parsed.text }
      draft.changeMessage({ ...target, comments: [...target.comments, comment] })
    }
  },
}

function parseAction(rest: string, field: string): ActionArguments {
  const [action, text] = firstWord(rest)
  if (action === 'like') {
    if (text) throw badText(field, `has ${quoteValue(text)} after /action like`)
    return { action }
  }
  if (action !== 'comment')
    throw badText(field, `names the unknown action ${quoteValue(action)}; known are like, comment`)
  if (!text) throw badText(field, 'must contain the text of the comment')
  if (text.length > COMMENT_CHARS_MAX) {
    throw badText(field, `has a comment of ${text.length} characters; at most ${COMMENT_CHARS_MAX} are allowed`)
  }
  return { action, text }
}

async function readTarget(draft: ConversationDraft, id: unknown): Promise<MessageRow> {
  if (id === undefined || id === null) throw new BadUserInput('meta.message', 'meta.message is required')
  const message = typeof id === 'string' ? await draft.findMessage(id) : null
  if (!message) {
    throw new NotFound(`meta.message: Message ${quoteValue(id)} not found in the conversation`, {
      field: 'meta.message',
    })
  }
  return message
}

function requireRoom(list: readonly unknown[], max: number, what: string): void {
  if (list.length >= max) throw new Unprocessable(`the message has ${max} ${what} already`, { field: 'meta.message' })
}
