import { conversationStream, userStream, type Emit } from '../../../platform/events/event.js'
import { pacedMs, type Clock } from '../../../platform/db/clock.js'
import { pathOf } from '../../../platform/db/tenancy.js'
import type { NewJob } from '../../../platform/jobs/job.js'
import { JUDGED_AFTER_MS, OFFER_ANSWERED, OFFER_MISSED } from '../../staffing/staffing-jobs.js'
import type { NotedMilestone } from './advance-milestones.js'
import { queueEntry } from './change-events.js'
import type { Aggregate } from './conversation-state.js'
import type { EndedOffer, OfferOutcome, OfferRow } from './offer.js'

/** The part of a conversation's change from which the changes of its offers derive. */
interface OfferedChange extends Pick<Aggregate, 'conversation' | 'participants'> {
  readonly aggregate: Readonly<Aggregate>
  readonly clock: Pick<Clock, 'pace'>
  readonly now: Date
  readonly noted: NotedMilestone[]
  readonly emit: Emit
  addJob(job: NewJob): void
}

/** Changes the offers of a conversation by an operation. Ends derive from the difference: no command can forget one. */
export class OfferChanges {
  readonly made: OfferRow[] = []
  readonly ended: EndedOffer[] = []
  /** Reason for which the pending offer ends, if not by acceptance. */
  end: { outcome: OfferOutcome; reason: string | null } = { outcome: 'withdrawn', reason: null }
  /** True if work began to wait for an agent, or an agent has room again. */
  changesWork = false

  settle(change: OfferedChange, before: Aggregate | null, isRemoved: boolean): void {
    const { conversation, participants, now } = change
    for (const offer of this.made) tellMade(change, offer)
    const had = before?.conversation
    const isAccepted = (user: string): boolean =>
      conversation.status === 'active' && participants.get(user)?.accepted === true
    if (had?.offerId && had.offerUserId && (isRemoved || had.offerId !== conversation.offerId)) {
      const { offerId: id, offerUserId: user } = had
      const { outcome, reason } =
        !isRemoved && isAccepted(user) ? { outcome: 'accepted' as const, reason: null } : this.end
      if (!isRemoved) this.ended.push({ id, outcome, reason, endedAt: now })
      const ms = had.offerAt && Math.max(0, now.getTime() - had.offerAt.getTime())
      tellEnded(change, { id, user, outcome, ms })
    }
    this.changesWork = (isRemoved && had?.status !== 'closed') || changesWork(change, before)
  }
}

/** A conversation began to wait for an offer, or an agent has one less. */
function changesWork({ conversation, participants }: OfferedChange, before: Aggregate | null): boolean {
  const had = before?.conversation
  const isNewlyWaiting =
    conversation.status === 'queued' &&
    !conversation.offerId &&
    (had?.status !== 'queued' || had.offerId !== null || had.queueing !== conversation.queueing)
  if (isNewlyWaiting || !before) return isNewlyWaiting
  if (had?.offerId && had.offerId !== conversation.offerId) return true
  if (had?.status === 'queued' && !hasSame(had.channels, conversation.channels)) return conversation.status === 'queued'
  if (had?.status !== 'active') return false
  if (!had.snoozedUntil && conversation.snoozedUntil) return true
  for (const [user, { accepted }] of before.participants) {
    if (accepted && (conversation.status !== 'active' || !participants.get(user)?.accepted)) return true
  }
  return false
}

const hasSame = (one: readonly string[], other: readonly string[]): boolean =>
  one.length === other.length && one.every((each) => other.includes(each))

function tellMade(change: OfferedChange, { id, userId, channelId, until, outcome }: OfferRow): void {
  const { conversation } = change
  change.noted.push({ kind: 'offered', userId, ms: null, detail: channelId })
  const offer = { id, conversationId: conversation.id, channelId, userId, until: until.toISOString() }
  change.emit(conversationStream(conversation.id), 'conversation.offered', { offer })
  if (outcome === 'accepted') return noteEnd(change, { id, user: userId, outcome, ms: null })
  const entry = queueEntry(change.aggregate)
  change.emit(userStream(userId), 'offer.made', { offer, entry, path: [...pathOf(conversation)] as string[] })
}

interface End {
  id: string
  user: string
  outcome: OfferOutcome
  /** Time for which it was pending; null if it was assigned. */
  ms: number | null
}

function tellEnded(change: OfferedChange, end: End): void {
  const { id, user, outcome } = end
  const conversation = change.conversation.id
  change.emit(userStream(user), 'offer.ended', { offer: id, conversation, outcome })
  noteEnd(change, end)
  if (outcome === 'expired') {
    const runAt = new Date(change.now.getTime() + pacedMs(change.clock, JUDGED_AFTER_MS))
    // One after the other: an earlier one that is judged later would count as pending together with it.
    change.addJob(OFFER_MISSED.create({ user, offer: id }, { runAt, key: `staffing.missed:${user}` }))
  }
  if (outcome === 'accepted' || outcome === 'declined')
    change.addJob(OFFER_ANSWERED.create({ user, isAccepted: outcome === 'accepted' }))
}

function noteEnd(change: OfferedChange, { id, user, outcome, ms }: End): void {
  const conversation = change.conversation.id
  change.noted.push({ kind: 'offerEnded', userId: user, ms, detail: outcome })
  change.emit(conversationStream(conversation), 'conversation.offerEnded', { offer: id, user, outcome })
}
