import { conversationStream } from '../../../platform/events/event.js'
import type { Ephemeral } from '../../../platform/events/dispatcher.js'
import type { JsonObject } from '../../../platform/json.js'
import type { MessageRow } from '../../messages/message-row.js'
import type { StreamEnding } from '../../messages/stream-ending.js'
import { sayingOf } from '../sending/end-stream.js'
import type { OpenStream } from '../state/message-stream.js'

/** The members by which it is decided who may see a stream: as of the message that it becomes. */
type Visible = Pick<MessageRow, 'conversationId' | 'type' | 'role' | 'isBackchannel' | 'createdAt'>

/** A stream as its readers see it. */
export interface ShownStream extends Visible {
  id: string
  userId: string
  /** Name of the author. */
  name: string | null
}

/** A part of a stream's text, which begins at `offset`; or its ending. */
export interface StreamFrame extends ShownStream {
  offset: number
  text: string
  ending: StreamEnding | null
}

type Told = Pick<OpenStream, 'id' | 'conversationId' | 'saying' | 'createdAt'>

export function shownStream(stream: Told): ShownStream {
  const { id, conversationId, createdAt } = stream
  const { newMessage, actor } = sayingOf(stream)
  const { type, role, isBackchannel } = newMessage
  return { id, conversationId, createdAt, type, role, isBackchannel, userId: actor.userId, name: actor.name }
}

export function frameOf(stream: Told, part: Pick<StreamFrame, 'offset' | 'text' | 'ending'>): StreamFrame {
  return { ...shownStream(stream), ...part }
}

const STREAMED = 'messageStreamed'

export function ephemeralOf(frame: StreamFrame): Ephemeral {
  const data: object = { ...frame, createdAt: new Date(frame.createdAt).toISOString() }
  return { stream: conversationStream(frame.conversationId), type: STREAMED, data: data as JsonObject }
}

/** Returns the part of a stream that an event of the moment shows; null for another event. */
export function frameIn({ type, data }: Ephemeral): StreamFrame | null {
  const frame: object = data
  return type === STREAMED ? (frame as StreamFrame) : null
}
