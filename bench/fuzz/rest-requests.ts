import type { Random } from './random.js'
import { singular, type Records } from './records.js'
import { DATES, hostileText, mutate, objectFor, textFor } from './values.js'

export interface RestRequest {
  method: string
  path: string
  body?: string
  /** Kind of the record that it answers with. */
  kind: string
}

interface Schema {
  $ref?: string
  type?: string | string[]
  enum?: unknown[]
  const?: unknown
  format?: string
  items?: Schema
  properties?: Record<string, Schema>
  required?: string[]
  oneOf?: Schema[]
  anyOf?: Schema[]
  allOf?: Schema[]
}

interface Parameter {
  name: string
  in: string
  required?: boolean
  schema: Schema
}

interface Operation {
  parameters: Parameter[]
  requestBody?: { content: Record<string, { schema: Schema }> }
}

export interface OpenApi {
  paths: Record<string, Record<string, Operation>>
  components: { schemas: Record<string, Schema> }
}

const LEFT_OUT = /auth|password|attachments|apitoken|erasure|sessions|\/users\/me|openapi|docs/i
const DEPTH_MAX = 4

/** Makes requests of an OpenAPI document that it would take, and from time to time one that is wrong in one place. */
export class RestRequests {
  readonly #endpoints: { method: string; path: string; operation: Operation }[]

  constructor(
    private readonly document: OpenApi,
    private readonly records: Records,
    private readonly random: Random,
  ) {
    this.#endpoints = Object.entries(document.paths)
      .filter(([path]) => !LEFT_OUT.test(path))
      .flatMap(([path, operations]) =>
        Object.entries(operations).map(([method, operation]) => ({ method: method.toUpperCase(), path, operation })),
      )
  }

  make(wrongness: number): RestRequest {
    const { random } = this
    const { method, path, operation } = random.pick(this.#endpoints)
    const isDestructive = method === 'DELETE' || (method === 'PATCH' && path.includes('/users'))
    if (isDestructive && random.isLucky(0.85)) return this.make(wrongness)
    if (isDestructive && /\/(users|organizations)\/\{/.test(path)) return this.make(wrongness)
    const isWrong = random.isLucky(wrongness)
    const place = random.pick(['path', 'query', 'body', 'body'])
    const query = new URLSearchParams()
    for (const parameter of operation.parameters ?? []) {
      if (parameter.in !== 'query' || !(parameter.required || random.isLucky(0.15))) continue
      query.set(parameter.name, String(this.#value(parameter.schema, parameter.name, 0)))
    }
    if (isWrong && place === 'query') query.append(textFor('', random), hostileText(random))
    const content = operation.requestBody?.content['application/json']
    let body = content && this.#value(content.schema, '', 0)
    if (isWrong && place === 'body' && body !== undefined) body = mutate(body, random)
    const kind = singular(path.split('/')[2] ?? '')
    return {
      method,
      kind,
      path: this.#path(path, isWrong && place === 'path') + (query.size > 0 ? `?${query.toString()}` : ''),
      ...(body !== undefined && { body: JSON.stringify(body) }),
    }
  }

  #path(path: string, isWrong: boolean): string {
    let before = ''
    return path
      .split('/')
      .map((segment) => {
        const name = /^\{(\w+)\}$/.exec(segment)?.[1]
        if (!name) return (before = segment)
        const kind = name.toLowerCase() === 'id' ? singular(before) : name
        return encodeURIComponent(
          isWrong ? hostileText(this.random).toWellFormed().slice(0, 300) : this.records.idFor(kind, this.random),
        )
      })
      .join('/')
  }

  #value(given: Schema, name: string, depth: number): unknown {
    const { random } = this
    const schema = this.#resolve(given)
    if (schema.const !== undefined) return schema.const
    if (schema.enum) return random.pick(schema.enum)
    const variants = schema.oneOf ?? schema.anyOf
    if (variants) return this.#value(random.pick(variants), name, depth)
    const type = Array.isArray(schema.type) ? schema.type.find((each) => each !== 'null') : schema.type
    switch (type) {
      case 'object':
        return schema.properties ? this.#object(schema, depth) : name === 'conditions' ? { all: [] } : objectFor(random)
      case 'array': {
        const count = depth > DEPTH_MAX ? 0 : random.pick([0, 1, 1, 2])
        return Array.from({ length: count }, () => this.#value(schema.items ?? {}, name, depth + 1))
      }
      case 'integer':
        return 1 + random.below(5)
      case 'number':
        return random.next()
      case 'boolean':
        return random.isLucky(0.5)
      case 'string':
        return this.#text(schema, name)
      default:
        return objectFor(random)
    }
  }

  #object({ properties = {}, required = [] }: Schema, depth: number): unknown {
    const chosen = Object.entries(properties).filter(
      ([key]) =>
        required.includes(key) || (key !== 'id' && key !== '_id' && this.random.isLucky(depth > 2 ? 0.05 : 0.2)),
    )
    return Object.fromEntries(chosen.map(([key, member]) => [key, this.#value(member, key, depth + 1)]))
  }

  #text({ format }: Schema, name: string): string {
    if (format === 'date-time') return this.random.pick(DATES)
    const isReference =
      format === 'uuid' ||
      /^(organization|conversation|contact|user|channel|message|parent|members?|workflow)s?(Id)?$/.test(name)
    return isReference ? this.records.idFor(name, this.random) : textFor(name, this.random)
  }

  #resolve(schema: Schema): Schema {
    if (schema.allOf?.length === 1) return this.#resolve(schema.allOf[0]!)
    const name = schema.$ref?.split('/').at(-1)
    return name ? this.#resolve(this.document.components.schemas[name] ?? {}) : schema
  }
}
