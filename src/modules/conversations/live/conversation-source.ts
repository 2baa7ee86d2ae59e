import type { GuestCaller } from '../../../platform/access/caller.js'
import type { GuestLine } from '../../../platform/access/guest-line.js'
import type { Context } from '../../../platform/context.js'
import { batching, batchingBy } from '../../../platform/db/batching.js'
import type { Sql } from '../../../platform/db/database.js'
import { NotFound } from '../../../platform/errors.js'
import type { Logger } from 'pino'
import type { Dispatcher, Ephemeral } from '../../../platform/events/dispatcher.js'
import { conversationStream, isOfType } from '../../../platform/events/event.js'
import type { ClockData } from '../../sla/clock-data.js'
import {
  liveView,
  type LiveEvent,
  type LiveFeed,
  type LiveSource,
  type LiveViews,
} from '../../../platform/events/live-feed.js'
import { camelRow, rowsById } from '../../../platform/lists/rows.js'
import { markOf, NO_TURN } from '../../messages/mark.js'
import { messageForGuest, type MessageData } from '../../messages/message-columns.js'
import type { MessageRow } from '../../messages/message-row.js'
import type { Presence } from '../../../platform/presence/presence.js'
import { messageCursor } from '../api/conversation-messages.js'
import { fetchConversation, forGuest } from '../api/conversation.js'
import { WHOLE_CONVERSATION, conversationForConsumer, type ConversationData } from '../state/conversation-columns.js'
import type { ConversationEvents } from '../state/conversation-event-types.js'
import type { ConversationState, ParticipantState } from '../state/conversation-state.js'
import { conversationNotFound, isVisible } from '../state/conversation-visibility.js'
import type { GuestReceipts } from '../delivery/guest-receipts.js'
import { guestMessagesSql, visibleSince, isVisibleToGuest } from '../state/guest-line.js'
import { participantsForGuest } from '../api/participant.js'
import type { PlaceTicker } from '../place/place-ticker.js'
import { ViewerBroadcast } from './viewer-broadcast.js'
import { withPlaces } from './with-places.js'
import { readOpenStreams, type StreamWithText } from '../streaming/read-streams.js'
import type { StreamRelay } from '../streaming/stream-relay.js'
import { frameIn, frameOf, type StreamFrame } from '../streaming/stream-frame.js'

const SNAPSHOT_MESSAGES = 50
const STREAMED = 'MessageStreamed'

