import type { AccessChanges } from '../../platform/access/access-changes.js'
import type { Context } from '../../platform/context.js'
import type { Sql } from '../../platform/db/database.js'
import { BadUserInput, Forbidden, Unprocessable } from '../../platform/errors.js'
import { organizationStream } from '../../platform/events/event.js'
import type { Transact, WriteTx } from '../../platform/events/transact.js'
import { fetchRecord } from '../../platform/lists/fetch-record.js'
import type { Credentials } from '../users/credentials.js'
import { apiTokenRefused, provePassword, requireProved } from '../users/prove-self.js'
import { removeFactors } from '../users/remove-factors.js'
import { checkOwnership, eventOf } from '../users/user-rules.js'
import { User } from '../users/user.js'
import { isFactorDemandedSql } from '../sign-in-policy/sign-in-rules.js'
import {
  isEnrolled,
  isOfSecondFactor,
  PENDING_SECONDS,
  type PendingTotp,
  type SecondFactors,
} from './second-factors.js'

export interface FactorDependencies {
  transact: Transact
  accessChanges: AccessChanges
  credentials: Credentials
  factors: SecondFactors
}

/**
 * Makes a secret for an authenticator app. It counts from its confirmation on; of several that wait, as in two tabs, the
 * first that is confirmed counts.
 * @throws Forbidden, BadUserInput, RateLimited, Unprocessable
 */
export function enrolTotp(
  ctx: Context,
  dependencies: FactorDependencies,
  currentPassword: string,
): Promise<PendingTotp> {
  return changeOwn(ctx, dependencies, { currentPassword, change: 'enrol an authenticator app' }, async (tx, user) => {
    if (user.role === 'bot') throw noFactor('a bot has no second factor')
    return dependencies.factors.begin(tx, { user, now: ctx.now(), newId: () => ctx.newId() })
  })
}

/**
 * Confirms an enrolment by a code of the app, which is then spent: from now on, sign-ins by password need a code.
 * @returns recovery codes @throws NotFound, Unprocessable for a wrong code
 */
export function confirmTotp(
  ctx: Context,
  dependencies: FactorDependencies,
  { id, code }: { id: string; code: string },
): Promise<string[]> {
  const { factors } = dependencies
  return changeOwn(ctx, dependencies, null, async (tx, user) => {
    await factors.confirm(tx, { user: user.id, id, code, now: ctx.now() })
    noteChange(ctx, tx, user)
    return factors.replaceRecoveryCodes(tx, user.id)
  })
}

/** Proof that a change of a factor that counts is the user's own: neither a session nor a password that a browser fills in is enough. */
export interface BothFactors {
  currentPassword: string
  code: string
}

/** Removes the caller's second factor with its recovery codes. @throws Forbidden, BadUserInput, RateLimited, Unprocessable */
export function removeTotp(ctx: Context, dependencies: FactorDependencies, given: BothFactors): Promise<boolean> {
  return changeOwn(ctx, dependencies, { ...given, change: 'remove the second factor' }, async (tx, user) => {
    await refuseDemanded(tx, user.id)
    if (!(await removeFactors(tx, user.id))) throw noFactor('the user has no second factor')
    noteChange(ctx, tx, user)
    return true
  })
}

/** Replaces the caller's recovery codes. @throws Forbidden, BadUserInput, RateLimited, Unprocessable */
export function createRecoveryCodes(
  ctx: Context,
  dependencies: FactorDependencies,
  given: BothFactors,
): Promise<string[]> {
  return changeOwn(ctx, dependencies, { ...given, change: 'create recovery codes' }, async (tx, user) => {
    if (!(await isEnrolled(tx, user.id))) throw noFactor('recovery codes need an authenticator app')
    noteChange(ctx, tx, user)
    return dependencies.factors.replaceRecoveryCodes(tx, user.id)
  })
}

