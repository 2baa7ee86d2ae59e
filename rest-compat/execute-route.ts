import {
  getNamedType,
  GraphQLError,
  isEnumType,
  isNonNullType,
  isScalarType,
  type GraphQLInputObjectType,
  type GraphQLInputType,
} from 'graphql'
import { BadUserInput, DomainError, NotFound, quoteValue, renamedError } from '../src/platform/errors.js'
import { nearestHint } from '../src/platform/nearest-names.js'
import { MARK, VERSION, type CompiledRoute } from './compiled-route.js'
import { entityTag, readIfMatch, readMarkToMatch } from './entity-tag.js'
import { prefersStrict } from './ignored-fields.js'
import { withoutRepeatedKeys } from './input/repeated-keys.js'
import { joinSpreadTexts } from './input/spread-text.js'
import { isId, readFilter, readOperand } from './query/filter-query.js'
import { readPage, readSort, type Page, type Query } from './query/list-query.js'
import { nextLink, type PageEnd } from './query/next-link.js'
import { isWholeList } from './route.js'
import { presentView, readView, type View } from './query/view-query.js'

/** A request, independent of the HTTP framework. */
export interface RestRequest {
  /** As requested, without the query. */
  path: string
  params: Readonly<Record<string, string>>
  query: Query
  body: unknown
  idempotencyKey: string | undefined
  ifMatch: string | undefined
  /** `Prefer`. */
  prefer: string | undefined
}

export interface RestResponse {
  status: number
  headers: Record<string, string>
  /** Undefined: no body. */
  body: unknown
  /** The media type of a body that is not JSON. */
  type?: string
}

/** The operation's variables for a request, and the view of its answer. */
export interface RestCall {
  variables: Record<string, unknown>
  respond(data: unknown, publicUrl: string): RestResponse
  /** Returns the error as this request is told of it. */
  refused(error: unknown): unknown
}

/**
 * @param ignored collects the paths of fields of the body that are ignored, also before it throws
 * @throws BadUserInput naming the part of the request that is invalid
 */
export function readCall(compiled: CompiledRoute, request: RestRequest, ignored: string[]): RestCall {
  const { route, record } = compiled
  const query: Query = route.ignoresQuery ? {} : request.query
  const view = record ? readView(record, query, route.populated) : null
  const page = isPaged(compiled, query) ? readPage(query) : null
  checkNames(compiled, query)
  const wanted = readPrecondition(compiled, request)
  const isLenient = route.isLenient && !prefersStrict(request.prefer)
  const variables = {
    ...view?.variables,
    ...readBody(compiled, request, isLenient ? ignored : undefined),
    ...readVariables(compiled, { ...request, query }, page),
  }
  if (wanted !== undefined) setWanted(compiled, variables, wanted)
  return {
    variables,
    refused: (error) => asToldHere(wanted === undefined ? error : asFailedPrecondition(error)),
    respond: (data, publicUrl) => respond(compiled, { ...request, query }, { view, page }, data, publicUrl),
  }
}

/** Tells whether the answer is a page: a whole list is one only where the request asks for it. */
function isPaged({ route }: CompiledRoute, query: Query): boolean {
  if (isWholeList(route)) return WHOLE_LIST_NAMES.some((name) => query[name] !== undefined)
  return route.result.kind === 'page'
}

/** @throws BadUserInput where the header would have no effect */
function readPrecondition(
  { route, precondition }: CompiledRoute,
  { ifMatch }: RestRequest,
): number | string | undefined {
  if (ifMatch === undefined) return undefined
  if (precondition) return precondition.names === 'mark' ? readMarkToMatch(ifMatch) : readIfMatch(ifMatch)
  throw new BadUserInput('If-Match', `${route.method} ${route.path} has no use for If-Match; leave it out`)
}

/** @throws BadUserInput beside another mark, of which one would have no effect */
function setWanted({ precondition }: CompiledRoute, variables: Record<string, unknown>, wanted: number | string): void {
  const { variable, field, names } = precondition!
  const given = variables[variable]
  const named = field === null ? [given] : [given].flat().map((input) => (input as Record<string, unknown>)[field])
  if (names === 'mark' && named.some((mark) => mark !== undefined && mark !== null))
    throw new BadUserInput('If-Match', 'If-Match must be absent beside mark: both name a state')
  const within = (input: unknown): unknown => ({ ...(input as object), [field!]: wanted })
  variables[variable] = field === null ? wanted : Array.isArray(given) ? given.map(within) : within(given)
}

/** Names a header as it is sent. */
const asToldHere = (error: unknown): unknown =>
  error instanceof BadUserInput && error.field === 'idempotencyKey'
    ? renamedError(error, /idempotencyKey/g, 'Idempotency-Key')
    : error

