import type { Context } from '../../platform/context.js'

/** The part of `auth/` that users need; declared here so that they need not depend on it. */
export interface Credentials {
  /** @throws BadUserInput naming `field` for a password that is too short or too long */
  hashPassword(password: unknown, field: string): Promise<string>
  /**
   * Tells whether it is the user's current password. Wrong ones count as failed sign-ins.
   * @throws RateLimited after too many
   */
  checkPassword(ctx: Context, user: { id: string; passwordHash: string | null }, password: string): Promise<boolean>
  /** Creates a bot's API token; the caller stores `id` and `hash`, and shows the token once. */
  mintApiToken(subject: { user: string; organization: string; scopes: readonly string[] }): Promise<MintedToken>
}

export interface MintedToken {
  token: string
  id: string
  hash: string
}
