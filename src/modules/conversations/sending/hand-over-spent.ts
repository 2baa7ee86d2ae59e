import type { BudgetSpent } from '../../bots/budget-spent.js'
import type { Context } from '../../../platform/context.js'
import { ifThere } from '../../../platform/if-there.js'
import { emptyMessage } from '../messages/unplaced-message.js'
import type { ConversationChange } from '../state/conversation-change.js'
import { usersInReach } from '../state/reach.js'
import { requeueFor } from './requeue-for.js'
import type { SendDependencies } from './send-message.js'

/**
 * Queues a conversation for agents in which a bot may say no more, unless others have it or it does not wait for the bot. Repeating it
 * changes nothing.
 */
export function handOverSpent(
  { writer, router }: Pick<SendDependencies, 'writer' | 'router'>,
  system: Context,
  conversationId: string,
  { bot, spent }: { bot: string; spent: BudgetSpent },
): Promise<void> {
  const handOver = async (change: ConversationChange): Promise<void> => {
    // A bot may have named any.
    if (!(await usersInReach(change.sql, change.conversation, [bot])).has(bot)) return
    const name = change.participants.get(bot)?.name ?? 'The bot'
    const isQueued = await requeueFor(change, router, bot, { trigger: 'a budget was spent' })
    if (!isQueued) return
    // Else it would be offered straight back, as preferLastSeconds has it.
    change.conversation.needs = { ...change.conversation.needs, leftBy: [bot] }
    const text = `${name} may say no more: ${spent.message}. The conversation waits for an agent.`
    change.addMessage({ ...emptyMessage(change.clock.newId()), isBackchannel: true, text })
  }
  return ifThere(writer.run(system, conversationId, handOver))
}
