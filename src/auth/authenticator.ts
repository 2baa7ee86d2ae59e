import { createHash, timingSafeEqual } from 'node:crypto'
import type { AccessChanges } from '../access/access-changes.js'
import type { Authenticator } from '../access/authenticator.js'
import type { GuestCaller, UserCaller } from '../access/caller.js'
import { cascade, effectiveScopes, type Role } from '../access/scopes.js'
import { isId, type Clock } from '../db/clock.js'
import type { Sql } from '../db/database.js'
import { pathOf } from '../db/tenancy.js'
import { Unauthenticated } from '../errors.js'
import { displayNameOf } from '../users/user.js'
import { AccessCache } from './access-cache.js'
import { findEnded } from './ended-callers.js'
import type { TokenSigner } from './tokens.js'
import type { GrantType, TokenClaims } from './token-claims.js'

export interface AuthenticatorOptions {
  sql: Sql
  signer: TokenSigner
  clock: Clock
  cache?: AccessCache
}

const GRANTS: readonly GrantType[] = ['access_token', 'api_token', 'guest_token']

/** Finds the caller of a token (section 5). A cached caller costs no SQL; a revoked one is refused within 2 s. */
export function createAuthenticator(options: AuthenticatorOptions): Authenticator & AccessChanges {
  const { sql, signer, clock, cache = new AccessCache() } = options
  return {
    async authenticate(authorization) {
      if (!authorization) return null
      const token = /^Bearer +([^\s]+) *$/i.exec(authorization)?.[1]
      if (!token) throw new Unauthenticated('invalid token')
      const claims = await signer.verify(token, GRANTS)
      const load = claims.grantType === 'guest_token' ? loadGuest : loadUser
      return cache.get(claims.jti, claims.user, () => load(sql, claims, token))
    },
    findEnded: (callers) => findEnded(sql, callers, clock.now()),
    userChanged: (user) => cache.forget(user),
  }
}

/** Returns the stored form of an API token. */
export function apiTokenHash(token: string): string {
  return createHash('sha256').update(token).digest('base64url')
}

interface UserRow {
  id: string
  organization_id: string
  org1: string
  org2: string | null
  org3: string | null
  role: Role
  status: string
  email: string
  avatar: string | null
  display_name: string | null
  given_name: string | null
  additional_name: string | null
  family_name: string | null
  api_token_id: string | null
  api_token_hash: string | null
  family_live: boolean
}

async function loadUser(sql: Sql, claims: TokenClaims, token: string): Promise<UserCaller> {
  const [row] = await find<UserRow>(sql, claims, USER_OF_TOKEN, 'user-of-token')
  if (!row || row.status !== 'active') throw revoked()
  const isApiToken = claims.grantType === 'api_token'
  if (isApiToken ? !isPresentApiToken(row, claims, token) : !row.family_live) throw revoked()
  const path = pathOf(row)
  return {
    kind: 'user',
    key: `user:${row.id}`,
    user: row.id,
    role: row.role,
    isBot: row.role === 'bot',
    organization: row.organization_id,
    path,
    scopes: new Set(effectiveScopes(claims.scopes, row.role)),
    displayName: displayNameOf({
      displayName: row.display_name,
      givenName: row.given_name,
      additionalName: row.additional_name,
      familyName: row.family_name,
    }),
    avatar: row.avatar,
    email: row.email,
    ...(claims.expiresAt && { expiresAt: claims.expiresAt }),
    ...(isApiToken ? { apiToken: claims.jti } : { family: claims.family! }),
  }
}

const USER_OF_TOKEN = `
select u.id, u.organization_id, u.org1, u.org2, u.org3, u.role, u.status, u.email, u.avatar, u.display_name,
  u.given_name, u.additional_name, u.family_name, u.api_token_id, u.api_token_hash,
  exists (select 1 from token_family f where f.id = $2 and f.user_id = u.id and f.revoked_at is null) as family_live
from app_user u where u.id = $1`

function isPresentApiToken(row: UserRow, claims: TokenClaims, token: string): boolean {
  if (row.api_token_id !== claims.jti || !row.api_token_hash) return false
  const stored = Buffer.from(row.api_token_hash)
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

async function loadGuest(sql: Sql, claims: TokenClaims): Promise<GuestCaller> {
  const [row] = await find<GuestRow>(sql, claims, GUEST_OF_TOKEN, 'guest-of-token')
  if (!row) throw revoked()
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
where f.contact_id = $1 and f.id = $2 and f.revoked_at is null
  and (f.conversation_id is null or exists (
    select 1 from conversation v where v.id = f.conversation_id and v.contact_id = f.contact_id))`

function find<Row>(sql: Sql, claims: TokenClaims, text: string, name: string): Promise<Row[]> {
  if (!isId(claims.user) || (claims.family !== null && !isId(claims.family))) throw revoked()
  return sql.query<Row>(text, [claims.user, claims.family], name)
}

/** The same message for revoked, orphaned and unknown tokens: legacy clients match it. */
function revoked(): Unauthenticated {
  return new Unauthenticated('invalid token')
}
