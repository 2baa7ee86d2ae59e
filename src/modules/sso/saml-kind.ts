import type { AccessChanges } from '../../platform/access/access-changes.js'
import type { Context } from '../../platform/context.js'
import { BadUserInput, Forbidden } from '../../platform/errors.js'
import type { WriteTx } from '../../platform/events/transact.js'
import type { JsonObject } from '../../platform/json.js'
import type { OutboundHttp } from '../../platform/outbound/outbound-http.js'
import type { ServiceKind, ServiceTestRequest, ServiceWritten } from '../services/service-kinds.js'
import { ServiceTestFailed } from '../services/service-test.js'
import type { Service } from '../services/service.js'
import type { Attempts } from './attempts.js'
import { startUrl } from './link-identity.js'
import { ProviderWrites } from './provider-writes.js'
import type { Providers } from './providers.js'
import { importMetadata } from './saml-metadata.js'
import { readSamlParams, SAML, SAML_PARAMS, type SamlParams } from './saml-params.js'

export interface SamlKindOptions {
  providers: Providers
  attempts: Attempts
  accessChanges: AccessChanges
  http: OutboundHttp
  allowPrivate: boolean
  publicUrl: string
}

/** Extends writes of services of type `saml`: metadata are imported, and whom one believes is an owner's to say. */
export class SamlKind implements ServiceKind {
  readonly touchpoint = null
  readonly isForSignIn = true
  readonly params = SAML_PARAMS
  readonly secrets = {}
  readonly #writes: ProviderWrites

  constructor(private readonly options: SamlKindOptions) {
    this.#writes = new ProviderWrites(SAML, options.accessChanges)
  }

  readParams(given: JsonObject): JsonObject {
    return readSamlParams(given, this.options.allowPrivate)
  }

  /** @throws BadUserInput for metadata that cannot be read */
  examine(given: JsonObject): Promise<JsonObject> {
    return importMetadata(this.options, given)
  }

  /**
   * Requires an owner for whom one believes: the holder of a certificate's key can be anybody who signs in by the service, owners too, and
   * nothing but the settings says whose it is, as a host's TLS does of an issuer of OpenID Connect. @throws Forbidden
   */
  async written(ctx: Context, tx: WriteTx, written: ServiceWritten): Promise<void | (() => Promise<void>)> {
    const { before, params } = written
    const [now, earlier] = [samlOf(params), before?.type === SAML ? samlOf(before.params) : null]
    const isTrusted =
      now.certificates === undefined ||
      (earlier?.issuer === now.issuer && now.certificates.every((each) => earlier?.certificates?.includes(each)))
    if (!isTrusted && ctx.userCaller.role !== 'owner') {
      throw new Forbidden('only an owner sets the entity id and the certificates of a provider of SAML', {
        reason: 'OWNER_REQUIRED',
        field: earlier?.issuer === now.issuer ? 'params.certificates' : 'params.issuer',
      })
    }
    return this.#writes.written(ctx, tx, { ...written, isComplete: now.certificates !== undefined })
  }

  removed(ctx: Context, tx: WriteTx, service: Service): Promise<void> {
    return this.#writes.removed(ctx, tx, service)
  }

  /** Makes an address by which the caller tries a sign-in that opens no session. */
  async test({ service, to, user, ctx }: ServiceTestRequest): Promise<{ message: string; url: string }> {
    if (to !== null) throw new BadUserInput('to', 'to is for services of type sms')
    const { providers, attempts, publicUrl } = this.options
    if (samlOf(service.params).certificates === undefined)
      throw new ServiceTestFailed('params.metadata is missing: register this server at the provider')
    // Only an active one can be tried.
    await providers.require(service.id).catch(() => {
      throw new ServiceTestFailed('the service is inactive')
    })
    const { ticket } = await ctx.database.sqlTransaction((sql) =>
      attempts.ticket(sql, ctx, { user, service: service.id, purpose: 'trial' }),
    )
    return { message: 'Try a sign-in at the address, within two minutes', url: startUrl(publicUrl, service.id, ticket) }
  }
}

const samlOf = (params: JsonObject): Partial<SamlParams> => params as Partial<SamlParams>
