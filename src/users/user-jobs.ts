import type { WriteTx } from '../events/transact.js'
import { tenantSql, type TenantScope } from '../db/tenancy.js'

/** Mails an invitation; payload `{user}`. Handled by `auth/`. */
export const USER_INVITE = 'user.invite'

/**
 * A user was deleted, archived or moved away and can no longer answer; payload `{user, conversations}`, the ids of the
 * active conversations that the user had accepted. Handled by `conversations/`, which makes the user leave them.
 */
export const USER_DEPARTED = 'user.departed'

export function addInvitation(tx: WriteTx, user: string): void {
  tx.addJob({ kind: USER_INVITE, key: `invite:${user}`, payload: { user } })
}

/**
 * A conversation stays active until its last accepting agent leaves (3.1): without this, nobody would be told of it any
 * more. @param reach what the user still sees; nothing when absent
 */
export async function addDeparture(tx: WriteTx, user: string, reach?: TenantScope): Promise<void> {
  const values: unknown[] = [user]
  const seen = reach ? tenantSql(reach, 'c', values) : 'false'
  const rows = await tx.query<{ id: string }>(
    `select c.id from participant p join conversation c on c.id = p.conversation_id
     where p.user_id = $1 and p.accepted and c.status = 'active' and not coalesce(${seen}, false)`,
    values,
  )
  if (rows.length === 0) return
  const conversations = rows.map(({ id }) => id)
  tx.addJob({ kind: USER_DEPARTED, key: `departed:${user}`, payload: { user, conversations } })
}
