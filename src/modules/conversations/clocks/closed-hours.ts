import { readSchedules, type CompiledSchedules, type CurrentSchedule } from '../../schedules/current-schedule.js'
import { deliver, routeOf } from '../delivery/deliver.js'
import { emptyMessage } from '../messages/unplaced-message.js'
import { ConversationChange } from '../state/conversation-change.js'
import { opensAgain } from './opens-again.js'

/** For how long a consumer has been told of a schedule that does not open again: its hours may change. */
const CLOSED_MS_MAX = 366 * 86_400_000

interface Closed {
  change: ConversationChange
  schedule: CurrentSchedule
}

/**
 * Tells consumers who wait outside the hours of the schedule that applies to their case, once each time it is queued
 * and not again before it opens, the text of that schedule and when it opens next. The message is of the system (2.9): it answers nothing, so
 * that clocks go on, nobody is notified and nothing is routed. It is part of the operation that queued the conversation,
 * or that added the consumer's message, so it exists exactly if that was committed.
 */
export class ClosedHours {
  constructor(private readonly compiled: CompiledSchedules) {}

  /** Adds the messages to changes of operations that have ended. Needs the terms of their clocks. */
  async tellAll(changes: readonly ConversationChange[]): Promise<void> {
    const asked = await Promise.all(changes.filter(isToBeTold).map((change) => this.#closedFor(change)))
    const closed = asked.filter((each) => each !== null)
    // Of all at once: a minute after closing, every operation of a transaction may be one of these.
    await ConversationChange.readReaches(closed.map(({ change }) => change))
    await Promise.all(closed.map((each) => tell(each)))
  }

  /** Returns the schedule of a change if it is closed and there is something to say then. */
  async #closedFor(change: ConversationChange): Promise<Closed | null> {
    const { shared, sql, now } = change
    const id = change.clocks.terms?.choice.schedule
    if (!id) return null
    const schedules = await shared.once(`schedule ${id}`, () => readSchedules(sql, [id], this.compiled))
    const schedule = schedules.get(id)
    return schedule?.text && !schedule.hours.isOpenAt(now.getTime()) ? { change, schedule } : null
  }
}

async function tell({ change, schedule }: Closed): Promise<void> {
  const { conversation, now } = change
  // Where the consumer wrote: a fallback to another touchpoint is for answers.
  const wrote = change.messages.findLast(({ role, touchpoint }) => role === 'contact' && touchpoint !== null)
  const touchpoint = wrote?.touchpoint ?? conversation.touchpoint
  const route = await routeOf(change, { userId: null, meta: null }, { service: null, touchpoint })
  // A message that reaches nobody would tell nobody; the next one of the consumer tries again.
  if (!route || 'failure' in route) return
  const at = schedule.hours.nextChangeAfter(now.getTime())
  const opensAt = at === null ? null : new Date(at)
  const opens = opensAt && opensAgain(opensAt, schedule.timezone, conversation.language)
  const message = change.addMessage({
    ...emptyMessage(change.clock.newId()),
    touchpoint,
    text: [schedule.text, opens].filter(Boolean).join('\n\n'),
    meta: { _opensAt: opensAt?.toISOString() ?? null },
  })
  const toldUntil = opensAt ?? new Date(now.getTime() + CLOSED_MS_MAX)
  Object.assign(conversation, { hoursTold: true, hoursToldUntil: toldUntil })
  await deliver(change, message)
}

/** Tells whether the consumer awaits an answer in the queue, and began to with this operation or wrote in it. */
function isToBeTold({ clocks, conversation, messages, now, wasQueued }: ConversationChange): boolean {
  const { awaitingReply, hoursTold, hoursToldUntil, status, type } = conversation
  // An agent who accepts and leaves queues it anew, and would send an SMS each time.
  if (hoursToldUntil !== null && now < hoursToldUntil) return false
  if (!clocks.terms || hoursTold || status !== 'queued' || type !== 'contact' || !awaitingReply) return false
  return !wasQueued || messages.some(({ role, isBackchannel }) => role === 'contact' && !isBackchannel)
}
