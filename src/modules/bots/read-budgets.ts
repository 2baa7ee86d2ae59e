import type { LoaderDefinition } from '../../platform/context.js'
import { reading, type ReadSql, type Sql } from '../../platform/db/sql.js'
import type { BotBudget, Limits } from './bot-budget.js'
import { dayOf, nextDay } from './budget-day.js'

/** A bot's budget with the number of its changes. */
export interface VersionedLimits extends Limits {
  version: number
}

const LIMITS = `version, per_conversation as "perConversation", per_day as "perDay",
  tool_calls_per_day as "toolCallsPerDay"`
const SELECT = `select ${LIMITS} from bot_budget where bot_id = $1`

/**
 * Reads a bot's budget; undefined if it never had one. Nobody changes it until the transaction has ended: once a change is answered,
 * nothing is spent of the one before.
 */
export async function lockBudget(sql: Sql, bot: string): Promise<VersionedLimits | undefined> {
  const [row] = await sql.query<VersionedLimits>(`${SELECT} for share`, [bot], 'lock-budget')
  return row
}

export async function readBudget(sql: ReadSql, bot: string): Promise<VersionedLimits | undefined> {
  const [row] = await sql.query<VersionedLimits>(reading(SELECT), [bot], 'read-budget')
  return row
}

interface BudgetRow extends VersionedLimits {
  bot: string
  updatedAt: Date
  messages: number
  messagesSpentAt: Date | null
  toolCalls: number
  toolCallsSpentAt: Date | null
}

/** The budgets of bots, by bot; none of those that have no limit. */
export const budgetLoader: LoaderDefinition<BotBudget> = {
  async load(ctx, bots) {
    const now = ctx.now()
    const rows = await ctx.reads.query<BudgetRow>(BUDGETS, [bots, dayOf(now)], 'budgets-of-bots')
    return new Map(
      rows.map(({ bot, messages, messagesSpentAt, toolCalls, toolCallsSpentAt, ...limits }) => {
        const used = {
          messages: limits.perDay === null ? null : messages,
          toolCalls: limits.toolCallsPerDay === null ? null : toolCalls,
          messagesSpentAt,
          toolCallsSpentAt,
          resetsAt: nextDay(now),
        }
        return [bot, { ...limits, used }]
      }),
    )
  },
}

const BUDGETS = reading(`
select b.bot_id as bot, ${LIMITS}, b.updated_at as "updatedAt",
  coalesce(m.drawn, 0) as messages, m.spent_at as "messagesSpentAt",
  coalesce(t.drawn, 0) as "toolCalls", t.spent_at as "toolCallsSpentAt"
from bot_budget b
left join bot_day m on m.bot_id = b.bot_id and m.budget = 'perDay' and m.day = $2::date
left join bot_day t on t.bot_id = b.bot_id and t.budget = 'toolCallsPerDay' and t.day = $2::date
where b.bot_id = any($1::uuid[]) and coalesce(per_conversation, per_day, tool_calls_per_day) is not null`)

/** Days for which it is kept what was drawn. */
const KEPT_DAYS = 7

/** Deletes what was drawn on days long past. */
export async function pruneBotDays(sql: Sql, now: Date): Promise<void> {
  await sql.query('delete from bot_day where day < $1::date - $2::int', [dayOf(now), KEPT_DAYS])
}
