import type { Context } from '../../platform/context.js'
import { isId } from '../../platform/db/clock.js'
import type { Sql } from '../../platform/db/database.js'
import { pathOf } from '../../platform/db/tenancy.js'
import { organizationStream } from '../../platform/events/event.js'
import type { WriteTx } from '../../platform/events/transact.js'
import { defineJob } from '../../platform/jobs/job-type.js'
import { requireVisible, type NamedId } from '../../platform/lists/visible-ids.js'
import { membershipsChanged } from '../users/user-jobs.js'
import type { Channel } from './channel.js'

/*
 * Changes of a channel's members. All need the channel's row lock, give the users who came or went, and emit an event
 * for each of them on the organization's stream.
 */

/** Job: these users are no longer members of a channel. Handled by `conversations/`, which withdraws its offers to them. */
export const MEMBERS_REMOVED = defineJob<{ users: string[] }>('channel.membersRemoved', { users: 'array' })

/** A member as an input names it. */
export interface WantedMember extends NamedId {
  /** Null leaves it as it is; a new member is no supervisor then. */
  isSupervisor: boolean | null
}

/**
 * Adds those of `wanted` who are not members yet, and makes supervisors of members or ends that. A member may be a user of the channel's organization, or of one below
 * or above it: the contact center's agents serve its customers.
 * @throws NotFound naming the field of a user that the caller does not see, or of an unrelated organization
 */
export async function addMembers(
  ctx: Context,
  tx: WriteTx,
  channel: Channel,
  wanted: readonly WantedMember[],
): Promise<string[]> {
  // Existing members may be invisible to the caller: sending the list back must not fail.
  const current = new Set(await memberIds(tx, channel.id))
  const others = wanted.filter(({ id }) => !current.has(id.toLowerCase()))
  const path = pathOf(channel)
  // A user who is being moved has either moved already or waits for this lock: see `addDeparture`.
  await tx.query('select id from app_user where id = any($1::uuid[]) order by id for share', [
    others.map(({ id }) => id).filter(isId),
  ])
  const added = [...new Set(await requireVisible(ctx, tx, others, { name: 'User', table: 'app_user', path }))]
  if (added.length > 0) {
    await tx.query('insert into channel_member (channel_id, user_id, created_at) select $1, unnest($2::uuid[]), $3', [
      channel.id,
      added,
      ctx.now(),
    ])
    emitEach(tx, channel, 'channel.memberAdded', added)
  }
  return [...new Set([...added, ...(await setSupervisors(tx, channel, wanted))])]
}

/** @returns the members for whom it changed */
async function setSupervisors(tx: WriteTx, channel: Channel, wanted: readonly WantedMember[]): Promise<string[]> {
  const given = wanted.filter(({ id, isSupervisor }) => isSupervisor !== null && isId(id))
  if (given.length === 0) return []
  const rows = await tx.query<{ id: string }>(
    `update channel_member m set supervisor = x.supervisor from unnest($2::uuid[], $3::boolean[]) as x(id, supervisor)
     where m.channel_id = $1 and m.user_id = x.id and m.supervisor <> x.supervisor returning m.user_id as id`,
    [channel.id, given.map(({ id }) => id), given.map(({ isSupervisor }) => isSupervisor)],
  )
  return rows.map(({ id }) => id)
}

export async function removeMembers(tx: WriteTx, channel: Channel, users: readonly string[]): Promise<string[]> {
  const rows = await tx.query<{ id: string }>(
    'delete from channel_member where channel_id = $1 and user_id = any($2::uuid[]) returning user_id as id',
    [channel.id, users],
  )
  const removed = rows.map(({ id }) => id)
  emitEach(tx, channel, 'channel.memberRemoved', removed)
  if (removed.length > 0) tx.addJob(MEMBERS_REMOVED.create({ users: removed }))
  return removed
}

/** Replaces the members by `wanted`. @throws NotFound as {@link addMembers} */
export async function replaceMembers(
  ctx: Context,
  tx: WriteTx,
  channel: Channel,
  wanted: readonly WantedMember[],
): Promise<string[]> {
  const kept = new Set(wanted.map(({ id }) => id.toLowerCase()))
  const gone = (await memberIds(tx, channel.id)).filter((id) => !kept.has(id))
  const added = await addMembers(ctx, tx, channel, wanted)
  return [...added, ...(await removeMembers(tx, channel, gone))]
}

export async function memberIds(sql: Sql, channel: string): Promise<string[]> {
  const rows = await sql.query<{ id: string }>('select user_id as id from channel_member where channel_id = $1', [
    channel,
  ])
  return rows.map(({ id }) => id)
}

function emitEach(
  tx: WriteTx,
  channel: Channel,
  type: 'channel.memberAdded' | 'channel.memberRemoved',
  users: readonly string[],
): void {
  for (const user of users) {
    tx.emit(organizationStream(channel.organizationId), type, {
      id: channel.id,
      organization: channel.organizationId,
      user,
    })
    tx.addJob(membershipsChanged(user, [channel.id]))
  }
}
