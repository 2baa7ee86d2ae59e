import { LockMode } from '@mikro-orm/core'
import type { Context } from '../../../platform/context.js'
import { isCenterInUseSql } from '../../../platform/db/archived-centers.js'
import { Forbidden, Unauthenticated } from '../../../platform/errors.js'
import type { JsonObject } from '../../../platform/json.js'
import { parseTimezone } from '../../../platform/timezone.js'
import { User } from '../../users/user.js'
import { everyTenant } from '../every-tenant.js'
import { noteCopiedPasskey, noteRefusal } from '../note-refusal.js'
import { openFor, type SignInDependencies } from '../sign-in.js'
import type { TokenResponse } from '../token-response.js'
import { PasskeyFault } from './passkeys.js'

export interface PasskeySignIn {
  passkey: JsonObject
  timezone?: string | null
}

/**
 * Signs in by a passkey alone, which says whose it is, and proves both factors. A passkey that nobody has, one that was removed, a
 * wrong signature, a copy and an archived user give the same answer.
 * @throws Unauthenticated, RateLimited, Forbidden as other sign-ins by the policy, BadUserInput, Unprocessable without a site for passkeys
 */
export async function signInByPasskey(
  ctx: Context,
  { transact, signer, throttle, passkeys, accessChanges }: SignInDependencies,
  input: PasskeySignIn,
): Promise<TokenResponse> {
  const timezone = input.timezone == null ? null : parseTimezone(input.timezone, 'timezone')
  await passkeys.pace.spend('answer', ctx.address)
  const presented = await passkeys.present(ctx, input.passkey, { purpose: 'signIn', holder: null })
  const guess = { account: `passkey ${presented.answer.id}`, address: ctx.address }
  await throttle.check(guess)
  const owner = await findOwner(ctx, presented.answer.id)
  if (owner === null) throw refused()
  let isActivated = false
  const open = () =>
    transact(everyTenant(ctx), async (tx) => {
      const user = await tx.em.findOne(User, { id: owner }, { lockMode: LockMode.PESSIMISTIC_WRITE })
      if (!user || user.status === 'archived') return null
      const passkey = await passkeys.prove(tx, { presented, user: owner, now: ctx.now(), needsHandle: true })
      isActivated = user.status !== 'active'
      return openFor(ctx, tx, signer, { user, timezone, details: { passkey } })
    })
  const response = await open().catch(async (error: unknown) => {
    if (error instanceof Forbidden) {
      noteRefusal(ctx, owner, { reason: error.details.reason })
      // The passkey was right: the policy is asked after it.
      await throttle.succeeded(guess)
    }
    if (!(error instanceof PasskeyFault)) throw error
    if (error.isCopied) await noteCopiedPasskey(ctx, owner)
    else noteRefusal(ctx, owner, { passkey: 'wrong' })
    throw refused()
  })
  if (!response) throw refused()
  if (isActivated) accessChanges.userChanged(owner)
  await throttle.succeeded(guess)
  return response
}

async function findOwner(ctx: Context, credential: string): Promise<string | null> {
  const [found] = await ctx.reads.query<{ id: string }>(
    `select u.id from passkey k join app_user u on u.id = k.user_id
     where k.credential_id = $1 and ${isCenterInUseSql('u')}`,
    [credential],
    'user-of-passkey',
  )
  return found?.id ?? null
}

function refused(): Unauthenticated {
  return new Unauthenticated('the passkey is not accepted', { reason: 'PASSKEY_REFUSED', field: 'passkey' })
}
