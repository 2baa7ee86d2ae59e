import type { Context } from '../../../platform/context.js'
import { BadUserInput, Forbidden, Unprocessable } from '../../../platform/errors.js'
import type { NewMessage } from '../../messages/message-content.js'
import type { MessageInput } from '../../messages/message-input.js'
import { depthOf } from '../messages/automation.js'
import { senderOf } from '../messages/members.js'
import { messageSentBefore } from '../messages/sent-before.js'
import type { Saying } from '../sending/end-stream.js'
import { checkAutomation, checkNewMessage } from '../sending/process-message.js'
import { requireSeen } from '../sending/require-seen.js'
import { requireTouchpoint } from '../sending/require-touchpoint.js'
import { authoriseMessages, type SendDependencies } from '../sending/send-message.js'
import { parseSentMessage } from '../sending/sent-message.js'
import type { OpenStream } from '../state/message-stream.js'
import { lapseOf } from './lapse.js'
import { readStream, type StreamRow } from './read-streams.js'
import type { StreamRooms } from './stream-rooms.js'

/**
 * Begins a message whose text is written in front of its readers. Beginning it again with the same id returns what was begun.
 * @throws MovedOn; RateLimited; Unprocessable; Forbidden for guests; BadUserInput
 */
export async function beginStream(
  { writer, rooms }: Pick<SendDependencies, 'writer'> & { rooms: StreamRooms },
  ctx: Context,
  conversationId: string,
  input: MessageInput,
): Promise<Omit<StreamRow, 'bytes'>> {
  const newMessage = parseStreamed(ctx, input)
  const sender = senderOf(ctx)
  const { user } = ctx.userCaller
  if (newMessage.id !== null) {
    const known = await readStream(ctx.reads, newMessage.id)
    if (known?.userId === user && known.conversationId === conversationId.toLowerCase()) return known
  }
  const id = newMessage.id ?? ctx.newId()
  return rooms.during({ id, user }, (enter) =>
    writer.run(ctx, conversationId, async (change) => {
      const open = change.streams.find((each) => each.id === id && each.userId === user)
      if (open) return { ...open, ending: null }
      requireTouchpoint(change.conversation, [newMessage], () => 'message.')
      const actor = await checkNewMessage(change, sender, newMessage)
      if (await messageSentBefore(change, newMessage, sender))
        throw new Unprocessable(`a message with the id ${newMessage.id} was sent already`, { reason: 'SENT_BEFORE' })
      await requireSeen(change, newMessage.mark, [user, newMessage.user])
      await checkAutomation(change, sender, { newMessage, actor })
      depthOf(newMessage)
      await enter(change)
      const { id: conversation, organizationId, org1, org2, org3 } = change.conversation
      const saying: Saying = { newMessage, sender, actor: actor! }
      const stream: OpenStream = {
        id,
        ...{ organizationId, org1, org2, org3, conversationId: conversation },
        userId: user,
        saying,
        length: 0,
        createdAt: change.now,
        touchedAt: change.now,
      }
      change.beginStream(stream)
      change.addJob(lapseOf(stream))
      return { ...stream, ending: null }
    }),
  )
}

/** Parses a message without its text. @throws BadUserInput for what a stream cannot be; Forbidden */
function parseStreamed(ctx: Context, input: MessageInput): NewMessage {
  if (ctx.guestCaller) throw new Forbidden('a guest sends whole messages', { reason: 'USER_REQUIRED' })
  const refuse = (field: string, rule: string): never => {
    throw new BadUserInput(`message.${field}`, `message.${field} ${rule}`)
  }
  if (input.text) refuse('text', 'must be absent: it is appended')
  if (input.template) refuse('template', 'must be absent: its text is whole')
  if (input.proposal) refuse('proposal', 'must be absent: name it in a whole message')
  if (input.delay) refuse('delay', 'must be absent: a stream is shown at once')
  if ((input.type ?? 'chat') !== 'chat') refuse('type', 'must be chat')
  if ((input.contentType ?? 'text/plain') !== 'text/plain') refuse('contentType', 'must be text/plain')
  if (input.role === 'contact') refuse('role', 'must not be contact')
  const newMessage = parseSentMessage(ctx, { ...input, text: 'to come' }, 'message')
  const [own] = authoriseMessages(ctx, [{ ...newMessage, text: null }])
  return own!.newMessages[0]!
}
