import { LockMode } from '@mikro-orm/core'
import type { AccessChanges } from '../../platform/access/access-changes.js'
import { addAuditEntries } from '../../platform/audit/audit-entry.js'
import type { Context } from '../../platform/context.js'
import { DomainError, Unavailable } from '../../platform/errors.js'
import type { Transact, WriteTx } from '../../platform/events/transact.js'
import type { JsonObject } from '../../platform/json.js'
import { isUniqueViolation } from '../../platform/limits/idempotency.js'
import { everyTenant } from '../auth/every-tenant.js'
import { openFor } from '../auth/sign-in.js'
import type { TokenResponse } from '../auth/token-response.js'
import type { TokenSigner } from '../auth/tokens.js'
import { insertUser } from '../users/insert-user.js'
import { readUserInput } from '../users/user-input.js'
import { User } from '../users/user.js'
import { channelsForMap, giveRights, membershipsOf, type RightsGiven } from './give-rights.js'
import type { ProviderIdentity } from './provider-identity.js'
import type { Provider, Providers } from './providers.js'
import { hasGroupRights } from './provisioning.js'
import { refusalOf, whoseAccount, type Account } from './whose-account.js'

export interface ProviderSignInDependencies {
  transact: Transact
  signer: TokenSigner
  accessChanges: AccessChanges
  providers: Pick<Providers, 'hold'>
}

type Admitted = Exclude<Account, { is: 'refused' }>

/** A decision that does not hold any more: another attempt, as of a second tab, was first. */
class DecidedAnew extends Error {}

const TRIES_MAX = 5

/**
 * Signs a person in whom a provider knows: finds, links or creates the account, gives the rights of the role map, and opens a family
 * that the provider can end. All in one transaction; of two attempts at once, the second finds what the first has made.
 * @throws Forbidden `LINK_NEEDED`, `NOT_PROVISIONED`, `SIGN_IN_NOT_BEGUN` if the provider is another one by now; NotFound if it is in
 *   use no more; Unprocessable at a quota
 */
export async function signInByProvider(
  ctx: Context,
  dependencies: ProviderSignInDependencies,
  provider: Provider,
  identity: ProviderIdentity,
): Promise<TokenResponse> {
  for (let tries = 1; tries <= TRIES_MAX; tries++) {
    try {
      return await attempt(ctx, dependencies, provider, identity)
    } catch (error) {
      const isLate =
        error instanceof DecidedAnew ||
        ['user_identity_subject', 'app_user_email'].some((name) => isUniqueViolation(error, name))
      if (!isLate) {
        if (error instanceof DomainError) noteRefusal(ctx, provider, identity, error)
        throw error
      }
    }
  }
  throw new Unavailable('the account is being changed; retry')
}

async function attempt(
  ctx: Context,
  { transact, signer, accessChanges, providers }: ProviderSignInDependencies,
  answered: Provider,
  identity: ProviderIdentity,
): Promise<TokenResponse> {
  let changed: string | null = null
  const response = await transact(everyTenant(ctx), async (tx) => {
    const provider = await providers.hold(tx, answered)
    const account = await whoseAccount(tx, provider, identity, ctx.now())
    if (account.is === 'refused') throw refusalOf(account)
    // Before the user, as whoever changes a channel's members locks them.
    const isMapped =
      account.is === 'created' ||
      (provider.params.syncRoles === true && !(await hasGroupRights(tx, account.user, ctx.now())))
    const channels = isMapped ? await channelsForMap(tx, provider) : []
    const user =
      account.is === 'created'
        ? await create(ctx, tx, provider, identity, account)
        : await lockAs(ctx, tx, provider, identity, { account, isMapped })
    const memberships = await membershipsOf(tx, channels, [user.id])
    const given = isMapped ? await giveRights(ctx, tx, { provider, identity, user, channels, memberships }) : null
    await noteIdentity(ctx, tx, provider, identity, account, user)
    if (account.is !== 'known' || user.status !== 'active' || given?.isChanged) changed = user.id
    const { maxSessionHours: hours } = provider.params
    const { sid, subject, amr, authTime } = identity
    const endsAt = hours === undefined ? null : new Date(ctx.now().getTime() + hours * 3_600_000)
    return openFor(ctx, tx, signer, {
      user,
      timezone: null,
      details: detailsOf(provider, identity, account, given),
      provider: { service: provider.id, subject, sid, amr, authTime, endsAt },
    })
  })
  if (changed !== null) accessChanges.userChanged(changed)
  return response
}

