import type { Context } from '../../platform/context.js'
import { organizationStream, type RecordChange, type ResourceEvents } from '../../platform/events/event.js'
import type { Transact, WriteTx } from '../../platform/events/transact.js'
import { isAbsent, parseOneOf } from '../../platform/input.js'
import { changedMeta, parseMeta, type JsonObject } from '../../platform/json.js'
import { fetchRecord } from '../../platform/lists/fetch-record.js'
import { markChanged } from '../../platform/lists/record-version.js'
import type { Sealer } from '../../platform/sealing/sealer.js'
import { parseName } from '../organizations/organization-input.js'
import { insertOwned, owningPath } from '../organizations/owned-record.js'
import { checkSettingsType, givenParams, namedAsGiven, type GivenParams } from './given-params.js'
import { checkKnownParams } from './known-params.js'
import { beginChecks } from './service-check.js'
import { checkMasks, checkTypeChange } from './secret-bindings.js'
import type { ServiceKind, ServiceKinds } from './service-kinds.js'
import { parseServiceType } from './service-type.js'
import { maskAll, maskKnownSecrets, maskSecrets, restoreSecrets } from './service-secrets.js'
import { openParams, sealParams } from './stored-params.js'
import { Service, SETTABLE_STATUSES, type CreateServiceInput, type UpdateServiceInput } from './service.js'

export interface ServiceWriteOptions {
  transact: Transact
  kinds: ServiceKinds
  sealer: Sealer
  /** True if services are checked every some minutes. */
  isChecking: boolean
}

/** Work of a kind after the commit. */
type Afterwards = void | (() => Promise<unknown>)

/** Creates a service. @returns the service with its stored params: new secrets are shown only this once */
export function createService(ctx: Context, options: ServiceWriteOptions, input: CreateServiceInput): Promise<Service> {
  const given = givenParams(input)
  return namedAsGiven(given, async () => create(ctx, options, input, given))
}

async function create(
  ctx: Context,
  { transact, kinds, sealer, isChecking }: ServiceWriteOptions,
  input: CreateServiceInput,
  named: GivenParams,
): Promise<Service> {
  const type = parseServiceType(input.type, kinds, input.isOwnType === true)
  const kind = kinds.get(type)
  checkSettingsType(named, type)
  checkKnownParams(named.params ?? {}, {}, kind)
  const restored = restoreSecrets(named.params ?? {}, {}, kind)
  const given = (await kind?.examine?.(restored, {})) ?? restored
  const id = ctx.newId()
  const params = kind?.readParams?.(given, {}) ?? given
  const fields = {
    id,
    name: isAbsent(input.name) ? null : parseName(input.name, 'name'),
    type,
    touchpoint: kind?.touchpoint ?? null,
    ...sealParams(sealer, { id, params }, kind),
    meta: isAbsent(input.meta) ? null : parseMeta(input.meta, 'meta'),
    status: parseStatus(input.status),
    problem: null,
  }
  const afterwards: Afterwards[] = []
  const created = await transact(ctx, async (tx) => {
    const path = await owningPath(ctx, tx, input.organization)
    const service = await insertOwned(ctx, tx, Service, { path, ...fields })
    afterwards.push(await kind?.written?.(ctx, tx, { service, params, before: null }))
    if (isChecking && kind?.isChecked) await beginChecks(tx, service.id, ctx.now())
    emitService(tx, service, 'created')
    return shownService(service, maskKnownSecrets(params, {}, kind))
  })
  for (const each of afterwards) await each?.()
  return created
}

/** A change of the service with this id. */
interface ServiceChange {
  id: string
  patch: UpdateServiceInput
}

/** Updates the given fields; `params` replaces all of them (section 1). @returns as {@link createService} */
export function updateService(ctx: Context, options: ServiceWriteOptions, change: ServiceChange): Promise<Service> {
  const given = givenParams(change.patch)
  return namedAsGiven(given, () => update(ctx, options, change, given))
}

