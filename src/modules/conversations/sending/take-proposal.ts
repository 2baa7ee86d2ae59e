import { NotFound, Unprocessable } from '../../../platform/errors.js'
import { changedShare } from '../../../platform/content/changed-share.js'
import { textOfHtml } from '../../../platform/content/html-text.js'
import { reading } from '../../../platform/db/sql.js'
import { recordNotFound } from '../../../platform/lists/fetch-record.js'
import type { NewMessage } from '../../messages/message-content.js'
import { argumentsOf, commandOf } from '../commands/command-of-message.js'
import { importOrigin } from '../commands/import.js'
import { set } from '../commands/set.js'
import { maySendStill, type Sender } from '../messages/members.js'
import type { ConversationChange } from '../state/conversation-change.js'
import type { PendingProposal, ProposalStatus } from '../state/pending-proposal.js'
import type { ProposalKind } from '../state/proposal-kind.js'
import { actionOf, isReply } from './action-of.js'

/** The part of a proposal that is compared with the message that a person made of it. */
interface Proposed {
  status: ProposalStatus
  newMessage: Partial<NewMessage>
  sender: Sender
  expiresAt: Date
}

/**
 * Ends the proposal that a person's message names: it was taken, and how much of it was changed is what the server compares. Needs the
 * conversation's lock; the message is added in the same operation.
 * @param id of the message
 * @throws NotFound for one of another conversation; Unprocessable `PROPOSAL_ENDED`, `PROPOSAL_KIND`
 */
export async function takeProposal(
  change: ConversationChange,
  { id, newMessage, sender }: { id: string; newMessage: NewMessage; sender: Sender },
): Promise<void> {
  if (!newMessage.proposal) return
  const { pending, proposed } = await requireTakeable(change, newMessage)
  // An article has no words of its own to compare.
  const before = proposed.newMessage.type === undefined ? null : wordsOf(proposed.newMessage)
  const after = wordsOf(newMessage)
  change.proposals.end(change, pending, {
    status: 'taken',
    by: sender.member?.userId ?? null,
    messageId: id,
    changedShare: before === null ? null : changedShare(before, after),
    isUnchanged: before === null || before === after,
  })
}

/** Checks that a message may name its proposal, without taking it. @throws as {@link takeProposal} */
export async function requireTakeable(
  change: ConversationChange,
  newMessage: NewMessage,
): Promise<{ pending: PendingProposal; proposed: Proposed }> {
  const proposal = newMessage.proposal!
  const [proposed] = await change.sql.query<Proposed>(PROPOSED, [proposal, change.conversation.id])
  if (!proposed) throw recordNotFound('Proposal', proposal, 'proposal')
  const pending = requirePending(change, { ...proposed, id: proposal })
  await requireSender(change, proposed)
  if (!FITS[pending.kind](newMessage, proposed.newMessage)) throw otherKind(pending.kind)
  return { pending, proposed }
}

/** Requires that a proposal that was read under the conversation's lock can be decided. @throws Unprocessable `PROPOSAL_ENDED` */
export function requirePending(
  { conversation, now }: ConversationChange,
  { id, status, expiresAt }: Pick<Proposed, 'status' | 'expiresAt'> & { id: string },
): PendingProposal {
  if (status !== 'pending') throw proposalEnded(status)
  const pending = conversation.proposals?.find((each) => each.id === id)
  // Another operation of the same transaction has just decided.
  if (!pending) throw proposalEnded('ended', 'it was just decided')
  if (expiresAt <= now) throw proposalEnded('ended', 'nobody decided in time')
  return pending
}

/** Requires that its bot could still do it. @throws Unprocessable `PROPOSAL_ENDED`, with the status `pending`: it may go on later */
export async function requireSender(
  { sql, now }: ConversationChange,
  { sender }: Pick<Proposed, 'sender'>,
): Promise<void> {
  if (!(await maySendStill(sql, sender, now))) throw proposalEnded('pending', 'its bot is paused, or gone')
}

/** A message that was taken from a proposal is sent when it is due, whatever became of the proposal or its bot meanwhile. */
export async function withoutEnded(change: ConversationChange, newMessage: NewMessage): Promise<NewMessage> {
  if (!newMessage.proposal) return newMessage
  try {
    await requireTakeable(change, newMessage)
    return newMessage
  } catch (error) {
    if (!(error instanceof Unprocessable || error instanceof NotFound)) throw error
    return { ...newMessage, proposal: null }
  }
}

/** Reads as of the operation's beginning: whether it is pending still says the conversation. */
const PROPOSED = reading(`
select status, new_message as "newMessage", sender, expires_at as "expiresAt" from proposal
where id = $1 and conversation_id = $2`)

export function proposalEnded(status: ProposalStatus, why = `it is ${status}`): Unprocessable {
  return new Unprocessable(`the proposal can no longer be decided: ${why}`, {
    reason: 'PROPOSAL_ENDED',
    field: 'proposal',
    status,
  })
}

function otherKind(kind: ProposalKind): Unprocessable {
  return new Unprocessable(`proposal: a proposal of the kind ${kind} is not taken by such a message`, {
    reason: 'PROPOSAL_KIND',
    field: 'proposal',
    kind,
  })
}

/** Name of the command; null of what is none. */
const nameOf = (message: NewMessage): string | null =>
  message.type === 'command' ? commandOf(message).command.name : null

/** Tells whether a message may be made of a proposal of the kind. */
const FITS: Readonly<Record<ProposalKind, (message: NewMessage, proposed: Partial<NewMessage>) => boolean>> = {
  reply: isReply,
  article: isReply,
  summary: (message) => message.type !== 'command' && actionOf(message) === 'note',
  category: (message) => argumentsOf(message, set)?.attribute === 'category',
  fields: (message) => ['meta', 'metaKey'].includes(argumentsOf(message, set)?.attribute ?? ''),
  merge: (message) => argumentsOf(message, importOrigin) !== undefined,
  act: (message, proposed) => message.type === proposed.type && nameOf(message) === nameOf(proposed as NewMessage),
}

/** Space at the ends of a text, and how lines end, is no change; nor is a mail's markup. */
function wordsOf({ type, text, contentType, meta = {} }: Partial<NewMessage>): string {
  const plain = contentType === 'text/html' ? textOfHtml(text ?? '') : (text ?? '')
  const words = plain.replaceAll('\r\n', '\n').trim()
  return type === 'command'
    ? `${words}\n${JSON.stringify(Object.entries(meta).toSorted(([one], [other]) => (one < other ? -1 : 1)))}`
    : words
}
