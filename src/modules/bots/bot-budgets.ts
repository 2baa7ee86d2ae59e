import type { Context } from '../../platform/context.js'
import type { DayBudget } from './bot-budget.js'
import { BudgetSpent } from './budget-spent.js'
import { DayDraws, type DayDrawsOptions } from './day-draws.js'
import { Purse } from './purse.js'
import { readBudget } from './read-budgets.js'

/** Called when a bot is refused since a budget is spent. @param conversation in which it was; null: none that is known */
export type OnSpent = (bot: string, spent: BudgetSpent, conversation: string | null) => Promise<void>

/** Counts what bots do against their budgets. */
export class BotBudgets {
  readonly draws: DayDraws
  #onSpent: OnSpent = () => Promise.resolve()

  constructor(options: DayDrawsOptions) {
    this.draws = new DayDraws(options)
  }

  /** Sets what happens when a budget is spent, before the refusal is answered. */
  onSpent(listener: OnSpent): void {
    this.#onSpent = listener
  }

  /** Runs a write of a bot in a conversation, which takes from the purse what it says. @throws BudgetSpent */
  async during<T>(bot: string, conversation: string, write: (purse: Purse) => Promise<T>): Promise<T> {
    const purse = new Purse(bot, this.draws)
    try {
      return await purse.during(() => write(purse))
    } catch (error) {
      if (purse.spent) await this.#onSpent(bot, purse.spent, conversation)
      throw error
    }
  }

  /**
   * Counts one call of a tool by a bot, whatever becomes of it: who tries what is refused again and again pays for that too. People
   * are not counted. @throws BudgetSpent
   */
  async countToolCall(ctx: Context, conversation: string | null): Promise<void> {
    const { user: bot, isBot } = ctx.userCaller
    if (!isBot) return
    const budget: DayBudget = 'toolCallsPerDay'
    for (;;) {
      const limits = await readBudget(ctx.reads, bot)
      const limit = limits?.toolCallsPerDay ?? null
      if (!limits || limit === null) return
      const drawn = await this.draws.draw(bot, budget, limits.version)
      if (drawn === 'taken') return
      if (drawn === 'changed') continue
      const spent = new BudgetSpent(budget, limit, ctx.now())
      await this.#onSpent(bot, spent, conversation)
      throw spent
    }
  }
}
