import { LockMode } from '@mikro-orm/core'
import { scopesOfRole } from '../../platform/access/scopes.js'
import type { AccessChanges } from '../../platform/access/access-changes.js'
import type { Context } from '../../platform/context.js'
import { isCenterInUseSql } from '../../platform/db/archived-centers.js'
import { pathOf } from '../../platform/db/tenancy.js'
import { Forbidden, Unauthenticated, Unprocessable } from '../../platform/errors.js'
import { organizationStream } from '../../platform/events/event.js'
import type { Transact, WriteTx } from '../../platform/events/transact.js'
import { unstorable, type JsonObject } from '../../platform/json.js'
import { networkOf } from '../../platform/limits/network-of.js'
import { markChanged } from '../../platform/lists/record-version.js'
import { eventOf } from '../users/user-rules.js'
import { parseTimezone } from '../../platform/timezone.js'
import { localeOfHeader } from '../users/user-settings.js'
import { isDomainOffSql, isPasswordOffSql, passwordLoginOff } from '../sign-in-policy/password-login.js'
import { factorDueSql, rangesOf, readRulesOfPath, requireNetwork } from '../sign-in-policy/sign-in-rules.js'
import { User } from '../users/user.js'
import { everyTenant } from './every-tenant.js'
import type { LoginThrottle } from './login-throttle.js'
import { noteRefusal } from './note-refusal.js'
import type { Passkeys, Presented } from './passkeys/passkeys.js'
import {
  enrolledAlready,
  hasPasskey,
  isEnrolled,
  isOfSecondFactor,
  type FactorProof,
  type PendingTotp,
  type SecondFactors,
} from './second-factors.js'
import { PASSWORD_CHARS_MAX, type PasswordHasher } from './passwords.js'
import { openFamily, type ProviderSession } from './token-families.js'
import type { TokenResponse } from './token-response.js'
import type { TokenSigner } from './tokens.js'
import { knowsNetworkSql, rememberNetwork } from './user-networks.js'

export interface SignInDependencies {
  transact: Transact
  signer: TokenSigner
  hasher: PasswordHasher
  throttle: LoginThrottle
  accessChanges: AccessChanges
  factors: SecondFactors
  passkeys: Passkeys
}

export interface SignIn {
  email: string
  password: string
  /** The client's time zone, stored when the user has none (2.3). */
  timezone?: string | null
  /** Proves the second factor; ignored for a user who has none. */
  code?: string | null
  /** Proves it as well: a browser's answer to the options of `createPasskeyChallenge`. */
  passkey?: JsonObject | null
  /** Id of what `enrolAtSignIn` began: `code` confirms it. */
  enrolment?: string | null
}

/**
 * Exchanges an email and a password for tokens (4.1). An unknown email, a wrong password and an archived user take the
 * same work and give the same answer; so does whom the policy sends to a provider, which is said of all emails of the domain. Whether a user has a second factor is told to who knows the password.
 * @throws Unauthenticated, RateLimited, Forbidden, BadUserInput for an unknown zone
 */
export async function signIn(ctx: Context, dependencies: SignInDependencies, input: SignIn): Promise<TokenResponse> {
  const { throttle, factors } = dependencies
  const { code = null, enrolment = null } = input
  const timezone = input.timezone == null ? null : parseTimezone(input.timezone, 'timezone')
  const { user, guess } = await provePassword(ctx, dependencies, input)
  const open = async (): Promise<TokenResponse | null> => {
    const passkey = await presentAtSignIn(ctx, dependencies.passkeys, { user: user.id, passkey: input.passkey })
    const opening = { user: user.id, passwordHash: user.password_hash, timezone, code, passkey, enrolment }
    const attempt = { user: user.id, code, passkey, isKnown: guess.isKnown }
    return provingFactor(ctx, factors, attempt, () => openSession(ctx, dependencies, opening))
  }
  const response = await open().catch(async (error: unknown) => {
    if (error instanceof Forbidden) noteRefusal(ctx, user.id, { reason: error.details.reason })
    // The password was no guess: codes are counted by themselves, also where too many of them are refused.
    await throttle.succeeded(guess)
    throw error
  })
  if (!response) throw refused()
  await throttle.succeeded(guess)
  return response
}

/**
 * Begins an enrolment for whoever knows the password and has no second factor; `code` and `enrolment` of `signIn` finish it.
 * @throws Unauthenticated, RateLimited, Forbidden, Unprocessable for who has a second factor
 */
