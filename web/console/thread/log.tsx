import { t } from '../../shared/i18n/messages.js'
import { dayKey, dayName } from '../../shared/i18n/format.js'
import type { Thread, ThreadMessage } from '../../shared/live/thread.js'
import type { Outgoing } from '../../shared/outbox/outgoing.js'
import { useOffice } from '../office.js'
import { Pending } from './pending.js'
import { contactName } from './contact-name.js'
import { Turn } from './turn.js'
import { useEarlier } from './use-earlier.js'

/** What was said, oldest first. It starts at its end and stays there by itself while more comes in. */
export function Log({ thread }: { thread: Thread }) {
  const office = useOffice()
  const words = t().thread
  const name = contactName(thread)
  const now = office.now.value
  const earlier = useEarlier(office, thread)
  const pending = pendingOf(thread, office.outbox.value?.rows.value ?? [])
  return (
    <div class="scroll log" role="log" aria-label={words.with(name)} tabIndex={0}>
      <div class="turns">
        {earlier.hasMore && (
          <p class="sys">
            <button class="btn small" aria-disabled={earlier.isLoading} onClick={earlier.load}>
              {earlier.isLoading ? t().loading : words.loadEarlier}
            </button>
          </p>
        )}
        {earlier.fault && (
          <p class="sys bad" role="alert">
            {earlier.fault}
          </p>
        )}
        {turnsOf([...earlier.messages, ...thread.messages]).map((part) =>
          part.kind === 'day' ? (
            <p class="day" key={part.at}>
              {dayName(part.at, now)}
            </p>
          ) : (
            <Turn
              key={part.messages[0]!.id}
              messages={part.messages}
              contact={name}
              contactKey={thread.conversation.id}
            />
          ),
        )}
        {pending.map((outgoing, index) => (
          <Pending key={outgoing.id} outgoing={outgoing} place={index + 1} of={pending.length} />
        ))}
        <Typing thread={thread} name={name} />
      </div>
    </div>
  )
}

type Part = { kind: 'day'; at: string } | { kind: 'turn'; messages: ThreadMessage[] }

/** After a longer pause, a message of the same author repeats name and time. */
const TURN_MS = 5 * 60_000
/** A longer monologue is several turns: the browser lays out again only the one that grows. */
const TURN_MESSAGES = 25

const days = new WeakMap<ThreadMessage, string>()

function dayOf(message: ThreadMessage): string {
  const day = days.get(message) ?? dayKey(message.createdAt)
  days.set(message, day)
  return day
}

/** Messages of one speaker that follow each other belong together; a new day is said. */
function turnsOf(messages: readonly ThreadMessage[]): Part[] {
  const parts: Part[] = []
  let last: ThreadMessage | null = null
  for (const message of messages) {
    if (!last || dayOf(last) !== dayOf(message)) parts.push({ kind: 'day', at: message.createdAt })
    const open = parts.at(-1)!
    if (open.kind === 'turn' && last && open.messages.length < TURN_MESSAGES && belongs(last, message))
      open.messages.push(message)
    else parts.push({ kind: 'turn', messages: [message] })
    last = message
  }
  return parts
}

function belongs(last: ThreadMessage, message: ThreadMessage): boolean {
  return (
    last.role === message.role &&
    last.userId === message.userId &&
    last.isBackchannel === message.isBackchannel &&
    !message.isBackchannel &&
    isSpoken(message) &&
    isSpoken(last) &&
    message.role !== 'SYSTEM' &&
    Date.parse(message.createdAt) - Date.parse(last.createdAt) < TURN_MS
  )
}

function isSpoken({ type }: ThreadMessage): boolean {
  return type !== 'COMMAND' && type !== 'FIELD' && type !== 'FORM'
}

/** Of this conversation, and not among its messages yet: a message's event may come before the answer to sending it. */
function pendingOf({ conversation, messages }: Thread, rows: readonly Outgoing[]): Outgoing[] {
  const ids = new Set(messages.map(({ id }) => id))
  return rows.filter((row) => row.conversation === conversation.id && !ids.has(row.id))
}

function Typing({ thread, name }: { thread: Thread; name: string }) {
  const { user } = useOffice()
  const words = t().thread
  const others = [...thread.typing].filter(([who]) => who !== user)
  return (
    <div role="status" class="typing-slot">
      {others.map(([who, said]) => (
        <p class="typing" key={who ?? 'consumer'}>
          <i aria-hidden="true">
            <span />
          </i>
          <bdi>
            {who === null
              ? words.consumerTyping(said.name || name)
              : said.isNote
                ? words.typingNote(said.name)
                : words.typing(said.name)}
          </bdi>
        </p>
      ))}
    </div>
  )
}
