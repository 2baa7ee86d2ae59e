import {
  Arg,
  Authorized,
  Ctx,
  Field,
  FieldResolver,
  ID,
  InputType,
  Int,
  Mutation,
  ObjectType,
  Query,
  Resolver,
  Root,
} from 'type-graphql'
import { MacroStepInput, MacroStepKindEnum, type MacroStepKind } from '../../macros/macro-step.js'
import type { Context, LoaderDefinition } from '../../../platform/context.js'
import { tenantSql } from '../../../platform/db/tenancy.js'
import type { ErrorCode, ErrorReason } from '../../../platform/error-reasons.js'
import { BadUserInput } from '../../../platform/errors.js'
import type { Transact } from '../../../platform/events/transact.js'
import { ErrorCodeEnum, ErrorReasonEnum } from '../../../platform/lists/error-enums.js'
import { graphqlEnum } from '../../../platform/lists/graphql-enum.js'
import { DateTime } from '../../../platform/lists/scalars.js'
import { filterScope } from '../../../platform/lists/filter-scope.js'
import { hasCondition, whereSql } from '../../../platform/lists/where.js'
import { keptRefusal } from '../acts/run-macro.js'
import {
  BULK_CONVERSATIONS_MAX,
  BULK_REPLIES_MAX,
  canBeUndone,
  readRefused,
  readRuns,
  requireRun,
  type BulkRunRow,
  type BulkState,
} from '../bulk/bulk-run.js'
import { cancelBulk, undoBulk } from '../bulk/bulk-runner.js'
import { startBulk } from '../bulk/start-bulk.js'
import type { ConversationState } from '../state/conversation-state.js'
import { ConversationFilter, conversationList } from './conversation-list.js'
import { Conversation, loadConversation } from './conversation.js'

const BulkStateEnum = graphqlEnum('BulkState', 'State of a bulk run.', {
  RUNNING: ['running', 'Under way.'],
  DONE: ['done', 'Each of its conversations has had its turn.'],
  CANCELLED: ['cancelled', 'Ended by its caller: those that had not had their turn were skipped.'],
  UNDOING: ['undoing', 'Under way back: labels, snoozes and closings are being undone.'],
  UNDONE: ['undone', 'Undone, where that was possible.'],
})

@InputType({ description: 'An act with many conversations: either a step, or a macro.' })
export class BulkActInput {
  @Field(() => MacroStepInput, { nullable: true, description: 'The act, as a step of a macro has it.' })
  step?: MacroStepInput | null

  @Field(() => ID, { nullable: true, description: 'Id of a macro: all of its steps, or none, of each conversation.' })
  macro?: string | null
}

/** As stored; the class only declares the fields. */
@ObjectType({ simpleResolvers: true, description: 'An act with many conversations; kept for 7 days.' })
export class BulkRun {
  @Field(() => ID, { description: 'The id that its caller chose.' }) id!: string
  @Field(() => BulkStateEnum, { description: 'Whether it is under way, or how it ended.' }) state!: BulkState
  @Field(() => Int, { description: 'Number of its conversations.' }) total!: number
  @Field(() => Int, { description: 'Those with which the act was done.' }) done!: number
  @Field(() => Int, { description: 'Those that stayed as they were: `refusals` says why.' }) skipped!: number
  @Field(() => Int, { description: 'Those of which an error kept it: `refusals` names them.' }) failed!: number
  @Field(() => Int, { description: 'Those of `done` that were undone.' }) undone!: number
  @Field(() => Int, { description: 'Those of `done` that could not be undone: `refusals` says why.' }) kept!: number
  @Field(() => DateTime) createdAt!: Date
  @Field(() => DateTime, { nullable: true, description: 'Time at which it ended; null: it is under way.' })
  endedAt!: Date | null
  @Field(() => DateTime, {
    nullable: true,
    description:
      'Until then `undoBulk` undoes it; null while it is under way, and if nothing was done that can be undone.',
  })
  undoUntil!: Date | null
}

@ObjectType({
  simpleResolvers: true,
  description: 'A conversation that stayed as it was in a bulk run, or in its undoing.',
})
export class BulkRefusal {
  @Field(() => ID) conversationId!: string
  @Field(() => Boolean, { description: 'Whether an error kept it, rather than a rule.' }) isFailed!: boolean
  @Field(() => Boolean, { description: 'Whether the act was done, and could not be undone.' }) isKept!: boolean
  @Field(() => ErrorCodeEnum, { description: 'As `code` of an error.' }) code!: ErrorCode
  @Field(() => ErrorReasonEnum, { description: 'As `reason` of an error.' }) reason!: ErrorReason
  @Field(() => String, { description: 'In words.' }) message!: string
  @Field(() => Int, { nullable: true, description: 'Number of the step that could not be done, from 1.' })
  step!: number | null
}

/** The caller's own runs. */
export const bulkRunLoader: LoaderDefinition<BulkRunRow> = {
  async load(ctx, ids) {
    const runs = await readRuns(ctx.reads, ids, ctx.userCaller.user)
    return new Map(runs.map((run) => [run.id, run]))
  },
}

@Resolver(() => BulkRun)
export class BulkResolver {
  constructor(private readonly transact: Transact) {}

