import { Ctx, FieldResolver, ID, Resolver, Root } from 'type-graphql'
import type { Context, LoaderDefinition } from '../../../platform/context.js'
import { rowLoader } from '../../../platform/lists/rows.js'
import type { ConversationState } from '../state/conversation-state.js'
import { Conversation } from './conversation.js'

/** Events do not have them. */
const caseChannels: LoaderDefinition<Pick<ConversationState, 'id' | 'caseChannels'>> = rowLoader(
  'conversation',
  't.id, t.case_channels as "caseChannels"',
)

@Resolver(() => Conversation)
export class CaseChannelsResolver {
  @FieldResolver(() => [ID], {
    description: 'Ids of the channels that were notified of the present case, or of the last one. Empty for a guest.',
  })
  async caseChannels(@Root() { id }: ConversationState, @Ctx() ctx: Context): Promise<string[]> {
    return ctx.seesAsConsumer ? [] : ((await ctx.loader(caseChannels).load(id))?.caseChannels ?? [])
  }
}
