import { createHash } from 'node:crypto'
import { LockMode } from '@mikro-orm/core'
import { addMutationEntry } from '../../platform/audit/audit-entry.js'
import type { Context } from '../../platform/context.js'
import { Forbidden, Unprocessable } from '../../platform/errors.js'
import type { Transact } from '../../platform/events/transact.js'
import { organizationStream } from '../../platform/events/event.js'
import { MAIL_SHARE } from '../../platform/jobs/job.js'
import { unstorable, type JsonObject } from '../../platform/json.js'
import { fetchRecord } from '../../platform/lists/fetch-record.js'
import { markChanged } from '../../platform/lists/record-version.js'
import { passwordLoginOff } from '../sign-in-policy/password-login.js'
import { endSignIns } from '../users/end-sign-ins.js'
import { checkOwnership, eventOf } from '../users/user-rules.js'
import { User } from '../users/user.js'
import type { ChosenPassword } from './accept-invitation.js'
import { PASSWORD_RESET } from './password-mail.js'
import { invalidLink, type PasswordLinks } from './password-links.js'
import { parseChosen } from './parse-chosen.js'
import type { ResetThrottle } from './reset-throttle.js'
import { everyTenant } from './every-tenant.js'
import {
  EMAIL_CHARS_MAX,
  findUser,
  openSession,
  presentAtSignIn,
  provingFactor,
  type SignInDependencies,
} from './sign-in.js'
import type { SignInLink } from './sign-in-link.js'
import type { TokenResponse } from './token-response.js'

/**
 * Has a link for a new password mailed, if the email is a user's. Whoever asks learns nothing of that: the same is
 * counted and written for any email, and only the job acts on the user. @throws RateLimited
 */
export async function requestPasswordReset(
  ctx: Context,
  { transact, throttle }: { transact: Transact; throttle: ResetThrottle },
  email: string,
): Promise<void> {
  const given = email.trim().toLowerCase()
  const { user, account } = await findUser(ctx, given)
  const isMailed = await throttle.mayMail({ account, address: ctx.address, isKnown: user?.is_known ?? false })
  if (!isMailed || given.length > EMAIL_CHARS_MAX || unstorable(given)) return
  const key = createHash('sha256').update(given).digest('base64url')
  await transact(everyTenant(ctx), async (tx) => {
    tx.addJob(PASSWORD_RESET.create({ email: given }, { key: `reset:${key}`, share: MAIL_SHARE }))
  })
}

/**
 * A link that an administrator hands over where no mail is set up: by it the user chooses a password. An invited user
 * finishes the registration by it. @throws NotFound, Forbidden for an owner's, Unprocessable for a bot or an archived user
 */
export async function createSignInLink(ctx: Context, links: PasswordLinks, id: string): Promise<SignInLink> {
  const { id: user, role } = await fetchRecord(ctx, User, id)
  checkOwnership(ctx.userCaller, role)
  // A stolen session must not be enough to change the password that it was opened with.
  if (user === ctx.userCaller.user) throw new Forbidden('a link for yourself is sent by requestPasswordReset only')
  const found = await links.find(user)
  const purpose = found ? links.purposeFor(found) : null
  if (!found || !purpose)
    throw new Unprocessable('neither a bot nor an archived user signs in by a link', {
      reason: 'NO_PASSWORD',
      field: 'user',
    })
  if (found.is_password_off) throw passwordLoginOff()
  const link = links.linkFor(found, purpose)
  await ctx.database.sqlTransaction((sql) => addMutationEntry(sql, ctx))
  return link
}

/**
 * Sets another password by a link, ends all sign-ins of the user and signs in. The link works once: it is bound to the
 * password that it replaces. It proves the email only: a second factor is needed as at a sign-in, and the link stays valid
 * until it is right. @throws Unprocessable, BadUserInput, Unauthenticated, RateLimited
 */
export async function resetPassword(
  ctx: Context,
  dependencies: SignInDependencies & { links: PasswordLinks },
  {
    token,
    password,
    timezone,
    code = null,
    passkey: given,
  }: ChosenPassword & { code?: string | null; passkey?: JsonObject | null },
): Promise<TokenResponse> {
  const { links, hasher, transact, throttle, accessChanges, factors } = dependencies
  const user = await links.check(token, 'reset')
  const passkey = await presentAtSignIn(ctx, dependencies.passkeys, { user: user.id, passkey: given })
  const passwordHash = await hasher.hash(await parseChosen(ctx, user, password))
  const change = () =>
    transact(everyTenant(ctx), async (tx) => {
      const found = await tx.em.findOne(User, { id: user.id }, { lockMode: LockMode.PESSIMISTIC_WRITE })
      // Of two that use it at once, the first one's password counts.
      const { id } = user
      const isAsChecked = found?.passwordHash === user.password_hash && found?.email === user.email
      if (!found || !isAsChecked || found.status === 'archived' || found.role === 'bot') throw invalidLink('reset')
      const factor = await factors.take(tx, { user: id, code, passkey, now: ctx.now() })
      found.passwordHash = passwordHash
      markChanged(found, ctx.now())
      await endSignIns(tx, { user: user.id, now: ctx.now() })
      await tx.em.flush()
      tx.emit(organizationStream(found.organizationId), 'user.updated', eventOf(found))
      const details: JsonObject = factor ? { secondFactor: factor } : {}
      const organization = found.organizationId
      tx.addAudit({ action: 'resetPassword', object: { type: 'user', id }, organization, user: id, details })
    })
  await provingFactor(ctx, factors, { user: user.id, code, passkey }, change)
  accessChanges.userChanged(user.id)
  const response = await openSession(ctx, dependencies, {
    user: user.id,
    passwordHash,
    timezone: timezone ?? null,
    isFactorProved: true,
  })
  if (!response) throw invalidLink('reset')
  // The address has not been counted for a guess, and earns none back.
  await throttle.succeeded({ account: user.id, address: null })
  return response
}
