import { Unprocessable } from '../../errors.js'
import type { ConversationWork, Member } from '../conversation-work.js'
import { applyMove } from '../transitions.js'
import type { Command } from './command.js'

/** `/accept` (4.8, 3.1): with `meta.ifQueued` only one of several gets it; the others learn who did. */
export const accept: Command<'accept'> = {
  name: 'accept',
  permission: 'conversation.command',
  run({ work, actor, meta, message }) {
    if (meta.ifQueued === true && work.conversation.status !== 'queued') throw alreadyTaken(work)
    acceptAs(work, actor)
    // 2.12: the server's to say. No channel is a task channel yet.
    message.meta = { ...meta, isTask: false }
  },
}

/** Makes the member an accepting participant and the conversation active; also what an agent's answer does (4.7). */
export function acceptAs(work: ConversationWork, member: Member, move: 'accept' | 'agentMessage' = 'accept'): void {
  applyMove(work.conversation, move)
  Object.assign(work.join(member), { active: true, accepted: true, inbox: false })
}

/** @returns the refusal that names the winner. */
function alreadyTaken({ conversation, participants }: ConversationWork): Unprocessable {
  const winner = [...participants.values()].find((participant) => participant.accepted)
  const by = winner ? ` by ${winner.name ?? winner.userId}` : ''
  return new Unprocessable(
    winner ? `the conversation was already accepted${by}` : `the conversation is ${conversation.status}, not queued`,
    { status: conversation.status, acceptedBy: winner?.userId ?? null },
  )
}
