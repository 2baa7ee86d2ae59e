import { isId } from '../../../platform/db/clock.js'
import { recordNotFound } from '../../../platform/lists/fetch-record.js'
import { selectList } from '../../../platform/db/columns.js'
import { Field, ID, Int, ObjectType } from 'type-graphql'
import { embeddedContact } from '../../contacts/contact.js'
import type { GuestLine } from '../../../platform/access/guest-line.js'
import type { Context } from '../../../platform/context.js'
import { statementName } from '../../../platform/db/statement-names.js'
import type { ActiveForm, FormResult } from '../../forms/active-form.js'
import { ActiveFormObject, FormResultObject } from '../../forms/form-result.js'
import type { JsonObject } from '../../../platform/json.js'
import type { Embeds } from '../../../platform/lists/embedded.js'
import { projectedLoaders, Projection } from '../../../platform/lists/projection.js'
import { camelRow, rowLoader, rowOf, rowsById } from '../../../platform/lists/rows.js'
import { DateTime, JsonObject as JsonObjectScalar } from '../../../platform/lists/scalars.js'
import type { Touchpoint } from '../../touchpoint-traits.js'
import { TouchpointEnum } from '../../touchpoint-enum.js'
import { MESSAGE_COLUMNS, messageForGuest, WHOLE_MESSAGE } from '../../messages/message-columns.js'
import type { MessageRow } from '../../messages/message-row.js'
import { conversationForConsumer, WHOLE_CONVERSATION, type ConversationData } from '../state/conversation-columns.js'
import { ConversationStatusEnum, ConversationTypeEnum } from '../state/conversation-enums.js'
import type { ConversationState } from '../state/conversation-state.js'
import type { ConversationStatus, ConversationType } from '../state/conversation-enums.js'
import { conversationNotFound, isVisible } from '../state/conversation-visibility.js'
import { followGuest, visibleMessagesSql } from '../state/guest-line.js'
import { ConversationTouchpoints } from './conversation-touchpoints.js'
import { embeddedParticipants } from './participant.js'
import { Node } from '../../../platform/lists/node.js'

const forAgents = 'Empty for a guest.'

@ObjectType({
  implements: Node,
  simpleResolvers: true,
  description: 'A conversation with a consumer, or within a team (2.8).',
})
export class Conversation {
  @Field(() => ID) id!: string
  @Field(() => ID) organizationId!: string
  @Field(() => ConversationTypeEnum) type!: ConversationType
  @Field(() => String, { description: 'Name; a random fantasy name by default.' }) name!: string
  @Field(() => String, { description: 'A short identifier.' }) slug!: string
  @Field(() => ConversationStatusEnum) status!: ConversationStatus
  @Field(() => ID, { nullable: true }) contactId!: string | null
  @Field(() => TouchpointEnum, { nullable: true, description: 'Touchpoint of messages to the consumer.' })
  touchpoint!: Touchpoint | null
  @Field(() => ConversationTouchpoints, { description: 'Touchpoints that reach the consumer.' })
  touchpoints!: JsonObject
  @Field(() => String, { nullable: true, description: "The active category, one of the organization's." })
  category!: string | null
  @Field(() => Int, {
    nullable: true,
    description: "Zero-based index of the category in the organization's categories.",
  })
  categoryIndex!: number | null
  @Field(() => String, { nullable: true, description: 'Language, as two lower-case letters.' }) language!: string | null
  @Field(() => [ID], { description: `Notified channels. ${forAgents}` }) channels!: string[]
  @Field(() => [ID], {
    description: `Channels that had no active subscriber when a rule chose them (3.4.6). ${forAgents}`,
  })
  channelsOffline!: string[]
  @Field(() => [ActiveFormObject], { description: 'Active forms with their values.' }) forms!: ActiveForm[]
  @Field(() => [FormResultObject], { description: `Completed forms. ${forAgents}` }) results!: FormResult[]
  @Field(() => JsonObjectScalar, { description: `Metadata (2.12). ${forAgents}` }) meta!: JsonObject
  @Field(() => ID, { nullable: true }) createdById!: string | null
  @Field(() => DateTime, {
    nullable: true,
    description: 'Time at which the conversation was queued; null if it is not queued.',
  })
  queuedAt!: Date | null
  @Field(() => Int, { description: 'Number of messages whose last delivery to the consumer failed.' })
  undelivered!: number

  @Field(() => DateTime, {
    nullable: true,
    description: 'Time of its closing; null unless it is closed, and for a guest.',
  })
  closedAt!: Date | null

  @Field(() => DateTime, {
    nullable: true,
    description: 'Until when those who accepted it have put it aside, see `snooze`; null if they have not.',
  })
  snoozedUntil!: Date | null

  @Field(() => ID, { nullable: true, description: 'Id of `handOverNote`; the note may have been deleted.' })
  handOverNoteId!: string | null

  @Field(() => DateTime, { nullable: true }) lastMessageAt!: Date | null
  @Field(() => String, { nullable: true, description: 'Beginning of the last message.' }) preview!: string | null
  @Field(() => DateTime) createdAt!: Date
  @Field(() => DateTime) updatedAt!: Date
  @Field(() => Int, {
    description: 'Counts its changes and messages, from 1; `ifVersion` of a change names it. 0 for guests.',
  })
  version!: number
}

