import type { Context } from '../../platform/context.js'
import { isId } from '../../platform/db/clock.js'
import { organizationStream, type RecordChange, type ResourceEvents } from '../../platform/events/event.js'
import type { Transact, WriteTx } from '../../platform/events/transact.js'
import { parseSignature } from '../../platform/signature.js'
import { defineJob } from '../../platform/jobs/job-type.js'
import { parseList, refuseCleared } from '../../platform/input.js'
import { fetchRecord } from '../../platform/lists/fetch-record.js'
import { markChanged } from '../../platform/lists/record-version.js'
import { parseName } from '../organizations/organization-input.js'
import { insertOwned, owningPath } from '../organizations/owned-record.js'
import { addMembers, removeMembers, replaceMembers, type WantedMember } from './channel-members.js'
import { parseAssignment } from './assignment.js'
import { parseServiceLevel } from './service-level.js'
import { parseSurvey } from './survey.js'
import { Channel, type ChannelMemberInput, type CreateChannelInput, type UpdateChannelInput } from './channel.js'

/** Job: a channel of this contact center offers conversations otherwise than before, or does for the first time. */
export const ASSIGNMENT_CHANGED = defineJob<{ organization: string; channel?: string }>('channel.assignment', {
  organization: 'string',
})

const MEMBERS_MAX = 1_000

/** Dependencies of channel writes. */
export interface ChannelWriteOptions {
  transact: Transact
  /** Called after the commit with the users who gained or lost a channel, for their live subscriptions. */
  onAccessChange: (userIds: string[]) => void
}

/** Creates a channel. @throws NotFound naming `organization` or `members[0].user`; BadUserInput */
export function createChannel(ctx: Context, options: ChannelWriteOptions, input: CreateChannelInput): Promise<Channel> {
  const name = parseName(input.name, 'name')
  const members = namedMembers(input.members)
  const assignment = parseAssignment(input.assignment, 'assignment')
  const serviceLevel = parseServiceLevel(input.serviceLevel, 'serviceLevel')
  const survey = parseSurvey(input.survey, 'survey')
  const signature = parseSignature(input.signature, 'signature')
  return changeAccess(ctx, options, async (tx) => {
    const path = await owningPath(ctx, tx, input.organization)
    const channel = await insertOwned(ctx, tx, Channel, {
      ...{ path, name, status: 'active', assignment, serviceLevel, survey, signature },
    })
    if (assignment) tx.addJob(ASSIGNMENT_CHANGED.create({ organization: channel.org1 }))
    emitChannel(tx, channel, 'created')
    return { channel, users: await addMembers(ctx, tx, channel, members) }
  })
}

/**
 * Updates the given fields; `members` replaces all members. @throws as {@link createChannel}, NotFound for the channel
 */
export function updateChannel(
  ctx: Context,
  options: ChannelWriteOptions,
  { id, patch }: { id: string; patch: UpdateChannelInput },
): Promise<Channel> {
  refuseCleared(patch, 'name')
  const name = patch.name === undefined ? undefined : parseName(patch.name, 'name')
  const members = patch.members === undefined ? undefined : namedMembers(patch.members)
  const assignment = patch.assignment === undefined ? undefined : parseAssignment(patch.assignment, 'assignment')
  const serviceLevel =
    patch.serviceLevel === undefined ? undefined : parseServiceLevel(patch.serviceLevel, 'serviceLevel')
  const survey = patch.survey === undefined ? undefined : parseSurvey(patch.survey, 'survey')
  const signature = patch.signature === undefined ? undefined : parseSignature(patch.signature, 'signature')
  return changeAccess(ctx, options, async (tx) => {
    const channel = await fetchRecord(ctx, Channel, id, { em: tx.em, lock: true, ifVersion: patch.ifVersion })
    if (name !== undefined) channel.name = name
    if (assignment !== undefined) {
      channel.assignment = assignment
      tx.addJob(ASSIGNMENT_CHANGED.create({ organization: channel.org1, channel: channel.id }))
    }
    if (serviceLevel !== undefined) channel.serviceLevel = serviceLevel
    if (survey !== undefined) channel.survey = survey
    if (signature !== undefined) channel.signature = signature
    markChanged(channel, ctx.now())
    emitChannel(tx, channel, 'updated')
    return { channel, users: members ? await replaceMembers(ctx, tx, channel, members) : [] }
  })
}

export interface Membership {
  channel: string
  user: string
}

export interface NewMembership extends Membership {
  supervisor?: boolean | null
}

/** Adds a member (4.4), or sets whether an existing one is a supervisor. @throws NotFound also naming `user` */
export function addChannelMember(
  ctx: Context,
  options: ChannelWriteOptions,
  { channel: id, user, supervisor = null }: NewMembership,
): Promise<Channel> {
  return changeAccess(ctx, options, async (tx) => {
    const channel = await fetchRecord(ctx, Channel, id, { em: tx.em, lock: true })
    const wanted = { id: user, field: 'user', isSupervisor: supervisor }
    markChanged(channel, ctx.now())
    return { channel, users: await addMembers(ctx, tx, channel, [wanted]) }
  })
}

/** Removes a member, if the user is one. @throws NotFound for the channel */
export function removeChannelMember(
  ctx: Context,
  options: ChannelWriteOptions,
  { channel: id, user }: Membership,
): Promise<Channel> {
  return changeAccess(ctx, options, async (tx) => {
    const channel = await fetchRecord(ctx, Channel, id, { em: tx.em, lock: true })
    markChanged(channel, ctx.now())
    return { channel, users: await removeMembers(tx, channel, isId(user) ? [user] : []) }
  })
}

/** Runs a write that may change who has access, and reports the affected users after the commit. */
export async function changeAccess(
  ctx: Context,
  { transact, onAccessChange }: ChannelWriteOptions,
  work: (tx: WriteTx) => Promise<{ channel: Channel; users: string[] }>,
): Promise<Channel> {
  let users: string[] = []
  const channel = await transact(ctx, async (tx) => {
    const changed = await work(tx)
    users = changed.users
    return changed.channel
  })
  if (users.length > 0) onAccessChange(users)
  return channel
}

/** The public values of a channel; members have their own events. */
type ChannelData = Pick<Channel, 'name' | 'status'> &
  Partial<Pick<Channel, 'assignment' | 'serviceLevel' | 'survey' | 'signature'>>

declare module '../../platform/events/event.js' {
  interface EventTypes extends ResourceEvents<'channel', ChannelData> {}
}

export function emitChannel(tx: WriteTx, channel: Channel, what: RecordChange): void {
  const { id, organizationId, name, status, assignment, serviceLevel, survey, signature } = channel
  const settings = {
    ...(assignment && { assignment }),
    ...(serviceLevel && { serviceLevel }),
    ...(survey && { survey }),
    ...(signature && { signature }),
  }
  const data = { id, organization: organizationId, name, status, ...settings }
  tx.emit(organizationStream(organizationId), `channel.${what}`, data)
}

function namedMembers(members: ChannelMemberInput[] | null | undefined): WantedMember[] {
  const given = parseList(members ?? [], 'members', MEMBERS_MAX) as ChannelMemberInput[]
  return given.map(({ user, supervisor = null }, index) => ({
    ...{ id: user, field: `members[${index}].user` },
    isSupervisor: supervisor,
  }))
}
