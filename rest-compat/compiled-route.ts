import {
  Kind,
  parse,
  print,
  typeFromAST,
  isInputType,
  getNamedType,
  getNullableType,
  isInputObjectType,
  isObjectType,
  type GraphQLInputType,
  type GraphQLSchema,
  type OperationDefinitionNode,
  type SelectionSetNode,
} from 'graphql'
import { compileRecord, type CompiledRecord } from './compiled-record.js'
import { bodyReader, type BodyReader, type BodyVariable } from './input/body-reader.js'
import { sortFields } from './query/list-query.js'
import type { RecordSpec } from './record.js'
import type { Route, Source } from './route.js'

/** A row matched with the schema: its document to execute, and everything for its request and response. */
export interface CompiledRoute {
  route: Route
  document: string
  record: CompiledRecord | null
  /** Null if the request has no body. */
  readBody: BodyReader | null
  variables: readonly BoundVariable[]
  /** Keys from `data` to the result. */
  resultPath: readonly string[]
  list: ListTypes | null
  /** Query parameters in addition to those of the conventions. */
  queryNames: readonly string[]
  /** The place of what `If-Match` names: a variable, or a field of one. Null: the header is refused. */
  precondition: { variable: string; field: string | null; names: 'version' | 'mark' } | null
  /** True if the answer has the version of its record. */
  isVersioned: boolean
  /** The path parameter with the record that a PATCH changes. */
  recordParameter: string | null
}

/** The alias of a record's version in a document: its entity tag. Documents of parts of a record have it beside them. */
export const VERSION = '_version'
/** The alias of a conversation's mark, the second part of its entity tag. */
export const MARK = '_mark'

export interface BoundVariable {
  name: string
  type: GraphQLInputType
  source: Source
}

export interface ListTypes {
  filter: GraphQLInputType
  sortFields: ReadonlyMap<string, string>
}

/**
 * Matches rows with the schema. The document itself is validated when it is prepared.
 * @throws Error naming a row that does not match
 */
export class RouteCompiler {
  readonly #records = new Map<RecordSpec, CompiledRecord>()

  constructor(private readonly schema: GraphQLSchema) {}

  compile(route: Route): CompiledRoute {
    try {
      return this.#compile(route)
    } catch (error) {
      throw new Error(`${route.method} ${route.path}: ${(error as Error).message}`, { cause: error })
    }
  }

  #compile(route: Route): CompiledRoute {
    const record = 'record' in route.result ? this.#record(route.result.record) : null
    const operation = theOperation(route.operation, record, this.#versionOf(route))
    const variables = this.#variables(route, operation)
    const list = listTypes(variables)
    return {
      route,
      document: documentOf(operation, record),
      record,
      readBody: makeBodyReader(route, variables, record),
      variables,
      resultPath: resultPath(operation.selectionSet),
      list,
      queryNames: variables.flatMap(({ source }) => (source.from === 'query' ? [source.name] : [])),
      precondition: preconditionOf(variables),
      isVersioned: print(operation).includes(`${VERSION}: version`),
      recordParameter: route.method === 'PATCH' ? (/:([A-Za-z]+)$/.exec(route.path)?.[1] ?? null) : null,
    }
  }

  /** Selects the record's version, if a change of it may name it, and the mark that a message to it may name. */
  #versionOf({ result }: Route): string {
    if (result.kind !== 'record') return ''
    const { type } = result.record
    const shown = this.schema.getType(type)
    const changes = [`Update${type}Input`, `Save${type}Input`].map((name) => this.schema.getType(name))
    // The version of a rule is that of its workflow, which does not come with it.
    if (!isObjectType(shown) || !('version' in shown.getFields())) return ''
    if (!changes.some((change) => isInputObjectType(change) && IF_VERSION in change.getFields())) return ''
    return IF_MARK in shown.getFields() ? ` ${VERSION}: version ${MARK}: ${IF_MARK}` : ` ${VERSION}: version`
  }

  #record(spec: RecordSpec): CompiledRecord {
    let record = this.#records.get(spec)
    if (!record) this.#records.set(spec, (record = compileRecord(this.schema, spec)))
    return record
  }

  #variables(route: Route, operation: OperationDefinitionNode): BoundVariable[] {
    const declared = new Set<string>()
    const bound = (operation.variableDefinitions ?? []).map((definition): BoundVariable => {
      const name = definition.variable.name.value
      const type = typeFromAST(this.schema, definition.type as never)
      const source = route.variables[name]
      if (!isInputType(type)) throw new Error(`the schema has no input type ${print(definition.type)}`)
      if (!source) throw new Error(`the variable ${name} has no source`)
      checkPath(route, source)
      declared.add(name)
      return { name, type, source }
    })
    const unknown = Object.keys(route.variables).find((name) => !declared.has(name))
    if (unknown) throw new Error(`the operation has no variable ${unknown}`)
    return bound
  }
}

