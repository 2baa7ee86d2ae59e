import { must, type ConversationFixture, type Outcome } from '../conversations/conversation-fixture.js'
import type { MadeUser } from '../support/factories.js'

export interface Limits {
  perConversation?: number | null
  perDay?: number | null
  toolCallsPerDay?: number | null
}

export interface Budget extends Required<Limits> {
  version: number
  used: {
    messages: number | null
    toolCalls: number | null
    messagesSpentAt: string | null
    toolCallsSpentAt: string | null
    resetsAt: string
  }
}

const BUDGET = `budget { version perConversation perDay toolCallsPerDay
  used { messages toolCalls messagesSpentAt toolCallsSpentAt resetsAt } }`
const SET = `mutation ($bot: ID!, $budget: BotBudgetInput, $ifVersion: Int) {
  setBotBudget(bot: $bot, budget: $budget, ifVersion: $ifVersion) { id ${BUDGET} } }`

/** The acts of an administrator who gives bots budgets. */
export function budgeting({ admin, organization, run, makeUser }: ConversationFixture) {
  const limit = (
    bot: MadeUser,
    budget: Limits | null,
    { as = admin, ...more }: { as?: MadeUser | string; ifVersion?: number } = {},
  ): Promise<Outcome<{ budget: Budget | null }>> => run(as, SET, { bot: bot.id, budget, ...more })
  return {
    limit,
    async limited(budget: Limits): Promise<MadeUser> {
      const bot = await makeUser({ organization, role: 'bot' })
      await must(limit(bot, budget))
      return bot
    },
    async budgetOf({ id }: MadeUser, as: MadeUser | string = admin): Promise<Budget | null> {
      const query = `query ($id: ID!) { user(id: $id) { ${BUDGET} } }`
      return (await must(run<{ budget: Budget | null }>(as, query, { id }))).budget
    },
  }
}

/** A refusal since the budget is spent. */
export const spent = (budget: 'PER_CONVERSATION' | 'PER_DAY' | 'TOOL_CALLS_PER_DAY', limit: number): object => ({
  code: 'RATE_LIMITED',
  details: {
    reason: 'BUDGET_SPENT',
    budget,
    limit,
    ...(budget !== 'PER_CONVERSATION' && { retryAfterSeconds: expectSeconds }),
  },
})

const expectSeconds = { asymmetricMatch: (value: unknown) => typeof value === 'number' && value > 0 && value <= 86_400 }
