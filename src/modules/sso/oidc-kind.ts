import type { AccessChanges } from '../../platform/access/access-changes.js'
import type { Context } from '../../platform/context.js'
import { BadUserInput } from '../../platform/errors.js'
import type { WriteTx } from '../../platform/events/transact.js'
import { isAbsent } from '../../platform/input.js'
import type { JsonObject } from '../../platform/json.js'
import type { ServiceKind, ServiceTestRequest, ServiceWritten } from '../services/service-kinds.js'
import { ServiceTestFailed } from '../services/service-test.js'
import type { Service } from '../services/service.js'
import type { Attempts } from './attempts.js'
import { startUrl } from './link-identity.js'
import { OIDC, OIDC_PARAMS, readOidcParams, type OidcParams } from './oidc-params.js'
import { providerError } from './provider-errors.js'
import { ProviderWrites } from './provider-writes.js'
import type { Providers } from './providers.js'

export interface OidcKindOptions {
  providers: Providers
  attempts: Attempts
  accessChanges: AccessChanges
  allowPrivate: boolean
  publicUrl: string
}

/** Extends writes of services of type `oidc`: the provider must be what its address says, and what it opened ends with it. */
export class OidcKind implements ServiceKind {
  readonly touchpoint = null
  readonly isForSignIn = true
  readonly params = OIDC_PARAMS
  /** It is sent to the provider alone, for one application. */
  readonly secrets = { clientSecret: ['issuer', 'clientId'] }

  readonly #writes: ProviderWrites

  constructor(private readonly options: OidcKindOptions) {
    this.#writes = new ProviderWrites(OIDC, options.accessChanges)
  }

  readParams(given: JsonObject): JsonObject {
    return readOidcParams(given, this.options.allowPrivate)
  }

  /**
   * Asks a provider that is named for the first time whether it is the one, how it writes its own name, and whether it names itself in
   * its answers. Identities have the issuer as the provider writes it, which may end otherwise than what was typed.
   * @throws BadUserInput, Unavailable
   */
  async examine(given: JsonObject, stored: JsonObject): Promise<JsonObject> {
    // Nobody is asked about what will be refused.
    const { issuer } = readOidcParams(given, this.options.allowPrivate)
    if (issuer === stored.issuer && (isAbsent(given.ownReturn) || given.ownReturn === stored.ownReturn)) {
      return { ...given, ownReturn: stored.ownReturn ?? true }
    }
    const { server, namesItself } = await this.options.providers.examine(issuer).catch((error: unknown) => {
      const { message } = providerError(error)
      throw error instanceof BadUserInput ? error : new BadUserInput('params.issuer', `params.issuer: ${message}`)
    })
    if (given.ownReturn === false && !namesItself) {
      const why = 'the provider does not name itself in its answers (RFC 9207), so its return address must be its own'
      throw new BadUserInput('params.ownReturn', `params.ownReturn cannot be false: ${why}`)
    }
    return { ...given, issuer: server.issuer, ownReturn: given.ownReturn ?? !namesItself }
  }

  written(ctx: Context, tx: WriteTx, written: ServiceWritten): Promise<void | (() => Promise<void>)> {
    return this.#writes.written(ctx, tx, { ...written, isComplete: oidcOf(written.params).clientId !== undefined })
  }

  removed(ctx: Context, tx: WriteTx, service: Service): Promise<void> {
    return this.#writes.removed(ctx, tx, service)
  }

  /** Asks the provider for its addresses, and makes one by which the caller tries a sign-in that opens no session. */
  async test({ service, to, user, ctx }: ServiceTestRequest): Promise<{ message: string; url: string }> {
    if (to !== null) throw new BadUserInput('to', 'to is for services of type sms')
    const { providers, attempts, publicUrl } = this.options
    const { issuer, clientId } = oidcOf(service.params)
    try {
      if (clientId === undefined)
        throw new ServiceTestFailed('params.clientId is missing: register the application at the provider')
      // Only an active one can be tried.
      await providers.require(service.id).catch(() => {
        throw new ServiceTestFailed('the service is inactive')
      })
      await providers.examine(issuer)
    } catch (error) {
      if (error instanceof ServiceTestFailed) throw error
      throw new ServiceTestFailed(error instanceof BadUserInput ? error.message : providerError(error).message)
    }
    const { ticket } = await ctx.database.sqlTransaction((sql) =>
      attempts.ticket(sql, ctx, { user, service: service.id, purpose: 'trial' }),
    )
    return {
      message: `${issuer} answers. Try a sign-in at the address, within two minutes`,
      url: startUrl(publicUrl, service.id, ticket),
    }
  }
}

const oidcOf = (params: JsonObject): OidcParams => params as unknown as OidcParams