/** Source of `conversation`: messages, participants, state and typing. A guest receives what a consumer may see. */
export class ConversationSource implements LiveSource {
  readonly field = 'conversation'
  readonly #viewerBroadcast: ViewerBroadcast
  /**
   * Reads the conversations of many clients that reconnect at once by a few statements, shared by all callers of a
   * tenant.
   */
  readonly #findFor = batchingBy<{ ctx: Context; id: string }, ConversationState | null>(
    ({ ctx }) => ctx.tenant.path.join(),
    async (all) => {
      const found = await rowsById<ConversationState>(
        all[0]!.ctx,
        'conversation',
        [...new Set(all.map(({ id }) => id))],
        WHOLE_CONVERSATION,
      )
      return all.map(({ id }) => found.get(id.toLowerCase()) ?? null)
    },
    { atOnce: 1 },
  )

  /** Reads what is being written for many clients that come back at once. */
  readonly #readStreams = batching<string, StreamWithText[]>(async (ids) => {
    const streams = Map.groupBy(await readOpenStreams(this.options.sql, ids), ({ conversationId }) => conversationId)
    return ids.map((id) => streams.get(id) ?? [])
  })

  constructor(
    private readonly options: {
      presence: Presence
      receipts: GuestReceipts
      placeTicker: PlaceTicker
      relay: StreamRelay
      dispatcher: Dispatcher
      sql: Sql
      log: Logger
    },
  ) {
    this.#viewerBroadcast = new ViewerBroadcast(options)
  }

  async open(ctx: Context, args: Readonly<Record<string, unknown>>): Promise<LiveFeed> {
    ctx.require('conversation.watch')
    const { caller } = ctx
    const id = args.id as string
    const open = caller.kind === 'guest' ? this.#openForGuest(ctx, caller, id) : this.#openForUser(ctx, id, args)
    const { feed, conversation } = await open
    return args.place === true ? withPlaces(feed, conversation, this.options.placeTicker) : feed
  }

  async #openForUser(ctx: Context, named: string, args: Readonly<Record<string, unknown>>): Promise<Opened> {
    const withViewers = args.viewers === true
    const found = await this.#findFor({ ctx, id: named })
    if (!found || !isVisible(ctx, { conversation: found })) throw conversationNotFound(named)
    const { id } = found
    const { user, scopes, organization } = ctx.userCaller
    // Some fields require a scope of their own.
    const audience = `${[...scopes].toSorted().join(' ')}:${organization}${withViewers ? ':viewers' : ''}`
    // Without the scope `agent`, a user sees the conversation as its consumer does.
    const view: GuestView | null = ctx.seesAsConsumer ? { contact: null, line: null } : null
    const feed: LiveFeed = {
      ...this.#feed({ conversation: id, user, contact: null }, view),
      toEphemeral: view ? ephemeralForGuest(view) : withViewers ? toEphemeral : toMoment,
      audience,
      accessKey: `${id}:${audience}`,
      snapshot: async (sql) => {
        const state = await readState(sql, id, view ? 'own' : null)
        return { __typename: 'ConversationSnapshot', ...(view ? stateForGuest(state, view) : state) }
      },
      toEvent: view ? liveView(guestViews(view)) : toEvent,
      isStillAllowed: async (now) => (await findConversation(now, id)) !== null || isDeleted(now, id),
    }
    return { feed, conversation: found }
  }

  /** Follows a guest's conversation through merges: each merged conversation begins with a snapshot (4.8). */
  async #openForGuest(ctx: Context, guest: GuestCaller, named: string): Promise<Opened> {
    const conversation = await fetchConversation(ctx, named)
    const { id } = conversation
    const { receipts } = this.options
    const line = ctx.guestLine
    let current = id
    const view: GuestView = { contact: guest.contact, line }
    const since = visibleSince(line)
    const audience = `guest:${guest.contact}:${guest.conversation}:${since?.getTime() ?? ''}`
    const feed: LiveFeed = {
      ...this.#feed({ conversation: id, user: null, contact: guest.contact }, view),
      toEphemeral: ephemeralForGuest(view),
      audience,
      accessKey: `${named}:${id}:${audience}`,
      async snapshot(sql) {
        const state = stateForGuest(await readState(sql, id, line ?? 'own'), view)
        receipts.note(id, state.messages.at(-1)?.position ?? 0, since)
        return { __typename: 'ConversationSnapshot', ...state }
      },
      toEvent: liveView(guestViews(view)),
      taken: (event) => {
        if (isOfType(event, 'message.added')) receipts.note(id, event.data.message.position, since)
      },
      movesOn: (event) => isOfType(event, 'conversation.changed') && event.data.conversation.status === 'archived',
      async isStillAllowed(now) {
        const found = await findConversation(now, named)
        // Without the conversation that it was merged into, the guest's own is found again: the deleted one's last event
        // comes first, whichever node deleted it.
        if (found?.id === current || (await isDeleted(now, current))) return true
        current = found?.id ?? current
        return found !== null
      },
      currentStreams: async () => [conversationStream(current)],
    }
    return { feed, conversation }
  }

  /** @param view null for a user who sees everything */
  #feed(
    viewer: { conversation: string; user: string | null; contact: string | null },
    view: GuestView | null,
  ): Pick<LiveFeed, 'streams' | 'begin' | 'end' | 'isLast' | 'own'> {
    const { presence, relay } = this.options
    let unwatch: (() => void) | null = null
    const isConsumer = viewer.user === null
    return {
      streams: [conversationStream(viewer.conversation)],
      own: {
        __typename: STREAMED,
        read: async () => {
          const streams = await this.#readStreams(viewer.conversation)
          const frames = streams.map(({ text, ...stream }) => frameOf(stream, { offset: 0, text, ending: null }))
          for (const { offset: _offset, text: _text, ending: _ending, ...stream } of frames) relay.learn(stream)
          return frames.flatMap((frame) => streamedIn(frame, view) ?? [])
        },
      },
      isLast: ({ type }) => type === 'conversation.removed',
      begin: async (subscription) => {
        unwatch = relay.watch(viewer.conversation)
        await presence.enterConversation(subscription, viewer)
        if (!isConsumer) this.#viewerBroadcast.notify(viewer.conversation)
      },
      end: async (subscription) => {
        unwatch?.()
        await presence.leaveConversation(subscription)
        if (!isConsumer) this.#viewerBroadcast.notify(viewer.conversation)
      },
    }
  }
}

interface Opened {
  feed: LiveFeed
  conversation: ConversationState
}

