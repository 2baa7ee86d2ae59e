import type { Caller } from './caller.js'
import { PERMISSIONS, type Permission } from './permissions.js'
import { OPERATOR } from './scopes.js'

/**
 * A mutation that runs: its name, and whether its transaction leaves an audit entry. What only administrators and the operator may
 * do always does; what else is worth one says so itself ({@link AuditedMutation.isAudited}).
 */
export class AuditedMutation {
  isAudited = false

  /**
   * @param args of the mutation, which name the record that it changes
   * @param caller who runs it, also where the system writes on the caller's behalf
   */
  constructor(
    readonly name: string,
    readonly args: Readonly<Record<string, unknown>>,
    readonly caller: Caller | null,
  ) {}

  /** Takes note of a permission that the mutation needed. */
  needed(operation: Permission): void {
    const scope: string = PERMISSIONS[operation]
    if (scope === 'admin' || scope === OPERATOR) this.isAudited = true
  }
}
