import { Arg, Authorized, Ctx, FieldResolver, ID, Mutation, Query, Resolver, Root } from 'type-graphql'
import type { Context } from '../../context.js'
import type { Transact } from '../../events/transact.js'
import { Draft, draftLoader, readDrafts, saveDraft } from '../api/draft.js'
import { DraftChanged } from './inbox-events.js'

/** Drafts are read by queries and events of the caller's own: what is sent to all who watch a conversation has none. */
@Resolver(() => DraftChanged)
export class DraftsResolver {
  constructor(private readonly transact: Transact) {}

  @Authorized('conversation.draft')
  @Query(() => [Draft], { description: "The caller's drafts, the 200 newest; the inbox tells of changes." })
  drafts(@Ctx() ctx: Context): Promise<Draft[]> {
    return readDrafts(ctx)
  }

  @Authorized('conversation.draft')
  @Mutation(() => Draft, {
    nullable: true,
    description:
      'Keeps what the caller has written in a conversation, for all of its browsers; an empty text forgets it. The last ' +
      'one to write counts.',
  })
  saveDraft(
    @Ctx() ctx: Context,
    @Arg('conversation', () => ID) conversation: string,
    @Arg('text', () => String, {
      description: 'Text of at most 100,000 characters. A user has at most 200 drafts, of 1 MiB together.',
    })
    text: string,
    @Arg('isBackchannel', () => Boolean, { nullable: true, description: 'Whether it is a note; defaults to false.' })
    isBackchannel?: boolean | null,
  ): Promise<Draft | null> {
    return saveDraft(ctx, this.transact, { conversation, text, isBackchannel: isBackchannel ?? false })
  }

  @FieldResolver(() => Draft, { nullable: true, description: "The caller's current draft; null if there is none." })
  draft(@Root() { conversation }: DraftChanged, @Ctx() ctx: Context): Promise<Draft | null> {
    return ctx.loader(draftLoader).load(conversation)
  }
}
