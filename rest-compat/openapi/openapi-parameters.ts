import type { JsonSchema } from './schema-components.js'
import { getNamedType, isEnumType, isNonNullType, type GraphQLInputObjectType } from 'graphql'
import type { CompiledRoute } from '../compiled-route.js'
import { restEnum } from '../enums.js'
import { filterNames, type FilterName } from '../query/filter-query.js'
import { LIMIT_DEFAULT, LIMIT_MAX } from '../query/list-query.js'
import { isWholeList } from '../route.js'

export interface OpenApiParameter {
  name: string
  in: 'path' | 'query' | 'header'
  required?: boolean
  description?: string
  schema: JsonSchema
}

export const IDEMPOTENCY_KEY: OpenApiParameter = {
  name: 'Idempotency-Key',
  in: 'header',
  description: 'The same key with the same body returns the first answer again, for 24 hours.',
  schema: { type: 'string', maxLength: 255 },
}

const IF_MATCH: OpenApiParameter = {
  name: 'If-Match',
  in: 'header',
  description: 'The ETag of the record to change: 412 if it has another one by now. `*` and no header match any.',
  schema: { type: 'string' },
}

const PREFER: OpenApiParameter = {
  name: 'Prefer',
  in: 'header',
  description: '`handling=strict` refuses unknown fields of the body (RFC 7240).',
  schema: { type: 'string' },
}

const STREAM: OpenApiParameter = {
  name: 'stream',
  in: 'query',
  description: 'The body is text that is shown as it comes.',
  schema: { type: 'string', enum: ['true'] },
}

const STREAM_ROLE: OpenApiParameter = {
  name: 'role',
  in: 'query',
  description: 'With `stream`: for the consumer by default, or `bot`, for the team.',
  schema: { type: 'string', enum: ['agent', 'bot'] },
}

/** Returns the parameters of an endpoint: of its path, its own query, and those of lists and of views. */
export function parametersOf(rows: readonly CompiledRoute[]): OpenApiParameter[] {
  const { route } = rows[0]!
  const parameters: OpenApiParameter[] = [...route.path.matchAll(/:([A-Za-z]+)/g)].map(([, name]) => ({
    name: name!,
    in: 'path',
    required: true,
    description: pathDescription(route, name!),
    schema: { type: 'string' },
  }))
  if (rows.some((row) => row.route.isLenient)) parameters.push(PREFER)
  if (rows.some(({ variables }) => variables.some(({ source }) => source.from === 'idempotencyKey'))) {
    parameters.push(IDEMPOTENCY_KEY)
  }
  if (rows.some(({ precondition }) => precondition)) parameters.push(IF_MATCH)
  if (route.ignoresQuery) return parameters
  if (rows.some(({ route: { isStreamable } }) => isStreamable)) parameters.push(STREAM, STREAM_ROLE)
  const query = rows.flatMap((row) => [...ownQuery(row), ...listQuery(row), ...viewQuery(row)])
  const byName = new Map(query.map((parameter) => [parameter.name, parameter]))
  return [...parameters, ...byName.values()]
}

function ownQuery({ variables }: CompiledRoute): OpenApiParameter[] {
  return variables.flatMap(({ source, type }): OpenApiParameter[] =>
    source.from === 'query'
      ? [
          {
            name: source.name,
            in: 'query',
            required: isNonNullType(type),
            description: source.description,
            schema: { type: 'string' },
          },
        ]
      : [],
  )
}

function viewQuery({ record }: CompiledRoute): OpenApiParameter[] {
  if (!record) return []
  const lists = [
    ['select', [...record.fields.keys()]],
    ['populate', [...record.populate.keys()]],
  ] as const
  return lists
    .filter(([, names]) => names.length > 0)
    .map(([name, names]) => ({
      name,
      in: 'query',
      description: `Comma-separated list of ${names.join(', ')}.`,
      schema: { type: 'string' },
    }))
}

function listQuery({ list, route }: CompiledRoute): OpenApiParameter[] {
  const limit: OpenApiParameter = {
    name: 'limit',
    in: 'query',
    schema: { type: 'integer', minimum: 1, default: LIMIT_DEFAULT },
    description: `Page length; larger values are reduced to ${LIMIT_MAX}.`,
  }
  const offset: OpenApiParameter = {
    name: 'offset',
    in: 'query',
    schema: { type: 'integer', minimum: 0, default: 0 },
    description: 'Number of records before the page.',
  }
  if (isWholeList(route)) {
    return [{ ...limit, schema: { type: 'integer', minimum: 1 } }, offset]
  }
  if (route.result.kind !== 'page') return []
  const after: OpenApiParameter = {
    name: 'after',
    in: 'query',
    schema: { type: 'string' },
    description: 'Cursor from a `Link`, together with its `offset`.',
  }
  if (!list) return [limit, offset, after]
  return [
    limit,
    offset,
    after,
    {
      name: 'sort',
      in: 'query',
      schema: { type: 'string' },
      description: `Comma-separated list of ${[...list.sortFields.keys()].join(', ')}; a minus means descending.`,
    },
    ...filterNames(getNamedType(list.filter) as GraphQLInputObjectType).map(filterParameter),
  ]
}

function filterParameter({ name, comparison }: FilterName): OpenApiParameter {
  if (!comparison) return { name, in: 'query', description: 'Words to search for.', schema: { type: 'string' } }
  const star = name.endsWith('*') ? ' The star is a placeholder for a key or a path of keys.' : ''
  const description = `A filter (${operatorsOf(comparison)})${valuesOf(comparison)}.${star}`
  return { name, in: 'query', description, schema: { type: 'string' } }
}

const OPERATORS = {
  eq: 'a',
  ne: '!a',
  contains: '~a',
  startsWith: '^a',
  endsWith: '$a',
  gt: '>a',
  gte: '>=a',
  lt: '<a',
  lte: '<=a',
  in: '[a,b]',
}

function operatorsOf(comparison: GraphQLInputObjectType): string {
  const known = comparison.getFields()
  return Object.entries(OPERATORS)
    .filter(([name]) => name in known)
    .map(([, form]) => form)
    .join(' ')
}

/** Describes `:id` by the resource before it: `/v2/channels/:id` is the id of a channel. */
function pathDescription({ path }: CompiledRoute['route'], name: string): string {
  if (OTHERS[name]) return OTHERS[name]
  const segments = path.split('/')
  const resource = segments[segments.indexOf(`:${name}`) - 1]!
  const singular = RESOURCES[resource] ?? resource.replace(/s$/, '')
  const me = resource === 'users' ? ', or `me`' : ''
  return `Id of the ${singular}${me}.`
}

const OTHERS: Readonly<Record<string, string>> = { metric: 'Metric to count, such as `created`.' }
const RESOURCES: Readonly<Record<string, string>> = { orggroups: 'group of organizations', members: 'user' }

/** Says what a filter compares with. */
function valuesOf(comparison: GraphQLInputObjectType): string {
  const type = getNamedType(comparison.getFields().eq!.type)
  if (isEnumType(type)) return ` by ${[...restEnum(type).nameOf.keys()].join(', ')}`
  return FILTER_VALUES[type.name] ?? ''
}

const FILTER_VALUES: Readonly<Record<string, string>> = {
  ID: ' by an id',
  Boolean: ' by true or false',
  Int: ' by a whole number',
  Float: ' by a number',
  DateTime: ' by a time',
}
