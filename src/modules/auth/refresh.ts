import type { AccessChanges } from '../../platform/access/access-changes.js'
import { scopesOfRole, type Role } from '../../platform/access/scopes.js'
import type { Context } from '../../platform/context.js'
import { isId } from '../../platform/db/clock.js'
import { isCenterInUseSql } from '../../platform/db/archived-centers.js'
import type { Sql } from '../../platform/db/database.js'
import { BadUserInput, TokenExpired, Unauthenticated } from '../../platform/errors.js'
import type { AddressRanges } from '../../platform/limits/address-ranges.js'
import { rangesOf, requireNetwork, rulesSql, strictest, type SignInRules } from '../sign-in-policy/sign-in-rules.js'
import {
  issueTokens,
  noteOrigin,
  revokeFamily,
  spendRefreshToken,
  takeBackSuccessor,
  type Holder,
} from './token-families.js'
import type { TokenResponse } from './token-response.js'
import type { TokenSigner } from './tokens.js'
import type { TokenClaims } from './token-claims.js'

export interface RefreshDependencies {
  signer: TokenSigner
  accessChanges: AccessChanges
}

/**
 * Exchanges a refresh token for a new pair (4.1). The client must know more than the token: `clientId`, the user's
 * email (a guest's contact id), or an access token of the same user. Reuse of a spent token ends its whole family,
 * since one of its two holders is a thief, unless it was spent within the last 30 s and its successor is unused: then
 * the answer was lost.
 * @throws Unauthenticated, BadUserInput without either proof
 */
export async function refreshTokens(
  ctx: Context,
  { signer, accessChanges }: RefreshDependencies,
  { refreshToken, clientId }: { refreshToken: string; clientId?: string | null },
): Promise<TokenResponse> {
  const claims = await signer.verify(refreshToken, ['refresh_token']).catch((error: unknown) => {
    if (error instanceof TokenExpired)
      throw new Unauthenticated('refresh refused: the refresh token has expired', { reason: 'REFRESH_REFUSED' })
    throw error instanceof Unauthenticated ? refused() : error
  })
  const holder = await findHolder(ctx.database, claims)
  checkProof(ctx, holder, clientId ?? null)
  // The token is not spent: it works again from where its user may come.
  requireNetwork(holder.networks, ctx.address)
  const response = await ctx.database.sqlTransaction(async (sql) => {
    const { jti } = claims
    const now = ctx.now()
    if ((await spendRefreshToken(sql, jti, now)) || (await takeBackSuccessor(sql, claims.family!, jti, now))) {
      await noteOrigin(sql, { family: claims.family!, origin: ctx, now })
      return issueTokens(sql, { signer, clock: ctx.clock }, holder, claims.family!)
    }
    // Refused after the commit: throwing here would roll it back.
    if (await revokeFamily(sql, claims.family!, ctx.now())) {
      const { family, user: subject } = claims
      ctx.log.warn({ family, subject }, 'a spent refresh token was reused: its family is revoked')
    }
    return null
  })
  if (response) return response
  accessChanges.userChanged(claims.user)
  throw refused()
}

/** @property networks where a user must come from; absent: from anywhere */
export type KnownHolder = Holder & { clientId: string; networks?: AddressRanges | undefined }

interface HolderRow {
  user_id: string | null
  contact_id: string | null
  conversation_id: string | null
  organization_id: string
  role: Role | null
  client_id: string
  rules: SignInRules[] | null
}

/**
 * Reads the user's current role and organization, or the guest's contact. @throws Unauthenticated when it was deleted
 */
export async function findHolder(
  sql: Sql,
  { family, user }: Pick<TokenClaims, 'family' | 'user'>,
): Promise<KnownHolder> {
  if (!isId(family) || !isId(user)) throw refused()
  const [row] = await sql.query<HolderRow>(HOLDER_OF_FAMILY, [family, user], 'holder-of-family')
  if (!row) throw refused()
  const { organization_id: organization, client_id: clientId } = row
  const networks = rangesOf(strictest(row.rules).allowedNetworks)
  return row.user_id
    ? { kind: 'user', user: row.user_id, organization, scopes: scopesOfRole(row.role!), clientId, networks }
    : { kind: 'guest', contact: row.contact_id!, conversation: row.conversation_id, organization, clientId }
}

const HOLDER_OF_FAMILY = `
select f.user_id, f.contact_id, f.conversation_id, coalesce(u.organization_id, c.organization_id) as organization_id,
  u.role, coalesce(u.email, c.id::text) as client_id, ${rulesSql('u')} as rules
from token_family f
left join app_user u on u.id = f.user_id and u.status = 'active' and ${isCenterInUseSql('u')}
left join contact c on c.id = f.contact_id and ${isCenterInUseSql('c')}
where f.id = $1 and $2 in (u.id, c.id)`

function checkProof(ctx: Context, holder: KnownHolder, clientId: string | null): void {
  if (clientId !== null) {
    if (clientId.toLowerCase() !== holder.clientId.toLowerCase()) throw refused()
    return
  }
  const caller = ctx.maybeCaller
  if (!caller) throw new BadUserInput('clientId', 'clientId is required without an access token', 'MISSING_VALUE')
  const isSame =
    holder.kind === 'user'
      ? caller.kind === 'user' && caller.user === holder.user
      : caller.kind === 'guest' && caller.contact === holder.contact
  if (!isSame) throw refused()
}

/** Not `invalid token`: on that message legacy clients refresh again, endlessly (open points). */
function refused(): Unauthenticated {
  return new Unauthenticated('refresh refused', { reason: 'REFRESH_REFUSED' })
}
