import { LockMode } from '@mikro-orm/core'
import type { AccessChanges } from '../../platform/access/access-changes.js'
import type { Context } from '../../platform/context.js'
import type { Transact, WriteTx } from '../../platform/events/transact.js'
import type { JobHandler } from '../../platform/jobs/job-type.js'
import { NotFound } from '../../platform/errors.js'
import { channelsForMap, giveRights, membershipsOf } from '../sso/give-rights.js'
import { mappedChannels } from '../sso/given-rights.js'
import type { Provider, Providers } from '../sso/providers.js'
import { User } from '../users/user.js'
import { LEAST_ROLE } from './write-person.js'

export interface RightsDependencies {
  transact: Transact
  accessChanges: AccessChanges
  providers: Pick<Providers, 'holdAny'>
  systemContext: (requestId: string) => Context
}

/** Users of one transaction: while it runs, nobody else changes members of the channels of the role map. */
const SLICE_MAX = 50
/** Memberships that one transaction looks at: of a map with many channels, a slice has fewer users. */
const SLICE_MEMBERSHIPS = 400

/**
 * Gives users whose groups have changed the role and the channels that the role map has for these groups, slice by slice: as a
 * sign-in does for the claims of its token. What changes meanwhile is due again. A provider that is switched off gives nothing, and all
 * is due once it is switched on.
 */
export function givingGroupRights(dependencies: RightsDependencies): JobHandler<{ service: string }> {
  const { transact, accessChanges, providers, systemContext } = dependencies
  return async ({ id, payload: { service } }) => {
    for (;;) {
      // One for each slice: an entity manager that has the users of earlier ones compares all of them at each flush.
      const ctx = systemContext(id)
      const changed: string[] = []
      const count = await transact(ctx, async (tx) => {
        const provider = await providers.holdAny(tx, service).catch(nullIfNotFound)
        return provider ? giveSlice(ctx, tx, provider, changed) : 0
      })
      for (const user of changed) accessChanges.userChanged(user)
      if (count === 0) return
    }
  }
}

function nullIfNotFound(error: unknown): null {
  if (error instanceof NotFound) return null
  throw error
}

interface Due {
  user: string
  due: string
}

async function giveSlice(ctx: Context, tx: WriteTx, given: Provider, changed: string[]): Promise<number> {
  const slice = Math.max(1, Math.floor(SLICE_MEMBERSHIPS / Math.max(1, mappedChannels(given.params).length)))
  const due = await tx.query<Due>(
    `select user_id as user, rights_due as due from scim_user
     where service_id = $1 and rights_due is not null order by user_id limit $2`,
    [given.id, Math.min(SLICE_MAX, slice)],
  )
  if (due.length === 0) return 0
  const { defaultRole = LEAST_ROLE } = given.params
  const provider = { ...given, params: { ...given.params, defaultRole } }
  // Before the users, as whoever changes a channel's members locks them.
  const channels = await channelsForMap(tx, provider)
  const ids = due.map(({ user }) => user)
  const users = await tx.em.find(
    User,
    { id: { $in: ids } },
    { lockMode: LockMode.PESSIMISTIC_WRITE, orderBy: { id: 'asc' } },
  )
  const groups = await groupsOf(tx, ids)
  const memberships = await membershipsOf(tx, channels, ids)
  // In the locks: whoever was moved out of the provider's reach meanwhile is not its user any more.
  const kept = await tx.query<{ id: string; isDeleted: boolean }>(
    'select user_id as id, deleted_at is not null as "isDeleted" from scim_user where service_id = $1 and user_id = any($2::uuid[])',
    [given.id, ids],
  )
  const deletedById = new Map(kept.map(({ id, isDeleted }) => [id, isDeleted]))
  for (const user of users) {
    const isDeleted = deletedById.get(user.id)
    // Whom the provider has deleted, and an administrator has let in again, is the administrator's.
    if (isDeleted === undefined || (isDeleted && user.status !== 'archived')) continue
    const identity = { claims: { groups: groups.get(user.id) ?? [] } }
    // Whoever is archived has left all channels, and comes back with the role of the groups that there are by then.
    const own = user.status === 'archived' ? [] : channels
    const { isChanged, changes } = await giveRights(ctx, tx, { provider, identity, user, channels: own, memberships })
    if (!isChanged) continue
    changed.push(user.id)
    const details = { provider: provider.id, rights: changes }
    const object = { type: 'user', id: user.id }
    tx.addAudit({ action: 'updateUser', object, organization: user.organizationId, details })
  }
  await tx.query(
    // In one order, as whoever makes them due: of two in two orders one would be cut off.
    `update scim_user x set rights_due = null
     from (select s.user_id from scim_user s join jsonb_to_recordset($1::jsonb) as d("user" uuid, due uuid)
       on s.user_id = d.user and s.rights_due = d.due order by s.user_id for no key update of s) u
     where x.user_id = u.user_id`,
    [JSON.stringify(due)],
  )
  return due.length
}

/** Reads what the claim `groups` of a token would have: the names of a user's groups, and the provider's own ids of them. */
async function groupsOf(tx: WriteTx, users: readonly string[]): Promise<Map<string, string[]>> {
  const rows = await tx.query<{ user: string; groups: string[] }>(
    `select m.user_id as user, array_agg(g.display_name) || array_agg(g.external_id) filter (where g.external_id is not null) as groups
     from scim_member m join scim_group g on g.id = m.group_id where m.user_id = any($1::uuid[]) group by m.user_id`,
    [users],
  )
  return new Map(rows.map(({ user, groups }) => [user, groups]))
}
