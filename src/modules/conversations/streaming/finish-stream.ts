import type { Context } from '../../../platform/context.js'
import { isId } from '../../../platform/db/clock.js'
import { isWithin } from '../../../platform/db/tenancy.js'
import { Forbidden, Unprocessable } from '../../../platform/errors.js'
import { ifThere } from '../../../platform/if-there.js'
import { NoGrant } from '../../bots/no-grant.js'
import type { Mark } from '../../messages/mark.js'
import type { MessageRow } from '../../messages/message-row.js'
import type { Provenance } from '../../messages/provenance.js'
import type { StreamEnding } from '../../messages/stream-ending.js'
import { actionsOf } from '../sending/action-of.js'
import { agentsToLock } from '../sending/agents-to-lock.js'
import { endStream, sayingOf, takeText } from '../sending/end-stream.js'
import { processMessage } from '../sending/process-message.js'
import { requireSeen } from '../sending/require-seen.js'
import { provenanceOfBots, runMessages, type SendDependencies } from '../sending/send-message.js'
import { isAnswer } from '../state/answer.js'
import type { ConversationChange } from '../state/conversation-change.js'
import type { OpenStream } from '../state/message-stream.js'
import { usersInReach } from '../state/reach.js'
import { readStream, type StreamRow } from './read-streams.js'
import { streamEnded, streamNotFound, wrongOffset } from './stream-errors.js'

/** Reads a stream of the caller's own, ended or not. @throws NotFound; Forbidden for another's */
export async function readOwnStream(ctx: Context, id: string): Promise<StreamRow> {
  const stream = isId(id) ? await readStream(ctx.reads, id) : null
  if (!stream || ctx.guestCaller || !isWithin(ctx.tenant, stream)) throw streamNotFound()
  if (stream.userId !== ctx.userCaller.user) throw new Forbidden('only its author writes and finishes a message')
  return stream
}

/**
 * Makes a whole stream the message that it was to become: one event, and no part is left.
 * @param length the text's, in UTF-16 units: nothing of it is lost on the way
 * @param mark in place of the one that it was begun with; `provenance` too
 * @returns the message; null if the stream was finished before
 * @throws MovedOn, and it stays open; Unprocessable; NotFound; Forbidden
 */
export async function finishStream(
  { writer, router, assignments }: SendDependencies,
  ctx: Context,
  id: string,
  { length, mark, provenance }: { length: number; mark: Mark | null; provenance: Provenance | null },
): Promise<MessageRow | null> {
  const begun = await readOwnStream(ctx, id)
  if (provenance && !ctx.userCaller.isBot) throw provenanceOfBots()
  if (begun.ending) return requireDone(begun)
  const { newMessage, sender } = sayingOf(begun)
  const operation = async (change: ConversationChange): Promise<MessageRow | null> => {
    const stream = change.streams.find((each) => each.id === begun.id)
    if (!stream) return null
    await requireSeen(change, mark ?? newMessage.mark, [stream.userId, newMessage.user])
    const { text, firstTextAt } = await takeText(change, stream)
    if (text.length !== length) throw wrongOffset('length', length, text.length)
    if (text === '')
      throw new Unprocessable('nothing was added to the stream: stop it instead', { reason: 'STREAM_EMPTY' })
    change.endStream(stream, 'done')
    const whole = { ...newMessage, text: text.toWellFormed(), ...(provenance && { provenance }) }
    const waitingSince = change.conversation.unansweredSince
    const message = await processMessage(change, { router, sender, newMessage: whole, id: stream.id, isStreamed: true })
    noteFirstText(change, message, { waitingSince, firstTextAt })
    return message
  }
  const locked = await agentsToLock(assignments, sender, [newMessage])
  const work = { newMessages: [newMessage], operation }
  const message = await runMessages(writer, ctx, begun.conversationId, work, { agentsToLock: locked })
  return message ?? requireDone((await readStream(ctx.reads, begun.id)) ?? { ...begun, ending: 'stopped' })
}

