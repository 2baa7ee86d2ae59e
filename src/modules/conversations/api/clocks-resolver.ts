import { CLOCK_COLUMNS } from '../../sla/clock-row.js'
import { Arg, Authorized, Ctx, FieldResolver, ID, Mutation, Resolver, Root } from 'type-graphql'
import { isAllowed } from '../../../platform/access/permissions.js'
import type { Context, LoaderDefinition } from '../../../platform/context.js'
import { camelRow } from '../../../platform/lists/rows.js'
import { clockData, type ClockData } from '../../sla/clock-data.js'
import type { ClockRow } from '../../sla/clock-row.js'
import { SlaClockObject } from '../../sla/clock-types.js'
import type { ClockPolicies } from '../clocks/clock-policies.js'
import { reapplySla } from '../clocks/reapply-sla.js'
import type { ConversationState } from '../state/conversation-state.js'
import type { ConversationWriter } from '../writer/conversation-writer.js'
import { Conversation } from './conversation.js'

/** Enough for the current case, unless it is long. */
const CLOCKS_MAX = 20

const clocksLoader: LoaderDefinition<ClockData[]> = {
  async load(ctx, conversations) {
    const rows = await ctx.reads.query<Record<string, unknown>>(
      `select ${CLOCK_COLUMNS} from unnest($1::uuid[]) as c(id) cross join lateral (
         select ${CLOCK_COLUMNS} from clock where conversation_id = c.id order by nth desc, kind limit ${CLOCKS_MAX}) k`,
      [conversations],
      'clocks-of-conversations',
    )
    const found = new Map<string, ClockData[]>(conversations.map((id) => [id, []]))
    for (const row of rows) {
      const clock = camelRow<ClockRow>(row)
      found.get(clock.conversationId)!.push(clockData(clock))
    }
    return found
  },
}

@Resolver(() => Conversation)
export class ClocksResolver {
  constructor(private readonly options: { writer: ConversationWriter; clockPolicies: ClockPolicies }) {}

  @FieldResolver(() => [SlaClockObject], {
    description: `Clocks, the latest first, at most ${CLOCKS_MAX}; none for everybody below the scope \`agent\`.`,
  })
  async clocks(@Root() { id }: ConversationState, @Ctx() ctx: Context): Promise<ClockData[]> {
    if (!isAllowed(ctx.caller, 'clock.list')) return []
    return (await ctx.loader(clocksLoader).load(id)) ?? []
  }

  @Authorized('sla.reapply')
  @Mutation(() => Conversation, {
    description:
      'Chooses the SLA policy of an open conversation anew and counts its clocks by the current versions of policy and ' +
      'schedule. Clocks that have stopped stay as they are.',
  })
  reapplySla(@Ctx() ctx: Context, @Arg('conversation', () => ID) conversation: string): Promise<ConversationState> {
    return reapplySla(ctx, this.options, conversation)
  }
}
