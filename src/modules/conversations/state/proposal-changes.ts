import { conversationStream, type Emit } from '../../../platform/events/event.js'
import { isSystemKey, type JsonObject } from '../../../platform/json.js'
import type { MessageRow } from '../../messages/message-row.js'
import type { NotedMilestone } from './advance-milestones.js'
import { hasChanges } from './change-events.js'
import type { Aggregate, ConversationState } from './conversation-state.js'
import type { MilestoneRow } from './milestone.js'
import { outcomeOf, type EndedProposal, type PendingProposal, type ProposalEnding } from './pending-proposal.js'
import type { ProposalKind } from './proposal-kind.js'
import { QUIET_COMMANDS, rewritesMessages } from './turn.js'

/** The part of a conversation's change from which the ends of its proposals derive. */
interface ProposedChange extends Pick<Aggregate, 'conversation'> {
  readonly messages: readonly MessageRow[]
  readonly changedMessages: readonly MessageRow[]
  readonly rewrites: 'deletes' | 'merges' | null
  readonly isRestoring: boolean
  readonly now: Date
  readonly noted: NotedMilestone[]
  readonly emit: Emit
}

/**
 * Changes the pending proposals of a conversation by an operation. What makes one stale derives from the difference: no command can
 * forget it, screens are told in the same transaction, and a conversation without proposals costs nothing.
 */
export class ProposalChanges {
  readonly ended: EndedProposal[] = []

  /** Adds one, whose row the operation inserts. */
  add(change: ProposedChange, proposal: PendingProposal): void {
    const { conversation } = change
    conversation.proposals = [...(conversation.proposals ?? []), proposal]
    const { bot: botId, kind: proposalKind } = proposal
    change.noted.push({ kind: 'proposed', userId: null, ms: null, detail: null, botId, proposalKind })
    tell(change, proposal, 'pending')
  }

  /** Ends a pending one. Needs the conversation's lock, as all that changes a proposal. */
  end(change: ProposedChange, proposal: PendingProposal, ending: ProposalEnding): EndedProposal {
    const { conversation, now } = change
    const left = (conversation.proposals ?? []).filter(({ id }) => id !== proposal.id)
    conversation.proposals = left.length > 0 ? left : null
    const { status, by = null, messageId = null, changedShare = null } = ending
    const outcome = outcomeOf(ending)
    const ended = { id: proposal.id, status, outcome, decidedAt: now, decidedById: by, messageId, changedShare }
    this.ended.push(ended)
    noteEnd(change, proposal, { outcome, by })
    tell(change, proposal, status)
    return ended
  }

  /** Ends those to which the operation does not fit any more. */
  settle(change: ProposedChange, before: Aggregate | null, isRemoved: boolean): void {
    const { conversation, isRestoring } = change
    if (!conversation.proposals || isRestoring) return
    for (const proposal of conversation.proposals) {
      // Its row goes with the conversation, and the events of that say enough.
      if (isRemoved) noteEnd(change, proposal, { outcome: 'ignored', by: null })
      else if (hasClosed(conversation, before)) this.end(change, proposal, { status: 'ended' })
      else if (isOutdated(change, before, proposal)) this.end(change, proposal, { status: 'stale' })
    }
  }
}

/** Tells whether more than the pending proposals of a conversation has changed: they are no part of what it shows. */
export function hasOtherChanges(before: Readonly<ConversationState>, after: ConversationState): boolean {
  return before.proposals === after.proposals || hasChanges(before, after, PROPOSALS)
}

/** Tells what stands whether or not the closing that came with it does. */
export const isOfProposal = ({ kind }: Pick<MilestoneRow, 'kind'>): boolean =>
  kind === 'proposed' || kind === 'proposalEnded'

const PROPOSALS: ReadonlySet<string> = new Set(['proposals'])

const hasClosed = ({ status }: ConversationState, before: Aggregate | null): boolean =>
  (status === 'closed' || status === 'archived') && status !== before?.conversation.status

/** Kinds that are about what the consumer wants, not about what to say next: an answer or a note leaves them as they are. */
const ABOUT_THE_CASE: ReadonlySet<ProposalKind> = new Set<ProposalKind>(['category', 'fields', 'merge'])

/** Tells whether others than its bot did something that the bot would have had to see. */
function isOutdated(change: ProposedChange, before: Aggregate | null, { bot, kind }: PendingProposal): boolean {
  if (rewritesMessages(change)) return true
  const [was, now] = [before?.conversation, change.conversation]
  if (kind === 'category' && was?.category !== now.category) return true
  if (kind === 'fields' && was?.meta !== now.meta && hasChanges(ownKeys(was?.meta), ownKeys(now.meta))) return true
  return change.messages.some(({ role, type, text, userId }) => {
    if (role === 'contact') return true
    if (ABOUT_THE_CASE.has(kind) || userId === bot) return false
    return type !== 'command' || !QUIET.test(text ?? '')
  })
}

const QUIET = new RegExp(`^/(${QUIET_COMMANDS.join('|')})(?!\\w)`)

/** Leaves out what the server itself notes, such as the page that a visitor looks at. */
const ownKeys = (meta: JsonObject = {}): { meta: JsonObject } => ({
  meta: Object.fromEntries(Object.entries(meta).filter(([key]) => !isSystemKey(key))),
})

function noteEnd(
  change: ProposedChange,
  { bot, kind, at }: PendingProposal,
  { outcome, by }: Pick<EndedProposal, 'outcome'> & { by: string | null },
): void {
  const ms = Math.max(0, change.now.getTime() - at)
  change.noted.push({ kind: 'proposalEnded', userId: by, ms, detail: outcome, botId: bot, proposalKind: kind })
}

/** Tells what became of it: ids alone, since what it says is in its row. */
function tell(change: ProposedChange, { id, bot, kind, action }: PendingProposal, status: string): void {
  change.emit(conversationStream(change.conversation.id), 'proposal.changed', {
    proposal: { id, bot, kind, action, status },
  })
}
