import { conversationStream, userStream, type Emit } from '../../events/event.js'
import { pathOf } from '../../db/tenancy.js'
import type { NewJob } from '../../jobs/job.js'
import { JUDGED_AFTER_MS, OFFER_ANSWERED, OFFER_MISSED } from '../../staffing/staffing-jobs.js'
import type { NotedMilestone } from './advance-milestones.js'
import { queueEntry } from './change-events.js'
import type { Aggregate } from './conversation-state.js'
import type { EndedOffer, OfferOutcome, OfferRow } from './offer.js'

/** What the draft of an operation offers to say what became of its offers. */
interface OfferedDraft extends Pick<Aggregate, 'conversation' | 'participants'> {
  readonly aggregate: Readonly<Aggregate>
  readonly now: Date
  readonly noted: NotedMilestone[]
  readonly emit: Emit
  addJob(job: NewJob): void
}

/** What an operation does to the offers of a conversation. Ends derive from the difference: no command can forget one. */
export class OfferChanges {
  readonly made: OfferRow[] = []
  readonly ended: EndedOffer[] = []
  /** Why the pending offer ends, if not by acceptance. */
  end: { outcome: OfferOutcome; reason: string | null } = { outcome: 'withdrawn', reason: null }
  /** Whether work began to wait for an agent, or an agent has room again. */
  changesWork = false

  settle(draft: OfferedDraft, before: Aggregate | null, isRemoved: boolean): void {
    const { conversation, participants, now } = draft
    for (const offer of this.made) tellMade(draft, offer)
    const had = before?.conversation
    const isAccepted = (user: string): boolean =>
      conversation.status === 'active' && participants.get(user)?.accepted === true
    if (had?.offerId && had.offerUserId && (isRemoved || had.offerId !== conversation.offerId)) {
      const { offerId: id, offerUserId: user } = had
      const { outcome, reason } =
        !isRemoved && isAccepted(user) ? { outcome: 'accepted' as const, reason: null } : this.end
      if (!isRemoved) this.ended.push({ id, outcome, reason, endedAt: now })
      const ms = had.offerAt && Math.max(0, now.getTime() - had.offerAt.getTime())
      tellEnded(draft, { id, user, outcome, ms })
    }
    this.changesWork = (isRemoved && had?.status !== 'closed') || changesWork(draft, before)
  }
}

/** A conversation began to wait for an offer, or an agent has one less. */
function changesWork({ conversation, participants }: OfferedDraft, before: Aggregate | null): boolean {
  const had = before?.conversation
  const isNewlyWaiting =
    conversation.status === 'queued' &&
    !conversation.offerId &&
    (had?.status !== 'queued' || had.offerId !== null || had.queueing !== conversation.queueing)
  if (isNewlyWaiting || !before) return isNewlyWaiting
  if (had?.offerId && had.offerId !== conversation.offerId) return true
  if (had?.status === 'queued' && !hasSame(had.channels, conversation.channels)) return conversation.status === 'queued'
  if (had?.status !== 'active') return false
  for (const [user, { accepted }] of before.participants) {
    if (accepted && (conversation.status !== 'active' || !participants.get(user)?.accepted)) return true
  }
  return false
}

const hasSame = (one: readonly string[], other: readonly string[]): boolean =>
  one.length === other.length && one.every((each) => other.includes(each))

function tellMade(draft: OfferedDraft, { id, userId, channelId, until, outcome }: OfferRow): void {
  const { conversation } = draft
  draft.noted.push({ kind: 'offered', userId, ms: null, detail: channelId })
  const offer = { id, conversationId: conversation.id, channelId, userId, until: until.toISOString() }
  draft.emit(conversationStream(conversation.id), 'conversation.offered', { offer })
  if (outcome === 'accepted') return noteEnd(draft, { id, user: userId, outcome, ms: null })
  const entry = queueEntry(draft.aggregate)
  draft.emit(userStream(userId), 'offer.made', { offer, entry, path: [...pathOf(conversation)] as string[] })
}

interface End {
  id: string
  user: string
  outcome: OfferOutcome
  /** How long it was pending; null if it was assigned. */
  ms: number | null
}

function tellEnded(draft: OfferedDraft, end: End): void {
  const { id, user, outcome } = end
  const conversation = draft.conversation.id
  draft.emit(userStream(user), 'offer.ended', { offer: id, conversation, outcome })
  noteEnd(draft, end)
  if (outcome === 'expired') {
    const runAt = new Date(draft.now.getTime() + JUDGED_AFTER_MS)
    draft.addJob(OFFER_MISSED.create({ user, offer: id }, { runAt }))
  }
  if (outcome === 'accepted' || outcome === 'declined')
    draft.addJob(OFFER_ANSWERED.create({ user, isAccepted: outcome === 'accepted' }))
}

function noteEnd(draft: OfferedDraft, { id, user, outcome, ms }: End): void {
  const conversation = draft.conversation.id
  draft.noted.push({ kind: 'offerEnded', userId: user, ms, detail: outcome })
  draft.emit(conversationStream(conversation), 'conversation.offerEnded', { offer: id, user, outcome })
}
