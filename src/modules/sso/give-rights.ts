import { LockMode } from '@mikro-orm/core'
import type { Context } from '../../platform/context.js'
import { organizationStream } from '../../platform/events/event.js'
import { isOnPath, pathOf } from '../../platform/db/tenancy.js'
import type { WriteTx } from '../../platform/events/transact.js'
import type { JsonObject } from '../../platform/json.js'
import { markChanged } from '../../platform/lists/record-version.js'
import { everyTenant } from '../auth/every-tenant.js'
import { addMembers, removeMembers } from '../channels/channel-members.js'
import { Channel } from '../channels/channel.js'
import { departure } from '../users/user-jobs.js'
import { eventOf } from '../users/user-rules.js'
import type { User } from '../users/user.js'
import { mappedChannels, rightsOf } from './given-rights.js'
import type { ProviderIdentity } from './provider-identity.js'
import type { ProviderParams } from './provider-params.js'

/** Changes of a user's rights by what a provider says. */
export interface RightsGiven {
  isChanged: boolean
  /** For the audit log. */
  changes: JsonObject
}

/** Locks the channels of which the role map speaks, in the order in which all lock them. */
export async function channelsForMap(tx: WriteTx, { params }: { params: ProviderParams }): Promise<Channel[]> {
  const ids = mappedChannels(params)
  if (ids.length === 0) return []
  return tx.em.find(Channel, { id: { $in: ids } }, { lockMode: LockMode.PESSIMISTIC_WRITE, orderBy: { id: 'asc' } })
}

/** Memberships of the users and channels that were asked for. */
export interface Memberships {
  has(channel: string, user: string): boolean
}

/** Reads which of the users are members of which of the channels. Needs the row locks of both. */
export async function membershipsOf(
  tx: Pick<WriteTx, 'query'>,
  channels: readonly Channel[],
  users: readonly string[],
): Promise<Memberships> {
  const rows =
    channels.length === 0 || users.length === 0
      ? []
      : await tx.query<{ channel: string; user: string }>(
          `select channel_id as channel, user_id as user from channel_member
           where channel_id = any($1::uuid[]) and user_id = any($2::uuid[])`,
          [channels.map(({ id }) => id), users],
          'memberships-for-map',
        )
  const found = new Set(rows.map(({ channel, user }) => `${channel} ${user}`))
  return { has: (channel, user) => found.has(`${channel} ${user}`) }
}

/**
 * Gives a user, whose row is locked, the role and the channels of the role map, and takes away those of its channels that it does not
 * give. An owner's role stays, and so do channels of which the map does not speak. A channel where nothing changes is not asked.
 */
export async function giveRights(
  ctx: Context,
  tx: WriteTx,
  {
    provider,
    identity,
    user,
    channels,
    memberships,
  }: {
    provider: { params: ProviderParams }
    identity: Pick<ProviderIdentity, 'claims'>
    user: User
    channels: readonly Channel[]
    memberships: Memberships
  },
): Promise<RightsGiven> {
  const { role, channels: given } = rightsOf(provider.params, identity.claims)
  const changes: JsonObject = {}
  if (role !== null && user.role !== 'owner' && user.role !== role) {
    const before = user.role
    changes.role = { from: before, to: role }
    user.role = role
    user.placedAt = ctx.now()
    markChanged(user, ctx.now())
    await tx.em.flush()
    tx.emit(organizationStream(user.organizationId), 'user.updated', eventOf(user))
    // A viewer takes no conversations any more, nor did one who was a viewer.
    if (before !== 'viewer') tx.addJob(departure(user.id))
  }
  const system = everyTenant(ctx)
  const [added, removed]: [string[], string[]] = [[], []]
  for (const channel of channels.filter((each) => isRelated(each, user))) {
    const isGiven = given.includes(channel.id)
    if (isGiven === memberships.has(channel.id, user.id)) continue
    if (isGiven) {
      const wanted = [{ id: user.id, field: 'user', isSupervisor: null }]
      if ((await addMembers(system, tx, channel, wanted)).length > 0) added.push(channel.id)
    } else if ((await removeMembers(tx, channel, [user.id])).length > 0) {
      removed.push(channel.id)
    }
  }
  for (const channel of channels) {
    if (added.includes(channel.id) || removed.includes(channel.id)) markChanged(channel, ctx.now())
  }
  if (added.length > 0) changes.addedTo = added
  if (removed.length > 0) changes.removedFrom = removed
  return { isChanged: Object.keys(changes).length > 0, changes }
}

/** A member is of the channel's organization, or of one above or below it. */
function isRelated(channel: Channel, user: User): boolean {
  const [own, theirs] = [pathOf(channel), pathOf(user)].map((path) => path.filter((id) => id !== undefined)) as [
    string[],
    string[],
  ]
  return isOnPath({ path: own as never }, theirs) || isOnPath({ path: theirs as never }, own)
}
