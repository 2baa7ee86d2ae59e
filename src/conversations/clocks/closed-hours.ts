import { readSchedules, type CompiledSchedules, type CurrentSchedule } from '../../schedules/current-schedule.js'
import { deliver, routeOf } from '../delivery/deliver.js'
import { emptyMessage } from '../messages/new-message.js'
import { ConversationDraft } from '../writing/conversation-draft.js'
import { opensAgain } from './opens-again.js'

/** For how long a consumer has been told of a schedule that does not open again: its hours may change. */
const CLOSED_MS_MAX = 366 * 86_400_000

interface Closed {
  draft: ConversationDraft
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

  /** Adds the messages to drafts of operations that have ended. Needs the terms of their clocks. */
  async tellAll(drafts: readonly ConversationDraft[]): Promise<void> {
    const asked = await Promise.all(drafts.filter(isToBeTold).map((draft) => this.#closedFor(draft)))
    const closed = asked.filter((each) => each !== null)
    // Of all at once: a minute after closing, every operation of a transaction may be one of these.
    await ConversationDraft.readReaches(closed.map(({ draft }) => draft))
    await Promise.all(closed.map((each) => tell(each)))
  }

  /** Returns the schedule of a draft if it is closed and there is something to say then. */
  async #closedFor(draft: ConversationDraft): Promise<Closed | null> {
    const { shared, sql, now } = draft
    const id = draft.clocks.terms?.choice.schedule
    if (!id) return null
    const schedules = await shared.once(`schedule ${id}`, () => readSchedules(sql, [id], this.compiled))
    const schedule = schedules.get(id)
    return schedule?.text && !schedule.hours.isOpenAt(now.getTime()) ? { draft, schedule } : null
  }
}

async function tell({ draft, schedule }: Closed): Promise<void> {
  const { conversation, now } = draft
  // Where the consumer wrote: a fallback to another touchpoint is for answers.
  const wrote = draft.messages.findLast(({ role, touchpoint }) => role === 'contact' && touchpoint !== null)
  const touchpoint = wrote?.touchpoint ?? conversation.touchpoint
  const route = await routeOf(draft, { service: null, touchpoint })
  // A message that reaches nobody would tell nobody; the next one of the consumer tries again.
  if (!route || 'failure' in route) return
  const at = schedule.hours.nextChangeAfter(now.getTime())
  const opensAt = at === null ? null : new Date(at)
  const opens = opensAt && opensAgain(opensAt, schedule.timezone, conversation.language)
  const message = draft.addMessage({
    ...emptyMessage(draft.clock.newId()),
    touchpoint,
    text: [schedule.text, opens].filter(Boolean).join('\n\n'),
    meta: { _opensAt: opensAt?.toISOString() ?? null },
  })
  const toldUntil = opensAt ?? new Date(now.getTime() + CLOSED_MS_MAX)
  Object.assign(conversation, { hoursTold: true, hoursToldUntil: toldUntil })
  await deliver(draft, message)
}

/** Whether the consumer awaits an answer in the queue, and began to with this operation or wrote in it. */
function isToBeTold({ clocks, conversation, messages, now, wasQueued }: ConversationDraft): boolean {
  const { awaitingReply, hoursTold, hoursToldUntil, status, type } = conversation
  // An agent who accepts and leaves queues it anew, and would send an SMS each time.
  if (hoursToldUntil !== null && now < hoursToldUntil) return false
  if (!clocks.terms || hoursTold || status !== 'queued' || type !== 'contact' || !awaitingReply) return false
  return !wasQueued || messages.some(({ role, isBackchannel }) => role === 'contact' && !isBackchannel)
}
