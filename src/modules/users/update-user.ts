import { isDeepStrictEqual } from 'node:util'
import type { Context } from '../../platform/context.js'
import { isAllowed } from '../../platform/access/permissions.js'
import type { AccessChanges } from '../../platform/access/access-changes.js'
import { pathOf, tenantColumns } from '../../platform/db/tenancy.js'
import { Forbidden } from '../../platform/errors.js'
import { organizationStream } from '../../platform/events/event.js'
import type { WriteTx } from '../../platform/events/transact.js'
import { refuseCleared } from '../../platform/input.js'
import { fetchRecord } from '../../platform/lists/fetch-record.js'
import { markChanged } from '../../platform/lists/record-version.js'
import { Organization } from '../organizations/organization.js'
import { endGuestsOfBot, endTokensOfBot } from './api-token-uses.js'
import { changeStatus } from './change-status.js'
import { namesOf, type UserDependencies } from './create-user.js'
import { parseDisclosure } from './disclosure.js'
import { parseMask, refuseUnmasking } from './mask.js'
import { endSignIns } from './end-sign-ins.js'
import { refuseManagedChange, releaseOutOfReach } from './managed-elsewhere.js'
import { proveSelf, requireProved } from './prove-self.js'
import { readUserInput, SELF_FIELDS, type UpdateUserInput } from './user-input.js'
import { removeFactors } from './remove-factors.js'
import { addDeparture, departure, membershipsChanged } from './user-jobs.js'
import { checkOwnership, eventOf, refuseInvitation, withUniqueEmail } from './user-rules.js'
import { markChosen } from './user-settings.js'
import { checkStatusMove } from './user-status.js'
import { User } from './user.js'

export interface UpdateDependencies extends UserDependencies {
  accessChanges: AccessChanges
}

/**
 * Changes a user, or with only `user.updateSelf` (section 5) the caller's own profile. A new password, or archiving,
 * ends the user's sign-ins except the caller's current one.
 * @throws NotFound, Forbidden, BadUserInput, Unprocessable for an email in use or an impossible status
 */
export async function updateUser(
  ctx: Context,
  { transact, credentials, accessChanges }: UpdateDependencies,
  id: string,
  patch: UpdateUserInput,
): Promise<User> {
  const given = (Object.keys(patch) as (keyof UpdateUserInput)[]).filter((key) => patch[key] !== undefined)
  refuseCleared(patch, 'email', 'password', 'organization', 'role', 'status')
  readUserInput({ ...patch, meta: undefined })
  // One's own email and password open the account.
  if (ctx.mutation && (patch.password !== undefined || patch.email !== undefined)) ctx.mutation.isAudited = true
  const provedHash = await proveSelf(ctx, credentials, id, patch)
  const passwordHash = patch.password === undefined ? null : await hashPassword(ctx, credentials, id, patch)
  const guests: string[] = []
  const user = await withUniqueEmail(patch.email, () =>
    transact(ctx, async (tx) => {
      const found = await fetchRecord(ctx, User, id, { em: tx.em, lock: true, ifVersion: patch.ifVersion })
      if (!isAllowed(ctx.caller, 'user.update')) checkSelfChange(found, patch, given)
      checkChange(ctx, found, patch)
      await refuseManagedChange(ctx, tx, found, patch)
      if (provedHash !== undefined) requireProved(found, provedHash)
      const earlier = found.settings
      const wasInvited = found.status === 'invited'
      tx.em.assign(found, readUserInput(patch, found.meta ?? {}), REPLACE)
      if (patch.disclosure !== undefined) found.disclosure = parseDisclosure(patch.disclosure, patch.role ?? found.role)
      if (patch.mask !== undefined) guests.push(...(await changeMask(ctx, tx, found, patch)))
      markChanged(found, ctx.now())
      if (patch.settings && found.id === ctx.userCaller.user) found.settings = markChosen(found.settings, earlier)
      if (patch.role && patch.role !== found.role) guests.push(...(await changeRole(ctx, tx, found, patch.role)))
      if (patch.organization && patch.organization !== found.organizationId) {
        guests.push(...(await moveUser(ctx, tx, found, patch.organization)))
      }
      if (patch.status && (patch.status !== found.status || wasInvited)) {
        guests.push(...(await changeStatus(tx, found, patch.status)))
      }
      if (passwordHash) {
        found.passwordHash = passwordHash
        await endOtherSignIns(ctx, tx, found)
      }
      await tx.em.flush()
      tx.emit(organizationStream(found.organizationId), 'user.updated', eventOf(found))
      return found
    }),
  )
  for (const each of [user.id, ...guests]) accessChanges.userChanged(each)
  return user
}

