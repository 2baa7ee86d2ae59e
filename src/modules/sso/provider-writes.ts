import type { AccessChanges } from '../../platform/access/access-changes.js'
import type { Context } from '../../platform/context.js'
import { pathOf } from '../../platform/db/tenancy.js'
import { Unprocessable } from '../../platform/errors.js'
import type { WriteTx } from '../../platform/events/transact.js'
import type { JsonObject } from '../../platform/json.js'
import { requireVisible } from '../../platform/lists/visible-ids.js'
import { lockToCount } from '../organizations/owned-record.js'
import type { ServiceWritten } from '../services/service-kinds.js'
import { Service } from '../services/service.js'
import { refuseLosingProvider } from '../sign-in-policy/password-login.js'
import { PROVIDER_TYPES, type ProviderParams } from './provider-params.js'
import { dueToAll } from './provisioning.js'

/** Each is looked through when somebody asks how to sign in. */
const PROVIDERS_PER_ORGANIZATION_MAX = 20

/** Writes of providers of one type: their channels must be seen, and what one opened ends with it. */
export class ProviderWrites {
  constructor(
    private readonly type: string,
    private readonly accessChanges: AccessChanges,
  ) {}

  /** @param written.isComplete false if nobody can sign in by it yet */
  async written(
    ctx: Context,
    tx: WriteTx,
    { service, params, before, isComplete }: ServiceWritten & { isComplete: boolean },
  ): Promise<void | (() => Promise<void>)> {
    const { roleMap = [], maxSessionHours = null } = accountsOf(params)
    const earlier = before?.type === this.type ? accountsOf(before.params) : null
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
    const isRemapped = rightsBefore !== JSON.stringify([roleMap, accountsOf(params).defaultRole ?? null])
    const isBack = before?.status === 'inactive' && service.status !== 'inactive'
    // Its groups gave nothing meanwhile, and administrators may have given other rights.
    if (isBack) await tx.em.flush()
    if (isRemapped || isBack) await dueToAll(tx, service.id, ctx.now())
    const hours = earlier.maxSessionHours ?? null
    if (hours !== maxSessionHours) {
      await tx.query(LIMIT_SESSIONS, [service.id, maxSessionHours])
    }
    const isMoved = earlier.issuer !== params.issuer
    const isUsable = service.status !== 'inactive' && !isMoved && isComplete
    if (!isUsable && before?.status !== 'inactive') await refuseLosingProvider(tx, service)
    if (service.status !== 'inactive' && !isMoved && hours === maxSessionHours) return
    const users =
      service.status === 'inactive' || isMoved ? await this.#end(ctx, tx, service.id) : await usersOf(tx, service.id)
    return async () => users.forEach((user) => this.accessChanges.userChanged(user))
  }

  /** Ends all that it opened, which nobody else could end. Caches and sockets find it out within seconds. */
  async removed(ctx: Context, tx: WriteTx, service: Service): Promise<void> {
    if (service.status !== 'inactive') await refuseLosingProvider(tx, service)
    await this.#end(ctx, tx, service.id)
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

const accountsOf = (params: JsonObject): ProviderParams => params as unknown as ProviderParams

async function usersOf(tx: WriteTx, service: string): Promise<string[]> {
  const rows = await tx.query<{ user: string }>(
    'select distinct user_id as user from token_family where service_id = $1 and revoked_at is null',
    [service],
  )
  return rows.map(({ user }) => user)
}

async function checkCount(tx: WriteTx, { id, organizationId: organization }: Service): Promise<void> {
  await lockToCount(tx, organization)
  const others = await tx.em.count(Service, {
    organizationId: organization,
    type: { $in: [...PROVIDER_TYPES] },
    id: { $ne: id },
  })
  if (others < PROVIDERS_PER_ORGANIZATION_MAX) return
  throw new Unprocessable(`an organization may have ${PROVIDERS_PER_ORGANIZATION_MAX} providers`, {
    reason: 'TOO_MANY',
    field: 'type',
  })
}