function checkPath(route: Route, source: Source): void {
  for (const parameter of parametersOf(source)) {
    if (!route.path.split('/').includes(`:${parameter}`)) throw new Error(`the path has no parameter ${parameter}`)
  }
}

function parametersOf(source: Source): string[] {
  if (source.from === 'path') return [source.name]
  return source.from === 'filter' ? Object.values(source.fixed ?? {}) : []
}

function theOperation(source: string, record: CompiledRecord | null, more: string): OperationDefinitionNode {
  const withRecord = record ? source.replaceAll('...Record', record.selection.slice(1, -1) + more) : source
  const { definitions } = parse(withRecord)
  const operation = definitions[0]
  if (definitions.length !== 1 || operation?.kind !== Kind.OPERATION_DEFINITION) {
    throw new Error('the document must be one operation')
  }
  return operation
}

function documentOf(operation: OperationDefinitionNode, record: CompiledRecord | null): string {
  const flags = Object.keys(record?.variables ?? {}).map((name) => `$${name}: Boolean!`)
  const own = (operation.variableDefinitions ?? []).map(print)
  const variables = [...own, ...flags].join(', ')
  const head = `${operation.operation} ${operation.name?.value ?? 'Rest'}${variables && `(${variables})`}`
  return `${head} ${print(operation.selectionSet)}`
}

function resultPath({ selections }: SelectionSetNode): string[] {
  for (const node of selections) {
    if (node.kind !== Kind.FIELD) continue
    const name = node.alias?.value ?? node.name.value
    if (name === 'result') return [name]
    const below = node.selectionSet ? resultPath(node.selectionSet) : []
    if (below.length > 0) return [name, ...below]
  }
  return []
}

function makeBodyReader(
  { unused = [] }: Route,
  variables: readonly BoundVariable[],
  record: CompiledRecord | null,
): BodyReader | null {
  const keys = new Map<string, BodyVariable>()
  let rest: BodyVariable | null = null
  for (const { name: variable, type, source } of variables) {
    if (source.from === 'bodyKey') keys.set(source.name, { variable, type })
    if (source.from === 'body') rest = { variable, type }
  }
  if (keys.size === 0 && !rest) return null
  return bodyReader({ keys, rest, recordFields: record?.spec.fields ?? {}, unused: new Set(unused) })
}

const IF_VERSION = 'ifVersion'
const IF_MARK = 'mark'

function preconditionOf(variables: readonly BoundVariable[]): CompiledRoute['precondition'] {
  const own = variables.find(({ source }) => source.from === 'ifMatch')
  if (own) return { variable: own.name, field: null, names: 'version' }
  for (const { name: variable, source, type } of variables) {
    if (source.from === 'bodyKey' && source.name === IF_MARK) return { variable, field: null, names: 'mark' }
    if (source.from !== 'body') continue
    const [whole, each] = [getNullableType(type), getNamedType(type)]
    if (isInputObjectType(whole) && IF_VERSION in whole.getFields())
      return { variable, field: IF_VERSION, names: 'version' }
    // Of a list, each message names it.
    if (isInputObjectType(each) && IF_MARK in each.getFields()) return { variable, field: IF_MARK, names: 'mark' }
  }
  return null
}

function listTypes(variables: readonly BoundVariable[]): ListTypes | null {
  const filter = variables.find(({ source }) => source.from === 'filter')
  if (!filter) return null
  if (!isInputObjectType(getNamedType(filter.type))) throw new Error(`${filter.name} is not an input object`)
  const sort = variables.find(({ source }) => source.from === 'sort')
  return { filter: filter.type, sortFields: sort ? sortFields(sort.type) : new Map() }
}
