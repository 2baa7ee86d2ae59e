import type { Context } from '../../../platform/context.js'
import { isId } from '../../../platform/db/clock.js'
import { tenantSql } from '../../../platform/db/tenancy.js'
import { Forbidden, Unprocessable } from '../../../platform/errors.js'
import { recordNotFound } from '../../../platform/lists/fetch-record.js'
import { isToConsumer, type NewMessage } from '../../messages/message-content.js'
import type { MessageRow } from '../../messages/message-row.js'
import { commandOf } from '../commands/command-of-message.js'
import { enqueue } from '../commands/enqueue.js'
import { withTemplate } from '../messages/with-template.js'
import { actionsOf } from '../sending/action-of.js'
import { agentsToLock } from '../sending/agents-to-lock.js'
import { processMessage } from '../sending/process-message.js'
import { MovedOn, requireSeen } from '../sending/require-seen.js'
import { requireTouchpoint } from '../sending/require-touchpoint.js'
import { authoriseMessages, sendMessages, type SendDependencies } from '../sending/send-message.js'
import { proposalEnded, requirePending, requireSender } from '../sending/take-proposal.js'
import type { ConversationChange } from '../state/conversation-change.js'
import type { PendingProposal, ProposalEnding } from '../state/pending-proposal.js'
import type { WritingChange } from '../state/writing-change.js'
import { PROPOSAL_COLUMNS, PROPOSALS_BY_ID, type ProposalRow } from './proposal.js'

/** Reads a proposal in a conversation that the caller sees. @throws NotFound */
export async function readProposal(ctx: Context, id: string, field = 'proposal'): Promise<ProposalRow> {
  if (!isId(id) || ctx.seesAsConsumer) throw recordNotFound('Proposal', id, field)
  const values: unknown[] = [id]
  const [found] = await ctx.reads.query<ProposalRow>(
    `select ${PROPOSAL_COLUMNS} from proposal p join conversation c on c.id = p.conversation_id
     where p.id = $1 and ${tenantSql(ctx.tenant, 'c', values)}`,
    values,
  )
  if (!found) throw recordNotFound('Proposal', id, field)
  return found
}

/**
 * Has the bot do what it proposed: once, exactly that, if the bot's grants stand, the approver may do it too, and nobody else has done
 * anything that the bot has not seen.
 * @throws Unprocessable `PROPOSAL_ENDED`, `PROPOSAL_KIND`, `HASH_DIFFERS`, `PROPOSAL_STALE` with the news, which ends it; NoGrant;
 *   Forbidden; NotFound; whatever the bot would be refused for
 */
export async function approveProposal(
  { writer, router, assignments }: Pick<SendDependencies, 'writer' | 'router' | 'assignments'>,
  ctx: Context,
  id: string,
  hash: string,
): Promise<ProposalRow> {
  const known = await readProposal(ctx, id)
  requirePerson(ctx)
  const { botId, conversationId, sender } = known
  if (known.status === 'stale') throw await staleAs(writer, ctx, known)
  if (known.status !== 'pending') throw proposalEnded(known.status)
  const newMessage = approvable(known)
  if (hash !== known.hash) throw differs('it is not that of the proposal: read it again')
  requireMayToo(ctx, newMessage)
  const approve = async (change: WritingChange): Promise<ProposalRow> => {
    const { row, pending } = await lockPending(change, known.id)
    await requireSender(change, row)
    requireTouchpoint(change.conversation, [newMessage], () => '')
    // The bot's own acts count too, since the approver looks at what it proposed for that state; the approver's own do not.
    await requireSeen(change, newMessage.mark, [ctx.userCaller.user])
    for (const action of [row.action, ...actionsOf(newMessage).slice(1)]) await change.grants.require(action, 'approve')
    // What it leads to asks for more, as `/leave` does that closes.
    change.grants.pass('approve')
    const { text } = await withTemplate(change, newMessage)
    if (text !== newMessage.text) throw differs('its template says something else by now: reject it')
    change.by = botId
    const messageId = change.clock.newId()
    const by = ctx.userCaller.user
    // Before the message, which would make it stale.
    const approved = endAs(change, { row, pending }, { status: 'approved', by, messageId })
    await processMessage(change, { router, sender, newMessage, id: messageId, isGranted: true, isFree: true })
    return approved
  }
  const options = {
    asBot: botId,
    delivers: isToConsumer(newMessage),
    agentsToLock: await agentsToLock(assignments, sender, [newMessage]),
  }
  if (ctx.mutation) ctx.mutation.isAudited = true
  try {
    return await writer.runExclusive(ctx, conversationId, approve, options)
  } catch (error) {
    if (!(error instanceof MovedOn)) throw error
    await writer.run(ctx, conversationId, (change) => {
      const pending = change.conversation.proposals?.find((each) => each.id === known.id)
      if (pending) change.proposals.end(change, pending, { status: 'stale' })
    })
    throw stale(error)
  }
}

