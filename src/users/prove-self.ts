import { isAllowed } from '../access/permissions.js'
import type { Context } from '../context.js'
import { BadUserInput, Forbidden } from '../errors.js'
import { fetchRecord } from '../lists/fetch-record.js'
import type { Credentials } from './credentials.js'
import type { UpdateUserInput } from './user-input.js'
import { User } from './user.js'

/**
 * Who changes how one signs in proves to be more than the holder of a token. An API token changes neither password nor
 * email; a user's own need the present password, which a stolen session does not know. What is as it was is no change:
 * clients send whole records back.
 * @returns the hash that was proved, to be compared with the locked row's; undefined where nothing had to be proved
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
  // Without the right to change emails that is refused as any other field of an administrator's.
  if (field === 'email' && !(isNewEmail && isAllowed(ctx.caller, 'user.update'))) return undefined
  if (apiToken) throw new Forbidden(`${field} is not changed with an API token`)
  if (user.id !== caller) return undefined
  if (typeof patch.currentPassword !== 'string' || patch.currentPassword === '') {
    throw new BadUserInput('currentPassword', `currentPassword is needed to change one's own ${field}`)
  }
  const isRight = await credentials.checkPassword(ctx, user, patch.currentPassword)
  if (!isRight) throw new Forbidden('currentPassword is wrong', { field: 'currentPassword' })
  return user.passwordHash
}
