import { Arg, Authorized, Ctx, Field, ID, Int, Mutation, ObjectType, Resolver } from 'type-graphql'
import type { Context } from '../../platform/context.js'
import {
  PER_DAY,
  requestTranscriptCode,
  sendTranscript,
  type SentTranscript,
  type TranscriptDependencies,
} from './send-transcript.js'

@ObjectType({ simpleResolvers: true, description: 'A copy of a conversation that is mailed.' })
export class Transcript implements SentTranscript {
  @Field(() => String, { description: 'The address to which it goes.' })
  to!: string

  @Field(() => Int, { description: 'Messages that it has.' })
  messageCount!: number

  @Field(() => Boolean, {
    description: 'Whether earlier messages are left out: it has the newest 1,000, and 200,000 characters, at most.',
  })
  isShortened!: boolean
}

@Resolver()
export class TranscriptsResolver {
  constructor(private readonly dependencies: TranscriptDependencies) {}

  @Authorized('transcript.send')
  @Mutation(() => Transcript, {
    description:
      'Mails a copy of what the consumer sees of the conversation, without notes: an agent to the email address of the contact, a guest ' +
      `to an address that it proves by a code. ${PER_DAY} a day; repeating it within a minute sends no second one.`,
  })
  sendTranscript(
    @Ctx() ctx: Context,
    @Arg('conversation', () => ID) conversation: string,
    @Arg('to', () => String, { description: 'Email address.' }) to: string,
    @Arg('code', () => String, {
      nullable: true,
      description: 'Needed by guests: the code that `requestTranscriptCode` has mailed.',
    })
    code?: string | null,
  ): Promise<SentTranscript> {
    return sendTranscript(this.dependencies, ctx, { conversation, to, code: code ?? null })
  }

  @Authorized('transcript.send')
  @Mutation(() => Boolean, {
    description:
      'Mails a guest a code of eight digits for `sendTranscript`, valid for 15 minutes. True also if the address gets no more ' +
      'codes today.',
  })
  requestTranscriptCode(
    @Ctx() ctx: Context,
    @Arg('conversation', () => ID) conversation: string,
    @Arg('to', () => String, { description: 'Email address.' }) to: string,
  ): Promise<boolean> {
    return requestTranscriptCode(this.dependencies, ctx, { conversation, to })
  }
}