/** Reads a conversation that the caller may see. @throws NotFound */
export async function fetchConversation(ctx: Context, id: string): Promise<ConversationState> {
  let conversation = await readVisible(ctx, id)
  if (ctx.guestCaller && (!conversation || conversation.status === 'archived')) {
    const target = await followGuest(ctx, id)
    if (target !== null) conversation = await readVisible(ctx, target)
  }
  if (!conversation) throw isId(id) ? conversationNotFound() : recordNotFound('Conversation', id)
  return shownTo(ctx, conversation)
}

async function readVisible(ctx: Context, id: string): Promise<ConversationState | null> {
  const [conversation] = (await rowsById<ConversationState>(ctx, 'conversation', [id], WHOLE_CONVERSATION)).values()
  return conversation && isVisible(ctx, { conversation }) ? conversation : null
}

/** Returns a conversation as the caller may see it. */
export function shownTo(ctx: Context, conversation: ConversationState): ConversationState {
  const { guestCaller, guestLine } = ctx
  if (guestCaller) return forGuest(conversation, guestCaller.contact, guestLine)
  return ctx.seesAsConsumer ? conversationForConsumer(conversation) : conversation
}

/**
 * Returns a conversation as a guest may see it, given the guest's contact and line. Another contact's conversation does
 * not reveal whose it is.
 */
export function forGuest<Conversation extends ConversationData>(
  conversation: Conversation,
  contact: string,
  line: GuestLine | null,
): Conversation {
  const isOthers = line?.current === conversation.id && line.stretches !== null
  return {
    ...conversationForConsumer(conversation),
    ...(isOthers && {
      contactId: contact,
      name: conversation.slug,
      forms: conversation.forms.map((form) => ({ ...form, values: {}, completedAt: null })),
    }),
  }
}

/** Loads a referenced conversation; null if the caller may not see it. */
export async function loadConversation(ctx: Context, id: string): Promise<ConversationState | null> {
  const conversation = await ctx.loader(conversationLoader).load(id)
  if (conversation && ctx.guestCaller && !isVisible(ctx, { conversation })) await followGuest(ctx, id)
  return conversation && isVisible(ctx, { conversation }) ? shownTo(ctx, conversation) : null
}

export function messageOfRow(ctx: Context, row: Record<string, unknown>): MessageRow {
  const message = camelRow<MessageRow>(row)
  return ctx.seesAsConsumer ? messageForGuest(message) : message
}

/** Columns that pages of conversations read. */
export const conversationProjection = new Projection({
  alias: 't',
  always: ['id'],
  reads: {
    organization: ['organizationId'],
    mark: ['messageCount', 'turn'],
    orgPath: ['org1', 'org2', 'org3'],
    url: ['slug'],
    contact: ['contactId'],
    notifiedChannels: ['channels'],
    offlineChannels: ['channelsOffline'],
    createdBy: ['createdById'],
    participants: [],
    myParticipant: [],
    unreadCount: [],
    messages: [],
    messageIds: [],
    lastMessage: [],
    routingTrace: [],
    labels: ['labels'],
    labelIds: ['labels'],
    offer: ['offerId', 'offerUserId', 'offerUntil'],
    queuePlace: ['org1', 'status'],
    handOverNote: ['handOverNoteId'],
    routes: ['type', 'status', 'touchpoint', 'touchpointChosen'],
  },
})

const conversationLoader = rowLoader<ConversationState>('conversation', WHOLE_CONVERSATION)

/** Messages by their ids. */
export const messageLoader = rowLoader<MessageRow>('message', WHOLE_MESSAGE)

const lastMessageProjection = new Projection({
  alias: 'm',
  always: ['id', 'conversationId'],
  reads: {
    user: ['userId'],
    service: ['serviceId'],
    likedBy: ['likes'],
    author: ['userId', 'role', 'conversationId'],
    conversation: [],
    slug: [],
    url: [],
    path: ['org1', 'org2', 'org3'],
    level: ['org1', 'org2', 'org3'],
    organization: ['organizationId'],
    deliveries: ['role', 'isBackchannel', 'meta'],
    results: ['type', 'results'],
  },
})

/** The newest message that the caller may see, by conversation. */
export const lastMessageLoaders = projectedLoaders<MessageRow>(lastMessageProjection, (columns) => ({
  async load(ctx, conversations) {
    const values: unknown[] = [conversations]
    const visible = await visibleMessagesSql(ctx, conversations, 'm', values)
    const text = `select last.* from unnest($1::uuid[]) as c(id) cross join lateral (
      select ${columns ?? selectList(MESSAGE_COLUMNS, 'm')} from message m where m.conversation_id = c.id and ${visible}
      order by m.position desc limit 1) last`
    const rows = await ctx.reads.query<Record<string, unknown>>(text, values, statementName(text))
    const messages = rows.map((row) => rowOf<MessageRow>(row, columns))
    return new Map(messages.map((each) => [each.conversationId, ctx.seesAsConsumer ? messageForGuest(each) : each]))
  },
}))

/** Records embedded in pages of conversations. */
export const conversationEmbeds: Embeds = {
  participants: embeddedParticipants('t.id'),
  contact: embeddedContact('t.contact_id'),
  lastMessage: {
    projection: lastMessageProjection,
    sql: (object) =>
      `(select ${object} from message m where m.conversation_id = t.id order by m.position desc limit 1)`,
  },
}