  @Authorized('conversation.bulk')
  @Mutation(() => BulkRun, {
    description:
      `Begins an act with up to ${BULK_CONVERSATIONS_MAX} conversations, ${BULK_REPLIES_MAX} if it writes to consumers, and returns at once; ` +
      '`inbox` tells of its progress by `BulkChanged`. Each conversation has a transaction of its own, in the order of their ids, at most 20 ' +
      'a second of an organization of level 2. Each step needs what it needs by itself, when its turn comes; where it is not possible any more, or, ' +
      'unless it sets labels, a category or a note, another message came meanwhile, the conversation is skipped. A conversation that ' +
      'waits is accepted by what ends with `SNOOZE`, `HAND_OVER` or `CLOSE`. At most 3 runs of a user are under way, and 20 of such an organization.',
  })
  bulk(
    @Ctx() ctx: Context,
    @Arg('act', () => BulkActInput, { description: 'The act, the same with each conversation.' }) act: BulkActInput,
    @Arg('id', () => ID, {
      description: 'A UUID of the run, chosen by the caller: a repeat gets the run that the first request has begun.',
    })
    id: string,
    @Arg('conversations', () => [ID], {
      nullable: true,
      description: 'Ids of conversations; either these or `filter`.',
    })
    conversations?: string[] | null,
    @Arg('filter', () => ConversationFilter, {
      nullable: true,
      description: 'Those that it fits now, of those that the caller sees; it must have a condition.',
    })
    filter?: object | null,
  ): Promise<BulkRunRow> {
    const find = (): Promise<string[]> => findConversations(ctx, filter)
    const asked = { conversations: conversations ?? null, filter: filter ?? null }
    return startBulk(ctx, this.transact, { id, act, ...asked, find })
  }

  @Authorized('conversation.bulk')
  @Mutation(() => BulkRun, {
    description: 'Ends a run of the caller: what was done stays, the rest is skipped. Repeating it changes nothing.',
  })
  cancelBulk(@Ctx() ctx: Context, @Arg('id', () => ID) id: string): Promise<BulkRunRow> {
    return cancelBulk(ctx, this.transact, id)
  }

  @Authorized('conversation.bulk')
  @Mutation(() => BulkRun, {
    description:
      'Undoes a run of the caller until `undoUntil`: its labels, snoozes and closings; what waited waits again. What was said, a category and ' +
      'a hand-over stay, as does a conversation that changed since. One that is under way ends first. Repeating it changes nothing.',
  })
  undoBulk(@Ctx() ctx: Context, @Arg('id', () => ID) id: string): Promise<BulkRunRow> {
    return undoBulk(ctx, this.transact, id)
  }

  @Authorized('conversation.bulk')
  @Query(() => BulkRun, { nullable: true, description: "A run of the caller's own." })
  bulkRun(@Ctx() ctx: Context, @Arg('id', () => ID) id: string): Promise<BulkRunRow> {
    return requireRun(ctx.reads, id, ctx.userCaller.user)
  }

  @FieldResolver(() => [MacroStepKindEnum], { description: 'Kinds of what it does, in their order.' })
  kinds(@Root() { steps }: BulkRunRow): MacroStepKind[] {
    return steps.map(({ kind }) => kind)
  }

  @FieldResolver(() => Boolean, { description: 'Whether something of what it does can be undone.' })
  isUndoable(@Root() { steps }: BulkRunRow): boolean {
    return canBeUndone(steps)
  }

  @FieldResolver(() => [BulkRefusal], {
    description:
      'Conversations that stayed as they were: first those of `kept`, then the others, each in the order of their ids.',
  })
  async refusals(
    @Root() { id }: BulkRunRow,
    @Ctx() ctx: Context,
    @Arg('first', () => Int, { nullable: true, description: `1 to ${BULK_CONVERSATIONS_MAX}; 50 by default.` })
    first?: number | null,
  ): Promise<BulkRefusal[]> {
    const limit = first ?? 50
    if (limit < 1 || limit > BULK_CONVERSATIONS_MAX)
      throw new BadUserInput('first', `first must be from 1 to ${BULK_CONVERSATIONS_MAX}, not ${limit}`)
    const items = await readRefused(ctx.reads, id, limit)
    return items.map(({ conversationId, outcome, refusal, undone }) => ({
      conversationId,
      isFailed: outcome === 'failed',
      isKept: undone === 'kept',
      ...keptRefusal(refusal!),
    }))
  }
}

@Resolver(() => BulkRefusal)
export class BulkRefusalsResolver {
  @FieldResolver(() => Conversation, { nullable: true, description: 'As it is now; null if it is not found.' })
  conversation(@Root() { conversationId }: BulkRefusal, @Ctx() ctx: Context): Promise<ConversationState | null> {
    return loadConversation(ctx, conversationId)
  }
}

/** Returns the conversations with consumers that a filter fits, one more than a run may have at most. @throws BadUserInput */
async function findConversations(ctx: Context, filter: object | null | undefined): Promise<string[]> {
  const values: unknown[] = []
  const visible = tenantSql(ctx.tenant, 't', values)
  const where = whereSql(conversationList.fields, filter, values, filterScope(ctx, values))
  if (!filter || !hasCondition(conversationList.fields, filter))
    throw new BadUserInput('filter', 'filter must have a condition: it would fit all conversations')
  const rows = await ctx.lists.query<{ id: string }>(
    `select t.id from conversation t where ${visible} and t.type = 'contact' and ${where}
     order by t.id limit ${BULK_CONVERSATIONS_MAX + 1}`,
    values,
  )
  return rows.map(({ id }) => id)
}
