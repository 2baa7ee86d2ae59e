import type { Purse } from '../../bots/purse.js'
import { lockBudget, type VersionedLimits } from '../../bots/read-budgets.js'
import type { Charges } from '../state/charges.js'
import type { ConversationChange } from '../state/conversation-change.js'

/** Counts the messages of a bot in one conversation against its budget, as that is at the time at which the conversation is locked. */
export class ChargesOfBot implements Charges {
  readonly #limits: Promise<VersionedLimits | undefined>

  constructor(
    private readonly purse: Purse,
    private readonly change: ConversationChange,
  ) {
    // At once, beside what the operation reads first.
    this.#limits = change.shared.lockOnce(`budget of ${purse.bot}`, (sql) => lockBudget(sql, purse.bot))
  }

  async charge(): Promise<void> {
    const { purse, change } = this
    const { conversation, now } = change
    const limits = await this.#limits
    const sent = conversation.caseBots[purse.bot] ?? 0
    if (limits) purse.take(limits, sent, now)
    // Also without a budget: one that is set later knows what was said before.
    conversation.caseBots = { ...conversation.caseBots, [purse.bot]: sent + 1 }
  }
}
