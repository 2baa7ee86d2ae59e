import { Ctx, Extensions, Field, FieldResolver, ObjectType, Resolver, Root } from 'type-graphql'
import type { Context, LoaderDefinition } from '../../../platform/context.js'
import { isPlainObject } from '../../../platform/json.js'
import { graphqlEnum } from '../../../platform/lists/graphql-enum.js'
import { PART_OF_RECORD } from '../../../platform/lists/part-of-record.js'
import { Message } from '../../messages/message.js'
import type { MessageRow } from '../../messages/message-row.js'
import { forwardingAnsweredBy, forwardingOf } from '../../messages/forwarding.js'
import { outgoingMailOf, type OutgoingMail } from '../../messages/outgoing-mail.js'
import { withoutToken } from './mail-tokens.js'
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

  /** False for a mail of somebody else in the contact's conversation. */
  isOfContact!: boolean
}

@Extensions(PART_OF_RECORD)
@ObjectType({
  simpleResolvers: true,
  description: 'Recipients and subject that the author of a mail to the consumer chose.',
})
export class MessageRecipients implements OutgoingMail {
  @Field(() => [String], { description: 'Recipients beside the contact.' }) to!: string[]
  @Field(() => [String], { description: 'Recipients of copies.' }) cc!: string[]
  @Field(() => [String], { description: 'Recipients of copies whom the others do not see.' }) bcc!: string[]
  @Field(() => String, { nullable: true, description: 'The subject; null for that of the mail answered.' })
  subject!: string | null
  @Field(() => String, { nullable: true, description: 'Address for answers; null for that of the service.' })
  replyTo!: string | null
}

/** Loads by address, in lower case: whether a service of the installation receives its mail. */
const ownAddressLoader: LoaderDefinition<boolean> = {
  async load(ctx, addresses) {
    const rows = await ctx.reads.query<{ address: string }>(
      `select lower(params ->> 'address') as address from service
       where touchpoint = 'email' and lower(params ->> 'address') = any($1::text[])`,
      [addresses],
      'own-addresses',
    )
    return new Map(rows.map(({ address }) => [address, true]))
  },
}

@Resolver(() => MessageMail)
export class MailOthersResolver {
  @FieldResolver(() => [MailAddressObject], {
    description:
      'Those to whom an answer to all goes beside the contact: the address at which answers are wanted, recipients and recipients of copies, ' +
      'without addresses of services; and the sender, if somebody else than the contact wrote it.',
  })
  async others(
    @Root() { from, to, cc, replyTo, isOfContact }: MessageMail,
    @Ctx() ctx: Context,
  ): Promise<MailAddressObject[]> {
    const asked = replyTo ?? (isOfContact ? null : from)
    const named = [...(asked ? [asked] : []), ...to, ...cc]
    const others = [...new Map(named.map((each) => [withoutToken(each.address), each])).entries()]
    const isOwn = await Promise.all(others.map(([address]) => ctx.loader(ownAddressLoader).load(address)))
    const isLeftOut = (address: string): boolean => address === from.address && asked !== from
    return others.flatMap(([address, each], index) => (isOwn[index] || isLeftOut(address) ? [] : [each]))
  }
}

@Resolver(() => Message)
export class MessageMailResolver {
  @FieldResolver(() => MessageMail, {
    nullable: true,
    description:
      'The head of the mail, also of one that answers a forwarded message; null for a message that came otherwise, and for a guest.',
  })
  mail(@Root() message: MessageRow, @Ctx() ctx: Context): MessageMail | null {
    const { meta, role } = message
    const isAnswer = forwardingAnsweredBy(message) !== null
    // Keys that begin with `_` are set by the server alone.
    if ((role !== 'contact' && !isAnswer) || ctx.seesAsConsumer || !isPlainObject(meta?._mail)) return null
    const head = meta._mail as unknown as Pick<MessageMail, 'from' | 'to' | 'cc' | 'replyTo'>
    const { _sender: sender, _original: original, _writtenBy: writtenBy } = meta
    const auth = isPlainObject(sender) ? (sender.proof as SenderProof) : 'proven'
    const isOfContact = writtenBy === undefined && !isAnswer
    return { ...head, auth, original: typeof original === 'string' ? original : null, isOfContact }
  }

  @FieldResolver(() => MessageRecipients, {
    nullable: true,
    description:
      'Recipients and subject that the author of a mail chose (`MessageInput.mail`); null for any other message, and for a guest.',
  })
  recipients(@Root() message: MessageRow, @Ctx() ctx: Context): OutgoingMail | null {
    return ctx.seesAsConsumer || forwardingOf(message) ? null : outgoingMailOf(message)
  }
}
