import type { Context } from '../context.js'
import { isAllowed } from '../access/permissions.js'
import type { AccessChanges } from '../access/access-changes.js'
import { pathOf, tenantColumns } from '../db/tenancy.js'
import { Forbidden } from '../errors.js'
import { organizationStream } from '../events/event.js'
import type { WriteTx } from '../events/transact.js'
import { refuseCleared } from '../input.js'
import { fetchRecord } from '../lists/fetch-record.js'
import { Organization } from '../organizations/organization.js'
import { endUsesOfApiToken } from './api-token-uses.js'
import type { UserDependencies } from './create-user.js'
import { proveSelf } from './prove-self.js'
import { readUserInput, SELF_FIELDS, type UpdateUserInput } from './user-input.js'
import { addDeparture, addInvitation, departure } from './user-jobs.js'
import { checkOwnership, eventOf, refuseSignIn, withUniqueEmail } from './user-rules.js'
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
  const provedHash = await proveSelf(ctx, credentials, id, patch)
  const passwordHash = patch.password === undefined ? null : await credentials.hashPassword(patch.password, 'password')
  let guests: string[] = []
  const user = await withUniqueEmail(patch.email, () =>
    transact(ctx, async (tx) => {
      const found = await fetchRecord(ctx, User, id, { em: tx.em, lock: true })
      if (!isAllowed(ctx.caller, 'user.update')) checkSelfChange(found, patch, given)
      checkChange(ctx, found, patch)
      if (provedHash !== undefined && provedHash !== found.passwordHash) {
        throw new Forbidden('currentPassword is no longer the current password', { field: 'currentPassword' })
      }
      const wasInvited = found.status === 'invited'
      tx.em.assign(found, { ...readUserInput(patch, found.meta ?? {}), updatedAt: ctx.now() }, REPLACE)
      if (patch.role && patch.role !== found.role) guests = await changeRole(ctx, tx, found, patch.role)
      if (patch.organization && patch.organization !== found.organizationId) {
        await moveUser(ctx, tx, found, patch.organization)
      }
      if (patch.status && (patch.status !== found.status || wasInvited)) {
        guests.push(...(await changeStatus(tx, found, patch.status)))
      }
      if (passwordHash) {
        found.passwordHash = passwordHash
        await endSignIns(ctx, tx, found)
      }
      await tx.em.flush()
      tx.emit(organizationStream(found.organizationId), 'user.updated', eventOf(found))
      return found
    }),
  )
  for (const each of [user.id, ...guests]) accessChanges.userChanged(each)
  return user
}

/** A patch replaces nested objects (section 1, PATCH). */
const REPLACE = { mergeObjectProperties: false } as const

/** Ignores unchanged values, since clients send whole records back. @throws Forbidden for an administrator's field */
function checkSelfChange(user: User, patch: UpdateUserInput, given: readonly (keyof UpdateUserInput)[]): void {
  const { email, role, status, organizationId: organization } = user
  const stored: Partial<Record<keyof UpdateUserInput, unknown>> = { email, role, status, organization }
  const field = given.find((key) => !SELF_FIELDS.has(key) && patch[key] !== stored[key])
  if (field) throw new Forbidden(`${field} can only be changed by an administrator`)
}

function checkChange(ctx: Context, user: User, patch: UpdateUserInput): void {
  const caller = ctx.userCaller
  const { role = user.role, status = user.status, organization = user.organizationId } = patch
  const isSelf = user.id === caller.user
  if (isSelf && (role !== user.role || status !== user.status || organization !== user.organizationId)) {
    // Prevents an organization from losing its last administrator by mistake.
    throw new Forbidden('users cannot change their own role, status or organization')
  }
  if (!isSelf) checkOwnership(caller, user.role, role)
  if (role === 'bot') refuseSignIn({ password: patch.password, status: status === user.status ? null : status })
  checkStatusMove(user.status, status)
}

/**
 * Removes the credentials of the old role: a bot's API token, anybody else's password. @returns guests whose sign-ins
 * ended
 */
async function changeRole(ctx: Context, tx: WriteTx, user: User, role: User['role']): Promise<string[]> {
  const guests = await endUsesOfApiToken(tx, user.apiTokenId, user.updatedAt)
  if (user.role === 'bot') Object.assign(user, { apiScopes: null, apiTokenId: null, apiTokenHash: null })
  if (role === 'bot') {
    user.passwordHash = null
    await endSignIns(ctx, tx, user)
  }
  user.role = role
  // A viewer takes no conversations any more.
  tx.addJob(departure(user.id))
  return guests
}

/** @returns guests whose sign-ins ended */
async function changeStatus(tx: WriteTx, user: User, status: User['status']): Promise<string[]> {
  user.status = status
  if (status === 'invited') addInvitation(tx, user.id)
  if (status !== 'archived') return []
  await tx.query('update token_family set revoked_at = $2 where user_id = $1 and revoked_at is null', [
    user.id,
    user.updatedAt,
  ])
  await addDeparture(tx, user.id)
  return endUsesOfApiToken(tx, user.apiTokenId, user.updatedAt)
}

async function moveUser(ctx: Context, tx: WriteTx, user: User, organizationId: string): Promise<void> {
  const organization = await fetchRecord(ctx, Organization, organizationId, { field: 'organization', em: tx.em })
  const path = pathOf(organization)
  Object.assign(user, tenantColumns(path))
  await addDeparture(tx, user.id, { path })
}

async function endSignIns(ctx: Context, tx: WriteTx, user: User): Promise<void> {
  const { user: caller, family = null } = ctx.userCaller
  await tx.query(
    `update token_family set revoked_at = $2
     where user_id = $1 and revoked_at is null and id is distinct from $3::uuid`,
    [user.id, ctx.now(), caller === user.id ? family : null],
  )
}
