import type { Context } from '../../platform/context.js'
import { noteChange } from '../../platform/db/record-changes.js'
import { organizationStream } from '../../platform/events/event.js'
import type { Transact } from '../../platform/events/transact.js'
import { isAbsent, parseInteger } from '../../platform/input.js'
import { requireVersion } from '../../platform/lists/record-version.js'
import { eventOf } from '../users/user-rules.js'
import type { User } from '../users/user.js'
import type { BotBudgetInput, BotBudgetKind, Limits } from './bot-budget.js'
import { dayOf } from './budget-day.js'
import { fetchBot } from './fetch-bot.js'
import { readBudget } from './read-budgets.js'
import { holdGovernance } from './read-grants.js'

const MAX: Readonly<Record<BotBudgetKind, number>> = {
  perConversation: 1_000_000,
  perDay: 1_000_000_000,
  toolCallsPerDay: 1_000_000_000,
}
const KINDS = Object.keys(MAX) as BotBudgetKind[]
const NO_LIMITS: Limits = { perConversation: null, perDay: null, toolCallsPerDay: null }

/**
 * Replaces the budget of a bot. What the bot does at the moment is waited for: once this is answered, nothing beyond the new budget is
 * done, also not of what nodes had drawn of the one before. What was said today stays counted.
 * @param budget null: no limits
 * @throws NotFound; Unprocessable `NOT_A_BOT`; ChangedMeanwhile; BadUserInput
 */
export function setBotBudget(
  ctx: Context,
  transact: Transact,
  given: { bot: string; budget: BotBudgetInput | null; ifVersion: number | null },
): Promise<User> {
  const limits = parseLimits(given.budget)
  return transact(ctx, async (tx) => {
    const bot = await fetchBot(ctx, tx, given.bot, 'bot')
    // Not by its row: a bot without a budget has none, and is waited for when it gets the first.
    await holdGovernance(tx, bot.id)
    const found = await readBudget(tx, bot.id)
    // As it is read: without any limit there is none.
    const version = found && KINDS.some((kind) => found[kind] !== null) ? found.version : 0
    requireVersion('BotBudget', { id: bot.id, version }, given.ifVersion)
    const { perConversation, perDay, toolCallsPerDay } = limits
    const values = [perConversation, perDay, toolCallsPerDay, ctx.now(), ctx.userCaller.user]
    await tx.query(SET, [bot.id, ...values])
    // It is told anew when this one is spent.
    await tx.query('update bot_day set spent_at = null where bot_id = $1 and day = $2::date', [
      bot.id,
      dayOf(ctx.now()),
    ])
    tx.emit(organizationStream(bot.organizationId), 'user.updated', eventOf(bot))
    const before = found ?? NO_LIMITS
    const changed = KINDS.filter((kind) => before[kind] !== limits[kind])
    const changes = changed.map((kind) => [kind, { from: before[kind], to: limits[kind] }] as const)
    noteChange(tx.em, { record: 'bot_budget', id: bot.id, change: 'updated', values: Object.fromEntries(changes) })
    return bot
  })
}

const SET = `
insert into bot_budget as b (bot_id, version, per_conversation, per_day, tool_calls_per_day, updated_at, updated_by_id)
values ($1, 1, $2, $3, $4, $5, $6)
on conflict (bot_id) do update set version = b.version + 1, per_conversation = excluded.per_conversation,
  per_day = excluded.per_day, tool_calls_per_day = excluded.tool_calls_per_day, updated_at = excluded.updated_at,
  updated_by_id = excluded.updated_by_id`

function parseLimits(given: BotBudgetInput | null): Limits {
  const limitOf = (kind: BotBudgetKind): number | null => {
    const value = given?.[kind]
    return isAbsent(value) ? null : parseInteger(value, `budget.${kind}`, 0, MAX[kind])
  }
  return {
    perConversation: limitOf('perConversation'),
    perDay: limitOf('perDay'),
    toolCallsPerDay: limitOf('toolCallsPerDay'),
  }
}
