import { Field, ID, ObjectType } from 'type-graphql'
import type { AccessChanges } from '../../platform/access/access-changes.js'
import { addAuditEntries } from '../../platform/audit/audit-entry.js'
import type { Context } from '../../platform/context.js'
import { isId } from '../../platform/db/clock.js'
import type { JsonObject } from '../../platform/json.js'
import { fetchRecord, recordNotFound } from '../../platform/lists/fetch-record.js'
import { camelRow } from '../../platform/lists/rows.js'
import { DateTime } from '../../platform/lists/scalars.js'
import { checkOwnership } from '../users/user-rules.js'
import { User } from '../users/user.js'
import { ruleEndSql } from '../sign-in-policy/sign-in-rules.js'
import { isOpenSql } from './token-families.js'

/** Sessions that a list shows: whoever signs in by a script may have thousands. */
export const SESSIONS_MAX = 100

@ObjectType({
  simpleResolvers: true,
  description: 'A sign-in of a user that has not ended: its tokens replace each other, and end together.',
})
export class Session {
  @Field(() => ID)
  id!: string

  @Field(() => String, {
    nullable: true,
    description: 'The program that signed in or last renewed its tokens, as it calls itself: the `User-Agent` header.',
  })
  userAgent!: string | null

  @Field(() => String, {
    nullable: true,
    description: 'From where it signed in or last renewed its tokens: an IPv4 address, or the /64 of an IPv6 address.',
  })
  network!: string | null

  @Field(() => DateTime, { description: 'Time of the sign-in.' })
  createdAt!: Date

  @Field(() => DateTime, { description: 'Time of the last use, exact to five minutes.' })
  seenAt!: Date

  @Field(() => DateTime, { description: 'Time at which it ends unless it is used before.' })
  expiresAt!: Date

  @Field(() => Boolean, { description: 'Whether it is the one of this request.' })
  isCurrent!: boolean
}

/** Reads the sessions of a user, last used first. @throws NotFound */
export async function readSessions(ctx: Context, user: string): Promise<Session[]> {
  const { id } = await fetchRecord(ctx, User, user, { field: 'user' })
  const rows = await ctx.reads.query<Record<string, unknown>>(
    `select id, user_agent, network, created_at, coalesce(seen_at, created_at) as seen_at,
       least(expires_at, ${ruleEndSql('f')}) as expires_at,
       id is not distinct from $3::uuid as is_current
     from token_family f where user_id = $1 and ${isOpenSql('f', '$2')} and expires_at > $2
     order by is_current desc, seen_at desc, id limit ${SESSIONS_MAX}`,
    [id, ctx.now(), ctx.userCaller.family ?? null],
    'sessions-of-user',
  )
  return rows.map((row) => camelRow<Session>(row))
}

/**
 * Ends a session of a user, or without one all of them; of the caller's own, all but the current one. Its tokens are refused
 * and its sockets closed from now on.
 * @returns how many were open @throws NotFound, Forbidden for an owner's, except for owners
 */
export async function endSessions(
  ctx: Context,
  { accessChanges }: { accessChanges: AccessChanges },
  { user: named, session = null }: { user: string; session?: string | null },
): Promise<number> {
  const { id: user, role, organizationId: organization } = await fetchRecord(ctx, User, named, { field: 'user' })
  const caller = ctx.userCaller
  const isOwn = user === caller.user
  if (!isOwn) checkOwnership(caller, role)
  if (session !== null && !isId(session)) throw recordNotFound('Session', session, 'session')
  const kept = isOwn && session === null ? (caller.family ?? null) : null
  const ended = await ctx.database.sqlTransaction(async (sql) => {
    const found = await sql.query<{ id: string; is_open: boolean }>(
      `select id, revoked_at is null and expires_at > $4 as is_open from token_family
       where user_id = $1 and ($2::uuid is null or id = $2) and id is distinct from $3::uuid order by id for update`,
      [user, session, kept, ctx.now()],
    )
    if (session !== null && found.length === 0) throw recordNotFound('Session', session, 'session')
    const open = found.filter((each) => each.is_open).map(({ id }) => id)
    await sql.query('update token_family set revoked_at = $2 where id = any($1::uuid[])', [open, ctx.now()])
    // Of an administrator also that there was nothing to end.
    if (!isOwn || open.length > 0) {
      const details: JsonObject = session === null ? { sessions: open.length } : { ended: session.toLowerCase() }
      const action = ctx.mutation?.name ?? 'endSessions'
      await addAuditEntries(sql, ctx, [{ action, object: { type: 'user', id: user }, organization, details }])
    }
    return open.length
  })
  if (ended > 0) accessChanges.userChanged(user)
  return ended
}
