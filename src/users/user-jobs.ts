import { organizationStream } from '../events/event.js'
import type { WriteTx } from '../events/transact.js'
import { MAIL_SHARE } from '../jobs/job.js'
import { tenantSql, type TenantScope } from '../db/tenancy.js'

/** Mails an invitation; payload `{user}`. Handled by `auth/`. */
export const USER_INVITE = 'user.invite'

/**
 * A user was deleted, archived or moved, perhaps while it was being added to a conversation; payload `{user}`. Handled
 * by `conversations/`, which removes the user from conversations that it can no longer access.
 */
export const USER_DEPARTED = 'user.departed'

export const departure = (user: string) => ({ kind: USER_DEPARTED, key: `departed:${user}`, payload: { user } })

export function addInvitation(tx: WriteTx, user: string): void {
  tx.addJob({ kind: USER_INVITE, key: `invite:${user}`, share: MAIL_SHARE, payload: { user } })
}

/**
 * Removes the user from everything it can no longer access: channel memberships now, participation in conversations by
 * a job, under their own locks. Needs the user's row lock, for which additions of memberships wait.
 * @param reach what the user still sees; nothing when absent
 */
export async function addDeparture(tx: WriteTx, user: string, reach?: TenantScope): Promise<void> {
  const values: unknown[] = [user]
  const seen = reach ? tenantSql(reach, 'c', values) : 'false'
  const left = await tx.query<{ id: string; organization: string }>(
    `delete from channel_member m using channel c
     where m.user_id = $1 and c.id = m.channel_id and not coalesce(${seen}, false)
     returning c.id, c.organization_id as organization`,
    values,
  )
  for (const { id, organization } of left) {
    tx.emit(organizationStream(organization), 'channel.memberRemoved', { id, organization, user })
  }
  // Always: a conversation that is being written may be about to add the user.
  tx.addJob(departure(user))
}
