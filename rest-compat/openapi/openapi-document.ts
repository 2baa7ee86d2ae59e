import { isNonNullType, type GraphQLSchema } from 'graphql'
import type { CompiledRoute } from '../compiled-route.js'
import type { Endpoint } from '../path-table.js'
import { conventionsText } from './conventions.js'
import { SchemaComponents, type JsonSchema } from './schema-components.js'
import { parametersOf, type OpenApiParameter } from './openapi-parameters.js'

export interface OpenApiDocument {
  openapi: string
  info: { title: string; version: string; description: string }
  servers: { url: string }[]
  tags: { name: string }[]
  paths: Record<string, Record<string, OpenApiOperation>>
  components: Record<string, Record<string, unknown>>
  security: Record<string, string[]>[]
}

export interface OpenApiOperation {
  operationId: string
  tags: string[]
  summary: string
  parameters: OpenApiParameter[]
  requestBody?: { required: boolean; content: Record<string, { schema: JsonSchema }> }
  responses: Record<string, unknown>
  security?: Record<string, string[]>[]
}

/** Builds the OpenAPI 3.1 document of the rows, from the declarations that serve them. */
export function openApiDocument(
  schema: GraphQLSchema,
  rows: readonly CompiledRoute[],
  publicUrl: string,
): OpenApiDocument {
  const components = new SchemaComponents(schema)
  const paths: OpenApiDocument['paths'] = {}
  for (const group of Map.groupBy(rows, ({ route }) => `${route.method} ${route.path}`).values()) {
    const { method, path } = group[0]!.route
    addOperation({ paths }, { method, path }, operationOf(group, components))
  }
  return {
    openapi: '3.1.0',
    info: { title: 'Switchboard REST interface', version: '2', description: conventionsText() },
    servers: [{ url: publicUrl }],
    tags: [...new Set(rows.map(({ route }) => route.tag))].map((name) => ({ name })),
    paths,
    components: {
      schemas: { ...components.schemas, Error: ERROR },
      responses: errorResponses(),
      headers: HEADERS,
      securitySchemes: { bearer: BEARER },
    },
    security: [{ bearer: [] }],
  }
}

/** Adds an operation; also for an endpoint that is not a row. */
export function addOperation(
  { paths }: Pick<OpenApiDocument, 'paths'>,
  { method, path }: Endpoint,
  operation: OpenApiOperation,
): void {
  const operations = (paths[path.replace(/:([A-Za-z]+)/g, '{$1}')] ??= {})
  operations[method.toLowerCase()] = operation
}

/** Rows of one endpoint differ in their bodies. */
function operationOf(rows: readonly CompiledRoute[], components: SchemaComponents): OpenApiOperation {
  const { route } = rows[0]!
  const requestBody = bodyOf(rows, components)
  return {
    operationId: operationId(route.method, route.path),
    tags: [route.tag],
    summary: rows.map(({ route: { summary } }) => summary).join(' Or: '),
    parameters: parametersOf(rows),
    ...(requestBody && { requestBody }),
    responses: { ...successOf(rows, components), ...errorRefs(rows) },
    ...(route.isPublic && { security: [] }),
  }
}

/** Derives `getChannelsByIdMembers` from `GET /v2/channels/:id/members`. */
function operationId(method: string, path: string): string {
  const words = path
    .split('/')
    .slice(2)
    .map((word) => (word.startsWith(':') ? `by-${word.slice(1)}` : word))
  return [method.toLowerCase(), ...words].join('-').replace(/-([a-z])/g, (_, letter: string) => letter.toUpperCase())
}

function bodyOf(rows: readonly CompiledRoute[], components: SchemaComponents): OpenApiOperation['requestBody'] {
  const schemas = rows.filter(({ readBody }) => readBody).map((row) => bodySchema(row, components))
  if (schemas.length === 0) return undefined
  const schema = schemas.length === 1 ? schemas[0]! : { oneOf: schemas }
  return { required: true, content: { 'application/json': { schema } } }
}

/** Combines the input type of the rest of the body with the keys that are variables of their own. */
function bodySchema({ variables }: CompiledRoute, components: SchemaComponents): JsonSchema {
  const keys = variables.flatMap(({ source, type }) => (source.from === 'bodyKey' ? [{ name: source.name, type }] : []))
  const rest = variables.find(({ source }) => source.from === 'body')
  const restSchema = rest && components.input(rest.type)
  if (restSchema && keys.length === 0) return restSchema
  const required = keys.filter(({ type }) => isNonNullType(type)).map(({ name }) => name)
  const own = {
    type: 'object',
    properties: Object.fromEntries(keys.map(({ name, type }) => [name, components.input(type)])),
    ...(required.length > 0 && { required }),
  }
  return restSchema ? { allOf: [own, restSchema] } : own
}

