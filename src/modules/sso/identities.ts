import { Field, ID, ObjectType } from 'type-graphql'
import type { AccessChanges } from '../../platform/access/access-changes.js'
import type { Context } from '../../platform/context.js'
import { isId } from '../../platform/db/clock.js'
import { pathOf } from '../../platform/db/tenancy.js'
import { organizationStream } from '../../platform/events/event.js'
import { Unprocessable } from '../../platform/errors.js'
import type { Transact } from '../../platform/events/transact.js'
import { fetchRecord, recordNotFound } from '../../platform/lists/fetch-record.js'
import { camelRow } from '../../platform/lists/rows.js'
import { DateTime } from '../../platform/lists/scalars.js'
import { identityIssuerSql, shownIssuerSql } from '../sign-in-policy/password-login.js'
import { readRulesOfPath } from '../sign-in-policy/sign-in-rules.js'
import { apiTokenRefused } from '../users/prove-self.js'
import { checkOwnership, eventOf } from '../users/user-rules.js'
import { User } from '../users/user.js'

/** A user has one for each provider. */
export const IDENTITIES_MAX = 20

@ObjectType({
  simpleResolvers: true,
  description: 'A user as a provider (a service of type `oidc` or `saml`) knows it: by it the user signs in.',
})
export class Identity {
  @Field(() => ID)
  id!: string

  @Field(() => ID, { nullable: true, description: 'The service by which it was last used; null once that is deleted.' })
  serviceId!: string | null

  @Field(() => String, { description: 'The provider, by its own name.' })
  issuer!: string

  @Field(() => String, { description: "The provider's id of the user." })
  subject!: string

  @Field(() => String, { nullable: true, description: 'Email at the provider, when it was last used.' })
  email!: string | null

  @Field(() => DateTime, { description: 'Time at which it was linked.' })
  createdAt!: Date

  @Field(() => DateTime, { description: 'Time of the last sign-in by it.' })
  usedAt!: Date
}

export const IDENTITY_COLUMNS = `id, service_id, ${shownIssuerSql('user_identity.issuer')} as issuer, subject, email, created_at, used_at`

/** Reads the identities of a user. @throws NotFound */
export async function readIdentities(ctx: Context, named: string): Promise<Identity[]> {
  const { id } = await fetchRecord(ctx, User, named, { field: 'user' })
  const rows = await ctx.reads.query<Record<string, unknown>>(
    `select ${IDENTITY_COLUMNS} from user_identity where user_id = $1 order by created_at, id`,
    [id],
    'identities-of-user',
  )
  return rows.map((row) => camelRow<Identity>(row))
}

/**
 * Removes an identity of a user, and ends the sessions that it opened, but for the caller's current one.
 * @returns false if it was removed before
 * @throws NotFound, Forbidden for an owner's, except for owners; Unprocessable for one's own last way to sign in
 */
export async function unlinkIdentity(
  ctx: Context,
  { transact, accessChanges }: { transact: Transact; accessChanges: AccessChanges },
  { user: named, identity }: { user: string; identity: string },
): Promise<boolean> {
  const caller = ctx.userCaller
  if (ctx.mutation) ctx.mutation.isAudited = true
  const user = await transact(ctx, async (tx) => {
    const found = await fetchRecord(ctx, User, named, { field: 'user', em: tx.em, lock: true })
    const isOwn = found.id === caller.user
    if (isOwn && caller.apiToken) throw apiTokenRefused('an identity')
    if (!isOwn) checkOwnership(caller, found.role)
    const rows = await tx.query<{ id: string; issuer: string; subject: string }>(
      'select id, issuer, subject from user_identity where user_id = $1',
      [found.id],
    )
    const removed = isId(identity) ? rows.find(({ id }) => id === identity.toLowerCase()) : undefined
    if (!removed) throw recordNotFound('Identity', identity, 'identity')
    const { passwordLogin } = await readRulesOfPath(tx, pathOf(found))
    const isNeeded = found.passwordHash === null || (passwordLogin === false && found.role !== 'bot')
    if (isOwn && isNeeded && rows.length === 1) {
      const why = 'it is your only way to sign in: ask for a link for a password first'
      throw new Unprocessable(why, { reason: 'WOULD_LOCK_OUT', field: 'identity' })
    }
    await tx.query('delete from user_identity where id = $1', [removed.id])
    await tx.query(
      `update token_family f set revoked_at = $4 where user_id = $1 and revoked_at is null and subject = $2
         and id is distinct from $3::uuid and exists (select from service s where s.id = f.service_id and ${identityIssuerSql('s')} = $5)`,
      [found.id, removed.subject, isOwn ? (caller.family ?? null) : null, ctx.now(), removed.issuer],
    )
    tx.emit(organizationStream(found.organizationId), 'user.updated', eventOf(found))
    return found
  })
  accessChanges.userChanged(user.id)
  return true
}
