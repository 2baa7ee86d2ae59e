import type { Context } from '../../../platform/context.js'
import { BadUserInput, Unprocessable } from '../../../platform/errors.js'
import { parseMark } from '../../messages/mark.js'
import type { MessageInput } from '../../messages/message-input.js'
import { senderOf } from '../messages/members.js'
import { withTemplate } from '../messages/with-template.js'
import { actionsOf } from '../sending/action-of.js'
import { checkNewMessage } from '../sending/process-message.js'
import { requireSeen } from '../sending/require-seen.js'
import { requireTouchpoint } from '../sending/require-touchpoint.js'
import type { SendDependencies } from '../sending/send-message.js'
import { requireUnmerged } from '../state/merged-conversation.js'
import type { PendingProposal } from '../state/pending-proposal.js'
import { SUGGESTED } from '../state/proposal-kind.js'
import type { WritingChange } from '../state/writing-change.js'
import { PROPOSAL_LAPSE } from './proposal-jobs.js'
import { hashOf, INSERT_PROPOSAL, type ProposalRow } from './proposal.js'
import { givenMessage, givenSuggestion, requireBot, type Given, type SuggestionInput } from './suggestion.js'

/** Maximum of all bots in one conversation: people look at no more. */
const PENDING_MAX = 3
const LIFE_MS = 86_400_000

/** A message or a command that a bot would send, or a suggestion with the mark of the state for which it is made. */
export interface ProposeInput {
  message?: MessageInput | null
  suggestion?: SuggestionInput | null
  mark?: string | null
}

/**
 * Keeps what a bot proposes until a person decides. It takes the place of the bot's own proposal of the same kind and action.
 * @throws MovedOn; NoGrant for one that may not even suggest it; Unprocessable `TOO_MANY`, and for what cannot be done in the
 *   conversation; BadUserInput; NotFound; Forbidden for people
 */
export async function propose(
  { writer }: Pick<SendDependencies, 'writer'>,
  ctx: Context,
  conversationId: string,
  input: ProposeInput,
): Promise<ProposalRow> {
  requireBot(ctx)
  const { kind, newMessage: given, suggested, check } = parseInput(ctx, input)
  const sender = senderOf(ctx)
  const { user: botId } = ctx.userCaller
  return writer.runExclusive(ctx, conversationId, async (change) => {
    const { conversation, now } = change
    const [action = 'close', ...more] = kind === 'act' ? actionsOf(given!) : [SUGGESTED[kind]]
    for (const each of [action, ...more]) await change.grants.require(each, 'suggest')
    if (given) {
      requireTouchpoint(conversation, [given], () => (input.message ? 'message.' : 'suggestion.reply.'))
      await checkNewMessage(change, sender, given, { isGranted: true })
    }
    requireUnmerged(conversation)
    const mark = given?.mark ?? parseMark(input.mark, 'mark')!
    await requireSeen(change, mark, [botId])
    await check(change)
    const { messageCount: position, turn } = conversation
    const newMessage = given && {
      ...given,
      // People approve what they read: what the template says now.
      text: (await withTemplate(change, given)).text,
      // What the bot itself has done since its mark it knows: it is proposed for the state that is here.
      mark: { ...mark, position, turn },
    }
    for (const each of conversation.proposals ?? [])
      if (each.bot === botId && each.kind === kind && each.action === action)
        change.proposals.end(change, each, { status: 'replaced' })
    requireRoom(conversation.proposals)
    const row: ProposalRow = {
      id: change.clock.newId(),
      organizationId: conversation.organizationId,
      conversationId: conversation.id,
      botId,
      kind,
      action,
      newMessage: newMessage ?? {},
      suggestion: suggested,
      sender,
      hash: hashOf(conversation.id, newMessage, suggested),
      status: 'pending',
      createdAt: now,
      expiresAt: new Date(now.getTime() + LIFE_MS),
      ...{ decidedAt: null, decidedById: null, messageId: null, outcome: null, changedShare: null },
    }
    await insert(change, row)
    return row
  })
}

function parseInput(ctx: Context, { message, suggestion, mark }: ProposeInput): Given {
  if (message && suggestion) throw new BadUserInput('suggestion', 'suggestion must be absent beside message')
  if (message) {
    if (mark && message.mark) throw new BadUserInput('mark', 'mark must be absent beside a message that has its own')
    return givenMessage(ctx, message, mark ? parseMark(mark, 'mark') : null)
  }
  if (!suggestion) throw new BadUserInput('message', 'message or suggestion is required', 'MISSING_VALUE')
  if (!mark) throw new BadUserInput('mark', 'mark is required: the state for which it is suggested', 'MISSING_VALUE')
  const given = givenSuggestion(ctx, suggestion)
  // What is approved is done to the state for which it was suggested.
  const newMessage = given.newMessage && { ...given.newMessage, mark: parseMark(mark, 'mark') }
  return { ...given, newMessage }
}

async function insert(change: WritingChange, row: ProposalRow): Promise<void> {
  const { id, botId: bot, kind, action, conversationId: conversation, expiresAt: runAt } = row
  await change.sql.query(INSERT_PROPOSAL, [JSON.stringify(row)])
  change.addJob(PROPOSAL_LAPSE.create({ conversation, proposal: id }, { key: `proposal:${id}`, runAt }))
  change.proposals.add(change, { id, bot, kind, action, at: change.now.getTime() })
}

function requireRoom(pending: readonly PendingProposal[] | null): void {
  const { length } = pending ?? []
  if (length < PENDING_MAX) return
  throw new Unprocessable(`${length} proposals wait in the conversation already: people decide first`, {
    reason: 'TOO_MANY',
  })
}