export async function enrolAtSignIn(
  ctx: Context,
  dependencies: SignInDependencies,
  input: Pick<SignIn, 'email' | 'password'>,
): Promise<PendingTotp> {
  const { user, guess } = await provePassword(ctx, dependencies, input)
  const pending = await dependencies.transact(everyTenant(ctx), async (tx) => {
    const found = await tx.em.findOne(User, { id: user.id }, { lockMode: LockMode.PESSIMISTIC_WRITE })
    if (!found || found.status === 'archived' || found.passwordHash !== user.password_hash) return null
    if (found.role === 'bot') throw new Unprocessable('a bot has no second factor', { reason: 'NO_SECOND_FACTOR' })
    requireNetwork(rangesOf((await readRulesOfPath(tx, pathOf(found))).allowedNetworks), ctx.address)
    // Whoever has one proves it in place of adding another.
    if (await isEnrolled(tx, found.id)) throw enrolledAlready('a second factor is enrolled already')
    return dependencies.factors.begin(tx, { user: found, now: ctx.now(), newId: () => ctx.newId() })
  })
  if (!pending) throw refused()
  await dependencies.throttle.succeeded(guess)
  return pending
}

/** Checks an email and its password. @throws Unauthenticated, RateLimited, Forbidden */
async function provePassword(
  ctx: Context,
  { hasher, throttle }: Pick<SignInDependencies, 'hasher' | 'throttle'>,
  input: Pick<SignIn, 'email' | 'password'>,
): Promise<{ user: Credential; guess: { account: string; address: string | null; isKnown: boolean } }> {
  const { user, account, isDomainOff } = await findUser(ctx, input.email)
  const guess = { account, address: ctx.address, isKnown: user?.is_known ?? false }
  await throttle.check(guess)
  // A password beyond the limit cannot match and is not hashed; the empty one takes the usual time.
  const password = input.password.length > PASSWORD_CHARS_MAX ? '' : input.password
  const origin = { network: networkOf(ctx.address ?? 'unknown'), isKnown: guess.isKnown }
  const isOff = user?.is_password_off ?? false
  // Of whom the policy forbids it, no password is checked, which takes as long.
  const isRight = await hasher.verify(isOff ? null : user?.password_hash, password, origin)
  if (user && !isRight) noteRefusal(ctx, user.id, isOff ? { reason: 'PASSWORD_LOGIN_OFF' } : {})
  if (!user || !isRight) throw isDomainOff ? passwordLoginOff() : refused()
  return { user, guess }
}

/**
 * Takes the challenge of a passkey that is given beside a password.
 * @returns null without one, and for a user without a second factor @throws as `Passkeys.present`
 */
export async function presentAtSignIn(
  ctx: Context,
  passkeys: Passkeys,
  { user, passkey }: { user: string; passkey: JsonObject | null | undefined },
): Promise<Presented | null> {
  if (!passkey || !(await isEnrolled(ctx.reads, user))) return null
  return passkeys.present(ctx, passkey, { purpose: 'signIn', holder: null })
}

/** Does what takes a code: wrong ones are counted, and noted in the audit log. @throws RateLimited, and what `work` throws */
export async function provingFactor<T>(
  ctx: Context,
  factors: SecondFactors,
  attempt: FactorProof & { user: string; isKnown?: boolean },
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await factors.throttled(ctx, attempt, work)
  } catch (error) {
    if (isOfSecondFactor(error) && error.details.reason === 'SECOND_FACTOR_WRONG')
      noteRefusal(ctx, attempt.user, { secondFactor: 'wrong' })
    throw error
  }
}

function refused(): Unauthenticated {
  return new Unauthenticated('email or password is wrong', { reason: 'WRONG_CREDENTIALS' })
}

interface Credential {
  id: string
  password_hash: string | null
  /** True if the user signed in from this network before. */
  is_known: boolean
  is_password_off: boolean
}

export const EMAIL_CHARS_MAX = 254

/**
 * Finds the user, and the account to which failures are counted: normalized by the database's case rules, which differ
 * from JavaScript's, so that no spelling gets attempts of its own.
 */
export async function findUser(
  ctx: Context,
  email: string,
): Promise<{ user: Credential | null; account: string; isDomainOff: boolean }> {
  if (email.length > EMAIL_CHARS_MAX || unstorable(email)) return { user: null, account: email, isDomainOff: false }
  const [row] = await ctx.reads.query<
    { account: string; is_domain_off: boolean } & (Credential | Record<keyof Credential, null>)
  >(
    `select coalesce(u.id::text, lower($1)) as account, u.id, u.password_hash,
       $2::text is not null and ${knowsNetworkSql('$2', '$3')} as is_known,
       ${isPasswordOffSql('u')} as is_password_off, ${isDomainOffSql('given.email')} as is_domain_off
     from (values (lower($1))) as given(email) left join app_user u on lower(u.email) = given.email
       and ${isCenterInUseSql('u')}`,
    [email, ctx.address && networkOf(ctx.address), ctx.now()],
    'user-of-email',
  )
  const { account, id, password_hash, is_known, is_password_off, is_domain_off: isDomainOff } = row!
  if (id === null) return { account, isDomainOff, user: null }
  return { account, isDomainOff, user: { id, password_hash, is_known: is_known ?? false, is_password_off } }
}

