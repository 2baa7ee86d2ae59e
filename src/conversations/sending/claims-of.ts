import type { AssignmentCache } from '../../channels/assignment-cache.js'
import type { MessageDraft } from '../../messages/message-content.js'
import { parseCommand } from '../commands/parse-command.js'
import type { Sender } from '../messages/members.js'

/** Returns the agents who accept by these messages, where channels offer conversations or limit how many agents accept. */
export function claimsOf(
  assignments: AssignmentCache,
  { member, path }: Sender,
  drafts: readonly MessageDraft[],
): string[] | undefined {
  if (!member || !(assignments.offering.has(path[0]) || assignments.limitsPulls(path[0]))) return undefined
  const accepts = drafts.filter(({ type, text }) => type === 'command' && parseCommand(text ?? '').name === 'accept')
  return accepts.map(({ user }) => user ?? member.userId)
}
