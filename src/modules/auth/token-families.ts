import { cascade, type Scope } from '../../platform/access/scopes.js'
import type { Clock } from '../../platform/db/clock.js'
import type { Sql } from '../../platform/db/database.js'
import { networkOf } from '../../platform/limits/network-of.js'
import { isOfOldTokenSql, isEndedByRuleSql } from '../sign-in-policy/sign-in-rules.js'
import type { TokenResponse } from './token-response.js'
import { REFRESH_TOKEN_SECONDS, type SignedToken, type TokenSigner } from './tokens.js'

/** The owner of a family's tokens: a user, or a guest with a contact and perhaps one conversation. */
export type Holder =
  | {
      kind: 'user'
      user: string
      organization: string
      scopes: readonly Scope[]
      /** Set for a sign-in by a provider. */
      provider?: ProviderSession
    }
  | {
      kind: 'guest'
      contact: string
      conversation: string | null
      organization: string
      /** The bot that requested the guest's tokens, and the API token by which it did: they end with either. */
      bot?: string
      apiToken?: string
    }

/** A sign-in by a provider, which can end it. */
export interface ProviderSession {
  service: string
  /** The user at the provider. */
  subject: string
  /** The provider's id of the session; null if it gives none. */
  sid: string | null
  /** Methods by which the user proved who it is, in the provider's words (RFC 8176). */
  amr: string[] | null
  authTime: Date | null
  /** The end that the service sets, however often tokens are renewed. */
  endsAt: Date | null
}

export interface Issuing {
  signer: TokenSigner
  clock: Clock
}

/** The program and the address that a request came from. */
export interface Origin {
  address: string | null
  userAgent: string | null
  /** Nobody is at the page that asks. */
  isUnattended?: boolean
}

const USER_AGENT_CHARS_MAX = 300

/**
 * Starts a family, which is one sign-in and ends as a whole. Runs in the caller's transaction.
 * @param origin of a user's request, kept for the list of sessions; nothing of a guest's is kept
 */
export async function openFamily(sql: Sql, issuing: Issuing, holder: Holder, origin?: Origin): Promise<TokenResponse> {
  const family = issuing.clock.newId()
  const now = issuing.clock.now()
  const user = holder.kind === 'user' ? holder.user : null
  const { contact = null, conversation = null, bot = null, apiToken = null } = holder.kind === 'guest' ? holder : {}
  const by = holder.kind === 'user' ? holder.provider : undefined
  await sql.query(
    `insert into token_family (id, user_id, contact_id, conversation_id, created_at, expires_at, bot_id, api_token_id,
       service_id, sid, subject, amr, auth_time, ends_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14)`,
    [
      ...[family, user, contact, conversation, now, new Date(now.getTime() + REFRESH_TOKEN_SECONDS * 1_000)],
      ...[bot, apiToken],
      ...[by?.service, by?.sid, by?.subject, by?.amr, by?.authTime, by?.endsAt].map((value) => value ?? null),
    ],
  )
  // Who signs in is at the page, however long it had been open before.
  if (origin) {
    const { address, userAgent } = origin
    await noteOrigin(sql, { family, origin: { address, userAgent }, now })
  }
  return issueTokens(sql, issuing, holder, family)
}

/** Issues the next pair of tokens of a family. Runs in the caller's transaction. */
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

/** Adds a refresh token to a family, which expires with its newest one. */
export async function extendFamily(
  sql: Sql,
  { family, refresh, now }: { family: string; refresh: SignedToken; now: Date },
): Promise<void> {
  await sql.query(
    `with kept as (update token_family set expires_at = least($3, ends_at) where id = $2)
     insert into refresh_token (id, family_id, created_at, expires_at) values ($1, $2, $4, $3)`,
    [refresh.jti, family, refresh.expiresAt, now],
  )
}

/** Notes from where a user's family is used; of a guest's nothing is kept. */
export async function noteOrigin(
  sql: Sql,
  { family, origin: { address, userAgent, isUnattended = false }, now }: { family: string; origin: Origin; now: Date },
): Promise<void> {
  await sql.query(
    `update token_family set seen_at = case when $5 then seen_at else $2 end, network = $3, user_agent = $4
     where id = $1 and user_id is not null and revoked_at is null`,
    [family, now, address && networkOf(address), userAgent?.slice(0, USER_AGENT_CHARS_MAX) ?? null, isUnattended],
  )
}

/** SQL: whether the family at `alias` has not ended. @param now SQL of the time, such as `$1` */
export const isOpenSql = (alias: string, now: string): string =>
  `(${alias}.revoked_at is null and (${alias}.ends_at is null or ${alias}.ends_at > ${now}::timestamptz)
    and not ${isEndedByRuleSql(alias, now)} and not ${isOfOldTokenSql(alias, now)})`

/** Tells whether a refresh token is unspent and its sign-in has not been ended. */
export async function isFamilyAlive(sql: Sql, family: string, token: string, now: Date): Promise<boolean> {
  const alive = await sql.query(
    `select 1 from refresh_token r join token_family f on f.id = r.family_id
     where r.id = $2 and f.id = $1 and r.spent_at is null and ${isOpenSql('f', '$3')}`,
    [family, token, now],
    'is-family-alive',
  )
  return alive.length === 1
}

/**
 * Marks a refresh token as spent; of two concurrent calls with the same token, one returns true. Runs in the caller's
 * transaction, which waits for the other's.
 */
export async function spendRefreshToken(sql: Sql, token: string, now: Date): Promise<boolean> {
  const spent = await sql.query(
    `update refresh_token r set spent_at = $2
     where r.id = $1 and r.spent_at is null
       and exists (select 1 from token_family f where f.id = r.family_id and ${isOpenSql('f', '$2')})
     returning r.id`,
    [token, now],
  )
  return spent.length === 1
}

/** Time for which a spent token may be presented again, as by a client that never got the answer. */
const GRACE_SECONDS = 30

/**
 * Revokes the unused successor of a token that was spent a moment ago, because its client lost the answer and asks
 * again. If a thief asks instead, the theft is detected when the client uses the revoked token. Runs in the caller's
 * transaction, which locks the family from here on.
 * @returns whether the token may be exchanged once more
 */
export async function takeBackSuccessor(sql: Sql, family: string, token: string, now: Date): Promise<boolean> {
  const alive = await sql.query(`select 1 from token_family f where id = $1 and ${isOpenSql('f', '$2')} for update`, [
    family,
    now,
  ])
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

/** Deletes families whose last refresh token has expired, in batches, for maintenance. @returns how many */
export async function deleteExpiredFamilies(sql: Sql, now: Date, limit = 1_000): Promise<number> {
  const gone = await sql.query(
    `delete from token_family where id in (
       select id from token_family where expires_at < $1 order by expires_at limit $2 for update skip locked)
     returning id`,
    [now, limit],
  )
  return gone.length
}

/** Deletes expired refresh tokens and families. A spent token is kept until then, to detect its reuse. */
export async function pruneTokens(sql: Sql, now: Date): Promise<void> {
  while ((await deleteExpiredFamilies(sql, now)) > 0);
  await sql.query('delete from refresh_token where expires_at < $1', [now])
}
