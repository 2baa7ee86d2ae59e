import type { AssignmentCache } from '../../channels/assignment-cache.js'
import type { NewMessage } from '../../messages/message-content.js'
import { accept } from '../commands/accept.js'
import { argumentsOf } from '../commands/command-of-message.js'
import type { Sender } from '../messages/members.js'

/** Returns the agents who accept by these messages, where channels offer conversations or limit how many agents accept. */
export async function agentsToLock(
  assignments: AssignmentCache,
  { member, path }: Sender,
  newMessages: readonly NewMessage[],
): Promise<string[] | undefined> {
  const accepts = newMessages.filter((message) => argumentsOf(message, accept) !== undefined)
  if (!member || accepts.length === 0 || !(await assignments.holdsAccepts(path[0]))) return undefined
  return accepts.map(({ user }) => user ?? member.userId)
}
