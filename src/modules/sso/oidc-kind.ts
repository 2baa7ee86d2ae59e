import type { AccessChanges } from '../../platform/access/access-changes.js'
import type { Context } from '../../platform/context.js'
import { pathOf } from '../../platform/db/tenancy.js'
import { BadUserInput, Unprocessable } from '../../platform/errors.js'
import type { WriteTx } from '../../platform/events/transact.js'
import { isAbsent } from '../../platform/input.js'
import type { JsonObject } from '../../platform/json.js'
import { requireVisible } from '../../platform/lists/visible-ids.js'
import type { ServiceKind, ServiceTestRequest, ServiceWritten } from '../services/service-kinds.js'
import { ServiceTestFailed } from '../services/service-test.js'
import { Service } from '../services/service.js'
import type { Attempts } from './attempts.js'
import { startUrl } from './link-identity.js'
import { lockToCount } from '../organizations/owned-record.js'
import { refuseLosingProvider } from '../sign-in-policy/password-login.js'
import { OIDC, OIDC_PARAMS, readOidcParams, type OidcParams } from './oidc-params.js'
import { providerError } from './provider-errors.js'
import type { Providers } from './providers.js'
import { dueToAll } from './provisioning.js'

export interface OidcKindOptions {
  providers: Providers
  attempts: Attempts
  accessChanges: AccessChanges
  allowPrivate: boolean
  publicUrl: string
}

/** Each is looked through when somebody asks how to sign in. */
const PROVIDERS_PER_ORGANIZATION_MAX = 20

/** Extends writes of services of type `oidc`: the provider must be what its address says, and what it opened ends with it. */
export class OidcKind implements ServiceKind {
  readonly touchpoint = null
  readonly params = OIDC_PARAMS
  /** It is sent to the provider alone, for one application. */
  readonly secrets = { clientSecret: ['issuer', 'clientId'] }

  constructor(private readonly options: OidcKindOptions) {}

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

  async written(
    ctx: Context,
    tx: WriteTx,
    { service, params, before }: ServiceWritten,
  ): Promise<void | (() => Promise<void>)> {
    const { roleMap = [], maxSessionHours = null } = oidcOf(params)
    const earlier = before?.type === OIDC ? oidcOf(before.params) : null
    if (!earlier) await checkCount(tx, service)
    const named = roleMap.flatMap(({ channels }, row) =>
      channels.map((id, at) => ({ id, field: `params.roleMap[${row}].channels[${at}]` })),
    )
    // Those of an earlier write may be out of the writer's sight.
    const known = new Set((earlier?.roleMap ?? []).flatMap(({ channels }) => channels))
    await requireVisible(
      ctx,
      tx,
      named.filter(({ id }) => !known.has(id)),
      { name: 'Channel', table: 'channel', path: pathOf(service) },
    )
    if (!earlier) return
    const rightsBefore = JSON.stringify([earlier.roleMap ?? [], earlier.defaultRole ?? null])
    const isRemapped = rightsBefore !== JSON.stringify([roleMap, oidcOf(params).defaultRole ?? null])
    const isBack = before?.status === 'inactive' && service.status !== 'inactive'
    // Its groups gave nothing meanwhile, and administrators may have given other rights.
    if (isBack) await tx.em.flush()
    if (isRemapped || isBack) await dueToAll(tx, service.id, ctx.now())
    const hours = earlier.maxSessionHours ?? null
    if (hours !== maxSessionHours) {
      await tx.query(LIMIT_SESSIONS, [service.id, maxSessionHours])
    }
    const isMoved = earlier.issuer !== params.issuer
    const isUsable = service.status !== 'inactive' && !isMoved && oidcOf(params).clientId !== undefined
    if (!isUsable && before?.status !== 'inactive') await refuseLosingProvider(tx, service)
    if (service.status !== 'inactive' && !isMoved && hours === maxSessionHours) return
    const users =
      service.status === 'inactive' || isMoved ? await this.#end(ctx, tx, service.id) : await usersOf(tx, service.id)
    return async () => users.forEach((user) => this.options.accessChanges.userChanged(user))
  }

  /** Ends all that it opened, which nobody else could end. Caches and sockets find it out within seconds. */
  async removed(ctx: Context, tx: WriteTx, service: Service): Promise<void> {
    if (service.status !== 'inactive') await refuseLosingProvider(tx, service)
    await this.#end(ctx, tx, service.id)
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

  /** Ends all that the provider opened, except for the caller's own session. @returns whose */
  async #end(ctx: Context, tx: WriteTx, service: string): Promise<string[]> {
    const family = ctx.maybeCaller?.family ?? null
    const rows = await tx.query<{ user: string }>(
      `update token_family set revoked_at = $3 where service_id = $1 and revoked_at is null and id is distinct from $2::uuid
       returning user_id as user`,
      [service, family, ctx.now()],
    )
    return [...new Set(rows.map(({ user }) => user))]
  }
}

/** A family is kept, and shown, until its newest refresh token expires, or it ends before. */
const LIMIT_SESSIONS = `
update token_family f set ends_at = now.ends_at, expires_at = least(now.newest, now.ends_at)
from (
  select id, created_at + make_interval(hours => $2::int) as ends_at,
    coalesce((select max(r.expires_at) from refresh_token r where r.family_id = of.id), expires_at) as newest
  from token_family of where service_id = $1 and revoked_at is null
) now where f.id = now.id`

const oidcOf = (params: JsonObject): OidcParams => params as unknown as OidcParams

async function usersOf(tx: WriteTx, service: string): Promise<string[]> {
  const rows = await tx.query<{ user: string }>(
    'select distinct user_id as user from token_family where service_id = $1 and revoked_at is null',
    [service],
  )
  return rows.map(({ user }) => user)
}

async function checkCount(tx: WriteTx, { id, organizationId: organization }: Service): Promise<void> {
  await lockToCount(tx, organization)
  const others = await tx.em.count(Service, { organizationId: organization, type: OIDC, id: { $ne: id } })
  if (others < PROVIDERS_PER_ORGANIZATION_MAX) return
  throw new Unprocessable(`an organization may have ${PROVIDERS_PER_ORGANIZATION_MAX} providers`, {
    reason: 'TOO_MANY',
    field: 'type',
  })
}
