import type { Context } from '../context.js'
import type { Sql } from '../db/database.js'
import { NotFound, quoteValue } from '../errors.js'
import type { WriteTx } from '../events/transact.js'
import { fetchRecord } from '../lists/fetch-record.js'
import { camelRow } from '../lists/rows.js'
import { User } from '../users/user.js'
import type { AgentState } from './agent-state.js'
import { CAPACITY } from './availability.js'

/**
 * Locks the row of a user's availability and capacity, which is created when it is first needed. Conversations are
 * locked before it, channels and streams after it.
 * @throws NotFound for a user out of the caller's sight
 */
export async function lockStaff(
  ctx: Context,
  tx: WriteTx,
  user: string,
): Promise<{ organization: string; agent: AgentState }> {
  const { id, organizationId } = await fetchRecord(ctx, User, user, { em: tx.em, field: 'user' })
  await tx.query(
    `insert into staff (user_id, availability, since, capacity) values ($1, 'offline', $2, ${CAPACITY.default})
     on conflict do nothing`,
    [id, ctx.now()],
  )
  const agent = await readLocked(tx, id)
  if (!agent) throw new NotFound(`user: User ${quoteValue(id)} not found`)
  return { organization: organizationId, agent }
}

async function readLocked(sql: Sql, user: string): Promise<AgentState | null> {
  const [row] = await sql.query<Record<string, unknown>>(
    `select user_id, availability, reason, since, capacity from staff where user_id = $1 for no key update`,
    [user],
  )
  return row ? camelRow<AgentState>(row) : null
}
