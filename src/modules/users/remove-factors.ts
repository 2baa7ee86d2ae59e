import type { Sql } from '../../platform/db/database.js'
import { organizationStream } from '../../platform/events/event.js'
import type { WriteTx } from '../../platform/events/transact.js'
import { endSignIns } from './end-sign-ins.js'
import { eventOf } from './user-rules.js'
import type { User } from './user.js'

/** Removes the second factor of a locked user who has lost it, and ends the user's sign-ins. @returns whether there was one */
export async function resetSecondFactor(tx: WriteTx, user: User, now: Date): Promise<boolean> {
  if (!(await removeFactors(tx, user.id))) return false
  await endSignIns(tx, { user: user.id, now })
  tx.emit(organizationStream(user.organizationId), 'user.updated', eventOf(user))
  return true
}

/** Removes a user's authenticator app, passkeys and recovery codes. Needs the lock of the user. @returns whether there was one */
export async function removeFactors(sql: Pick<Sql, 'query'>, user: string): Promise<boolean> {
  await sql.query('delete from recovery_code where user_id = $1', [user])
  const removed = await sql.query<{ confirmed_at: Date | null }>(
    'delete from user_factor where user_id = $1 returning confirmed_at',
    [user],
  )
  const passkeys = await sql.query('delete from passkey where user_id = $1 returning id', [user])
  await sql.query('delete from passkey_challenge where user_id = $1', [user])
  return passkeys.length > 0 || removed.some(({ confirmed_at: confirmedAt }) => confirmedAt !== null)
}
