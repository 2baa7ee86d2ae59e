import type { GuestCaller } from '../../access/caller.js'
import type { GuestLine } from '../../access/guest-line.js'
import type { Context } from '../../context.js'
import type { Sql } from '../../db/database.js'
import { NotFound } from '../../errors.js'
import type { Logger } from 'pino'
import type { Dispatcher, Ephemeral } from '../../events/dispatcher.js'
import { conversationStream, type StoredEvent } from '../../events/event.js'
import type { LiveEvent, LiveFeed, LiveSource } from '../../events/live-feed.js'
import { camelRow } from '../../lists/rows.js'
import { messageForGuest } from '../../messages/message-columns.js'
import type { MessageRow } from '../../messages/message-row.js'
import { viewersOf, type Presence } from '../../presence/presence.js'
import { messageCursor } from '../api/conversation-messages.js'
import { fetchConversation, forGuest } from '../api/conversation.js'
import { conversationForConsumer } from '../writing/conversation-columns.js'
import type { ConversationState, ParticipantState } from '../writing/conversation-state.js'
import { conversationNotFound } from '../writing/conversation-visibility.js'
import type { GuestReceipts } from '../delivery/guest-receipts.js'
import { guestMessagesSql, heardSince, isVisibleToGuest } from '../writing/guest-line.js'
import { participantsForGuest } from '../api/participant.js'

const SNAPSHOT_MESSAGES = 50

/** `conversation`: its messages, participants and state, and who types. A guest hears what a consumer may see. */
export class ConversationSource implements LiveSource {
  readonly field = 'conversation'

  constructor(
    private readonly options: {
      presence: Presence
      receipts: GuestReceipts
      dispatcher: Dispatcher
      sql: Sql
      log: Logger
    },
  ) {}

  async open(ctx: Context, args: Readonly<Record<string, unknown>>): Promise<LiveFeed> {
    ctx.require('conversation.watch')
    const { caller } = ctx
    return caller.kind === 'guest'
      ? this.#openForGuest(ctx, caller, args.id as string)
      : this.#openForUser(ctx, args.id as string, args.viewers === true)
  }

  async #openForUser(ctx: Context, named: string, hearsViewers: boolean): Promise<LiveFeed> {
    const { id } = await fetchConversation(ctx, named)
    const { user, scopes, organization } = ctx.userCaller
    // Some fields need a scope of their own.
    const audience = `${[...scopes].toSorted().join(' ')}:${organization}${hearsViewers ? ':viewers' : ''}`
    // Below the scope `agent` as its consumer sees it.
    const view: GuestView | null = ctx.seesAsConsumer ? { contact: null, line: null } : null
    return {
      ...this.#feed({ conversation: id, user, contact: null }),
      toEphemeral: view ? ephemeralForGuest : hearsViewers ? toEphemeral : toTyping,
      audience,
      accessKey: `${id}:${audience}`,
      snapshot: async (sql) => {
        const state = await readState(sql, id, view ? 'own' : null)
        return { __typename: 'ConversationSnapshot', ...(view ? stateForGuest(state, view) : state) }
      },
      toEvent: view ? (event) => eventForGuest(event, view) : toEvent,
      isStillAllowed: async (now) => (await findConversation(now, id)) !== null,
    }
  }

  /** Follows the guest's conversation into what it is merged with, from a snapshot of that (4.8). */
  async #openForGuest(ctx: Context, guest: GuestCaller, named: string): Promise<LiveFeed> {
    const { id } = await fetchConversation(ctx, named)
    const { receipts } = this.options
    const line = ctx.guestLine
    let current = id
    const view: GuestView = { contact: guest.contact, line }
    const since = heardSince(line)
    const audience = `guest:${guest.contact}:${guest.conversation}:${since?.getTime() ?? ''}`
    return {
      ...this.#feed({ conversation: id, user: null, contact: guest.contact }),
      audience,
      accessKey: `${named}:${id}:${audience}`,
      async snapshot(sql) {
        const state = stateForGuest(await readState(sql, id, line ?? 'own'), view)
        receipts.note(id, state.messages.at(-1)?.position ?? 0, since)
        return { __typename: 'ConversationSnapshot', ...state }
      },
      toEvent: (event) => eventForGuest(event, view),
      taken: ({ type, data }) => {
        if (type === 'message.added') receipts.note(id, (data.message as unknown as MessageRow).position, since)
      },
      movesOn: ({ type, data }) =>
        type === 'conversation.changed' && (data.conversation as unknown as ConversationState).status === 'archived',
      async isStillAllowed(now) {
        const found = await findConversation(now, named)
        current = found?.id ?? current
        return found !== null
      },
      currentStreams: async () => [conversationStream(current)],
    }
  }

  #feed(viewer: {
    conversation: string
    user: string | null
    contact: string | null
  }): Pick<LiveFeed, 'streams' | 'toEphemeral' | 'begin' | 'end'> {
    const { presence } = this.options
    const isConsumer = viewer.user === null
    return {
      streams: [conversationStream(viewer.conversation)],
      toEphemeral: ephemeralForGuest,
      begin: async (subscription) => {
        await presence.enterConversation(subscription, viewer)
        if (!isConsumer) this.#tellViewers(viewer.conversation)
      },
      end: async (subscription) => {
        await presence.leaveConversation(subscription)
        if (!isConsumer) this.#tellViewers(viewer.conversation)
      },
    }
  }

  /** Nobody waits for it, and it may be lost: `Conversation.viewers` says who is there at any time. */
  #tellViewers(conversation: string): void {
    const { dispatcher, sql, log } = this.options
    viewersOf(sql, conversation).then(
      (users) => {
        const viewers = [...users].toSorted().map((userId) => ({ userId }))
        const stream = conversationStream(conversation)
        dispatcher.publishEphemeral({ stream, type: 'viewers', data: { conversation, viewers } })
      },
      (error: unknown) => log.warn({ err: error }, 'failed to tell who has a conversation open'),
    )
  }
}

