import { createHash, timingSafeEqual } from 'node:crypto'
import type { AccessChanges } from '../../platform/access/access-changes.js'
import type { Authenticator } from '../../platform/access/authenticator.js'
import type { Caller, GuestCaller, UserCaller } from '../../platform/access/caller.js'
import { cascade } from '../../platform/access/scopes.js'
import { isId, type Clock } from '../../platform/db/clock.js'
import type { Sql } from '../../platform/db/database.js'
import { isCenterInUseSql } from '../../platform/db/archived-centers.js'
import { pathOf } from '../../platform/db/tenancy.js'
import { TokenExpired, Unauthenticated } from '../../platform/errors.js'
import {
  rangesOf,
  requireNetwork,
  rulesSql,
  strictest,
  tokenEndsSql,
  type SignInRules,
} from '../sign-in-policy/sign-in-rules.js'
import { AccessCache } from './access-cache.js'
import { CALLER_COLUMNS, userCallerOf, type CallerRow } from './caller-of-user.js'
import { findEnded } from './ended-callers.js'
import { createOperatorCheck, OPERATOR_CALLER } from './operator.js'
import { SeenSessions } from './seen-sessions.js'
import { isOpenSql } from './token-families.js'
import { invalidToken, type TokenSigner } from './tokens.js'
import type { GrantType, TokenClaims } from './token-claims.js'

export interface AuthenticatorOptions {
  sql: Sql
  signer: TokenSigner
  clock: Clock
  cache?: AccessCache
  /** `OPERATOR_TOKEN`; absent: nobody is the operator. */
  operatorToken?: string | undefined
}

const GRANTS: readonly GrantType[] = ['access_token', 'api_token', 'guest_token']

/** Finds the caller of a token (section 5). A cached caller costs no SQL; a revoked one is refused within 2 s. */
export function createAuthenticator(options: AuthenticatorOptions): Authenticator & AccessChanges {
  const { sql, signer, clock, cache = new AccessCache(), operatorToken } = options
  const seen = new SeenSessions({ sql, clock })
  const isOperator = operatorToken === undefined ? () => false : createOperatorCheck(operatorToken)
  const noteUse = (caller: Caller): void => {
    if (caller.kind === 'user' && caller.family) seen.note(caller.family)
  }
  return {
    async authenticate(authorization, address, { isUnattended = false } = {}) {
      if (!authorization) return null
      const token = /^Bearer +([^\s]+) *$/i.exec(authorization)?.[1]
      if (!token) {
        // Legacy clients look for the first words.
        throw new Unauthenticated('invalid token: credentials are sent as Authorization: Bearer <token>', {
          reason: 'TOKEN_INVALID',
        })
      }
      if (isOperator(token)) return OPERATOR_CALLER
      const claims = await signer.verify(token, GRANTS)
      const load = (): Promise<Caller> =>
        claims.grantType === 'guest_token'
          ? loadGuest(sql, claims, clock.now())
          : loadUser(sql, claims, { token, seen, now: clock.now() })
      const caller = await cache.get(claims.jti, claims.user, load)
      // A cached token may end meanwhile: loading it anew says why.
      if (caller.expiresAt && caller.expiresAt <= clock.now()) {
        await load()
        throw invalidToken()
      }
      if (address !== undefined && caller.kind === 'user') requireNetwork(caller.networks, address)
      if (!isUnattended) noteUse(caller)
      return caller
    },
    findEnded: (connections) => findEnded(sql, connections, clock.now()),
    noteUse,
    userChanged: (user) => cache.forget(user),
  }
}

/** Returns the stored form of an API token. */
export function apiTokenHash(token: string): string {
  return createHash('sha256').update(token).digest('base64url')
}

interface UserRow extends CallerRow {
  api_token_id: string | null
  api_token_hash: string | null
  /** The token that it had before, while that is valid. */
  ending: { id: string; hash: string; ends_at: string } | null
  /** Time at which the rules end the API token of the request. */
  api_token_too_old_at: Date | null
  family_live: boolean
  family_seen_at: Date | null
  family_ends_at: Date | null
  family_created_at: Date | null
  rules: SignInRules[] | null
}

