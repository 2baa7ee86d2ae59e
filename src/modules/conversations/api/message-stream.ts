import { Field, ID, Int, ObjectType } from 'type-graphql'
import { DateTime } from '../../../platform/lists/scalars.js'
import { MessageRoleEnum, type MessageRole } from '../../messages/message-enums.js'
import { StreamEndingEnum, type StreamEnding } from '../../messages/stream-ending.js'
import { shownStream } from '../streaming/stream-frame.js'
import type { OpenStream } from '../state/message-stream.js'

@ObjectType({
  simpleResolvers: true,
  description:
    'A message that is being written in front of its readers. It is no message yet; its id becomes that of the message.',
})
export class MessageStream {
  @Field(() => ID) id!: string
  @Field(() => ID) conversationId!: string
  @Field(() => ID, { description: 'The user whose message it is.' }) userId!: string
  @Field(() => String, { nullable: true, description: 'Name of that user.' }) name!: string | null
  @Field(() => MessageRoleEnum) role!: MessageRole
  @Field(() => Boolean, { description: 'Whether it is a note for the team.' }) isBackchannel!: boolean
  @Field(() => String, { description: 'All that is stored of the text by now; empty once it has ended.' }) text!: string
  @Field(() => Int, { description: 'Length of the text in UTF-16 units: where the next part begins.' }) length!: number
  @Field(() => StreamEndingEnum, { nullable: true, description: 'Null while it is being written.' })
  ending!: StreamEnding | null
  @Field(() => DateTime) createdAt!: Date
}

export function messageStreamOf(stream: OpenStream, text: string, ending: StreamEnding | null): MessageStream {
  const { id, conversationId, userId, name, role, isBackchannel, createdAt } = shownStream(stream)
  const length = Math.max(stream.length, text.length)
  return { id, conversationId, userId, name, role, isBackchannel, text, length, ending, createdAt }
}
