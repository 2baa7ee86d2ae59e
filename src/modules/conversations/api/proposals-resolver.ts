import { Arg, Authorized, Ctx, Extensions, FieldResolver, ID, Mutation, Query, Resolver, Root } from 'type-graphql'
import type { Context, LoaderDefinition } from '../../../platform/context.js'
import { reading } from '../../../platform/db/sql.js'
import { idempotently } from '../../../platform/limits/idempotency.js'
import { MessageInput } from '../../messages/message-input.js'
import type { MessageRow } from '../../messages/message-row.js'
import { Message } from '../../messages/message.js'
import { approveProposal, readProposal, rejectProposal, takeSetting } from '../proposals/decide-proposal.js'
import { PENDING_PROPOSALS, Proposal, PROPOSAL_COLUMNS, proposalOf, type ProposalRow } from '../proposals/proposal.js'
import { type UserProfile, userProfileLoader } from '../../users/user-profile.js'
import { User } from '../../users/user.js'
import { propose } from '../proposals/propose.js'
import { ProposalRequest, type ProposalRequests } from '../proposals/request-proposal.js'
import { SuggestionInput } from '../proposals/suggestion.js'
import type { SendDependencies } from '../sending/send-message.js'
import type { ConversationState } from '../state/conversation-state.js'
import { ProposalKind } from '../state/proposal-kind.js'
import { Conversation } from './conversation.js'

const PROPOSAL = { description: 'A pending one.' }

/** Proposals of bots, and the decisions of people. */
@Resolver(() => Conversation)
export class ProposalsResolver {
  constructor(
    private readonly options: SendDependencies,
    private readonly requests: ProposalRequests,
  ) {}

  @Extensions({ listLength: 3 })
  @FieldResolver(() => [Proposal], {
    description: 'Proposals of bots on which nobody has decided; none for consumers. Live by `ProposalChanged`.',
  })
  async proposals(@Root() { id }: ConversationState, @Ctx() ctx: Context): Promise<Proposal[]> {
    if (ctx.seesAsConsumer) return []
    return ((await ctx.loader(pendingLoader).load(id)) ?? []).map(proposalOf)
  }

  @Authorized('proposal.fetch')
  @Query(() => Proposal, { nullable: true, description: 'A proposal, decided or not.' })
  async proposal(@Ctx() ctx: Context, @Arg('id', () => ID) id: string): Promise<Proposal> {
    return proposalOf(await readProposal(ctx, id, 'id'))
  }

  @Authorized('proposal.make')
  @Mutation(() => Proposal, {
    description:
      'Proposes what a bot would do, as the message or the command that it would send, or suggests something for people to take; for 24 hours, or until others have ' +
      'written or done something. Needs the mark of the state for which it is made: if others have written or done ' +
      "something since, it is held (`MOVED_ON`). Takes the place of the bot's proposal of the same kind; three wait in a conversation at most. " +
      'A governed bot needs at least the mode `SUGGEST`.',
  })
  async propose(
    @Ctx() ctx: Context,
    @Arg('conversation', () => ID) conversation: string,
    @Arg('message', () => MessageInput, {
      nullable: true,
      description: 'Without `id`, `user`, `delay`, `mail` and `seen`. Either this or `suggestion`.',
    })
    message?: MessageInput | null,
    @Arg('suggestion', () => SuggestionInput, {
      nullable: true,
      description: 'Something for people to take. Either this or `message`.',
    })
    suggestion?: SuggestionInput | null,
    @Arg('mark', () => String, {
      nullable: true,
      description: '`Conversation.mark` as the bot saw it. A message may have it instead.',
    })
    mark?: string | null,
    @Arg('idempotencyKey', () => String, { nullable: true }) key?: string | null,
  ): Promise<Proposal> {
    const given = { message, suggestion, mark }
    // What it says is forgotten with the proposal: the record of the key has none of it.
    const kept = ({ id }: Pick<ProposalRow, 'id'>): Pick<ProposalRow, 'id'> => ({ id })
    const request = { key, operation: 'propose', input: { conversation, ...given }, kept }
    const made = await idempotently<ProposalRow | Pick<ProposalRow, 'id'>>(ctx, request, () =>
      propose(this.options, ctx, conversation, given),
    )
    return proposalOf('kind' in made ? made : await readProposal(ctx, made.id))
  }

  @Authorized('proposal.decide')
  @Mutation(() => Proposal, {
    description:
      'Does what a bot suggested to set or to merge (`CATEGORY`, `FIELDS`, `MERGE`), as the caller. What is said is taken by a message with `proposal` instead ' +
      '(`PROPOSAL_KIND`). Refused once it was decided or has ended (`PROPOSAL_ENDED`).',
  })
  async takeProposal(
    @Ctx() ctx: Context,
    @Arg('proposal', () => ID, PROPOSAL) proposal: string,
    @Arg('idempotencyKey', () => String, { nullable: true }) key?: string | null,
  ): Promise<Proposal> {
    const request = { key, operation: 'takeProposal', input: { proposal } }
    await idempotently(ctx, request, () => takeSetting(this.options, ctx, proposal))
    return proposalOf(await readProposal(ctx, proposal))
  }

