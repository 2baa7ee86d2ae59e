import { isAllowed } from '../../platform/access/permissions.js'
import type { Context } from '../../platform/context.js'
import { BadUserInput, Forbidden } from '../../platform/errors.js'
import { fetchRecord } from '../../platform/lists/fetch-record.js'
import type { Credentials } from './credentials.js'
import type { UpdateUserInput } from './user-input.js'
import { User } from './user.js'

/**
 * Requires more than a token for changes of the caller's own credentials. An API token can change neither password nor
 * email; users need their current password, which the thief of a session does not know. Unchanged values are ignored:
 * clients send whole records back.
 * @returns the verified hash, to be compared with the locked row's; undefined where nothing had to be verified
 * @throws Forbidden, BadUserInput, RateLimited
 */
export async function proveSelf(
  ctx: Context,
  credentials: Credentials,
  id: string,
  patch: UpdateUserInput,
): Promise<string | null | undefined> {
  const { user: caller, apiToken } = ctx.userCaller
  if (patch.password === undefined && patch.email === undefined) return undefined
  const user = await fetchRecord(ctx, User, id)
  const isNewEmail = patch.email !== undefined && patch.email !== user.email
  const field = patch.password !== undefined ? 'password' : 'email'
  // Without the permission to change emails it is refused like any other field for administrators.
  if (field === 'email' && !(isNewEmail && isAllowed(ctx.caller, 'user.update'))) return undefined
  if (apiToken) throw apiTokenRefused(field)
  if (user.id !== caller) return undefined
  return provePassword(ctx, credentials, user, {
    currentPassword: patch.currentPassword,
    change: `change one's own ${field}`,
  })
}

/**
 * Requires the caller's current password.
 * @param change to be named in the refusal: `change one's own email`
 * @returns the verified hash, for {@link requireProved} @throws Forbidden, BadUserInput, RateLimited
 */
export async function provePassword(
  ctx: Context,
  credentials: Credentials,
  user: User,
  { currentPassword, change }: { currentPassword: unknown; change: string },
): Promise<string | null> {
  if (typeof currentPassword !== 'string' || currentPassword === '') {
    throw new BadUserInput('currentPassword', `currentPassword is required to ${change}`, 'MISSING_VALUE')
  }
  const isRight = await credentials.checkPassword(ctx, user, currentPassword)
  if (!isRight) throw wrongPassword('currentPassword is wrong')
  return user.passwordHash
}

/** Compares the password that was proved with that of the locked user. @throws Forbidden */
export function requireProved(user: User, provedHash: string | null): void {
  if (provedHash !== user.passwordHash) throw wrongPassword('currentPassword is no longer the current password')
}

function wrongPassword(message: string): Forbidden {
  return new Forbidden(message, { reason: 'WRONG_PASSWORD', field: 'currentPassword' })
}

/** @param what cannot be changed */
export function apiTokenRefused(what: string): Forbidden {
  return new Forbidden(`${what} cannot be changed with an API token`, { reason: 'SIGN_IN_REQUIRED' })
}