function successOf(rows: readonly CompiledRoute[], components: SchemaComponents): Record<string, unknown> {
  const { route } = rows[0]!
  const schemas = rows.flatMap((row) => resultSchema(row, components) ?? [])
  if (schemas.length === 0) return { [route.status]: { description: 'Done; no body.', headers: RATE_HEADERS } }
  const schema = schemas.length === 1 ? schemas[0]! : { oneOf: schemas }
  const headers = {
    ...RATE_HEADERS,
    ...(route.result.kind === 'page' && PAGE_HEADERS),
    ...(rows.some((row) => row.route.location) && { Location: ref('headers', 'Location') }),
  }
  return {
    [route.status]: {
      description: route.status === 201 ? 'Created.' : 'Success.',
      headers,
      content: { 'application/json': { schema } },
    },
  }
}

function resultSchema({ route: { result } }: CompiledRoute, components: SchemaComponents): JsonSchema | null {
  if (result.kind === 'nothing') return null
  const one = components.record(result.record)
  return result.kind === 'page' || result.kind === 'records' ? { type: 'array', items: one } : one
}

function errorRefs(rows: readonly CompiledRoute[]): Record<string, unknown> {
  const writes = rows[0]!.route.method !== 'GET'
  const statuses = Object.keys(ERRORS).filter((status) => status !== '422' || writes)
  return Object.fromEntries(statuses.map((status) => [status, ref('responses', `Error${status}`)]))
}

function ref(kind: string, name: string): JsonSchema {
  return { $ref: `#/components/${kind}/${name}` }
}

const HEADERS = {
  RateLimit: { description: 'Remaining requests in this second, by policy.', schema: { type: 'string' } },
  'RateLimit-Policy': {
    description: 'Allowed requests per second, by address and by user or API key.',
    schema: { type: 'string' },
  },
  'Retry-After': { description: 'Seconds to wait before a retry.', schema: { type: 'integer' } },
  'X-Total-Count': { description: 'Number of records in the whole list.', schema: { type: 'integer' } },
  Link: { description: 'The next page, `rel="next"`; absent on the last.', schema: { type: 'string' } },
  Location: { description: 'Where the record is.', schema: { type: 'string' } },
}
const PAGE_HEADERS = { 'X-Total-Count': ref('headers', 'X-Total-Count'), Link: ref('headers', 'Link') }
const RATE_HEADERS = { RateLimit: ref('headers', 'RateLimit'), 'RateLimit-Policy': ref('headers', 'RateLimit-Policy') }

/** Section 7. */
const ERRORS: Readonly<Record<string, string>> = {
  400: 'Invalid or missing parameters, named by `field`.',
  401: 'Missing or invalid authentication.',
  403: 'Not permitted, or an expired access token (`jwt expired`).',
  404: "The record does not exist, or is another tenant's.",
  422: 'Well-formed, but not possible in the current state.',
  429: 'A limit is exceeded.',
  500: 'An unexpected error; search the log for its `requestId`.',
  503: 'Temporarily unavailable; retry.',
}

function errorResponses(): Record<string, JsonSchema> {
  const entries = Object.entries(ERRORS)
  return Object.fromEntries(entries.map(([status, text]) => [`Error${status}`, errorResponse(status, text)]))
}

function errorResponse(status: string, description: string): JsonSchema {
  return {
    description,
    ...(status === '429' && { headers: { ...RATE_HEADERS, 'Retry-After': ref('headers', 'Retry-After') } }),
    content: { 'application/json': { schema: ref('schemas', 'Error') } },
  }
}

const BEARER = {
  type: 'http',
  scheme: 'bearer',
  bearerFormat: 'JWT',
  description: 'An access token (4.1), or the API token of a bot.',
}

const MESSAGE_AND_CODE = {
  message: { type: 'string' },
  code: {
    type: 'string',
    enum: [
      'BAD_USER_INPUT',
      'UNAUTHENTICATED',
      'TOKEN_EXPIRED',
      'FORBIDDEN',
      'NOT_FOUND',
      'UNPROCESSABLE',
      'RATE_LIMITED',
      'UNAVAILABLE',
      'INTERNAL_SERVER_ERROR',
    ],
  },
}

const ERROR: JsonSchema = {
  type: 'object',
  properties: {
    ...MESSAGE_AND_CODE,
    error: { type: 'object', properties: MESSAGE_AND_CODE, required: ['message', 'code'] },
    requestId: { type: 'string' },
    field: { type: 'string', description: 'Path of the offending input.' },
  },
  required: ['message', 'code', 'error', 'requestId'],
  additionalProperties: true,
}
