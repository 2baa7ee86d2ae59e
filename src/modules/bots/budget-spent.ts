import { DomainError, Unavailable } from '../../platform/errors.js'
import type { BotBudgetKind } from './bot-budget.js'
import { dayOf, nextDay } from './budget-day.js'

const WORDS: Readonly<Record<BotBudgetKind, string>> = {
  perConversation: 'messages in this case of the conversation',
  perDay: 'messages a day',
  toolCallsPerDay: 'calls of tools a day',
}

/** A bot has spent a budget: nothing was written for it. */
export class BudgetSpent extends DomainError {
  /** The day of which it was, for the budgets of a day. */
  readonly day: string

  /** @param now the time, for the budgets of a day: they are there again on the next one */
  constructor(
    readonly budget: BotBudgetKind,
    readonly limit: number,
    now: Date,
  ) {
    const waitMs = nextDay(now).getTime() - now.getTime()
    super('RATE_LIMITED', `the bot has spent its budget of ${limit} ${WORDS[budget]}`, {
      reason: 'BUDGET_SPENT',
      budget,
      limit,
      ...(budget !== 'perConversation' && { retryAfterSeconds: Math.max(1, Math.ceil(waitMs / 1_000)) }),
    })
    this.day = dayOf(now)
  }
}

/** This node has drawn too little of a day's budget: it draws, and what asked for it is repeated. Clients never see it. */
export class DrawNeeded extends Unavailable {
  /** @param version of the budget, from which it draws */
  constructor(readonly version: number) {
    super('the node draws from the budget of the bot: try again')
  }
}
