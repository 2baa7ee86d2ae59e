import type { GraphQLSchema } from 'graphql'
import type { CompiledRoute } from '../compiled-route.js'
import type { ByteEndpoint } from '../byte-endpoints.js'
import type { Endpoint } from '../path-table.js'
import { conventionsText } from './conventions.js'
import { ERROR, errorResponses } from './error-responses.js'
import { HEADERS } from './headers.js'
import type { OpenApiDocument } from './openapi-types.js'
import { operationOf, type OpenApiOperation } from './operation.js'
import { SchemaComponents } from './schema-components.js'
import { TAGS } from './tags.js'
import { webhookOperations, WEBHOOKS_TAG, WEBHOOK_SCHEMAS, type DescribedEvent } from './webhook-operations.js'

/** Parts of the description beside the rows. */
export interface OpenApiExtras {
  /** Absolute base of links, or `/`. */
  publicUrl: string
  endpoints?: readonly ByteEndpoint[]
  webhookEvents?: readonly DescribedEvent[]
}

/** Builds the OpenAPI 3.1 document of the rows, from the declarations that serve them. */
export function openApiDocument(
  schema: GraphQLSchema,
  rows: readonly CompiledRoute[],
  { publicUrl, endpoints = [], webhookEvents = [] }: OpenApiExtras,
): OpenApiDocument {
  const components = new SchemaComponents(schema)
  const paths: OpenApiDocument['paths'] = {}
  for (const group of Map.groupBy(rows, ({ route }) => `${route.method} ${route.path}`).values()) {
    const { method, path } = group[0]!.route
    addOperation(paths, { method, path }, operationOf(group, components))
  }
  for (const { method, path, operation } of endpoints) addOperation(paths, { method, path }, operation)
  const webhooks = webhookOperations(webhookEvents, components)
  return {
    openapi: '3.1.0',
    info: {
      title: 'Switchboard REST interface',
      version: '2',
      description: conventionsText(),
      contact: { name: 'The operator of this installation' },
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: publicUrl, description: 'This installation.' }],
    tags: [...tagsOf(paths), ...(webhookEvents.length > 0 ? [WEBHOOKS_TAG] : [])],
    paths,
    webhooks,
    components: {
      schemas: {
        ...components.schemas,
        ...(webhookEvents.length > 0 && WEBHOOK_SCHEMAS),
        Error: ERROR,
      },
      responses: errorResponses(),
      headers: HEADERS,
      securitySchemes: { bearer: BEARER },
    },
    security: [{ bearer: [] }],
    'x-selected': components.selections,
  }
}

function addOperation(paths: OpenApiDocument['paths'], { method, path }: Endpoint, operation: OpenApiOperation): void {
  const operations = (paths[path.replace(/:([A-Za-z]+)/g, '{$1}')] ??= {})
  operations[method.toLowerCase()] = operation
}

function tagsOf(paths: OpenApiDocument['paths']): OpenApiDocument['tags'] {
  const used = new Set(Object.values(paths).flatMap((methods) => Object.values(methods).flatMap(({ tags }) => tags)))
  const names = [...Object.keys(TAGS).filter((name) => used.has(name)), ...[...used].filter((name) => !(name in TAGS))]
  return names.map((name) => ({ name, ...(TAGS[name] !== undefined && { description: TAGS[name] }) }))
}

const BEARER = {
  type: 'http',
  scheme: 'bearer',
  bearerFormat: 'JWT',
  description: 'An access token (`createToken`), or the API token of a bot (`createUser`).',
}
