import type { Context } from '../context.js'
import { BadUserInput } from '../errors.js'
import { organizationStream, type RecordChange, type ResourceEvents } from '../events/event.js'
import type { Transact, WriteTx } from '../events/transact.js'
import { isAbsent, parseOneOf, parseText } from '../input.js'
import { changedMeta, parseMeta, type JsonObject } from '../json.js'
import { fetchRecord } from '../lists/fetch-record.js'
import { parseName } from '../organizations/organization-input.js'
import { insertOwned, owningPath } from '../organizations/owned-record.js'
import { checkSettingsType, givenParams, namedAsGiven, type GivenParams } from './given-params.js'
import { checkKnownParams } from './known-params.js'
import { checkMasks, checkTypeChange } from './secret-bindings.js'
import type { ServiceKinds } from './service-kinds.js'
import { maskKnownSecrets, maskSecrets, restoreSecrets } from './service-secrets.js'
import { Service, SETTABLE_STATUSES, type CreateServiceInput, type UpdateServiceInput } from './service.js'

const TYPE_CHARS_MAX = 50

export interface ServiceWriteOptions {
  transact: Transact
  kinds: ServiceKinds
}

/** Creates a service. @returns the service with its stored params: new secrets are shown only this once */
export function createService(ctx: Context, options: ServiceWriteOptions, input: CreateServiceInput): Promise<Service> {
  const given = givenParams(input)
  return namedAsGiven(given, async () => create(ctx, options, input, given))
}

function create(
  ctx: Context,
  { transact, kinds }: ServiceWriteOptions,
  input: CreateServiceInput,
  named: GivenParams,
): Promise<Service> {
  const type = parseType(input.type)
  const kind = kinds.get(type)
  checkSettingsType(named, type)
  checkKnownParams(named.params ?? {}, {}, kind)
  const given = restoreSecrets(named.params ?? {}, {}, 'params')
  const fields = {
    name: isAbsent(input.name) ? null : parseName(input.name, 'name'),
    type,
    params: kind?.readParams?.(given, {}) ?? given,
    meta: isAbsent(input.meta) ? null : parseMeta(input.meta, 'meta'),
    status: parseStatus(input.status),
  }
  return transact(ctx, async (tx) => {
    const path = await owningPath(ctx, tx, input.organization)
    const service = await insertOwned(ctx, tx, Service, { path, ...fields })
    await kind?.written?.(ctx, tx, service, null)
    emitService(tx, service, 'created')
    return shownService(service, maskKnownSecrets(service.params, {}))
  })
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

function update(
  ctx: Context,
  { transact, kinds }: ServiceWriteOptions,
  { id, patch }: ServiceChange,
  named: GivenParams,
): Promise<Service> {
  const { params: given } = named
  return transact(ctx, async (tx) => {
    const service = await fetchRecord(ctx, Service, id, { em: tx.em, lock: true })
    const before = { type: service.type, params: service.params, status: service.status }
    if (patch.name !== undefined) service.name = patch.name === null ? null : parseName(patch.name, 'name')
    if (patch.type !== undefined) service.type = parseType(patch.type)
    const kind = kinds.get(service.type)
    checkSettingsType(named, service.type)
    if (given || service.type !== before.type) {
      if (given) checkKnownParams(given, before.params, kind)
      if (given) checkMasks(given, before, kind, service.type)
      else checkTypeChange(before, service.type)
      const params = restoreSecrets(given ?? before.params, before.params, 'params')
      // A service of another type gets new secrets.
      const earlier = service.type === before.type ? before.params : {}
      service.params = kind?.readParams?.(params, earlier) ?? params
    }
    if (patch.meta !== undefined) service.meta = changedMeta(service.meta, patch.meta, 'meta')
    // A client may send back the whole record, including a status that the server set.
    if (patch.status !== undefined && patch.status !== before.status) service.status = parseStatus(patch.status)
    service.updatedAt = ctx.now()
    if (service.type !== before.type) await kinds.get(before.type)?.removed?.(ctx, tx, service)
    await kind?.written?.(ctx, tx, service, before)
    emitService(tx, service, 'updated')
    return shownService(service, maskKnownSecrets(service.params, before.params))
  })
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

/** Returns a service as shown to clients: a copy, so that masks are never written to the database. */
export function shownService(service: Service, params: JsonObject = maskSecrets(service.params)): Service {
  const { id, organizationId, org1, org2, org3, name, type, meta, status, createdAt, updatedAt } = service
  return { id, organizationId, org1, org2, org3, name, type, params, meta, status, createdAt, updatedAt }
}

/** The public values of a service, without its params. */
type ServiceData = Pick<Service, 'name' | 'type' | 'meta' | 'status'>

declare module '../events/event.js' {
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

function parseType(value: unknown): string {
  if (value === null) throw new BadUserInput('type', 'type cannot be cleared')
  const type = parseText(value, 'type', { min: 1, max: TYPE_CHARS_MAX }).trim()
  if (type === '') throw new BadUserInput('type', 'type must not be blank')
  return type
}

function parseStatus(value: unknown): string {
  return isAbsent(value) ? 'active' : parseOneOf(value, 'status', SETTABLE_STATUSES)
}
