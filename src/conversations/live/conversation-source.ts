import type { Context } from '../../context.js'
import type { Sql } from '../../db/database.js'
import { NotFound } from '../../errors.js'
import type { Ephemeral } from '../../events/dispatcher.js'
import { conversationStream, type StoredEvent } from '../../events/event.js'
import type { LiveEvent, LiveFeed, LiveSource } from '../../events/live-feed.js'
import { camelRow } from '../../lists/rows.js'
import { consumerVisibleSql, isConsumerVisible, messageForGuest, type MessageRow } from '../../messages/message-row.js'
import type { Presence } from '../../presence/presence.js'
import { fetchConversation, forGuest } from '../conversation.js'
import type { ConversationState, ParticipantState } from '../conversation-state.js'
import { conversationNotFound } from '../conversation-writer.js'
import type { GuestArrivals } from '../delivery/guest-progress.js'
import { participantsForGuest } from '../participant.js'

const SNAPSHOT_MESSAGES = 50

/** `conversation`: its messages, participants and state, and who types. A guest hears what a consumer may see. */
export class ConversationSource implements LiveSource {
  readonly field = 'conversation'

  constructor(private readonly options: { presence: Presence; arrivals: GuestArrivals }) {}

  async open(ctx: Context, args: Readonly<Record<string, unknown>>): Promise<LiveFeed> {
    ctx.require('conversation.watch')
    const { id } = await fetchConversation(ctx, args.id as string)
    const { arrivals, presence } = this.options
    const { caller } = ctx
    const isGuest = caller.kind === 'guest'
    const viewer = {
      conversation: id,
      user: isGuest ? null : caller.user,
      contact: isGuest ? caller.contact : null,
    }
    // Some fields need a scope of their own.
    const audience = isGuest ? `guest:${caller.contact}` : `${[...caller.scopes].toSorted().join(' ')}:${caller.organization}`
    return {
      streams: [conversationStream(id)],
      audience,
      accessKey: `${id}:${audience}`,
      async snapshot(sql) {
        const state = await readState(sql, id, isGuest)
        if (isGuest) arrivals.note(id, state.messages.at(-1)?.position ?? 0)
        return state
      },
      toEvent: (event) => toEvent(event, isGuest),
      ...(isGuest && { taken: (event: StoredEvent) => noteArrival(arrivals, id, event) }),
      toEphemeral,
      begin: (subscription) => presence.enterConversation(subscription, viewer),
      end: (subscription) => presence.leaveConversation(subscription),
      isStillAllowed: (now) => isStillVisible(now, id),
    }
  }
}

async function isStillVisible(ctx: Context, id: string): Promise<boolean> {
  try {
    await fetchConversation(ctx, id)
    return true
  } catch (error) {
    if (error instanceof NotFound) return false
    throw error
  }
}

function noteArrival(arrivals: GuestArrivals, conversation: string, { type, data }: StoredEvent): void {
  if (type === 'message.added') arrivals.note(conversation, (data.message as unknown as MessageRow).position)
}

async function readState(sql: Sql, id: string, isGuest: boolean): Promise<LiveEvent & { messages: MessageRow[] }> {
  const visible = isGuest ? consumerVisibleSql('m') : 'true'
  const [conversations, participants, messages] = [
    await sql.query<Record<string, unknown>>('select * from conversation where id = $1', [id]),
    await sql.query<Record<string, unknown>>(
      'select * from participant where conversation_id = $1 order by created_at, user_id',
      [id],
    ),
    await sql.query<Record<string, unknown>>(
      `select * from message m where conversation_id = $1 and ${visible} order by position desc limit $2`,
      [id, SNAPSHOT_MESSAGES],
    ),
  ]
  if (!conversations[0]) throw conversationNotFound()
  const conversation = camelRow<ConversationState>(conversations[0])
  const joined = participants.map((row) => camelRow<ParticipantState>(row))
  return {
    __typename: 'ConversationSnapshot',
    conversation: isGuest ? forGuest(conversation) : conversation,
    participants: isGuest ? participantsForGuest(joined) : joined,
    messages: messages.toReversed().map((row) => {
      const message = camelRow<MessageRow>(row)
      return isGuest ? messageForGuest(message) : message
    }),
  }
}

function toEvent({ type, data }: StoredEvent, isGuest: boolean): LiveEvent | null {
  switch (type) {
    case 'message.added':
    case 'message.changed': {
      const message = data.message as unknown as MessageRow
      if (isGuest && !isConsumerVisible(message)) return null
      const __typename = type === 'message.added' ? 'MessageAdded' : 'MessageChanged'
      return { __typename, message: isGuest ? messageForGuest(message) : message }
    }
    case 'message.deleted':
      if (isGuest && data.isConsumerVisible !== true) return null
      return { __typename: 'MessageRemoved', messageId: data.id }
    case 'message.delivery':
      return isGuest ? null : { __typename: 'MessageDeliveryChanged', deliveries: data.deliveries }
    case 'conversation.changed': {
      const conversation = data.conversation as unknown as ConversationState
      return { __typename: 'ConversationChanged', conversation: isGuest ? forGuest(conversation) : conversation }
    }
    case 'participants.changed': {
      const participants = data.participants as unknown as ParticipantState[]
      const shown = isGuest ? participantsForGuest(participants) : participants
      return { __typename: 'ParticipantsChanged', participants: shown }
    }
    default:
      return null
  }
}

function toEphemeral({ type, data }: Ephemeral): LiveEvent | null {
  return type === 'typing' ? { __typename: 'TypingChanged', ...data } : null
}
