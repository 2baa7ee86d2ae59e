import { Arg, Authorized, Ctx, FieldResolver, ID, Mutation, Resolver, Root } from 'type-graphql'
import type { Context, LoaderDefinition } from '../../../platform/context.js'
import { camelRow } from '../../../platform/lists/rows.js'
import { Label } from '../../labels/label.js'
import { setLabels } from '../sending/set-labels.js'
import { LABELS_PER_CONVERSATION_MAX, type ConversationState } from '../state/conversation-state.js'
import type { ConversationWriter } from '../writer/conversation-writer.js'
import { Conversation, shownTo } from './conversation.js'

/** Labels of conversations that the caller sees, also those of an organization above the caller's. */
const labelsOfConversations: LoaderDefinition<Label> = {
  async load(ctx, ids) {
    const rows = await ctx.reads.query<Record<string, unknown>>(
      `select id, organization_id, org1, org2, org3, created_at, updated_at, version, name, hue, archived_at from label
       where id = any($1::uuid[])`,
      [ids],
      'labels-of-conversations',
    )
    return new Map(rows.map((row) => [row.id as string, camelRow<Label>(row)]))
  },
}

@Resolver(() => Conversation)
export class ConversationLabelsResolver {
  constructor(private readonly writer: ConversationWriter) {}

  @FieldResolver(() => [Label], {
    description: 'Labels in the order in which they were put on, archived ones too. Empty for a guest.',
  })
  async labels(@Root() { labels }: ConversationState, @Ctx() ctx: Context): Promise<Label[]> {
    if (labels.length === 0 || ctx.seesAsConsumer) return []
    const loader = ctx.loader(labelsOfConversations)
    return (await Promise.all(labels.map((id) => loader.load(id)))).filter((label) => label !== null)
  }

  @FieldResolver(() => [ID], { description: 'Ids of `labels`.' })
  labelIds(@Root() { labels }: ConversationState): string[] {
    return labels
  }

  @Authorized('conversation.label')
  @Mutation(() => Conversation, {
    description:
      `Puts labels on a conversation and takes others off; what is on already, or is not, stays so. At most ${LABELS_PER_CONVERSATION_MAX} can be on ` +
      'one. Labels of its organization and of those above it.',
  })
  async setLabels(
    @Ctx() ctx: Context,
    @Arg('conversation', () => ID) conversation: string,
    @Arg('add', () => [ID], { nullable: true, description: 'Ids of labels to put on.' }) add?: string[] | null,
    @Arg('remove', () => [ID], { nullable: true, description: 'Ids of labels to take off.' }) remove?: string[] | null,
  ): Promise<ConversationState> {
    return shownTo(ctx, await setLabels(this.writer, ctx, conversation, { add: add ?? [], remove: remove ?? [] }))
  }
}
