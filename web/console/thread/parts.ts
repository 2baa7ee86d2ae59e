import { dayKey } from '../../shared/i18n/format.js'
import type { ThreadMessage } from '../../shared/live/thread.js'

/** A piece of the log. `position` is of its first message. */
export type Part =
  | { kind: 'day'; at: string; position: number }
  | { kind: 'new'; position: number }
  | { kind: 'turn'; messages: readonly ThreadMessage[]; position: number }

/** After a longer pause, a message of the same author repeats name and time. */
const TURN_MS = 5 * 60_000
/**
 * A longer monologue is several turns: the browser lays out again only the one that grows. They are cut at the same
 * messages, whichever comes first.
 */
const TURN_MESSAGES = 25

const days = new WeakMap<ThreadMessage, string>()

function dayOf(message: ThreadMessage): string {
  const day = days.get(message) ?? dayKey(message.createdAt)
  days.set(message, day)
  return day
}

/**
 * Messages of one speaker that follow each other belong together; a new day is said, and where the unread ones begin.
 * @param newFrom position of the first unread message
 * @param before the parts of the same log a moment ago: turns that have not changed are the same objects
 */
export function partsOf(messages: readonly ThreadMessage[], newFrom: number, before: readonly Part[]): Part[] {
  const parts: Part[] = []
  let open: ThreadMessage[] = []
  let last: ThreadMessage | null = null
  for (const message of messages) {
    const { position } = message
    const isNewDay = !last || dayOf(last) !== dayOf(message)
    const isFirstNew = last !== null && last.position < newFrom && position >= newFrom
    if (isNewDay) parts.push({ kind: 'day', at: message.createdAt, position })
    if (isFirstNew) parts.push({ kind: 'new', position })
    if (last && !isNewDay && !isFirstNew && position % TURN_MESSAGES !== 0 && belongs(last, message)) open.push(message)
    else parts.push({ kind: 'turn', messages: (open = [message]), position })
    last = message
  }
  const known = new Map(before.map((part) => [keyOf(part), part]))
  return parts.map((part) => {
    const same = known.get(keyOf(part))
    return same && isSame(same, part) ? same : part
  })
}

export function keyOf(part: Part): string {
  return part.kind === 'turn' ? part.messages[0]!.id : part.kind + part.position
}

function isSame(one: Part, other: Part): boolean {
  if (one.kind !== 'turn' || other.kind !== 'turn') return one.kind === other.kind
  return one.messages.length === other.messages.length && one.messages.every((each, at) => each === other.messages[at])
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

/** Types of messages that change something rather than say something. */
const CHANGES: ReadonlySet<ThreadMessage['type']> = new Set(['COMMAND', 'FIELD', 'FORM'])

/** Tells whether it is a turn. A click on a reply is one, a click on a postback is not echoed (2.10). */
export function isSpoken({ type, actions }: ThreadMessage): boolean {
  return type === 'POSTBACK' ? actions?.[0]?.type === 'REPLY' : !CHANGES.has(type)
}