/** By the rules of the organization that the user is in afterwards. */
async function hashPassword(
  ctx: Context,
  credentials: UpdateDependencies['credentials'],
  id: string,
  patch: UpdateUserInput,
): Promise<string> {
  const user = await fetchRecord(ctx, User, id)
  const organization =
    patch.organization && isAllowed(ctx.caller, 'user.update')
      ? await fetchRecord(ctx, Organization, patch.organization, { field: 'organization' })
      : user
  const names = [...namesOf(user), ...namesOf(patch)]
  return credentials.hashPassword(ctx, patch.password, 'password', { path: pathOf(organization), names })
}

/** A patch replaces nested objects (section 1, PATCH). */
const REPLACE = { mergeObjectProperties: false } as const

/** Ignores unchanged values, since clients send whole records back. @throws Forbidden for an administrator's field */
function checkSelfChange(user: User, patch: UpdateUserInput, given: readonly (keyof UpdateUserInput)[]): void {
  const { email, role, status, organizationId: organization, disclosure, mask } = user
  const stored: Partial<Record<keyof UpdateUserInput, unknown>> = {
    ...{ email, role, status, organization, disclosure, mask },
  }
  const field = given.find((key) => !SELF_FIELDS.has(key) && !isDeepStrictEqual(patch[key], stored[key]))
  if (field) throw new Forbidden(`${field} can only be changed by an administrator`)
}

function checkChange(ctx: Context, user: User, patch: UpdateUserInput): void {
  const caller = ctx.userCaller
  const { role = user.role, status = user.status, organization = user.organizationId } = patch
  const isSelf = user.id === caller.user
  if (isSelf && (role !== user.role || status !== user.status || organization !== user.organizationId)) {
    // Prevents an organization from losing its last administrator by mistake.
    throw new Forbidden('users cannot change their own role, status or organization', { reason: 'OWN_ACCOUNT' })
  }
  if (!isSelf) checkOwnership(caller, user.role, role)
  if (role === 'bot') refuseInvitation({ status: status === user.status ? null : status })
  checkStatusMove(user.status, status)
}

/**
 * Removes a user's credentials when it becomes a bot or ceases to be one: what a person knows is not for a program, nor
 * the other way round. @returns guests whose sign-ins ended
 */
async function changeRole(ctx: Context, tx: WriteTx, user: User, role: User['role']): Promise<string[]> {
  await refuseUnmasking(tx, user)
  const guests = await endTokensOfBot(tx, user, user.updatedAt)
  if (user.role === 'bot') Object.assign(user, { apiScopes: null, apiTokenId: null, apiTokenHash: null })
  if (user.role === 'bot' || role === 'bot') {
    user.passwordHash = null
    await removeFactors(tx, user.id)
    await tx.query('delete from user_identity where user_id = $1', [user.id])
    await endOtherSignIns(ctx, tx, user)
    const channels = await tx.query<{ id: string }>('select channel_id as id from channel_member where user_id = $1', [
      user.id,
    ])
    const ids = channels.map(({ id }) => id)
    if (ids.length > 0) tx.addJob(membershipsChanged(user.id, ids))
  }
  user.role = role
  user.placedAt = ctx.now()
  if (role !== 'bot') Object.assign(user, { disclosure: null, mask: null })
  // A viewer takes no conversations any more.
  tx.addJob(departure(user.id))
  return guests
}

/** @returns guests whose sign-ins ended: with their tokens the bot would read what is masked for it */
async function changeMask(ctx: Context, tx: WriteTx, user: User, { mask, role }: UpdateUserInput): Promise<string[]> {
  user.mask = parseMask(mask, role ?? user.role)
  return user.mask ? endGuestsOfBot(tx, user, ctx.now()) : []
}

/** @returns guests whose sign-ins ended: of contacts that a bot does not see any more */
async function moveUser(ctx: Context, tx: WriteTx, user: User, organizationId: string): Promise<string[]> {
  const organization = await fetchRecord(ctx, Organization, organizationId, { field: 'organization', em: tx.em })
  const path = pathOf(organization)
  Object.assign(user, tenantColumns(path), { placedAt: ctx.now() })
  await releaseOutOfReach(tx, user.id, path)
  await addDeparture(tx, user.id, { path })
  return endGuestsOfBot(tx, user, ctx.now(), { outside: organizationId })
}

async function endOtherSignIns(ctx: Context, tx: WriteTx, user: User): Promise<void> {
  const { user: caller, family = null } = ctx.userCaller
  await endSignIns(tx, { user: user.id, now: ctx.now(), except: caller === user.id ? family : null })
}
