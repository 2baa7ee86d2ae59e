import type { Context } from '../context.js'
import type { WriteTx } from '../events/transact.js'
import type { JsonObject } from '../json.js'
import type { Service } from './service.js'

/** A service before a write. */
export type ServiceBefore = Pick<Service, 'type' | 'params' | 'status'>

/** Input of a test of a service. */
export interface ServiceTestRequest {
  service: Pick<Service, 'id' | 'name' | 'params'>
  /** Whom to send to, as the caller wrote it; null to find out without sending. */
  to: string | null
  /** The caller's own address. */
  email: string
  now: Date
  /** Ends the test. */
  signal: AbortSignal
}

/** The rules of one type of service. Modules declare their kinds, and the composition root collects these. */
export interface ServiceKind {
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
   * Called in the transaction of the write, before its event: may set `service.status`. @throws DomainError to refuse
   */
  written?(ctx: Context, tx: WriteTx, service: Service, before: ServiceBefore | null): Promise<void>
  /** Called in the transaction that deletes the service or changes its type. */
  removed?(ctx: Context, tx: WriteTx, service: Service): Promise<void>
  /**
   * Tries the service out as it is stored. @returns what was found, in words
   * @throws ServiceTestFailed when it does not work; BadUserInput for a `to` that this type does not take
   */
  test?(request: ServiceTestRequest): Promise<string>
}

/** Kinds by the service's `type`. Params of other types are stored as given. */
export type ServiceKinds = ReadonlyMap<string, ServiceKind>
