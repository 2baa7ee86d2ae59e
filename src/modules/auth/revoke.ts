import type { AccessChanges } from '../../platform/access/access-changes.js'
import { addAuditEntries } from '../../platform/audit/audit-entry.js'
import type { Context } from '../../platform/context.js'
import { BadUserInput, TokenExpired } from '../../platform/errors.js'
import type { TokenSigner } from './tokens.js'

export interface RevokeDependencies {
  signer: TokenSigner
  accessChanges: AccessChanges
}

/**
 * Ends the caller's own sign-ins: all of them, that of a refresh token, or the current one.
 * @throws BadUserInput for an API token without a refresh token: a bot's token is rotated or ends with the bot
 */
export async function revokeTokens(
  ctx: Context,
  { signer, accessChanges }: RevokeDependencies,
  { refreshToken, all }: { refreshToken?: string | null; all?: boolean | null },
): Promise<void> {
  const { caller } = ctx
  const subject = caller.kind === 'guest' ? caller.contact : ctx.userCaller.user
  const family = all ? null : await familyOf(signer, refreshToken, caller.family)
  const now = ctx.now()
  await ctx.database.sqlTransaction(async (sql) => {
    const ended = await sql.query(
      `update token_family set revoked_at = $3
     where (user_id = $1 or contact_id = $1) and revoked_at is null and ($2::uuid is null or id = $2) returning id`,
      [subject, family, now],
    )
    if (caller.kind !== 'user' || ended.length === 0) return
    const object = { type: 'user', id: subject }
    await addAuditEntries(sql, ctx, [{ action: 'signOut', object, details: { sessions: ended.length } }])
  })
  accessChanges.userChanged(subject)
}

async function familyOf(signer: TokenSigner, token: string | null | undefined, own?: string): Promise<string> {
  if (token != null) {
    const claims = await signer.verify(token, ['refresh_token']).catch((error: unknown) => {
      throw error instanceof TokenExpired ? new BadUserInput('refreshToken', 'refreshToken has expired') : error
    })
    return claims.family!
  }
  if (own) return own
  throw new BadUserInput(
    'refreshToken',
    'refreshToken is required: an API token has no sign-in to end; use rotateApiToken',
  )
}
