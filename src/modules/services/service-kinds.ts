import type { Context } from '../../platform/context.js'
import type { WriteTx } from '../../platform/events/transact.js'
import type { JsonObject } from '../../platform/json.js'
import type { Touchpoint } from '../touchpoint-traits.js'
import type { ServiceForm } from './service-form.js'
import type { Service } from './service.js'
import type { FetchedTemplate } from './stored-templates.js'

/** A service that is being written. */
export interface ServiceWritten {
  /** Its params are as they are shown. */
  service: Service
  /** The params with their secrets. */
  params: JsonObject
  before: ServiceBefore | null
}

/** A service before a write, secrets included. */
export type ServiceBefore = Pick<Service, 'type' | 'params' | 'status'>

/** Time in which a provider takes answers to a consumer's message. */
export interface ReplyWindow {
  /** From people. */
  peopleMs: number
  /** From bots and from the server itself. */
  machinesMs: number
}

/** The forms that messages keep by a service. Anything else becomes text, with files and links as addresses. */
export interface RouteFormats {
  /** Longest text of one message, in UTF-16 units; null: as long as a message may be. */
  textCharsMax: number | null
  /** True if a longer text is sent in several messages; else it is refused. */
  splitsText: boolean
  /** True if HTML is shown as such. */
  html: boolean
  /** Most buttons that are pressed; null: as many as a message may have. */
  buttonsMax: number | null
  /** Largest file that is sent as such, in bytes; null: as large as an attachment may be. */
  fileBytesMax: number | null
}

/** Input of a test of a service. */
export interface ServiceTestRequest {
  /** Secrets included. */
  service: Pick<Service, 'id' | 'name' | 'params'>
  /** Address to send to, as the caller wrote it; null to find out without sending. */
  to: string | null
  /** The caller, and its own address. */
  ctx: Context
  user: string
  email: string
  now: Date
  /** Ends the test. */
  signal: AbortSignal
}

/** The rules of one type of service. Modules declare their kinds, and the composition root collects these. */
export interface ServiceKind {
  /** The touchpoint that services of this type deliver messages by; null if they are no way to the consumer. */
  touchpoint: Touchpoint | null
  /** Time after the consumer's last message in which the provider takes answers; for ever if absent. */
  window?: ReplyWindow
  /** The forms that messages keep; absent where that is not known. */
  formats?: RouteFormats
  /** The provider's name as consumers know it, where the touchpoint does not say it. */
  provider?: string
  /** The names of its params; others are refused. */
  params: readonly string[]
  /**
   * Params that are secrets, each with the params to which it is bound: the host that receives it, its account, page or
   * user. If one of these changes, the secret's mask is refused. None for a secret of ours that is never sent.
   */
  secrets: Readonly<Record<string, readonly string[]>>
  /** Names the params that are addresses which let in whoever knows them: of these, the host and the last characters are shown. */
  secretAddresses?(params: JsonObject): readonly string[]
  /**
   * Returns the params to store: validated and completed with defaults.
   * @param stored the service's current params, including secrets; empty for a new service
   * @throws BadUserInput naming `params.<key>`
   */
  readParams?(given: JsonObject, stored: JsonObject): JsonObject
  /**
   * Called before the transaction of a write that gives params: asks whoever else knows whether they are right.
   * @param stored as {@link readParams}, as they are shown
   * @returns the params, completed by what was learned @throws BadUserInput naming `params.<key>`
   */
  examine?(given: JsonObject, stored: JsonObject): Promise<JsonObject>
  /**
   * Called in the transaction of the write, before its event: may set `service.status`.
   * @returns work that the answer waits for, after the commit
   * @throws DomainError to refuse
   */
  written?(ctx: Context, tx: WriteTx, written: ServiceWritten): Promise<void | (() => Promise<unknown>)>
  /** Called in the transaction that deletes the service or changes its type. */
  removed?(ctx: Context, tx: WriteTx, service: Service): Promise<void>
  /** Lists the texts that the provider has approved, where it has such. @throws Error */
  fetchTemplates?(service: Pick<Service, 'id' | 'params'>, now: Date): Promise<FetchedTemplate[]>
  /**
   * Tries the service out as it is stored. @returns what was found; its words alone, or all of it
   * @throws ServiceTestFailed when it does not work; BadUserInput for a `to` that this type does not take
   */
  test?(request: ServiceTestRequest): Promise<string | ServiceFindings>
  /** Lets an administrator sign in at the provider, where the service's settings are for one that has such a page. */
  authorize?: ServiceAuthorizer
  /** The form by which administrators set it up; without one, they edit its params as JSON. */
  form?: ServiceForm
  /** True if people sign in by it: its changes may need two administrators. */
  isForSignIn?: true
  /** True if the test, without a `to`, reaches nobody: it is made every some minutes. */
  isChecked?: true
}

/** An attempt to sign in at a provider for a service (OAuth 2.0 with PKCE, OpenID Connect). */
export interface AuthorizationAttempt {
  state: string
  nonce: string
  /** Hash of the verifier, by S256. */
  challenge: string
  verifier: string
  /** Address of this server to which the provider sends the browser back. */
  redirectUri: string
}

/** The sign-in at a provider for services of a kind. */
export interface ServiceAuthorizer {
  /** Returns the address of the provider's page. @throws BadUserInput naming the param that is missing or does not fit; Unprocessable */
  url(params: JsonObject, attempt: Omit<AuthorizationAttempt, 'verifier'>): string
  /**
   * Redeems the provider's code. @returns the params with what was granted
   * @throws AuthorizationFailed where nothing was granted, or not for the account of the service
   */
  redeem(params: JsonObject, attempt: AuthorizationAttempt & { code: string }): Promise<JsonObject>
}

/** Findings of a test. */
export interface ServiceFindings {
  /** In words, for an administrator. */
  message: string
  /** Address of what only a person can try. */
  url?: string
  /** The provider's rating of the sender. */
  quality?: string
}

/** Returns the findings of a test that may be its words alone. */
export const findingsOf = (found: string | ServiceFindings): ServiceFindings =>
  typeof found === 'string' ? { message: found } : found

/** Kinds by the service's `type`. Params of other types are stored as given. */
export type ServiceKinds = ReadonlyMap<string, ServiceKind>
