import type { Context } from '../../context.js'
import { isId } from '../../db/clock.js'
import { reading } from '../../db/sql.js'
import { pathOf, tenantSql } from '../../db/tenancy.js'
import { BadUserInput, NotFound, quoteValue, Unprocessable } from '../../errors.js'
import { parseMessage } from '../../messages/message-content.js'
import { readMembers, senderOf, type Sender } from '../messages/members.js'
import { emptyMessage } from '../messages/new-message.js'
import { NOTIFY } from '../routing/router.js'
import type { ConversationDraft } from '../writing/conversation-draft.js'
import type { Member } from '../writing/new-participant.js'
import type { ConversationState } from '../writing/conversation-state.js'
import { applyMove } from '../writing/transitions.js'
import { processMessage } from './process-message.js'
import type { SendDependencies } from './send-message.js'

export interface HandOver {
  user: string | null
  channel: string | null
  /** A note for the next agent. */
  note: string | null
}

/**
 * Transfers the caller's part in a conversation to a colleague, or back to the queue of one channel, in one step:
 * between `/leave` and `/join`, rules could route the conversation. A colleague gets it accepted and in the inbox. In a
 * queue it waits like a new conversation; workflows do not run.
 * @throws Unprocessable if the caller is not a participant or the conversation is closed; NotFound for the target;
 *   BadUserInput
 */
export function handOver(
  { writer, router }: SendDependencies,
  ctx: Context,
  conversationId: string,
  { user, channel, note }: HandOver,
): Promise<ConversationState> {
  if ((user === null) === (channel === null)) throw new BadUserInput('user', 'either user or channel is required')
  const noteDraft = note === null ? null : parseMessage({ role: 'agent', text: note, isBackchannel: true }, 'note')
  const sender = senderOf(ctx)
  return writer.run(ctx, conversationId, async (draft) => {
    const { conversation, participants } = draft
    requirePart(draft, ctx.userCaller.user)
    if (noteDraft) await processMessage(draft, { router, sender, messageDraft: noteDraft, id: draft.clock.newId() })
    if (user !== null) {
      const [colleague] = await readMembers(draft.sql, sender, conversation, [user], 'user')
      if (colleague!.userId === ctx.userCaller.user) throw new BadUserInput('user', 'user is the caller')
      giveTo(draft, colleague!)
      say(draft, ctx, `handed over to ${colleague!.name ?? colleague!.userId}`)
      participants.delete(ctx.userCaller.user)
      return conversation
    }
    const name = await channelName(draft, sender, channel!)
    participants.delete(ctx.userCaller.user)
    say(draft, ctx, `handed over to ${name}`)
    applyMove(conversation, 'enqueue')
    await router.queue(draft, { trigger: NOTIFY, channels: [channel!] })
    return conversation
  })
}

function requirePart({ conversation, participants }: ConversationDraft, user: string): void {
  if (!participants.has(user))
    throw new Unprocessable(`user ${user} is not a participant of the conversation`, { user })
  if (conversation.status === 'active' && conversation.type === 'contact') return
  throw new Unprocessable(`a ${conversation.status} conversation cannot be handed over: accept it first`)
}

function giveTo(draft: ConversationDraft, colleague: Member): void {
  const participant = draft.join(colleague)
  participant.accepted = true
  participant.inbox = true
}

/** Adds a note to the thread, for colleagues. */
function say(draft: ConversationDraft, { userCaller }: Context, text: string): void {
  draft.addMessage({ ...emptyMessage(draft.clock.newId()), isBackchannel: true, userId: userCaller.user, text })
}

/**
 * Returns the name of a channel on the conversation's organization path that is visible to the sender. @throws NotFound
 */
async function channelName({ sql, conversation }: ConversationDraft, sender: Sender, channel: string): Promise<string> {
  const values: unknown[] = [isId(channel) ? channel : null, pathOf(conversation), [...sender.path]]
  const tenant = tenantSql(sender, 't', values)
  const [found] = await sql.query<{ name: string }>(
    reading(`select t.name from channel t where t.id = $1 and t.organization_id = any($2::uuid[])
       and (${tenant} or t.organization_id = any($3::uuid[]))`),
    values,
  )
  if (!found) throw new NotFound(`channel: Channel ${quoteValue(channel)} not found`, { field: 'channel' })
  return found.name
}