/**
 * Counts how long a consumer waited for the first text of an answer. Text that was shown before the question is no answer to it.
 */
function noteFirstText(
  { noted }: ConversationChange,
  message: MessageRow,
  { waitingSince, firstTextAt }: { waitingSince: Date | null; firstTextAt: Date | null },
): void {
  if (!isAnswer(message) || !waitingSince || !firstTextAt || firstTextAt < waitingSince) return
  const ms = firstTextAt.getTime() - waitingSince.getTime()
  noted.push({ kind: 'firstText', userId: message.userId, ms, detail: null })
}

/** @throws Unprocessable if it ended otherwise */
function requireDone({ ending, length }: StreamRow): null {
  if (ending !== 'done') throw streamEnded(ending!, length)
  return null
}

/** Ends a stream that the caller may stop. Repeating it changes nothing. @returns the message of what was shown, if it was this that ended it */
export function stopStream(
  { writer }: Pick<SendDependencies, 'writer'>,
  ctx: Context,
  { id, conversationId }: Pick<OpenStream, 'id' | 'conversationId'>,
  ending: Exclude<StreamEnding, 'done'> = 'stopped',
): Promise<MessageRow | null> {
  return writer.run(ctx, conversationId, async (change) => {
    const stream = change.streams.find((each) => each.id === id)
    // What a bot has begun it may end.
    if (ctx.maybeCaller?.kind === 'user' && ctx.userCaller.user === stream?.userId) change.grants.pass()
    return stream ? endStream(change, stream, ending) : null
  })
}

type Streaming = Pick<SendDependencies, 'writer'>

/** Stops all that a user writes at the moment, in whatever conversation. */
export function stopStreamsOf(dependencies: Streaming, system: Context, user: string): Promise<void> {
  return onStreamsOf(dependencies, system, user, (change, stream) => endStream(change, stream, 'stopped'))
}

/** Stops what a user writes where it is no more: it was moved, archived or deleted. What was shown stays. */
export function stopOutOfReach(dependencies: Streaming, system: Context, user: string): Promise<void> {
  return onStreamsOf(dependencies, system, user, async (change, stream) => {
    if ((await usersInReach(change.sql, change.conversation, [user])).has(user)) return
    await endStream(change, stream, 'stopped')
  })
}

/** Stops what a bot says at the moment and may not begin to say any more. What was shown stays. */
export function stopUngranted(dependencies: Streaming, system: Context, bot: string): Promise<void> {
  return onStreamsOf(dependencies, system, bot, stopIfUngranted, { asBot: bot })
}

/** Runs an act on each stream that a user has open, each under the lock of its conversation. */
async function onStreamsOf(
  { writer }: Streaming,
  system: Context,
  user: string,
  act: (change: ConversationChange, stream: OpenStream) => Promise<unknown>,
  options: { asBot?: string } = {},
): Promise<void> {
  const rows = await system.reads.query<{ id: string; conversationId: string }>(OF_USER, [user])
  const run = ({ id, conversationId }: (typeof rows)[number]): Promise<void> =>
    writer.run(
      system,
      conversationId,
      async (change) => {
        const stream = change.streams.find((each) => each.id === id)
        if (stream) await act(change, stream)
      },
      options,
    )
  await Promise.all(rows.map((row) => ifThere(run(row))))
}

async function stopIfUngranted(change: ConversationChange, stream: OpenStream): Promise<void> {
  try {
    for (const action of actionsOf(sayingOf(stream).newMessage)) await change.grants.require(action)
  } catch (error) {
    if (!(error instanceof NoGrant)) throw error
    change.grants.pass()
    await endStream(change, stream, 'stopped')
  }
}

const OF_USER =
  'select id, conversation_id as "conversationId" from message_stream where user_id = $1 and ending is null'
