import type { AccessChanges } from '../../platform/access/access-changes.js'
import type { Context } from '../../platform/context.js'
import { BadUserInput, NotFound } from '../../platform/errors.js'
import type { Transact } from '../../platform/events/transact.js'
import type { JsonObject } from '../../platform/json.js'
import type { Providers } from '../sso/providers.js'
import { GROUP_SCHEMA, requireSchema, USER_SCHEMA } from './attribute-names.js'
import { resourceTypes, schemas, serviceProviderConfig } from './discovery.js'
import { groupResource, listGroups, readGroup, type GroupRow } from './groups.js'
import { listResponse, readPageRequest, shownPart } from './page-request.js'
import { readOperations } from './patch.js'
import { patchChange, wholeChange } from './person-change.js'
import { readPerson, resourceOf, type PersonRow } from './person.js'
import { contextOf, keyOf, type Provisioner } from './provider-context.js'
import { listPersonRows, readPersonRow } from './provisioned-users.js'
import { letIn } from './scim-tokens.js'
import { createGroup, deleteGroup, patchGroup, readGroupInput, replaceGroup } from './write-group.js'
import { createPerson, deletePerson, updatePerson } from './write-person.js'

export interface ScimServerOptions {
  transact: Transact
  accessChanges: AccessChanges
  providers: Providers
  publicUrl: string
}

/** A request of a provider that was let in. */
export interface ScimRequest {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** The parts of the address behind the service: `Users`, and an id. */
  type: string
  id: string | null
  query: URLSearchParams
  ifMatch: string | null
  body: unknown
}

export interface ScimAnswer {
  status: 200 | 201 | 204
  body: JsonObject | null
  location: string | null
  etag: string | null
}

/** A provider that was let in: for the counts of requests and bodies, and to be answered. */
export interface ScimSession {
  key: string
  path: readonly (string | undefined)[]
  answer(request: ScimRequest): Promise<ScimAnswer>
}

/** SCIM 2.0 (RFC 7643, 7644): a provider keeps its users and groups here. */
export class ScimServer {
  constructor(private readonly options: ScimServerOptions) {}

  /** Lets a provider in. @throws Unauthenticated */
  async open(ctx: Context, credentials: { service: string; authorization: string | undefined }): Promise<ScimSession> {
    const provisioner = await letIn(ctx, this.options, credentials)
    const { provider } = provisioner
    const own = contextOf(ctx, provider)
    return {
      key: keyOf(provider),
      path: provider.path,
      answer: (request) => this.#answer(own, provisioner, request),
    }
  }

