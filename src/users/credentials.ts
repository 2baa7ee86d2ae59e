import type { Context } from '../context.js'

/** What `auth/` does for users; named here so that users need not know how. */
export interface Credentials {
  /** @throws BadUserInput naming `field` for a password that is too short or too long */
  hashPassword(password: unknown, field: string): Promise<string>
  /**
   * Whether it is the user's present password. Guesses count as failed sign-ins.
   * @throws RateLimited after too many
   */
  checkPassword(ctx: Context, user: { id: string; passwordHash: string | null }, password: string): Promise<boolean>
  /** A bot's API token; the caller stores `id` and `hash`, and shows the token once. */
  mintApiToken(subject: { user: string; organization: string; scopes: readonly string[] }): Promise<MintedToken>
}

export interface MintedToken {
  token: string
  id: string
  hash: string
}
