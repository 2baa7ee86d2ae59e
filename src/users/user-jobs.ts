import { defineJob } from '../jobs/job-type.js'
import { organizationStream } from '../events/event.js'
import type { WriteTx } from '../events/transact.js'
import { MAIL_SHARE, type NewJob } from '../jobs/job.js'
import { tenantSql, type TenantScope } from '../db/tenancy.js'

/** Mails an invitation. Handled by `auth/`. */
export const USER_INVITE = defineJob<{ user: string }>('user.invite', { user: 'string' })

/**
 * A user was deleted, archived or moved, or may have been while it was given a part in a conversation.
 * Handled by `conversations/`, which takes the user out of those that are out of its reach by then.
 */
export const USER_DEPARTED = defineJob<{ user: string }>('user.departed', { user: 'string' })

export const departure = (user: string): NewJob => USER_DEPARTED.create({ user }, { key: `departed:${user}` })

export function addInvitation(tx: WriteTx, user: string): void {
  tx.addJob(USER_INVITE.create({ user }, { key: `invite:${user}`, share: MAIL_SHARE }))
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

interface ChannelMemberData {
  /** The channel. */
  id: string
  organization: string
  user: string
}

declare module '../events/event.js' {
  interface EventTypes {
    'channel.memberAdded': ChannelMemberData
    'channel.memberRemoved': ChannelMemberData
  }
}
