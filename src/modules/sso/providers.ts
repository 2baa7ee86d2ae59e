import { LRUCache } from 'lru-cache'
import {
  allowInsecureRequests,
  ClientError,
  ClientSecretBasic,
  ClientSecretPost,
  clockTolerance,
  Configuration,
  customFetch,
  discovery,
  enableNonRepudiationChecks,
  None,
  type ClientAuth,
  type CustomFetch,
  type ServerMetadata,
} from 'openid-client'
import { isCenterInUseSql } from '../../platform/db/archived-centers.js'
import { isId } from '../../platform/db/clock.js'
import type { Sql } from '../../platform/db/database.js'
import { pathOf, type OrganizationPath } from '../../platform/db/tenancy.js'
import { BadUserInput, Forbidden, NotFound, quoteValue } from '../../platform/errors.js'
import type { OutboundHttp } from '../../platform/outbound/outbound-http.js'
import type { Sealer } from '../../platform/sealing/sealer.js'
import { isPlainObject, type JsonObject } from '../../platform/json.js'
import { openParams } from '../services/stored-params.js'
import { OIDC, type OidcParams } from './oidc-params.js'
import { CLOCK_TOLERANCE_SECONDS } from './provider-clock.js'
import { providerFetch } from './provider-fetch.js'
import { SAML, type SamlParams } from './saml-params.js'

interface ProviderBase {
  id: string
  name: string | null
  /** Path of the organization whose users, and those of the organizations below it, sign in by it. */
  path: OrganizationPath
  organization: string
  version: number
}

/** A service of type `saml`. */
export type SamlProvider = ProviderBase & { type: typeof SAML; params: SamlParams }

/** A service by which users sign in. */
export type Provider = SamlProvider | (ProviderBase & { type: typeof OIDC; params: OidcParams })

/** A provider of type `oidc` that can be used: its application is registered. */
export type OidcProvider = ProviderBase & { type: typeof OIDC; params: OidcParams & { clientId: string } }

/** A provider that can be used. */
export type UsableProvider = SamlProvider | OidcProvider

interface ProviderRow {
  id: string
  type: Provider['type']
  name: string | null
  organizationId: string
  org1: string
  org2: string | null
  org3: string | null
  params: JsonObject
  sealedParams: string | null
  version: number
}

/** Time after which a provider's addresses are asked for anew; the library does that for its keys. */
const KNOWN_MS = 10 * 60_000
const KNOWN_MAX = 1_000
const DISCOVERY_SECONDS = 8

export interface ProvidersOptions {
  sql: Pick<Sql, 'query'>
  sealer: Sealer
  http: OutboundHttp
  /** True if a provider may be on this machine, without TLS. */
  allowPrivate: boolean
}

/** Services of types `oidc` and `saml`, and how the library talks to those of OpenID Connect. */
export class Providers {
  readonly fetch: CustomFetch
  readonly #known = new LRUCache<string, { client: Promise<Configuration>; at: number }>({ max: KNOWN_MAX })

  constructor(private readonly options: ProvidersOptions) {
    this.fetch = providerFetch(options.http)
  }

  /** Finds an active provider of a contact center in use. @throws NotFound also for one whose application is not registered */
  async require(id: string): Promise<UsableProvider> {
    return this.#usable(id, isId(id) ? await this.#find(this.options.sql, id) : null)
  }

  /** Finds an active provider of a type, as {@link require}. @throws NotFound */
  async requireOf<T extends Provider['type']>(type: T, id: string): Promise<UsableProvider & { type: T }> {
    const provider = await this.require(id)
    if (provider.type === type) return provider as UsableProvider & { type: T }
    throw noProvider(id)
  }

  /** Finds an active provider of a contact center in use, also one whose application is not registered. */
  async find(id: string): Promise<Provider | null> {
    return isId(id) ? this.#find(this.options.sql, id) : null
  }

  /** Reads a provider in a transaction, and keeps others from changing it until its end. @throws NotFound if it is in use no more */
  async holdAny(sql: Pick<Sql, 'query'>, id: string): Promise<Provider> {
    const provider = await this.#find(sql, id, 'for share of s')
    if (!provider) throw new NotFound(`no provider ${quoteValue(id)}`)
    return provider
  }

  /**
   * Reads a provider again that has answered meanwhile, and keeps others from changing it until the end of the transaction: what it
   * opens ends with it. @throws NotFound if it is not in use any more; Forbidden if it is another one
   */
  async hold(sql: Pick<Sql, 'query'>, answered: Provider): Promise<UsableProvider> {
    const provider = this.#usable(answered.id, await this.#find(sql, answered.id, 'for share of s'))
    if (trustOf(provider) === trustOf(answered)) return provider
    throw new Forbidden('the provider was changed meanwhile: begin again', { reason: 'SIGN_IN_NOT_BEGUN' })
  }

