import type { RateLimiterAbstract } from 'rate-limiter-flexible'
import { Field, ID, ObjectType } from 'type-graphql'
import type { Context } from '../../../platform/context.js'
import { isId } from '../../../platform/db/clock.js'
import { pathOf, tenantSql, type TenantColumns } from '../../../platform/db/tenancy.js'
import { BadUserInput, Forbidden, Unprocessable } from '../../../platform/errors.js'
import { conversationStream } from '../../../platform/events/event.js'
import type { Outbox } from '../../../platform/events/outbox.js'
import { sharedLimiter, spend } from '../../../platform/limits/shared-limiter.js'
import { recordNotFound } from '../../../platform/lists/fetch-record.js'
import { DateTime } from '../../../platform/lists/scalars.js'
import type { RedisClient } from '../../../platform/redis.js'
import type { ConversationStatus } from '../state/conversation-enums.js'
import { ProposalKind } from '../state/proposal-kind.js'
import type { ConversationWriter } from '../writer/conversation-writer.js'

/** Name of the event that bots receive. */
const EVENT = 'proposal.requested'
/** For how long a screen waits: an agent who waits longer has written by then. */
const WAIT_MS = 10_000
const MINUTE = 60
/** Each request may make every bot that listens call its model. In one conversation, and in all. */
const PER_CONVERSATION = 6
const PER_AGENT = 20

@ObjectType({ simpleResolvers: true, description: 'A request to bots to propose something. It is kept nowhere.' })
export class ProposalRequest {
  @Field(() => ID, { description: '`id` of the event `proposal.requested` that tells of it.' }) id!: string
  @Field(() => ID) conversationId!: string
  @Field(() => ProposalKind, { description: 'Kind of the proposal that is asked for.' }) kind!: ProposalKind
  @Field(() => DateTime, { description: 'Until when the screen that asked should wait, 10 seconds.' }) until!: Date
}

/** Asks bots to propose something. */
export class ProposalRequests {
  readonly #perConversation: RateLimiterAbstract
  readonly #perAgent: RateLimiterAbstract

  constructor(
    private readonly options: { writer: ConversationWriter; outbox: Outbox; redis: RedisClient | undefined },
  ) {
    const limiter = (of: string, points: number): RateLimiterAbstract =>
      sharedLimiter({ keyPrefix: `proposal-requests:${of}`, points, duration: MINUTE }, options.redis)
    this.#perConversation = limiter('conversation', PER_CONVERSATION)
    this.#perAgent = limiter('agent', PER_AGENT)
  }

  /** Tells whether a request would reach anybody now. @throws NotFound */
  async isHeard(ctx: Context, conversationId: string): Promise<boolean> {
    const values: unknown[] = [conversationId]
    const [found] = isId(conversationId)
      ? await ctx.reads.query<Pick<TenantColumns, 'org1' | 'org2' | 'org3'> & { status: ConversationStatus }>(
          `select org1, org2, org3, status from conversation c where c.id = $1 and ${tenantSql(ctx.tenant, 'c', values)}`,
          values,
        )
      : []
    if (!found) throw recordNotFound('Conversation', conversationId, 'conversation')
    if (ctx.userCaller.isBot || found.status === 'archived') return false
    return this.options.outbox.isHeard(ctx.reads, EVENT, pathOf(found))
  }

  /**
   * Tells bots that an agent asks for a proposal, with the conversation and its mark as any event.
   * @throws BadUserInput; Forbidden for bots; NotFound; Unprocessable `NOBODY_LISTENS`, and for an archived conversation; RateLimited
   */
  async request(ctx: Context, conversationId: string, kind: ProposalKind): Promise<ProposalRequest> {
    const { user, isBot } = ctx.userCaller
    if (isBot) throw new Forbidden('only people ask for proposals', { reason: 'PERSON_REQUIRED' })
    if (kind === 'act') throw new BadUserInput('kind', 'kind must not be ACT: ask for something that people take')
    if (!isId(conversationId)) throw recordNotFound('Conversation', conversationId, 'conversation')
    // Before the conversation is locked; of each agent, so that nobody uses up what others have.
    const key = `${user}:${conversationId.toLowerCase()}`
    await spend(this.#perConversation, key, 1, 'too many requests for proposals in this conversation')
    await spend(this.#perAgent, user, 1, 'too many requests for proposals')
    return this.options.writer.run(ctx, conversationId, async (change) => {
      const { conversation, now, sql } = change
      const { id: conversationOf, status } = conversation
      if (status === 'archived')
        throw new Unprocessable('the conversation is archived', { reason: 'CONVERSATION_STATUS', status })
      if (!(await this.options.outbox.isHeard(sql, EVENT, pathOf(conversation))))
        throw new Unprocessable('no bot listens to `proposal.requested` in the conversation', {
          reason: 'NOBODY_LISTENS',
        })
      const request = { id: change.clock.newId(), conversationId: conversationOf, kind, until: untilOf(now) }
      const told = { id: request.id, kind, user, until: request.until.toISOString() }
      change.emit(conversationStream(conversationOf), EVENT, told)
      return request
    })
  }
}

const untilOf = (now: Date): Date => new Date(now.getTime() + WAIT_MS)
