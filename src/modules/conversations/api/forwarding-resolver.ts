import {
  Arg,
  Authorized,
  Ctx,
  Extensions,
  Field,
  FieldResolver,
  ID,
  Mutation,
  ObjectType,
  Resolver,
  Root,
} from 'type-graphql'
import type { Context } from '../../../platform/context.js'
import { idempotently } from '../../../platform/limits/idempotency.js'
import { PART_OF_RECORD } from '../../../platform/lists/part-of-record.js'
import { forwardingAnsweredBy, forwardingOf, type Forwarding } from '../../messages/forwarding.js'
import { Message } from '../../messages/message.js'
import type { MessageRow } from '../../messages/message-row.js'
import { forwardMessage } from '../sending/forward-message.js'
import type { SendDependencies } from '../sending/send-message.js'

@Extensions(PART_OF_RECORD)
@ObjectType({
  simpleResolvers: true,
  description: 'The forwarding of a message by mail to people outside, of which a note tells.',
})
export class MessageForwarding implements Forwarding {
  @Field(() => ID, {
    description: 'The forwarded message; after a merge, the one of which the message in the conversation is a copy.',
  })
  messageId!: string

  @Field(() => [String], { description: 'Addresses to which it was forwarded, in lower case.' })
  to!: string[]
}

@Resolver(() => Message)
export class ForwardingResolver {
  constructor(private readonly options: Pick<SendDependencies, 'writer' | 'router'>) {}

  @Authorized('message.forward')
  @Mutation(() => Message, {
    description:
      'Forwards a message by mail to people outside, by the service that the message came by, or the one that the consumer uses. ' +
      'Returns the note that says so, with a delivery. Answers to that mail become notes: they are no messages of the consumer. For people only.',
  })
  forwardMessage(
    @Ctx() ctx: Context,
    @Arg('message', () => ID, { description: 'The message to forward: of the type `CHAT`, `CARD` or `POSTBACK`.' })
    message: string,
    @Arg('to', () => [String], {
      description: 'Email addresses, 1 to 10; neither of services nor of the consumer.',
    })
    to: string[],
    @Arg('note', () => String, {
      nullable: true,
      description: 'A text above the forwarded message, of at most 65,536 bytes; the text of the note.',
    })
    note?: string | null,
    @Arg('evenIfInternal', () => Boolean, {
      nullable: true,
      description: 'Forwards also a note or another message that the consumer does not see; refused without it.',
    })
    evenIfInternal?: boolean | null,
    @Arg('idempotencyKey', () => String, { nullable: true }) key?: string | null,
  ): Promise<MessageRow> {
    const input = { message, to, note: note ?? null, evenIfInternal: evenIfInternal ?? false }
    const forward = (): Promise<MessageRow> => forwardMessage(this.options, ctx, input)
    return idempotently(ctx, { key, operation: 'forwardMessage', input }, forward)
  }

  @FieldResolver(() => MessageForwarding, {
    nullable: true,
    description: 'The forwarding of which a note tells; null for any other message, and for a guest.',
  })
  forwarding(@Root() message: MessageRow, @Ctx() ctx: Context): Forwarding | null {
    return ctx.seesAsConsumer ? null : forwardingOf(message)
  }

  @FieldResolver(() => ID, {
    nullable: true,
    description:
      'The note whose forwarded mail this message answers: `mail` says who wrote it. Null for any other message, and for a guest.',
  })
  answeredForwardingId(@Root() message: MessageRow, @Ctx() ctx: Context): string | null {
    return ctx.seesAsConsumer ? null : forwardingAnsweredBy(message)
  }
}
