import type { JsonSchema } from './schema-components.js'
import { getNamedType, isNonNullType, type GraphQLInputObjectType } from 'graphql'
import type { CompiledRoute } from '../compiled-route.js'
import { filterNames, type FilterName } from '../query/filter-query.js'
import { LIMIT_DEFAULT, LIMIT_MAX } from '../query/list-query.js'

export interface OpenApiParameter {
  name: string
  in: 'path' | 'query' | 'header'
  required?: boolean
  description?: string
  schema: JsonSchema
}

/** Returns the parameters of an endpoint: of its path, its own query, and those of lists and of views. */
export function parametersOf(rows: readonly CompiledRoute[]): OpenApiParameter[] {
  const { route } = rows[0]!
  const parameters: OpenApiParameter[] = [...route.path.matchAll(/:([A-Za-z]+)/g)].map(([, name]) => ({
    name: name!,
    in: 'path',
    required: true,
    schema: { type: 'string' },
  }))
  if (rows.some(({ variables }) => variables.some(({ source }) => source.from === 'idempotencyKey'))) {
    parameters.push({ name: 'Idempotency-Key', in: 'header', schema: { type: 'string', maxLength: 255 } })
  }
  if (route.ignoresQuery) return parameters
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
  if (!list || route.result.kind !== 'page') return []
  return [
    {
      name: 'limit',
      in: 'query',
      schema: { type: 'integer', minimum: 1, default: LIMIT_DEFAULT },
      description: `Page length; larger values are reduced to ${LIMIT_MAX}.`,
    },
    { name: 'offset', in: 'query', schema: { type: 'integer', minimum: 0, default: 0 } },
    {
      name: 'after',
      in: 'query',
      schema: { type: 'string' },
      description: 'Cursor from a `Link`, together with its `offset`.',
    },
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
  const description = `A filter (${operatorsOf(comparison)}).${star}`
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
