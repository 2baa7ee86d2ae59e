import type { Context } from '../../platform/context.js'
import type { WriteTx } from '../../platform/events/transact.js'
import type { JsonObject } from '../../platform/json.js'
import type { Touchpoint } from '../touchpoint-traits.js'
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
  /** The names of its params; others are refused. */
  params: readonly string[]
  /**
   * Params that are secrets, each with the params to which it is bound: the host that receives it, its account, page or
   * user. If one of these changes, the secret's mask is refused. None for a secret of ours that is never sent.
   */
  secrets: Readonly<Record<string, readonly string[]>>
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
   * Tries the service out as it is stored. @returns what was found, in words, and the address of what only a person can try
   * @throws ServiceTestFailed when it does not work; BadUserInput for a `to` that this type does not take
   */
  test?(request: ServiceTestRequest): Promise<string | { message: string; url: string }>
}

/** Kinds by the service's `type`. Params of other types are stored as given. */
export type ServiceKinds = ReadonlyMap<string, ServiceKind>