/** Locks the user, and decides once more: the account may have become an owner's meanwhile, or have come into a group. */
async function lockAs(
  ctx: Context,
  tx: WriteTx,
  provider: Provider,
  identity: ProviderIdentity,
  { account, isMapped }: { account: Exclude<Admitted, { is: 'created' }>; isMapped: boolean },
): Promise<User> {
  const user = await tx.em.findOne(User, { id: account.user }, { lockMode: LockMode.PESSIMISTIC_WRITE })
  const again = await whoseAccount(tx, provider, identity, ctx.now())
  if (!user || again.is !== account.is || !('user' in again) || again.user !== account.user) throw new DecidedAnew()
  if (isMapped && (await hasGroupRights(tx, account.user, ctx.now()))) throw new DecidedAnew()
  return user
}

function create(
  ctx: Context,
  tx: WriteTx,
  { path, type }: Provider,
  { name }: ProviderIdentity,
  { email, role }: Extract<Account, { is: 'created' }>,
): Promise<User> {
  const fields = readUserInput({ email, ...name })
  return insertUser(ctx, tx, { path, email, ...fields, role, status: 'active', provider: type })
}

async function noteIdentity(
  ctx: Context,
  tx: WriteTx,
  { id: service }: Provider,
  { issuer, subject, email }: ProviderIdentity,
  account: Admitted,
  user: User,
): Promise<void> {
  if (account.is === 'known') {
    await tx.query('update user_identity set used_at = $2, email = $3, service_id = $4 where id = $1', [
      account.identity,
      ctx.now(),
      email,
      service,
    ])
    return
  }
  await tx.query(
    `insert into user_identity (id, user_id, org1, issuer, subject, service_id, email, is_proven, created_at, used_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $9)`,
    [
      ctx.newId(),
      user.id,
      user.org1,
      issuer,
      subject,
      service,
      email,
      account.is === 'linked' || account.isProven,
      ctx.now(),
    ],
  )
}

function detailsOf(
  { id: provider }: Provider,
  { subject, amr }: ProviderIdentity,
  { is: account }: Admitted,
  given: RightsGiven | null,
): JsonObject {
  return { provider, subject, account, ...(amr && { amr }), ...(given?.isChanged && { rights: given.changes }) }
}

/** Adds a refusal to the audit log, one a person and minute. Nobody waits for it. */
function noteRefusal(ctx: Context, provider: Provider, { subject, email }: ProviderIdentity, error: DomainError): void {
  const { database, log } = ctx
  const noted = database.sqlTransaction(async (sql) => {
    const found = await sql.query(
      `select from audit_entry where object ->> 'id' = $1::text and action = 'signInRefused' and details ->> 'subject' = $2
         and at > $3::timestamptz - interval '1 minute' limit 1`,
      [provider.id, subject, ctx.now()],
    )
    if (found.length > 0) return
    const details = { provider: provider.id, subject, email, reason: error.details.reason, why: error.message }
    const object = { type: 'service', id: provider.id }
    const entry = { action: 'signInRefused', object, organization: provider.organization, details }
    await addAuditEntries(sql, everyTenant(ctx), [entry])
  })
  noted.catch((failure: unknown) => log.warn({ err: failure }, 'a refused sign-in is missing in the audit log'))
}