interface GuestView {
  /** Null for a user who sees as a consumer. */
  contact: string | null
  line: GuestLine | null
}

async function findConversation(ctx: Context, id: string): Promise<ConversationState | null> {
  try {
    return await fetchConversation(ctx, id)
  } catch (error) {
    if (error instanceof NotFound) return null
    throw error
  }
}

interface WatchedState {
  conversation: ConversationState
  participants: ParticipantState[]
  messages: MessageRow[]
  startCursor: string | null
}

/** @param line of a guest; `own` for one in its own conversation, null for a user, who sees all messages */
async function readState(sql: Sql, id: string, line: GuestLine | 'own' | null): Promise<WatchedState> {
  // One more tells whether there are others before.
  const values: unknown[] = [id, SNAPSHOT_MESSAGES + 1]
  const visible = line === null ? 'true' : guestMessagesSql(line === 'own' ? null : line, 'm', values)
  const [conversations, participants, messages] = [
    await sql.query<Record<string, unknown>>('select * from conversation where id = $1', [id]),
    await sql.query<Record<string, unknown>>(
      'select * from participant where conversation_id = $1 order by created_at, user_id',
      [id],
    ),
    await sql.query<Record<string, unknown>>(
      `select * from message m where conversation_id = $1 and ${visible} order by position desc limit $2`,
      values,
    ),
  ]
  if (!conversations[0]) throw conversationNotFound()
  const shown = messages.slice(0, SNAPSHOT_MESSAGES).toReversed()
  const [first] = messages.length > shown.length ? shown : []
  return {
    conversation: camelRow<ConversationState>(conversations[0]),
    participants: participants.map((row) => camelRow<ParticipantState>(row)),
    messages: shown.map((row) => camelRow<MessageRow>(row)),
    startCursor: first ? messageCursor(first.position as number) : null,
  }
}

function stateForGuest(state: WatchedState, view: GuestView): WatchedState {
  const { conversation, participants, messages } = state
  return {
    ...state,
    conversation: shownIn(view, conversation),
    participants: participantsForGuest(participants),
    messages: messages.map(messageForGuest),
  }
}

function toEvent({ type, data }: StoredEvent): LiveEvent | null {
  switch (type) {
    case 'message.added':
      return { __typename: 'MessageAdded', message: data.message }
    case 'message.changed':
      return { __typename: 'MessageChanged', message: data.message }
    case 'message.deleted':
      return { __typename: 'MessageRemoved', messageId: data.id }
    case 'message.delivery':
      return { __typename: 'MessageDeliveryChanged', deliveries: data.deliveries }
    case 'conversation.changed':
      return { __typename: 'ConversationChanged', conversation: data.conversation }
    case 'participants.changed':
      return { __typename: 'ParticipantsChanged', participants: data.participants }
    default:
      return null
  }
}

function shownIn({ contact, line }: GuestView, conversation: ConversationState): ConversationState {
  return contact === null ? conversationForConsumer(conversation) : forGuest(conversation, contact, line)
}

function eventForGuest(event: StoredEvent, view: GuestView): LiveEvent | null {
  const { type, data } = event
  switch (type) {
    case 'message.added':
    case 'message.changed':
    case 'message.deleted': {
      const message = data.message as unknown as MessageRow
      if (!isVisibleToGuest(view.line, message)) return null
      return { ...toEvent(event)!, ...(type !== 'message.deleted' && { message: messageForGuest(message) }) }
    }
    case 'conversation.changed': {
      const conversation = data.conversation as unknown as ConversationState
      return { __typename: 'ConversationChanged', conversation: shownIn(view, conversation) }
    }
    case 'participants.changed':
      return {
        __typename: 'ParticipantsChanged',
        participants: participantsForGuest(data.participants as unknown as ParticipantState[]),
      }
    default:
      return null
  }
}

function toEphemeral(event: Ephemeral): LiveEvent | null {
  return event.type === 'viewers' ? { __typename: 'ViewersChanged', viewers: event.data.viewers } : toTyping(event)
}

function toTyping({ type, data }: Ephemeral): LiveEvent | null {
  // What a node of an older version says names no notes.
  return type === 'typing' ? { __typename: 'TypingChanged', isBackchannel: false, ...data } : null
}

function ephemeralForGuest(event: Ephemeral): LiveEvent | null {
  return event.type === 'typing' && event.data.isBackchannel !== true ? toTyping(event) : null
}
