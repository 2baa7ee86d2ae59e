import { Ctx, Extensions, Field, FieldResolver, ObjectType, Resolver, Root } from 'type-graphql'
import type { Context } from '../../../platform/context.js'
import { isPlainObject } from '../../../platform/json.js'
import { graphqlEnum } from '../../../platform/lists/graphql-enum.js'
import { PART_OF_RECORD } from '../../../platform/lists/part-of-record.js'
import { Message } from '../../messages/message.js'
import type { MessageRow } from '../../messages/message-row.js'
import type { SenderProof } from './sender-proof.js'

export const MailProofEnum = graphqlEnum('MailProof', "Findings on a mail's sender (SPF, DKIM, DMARC).", {
  PROVEN: ['proven', "The sender's domain signed it, or its servers sent it."],
  UNPROVED: ['unproved', 'Nothing proves the sender: somebody else may have written it.'],
  FAILED: ['failed', "It is against the policy of the sender's domain."],
})

@Extensions(PART_OF_RECORD)
@ObjectType({ simpleResolvers: true, description: 'An address in the head of a mail.' })
export class MailAddressObject {
  @Field(() => String) address!: string
  @Field(() => String, { nullable: true, description: 'Name that stands beside the address.' }) name?: string | null
}

@Extensions(PART_OF_RECORD)
@ObjectType({
  simpleResolvers: true,
  description: 'The head of the mail that a message came as. Anybody may write anything there: see `auth`.',
})
export class MessageMail {
  @Field(() => MailAddressObject, { description: 'The sender of the mail.' })
  from!: MailAddressObject

  @Field(() => [MailAddressObject], { description: 'The recipients, the service among them; the first 50.' })
  to!: MailAddressObject[]

  @Field(() => [MailAddressObject], { description: 'Recipients of copies; the first 50.' })
  cc!: MailAddressObject[]

  @Field(() => MailAddressObject, {
    nullable: true,
    description: 'The address at which answers are wanted, if it is not the sender.',
  })
  replyTo?: MailAddressObject | null

  @Field(() => MailProofEnum, { description: 'Whether the sender is who it says.' })
  auth!: SenderProof

  @Field(() => String, { nullable: true, description: 'The text with its quotes and signature, if they were removed.' })
  original!: string | null
}

@Resolver(() => Message)
export class MessageMailResolver {
  @FieldResolver(() => MessageMail, {
    nullable: true,
    description: 'The head of the mail; null for a message that came otherwise, and for a guest.',
  })
  mail(@Root() { meta, role }: MessageRow, @Ctx() ctx: Context): MessageMail | null {
    // Keys that begin with `_` are set by the server alone.
    if (role !== 'contact' || ctx.seesAsConsumer || !isPlainObject(meta?._mail)) return null
    const head = meta._mail as unknown as Pick<MessageMail, 'from' | 'to' | 'cc' | 'replyTo'>
    const { _sender: sender, _original: original } = meta
    const auth = isPlainObject(sender) ? (sender.proof as SenderProof) : 'proven'
    return { ...head, auth, original: typeof original === 'string' ? original : null }
  }
}