interface GuestView {
  /** Null for a user who sees the conversation as a consumer does. */
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

/** Its last event ends the subscription, and may still be on its way. */
async function isDeleted(ctx: Context, id: string): Promise<boolean> {
  return (await ctx.reads.query('select 1 from conversation where id = $1', [id], 'is-conversation')).length === 0
}

interface WatchedState {
  conversation: ConversationState
  participants: ParticipantState[]
  messages: MessageRow[]
  startCursor: string | null
}

/** @param line the guest's line; `own` for a guest in its own conversation, null for a user, who sees all messages */
async function readState(sql: Sql, id: string, line: GuestLine | 'own' | null): Promise<WatchedState> {
  // One more row shows whether there are earlier messages.
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
  const newest = messages.slice(0, SNAPSHOT_MESSAGES).toReversed()
  const [first] = messages.length > newest.length ? newest : []
  return {
    conversation: camelRow<ConversationState>(conversations[0]),
    participants: participants.map((row) => camelRow<ParticipantState>(row)),
    messages: newest.map((row) => camelRow<MessageRow>(row)),
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

const clockChanged = ({ clock }: { clock: ClockData }): LiveEvent => ({ __typename: 'ClockChanged', clock })

const VIEWS = {
  'message.added': ({ message, turn }) => ({ __typename: 'MessageAdded', message, mark: markAfter(message, turn) }),
  'message.changed': ({ message }) => ({ __typename: 'MessageChanged', message }),
  'message.deleted': ({ id }) => ({ __typename: 'MessageRemoved', messageId: id }),
  'message.delivery': ({ deliveries }) => ({ __typename: 'MessageDeliveryChanged', deliveries }),
  // Nobody can be subscribed to a conversation before it exists.
  'conversation.created': null,
  'conversation.changed': ({ conversation }) => ({ __typename: 'ConversationChanged', conversation }),
  'participants.changed': ({ participants }) => ({ __typename: 'ParticipantsChanged', participants }),
  'conversation.removed': ({ id }) => ({ __typename: 'ConversationRemoved', conversationId: id }),
  // `ConversationChanged` shows the offer.
  'conversation.offered': null,
  'conversation.offerEnded': null,
  'clock.changed': clockChanged,
  'clock.warned': clockChanged,
  'clock.breached': clockChanged,
  'proposal.changed': ({ proposal }) => ({ __typename: 'ProposalChanged', proposalId: proposal.id }),
  // For bots: screens wait for what comes of it.
  'proposal.requested': null,
} satisfies LiveViews<ConversationEvents>
const toEvent = liveView<ConversationEvents>(VIEWS)

/** The mark of whoever has seen everything up to this message. */
function markAfter({ conversationId: id, position: messageCount }: MessageData, turn: number): string | null {
  return markOf({ id, messageCount, turn })
}

function shownIn<Conversation extends ConversationData>(
  { contact, line }: GuestView,
  conversation: Conversation,
): Conversation {
  return contact === null ? conversationForConsumer(conversation) : forGuest(conversation, contact, line)
}

function guestViews(view: GuestView): LiveViews<ConversationEvents> {
  const ofMessage =
    <Data extends { message: MessageData }>(show: (data: Data) => LiveEvent) =>
    (data: Data): LiveEvent | null =>
      isVisibleToGuest(view.line, data.message) ? show({ ...data, message: messageForGuest(data.message) }) : null
  return {
    'message.added': ofMessage((data) => VIEWS['message.added']({ ...data, turn: NO_TURN })),
    'message.changed': ofMessage(VIEWS['message.changed']),
    'message.deleted': ofMessage(VIEWS['message.deleted']),
    'message.delivery': null,
    'conversation.created': null,
    'conversation.changed': ({ conversation }) =>
      VIEWS['conversation.changed']({ conversation: shownIn(view, conversation) }),
    'participants.changed': ({ participants }) =>
      VIEWS['participants.changed']({ participants: participantsForGuest(participants) }),
    'conversation.removed': VIEWS['conversation.removed'],
    'conversation.offered': null,
    'conversation.offerEnded': null,
    'clock.changed': null,
    'clock.warned': null,
    'clock.breached': null,
    'proposal.changed': null,
    'proposal.requested': null,
  }
}

function toEphemeral(event: Ephemeral): LiveEvent | null {
  return event.type === 'viewers' ? { __typename: 'ViewersChanged', viewers: event.data.viewers } : toMoment(event)
}

function toMoment(event: Ephemeral): LiveEvent | null {
  const frame = frameIn(event)
  return frame ? streamedIn(frame, null) : toTyping(event)
}

/** Shows a part of a message that is being written to those who will see the message. */
function streamedIn(frame: StreamFrame, view: GuestView | null): LiveEvent | null {
  if (view && !isVisibleToGuest(view.line, frame)) return null
  const { id: messageId, userId: user, name, role, isBackchannel, offset, text, ending } = frame
  const isPart = ending === null
  return { __typename: STREAMED, messageId, user, name, role, isBackchannel, offset, text, ending, isPart }
}

function toTyping({ type, data }: Ephemeral): LiveEvent | null {
  return type === 'typing' ? { __typename: 'TypingChanged', ...data } : null
}

function ephemeralForGuest(view: GuestView): (event: Ephemeral) => LiveEvent | null {
  return (event) => {
    const frame = frameIn(event)
    if (frame) return streamedIn(frame, view)
    return event.type === 'typing' && event.data.isBackchannel !== true ? toTyping(event) : null
  }
}
