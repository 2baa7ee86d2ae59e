import type { MaskedKind } from '../masking/masker.js'
import type { OrganizationPath, TenantScope } from '../db/tenancy.js'
import type { OPERATOR, Role, Scope } from './scopes.js'

interface CallerBase extends TenantScope {
  organization: string
  path: OrganizationPath
  scopes: ReadonlySet<Scope | typeof OPERATOR>
  /** Expiry of the token; absent for API tokens. */
  expiresAt?: Date
  /** The sign-in: revoking it ends the token. */
  family?: string
  /** Id of an API token: replacing it ends the token. */
  apiToken?: string
  /** Identifies the caller in logs and limits: `user:<id>` or `guest:<contact>`. */
  key: string
}

/** A registered user: agent, admin, owner, viewer or bot. */
export interface UserCaller extends CallerBase {
  kind: 'user'
  user: string
  role: Role
  isBot: boolean
  /** Set for a bot that somebody stopped. */
  isPaused?: boolean
  /** Set for a governed bot that reads no contacts. */
  hidesContacts?: boolean
  /** Kinds that are masked for a bot; absent for none. */
  mask?: readonly MaskedKind[]
  /** Networks from which the caller must come; absent: from anywhere. */
  networks?: { has(address: string | null): boolean }
  displayName: string
  avatar: string | null
  email: string
}

/** A consumer in the web widget, bound to one contact, and to one conversation or that contact's conversations. */
export interface GuestCaller extends CallerBase {
  kind: 'guest'
  contact: string
  conversation: string | null
}

/** The installation's operator, by `OPERATOR_TOKEN`. Belongs to no contact center: its path is of none. */
export interface OperatorCaller extends CallerBase {
  kind: 'operator'
}

/** The authenticated caller of a request (section 5). */
export type Caller = UserCaller | GuestCaller | OperatorCaller

/** Returns the kinds that are masked for a caller, a bot; null for all others. */
export const maskOf = (caller: Caller | null): readonly MaskedKind[] | null =>
  (caller?.kind === 'user' && caller.mask) || null

/** Tells whether contacts are kept from a caller, a governed bot. */
export const hidesContacts = (caller: Caller | null): boolean =>
  caller?.kind === 'user' && caller.hidesContacts === true
