import type { ReadStatement } from '../../../platform/db/sql.js'
import { isToConsumer, type NewMessage } from '../../messages/message-content.js'
import type { MessageRow } from '../../messages/message-row.js'
import type { StreamEnding } from '../../messages/stream-ending.js'
import { deliver } from '../delivery/deliver.js'
import { reading } from '../../../platform/db/sql.js'
import type { Sender } from '../messages/members.js'
import type { ConversationChange } from '../state/conversation-change.js'
import type { OpenStream } from '../state/message-stream.js'
import type { Member } from '../state/new-participant.js'
import { placeMessage } from './place-message.js'

/** A stream's message but for its text, as it was begun. Plain JSON. */
export interface Saying {
  newMessage: NewMessage
  sender: Sender
  /** The author. */
  actor: Member
}

export const sayingOf = ({ saying }: Pick<OpenStream, 'saying'>): Saying => saying as Saying

/**
 * Ends a stream before its author has finished it: what was shown becomes a message, marked with the ending. It accepts
 * nothing and answers nothing, since it is not whole. Needs the conversation's lock.
 * @returns the message; null if nothing was shown
 */
export async function endStream(
  change: ConversationChange,
  stream: OpenStream,
  ending: Exclude<StreamEnding, 'done'>,
): Promise<MessageRow | null> {
  const { text } = await takeText(change, stream)
  change.endStream(stream, ending)
  if (text === '') return null
  const { newMessage, sender, actor } = sayingOf(stream)
  const said = { id: stream.id, newMessage: { ...newMessage, text: text.toWellFormed() }, sender, actor }
  const message = await placeMessage(change, said, { ending })
  if (isToConsumer(newMessage)) await deliver(change, message)
  return message
}

/**
 * Ends all streams of a conversation in which a person begins to act: their messages are before that person's.
 * @param author whose streams alone are ended; everybody's if absent
 */
export async function takeOver(change: ConversationChange, author?: string): Promise<void> {
  for (const stream of change.streams)
    if (author === undefined || stream.userId === author) await endStream(change, stream, 'takenOver')
}

/** Reads the text of a stream, which nobody adds to until the transaction has ended. */
export async function takeText(
  change: ConversationChange,
  { id }: Pick<OpenStream, 'id'>,
): Promise<{ text: string } & Pick<LockedStream, 'firstTextAt'>> {
  const { firstTextAt } = await lockStream(change, { id })
  const parts = await change.sql.query<{ text: string }>(PARTS, [id], 'parts-of-stream')
  return { text: textOf(parts), firstTextAt }
}

interface LockedStream {
  /** Time of its last part. */
  touchedAt: Date
  /** Time at which something was first shown of it; null if nothing was. */
  firstTextAt: Date | null
}

/** Lets nobody add to a stream until the transaction has ended. */
export async function lockStream({ sql }: ConversationChange, { id }: Pick<OpenStream, 'id'>): Promise<LockedStream> {
  const [row] = await sql.query<LockedStream>(LOCK, [id], 'lock-stream')
  return row!
}

/** Joins stored parts, each of which may end within a character. */
export function textOf(parts: readonly { text: string }[]): string {
  return parts.map(({ text }) => JSON.parse(text) as string).join('')
}

/**
 * A lock that is harmless if the operation is refused, and cannot deadlock: whoever else waits for a stream's row has its
 * conversation's, see `stream-appender.ts`.
 */
const LOCK = `select touched_at as "touchedAt", first_text_at as "firstTextAt" from message_stream where id = $1
  for no key update` as ReadStatement
const PARTS = reading('select text from message_stream_part where stream_id = $1 order by at')
