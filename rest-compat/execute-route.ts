import {
  getNamedType,
  GraphQLError,
  isEnumType,
  isNonNullType,
  isScalarType,
  type GraphQLInputObjectType,
  type GraphQLInputType,
} from 'graphql'
import { BadUserInput, NotFound, quoteValue } from '../src/errors.js'
import type { CompiledRoute } from './compiled-route.js'
import { ignoredFields, prefersStrict } from './ignored-fields.js'
import { withoutRepeatedKeys } from './input/repeated-keys.js'
import { joinSpreadTexts } from './input/spread-text.js'
import { isId, readFilter, readOperand } from './query/filter-query.js'
import { readPage, readSort, type Page, type Query } from './query/list-query.js'
import { nextLink, type PageEnd } from './query/next-link.js'
import { presentView, readView, type View } from './query/view-query.js'

/** A request, independent of the HTTP framework. */
export interface RestRequest {
  /** As requested, without the query. */
  path: string
  params: Readonly<Record<string, string>>
  query: Query
  body: unknown
  idempotencyKey: string | undefined
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
}

/** @throws BadUserInput naming the part of the request that is invalid */
export function readCall(compiled: CompiledRoute, request: RestRequest): RestCall {
  const { route, record } = compiled
  const query: Query = route.ignoresQuery ? {} : request.query
  const view = record ? readView(record, query, route.populated) : null
  const page = compiled.list && route.result.kind === 'page' ? readPage(query) : null
  checkNames(compiled, query)
  const ignored = route.isLenient && !prefersStrict(request.prefer) ? [] : undefined
  const variables = {
    ...view?.variables,
    ...readBody(compiled, request, ignored),
    ...readVariables(compiled, { ...request, query }, page),
  }
  return {
    variables,
    respond(data, publicUrl) {
      const response = respond(compiled, { ...request, query }, { view, page }, data, publicUrl)
      if (ignored?.length) response.headers['ignored-fields'] = ignoredFields(ignored)
      return response
    },
  }
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
const LIST_NAMES = ['limit', 'offset', 'after', 'sort']
const NOT_FILTERS = [...VIEW_NAMES, ...LIST_NAMES]

/**
 * Other names are filters for a page; everywhere else they are refused. A list without pages is returned completely,
 * whatever page is requested.
 */
function checkNames({ route, record, list, queryNames }: CompiledRoute, query: Query): void {
  if (list && route.result.kind === 'page') return
  const known = [...(record ? VIEW_NAMES : []), ...(route.result.kind === 'records' ? LIST_NAMES : []), ...queryNames]
  for (const name of Object.keys(query)) {
    if (known.includes(name)) continue
    const at = name.slice(0, 100)
    const choice = known.length > 0 ? `known parameters: ${known.join(', ')}` : 'it has none'
    throw new BadUserInput(at, `${at} is not a query parameter of ${route.method} ${route.path}; ${choice}`)
  }
}

function readVariables(compiled: CompiledRoute, request: RestRequest, page: Page | null): Record<string, unknown> {
  const variables: Record<string, unknown> = {}
  for (const { name, source, type } of compiled.variables) {
    if (source.from === 'body' || source.from === 'bodyKey') continue
    const value = readSource(compiled, source, request, { page, type })
    if (value !== undefined) variables[name] = value
  }
  return variables
}

type Source = CompiledRoute['variables'][number]['source']

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
  const isChecked = named.name === 'DateTime' || (isList && named.name === 'ID')
  return isChecked && isScalarType(named) ? readOperand(named, name, text) : text
}

function readText(query: Query, name: string): string {
  const given = query[name]
  if (typeof given !== 'string' || given === '') {
    throw new BadUserInput(name, `the query parameter ${name} is required${given ? ' once' : ''}`)
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
  const found = compiled.resultPath.reduce((at, key) => (at as Record<string, unknown> | null)?.[key], data)
  const present = (node: unknown): Record<string, unknown> => presentView(record!, view!, node)
  switch (result.kind) {
    case 'record': {
      if (found === null || found === undefined) throw new NotFound(`${result.record.type} not found`)
      const body = present(found)
      if (route.location) response.headers.location = route.location.replace(':id', String(body.id))
      return { ...response, body }
    }
    case 'records':
      return { ...response, body: nodesOf(found).map(present) }
    case 'element': {
      const wanted = request.params[result.parameter]
      const element = nodesOf(found)
        .map(present)
        .find((shownFields) => idOf(shownFields[result.field]) === wanted)
      if (!element) throw new NotFound(`${result.record.type} ${quoteValue(wanted)} not found`)
      return { ...response, body: element }
    }
    case 'text':
      return { ...response, body: (found as Record<string, unknown>)[result.field], type: result.type }
    case 'page': {
      const { totalCount, pageInfo } = found as { totalCount: number; pageInfo: PageEnd }
      response.headers['x-total-count'] = String(totalCount)
      const link = page && nextLink(publicUrl, request.path, request.query, page, pageInfo)
      if (link) response.headers.link = link
      return { ...response, body: nodesOf(found).map(present) }
    }
  }
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