  async #answer(ctx: Context, provisioner: Provisioner, request: ScimRequest): Promise<ScimAnswer> {
    switch (request.type) {
      case 'Users':
        return this.#users(ctx, provisioner, request)
      case 'Groups':
        return this.#groups(ctx, provisioner, request)
      default:
        return found(discovered(provisioner.base, request))
    }
  }

  async #users(ctx: Context, provisioner: Provisioner, request: ScimRequest): Promise<ScimAnswer> {
    const { method, id, body } = request
    const page = readPageRequest(request.query)
    const answerOf = (row: PersonRow, status: 200 | 201 = 200): ScimAnswer =>
      found(shownPart(resourceOf(row, provisioner.base), page), status)
    if (id === null) {
      if (method === 'GET') {
        const { rows, total } = await listPersonRows(ctx, provisioner, page)
        const resources = rows.map((row) => shownPart(resourceOf(row, provisioner.base), page))
        return found(listResponse(resources, total, page.startIndex))
      }
      if (method !== 'POST') throw notAllowed(request)
      const person = readPerson(requireSchema(body, USER_SCHEMA))
      return answerOf(await createPerson(ctx, this.options, provisioner, person), 201)
    }
    const ifVersion = versionOf(request.ifMatch)
    switch (method) {
      case 'GET':
        return answerOf(await readPersonRow(ctx, ctx.reads, provisioner, id))
      case 'PUT': {
        const whole = wholeChange(requireSchema(body, USER_SCHEMA))
        return answerOf(await updatePerson(ctx, this.options, provisioner, { id, ifVersion, change: () => whole }))
      }
      case 'PATCH': {
        const operations = readOperations(body)
        const change = (row: PersonRow) => patchChange(row, provisioner.base, operations)
        return answerOf(await updatePerson(ctx, this.options, provisioner, { id, ifVersion, change }))
      }
      case 'DELETE':
        await deletePerson(ctx, this.options, provisioner, { id, ifVersion })
        return NOTHING
      default:
        throw notAllowed(request)
    }
  }

  async #groups(ctx: Context, provisioner: Provisioner, request: ScimRequest): Promise<ScimAnswer> {
    const { method, id, body } = request
    const page = readPageRequest(request.query)
    const answerOf = async (row: GroupRow, status: 200 | 201 = 200): Promise<ScimAnswer> =>
      found(shownPart(await groupResource(ctx, provisioner, row, page), page), status)
    if (id === null) {
      if (method === 'GET') {
        const { resources, total } = await listGroups(ctx, provisioner, page)
        return found(
          listResponse(
            resources.map((each) => shownPart(each, page)),
            total,
            page.startIndex,
          ),
        )
      }
      if (method !== 'POST') throw notAllowed(request)
      const group = readGroupInput(requireSchema(body, GROUP_SCHEMA))
      return answerOf(await createGroup(ctx, this.options, provisioner, group), 201)
    }
    const ifVersion = versionOf(request.ifMatch)
    switch (method) {
      case 'GET':
        return answerOf(await readGroup(ctx.reads, provisioner, id))
      case 'PUT': {
        const group = readGroupInput(requireSchema(body, GROUP_SCHEMA))
        return answerOf(await replaceGroup(ctx, this.options, provisioner, { id, ifVersion, group }))
      }
      case 'PATCH':
        // Without the members, of whom there may be thousands.
        await patchGroup(ctx, this.options, provisioner, { id, ifVersion, operations: readOperations(body) })
        return NOTHING
      case 'DELETE':
        await deleteGroup(ctx, this.options, provisioner, { id, ifVersion })
        return NOTHING
      default:
        throw notAllowed(request)
    }
  }
}

const NOTHING: ScimAnswer = { status: 204, body: null, location: null, etag: null }

function found(body: JsonObject, status: 200 | 201 = 200): ScimAnswer {
  const { location = null, version = null } = (body.meta ?? {}) as { location?: string; version?: string }
  return { status, body, location, etag: version }
}

/** Says what of SCIM there is. @throws NotFound */
function discovered(base: string, request: ScimRequest): JsonObject {
  const { method, type, id, query } = request
  if (type === 'ServiceProviderConfig' && id === null && method === 'GET') return serviceProviderConfig(base)
  const lists: Record<string, (base: string) => JsonObject[]> = { ResourceTypes: resourceTypes, Schemas: schemas }
  if (!Object.hasOwn(lists, type)) throw new NotFound(`${type.slice(0, 100)} is none of SCIM here`)
  if (method !== 'GET') throw notAllowed(request)
  // RFC 7644, 4: these lists are not filtered.
  if (query.has('filter')) throw new BadUserInput('filter', 'what there is of SCIM cannot be filtered')
  const all = lists[type]!(base)
  if (id === null) return listResponse(all, all.length, 1)
  const named = all.find((each) => each.id === id)
  if (!named) throw new NotFound(`${type} ${id.slice(0, 100)} not found`)
  return named
}

/** Reads `If-Match`: the tag of one version, or `*`. @throws BadUserInput */
function versionOf(ifMatch: string | null): number | null {
  if (ifMatch === null || ifMatch.trim() === '*') return null
  const [, version] = /^\s*(?:W\/)?"(\d{1,9})"\s*$/.exec(ifMatch) ?? []
  if (version !== undefined) return Number(version)
  throw new BadUserInput('If-Match', 'If-Match must be the ETag of the resource')
}

function notAllowed({ method, type }: ScimRequest): BadUserInput {
  return new BadUserInput('method', `${type} has no ${method} at this address`, 'METHOD_NOT_ALLOWED')
}
