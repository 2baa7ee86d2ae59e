import { Arg, Authorized, Ctx, FieldResolver, ID, Int, Mutation, Resolver, Root } from 'type-graphql'
import type { Context, LoaderDefinition } from '../../../platform/context.js'
import { isId } from '../../../platform/db/clock.js'
import { isAllowed } from '../../../platform/access/permissions.js'
import { Forbidden, NotFound } from '../../../platform/errors.js'
import { isAbsent } from '../../../platform/input.js'
import { parseMark } from '../../messages/mark.js'
import { messageForGuest } from '../../messages/message-columns.js'
import { MessageInput, MessageProvenanceInput, provenanceOf } from '../../messages/message-input.js'
import { isConsumerVisible, type MessageRow } from '../../messages/message-row.js'
import { Message } from '../../messages/message.js'
import type { SendDependencies } from '../sending/send-message.js'
import type { ConversationState } from '../state/conversation-state.js'
import { isVisibleToGuest } from '../state/guest-line.js'
import { beginStream } from '../streaming/begin-stream.js'
import { finishStream, stopStream } from '../streaming/finish-stream.js'
import { readOpenStreams, readStream, type StreamRow, type StreamWithText } from '../streaming/read-streams.js'
import type { StreamAppender } from '../streaming/stream-appender.js'
import { streamNotFound } from '../streaming/stream-errors.js'
import type { StreamRooms } from '../streaming/stream-rooms.js'
import { shownStream } from '../streaming/stream-frame.js'
import { Conversation, fetchConversation } from './conversation.js'
import { fetchMessage } from './fetch-message.js'
import { MessageStream, messageStreamOf } from './message-stream.js'

const STREAM = { description: 'The stream.' }

@Resolver(() => Conversation)
export class StreamsResolver {
  constructor(private readonly options: SendDependencies & { appender: StreamAppender; rooms: StreamRooms }) {}

  @FieldResolver(() => [MessageStream], {
    description: 'Messages that are being written at the moment. Live by `MessageStreamed`.',
  })
  async streams(@Root() { id }: ConversationState, @Ctx() ctx: Context): Promise<MessageStream[]> {
    const streams = (await ctx.loader(streamsLoader).load(id)) ?? []
    return (
      streams
        .filter((stream) => isShown(ctx, stream))
        // What is masked may be half there.
        .filter(({ userId }) => !ctx.mask || userId === ctx.userCaller.user)
        .map(({ text, ...stream }) => messageStreamOf(stream, text, null))
    )
  }

  @Authorized('message.create')
  @Mutation(() => MessageStream, {
    description:
      'Begins a message whose text is written in front of its readers, by `appendMessage`, until `finishMessage` makes it a message. ' +
      'Two can be open in a conversation, 50 of a user, 500 in a contact center. Plain text only. Repeats with the same `id` return the stream.',
  })
  async beginMessage(
    @Ctx() ctx: Context,
    @Arg('conversation', () => ID) conversation: string,
    @Arg('message', () => MessageInput, { description: 'The message without its text.' }) message: MessageInput,
  ): Promise<MessageStream> {
    const { ending, ...stream } = await beginStream(this.options, ctx, conversation, message)
    return messageStreamOf(stream, '', ending)
  }

  @Authorized('message.create')
  @Mutation(() => Int, {
    description:
      'Adds to the text of a stream, and answers with its new length once that is stored. Have one request in flight: a gap is refused ' +
      'with the reason `STREAM_OFFSET` and the `length`; a repeat is answered. After 15 seconds without one the stream is lost; an empty text says ' +
      'that more is to come. After its end it is refused with the reason `STREAM_ENDED` and the `ending`.',
  })
  appendMessage(
    @Ctx() ctx: Context,
    @Arg('id', () => ID, STREAM) id: string,
    @Arg('offset', () => Int, {
      description: 'Place in the whole text, in UTF-16 units, at which this begins; it may be within a character.',
    })
    offset: number,
    @Arg('text', () => String, { description: 'At most 16,384 bytes; 65,536 of all.' }) text: string,
  ): Promise<number> {
    return this.options.appender.append(ctx, id, offset, text)
  }

  @Authorized('message.create')
  @Mutation(() => Message, {
    description:
      'Makes a whole stream the message, with all effects of one that is sent. With `mark`, here or when it was begun, it is held if others have ' +
      'written or done something since, and stays open: finish it with the new mark, or stop it. Repeating it returns the message.',
  })
  async finishMessage(
    @Ctx() ctx: Context,
    @Arg('id', () => ID, STREAM) id: string,
    @Arg('length', () => Int, { description: 'Length of the whole text, in UTF-16 units.' }) length: number,
    @Arg('mark', () => String, {
      nullable: true,
      description: '`Conversation.mark` as its author saw it last, in place of that of `beginMessage`.',
    })
    mark?: string | null,
    @Arg('provenance', () => MessageProvenanceInput, {
      nullable: true,
      description: 'Model, tools and sources of the whole text, in place of those of `beginMessage`.',
    })
    given?: MessageProvenanceInput | null,
  ): Promise<MessageRow> {
    const seen = isAbsent(mark) ? null : parseMark(mark, 'mark')
    const provenance = provenanceOf(given, 'provenance')
    const message = await finishStream(this.options, ctx, id, { length, mark: seen, provenance })
    return message ?? fetchMessage(ctx, id)
  }

  @Authorized('stream.stop')
  @Mutation(() => Message, {
    nullable: true,
    description:
      'Stops a stream: by its author, an agent, or the guest to whom it is shown. What was shown becomes a message, which is returned; null if ' +
      'nothing was. Repeating it changes nothing.',
  })
  async stopMessage(@Ctx() ctx: Context, @Arg('id', () => ID, STREAM) id: string): Promise<MessageRow | null> {
    const stream = await this.#findToStop(ctx, id)
    const message = (await stopStream(this.options, ctx, stream)) ?? (await messageOf(ctx, stream.id))
    return message && ctx.seesAsConsumer ? messageForGuest(message) : message
  }

  /** @throws NotFound; Forbidden */
  async #findToStop(ctx: Context, id: string): Promise<StreamRow> {
    const stream = isId(id) ? await readStream(ctx.reads, id) : null
    if (!stream) throw streamNotFound()
    await fetchConversation(ctx, stream.conversationId).catch((error: unknown) => {
      throw error instanceof NotFound ? streamNotFound() : error
    })
    if (!isShown(ctx, stream)) throw streamNotFound()
    const isOwn = ctx.maybeCaller?.kind === 'user' && ctx.userCaller.user === stream.userId
    if (!isOwn && !ctx.guestCaller && !isAllowed(ctx.caller, 'conversation.command'))
      throw new Forbidden('only its author, agents and the consumer stop a message')
    return stream
  }
}

function isShown(ctx: Context, stream: StreamWithText | StreamRow): boolean {
  const shown = shownStream(stream)
  if (ctx.guestCaller) return isVisibleToGuest(ctx.guestLine, shown)
  return !ctx.seesAsConsumer || isConsumerVisible(shown)
}

async function messageOf(ctx: Context, id: string): Promise<MessageRow | null> {
  return fetchMessage(ctx, id).catch((error: unknown) => {
    if (error instanceof NotFound) return null
    throw error
  })
}

const streamsLoader: LoaderDefinition<StreamWithText[]> = {
  async load(ctx, conversations) {
    return Map.groupBy(await readOpenStreams(ctx.reads, conversations), ({ conversationId }) => conversationId)
  },
}
