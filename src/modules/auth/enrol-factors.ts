import type { AccessChanges } from '../../platform/access/access-changes.js'
import type { Context } from '../../platform/context.js'
import type { Sql } from '../../platform/db/database.js'
import { BadUserInput, Forbidden, Unauthenticated, Unprocessable } from '../../platform/errors.js'
import { organizationStream } from '../../platform/events/event.js'
import type { Transact, WriteTx } from '../../platform/events/transact.js'
import type { JsonObject } from '../../platform/json.js'
import { fetchRecord } from '../../platform/lists/fetch-record.js'
import type { Credentials } from '../users/credentials.js'
import { apiTokenRefused, provePassword, requireProved } from '../users/prove-self.js'
import { removeFactors, resetSecondFactor } from '../users/remove-factors.js'
import { checkOwnership, eventOf } from '../users/user-rules.js'
import { User } from '../users/user.js'
import { isFactorDemandedSql } from '../sign-in-policy/sign-in-rules.js'
import type { Passkeys } from './passkeys/passkeys.js'
import {
  appEnrolled,
  hasPasskey,
  hasTotp,
  isEnrolled,
  PENDING_SECONDS,
  type PendingTotp,
  type SecondFactors,
} from './second-factors.js'
import { isOpenSql } from './token-families.js'
import { invalidToken } from './tokens.js'

export interface FactorDependencies {
  transact: Transact
  accessChanges: AccessChanges
  credentials: Credentials
  factors: SecondFactors
  passkeys: Passkeys
}

/**
 * Makes a secret for an authenticator app. It counts from its confirmation on; of several that wait, as in two tabs, the
 * first that is confirmed counts.
 * @throws Forbidden, BadUserInput, RateLimited, Unprocessable
 */
export async function enrolTotp(ctx: Context, dependencies: FactorDependencies, given: OwnProof): Promise<PendingTotp> {
  // Before a code of it is asked for.
  if (await hasTotp(ctx.reads, ctx.userCaller.user)) throw appEnrolled()
  return changeOwn(ctx, dependencies, { ...given, change: 'enrol an authenticator app' }, async (tx, user) => {
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

/**
 * Proof that a change of factors is the user's own: neither a session nor a password that a browser fills in is enough for whoever
 * has a second factor.
 */
export interface OwnProof {
  currentPassword: string
  code: string | null
  /** A browser's answer to the options of `createPasskeyProof`. */
  passkey: JsonObject | null
}

/**
 * Removes the caller's authenticator app; recovery codes stay while there is a passkey.
 * @throws Forbidden, BadUserInput, RateLimited, Unprocessable
 */
export function removeTotp(ctx: Context, dependencies: FactorDependencies, given: OwnProof): Promise<boolean> {
  return changeOwn(ctx, dependencies, { ...given, change: 'remove the second factor' }, async (tx, user) => {
    const isLast = !(await hasPasskey(tx, user.id))
    if (isLast) await refuseDemanded(tx, user.id)
    if (!(await hasTotp(tx, user.id))) throw noFactor('the user has no authenticator app')
    if (isLast) await removeFactors(tx, user.id)
    else await tx.query('delete from user_factor where user_id = $1', [user.id])
    noteChange(ctx, tx, user)
    return true
  })
}

/** Replaces the caller's recovery codes. @throws Forbidden, BadUserInput, RateLimited, Unprocessable */
export function createRecoveryCodes(
  ctx: Context,
  dependencies: FactorDependencies,
  given: OwnProof,
): Promise<string[]> {
  return changeOwn(ctx, dependencies, { ...given, change: 'create recovery codes' }, async (tx, user) => {
    if (!(await isEnrolled(tx, user.id))) throw noFactor('recovery codes need an authenticator app or a passkey')
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
    if (!(await resetSecondFactor(tx, found, ctx.now()))) throw noFactor('the user has no second factor')
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
 * @param proof null where it was given before; its code or passkey is taken where there is a factor
 */
export async function changeOwn<T>(
  ctx: Context,
  { transact, credentials, factors, passkeys }: FactorDependencies,
  proof: ({ change: string } & OwnProof) | null,
  change: (tx: WriteTx, user: User) => Promise<T>,
): Promise<T> {
  const session = sessionOf(ctx)
  const { user: id } = session
  const me = await fetchRecord(ctx, User, id)
  const provedHash = proof && (await provePassword(ctx, credentials, me, proof))
  try {
    const passkey = proof?.passkey
      ? await passkeys.present(ctx, proof.passkey, { purpose: 'prove', holder: session })
      : null
    const code = proof?.code ?? null
    const work = () =>
      transact(ctx, async (tx) => {
        const user = await fetchRecord(ctx, User, id, { em: tx.em, lock: true })
        await requireOpen(ctx, tx, session)
        if (proof) {
          requireProved(user, provedHash)
          await factors.take(tx, { user: id, code, passkey, now: ctx.now() })
        }
        return change(tx, user)
      })
    return await factors.throttled(ctx, { user: id, code, passkey }, work)
  } catch (error) {
    if (!(error instanceof Unauthenticated)) throw error
    const { reason, field } = error.details
    if (reason === 'TOKEN_INVALID') throw error
    // The caller is signed in all the same.
    if (reason === 'SECOND_FACTOR_REQUIRED')
      throw new BadUserInput('code', `code, or a passkey, is required to ${proof!.change}`, 'MISSING_VALUE')
    if (reason !== 'SECOND_FACTOR_WRONG' || field === 'passkey') throw invalidPasskey(error.message)
    throw new Unprocessable(error.message, { reason: 'CODE_WRONG', field: 'code' })
  }
}

/** A node hears of the end of a session a moment later: whoever has stolen it would leave a factor behind. @throws Unauthenticated */
async function requireOpen(ctx: Context, tx: WriteTx, { family }: { family: string }): Promise<void> {
  const open = await tx.query(`select from token_family f where f.id = $1 and ${isOpenSql('f', '$2')} for share of f`, [
    family,
    ctx.now(),
  ])
  if (open.length === 0) throw invalidToken()
}

export function invalidPasskey(message: string): Unprocessable {
  return new Unprocessable(message, { reason: 'PASSKEY_INVALID', field: 'passkey' })
}

/** Returns the caller's session, which challenges are bound to. @throws Forbidden for an API token */
export function sessionOf(ctx: Context): { user: string; family: string } {
  const { user, family } = ctx.userCaller
  if (!family) throw apiTokenRefused('a second factor')
  return { user, family }
}

/** Tells administrators who look at the user, and the audit log. */
export function noteChange(ctx: Context, tx: WriteTx, user: User): void {
  if (ctx.mutation) ctx.mutation.isAudited = true
  tx.emit(organizationStream(user.organizationId), 'user.updated', eventOf(user))
}

/** An administrator's reset is the way to another phone: the next sign-in enrols it. */
export async function refuseDemanded(tx: WriteTx, user: string): Promise<void> {
  const demanded = await tx.query(`select from app_user u where u.id = $1 and ${isFactorDemandedSql('u')}`, [user])
  if (demanded.length === 0) return
  throw new Unprocessable('the sign-in policy asks for a second factor: it stays; an administrator can reset it', {
    reason: 'SECOND_FACTOR_DEMANDED',
  })
}

export function noFactor(message: string): Unprocessable {
  return new Unprocessable(message, { reason: 'NO_SECOND_FACTOR' })
}