  #usable(id: string, provider: Provider | null): UsableProvider {
    const needed = provider?.type === SAML ? provider.params.certificates : provider?.params.clientId
    if (needed !== undefined) return provider as UsableProvider
    throw noProvider(id)
  }

  async #find(sql: Pick<Sql, 'query'>, id: string, lock = ''): Promise<Provider | null> {
    const [row] = await sql.query<ProviderRow>(
      `select id, type, name, organization_id as "organizationId", org1, org2, org3, params, sealed_params as "sealedParams", version
       from service s where id = $1 and type in ('${OIDC}', '${SAML}') and status = 'active' and ${isCenterInUseSql('s')} ${lock}`,
      [id],
      lock ? 'held-sign-in-provider' : 'sign-in-provider',
    )
    if (!row) return null
    const { type, name, organizationId: organization, version } = row
    return {
      id: row.id,
      type,
      name,
      organization,
      path: pathOf(row),
      version,
      params: openParams(this.options.sealer, row),
    } as unknown as Provider
  }

  /** Returns the library's client of a provider, made once in ten minutes, whoever waits for it. @throws as `discovery` */
  client(provider: OidcProvider): Promise<Configuration> {
    const key = `${provider.id} ${provider.version}`
    const now = performance.now()
    const known = this.#known.get(key)
    if (known && now - known.at < KNOWN_MS) return known.client
    const client = this.#discover(provider.params.issuer).then((server) => this.#clientOf(provider, server))
    this.#known.set(key, { client, at: now })
    client.catch(() => this.#known.delete(key))
    return client
  }

  /** Asks the provider for its addresses. @throws BadUserInput when it is not the issuer; as `discovery` */
  async examine(issuer: string): Promise<{ server: ServerMetadata; namesItself: boolean }> {
    const server = await this.#discover(issuer)
    return { server, namesItself: server.authorization_response_iss_parameter_supported === true }
  }

  async #discover(issuer: string): Promise<ServerMetadata> {
    const found = await discovery(new URL(issuer), 'unknown', undefined, None(), {
      [customFetch]: this.fetch,
      timeout: DISCOVERY_SECONDS,
      execute: this.#isInsecure(issuer) ? [allowInsecureRequests] : [],
    }).catch((error: unknown) => {
      throw misnamed(error, issuer) ?? error
    })
    const server = { ...found.serverMetadata() }
    // The library lets some providers speak for many issuers: whose account it is must not depend on that.
    if (new URL(server.issuer).href !== new URL(issuer).href) {
      throw otherIssuer(issuer, server.issuer)
    }
    const addresses = {
      authorization_endpoint: server.authorization_endpoint,
      token_endpoint: server.token_endpoint,
      jwks_uri: server.jwks_uri,
    }
    for (const [name, address] of Object.entries(addresses)) {
      const protocol = address === undefined ? null : URL.parse(address)?.protocol
      if (protocol === 'https:' || (protocol === 'http:' && this.#isInsecure(issuer))) continue
      throw new BadUserInput(
        'params.issuer',
        `params.issuer ${quoteValue(issuer)} has no ${name} that begins with https://`,
      )
    }
    return server
  }

  #clientOf({ params: { issuer, clientId, clientSecret } }: OidcProvider, server: ServerMetadata): Configuration {
    const metadata = { [clockTolerance]: CLOCK_TOLERANCE_SECONDS }
    const client = new Configuration(server, clientId, metadata, authenticationOf(server, clientSecret))
    client[customFetch] = this.fetch
    client.timeout = DISCOVERY_SECONDS
    enableNonRepudiationChecks(client)
    if (this.#isInsecure(issuer)) allowInsecureRequests(client)
    return client
  }

  #isInsecure(issuer: string): boolean {
    return this.options.allowPrivate && issuer.startsWith('http:')
  }
}

/** The params that make it this very provider: what another one says is not believed. */
function trustOf({ type, params }: Provider): string {
  return JSON.stringify([type, params.issuer, type === SAML ? params.certificates : params.clientId])
}

function noProvider(id: string): NotFound {
  return new NotFound(`no provider ${quoteValue(id)} to sign in by`)
}

function otherIssuer(issuer: string, found: unknown): BadUserInput {
  return new BadUserInput('params.issuer', `params.issuer ${quoteValue(issuer)} calls itself ${quoteValue(found)}`)
}

/** The library's refusal of a provider that calls itself otherwise than it is called. */
function misnamed(error: unknown, issuer: string): BadUserInput | null {
  const cause = error instanceof ClientError ? error.cause : null
  if (!isPlainObject(cause) || cause.attribute !== 'issuer' || !isPlainObject(cause.body)) return null
  return otherIssuer(issuer, cause.body.issuer)
}

/** Returns the proof of the application that the provider takes, by default in the header (OpenID Connect Discovery, 3). */
function authenticationOf(
  { token_endpoint_auth_methods_supported: methods }: ServerMetadata,
  secret?: string,
): ClientAuth {
  if (secret === undefined) return None()
  return methods?.includes('client_secret_post') ? ClientSecretPost(secret) : ClientSecretBasic(secret)
}
