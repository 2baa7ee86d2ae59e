import { BadUserInput, NotFound, quoteValue, Unprocessable } from '../../../platform/errors.js'
import { isAbsent } from '../../../platform/input.js'
import type { JsonObject } from '../../../platform/json.js'
import type { MessageRow } from '../../messages/message-row.js'
import type { ConversationChange } from '../state/conversation-change.js'
import type { ArgumentPath, Command, Unchecked } from './command.js'
import { badText, firstWord } from './command-text.js'

const LIKES_PER_MESSAGE_MAX = 100 // 8
const COMMENTS_PER_MESSAGE_MAX = 10 // 8

const COMMENT_CHARS_MAX = 2_000

type ActionArguments = Said & {
  /** Id of the message that is liked or commented on. */
  message: unknown
}

/** `/action like` and `/action comment <text>` (4.8) on the message `message`. */
export const action: Command<ActionArguments> = {
  name: 'action',
  permission: 'conversation.command',
  grant: 'other',
  inText: ['action', 'text'],
  read(rest, { message }) {
    const [action, text] = firstWord(rest)
    return { action, text, message }
  },
  write: ({ message, ...said }) => ({
    rest: said.action === 'like' ? 'like' : `comment ${said.text}`,
    meta: { message } as JsonObject,
  }),
  check({ message, ...said }, at) {
    const checked = checkSaid(said, at)
    if (isAbsent(message)) throw new BadUserInput(at('message'), `${at('message')} is required`, 'MISSING_VALUE')
    return { ...checked, message }
  },
  async run({ change, actor, given, at, message: command }) {
    const target = await readTarget(change, given.message, at('message'))
    if (given.action === 'like') {
      if (target.likes.includes(actor.userId)) return
      requireRoom(target.likes, LIKES_PER_MESSAGE_MAX, { what: 'likes', field: at('message') })
      change.changeMessage({ ...target, likes: [...target.likes, actor.userId] })
    } else {
      requireRoom(target.comments, COMMENTS_PER_MESSAGE_MAX, { what: 'comments', field: at('message') })
      const comment = { user: actor.userId, message: command.id, text: given.text }
      change.changeMessage({ ...target, comments: [...target.comments, comment] })
    }
  },
}

type Said = { action: 'like' } | { action: 'comment'; text: string }

function checkSaid({ action, text }: Unchecked<Said>, at: ArgumentPath): Said {
  if (action === 'like') {
    if (text) throw badText(at('text'), `has ${quoteValue(text)} after /action like`)
    return { action }
  }
  if (action !== 'comment')
    throw badText(at('action'), `names the unknown action ${quoteValue(action)}; known are like, comment`)
  if (typeof text !== 'string' || !text) throw badText(at('text'), 'must contain the text of the comment')
  if (text.length > COMMENT_CHARS_MAX) {
    throw badText(at('text'), `has a comment of ${text.length} characters; at most ${COMMENT_CHARS_MAX} are allowed`)
  }
  return { action, text }
}

async function readTarget(change: ConversationChange, id: unknown, field: string): Promise<MessageRow> {
  const message = typeof id === 'string' ? await change.findMessage(id) : null
  if (message) return message
  throw new NotFound(`${field}: Message ${quoteValue(id)} not found in the conversation`, { field })
}

function requireRoom(list: readonly unknown[], max: number, { what, field }: { what: string; field: string }): void {
  if (list.length >= max)
    throw new Unprocessable(`the message has ${max} ${what} already`, { reason: 'TOO_MANY', field })
}
