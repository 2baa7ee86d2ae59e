/** The owner of a mailbox's servers: anybody, or a provider whose servers are known. */
export const ACCESSES = ['imap', 'google', 'microsoft'] as const
export type Access = (typeof ACCESSES)[number]

export interface Fixed {
  host: string
  smtpHost: string
  /** Address that gives tokens for an account's grant. */
  tokenUrl: string
  scope?: string
}

/** Providers that file what is sent by themselves. */
export const FIXED: Readonly<Partial<Record<Access, Fixed>>> = {
  google: {
    host: 'imap.gmail.com',
    smtpHost: 'smtp.gmail.com',
    tokenUrl: 'https://oauth2.googleapis.com/token',
  },
  microsoft: {
    host: 'outlook.office365.com',
    smtpHost: 'smtp.office365.com',
    tokenUrl: 'https://login.microsoftonline.com/common/oauth2/v2.0/token',
    scope: 'https://outlook.office365.com/.default',
  },
}
