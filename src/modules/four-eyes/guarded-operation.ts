import type { Permission } from '../../platform/access/permissions.js'
import type { Context } from '../../platform/context.js'
import type { Transact } from '../../platform/events/transact.js'
import type { FourEyesArea } from './pending-change.js'

/** The record that a change is made to. */
export interface ChangedObject {
  type: string
  id: string | null
  /** Name by which administrators know it; null for consumers. */
  name?: string | null
  /** Version that a hold, a retention policy, a service or a domain must still have when the change is carried out. */
  version?: number
}

/** A proposed input, with all that depends on who asks, and the record that it is about. */
export interface Proposal<Input> {
  input: Input
  object: ChangedObject
  /** The input without secrets. Default: it has none. */
  shown?: object
}

/** A mutation that needs two administrators where its area is guarded. */
export interface GuardedOperation<Input extends object, Result> {
  area: FourEyesArea
  permission: Permission
  /**
   * Makes the change. It must write by `transact` alone, once at least: what it does within is tried and undone first.
   */
  act(ctx: Context, transact: Transact, input: Input): Promise<Result>
  /** Names what is changed, and fills in what depends on the caller. @throws NotFound */
  propose(ctx: Context, input: Input): Promise<Proposal<Input>>
  /** Tells whether a change in a guarded area is one that needs two. Default: it is. */
  isGuarded?(ctx: Context, input: Input): boolean | Promise<boolean>
  /** Restores an input from JSON. Default: as it is. */
  revived?(ctx: Context, input: Input): Input
  /** Returns a secret of the result, to be shown once. */
  secretOf?(result: Result): string | undefined
}