export interface Opening {
  user: string
  /** The hash that the password was checked against: if it has changed since, no session is opened. */
  passwordHash: string | null
  timezone?: string | null
  code?: string | null
  passkey?: Presented | null
  /** Id of an enrolment, which `code` confirms. */
  enrolment?: string | null
  /** True if the second factor was proved in an earlier transaction. */
  isFactorProved?: boolean
}

/**
 * Opens a family for an authenticated user, activates the user and sets the defaults of a first sign-in.
 * @returns null when the user is archived, deleted, or has changed the password since
 * @throws Unauthenticated when the second factor is missing or wrong
 */
export async function openSession(
  ctx: Context,
  { transact, signer, accessChanges, factors }: Omit<SignInDependencies, 'hasher' | 'throttle'>,
  { user: id, passwordHash, timezone, code = null, passkey = null, enrolment = null, isFactorProved = false }: Opening,
): Promise<TokenResponse | null> {
  let isActivated = false
  const response = await transact(everyTenant(ctx), async (tx) => {
    const user = await tx.em.findOne(User, { id }, { lockMode: LockMode.PESSIMISTIC_WRITE })
    if (!user || user.status === 'archived' || user.passwordHash !== passwordHash) return null
    // Begun before there was a passkey: the password alone must not add a factor beside it.
    if (enrolment !== null && (await hasPasskey(tx, id))) throw enrolledAlready('a second factor is enrolled already')
    if (enrolment !== null) await factors.confirm(tx, { user: id, id: enrolment, code: code ?? '', now: ctx.now() })
    const isProved = isFactorProved || enrolment !== null
    const factor = isProved ? null : await factors.take(tx, { user: id, code, passkey, now: ctx.now() })
    isActivated = user.status !== 'active'
    const details: JsonObject =
      enrolment !== null ? { secondFactor: 'enrolled' } : factor ? { secondFactor: factor } : {}
    return openFor(ctx, tx, signer, { user, timezone: timezone ?? null, details })
  })
  if (isActivated) accessChanges.userChanged(id)
  return response
}

/**
 * Opens a family for a user whose row is locked, and who may sign in: activates the user, and sets the defaults of a first sign-in.
 * Whoever was not active must be told to `AccessChanges` after the commit.
 * @param details for the audit log
 * @throws Forbidden from an address, or without a provider where the sign-in policy does not allow it
 */
export async function openFor(
  ctx: Context,
  tx: WriteTx,
  signer: TokenSigner,
  {
    user,
    timezone,
    details,
    provider,
  }: { user: User; timezone: string | null; details: JsonObject; provider?: ProviderSession },
): Promise<TokenResponse> {
  const { id, organizationId, role } = user
  const rules = await readRulesOfPath(tx, pathOf(user))
  requireNetwork(rangesOf(rules.allowedNetworks), ctx.address)
  if (rules.passwordLogin === false && !provider && role !== 'bot') throw passwordLoginOff()
  const secondFactorDue = provider ? null : await readFactorDue(tx, id)
  if (secondFactorDue && secondFactorDue <= ctx.now()) throw enrolmentRequired()
  const isActivated = user.status !== 'active'
  if (isActivated) markChanged(user, ctx.now())
  user.status = 'active'
  user.lastLogin = ctx.now()
  user.settings = firstSettings(ctx, user, timezone)
  await tx.em.flush()
  const stream = organizationStream(organizationId)
  if (isActivated) tx.emit(stream, 'user.updated', eventOf(user))
  tx.emit(stream, 'user.login', { id, organization: organizationId, at: ctx.now().toISOString() })
  tx.addAudit({ action: 'signIn', object: { type: 'user', id }, organization: organizationId, user: id, details })
  await rememberNetwork(tx, { user: id, address: ctx.address, now: ctx.now() })
  const scopes = scopesOfRole(role)
  const holder = {
    kind: 'user',
    user: id,
    organization: organizationId,
    scopes,
    ...(provider && { provider }),
  } as const
  return { ...(await openFamily(tx, { signer, clock: ctx.clock }, holder, ctx)), secondFactorDue }
}

async function readFactorDue(tx: WriteTx, user: string): Promise<Date | null> {
  const [found] = await tx.query<{ due: Date | null }>(
    `select ${factorDueSql('u')} as due from app_user u where u.id = $1`,
    [user],
  )
  return found?.due ?? null
}

function enrolmentRequired(): Forbidden {
  return new Forbidden('the sign-in policy asks for a second factor: enrol one by enrolAtSignIn, and sign in with it', {
    reason: 'ENROLMENT_REQUIRED',
  })
}

/** On first login, sets the zone if absent and infers the locale from the client's preferences (2.3). */
function firstSettings(ctx: Context, { settings }: User, timezone: string | null): User['settings'] {
  const locale = settings.locale ?? localeOfHeader(ctx.acceptLanguage)
  return { ...settings, timezone: settings.timezone ?? timezone ?? 'UTC', ...(locale && { locale }) }
}
