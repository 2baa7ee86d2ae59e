import { Field, ObjectType } from 'type-graphql'
import type { AccessChanges } from '../../platform/access/access-changes.js'
import { isSecret } from '../../platform/attempt-secrets.js'
import type { Context } from '../../platform/context.js'
import { isOnPath } from '../../platform/db/tenancy.js'
import { Forbidden, NotFound, quoteValue, Unprocessable } from '../../platform/errors.js'
import { organizationStream } from '../../platform/events/event.js'
import type { Transact } from '../../platform/events/transact.js'
import { fetchRecord } from '../../platform/lists/fetch-record.js'
import { camelRow } from '../../platform/lists/rows.js'
import { DateTime } from '../../platform/lists/scalars.js'
import type { Credentials } from '../users/credentials.js'
import { apiTokenRefused, provePassword } from '../users/prove-self.js'
import { eventOf } from '../users/user-rules.js'
import { User } from '../users/user.js'
import type { Attempts } from './attempts.js'
import { IDENTITIES_MAX, IDENTITY_COLUMNS, type Identity } from './identities.js'
import type { Providers } from './providers.js'

@ObjectType({ simpleResolvers: true, description: 'The beginning of an attempt at a provider.' })
export class ProviderStart {
  @Field(() => String, { description: "Address to which the user's browser goes; it works once." })
  url!: string

  @Field(() => DateTime, { description: 'Time until which it does.' })
  expiresAt!: Date
}

export interface LinkDependencies {
  transact: Transact
  accessChanges: AccessChanges
  credentials: Credentials
  providers: Providers
  attempts: Attempts
  publicUrl: string
}

/** A sign-in by a provider proves who somebody is for so long, in place of a password. */
const FRESH_MS = 15 * 60_000

/**
 * Begins to link the caller to an identity of a provider: the browser goes there, comes back to the console, and what it brings is
 * confirmed by `confirmIdentity`. A stolen session is not enough: the password is needed, or of who has none a sign-in
 * of the last 15 minutes.
 * @throws Forbidden, BadUserInput, RateLimited, NotFound for a provider that is not the caller's
 */
export async function linkIdentity(
  ctx: Context,
  { credentials, providers, attempts, publicUrl }: LinkDependencies,
  { service: named, currentPassword }: { service: string; currentPassword: string | null },
): Promise<ProviderStart> {
  const { user, apiToken, isBot } = ctx.userCaller
  if (apiToken || isBot) throw apiTokenRefused('an identity')
  const { id: service } = await requireReaching(ctx, providers, named)
  const me = await fetchRecord(ctx, User, user)
  if (me.passwordHash !== null)
    await provePassword(ctx, credentials, me, { currentPassword, change: 'link an identity' })
  else await requireFresh(ctx)
  const { ticket, expiresAt } = await ctx.database.sqlTransaction((sql) =>
    attempts.ticket(sql, ctx, { user, service, purpose: 'link' }),
  )
  return { url: startUrl(publicUrl, service, ticket), expiresAt }
}

/** The address by which a user with a ticket begins. */
export function startUrl(publicUrl: string, service: string, ticket: string): string {
  return `${publicUrl}/sso/${service}/start?ticket=${ticket}`
}

/**
 * Links the caller to what an attempt has found. Whoever made somebody else's browser go to a provider gains nothing: only the one
 * who began it can confirm it.
 * @throws NotFound, Unprocessable for an identity that is another user's
 */
export async function confirmIdentity(
  ctx: Context,
  { transact, providers, attempts }: Pick<LinkDependencies, 'transact' | 'providers' | 'attempts'>,
  code: string,
): Promise<Identity> {
  const { user, apiToken } = ctx.userCaller
  if (apiToken) throw apiTokenRefused('an identity')
  if (ctx.mutation) ctx.mutation.isAudited = true
  return transact(ctx, async (tx) => {
    const me = await fetchRecord(ctx, User, user, { em: tx.em, lock: true })
    const found = isSecret(code) ? await attempts.finding(tx, ctx, { code, user, purpose: 'link', taking: true }) : null
    if (!found) throw new NotFound('code: nothing was found by this code, or it was used', { field: 'code' })
    const { identity, service } = found
    await requireReaching(ctx, providers, service)
    const { issuer, subject, email } = identity
    const [taken] = await tx.query<{ user: string }>(
      'select user_id as user from user_identity where org1 = $1 and issuer = $2 and subject = $3',
      [me.org1, issuer, subject],
    )
    if (taken && taken.user !== user) throw identityTaken()
    const [count] = await tx.query<{ count: number }>(
      'select count(*)::int as count from user_identity where user_id = $1',
      [user],
    )
    if (!taken && count!.count >= IDENTITIES_MAX) {
      throw new Unprocessable(`a user has at most ${IDENTITIES_MAX} identities`, { reason: 'TOO_MANY' })
    }
    const [row] = await tx.query<Record<string, unknown>>(
      `insert into user_identity (id, user_id, org1, issuer, subject, service_id, email, is_proven, created_at, used_at)
       values ($1, $2, $3, $4, $5, $6, $7, true, $8, $8)
       on conflict (org1, issuer, subject) do update set email = excluded.email, is_proven = true
         where user_identity.user_id = excluded.user_id returning ${IDENTITY_COLUMNS}`,
      [ctx.newId(), user, me.org1, issuer, subject, service, email, ctx.now()],
    )
    // Another user was first, in a transaction at the same time.
    if (!row) throw identityTaken()
    const linked = camelRow<Identity>(row)
    tx.addAudit({
      action: 'identityLinked',
      object: { type: 'user', id: user },
      details: { provider: service, issuer, subject },
    })
    tx.emit(organizationStream(me.organizationId), 'user.updated', eventOf(me))
    return linked
  })
}

/** @throws NotFound unless it is a provider of the caller's organization, or of one above it */
async function requireReaching(ctx: Context, providers: Providers, id: string): ReturnType<Providers['require']> {
  const provider = await providers.require(id)
  const path = ctx.userCaller.path.filter((each) => each !== undefined)
  if (isOnPath({ path: provider.path }, path)) return provider
  throw new NotFound(`no provider ${quoteValue(id)} to sign in by`)
}

/** Requires that the session was opened a moment ago. @throws Forbidden */
async function requireFresh(ctx: Context): Promise<void> {
  const rows = await ctx.reads.query('select from token_family where id = $1 and created_at > $2', [
    ctx.userCaller.family ?? null,
    new Date(ctx.now().getTime() - FRESH_MS),
  ])
  if (rows.length > 0) return
  throw new Forbidden('you have no password: sign in again, and repeat it within 15 minutes', {
    reason: 'SIGN_IN_REQUIRED',
  })
}

function identityTaken(): Unprocessable {
  return new Unprocessable('the identity is linked to another user', { reason: 'IDENTITY_TAKEN', field: 'code' })
}