/** The state that `If-Match` names is not the present one (RFC 9110, 13.1.1). */
export function asFailedPrecondition(error: unknown): unknown {
  if (!(error instanceof DomainError) || error.details.reason !== 'MOVED_ON') return error
  return new DomainError('PRECONDITION_FAILED', error.message, { ...error.details, field: 'If-Match' })
}

function readBody(
  { route, readBody: read, recordParameter }: CompiledRoute,
  { body, params }: RestRequest,
  ignored: string[] | undefined,
): Record<string, unknown> | undefined {
  if (!read) return undefined
  const recordId = recordParameter ? params[recordParameter] : undefined
  const own = route.repeated ? withoutRepeatedKeys(body, route.repeated, params) : body
  return read(route.joinsSpreadTexts ? joinSpreadTexts(own) : own, { recordId, ignored })
}

const VIEW_NAMES = ['select', 'populate']
const WHOLE_LIST_NAMES = ['limit', 'offset']
const PAGE_NAMES = [...WHOLE_LIST_NAMES, 'after']
const LIST_NAMES = [...PAGE_NAMES, 'sort']
const NOT_FILTERS = [...VIEW_NAMES, ...LIST_NAMES]

/** Other names are filters for a page of a list that has them; everywhere else they are refused. */
function checkNames({ route, record, list, queryNames }: CompiledRoute, query: Query): void {
  if (list && route.result.kind === 'page') return
  const paging = route.result.kind === 'page' ? PAGE_NAMES : isWholeList(route) ? WHOLE_LIST_NAMES : []
  const known = [...(record ? VIEW_NAMES : []), ...paging, ...queryNames]
  for (const name of Object.keys(query)) {
    if (known.includes(name)) continue
    const at = name.slice(0, 100)
    const choice = known.length > 0 ? `known parameters: ${known.join(', ')}` : 'it has none'
    const hint = nearestHint(name, known)
    throw new BadUserInput(at, `${at} is not a query parameter of ${route.method} ${route.path}${hint}; ${choice}`)
  }
}

function readVariables(compiled: CompiledRoute, request: RestRequest, page: Page | null): Record<string, unknown> {
  const variables: Record<string, unknown> = {}
  for (const { name, source, type } of compiled.variables) {
    if (source.from === 'body' || source.from === 'bodyKey' || source.from === 'ifMatch') continue
    const value = readSource(compiled, source, request, { page, type })
    if (value !== undefined) variables[name] = value
  }
  return variables
}

type Source = Exclude<CompiledRoute['variables'][number]['source'], { from: 'body' | 'bodyKey' | 'ifMatch' }>

function readSource(
  compiled: CompiledRoute,
  source: Source,
  request: RestRequest,
  { page, type }: { page: Page | null; type: GraphQLInputType },
): unknown {
  switch (source.from) {
    case 'path':
      return readTyped(type, source.name, request.params[source.name]!)
    case 'query':
      return readOwn(request.query, source, type)
    case 'idempotencyKey':
      return request.idempotencyKey
    case 'limit':
      return page?.limit
    case 'offset':
      return page?.after === undefined ? page?.offset : undefined
    case 'after':
      return page?.after
    case 'sort':
      return readSort(request.query, compiled.list!.sortFields, source.byDefault)
    case 'filter':
      return filterOf(compiled, request, source.fixed ?? {}, page !== null)
  }
}

function readOwn(
  query: Query,
  { name, isList = false }: { name: string; isList?: boolean },
  type: GraphQLInputType,
): unknown {
  if (!isNonNullType(type) && query[name] === undefined) return undefined
  const text = readText(query, name)
  return isList ? text.split(',').map((element) => readTyped(type, name, element, isList)) : readTyped(type, name, text)
}

/** Ids and texts of a single value are the operation's to refuse: an id that nothing has is not found. */
function readTyped(type: GraphQLInputType, name: string, text: string, isList = false): unknown {
  const named = getNamedType(type)
  if (isEnumType(named)) return readOperand(named, name, text)
  const isChecked = ['DateTime', 'Int'].includes(named.name) || (isList && named.name === 'ID')
  return isChecked && isScalarType(named) ? readOperand(named, name, text) : text
}

function readText(query: Query, name: string): string {
  const given = query[name]
  if (typeof given !== 'string' || given === '') {
    const reason = given ? 'INVALID_VALUE' : 'MISSING_VALUE'
    throw new BadUserInput(name, `the query parameter ${name} is required${given ? ' once' : ''}`, reason)
  }
  return given
}

