import {
  buildSchema,
  getNamedType,
  getNullableType,
  isCompositeType,
  isEnumType,
  isInputObjectType,
  isInterfaceType,
  isListType,
  isNonNullType,
  isObjectType,
  isUnionType,
  type GraphQLField,
  type GraphQLInputType,
  type GraphQLOutputType,
  type GraphQLSchema,
} from 'graphql'
import type { Random } from './random.js'
import type { Records } from './records.js'
import { DATES, mutate, objectFor, textFor } from './values.js'

export interface GraphqlRequest {
  query: string
  variables: unknown
  operationName?: unknown
}

export type OperationKind = 'query' | 'mutation' | 'subscription'

/** Signing out, or in by passwords, would end the fuzzer's own callers, or only wait. */
const LEFT_OUT =
  /^(createToken|revokeToken|refreshToken|acceptInvitation|rotateApiToken|endSessions?|endOtherSessions|resetFactors|updateUser|deleteUser|deleteOrganization|eraseContact)$/
const DEPTH_MAX = 4

/** Makes operations of a schema that it would take, and from time to time one that is wrong in one place. */
export class GraphqlRequests {
  readonly #schema: GraphQLSchema

  constructor(
    source: string,
    private readonly records: Records,
    private readonly random: Random,
  ) {
    this.#schema = buildSchema(source)
  }

  make(kind: OperationKind, wrongness: number): GraphqlRequest {
    const { random } = this
    const fields = Object.values(this.#rootOf(kind)).filter(({ name }) => !LEFT_OUT.test(name))
    const field = random.pick(fields)
    // What has been deleted can take no more.
    if (field.name.startsWith('delete') && random.isLucky(0.8)) return this.make(kind, wrongness)
    const given = field.args.filter(({ type }) => isNonNullType(type) || random.isLucky(0.3))
    const values = given.map(({ name, type }) => [name, this.#value(type, name === 'id' ? field.name : name, 0)])
    const declared = given.map(({ name, type }) => `$${name}: ${type.toString()}`).join(', ')
    const passed = given.map(({ name }) => `${name}: $${name}`).join(', ')
    const call = `${field.name}${passed && `(${passed})`}${this.#selection(field.type, 0)}`
    const request = {
      query: `${kind} ${declared && `(${declared})`} { ${call} }`,
      variables: Object.fromEntries(values) as unknown,
    }
    if (!random.isLucky(wrongness)) return request
    if (random.isLucky(0.8)) return { ...request, variables: mutate(request.variables, random) }
    const at = random.below(request.query.length)
    const inserted = random.pick(['', '{', '}', '"', '$', '@include(if: true)', '...', '\u0000', '(', ' x '])
    return { ...request, query: request.query.slice(0, at) + inserted + request.query.slice(at + random.below(3)) }
  }

  #rootOf(kind: OperationKind): Record<string, GraphQLField<unknown, unknown>> {
    const roots = {
      query: this.#schema.getQueryType(),
      mutation: this.#schema.getMutationType(),
      subscription: this.#schema.getSubscriptionType(),
    }
    return roots[kind]!.getFields()
  }

  #selection(type: GraphQLOutputType, depth: number): string {
    const named = getNamedType(type)
    if (isUnionType(named)) return ` { __typename }`
    if (!isObjectType(named) && !isInterfaceType(named)) return ''
    if (depth >= DEPTH_MAX) return ' { __typename }'
    const fields = Object.values(named.getFields()).filter((field) => {
      if (field.args.some((argument) => isNonNullType(argument.type))) return false
      const isPath = ['id', 'edges', 'node'].includes(field.name)
      return isPath || this.random.isLucky(isCompositeType(getNamedType(field.type)) ? 0.15 : 0.4)
    })
    const selected = fields.map((field) => field.name + this.#selection(field.type, depth + 1))
    return ` { __typename ${selected.join(' ')} }`
  }

  #value(type: GraphQLInputType, name: string, depth: number): unknown {
    const { random } = this
    const bare = getNullableType(type) as GraphQLInputType
    if (isListType(bare)) {
      const count = random.pick([0, 1, 1, 1, 2])
      return Array.from({ length: count }, () => this.#value(bare.ofType as GraphQLInputType, name, depth))
    }
    if (isInputObjectType(bare)) {
      const fields = Object.values(bare.getFields())
      const chosen = fields.filter((field) => isNonNullType(field.type) || random.isLucky(depth > 2 ? 0.05 : 0.2))
      return Object.fromEntries(chosen.map((field) => [field.name, this.#value(field.type, field.name, depth + 1)]))
    }
    if (isEnumType(bare)) return random.pick(bare.getValues()).name
    switch (getNamedType(bare).name) {
      case 'ID':
        return this.records.idFor(name, random)
      case 'Int':
        return 1 + random.below(5)
      case 'Float':
        return random.next()
      case 'Boolean':
        return random.isLucky(0.5)
      case 'DateTime':
        return random.pick(DATES)
      case 'JSON':
      case 'JSONObject':
        return name === 'conditions' ? { all: [] } : objectFor(random)
      default:
        return textFor(name, random)
    }
  }
}
