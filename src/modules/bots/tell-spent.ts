import type { Context } from '../../platform/context.js'
import { organizationStream } from '../../platform/events/event.js'
import type { Transact } from '../../platform/events/transact.js'
import { eventOf } from '../users/user-rules.js'
import { User } from '../users/user.js'
import type { BudgetSpent } from './budget-spent.js'

/** Tells lists of users, and the audit log, that the budget of a day is spent: once a day, unless it was changed since. */
export async function tellSpent(
  system: Context,
  transact: Transact,
  bot: string,
  { budget, limit, day }: BudgetSpent,
): Promise<void> {
  if (budget === 'perConversation') return
  const told = await system.reads.query(TOLD, [bot, day, budget])
  if (told.length > 0) return
  await transact(system, async (tx) => {
    const rows = await tx.query(NOTE_SPENT, [bot, day, budget, system.now()])
    const user = rows.length > 0 ? await tx.em.findOne(User, { id: bot }) : null
    if (!user) return
    tx.emit(organizationStream(user.organizationId), 'user.updated', eventOf(user))
    tx.addAudit({
      action: 'budgetSpent',
      object: { type: 'user', id: bot },
      organization: user.organizationId,
      user: bot,
      details: { budget, limit, day },
    })
  })
}

const TOLD = `select 1 from bot_day where bot_id = $1 and day = $2::date and budget = $3 and spent_at is not null`

/** Notes it once. A budget of which nothing may be drawn has no row of the day yet. */
const NOTE_SPENT = `
insert into bot_day as d (bot_id, day, budget, drawn, last_draw, day_limit, spent_at)
select id, $2::date, $3, 0, 0, 0, $4 from app_user where id = $1
on conflict (bot_id, budget, day) do update set spent_at = excluded.spent_at where d.spent_at is null
returning 1`
