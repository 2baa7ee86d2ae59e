import type { Context } from '../../platform/context.js'
import { invalidLink, type PasswordLinks } from './password-links.js'
import { parseChosen } from './parse-chosen.js'
import { openSession, type SignInDependencies } from './sign-in.js'
import type { TokenResponse } from './token-response.js'

/** Input of `acceptInvitation` and `resetPassword`. */
export interface ChosenPassword {
  token: string
  password: string
  timezone?: string | null
}

/** Sets the invited user's password, makes the user active and signs in. @throws Unprocessable, BadUserInput */
export async function acceptInvitation(
  ctx: Context,
  dependencies: SignInDependencies & { links: PasswordLinks },
  { token, password, timezone }: ChosenPassword,
): Promise<TokenResponse> {
  const user = await dependencies.links.check(token, 'invitation')
  const passwordHash = await dependencies.hasher.hash(await parseChosen(ctx, user, password))
  // Of two that accept at once, the first one's password counts.
  const now = ctx.now()
  const accepted = await ctx.database.sqlTransaction((sql) =>
    sql.query(
      `update app_user set password_hash = $4, updated_at = $5, version = version + 1
     where id = $1 and status = 'invited' and role <> 'bot' and email = $2 and password_hash is not distinct from $3
     returning id`,
      [user.id, user.email, user.password_hash, passwordHash, now],
    ),
  )
  if (accepted.length === 0) throw invalidLink('invitation')
  const response = await openSession(ctx, dependencies, { user: user.id, passwordHash, timezone: timezone ?? null })
  if (!response) throw invalidLink('invitation')
  return response
}