async function loadUser(
  sql: Sql,
  claims: TokenClaims,
  { token, seen, now }: { token: string; seen: SeenSessions; now: Date },
): Promise<UserCaller> {
  const isApiToken = claims.grantType === 'api_token'
  const [row] = await find<UserRow>(sql, claims, USER_OF_TOKEN, 'user-of-token', [
    isApiToken && isId(claims.jti) ? claims.jti : null,
    now,
  ])
  // A bot is queued until it signs in, which most never do.
  if (!row || (isApiToken ? row.status === 'archived' : row.status !== 'active')) throw invalidToken()
  const apiToken = isApiToken ? findApiToken(row, claims, token) : null
  if (isApiToken ? !apiToken : !row.family_live) throw invalidToken()
  if (row.api_token_too_old_at && row.api_token_too_old_at <= now) throw new TokenExpired()
  const seenAt = row.family_seen_at ?? row.family_created_at
  if (claims.family && seenAt) seen.learn(claims.family, seenAt)
  const rules = strictest(row.rules)
  const tooOldAt = tooOldFrom(row.family_created_at, rules)
  const networks = rangesOf(isApiToken ? rules.apiTokenNetworks : rules.allowedNetworks)
  const ends = [claims.expiresAt, row.family_ends_at, apiToken?.endsAt, row.api_token_too_old_at, tooOldAt].filter(
    (end) => end instanceof Date,
  )
  const expiresAt = ends.toSorted((a, b) => a.getTime() - b.getTime())[0]
  return {
    ...userCallerOf(row, claims.scopes),
    ...(expiresAt && { expiresAt }),
    ...(networks && { networks }),
    ...(isApiToken ? { apiToken: claims.jti } : { family: claims.family! }),
  }
}

const USER_OF_TOKEN = `
select ${CALLER_COLUMNS}, u.api_token_id, u.api_token_hash,
  (select to_jsonb(e) from ending_api_token e where e.id = $3 and e.user_id = u.id) as ending,
  case when $3::uuid is not null then ${tokenEndsSql('u', '$3')} end as api_token_too_old_at,
  f.id is not null as family_live, f.seen_at as family_seen_at, f.ends_at as family_ends_at,
  f.created_at as family_created_at, ${rulesSql('u')} as rules
from app_user u left join token_family f on f.id = $2 and f.user_id = u.id and ${isOpenSql('f', '$4')}
where u.id = $1 and ${isCenterInUseSql('u')}`

/** Returns the time from which on a session is older than the rules allow. */
function tooOldFrom(createdAt: Date | null, { maxSessionHours: hours }: SignInRules): Date | null {
  return createdAt && hours !== null ? new Date(createdAt.getTime() + hours * 3_600_000) : null
}

/** Returns null for a token that is not the user's, or not any more. */
function findApiToken(row: UserRow, { jti }: TokenClaims, token: string): { endsAt: Date | null } | null {
  if (row.api_token_id === jti && row.api_token_hash) return isSame(row.api_token_hash, token) ? { endsAt: null } : null
  const { ending } = row
  return ending && isSame(ending.hash, token) ? { endsAt: new Date(ending.ends_at) } : null
}

function isSame(hash: string, token: string): boolean {
  const stored = Buffer.from(hash)
  const given = Buffer.from(apiTokenHash(token))
  return stored.length === given.length && timingSafeEqual(stored, given)
}

interface GuestRow {
  contact_id: string
  conversation_id: string | null
  organization_id: string
  org1: string
  org2: string | null
  org3: string | null
}

async function loadGuest(sql: Sql, claims: TokenClaims, now: Date): Promise<GuestCaller> {
  const [row] = await find<GuestRow>(sql, claims, GUEST_OF_TOKEN, 'guest-of-token', [now])
  if (!row) throw invalidToken()
  return {
    kind: 'guest',
    key: `guest:${row.contact_id}`,
    contact: row.contact_id,
    conversation: row.conversation_id,
    organization: row.organization_id,
    path: pathOf(row),
    scopes: new Set(cascade('guest')),
    expiresAt: claims.expiresAt!,
    family: claims.family!,
  }
}

/** The family determines what the guest is bound to: its tokens end with its contact and conversation. */
const GUEST_OF_TOKEN = `
select f.contact_id, f.conversation_id, c.organization_id, c.org1, c.org2, c.org3
from token_family f join contact c on c.id = f.contact_id
where f.contact_id = $1 and f.id = $2 and ${isOpenSql('f', '$3')} and ${isCenterInUseSql('c')}
  and (f.conversation_id is null or exists (
    select 1 from conversation v where v.id = f.conversation_id and v.contact_id = f.contact_id))`

function find<Row>(
  sql: Sql,
  claims: TokenClaims,
  text: string,
  name: string,
  more: readonly unknown[] = [],
): Promise<Row[]> {
  if (!isId(claims.user) || (claims.family !== null && !isId(claims.family))) throw invalidToken()
  return sql.query<Row>(text, [claims.user, claims.family, ...more], name)
}
