import { isNonNullType } from 'graphql'
import type { CompiledRoute } from '../compiled-route.js'
import { isWholeList, type Route } from '../route.js'
import { errorRefs } from './error-responses.js'
import { EXAMPLES } from './examples.js'
import { PAGE_HEADERS, RATE_HEADERS } from './headers.js'
import { parametersOf, type OpenApiParameter } from './openapi-parameters.js'
import type { JsonSchema, SchemaComponents } from './schema-components.js'

export interface OpenApiOperation {
  /** The name of a method in generated clients. */
  operationId: string
  tags: string[]
  summary: string
  description?: string
  parameters: OpenApiParameter[]
  requestBody?: { required: boolean; content: Record<string, MediaType> }
  responses: Record<string, unknown>
  security?: Record<string, string[]>[]
}

export interface MediaType {
  schema: JsonSchema
  /** The schema of an answer to a request with `select`. */
  'x-selected'?: JsonSchema
  example?: unknown
}

/** Describes one endpoint. Its rows differ in their bodies. */
export function operationOf(rows: readonly CompiledRoute[], components: SchemaComponents): OpenApiOperation {
  const { route } = rows[0]!
  const summaries = [...new Set(rows.map(({ route: { summary } }) => summary))]
  const requestBody = bodyOf(rows, components)
  return {
    operationId: route.operationId,
    tags: [route.tag],
    summary: summaries.map((summary) => summary.replace(/\.$/, '')).join(', or: '),
    description: descriptionOf(rows),
    parameters: parametersOf(rows),
    ...(requestBody && { requestBody }),
    responses: {
      ...successOf(rows, components),
      ...errorRefs({
        hasBody: requestBody !== undefined,
        hasPrecondition: rows.some((row) => row.precondition),
      }),
    },
    ...(route.isPublic && { security: [] }),
  }
}

/** Says what the conventions mean for the endpoint. */
function descriptionOf(rows: readonly CompiledRoute[]): string {
  const { route, record } = rows[0]!
  const cites = [...new Set(rows.flatMap(({ route: { cites } }) => cites.split(', ')))].toSorted()
  const sentences = [
    ...rows.map(({ route: { notes } }) => notes),
    route.result.kind === 'page' &&
      'One page of the list; every query parameter other than those of the page and the view is a filter.',
    isWholeList(route) && !route.ignoresQuery && 'The list is whole, unless `limit` or `offset` asks for a part.',
    record && !route.ignoresQuery && '`select` shows only the named fields and `id`: the schema `x-selected`.',
    rows.some(({ route: { isLenient } }) => isLenient) &&
      'Unknown fields are ignored and listed in `Ignored-Fields`, also of an error, unless `Prefer: handling=strict` is sent.',
    route.isPublic && 'No credentials are needed; those that are sent are ignored.',
    `Interface specification, section${cites.length > 1 ? 's' : ''} ${cites.join(', ')}.`,
  ]
  return sentences.filter(Boolean).join(' ')
}

function bodyOf(rows: readonly CompiledRoute[], components: SchemaComponents): OpenApiOperation['requestBody'] {
  const schemas = rows.filter(({ readBody }) => readBody).map((row) => bodySchema(row, components))
  if (schemas.length === 0) return undefined
  const schema = schemas.length === 1 ? schemas[0]! : { oneOf: schemas }
  const example = EXAMPLES.operations[rows[0]!.route.operationId]?.request
  const streamed = rows.some(({ route }) => route.isStreamable) && {
    'text/plain': { schema: { type: 'string', description: 'With `stream=true`: the text, in chunks.' } },
  }
  const json = { schema, ...(example !== undefined && { example }) }
  return { required: true, content: { 'application/json': json, ...streamed } }
}

