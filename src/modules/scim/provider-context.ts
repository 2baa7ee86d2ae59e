import { Context } from '../../platform/context.js'
import { shareOf } from '../../platform/fairness/share.js'
import type { Provider } from '../sso/providers.js'

/** A provider that was let in by its token. */
export interface Provisioner {
  provider: Provider
  /** Id of the token, for the audit log. */
  token: string
  /** The address of its resources. */
  base: string
}

/** Returns the address of a provider's resources. */
export const baseOf = (publicUrl: string, service: string): string => `${publicUrl}/scim/v2/${service}`

/** Identifies a provider in limits. */
export const keyOf = ({ id }: Pick<Provider, 'id'>): string => `scim:${id}`

/**
 * Returns a context of the same request that sees what the provider's organization does, and counts as that customer's in fair
 * queues. Nobody is its caller: what it writes is the system's, on the provider's behalf.
 */
export function contextOf(ctx: Context, { path, id }: Provider): Context {
  const { database, clock, log, requestId, address, userAgent } = ctx
  const share = shareOf(path, keyOf({ id }))
  return new Context({ database, clock, log, requestId, address, userAgent, caller: null, tenant: { path }, share })
}
