/** The owner of a mailbox's servers: anybody, or a provider whose servers are known. */
export const ACCESSES = ['imap', 'google', 'microsoft'] as const
export type Access = (typeof ACCESSES)[number]

export interface Fixed {
  host: string
  smtpHost: string
  /** Address that gives tokens for an account's grant. */
  tokenUrl: string
  scope?: string
  signIn: ProviderSignIn
}

/** The sign-in of an account's owner at its provider (OpenID Connect). */
export interface ProviderSignIn {
  /** Address of the page; null if it cannot be told from another address of tokens. */
  authorizationUrl(tokenUrl: string): string | null
  /** Scopes: those of the mail servers, those that name the account, and what makes the grant last. */
  scope: string
  /** Fits a granted scope by which the mail servers let in: a person may leave it out at the provider. */
  mailScope: RegExp
  query?: Readonly<Record<string, string>>
  /** Tells whether it is a name by which the provider signs. */
  isIssuer(issuer: string): boolean
  /** Claims that name the account. */
  accountClaims: readonly string[]
}

const MICROSOFT_ISSUER = /^https:\/\/login\.microsoftonline\.com\/[0-9a-f-]{36}\/v2\.0$/

/** Providers that file what is sent by themselves. */
export const FIXED: Readonly<Partial<Record<Access, Fixed>>> = {
  google: {
    host: 'imap.gmail.com',
    smtpHost: 'smtp.gmail.com',
    tokenUrl: 'https://oauth2.googleapis.com/token',
    signIn: {
      authorizationUrl: () => 'https://accounts.google.com/o/oauth2/v2/auth',
      scope: 'https://mail.google.com/ openid email',
      mailScope: /^https:\/\/mail\.google\.com\/$/,
      // Without a new consent, no refresh token is given a second time.
      query: { access_type: 'offline', prompt: 'consent' },
      isIssuer: (issuer) => issuer === 'https://accounts.google.com' || issuer === 'accounts.google.com',
      accountClaims: ['email'],
    },
  },
  microsoft: {
    host: 'outlook.office365.com',
    smtpHost: 'smtp.office365.com',
    tokenUrl: 'https://login.microsoftonline.com/common/oauth2/v2.0/token',
    scope: 'https://outlook.office365.com/.default',
    signIn: {
      // Both name the tenant, which an application of one tenant needs.
      authorizationUrl: (tokenUrl) => (/\/token$/.test(tokenUrl) ? tokenUrl.replace(/token$/, 'authorize') : null),
      // Without `profile`, the answer does not name the account.
      scope:
        'offline_access openid email profile https://outlook.office365.com/IMAP.AccessAsUser.All https://outlook.office365.com/SMTP.Send',
      mailScope: /(?:^|\/)IMAP\.AccessAsUser\.All$/i,
      query: { prompt: 'select_account' },
      isIssuer: (issuer) => MICROSOFT_ISSUER.test(issuer),
      accountClaims: ['preferred_username', 'email'],
    },
  },
}