  @Authorized('proposal.request')
  @Query(() => Boolean, {
    description:
      'Whether `requestProposal` would reach a bot now. False for bots, which ask for nothing, and in an archived conversation.',
  })
  canRequestProposal(@Ctx() ctx: Context, @Arg('conversation', () => ID) conversation: string): Promise<boolean> {
    return this.requests.isHeard(ctx, conversation)
  }

  @Authorized('proposal.request')
  @Mutation(() => ProposalRequest, {
    description:
      'Asks the bots of a conversation to propose something now: webhooks and services of type `events` get `proposal.requested`. What they propose comes as ' +
      '`ProposalChanged`; after `until` nobody waits for it, but it is kept like any other. Refused if no bot could answer (`NOBODY_LISTENS`), ' +
      'and beyond 6 requests of an agent a minute in a conversation, or 20 in all.',
  })
  requestProposal(
    @Ctx() ctx: Context,
    @Arg('conversation', () => ID) conversation: string,
    @Arg('kind', () => ProposalKind, { description: 'Not `ACT`.' }) kind: ProposalKind,
  ): Promise<ProposalRequest> {
    return this.requests.request(ctx, conversation, kind)
  }

  @Authorized('proposal.decide')
  @Mutation(() => Proposal, {
    description:
      'Has the bot do what it proposed: once, exactly that, with `approvedById` beside it. Refused if it was decided or has ended ' +
      '(`PROPOSAL_ENDED`), if the hash is another (`HASH_DIFFERS`), if others have written or done something that the bot had not seen ' +
      '(`PROPOSAL_STALE`, with the news, which ends it), if the bot is paused or its grants have less than `APPROVE` for it (`NO_GRANT`), and for ' +
      'whoever may not do it.',
  })
  async approveProposal(
    @Ctx() ctx: Context,
    @Arg('proposal', () => ID, PROPOSAL) proposal: string,
    @Arg('hash', () => String, { description: '`hash` of the proposal as it was read.' }) hash: string,
  ): Promise<Proposal> {
    return proposalOf(await approveProposal(this.options, ctx, proposal, hash))
  }

  @Authorized('proposal.decide')
  @Mutation(() => Proposal, {
    description: 'Ends a proposal without doing it. Refused once it was decided or has ended.',
  })
  async rejectProposal(@Ctx() ctx: Context, @Arg('proposal', () => ID, PROPOSAL) proposal: string): Promise<Proposal> {
    return proposalOf(await rejectProposal(this.options, ctx, proposal))
  }
}

const pendingLoader: LoaderDefinition<ProposalRow[]> = {
  async load(ctx, conversations) {
    const rows = await ctx.reads.query<ProposalRow>(PENDING_PROPOSALS, [conversations], 'pending-proposals')
    return Map.groupBy(rows, ({ conversationId }) => conversationId)
  },
}

@Resolver(() => Proposal)
export class ProposingBotsResolver {
  @FieldResolver(() => User, { nullable: true, description: 'The bot; null if it has been deleted.' })
  bot(@Root() { botId }: Proposal, @Ctx() ctx: Context): Promise<UserProfile | null> {
    return ctx.loader(userProfileLoader).load(botId)
  }
}

/** Approvers of messages, and the proposals of which they were made. */
@Resolver(() => Message)
export class ApprovedMessagesResolver {
  @FieldResolver(() => ID, {
    nullable: true,
    description: 'The person who approved what a bot proposed; null for all else, and for consumers.',
  })
  approvedById(@Root() message: MessageRow, @Ctx() ctx: Context): Promise<string | null> {
    return approverOf(ctx, message)
  }

  @FieldResolver(() => User, { nullable: true, description: 'That person; null also if it has been deleted.' })
  async approvedBy(@Root() message: MessageRow, @Ctx() ctx: Context): Promise<UserProfile | null> {
    const by = await approverOf(ctx, message)
    return by === null ? null : ctx.loader(userProfileLoader).load(by)
  }

  @FieldResolver(() => Proposal, {
    nullable: true,
    description: 'The proposal of a bot that it was made of, taken or approved; null for all else, and for consumers.',
  })
  async proposal(@Root() { id, originalId }: MessageRow, @Ctx() ctx: Context): Promise<Proposal | null> {
    if (ctx.seesAsConsumer) return null
    const row = await ctx.loader(ofMessageLoader).load(originalId ?? id)
    return row ? proposalOf(row) : null
  }
}

/** Reads who approved a message of a bot: nothing is asked of other messages. */
async function approverOf(ctx: Context, { id, originalId, isAutomated }: MessageRow): Promise<string | null> {
  if (ctx.seesAsConsumer || !isAutomated) return null
  const row = await ctx.loader(ofMessageLoader).load(originalId ?? id)
  return row?.status === 'approved' ? row.decidedById : null
}

const ofMessageLoader: LoaderDefinition<ProposalRow> = {
  async load(ctx, messages) {
    const rows = await ctx.reads.query<ProposalRow>(OF_MESSAGES, [messages], 'proposals-of-messages')
    return new Map(rows.map((row) => [row.messageId!, row]))
  },
}

const OF_MESSAGES = reading(`select ${PROPOSAL_COLUMNS} from proposal p where p.message_id = any($1::uuid[])`)
