import { Arg, Authorized, Ctx, FieldResolver, ID, Mutation, Query, Resolver, Root } from 'type-graphql'
import { isAllowed } from '../../../platform/access/permissions.js'
import type { Context, LoaderDefinition } from '../../../platform/context.js'
import { tenantSql } from '../../../platform/db/tenancy.js'
import { camelRow } from '../../../platform/lists/rows.js'
import { type UserProfile, userProfileLoader } from '../../users/user-profile.js'
import { User } from '../../users/user.js'
import { declineOffer } from '../offers/end-offer.js'
import { explain } from '../offers/match.js'
import { Offer, OfferCandidate, OfferTrace } from '../offers/offer-types.js'
import { readStaff, readWaitingOne } from '../offers/read-staff.js'
import { RoutingTrace } from '../routing/read-routing-trace.js'
import type { ConversationState } from '../state/conversation-state.js'
import type { ConversationWriter } from '../writer/conversation-writer.js'
import { Conversation, loadConversation } from './conversation.js'

/** A screen shows all of them: an agent has as many as its capacity allows. */
const OFFERS_MAX = 1_000

@Resolver(() => Offer)
export class OffersResolver {
  constructor(private readonly writer: ConversationWriter) {}

  @Authorized('offer.answer')
  @Query(() => [Offer], { description: "The caller's pending offers, those that expire first at the beginning." })
  async offers(@Ctx() ctx: Context): Promise<Offer[]> {
    const values: unknown[] = [ctx.userCaller.user]
    const rows = await ctx.reads.query<Record<string, unknown>>(
      `select c.offer_id as id, c.id as conversation_id, c.offer_user_id as user_id, c.offer_until as until
       from conversation c where c.offer_user_id = $1 and c.offer_id is not null and ${tenantSql(ctx.tenant, 'c', values)}
       order by c.offer_until limit ${OFFERS_MAX}`,
      values,
    )
    return rows.map((row) => camelRow<Offer>(row))
  }

  @Authorized('offer.answer')
  @Mutation(() => Conversation, {
    description:
      'Declines an offer of the caller. UNPROCESSABLE with the reason `OFFERED_TO_OTHER` or `OFFER_ENDED`. To accept, accept the conversation.',
  })
  declineOffer(
    @Ctx() ctx: Context,
    @Arg('offer', () => ID, { description: 'Id of the offer.' }) offer: string,
    @Arg('reason', () => String, { nullable: true, description: 'For the trace; at most 200 characters.' })
    reason?: string | null,
  ): Promise<ConversationState> {
    return declineOffer(ctx, this.writer, { offer, reason })
  }

  @FieldResolver(() => User, { nullable: true })
  user(@Root() { userId }: Offer, @Ctx() ctx: Context): Promise<UserProfile | null> {
    return ctx.loader(userProfileLoader).load(userId)
  }

  @FieldResolver(() => Conversation, { nullable: true })
  conversation(@Root() { conversationId }: Offer, @Ctx() ctx: Context): Promise<ConversationState | null> {
    return loadConversation(ctx, conversationId)
  }
}

@Resolver(() => Conversation)
export class OfferedConversationResolver {
  @FieldResolver(() => Offer, {
    nullable: true,
    description: 'The pending offer; null without one, and for everybody below the scope `agent`.',
  })
  offer(@Root() { id, offerId, offerUserId, offerUntil }: ConversationState, @Ctx() ctx: Context): Offer | null {
    if (!offerId || !offerUserId || !offerUntil || !isAllowed(ctx.caller, 'offer.answer')) return null
    return { id: offerId, conversationId: id, userId: offerUserId, until: offerUntil }
  }
}

interface OfferRow extends OfferTrace {
  conversation: string
  queueing: number
}

/** By conversation, the oldest first. */
const offersLoader: LoaderDefinition<OfferRow[]> = {
  async load(ctx, conversations) {
    const rows = await ctx.reads.query<Record<string, unknown>>(
      `select o.id, o.conversation_id as conversation, o.queueing, o.channel_id, o.user_id, o.made_at, o.until, o.outcome,
         o.reason, o.ended_at
       from offer o where o.conversation_id = any($1::uuid[]) order by o.conversation_id, o.made_at, o.id`,
      [conversations],
      'offers-of-conversations',
    )
    const all = rows.map((row) => camelRow<OfferRow>(row))
    const offers = Map.groupBy(all, ({ conversation }) => conversation)
    return new Map(conversations.map((id) => [id, offers.get(id) ?? []]))
  },
}

/** By decision: of the last offer of its queueing, which may have several decisions. Absent if it made no offer. */
const candidatesLoader: LoaderDefinition<{ candidates: OfferCandidate[] }> = {
  async load(ctx, decisions) {
    const rows = await ctx.reads.query<{ id: string; candidates: OfferCandidate[] }>(
      `select d.id, e.candidates from routing_decision d cross join lateral (
         select candidates from routing_decision e
         where e.conversation_id = d.conversation_id and e.queueing = d.queueing and e.candidates is not null
         order by e.id desc limit 1) as e
       where d.id = any($1::uuid[])`,
      [decisions],
      'candidates-of-decisions',
    )
    return new Map(rows.map(({ id, candidates }) => [id, { candidates }]))
  },
}

/** The conversation has been checked by whoever read its trace. */
@Resolver(() => RoutingTrace)
export class OfferTracesResolver {
  constructor(private readonly idleMinutes: number) {}

  @FieldResolver(() => [OfferTrace], { description: 'The offers made in this queueing, the oldest first.' })
  async offers(@Root() { conversationId, queueing }: RoutingTrace, @Ctx() ctx: Context): Promise<OfferTrace[]> {
    const offers = (await ctx.loader(offersLoader).load(conversationId)) ?? []
    return offers.filter((offer) => offer.queueing === queueing)
  }

  @FieldResolver(() => [OfferCandidate], {
    description:
      'Reasons for which each member of the channel was chosen or was not: as of the last offer of this queueing, or now, while the conversation ' +
      'waits for one. Empty if agents accept what they choose.',
  })
  async candidates(@Root() trace: RoutingTrace, @Ctx() ctx: Context): Promise<OfferCandidate[]> {
    const stored = async (): Promise<OfferCandidate[]> =>
      (await ctx.loader(candidatesLoader).load(trace.id))?.candidates ?? []
    const conversation = await loadConversation(ctx, trace.conversationId)
    const isWaiting = conversation?.status === 'queued' && conversation.queueing === trace.queueing
    if (!isWaiting || conversation.offerId) return stored()
    const now = ctx.now()
    const staff = await readStaff(ctx.reads, conversation.org1, { now, idleMinutes: this.idleMinutes })
    const waiting = await readWaitingOne(ctx.reads, conversation, [...staff.channels.keys()])
    const [channel] = waiting?.channels ?? []
    if (!waiting || channel === undefined) return stored()
    return explain({ conversation: waiting, channel, chosen: null }, staff, now.getTime())
  }
}

@Resolver(() => OfferCandidate)
export class OfferCandidatesResolver {
  @FieldResolver(() => User, { nullable: true })
  user(@Root() { userId }: OfferCandidate, @Ctx() ctx: Context): Promise<UserProfile | null> {
    return ctx.loader(userProfileLoader).load(userId)
  }
}
