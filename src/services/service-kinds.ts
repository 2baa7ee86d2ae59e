import type { Context } from '../context.js'
import type { WriteTx } from '../events/transact.js'
import type { JsonObject } from '../json.js'
import type { Service } from './service.js'

/** What a service was before a write. */
export type ServiceBefore = Pick<Service, 'type' | 'params' | 'status'>

/** What one type of service adds to writing one. The rooms above name their kinds in the composition root. */
export interface ServiceKind {
  /**
   * Each param that is a secret, and those that it goes with: the host that it is sent to, the account, page or user that
   * it is of. When one of them changes, the secret's mask is refused. None for a secret of our own that goes nowhere.
   */
  secrets: Readonly<Record<string, readonly string[]>>
  /**
   * The params to store: checked, and completed with what is made by default.
   * @param stored those of the service so far, secrets included; empty for a new one
   * @throws BadUserInput naming `params.<key>`
   */
  readParams?(given: JsonObject, stored: JsonObject): JsonObject
  /** In the transaction of the write, before its event: it may set `service.status`. @throws DomainError to refuse */
  written?(ctx: Context, tx: WriteTx, service: Service, before: ServiceBefore | null): Promise<void>
  /** In the transaction that deletes the service, or makes it one of another type. */
  removed?(ctx: Context, tx: WriteTx, service: Service): Promise<void>
}

/** By the service's `type`. A type that is not here is stored as it is given. */
export type ServiceKinds = ReadonlyMap<string, ServiceKind>
