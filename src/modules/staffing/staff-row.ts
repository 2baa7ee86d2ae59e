import type { Context } from '../../platform/context.js'
import type { Sql } from '../../platform/db/database.js'
import { TENANT } from '../../platform/db/tenancy.js'
import type { WriteTx } from '../../platform/events/transact.js'
import { fetchRecord, recordNotFound } from '../../platform/lists/fetch-record.js'
import { camelRow } from '../../platform/lists/rows.js'
import { User } from '../users/user.js'
import type { AgentState } from './agent-state.js'
import { CAPACITY } from './availability.js'

/**
 * Locks the row of a user's availability and capacity, which is created when it is first needed. Conversations are
 * locked before it, channels and streams after it.
 * @param isSupervised true if it has been checked that the caller may see the user, whose organization may be above its own
 * @throws NotFound for a user out of the caller's sight
 */
export async function lockStaff(
  ctx: Context,
  tx: WriteTx,
  user: string,
  isSupervised = false,
): Promise<{ organization: string; agent: AgentState }> {
  const { id, organizationId } = isSupervised
    ? await memberOf(tx, user)
    : await fetchRecord(ctx, User, user, { em: tx.em, field: 'user' })
  await tx.query(
    `insert into staff (user_id, availability, capacity) values ($1, 'offline', ${CAPACITY.default})
     on conflict do nothing`,
    [id],
  )
  const agent = await readLocked(tx, id)
  if (!agent) throw recordNotFound('User', id, 'user')
  return { organization: organizationId, agent }
}

/** A colleague may be of an organization above. @throws NotFound */
async function memberOf({ em }: WriteTx, user: string): Promise<User> {
  const found = await em.findOne(User, { id: user }, { filters: { [TENANT]: false } })
  if (!found) throw recordNotFound('User', user, 'user')
  return found
}

async function readLocked(sql: Sql, user: string): Promise<AgentState | null> {
  const [row] = await sql.query<Record<string, unknown>>(
    `select user_id, availability, reason, reason_code_id, since, wrap_up_until, wrap_up_conversation_id, capacity
     from staff where user_id = $1 for no key update`,
    [user],
  )
  return row ? camelRow<AgentState>(row) : null
}