/**
 * Removes the second factor of another user, who has lost it, and ends all sign-ins of the user.
 * @throws NotFound, Forbidden for oneself and, except for owners, for an owner; Unprocessable for a user without one
 */
export async function resetFactors(
  ctx: Context,
  { transact, accessChanges }: Pick<FactorDependencies, 'transact' | 'accessChanges'>,
  id: string,
): Promise<User> {
  const user = await transact(ctx, async (tx) => {
    const found = await fetchRecord(ctx, User, id, { field: 'user', em: tx.em, lock: true })
    // Without one's password: a stolen session would be enough.
    if (found.id === ctx.userCaller.user)
      throw new Forbidden('your own second factor is removed by removeTotp', { reason: 'OWN_ACCOUNT', field: 'user' })
    checkOwnership(ctx.userCaller, found.role)
    if (!(await removeFactors(tx, found.id))) throw noFactor('the user has no second factor')
    await tx.query('update token_family set revoked_at = $2 where user_id = $1 and revoked_at is null', [
      found.id,
      ctx.now(),
    ])
    tx.emit(organizationStream(found.organizationId), 'user.updated', eventOf(found))
    return found
  })
  accessChanges.userChanged(user.id)
  return user
}

/** Deletes enrolments that were not confirmed in time. */
export async function pruneEnrolments(sql: Sql, now: Date): Promise<void> {
  await sql.query(
    `delete from user_factor where confirmed_at is null
       and created_at < $1::timestamptz - make_interval(secs => ${PENDING_SECONDS})`,
    [now],
  )
}

/**
 * Changes the caller's own factors under the caller's lock.
 * @param proof null where the password was proved before; with a code, which is taken, where there is a factor
 */
async function changeOwn<T>(
  ctx: Context,
  { transact, credentials, factors }: FactorDependencies,
  proof: ({ change: string } & Pick<BothFactors, 'currentPassword'> & Partial<BothFactors>) | null,
  change: (tx: WriteTx, user: User) => Promise<T>,
): Promise<T> {
  const { user: id, apiToken } = ctx.userCaller
  if (apiToken) throw apiTokenRefused('a second factor')
  const me = await fetchRecord(ctx, User, id)
  const provedHash = proof && (await provePassword(ctx, credentials, me, proof))
  const code = proof?.code
  const work = () =>
    transact(ctx, async (tx) => {
      const user = await fetchRecord(ctx, User, id, { em: tx.em, lock: true })
      if (proof) requireProved(user, provedHash)
      if (code !== undefined) await factors.take(tx, { user: id, code, now: ctx.now() })
      return change(tx, user)
    })
  try {
    return await (code === undefined ? work() : factors.throttled(ctx, { user: id, code }, work))
  } catch (error) {
    if (!isOfSecondFactor(error)) throw error
    // The caller is signed in all the same.
    if (error.details.reason === 'SECOND_FACTOR_REQUIRED')
      throw new BadUserInput('code', `code is required to ${proof!.change}`, 'MISSING_VALUE')
    throw new Unprocessable(error.message, { reason: 'CODE_WRONG', field: 'code' })
  }
}

/** Tells administrators who look at the user, and the audit log. */
function noteChange(ctx: Context, tx: WriteTx, user: User): void {
  if (ctx.mutation) ctx.mutation.isAudited = true
  tx.emit(organizationStream(user.organizationId), 'user.updated', eventOf(user))
}

/** An administrator's reset is the way to another phone: the next sign-in enrols it. */
async function refuseDemanded(tx: WriteTx, user: string): Promise<void> {
  const demanded = await tx.query(`select from app_user u where u.id = $1 and ${isFactorDemandedSql('u')}`, [user])
  if (demanded.length === 0) return
  throw new Unprocessable('the sign-in policy asks for a second factor: it stays; an administrator can reset it', {
    reason: 'SECOND_FACTOR_DEMANDED',
  })
}

function noFactor(message: string): Unprocessable {
  return new Unprocessable(message, { reason: 'NO_SECOND_FACTOR' })
}
