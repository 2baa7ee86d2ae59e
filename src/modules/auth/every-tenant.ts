import { Context } from '../../platform/context.js'
import { EVERY_TENANT } from '../../platform/db/tenancy.js'

/** Returns a context of the same request that sees every tenant: nobody is authenticated during a sign-in. */
export function everyTenant(ctx: Context): Context {
  const { database, clock, log, requestId, address, userAgent, acceptLanguage } = ctx
  const options = { database, clock, log, requestId, address, userAgent, acceptLanguage }
  return new Context({ ...options, caller: null, tenant: EVERY_TENANT })
}