/** Combines the input type of the rest of the body with the keys that are variables of their own. */
function bodySchema({ route, variables }: CompiledRoute, components: SchemaComponents): JsonSchema {
  const keys = variables.flatMap(({ source, type }) => (source.from === 'bodyKey' ? [{ name: source.name, type }] : []))
  const rest = variables.find(({ source }) => source.from === 'body')
  const restSchema = rest && components.input(rest.type)
  if (restSchema && keys.length === 0) return restSchema
  const required = keys.filter(({ type }) => isNonNullType(type)).map(({ name }) => name)
  const unused = (route.unused ?? []).map((name) => [name, { description: 'Accepted and ignored.' }] as const)
  const own = {
    type: 'object',
    properties: Object.fromEntries([
      ...keys.map(({ name, type }) => [name, components.input(type)] as const),
      ...unused,
    ]),
    ...(required.length > 0 && { required }),
  }
  return restSchema ? { allOf: [own, restSchema] } : own
}

function successOf(rows: readonly CompiledRoute[], components: SchemaComponents): Record<string, unknown> {
  const { route } = rows[0]!
  const schemas = rows.map((row) => resultSchema(row, components)).filter((schema) => schema !== null)
  if (schemas.length === 0) return { [route.status]: { description: 'Done; no body.', headers: RATE_HEADERS } }
  const schema = recordOrList(rows, components) ?? oneOfDistinct(schemas)
  const example = EXAMPLES.operations[route.operationId]?.response
  const headers = {
    ...RATE_HEADERS,
    ...((route.result.kind === 'page' || isWholeList(route)) && PAGE_HEADERS),
    ...(rows.some((row) => row.isVersioned) && { ETag: { $ref: '#/components/headers/ETag' } }),
    ...(rows.some((row) => row.route.location) && { Location: { $ref: '#/components/headers/Location' } }),
    ...(rows.some((row) => row.route.isLenient) && {
      'Ignored-Fields': { $ref: '#/components/headers/Ignored-Fields' },
    }),
  }
  return {
    [route.status]: {
      description: route.status === 201 ? 'Created.' : 'Success.',
      headers,
      content: {
        [mediaTypeOf(route)]: {
          schema,
          ...selectedSchema(rows, components),
          ...(example !== undefined && { example }),
        },
      },
    },
  }
}

/** Describes an answer that is a list if the body is one. @returns null for other answers */
function recordOrList(
  rows: readonly CompiledRoute[],
  components: SchemaComponents,
  isSelected = false,
): JsonSchema | null {
  const results = rows.map(({ route: { result } }) => result)
  const one = results.find((result) => result.kind === 'record')
  const many = results.find((result) => result.kind === 'records')
  return one && many?.record === one.record ? components.recordOrList(one.record, isSelected) : null
}

const mediaTypeOf = ({ result }: Route): string => (result.kind === 'text' ? result.type : 'application/json')

function oneOfDistinct(schemas: readonly JsonSchema[]): JsonSchema {
  const distinct = [...new Map(schemas.map((schema) => [JSON.stringify(schema), schema])).values()]
  return distinct.length === 1 ? distinct[0]! : { oneOf: distinct }
}

function resultSchema({ route: { result } }: CompiledRoute, components: SchemaComponents): JsonSchema | null {
  if (result.kind === 'nothing') return null
  if (result.kind === 'text') return { type: 'string' }
  return oneOrMany(result, components.record(result.record))
}

function selectedSchema(
  rows: readonly CompiledRoute[],
  components: SchemaComponents,
): Pick<MediaType, 'x-selected'> | undefined {
  const schemas = rows.flatMap(({ route: { result, ignoresQuery } }) =>
    result.kind === 'nothing' || result.kind === 'text' || ignoresQuery
      ? []
      : [oneOrMany(result, components.selected(result.record))],
  )
  if (schemas.length === 0) return undefined
  return { 'x-selected': recordOrList(rows, components, true) ?? oneOfDistinct(schemas) }
}

const oneOrMany = ({ kind }: Route['result'], one: JsonSchema): JsonSchema =>
  kind === 'page' || kind === 'records' ? { type: 'array', items: one } : one
