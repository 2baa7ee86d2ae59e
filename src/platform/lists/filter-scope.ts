import type { Context } from '../context.js'
import { tenantSql } from '../db/tenancy.js'
import type { TenantCondition } from './text-search.js'

/** Builds the parts of conditions that depend on the caller, and pushes their values. */
export interface FilterScope {
  /** The caller's tenants, for searches in other tables. */
  tenant: TenantCondition
  /** True for a bot that sees no contacts. */
  hidesContacts: boolean
  /** The caller's id as a parameter, for fields about what is the caller's own. */
  caller(): string
}

export function filterScope(ctx: Context, values: unknown[]): FilterScope {
  return {
    tenant: (alias) => tenantSql(ctx.tenant, alias, values),
    hidesContacts: ctx.hidesContacts,
    caller: () => `$${values.push(ctx.userCaller.user)}::uuid`,
  }
}
