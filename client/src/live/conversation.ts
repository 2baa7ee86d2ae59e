import { OutOfStep, type LiveEvent } from './live-view.js'
import { withPart, type StreamedPart, type Written } from './written.js'

/** Fields that a document has to select of a message. */
export interface MessageKey {
  id: string
  position: number
  userId: string | null
  deliveries?: readonly DeliveryKey[]
}

export interface DeliveryKey {
  id: string
  messageId?: string
}

/** One conversation as a screen shows it. */
export interface ConversationView<Conversation, Participant, Message> {
  conversation: Conversation
  participants: readonly Participant[]
  /** From the last 50 of the snapshot on. */
  messages: readonly Message[]
  /** Position of the newest message ever seen, which may be deleted since. */
  lastPosition: number
  /** Those who type, by user; the consumer by `null`. */
  typing: ReadonlyMap<string | null, Typist>
  written: Written
  /** Users who have it open; null if not published. */
  viewers: readonly Viewer[] | null
  /** Leads to the messages before the snapshot's first; null when there are none, or it was not selected. */
  startCursor: string | null
}

export interface Typist {
  name: string
  isNote: boolean
}

export interface Viewer {
  userId: string
  user: { displayName: string } | null
}

/** The members that events of the subscription have, each only some of them. */
interface EventFields<Conversation, Participant, Message> extends LiveEvent {
  conversation?: Conversation
  participants?: Participant[]
  messages?: Message[]
  startCursor?: string | null
  message?: Message
  /** The conversation's mark after a message that was added. */
  mark?: string | null
  messageId?: string
  deliveries?: (DeliveryKey & { messageId: string })[]
  user?: string | null
  name?: string | null
  typing?: boolean
  isBackchannel?: boolean
  viewers?: Viewer[]
}

/**
 * The conversation after an event. An agent receives every message, so that a missing one is detected; a guest does not.
 * @throws OutOfStep
 */
export function applyToConversation<C, P, M extends MessageKey>(
  state: ConversationView<C, P, M> | null,
  event: LiveEvent,
  { isGuest = false }: { isGuest?: boolean } = {},
): ConversationView<C, P, M> {
  const fields = event as EventFields<C, P, M>
  const { __typename: type } = fields
  if (type === 'ConversationSnapshot') {
    return {
      conversation: fields.conversation!,
      participants: fields.participants!,
      messages: fields.messages!,
      lastPosition: fields.messages!.at(-1)?.position ?? 0,
      typing: new Map(),
      written: new Map(),
      viewers: state?.viewers ?? null,
      startCursor: fields.startCursor ?? null,
    }
  }
  if (!state) throw new OutOfStep(`${type} before a snapshot`)
  switch (type) {
    case 'MessageAdded':
      return withMark(withMessage(state, fields.message!, isGuest), fields.mark)
    case 'MessageChanged':
      return {
        ...state,
        messages: state.messages.map((each) => (each.id === fields.message!.id ? fields.message! : each)),
      }
    case 'MessageRemoved':
      return { ...state, messages: state.messages.filter(({ id }) => id !== fields.messageId) }
    case 'MessageDeliveryChanged':
      return { ...state, messages: state.messages.map((each) => withDeliveries(each, fields.deliveries!)) }
    case 'ConversationChanged':
      return { ...state, conversation: fields.conversation! }
    case 'ParticipantsChanged':
      return { ...state, participants: fields.participants! }
    case 'TypingChanged':
      return { ...state, typing: withTypist(state.typing, fields) }
    case 'MessageStreamed':
      return { ...state, written: withPart(state.written, event as LiveEvent & StreamedPart) }
    case 'ViewersChanged':
      return { ...state, viewers: fields.viewers! }
    default:
      // Of a later version of the server: nothing to keep.
      return state
  }
}

/** The conversation shows the mark of the last event that has one, if the document selects it. */
function withMark<C, P, M>(
  state: ConversationView<C, P, M>,
  mark: string | null | undefined,
): ConversationView<C, P, M> {
  return mark == null ? state : { ...state, conversation: { ...state.conversation, mark } }
}

function withMessage<C, P, M extends MessageKey>(
  state: ConversationView<C, P, M>,
  message: M,
  isGuest: boolean,
): ConversationView<C, P, M> {
  const { position } = message
  const step = position - state.lastPosition
  if (step < 1 || (step > 1 && !isGuest)) throw new OutOfStep(`message ${position} after ${state.lastPosition}`)
  // Who has sent types no longer.
  const typing = new Map(state.typing)
  typing.delete(message.userId)
  const written = new Map(state.written)
  written.delete(message.id)
  return { ...state, messages: [...state.messages, message], lastPosition: position, typing, written }
}

function withTypist(
  before: ReadonlyMap<string | null, Typist>,
  {
    user = null,
    name,
    typing,
    isBackchannel = false,
  }: Pick<EventFields<never, never, never>, 'user' | 'name' | 'typing' | 'isBackchannel'>,
): ReadonlyMap<string | null, Typist> {
  const after = new Map(before)
  if (typing) after.set(user, { name: name ?? '', isNote: isBackchannel })
  else after.delete(user)
  return after
}

function withDeliveries<M extends MessageKey>(
  message: M,
  changed: readonly (DeliveryKey & { messageId: string })[],
): M {
  const own = changed.filter(({ messageId }) => messageId === message.id)
  if (own.length === 0) return message
  const ids = new Set(own.map(({ id }) => id))
  const deliveries = [...(message.deliveries ?? []).filter(({ id }) => !ids.has(id)), ...own]
  return { ...message, deliveries: deliveries.sort((a, b) => (a.id < b.id ? -1 : 1)) }
}
