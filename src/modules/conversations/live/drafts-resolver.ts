import { Arg, Authorized, Ctx, FieldResolver, ID, Mutation, Query, Resolver, Root } from 'type-graphql'
import type { Context } from '../../../platform/context.js'
import type { Transact } from '../../../platform/events/transact.js'
import { Draft, draftLoader, DraftMailInput, readDrafts, saveDraft } from '../api/draft.js'
import { DraftChanged } from './inbox-events.js'

/**
 * Drafts are read by the caller's own queries and events: events for all subscribers of a conversation contain none.
 */
@Resolver(() => DraftChanged)
export class DraftsResolver {
  constructor(private readonly transact: Transact) {}

  @Authorized('conversation.draft')
  @Query(() => [Draft], { description: "The caller's 200 newest drafts. `inbox` sends their changes." })
  drafts(@Ctx() ctx: Context): Promise<Draft[]> {
    return readDrafts(ctx)
  }

  @Authorized('conversation.draft')
  @Mutation(() => Draft, {
    nullable: true,
    description:
      'Stores text that the caller has written in a conversation, for all browsers of the caller; an empty text deletes the ' +
      'draft, unless it has recipients or a subject. The last write wins.',
  })
  saveDraft(
    @Ctx() ctx: Context,
    @Arg('conversation', () => ID) conversation: string,
    @Arg('text', () => String, {
      description: 'Text of at most 100,000 characters. A user has at most 200 drafts, of 1 MiB in total.',
    })
    text: string,
    @Arg('isBackchannel', () => Boolean, {
      nullable: true,
      description: 'Whether the draft is a note; defaults to false.',
    })
    isBackchannel?: boolean | null,
    @Arg('mail', () => DraftMailInput, {
      nullable: true,
      description:
        'Recipients and subject of a mail. Absent, those of the draft stay; null, or fields that are all blank, clear them.',
    })
    mail?: DraftMailInput | null,
  ): Promise<Draft | null> {
    return saveDraft(ctx, this.transact, {
      ...{ conversation, text, isBackchannel: isBackchannel ?? false },
      ...(mail !== undefined && { mail }),
    })
  }

  @FieldResolver(() => Draft, { nullable: true, description: "The caller's current draft; null if there is none." })
  draft(@Root() { conversation }: DraftChanged, @Ctx() ctx: Context): Promise<Draft | null> {
    return ctx.loader(draftLoader).load(conversation)
  }
}
