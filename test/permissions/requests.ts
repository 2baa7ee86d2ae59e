import { Kind as Ast, parse, type FieldNode, type GraphQLSchema, type ValueNode } from 'graphql'
import type { Route, Source } from '../../rest-compat/route.js'
import { documentOf, restValue, type Field, type Root } from './documents.js'
import type { Sample } from './sample.js'
import type { CallerName } from './world.js'

/** An argument that is a parameter of a route's path and of no field: `:user` of one member among a channel's. */
const isPathOnly = (name: string): boolean => name.startsWith(':')

/** One request, its arguments still to be filled in. */
export interface Target {
  /** As a person names it: `mutation deleteForm`, `DELETE /v2/forms/:id`. */
  name: string
  /** Tells whether it can send a sample of its field. */
  fits(sample: Sample): boolean
  /** @param args the sample's, filled */
  request(args: Readonly<Record<string, unknown>>, caller: CallerName): Request
}

export type Request =
  | { kind: 'graphql'; field: string; query: string; variables: Readonly<Record<string, unknown>> }
  | { kind: 'live'; field: string; query: string; variables: Readonly<Record<string, unknown>> }
  | { kind: 'upload'; organization: string }
  | { kind: 'rest'; method: string; path: string; body?: unknown }

/** Fields below the root that need a scope: to ask for them without it is refused as a whole. */
const OF_AGENTS: ReadonlySet<string> = new Set(['routingTrace'])
const OF_ADMINS: ReadonlySet<string> = new Set(['history', 'drafts'])
const OF_BOTH: ReadonlySet<string> = OF_AGENTS.union(OF_ADMINS)
const NOTHING: ReadonlySet<string> = new Set()
const BESIDE_SCOPES: ReadonlySet<CallerName> = new Set(['consumer', 'guest'])
const BELOW_ADMINS: ReadonlySet<CallerName> = new Set(['agent', 'bot'])

/** `how` of the sample of a route that asks for a field which needs more than its record. */
const OF_ROUTE = 'history'

export function graphqlTarget(root: Root, field: Field): Target {
  const documents = new Map<string, string>()
  return {
    name: `${root} ${field.name}`,
    fits: ({ args, how, isLive = false }) =>
      how !== OF_ROUTE && !Object.keys(args).some(isPathOnly) && isLive === (root === 'subscription'),
    request(args, caller) {
      const names = Object.keys(args)
      const omitted = BESIDE_SCOPES.has(caller) ? OF_BOTH : BELOW_ADMINS.has(caller) ? OF_ADMINS : NOTHING
      const key = [...names, ...omitted].join()
      if (!documents.has(key)) documents.set(key, documentOf(root, field, names, omitted))
      const query = documents.get(key)!
      return { kind: root === 'subscription' ? 'live' : 'graphql', field: field.name, query, variables: args }
    },
  }
}

/** `POST /v2/attachments`: bytes, which no row of the table is about. */
export const UPLOAD: Target = {
  name: 'POST /v2/attachments',
  fits: () => true,
  request: ({ organization }) => ({ kind: 'upload', organization: organization as string }),
}

export interface RouteTarget extends Target {
  /** The first field of the route's operation whose sample it is. */
  field: string
}

export const nameOfRoute = ({ method, path, when }: Route): string =>
  `${method} ${path}${when ? ` (${'bodyIs' in when ? when.bodyIs : when.bodyHas})` : ''}`