function stale({ because }: MovedOn): Unprocessable {
  return new Unprocessable('others have written or done something since the bot proposed it: nothing was done', {
    reason: 'PROPOSAL_STALE',
    ...because,
  })
}

/** Returns the refusal of one that has become stale, with the news. */
async function staleAs(
  writer: SendDependencies['writer'],
  ctx: Context,
  { conversationId, newMessage, status }: ProposalRow,
): Promise<Unprocessable> {
  try {
    const look = (change: ConversationChange): Promise<void> =>
      requireSeen(change, newMessage.mark ?? null, [ctx.userCaller.user])
    await writer.run(ctx, conversationId, look)
    return proposalEnded(status)
  } catch (error) {
    if (!(error instanceof MovedOn)) throw error
    return stale(error)
  }
}

/** @throws Unprocessable for what has no message, or one that its bot may not send by itself */
function approvable({ kind, newMessage }: ProposalRow): NewMessage {
  const isMessage = newMessage.type !== undefined
  const message = newMessage as NewMessage
  if (isMessage && !(message.type === 'command' && commandOf(message).command.isExclusive)) return message
  throw new Unprocessable(`a proposal of the kind ${kind} is not approved: people do it themselves`, {
    reason: 'PROPOSAL_KIND',
    kind,
  })
}

/**
 * Does what a bot suggested to set or to merge, as the caller: the author is the caller, not the bot.
 * @returns the command's message
 * @throws Unprocessable `PROPOSAL_ENDED`, `PROPOSAL_KIND` for what is said instead; whatever the caller would be refused for
 */
export async function takeSetting(options: SendDependencies, ctx: Context, id: string): Promise<MessageRow[]> {
  const known = await readProposal(ctx, id)
  requirePerson(ctx)
  if (known.status !== 'pending') throw proposalEnded(known.status)
  const { kind, conversationId, newMessage } = known
  if (kind !== 'category' && kind !== 'fields' && kind !== 'merge')
    throw new Unprocessable(`a proposal of the kind ${kind} is taken by a message that names it as \`proposal\``, {
      reason: 'PROPOSAL_KIND',
      field: 'proposal',
      kind,
    })
  if (ctx.mutation) ctx.mutation.isAudited = true
  const own = { ...(newMessage as NewMessage), mark: null, depth: null, proposal: known.id }
  return sendMessages(options, ctx, conversationId, [own])
}

/** A decided proposal: what it said is in its message, or gone. */
const FORGOTTEN = { newMessage: {}, suggestion: {}, sender: {} as ProposalRow['sender'] }

/** Ends a proposal without doing it. @throws Unprocessable `PROPOSAL_ENDED`; Forbidden; NotFound */
export async function rejectProposal(
  { writer }: Pick<SendDependencies, 'writer'>,
  ctx: Context,
  id: string,
): Promise<ProposalRow> {
  const known = await readProposal(ctx, id)
  requirePerson(ctx)
  const by = ctx.userCaller.user
  if (ctx.mutation) ctx.mutation.isAudited = true
  return writer.run(ctx, known.conversationId, async (change) =>
    endAs(change, await lockPending(change, known.id), { status: 'rejected', by }),
  )
}

interface Locked {
  row: ProposalRow
  pending: PendingProposal
}

/** Reads it under the conversation's lock, under which alone it changes. @throws Unprocessable if it was decided or has ended */
async function lockPending(change: ConversationChange, id: string): Promise<Locked> {
  const [row] = await change.sql.query<ProposalRow>(PROPOSALS_BY_ID, [[id]])
  if (!row) throw recordNotFound('Proposal', id, 'proposal')
  return { row, pending: requirePending(change, row) }
}

function differs(why: string): Unprocessable {
  return new Unprocessable(`hash: ${why}`, { reason: 'HASH_DIFFERS', field: 'hash' })
}

function endAs(change: ConversationChange, { row, pending }: Locked, ending: ProposalEnding): ProposalRow {
  return { ...row, ...FORGOTTEN, ...change.proposals.end(change, pending, ending) }
}

function requirePerson(ctx: Context): void {
  if (ctx.userCaller.isBot)
    throw new Forbidden('only people decide on what bots propose', { reason: 'PERSON_REQUIRED' })
}

/** Refuses whoever could not do it by itself. People hand over to queues otherwise than by `/enqueue`. @throws Forbidden */
function requireMayToo(ctx: Context, newMessage: NewMessage): void {
  if (newMessage.type === 'command' && commandOf(newMessage).command === enqueue)
    return ctx.require('conversation.command')
  authoriseMessages(ctx, [{ ...newMessage, depth: null, provenance: null }])
}