function filterOf(
  { list, queryNames }: CompiledRoute,
  request: RestRequest,
  fixed: Readonly<Record<string, string>>,
  isPage: boolean,
): object | undefined {
  const type = getNamedType(list!.filter) as GraphQLInputObjectType
  const names = Object.keys(request.query).filter((name) => !NOT_FILTERS.includes(name) && !queryNames.includes(name))
  const asked = isPage ? readFilter(type, request.query, names) : undefined
  const conditions = Object.entries(fixed).map(([field, parameter]) => ({
    [field]: { eq: idOrNobody(request.params[parameter]!) },
  }))
  if (conditions.length === 0) return asked
  return { and: asked ? [...conditions, asked] : conditions }
}

/**
 * A path segment that is not an id matches no record; a list filtered by it is empty, where a filter would report an
 * error.
 */
function idOrNobody(text: string): string {
  return isId(text) ? text : '00000000-0000-0000-0000-000000000000'
}

interface Shown {
  view: View | null
  page: Page | null
}

function respond(
  compiled: CompiledRoute,
  request: RestRequest,
  { view, page }: Shown,
  data: unknown,
  publicUrl: string,
): RestResponse {
  const { route, record } = compiled
  const { result } = route
  const response: RestResponse = { status: route.status, headers: {}, body: undefined }
  if (result.kind === 'nothing') return response
  const at = compiled.resultPath.reduce<unknown[]>((path, key) => [...path, member(path.at(-1), key)], [data])
  const found = at.at(-1)
  const version = member(found, VERSION) ?? member(at.at(-2), VERSION)
  if (typeof version === 'number' && version > 0) {
    const mark = member(found, MARK)
    response.headers.etag = entityTag(version, typeof mark === 'string' ? mark : null)
  }
  const present = (node: unknown): Record<string, unknown> => presentView(record!, view!, node)
  const setPageHeaders = (totalCount: number, end: PageEnd): void => {
    response.headers['x-total-count'] = String(totalCount)
    if (page?.isReduced) response.headers['applied-limit'] = String(page.limit)
    const link = page && nextLink(publicUrl, request.path, request.query, page, end)
    if (link) response.headers.link = link
  }
  switch (result.kind) {
    case 'record': {
      if (found === null || found === undefined) throw new NotFound(`${result.record.type} not found`)
      const body = present(found)
      if (route.location) response.headers.location = route.location.replace(':id', String(body.id))
      return { ...response, body }
    }
    case 'records': {
      const all = nodesOf(found)
      if (!isWholeList(route)) return { ...response, body: all.map(present) }
      const { offset, limit } = page ?? { offset: 0, limit: all.length }
      setPageHeaders(all.length, { hasNextPage: offset + limit < all.length, endCursor: null })
      return { ...response, body: all.slice(offset, offset + limit).map(present) }
    }
    case 'element': {
      const wanted = request.params[result.parameter]
      const element = nodesOf(found)
        .map(present)
        .find((shownFields) => [wanted, wanted?.toLowerCase()].includes(idOf(shownFields[result.field]) as string))
      if (!element) throw new NotFound(`${result.record.type} ${quoteValue(wanted)} not found`)
      return { ...response, body: element }
    }
    case 'text':
      return { ...response, body: (found as Record<string, unknown>)[result.field], type: result.type }
    case 'page': {
      const { totalCount, pageInfo } = found as { totalCount: number; pageInfo: PageEnd }
      setPageHeaders(totalCount, pageInfo)
      return { ...response, body: nodesOf(found).map(present) }
    }
  }
}

function member(value: unknown, key: string): unknown {
  return (value as Record<string, unknown> | null | undefined)?.[key]
}

function nodesOf(found: unknown): unknown[] {
  if (found === null || found === undefined) return []
  return Array.isArray(found) ? found : (found as { edges: { node: unknown }[] }).edges.map(({ node }) => node)
}

/** A reference is an id, or populated. */
function idOf(shownValue: unknown): unknown {
  return typeof shownValue === 'object' && shownValue !== null ? (shownValue as { id?: unknown }).id : shownValue
}

/**
 * Returns the thrown error behind an operation's errors. Fields other than `result` are conditions of the operation, so
 * their errors take precedence. GraphQL's errors about variables are the client's fault; its other errors are internal.
 */
export function thrownBy(errors: readonly GraphQLError[]): unknown {
  let cause: unknown = errors.find(({ path }) => path && path[0] !== 'result') ?? errors[0]
  while (cause instanceof GraphQLError && cause.originalError) cause = cause.originalError
  if (cause instanceof GraphQLError && cause.path === undefined) return new BadUserInput('request', cause.message)
  return cause
}
