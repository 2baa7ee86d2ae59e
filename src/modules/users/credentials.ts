import type { Context } from '../../platform/context.js'

/** The part of `auth/` that users need; declared here so that they need not depend on it. */
export interface Credentials {
  /** @throws BadUserInput naming `field` for a password that is too short or too long, or breaks the sign-in policy */
  hashPassword(ctx: Context, password: unknown, field: string, user: PasswordUser): Promise<string>
  /**
   * Tells whether it is the user's current password. Wrong ones count as failed sign-ins.
   * @throws RateLimited after too many
   */
  checkPassword(ctx: Context, user: { id: string; passwordHash: string | null }, password: string): Promise<boolean>
  /** Creates a bot's API token; the caller stores `id` and `hash`, and shows the token once. */
  mintApiToken(subject: { user: string; organization: string; scopes: readonly string[] }): Promise<MintedToken>
}

/** The user whom a password is for: the organizations of its path, its names and its email. */
export interface PasswordUser {
  path: readonly (string | undefined)[]
  names: readonly (string | null | undefined)[]
}

export interface MintedToken {
  token: string
  id: string
  hash: string
}