/** A route takes the samples of its operation's field: each argument goes where the row says that it comes from. */
export function routeTarget(schema: GraphQLSchema, route: Route, fieldOf: (name: string) => Field): RouteTarget {
  const [definition] = parse(route.operation.replaceAll('...Record', 'id')).definitions
  if (definition?.kind !== Ast.OPERATION_DEFINITION) throw new Error('no operation')
  const selections = definition.selectionSet.selections as FieldNode[]
  const node = selections.find((each) => each.alias?.value === 'result') ?? selections[0]!
  const field = fieldOf(node.name.value)
  const bound = (node.arguments ?? []).map(({ name, value }) => [name.value, value] as const)
  const inDocument = new Set(bound.flatMap(([, value]) => variablesIn(value)))
  const pathOnly = (route.path.match(/:\w+/g) ?? []).filter((parameter) => {
    const variable = Object.entries(route.variables).find(
      ([, source]) => source.from === 'path' && source.name === parameter.slice(1),
    )
    return !variable || !inDocument.has(variable[0])
  })
  return {
    name: nameOfRoute(route),
    field: field.name,
    fits({ args, how, isLive }) {
      if ((how === OF_ROUTE) !== /\/workflows\/:id\/versions$/.test(route.path) && field.name === 'workflow')
        return false
      const names = new Set([...bound.map(([name]) => name), ...pathOnly])
      const isSaid = Object.keys(args).every((name) => names.has(name)) && pathOnly.every((name) => name in args)
      return (
        !isLive &&
        isSaid &&
        bound.every(([name, value]) => fitsIn(value, args[name])) &&
        namesAllOfPath(route, bound, args)
      )
    },
    request(args) {
      const variables: Record<string, unknown> = {}
      for (const [name, value] of bound) {
        const { type } = field.args.find((argument) => argument.name === name)!
        collect(value, restValue(type, args[name]), variables)
      }
      const path = pathOnly.reduce((at, name) => at.replace(name, String(args[name])), route.path)
      return requestOf({ ...route, path }, variables)
    },
  }
}

function variablesIn(node: ValueNode): string[] {
  if (node.kind === Ast.VARIABLE) return [node.name.value]
  if (node.kind === Ast.LIST) return node.values.flatMap(variablesIn)
  return node.kind === Ast.OBJECT ? node.fields.flatMap(({ value }) => variablesIn(value)) : []
}

/** Tells whether a sample's value can be said by a route: `{ members: $members }` says members and nothing else. */
function fitsIn(node: ValueNode, value: unknown): boolean {
  if (node.kind === Ast.LIST) return Array.isArray(value) && value.length === node.values.length
  if (node.kind !== Ast.OBJECT || value === undefined) return true
  const keys = node.fields.map(({ name }) => name.value)
  return Object.keys(value as object).every((key) => keys.includes(key))
}

function namesAllOfPath(route: Route, bound: readonly (readonly [string, ValueNode])[], args: Sample['args']): boolean {
  return bound.every(([name, value]) => {
    if (value.kind !== Ast.VARIABLE) return true
    return route.variables[value.name.value]?.from !== 'path' || name in args
  })
}

/** The variables that stand for a value's parts. */
function collect(node: ValueNode, value: unknown, variables: Record<string, unknown>): void {
  if (node.kind === Ast.VARIABLE) variables[node.name.value] = value
  if (node.kind === Ast.LIST) node.values.forEach((each, at) => collect(each, (value as unknown[])[at], variables))
  if (node.kind !== Ast.OBJECT) return
  for (const { name, value: inner } of node.fields) {
    collect(inner, (value as Record<string, unknown> | undefined)?.[name.value], variables)
  }
}

function requestOf(route: Route, variables: Readonly<Record<string, unknown>>): Request {
  let { path } = route
  let body: unknown
  const query = new URLSearchParams()
  for (const [name, source] of Object.entries(route.variables) as [string, Source][]) {
    const value = variables[name]
    if (source.from === 'path') path = path.replace(`:${source.name}`, String(value))
    if (source.from === 'filter') addFilter(query, value)
    if (value === undefined) continue
    if (source.from === 'query') query.set(source.name, String(value))
    if (source.from === 'bodyKey') body = { ...(body as object), [source.name]: value }
    if (source.from === 'body') body = Array.isArray(value) ? value : { ...(body as object), ...(value as object) }
  }
  const search = query.size > 0 ? `?${query.toString()}` : ''
  return { kind: 'rest', method: route.method, path: path + search, ...(body !== undefined && { body }) }
}

const OPERATORS: Readonly<Record<string, (value: unknown) => string>> = {
  eq: String,
  ne: (value) => `!${String(value)}`,
  in: (value) => `[${String(value)}]`,
}

/** `{ members: { user: { eq } } }` is `members.user=…`. */
function addFilter(query: URLSearchParams, filter: unknown, path = ''): void {
  for (const [key, value] of Object.entries((filter ?? {}) as object)) {
    const operator = OPERATORS[key]
    if (operator) query.set(path, operator(value))
    else addFilter(query, value, path === '' ? key : `${path}.${key}`)
  }
}
