export const GRANT_TYPES = ['access_token', 'refresh_token', 'api_token', 'guest_token'] as const
export type GrantType = (typeof GRANT_TYPES)[number]

/** Claims of a verified token. Revocation must be checked separately. */
export interface TokenClaims {
  readonly grantType: GrantType
  /** Claim `_id`; the contact in a guest token. */
  readonly user: string
  readonly organization: string
  readonly scopes: readonly string[]
  readonly jti: string
  readonly issuedAt: Date
  /** Null for an API token only. */
  readonly expiresAt: Date | null
  /** The sign-in: revoking it ends its access and refresh tokens. */
  readonly family: string | null
  readonly contact: string | null
  readonly conversation: string | null
}
