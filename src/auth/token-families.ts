import { cascade, type Scope } from '../access/scopes.js'
import type { Clock } from '../db/clock.js'
import type { Sql } from '../db/database.js'
import type { TokenResponse } from './token-response.js'
import { REFRESH_TOKEN_SECONDS, type SignedToken, type TokenSigner } from './tokens.js'

/** Who the tokens of a family speak for: a user, or a guest with a contact and perhaps one conversation. */
export type Holder =
  | { kind: 'user'; user: string; organization: string; scopes: readonly Scope[] }
  | {
      kind: 'guest'
      contact: string
      conversation: string | null
      organization: string
      /** The API token that the guest's tokens were asked for with: they end with it. */
      apiToken?: string
    }

export interface Issuing {
  signer: TokenSigner
  clock: Clock
}

/** Starts a family: one sign-in, ended as a whole. In the caller's transaction. */
export async function openFamily(sql: Sql, issuing: Issuing, holder: Holder): Promise<TokenResponse> {
  const family = issuing.clock.newId()
  const now = issuing.clock.now()
  const user = holder.kind === 'user' ? holder.user : null
  const { contact = null, conversation = null, apiToken = null } = holder.kind === 'guest' ? holder : {}
  await sql.query(
    `insert into token_family (id, user_id, contact_id, conversation_id, created_at, expires_at, api_token_id)
     values ($1, $2, $3, $4, $5, $6, $7)`,
    [family, user, contact, conversation, now, new Date(now.getTime() + REFRESH_TOKEN_SECONDS * 1_000), apiToken],
  )
  return issueTokens(sql, issuing, holder, family)
}

/** The next pair of tokens of a family. In the caller's transaction. */
export async function issueTokens(
  sql: Sql,
  { signer, clock }: Issuing,
  holder: Holder,
  family: string,
): Promise<TokenResponse> {
  const { organization } = holder
  const user = holder.kind === 'user' ? holder.user : holder.contact
  const scopes = holder.kind === 'user' ? holder.scopes : cascade('guest')
  const [access, refresh] = await Promise.all([
    holder.kind === 'user'
      ? signer.signAccess({ user, organization, scopes, family })
      : signer.signGuest({ ...holder, scopes, family }),
    signer.signRefresh({ user, organization, scopes, family }),
  ])
  await extendFamily(sql, { family, refresh, now: clock.now() })
  return {
    tokenType: 'Bearer',
    token: access.token,
    refreshToken: refresh.token,
    user: holder.kind === 'user' ? user : null,
    organization,
    expiresAt: access.expiresAt,
    scope: scopes.join(' '),
  }
}

/** Adds a refresh token to a family, which lives as long as its newest one. */
export async function extendFamily(
  sql: Sql,
  { family, refresh, now }: { family: string; refresh: SignedToken; now: Date },
): Promise<void> {
  await sql.query(
    `with kept as (update token_family set expires_at = $3 where id = $2)
     insert into refresh_token (id, family_id, created_at, expires_at) values ($1, $2, $4, $3)`,
    [refresh.jti, family, refresh.expiresAt, now],
  )
}

/** Whether a refresh token is unspent and its sign-in has not been ended. */
export async function isFamilyAlive(sql: Sql, family: string, token: string): Promise<boolean> {
  const alive = await sql.query(
    `select 1 from refresh_token r join token_family f on f.id = r.family_id
     where r.id = $2 and f.id = $1 and r.spent_at is null and f.revoked_at is null`,
    [family, token],
    'is-family-alive',
  )
  return alive.length === 1
}

/**
 * Marks a refresh token as spent, once: of two that come with it at the same time, one gets true. In the caller's
 * transaction, which waits for the other's.
 */
export async function spendRefreshToken(sql: Sql, token: string, now: Date): Promise<boolean> {
  const spent = await sql.query(
    `update refresh_token r set spent_at = $2
     where r.id = $1 and r.spent_at is null
       and exists (select 1 from token_family f where f.id = r.family_id and f.revoked_at is null)
     returning r.id`,
    [token, now],
  )
  return spent.length === 1
}

/** So long a spent token may come again, as from a client that never got the answer. */
const GRACE_SECONDS = 30

/**
 * Takes back the successor of a token that was spent a moment ago, if nobody has used it: its client asks again since the
 * answer was lost. A thief who asks instead is found out when the client uses what was taken back. In the caller's
 * transaction, which holds the family from here on.
 * @returns whether the token may be exchanged once more
 */
export async function takeBackSuccessor(sql: Sql, family: string, token: string, now: Date): Promise<boolean> {
  const alive = await sql.query('select 1 from token_family where id = $1 and revoked_at is null for update', [family])
  if (alive.length === 0) return false
  const taken = await sql.query(
    `delete from refresh_token successor using refresh_token r
     where r.id = $2 and r.family_id = $1 and r.spent_at > $3::timestamptz - make_interval(secs => ${GRACE_SECONDS})
       and successor.family_id = $1 and successor.spent_at is null
       and not exists (select 1 from refresh_token later where later.family_id = $1 and later.spent_at > r.spent_at)
     returning successor.id`,
    [family, token, now],
  )
  return taken.length > 0
}

/** @returns false if it was revoked before */
export async function revokeFamily(sql: Sql, family: string, now: Date): Promise<boolean> {
  const revoked = await sql.query(
    'update token_family set revoked_at = $2 where id = $1 and revoked_at is null returning id',
    [family, now],
  )
  return revoked.length === 1
}

/** Families past their last refresh token; a sweep for the server's upkeep, some at a time. @returns how many */
export async function deleteExpiredFamilies(sql: Sql, now: Date, limit = 1_000): Promise<number> {
  const gone = await sql.query(
    `delete from token_family where id in (
       select id from token_family where expires_at < $1 order by expires_at limit $2 for update skip locked)
     returning id`,
    [now, limit],
  )
  return gone.length
}

/** Forgets refresh tokens and families past their time. A spent token is kept until then: its reuse is told by it. */
export async function pruneTokens(sql: Sql, now: Date): Promise<void> {
  while ((await deleteExpiredFamilies(sql, now)) > 0);
  await sql.query('delete from refresh_token where expires_at < $1', [now])
}