async function update(
  ctx: Context,
  { transact, kinds, sealer, isChecking }: ServiceWriteOptions,
  { id, patch }: ServiceChange,
  named: GivenParams,
): Promise<Service> {
  const given = await examined(ctx, kinds, { id, patch }, named)
  const afterwards: Afterwards[] = []
  const updated = await transact(ctx, async (tx) => {
    const service = await fetchRecord(ctx, Service, id, { em: tx.em, lock: true, ifVersion: patch.ifVersion })
    const before = { type: service.type, params: openParams(sealer, service), status: service.status }
    let { params } = before
    if (patch.name !== undefined) service.name = patch.name === null ? null : parseName(patch.name, 'name')
    if (patch.type !== undefined && patch.type !== before.type) {
      service.type = parseServiceType(patch.type, kinds, patch.isOwnType === true)
    }
    const kind = kinds.get(service.type)
    service.touchpoint = kind?.touchpoint ?? null
    checkSettingsType(named, service.type)
    if (given || service.type !== before.type) {
      if (given) checkKnownParams(given, before.params, kind)
      const restored = restoreSecrets(given ?? before.params, before.params, kind)
      if (given) checkMasks({ sent: given, restored }, before, kind, service.type)
      else checkTypeChange(before, kinds.get(before.type), service.type)
      // A service of another type gets new secrets.
      const earlier = service.type === before.type ? before.params : {}
      params = kind?.readParams?.(restored, earlier) ?? restored
    }
    // An earlier version may have stored those of a type of one's own in clear.
    if (params !== before.params || !kind) Object.assign(service, sealParams(sealer, { id, params }, kind))
    if (patch.meta !== undefined) service.meta = changedMeta(service.meta, patch.meta, 'meta')
    // A client may send back the whole record, including a status that the server set.
    if (patch.status !== undefined && patch.status !== before.status) service.status = parseStatus(patch.status)
    if (service.touchpoint !== null) tryAgain(service)
    // It may have another one by now, of which the next answer of its server tells.
    if (given) await tx.query('update service_grant set grant_ends_at = null where service_id = $1', [id])
    markChanged(service, ctx.now())
    if (service.type !== before.type) await kinds.get(before.type)?.removed?.(ctx, tx, service)
    afterwards.push(await kind?.written?.(ctx, tx, { service, params, before }))
    if (isChecking && kind?.isChecked) await beginChecks(tx, service.id, ctx.now())
    emitService(tx, service, 'updated')
    return shownService(service, maskKnownSecrets(params, before.params, kind))
  })
  for (const each of afterwards) await each?.()
  return updated
}

/** Has the kind examine new params, before anything is locked. */
async function examined(
  ctx: Context,
  kinds: ServiceKinds,
  { id, patch }: ServiceChange,
  { params: given, type: named }: GivenParams,
): Promise<JsonObject | undefined> {
  if (!given || !kinds.values().some(({ examine }) => examine)) return given
  const stored = await fetchRecord(ctx, Service, id)
  const type = patch.type ?? stored.type
  const kind = kinds.get(type)
  // What does not fit is refused by the write itself.
  if (!kind?.examine || (named !== null && named !== type)) return given
  return kind.examine(given, type === stored.type ? stored.params : {})
}

export function deleteService(ctx: Context, { transact, kinds }: ServiceWriteOptions, id: string): Promise<boolean> {
  return transact(ctx, async (tx) => {
    const service = await fetchRecord(ctx, Service, id, { em: tx.em, lock: true })
    await kinds.get(service.type)?.removed?.(ctx, tx, service)
    emitService(tx, service, 'deleted')
    tx.em.remove(service)
    return true
  })
}

/**
 * Returns a service as shown to clients: a copy, so that what is shown is never written to the database.
 * @param params what a write answers, in place of what is stored
 */
export function shownService(service: Service, params: JsonObject | null = null): Service {
  const { id, organizationId, org1, org2, org3, name, type, touchpoint, meta } = service
  const { status, problem, createdAt, updatedAt, version } = service
  return {
    id,
    organizationId,
    org1,
    org2,
    org3,
    name,
    type,
    touchpoint,
    params: params ?? service.params,
    sealedParams: params ? null : service.sealedParams,
    isWritten: params !== null,
    meta,
    status,
    problem,
    createdAt,
    updatedAt,
    version,
  }
}

/**
 * Returns params as they are kept beside a request, for an idempotency key: without secrets, which are shown once, and of a
 * type of one's own only their names.
 */
export function keptParams(params: JsonObject, kind: ServiceKind | undefined): JsonObject {
  return kind ? maskSecrets(params, kind) : maskAll(params)
}

/** Ends a failure, which the write may have mended: the next use tells. Another type of service had statuses of its own. */
function tryAgain(service: Service): void {
  service.problem = null
  if (service.status !== 'inactive') service.status = 'active'
}

/** The public values of a service, without its params. */
type ServiceData = Pick<Service, 'name' | 'type' | 'meta' | 'status'>

declare module '../../platform/events/event.js' {
  interface EventTypes extends ResourceEvents<'service', ServiceData> {}
}

/**
 * Emits an event with the public values of a service. Webhooks send events to third parties, so params are excluded.
 */
export function emitService(tx: Pick<WriteTx, 'emit'>, service: Service, what: RecordChange): void {
  const { id, organizationId, name, type, meta, status } = service
  tx.emit(organizationStream(organizationId), `service.${what}`, {
    id,
    organization: organizationId,
    name,
    type,
    meta,
    status,
  })
}

function parseStatus(value: unknown): string {
  return isAbsent(value) ? 'active' : parseOneOf(value, 'status', SETTABLE_STATUSES)
}
