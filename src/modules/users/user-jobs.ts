import { defineJob } from '../../platform/jobs/job-type.js'
import { organizationStream } from '../../platform/events/event.js'
import type { WriteTx } from '../../platform/events/transact.js'
import { MAIL_SHARE, type NewJob } from '../../platform/jobs/job.js'
import { tenantSql, type TenantScope } from '../../platform/db/tenancy.js'

/** Mails an invitation. Handled by `auth/`. */
export const USER_INVITE = defineJob<{ user: string }>('user.invite', { user: 'string' })

/** An API token that was replaced with an overlap ends. Handled by `auth/`. */
export const API_TOKEN_ENDS = defineJob<{ token: string }>('user.apiTokenEnds', { token: 'string' })

/**
 * A user was deleted, archived or moved, or may have been while it was given a part in a conversation; or an API token of it has ended.
 * Handled by `conversations/`, which takes the user out of those that are out of its reach by then, stops what it writes there, and ends what it
 * proposes and may do no longer.
 */
export const USER_DEPARTED = defineJob<{ user: string }>('user.departed', { user: 'string' })

/**
 * A user became a member of these channels, or ceased to be one. Handled by `staffing/`, which shows the channels' screens
 * who takes conversations there.
 */
export const MEMBERSHIPS_CHANGED = defineJob<{ user: string; channels: string[] }>('user.memberships', {
  user: 'string',
  channels: 'array',
})

/** Those of a user run in their order, and each looks at what is so by then. */
export const membershipsChanged = (user: string, channels: readonly string[]): NewJob =>
  MEMBERSHIPS_CHANGED.create({ user, channels: [...channels] }, { key: `memberships:${user}` })

/**
 * A bot was paused, or may have been while it was given a part in a conversation. Handled by `conversations/`, which stops what it writes, ends what it proposes, takes it out of its conversations as by
 * `/leave`, and offers others what it was offered.
 */
export const BOT_PAUSED = defineJob<{ user: string }>('bot.paused', { user: 'string' })

export const botPause = (user: string): NewJob => BOT_PAUSED.create({ user }, { key: `paused:${user}` })

/** Tells that the rights of a governed bot have changed. Handled by `conversations/`, which stops what it says and may say no more. */
export const BOT_GOVERNED = defineJob<{ user: string }>('bot.governed', { user: 'string' })

export const botGoverned = (user: string): NewJob => BOT_GOVERNED.create({ user }, { key: `governed:${user}` })

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
  if (left.length > 0) {
    tx.addJob(
      membershipsChanged(
        user,
        left.map(({ id }) => id),
      ),
    )
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

declare module '../../platform/events/event.js' {
  interface EventTypes {
    'channel.memberAdded': ChannelMemberData
    'channel.memberRemoved': ChannelMemberData
  }
}
