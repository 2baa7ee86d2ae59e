import {
  getNamedType,
  getNullableType,
  isEnumType,
  isInputObjectType,
  isListType,
  isNonNullType,
  isObjectType,
  isRequiredInputField,
  type GraphQLInputObjectType,
  type GraphQLInputType,
  type GraphQLNamedType,
  type GraphQLObjectType,
  type GraphQLOutputType,
  type GraphQLSchema,
} from 'graphql'
import { restEnum } from '../enums.js'
import { restFields } from '../input/input-reader.js'
import { CUSTOM, isOpenType } from '../open-types.js'
import type { FieldSpec, FieldSpecs, RecordSpec } from '../record.js'

/** A JSON Schema of draft 2020-12, as used by OpenAPI 3.1. */
export type JsonSchema = Readonly<Record<string, unknown>>

const SCALARS: Readonly<Record<string, JsonSchema>> = {
  String: { type: 'string' },
  ID: { type: 'string' },
  Boolean: { type: 'boolean' },
  Int: { type: 'integer', format: 'int32' },
  Float: { type: 'number' },
  DateTime: { type: 'string', format: 'date-time' },
  JSONObject: { type: 'object', additionalProperties: true },
}

/** Collects `components.schemas` from the records of responses and the input types of requests. */
export class SchemaComponents {
  readonly schemas: Record<string, JsonSchema> = {}
  readonly #sources = new Map<string, unknown>()

  constructor(private readonly schema: GraphQLSchema) {}

  record(spec: RecordSpec): JsonSchema {
    const type = this.schema.getType(spec.type) as GraphQLObjectType
    return this.#component(spec.name ?? spec.type, spec, () => ({
      ...described(type),
      ...this.#fields(spec.fields, type),
    }))
  }

  input(type: GraphQLInputType): JsonSchema {
    if (isNonNullType(type)) return this.input(getNullableType(type))
    if (isListType(type)) return { type: 'array', items: this.input(type.ofType) }
    const named = getNamedType(type)
    if (!isInputObjectType(named)) return leafSchema(named)
    return this.#component(named.name, named, () => ({ ...described(named), ...this.#inputFields(named) }))
  }

  /** Recursion ends at the reference: a component is registered before it is built. */
  #component(name: string, source: unknown, make: () => JsonSchema): JsonSchema {
    const known = this.#sources.get(name)
    if (known === undefined) {
      this.#sources.set(name, source)
      this.schemas[name] = make()
    } else if (known !== source) {
      throw new Error(`two schemas have the name ${name}`)
    }
    return { $ref: `#/components/schemas/${name}` }
  }

  #fields(specs: FieldSpecs, type: GraphQLObjectType): JsonSchema {
    const properties = Object.entries(specs).map(([name, spec]) => [name, this.#field(name, spec, type)] as const)
    return { type: 'object', properties: Object.fromEntries(properties) }
  }

  #field(name: string, spec: FieldSpec, type: GraphQLObjectType): JsonSchema {
    const field = type.getFields()[sourceOf(name, spec)]!
    const readOnly = spec.serverMade ? { readOnly: true } : {}
    const description = field.description ? { description: field.description } : {}
    switch (spec.kind) {
      case 'value': {
        const schema = this.#output(field.type)
        return { ...(spec.nulls ? orNull(schema) : schema), ...description, ...readOnly }
      }
      case 'reference': {
        const one = { oneOf: [{ type: 'string', description: 'The id.' }, this.record(spec.record())] }
        const many = isListType(getNullableType(field.type))
        return { ...(many ? { type: 'array', items: one } : one), ...description, ...readOnly }
      }
      case 'embedded': {
        const schema = this.#fields(spec.fields, getNamedType(field.type) as GraphQLObjectType)
        const many = isListType(getNullableType(field.type))
        return { ...(many ? { type: 'array', items: schema } : schema), ...description, ...readOnly }
      }
    }
  }

  #output(type: GraphQLOutputType): JsonSchema {
    if (isNonNullType(type)) return this.#output(getNullableType(type))
    if (isListType(type)) return { type: 'array', items: this.#output(type.ofType) }
    const named = getNamedType(type)
    if (!isObjectType(named)) return leafSchema(named)
    return this.#component(named.name, named, () => ({ ...described(named), ...this.#outputFields(named) }))
  }

  #outputFields(type: GraphQLObjectType): JsonSchema {
    const properties = shownFields(type).map(
      (field) => [field.name, { ...this.#output(field.type), ...described(field) }] as const,
    )
    return { type: 'object', properties: Object.fromEntries(properties), ...openness(type) }
  }

  #inputFields(type: GraphQLInputObjectType): JsonSchema {
    const shared = new Set(restFields(type).map(([name]) => name))
    const fields = shownFields(type).filter(({ name }) => shared.has(name))
    const required = fields.filter(isRequiredInputField).map(({ name }) => name)
    const properties = fields.map((field) => {
      const schema = this.input(field.type)
      return [field.name, { ...(isNonNullType(field.type) ? schema : orNull(schema)), ...described(field) }] as const
    })
    return {
      type: 'object',
      properties: Object.fromEntries(properties),
      ...(required.length > 0 && { required }),
      ...openness(type),
    }
  }
}

function shownFields<T extends { name: string }>(type: { name: string; getFields(): Record<string, T> }): T[] {
  return Object.values(type.getFields()).filter(({ name }) => name !== CUSTOM || !isOpenType(type.name))
}

function openness({ name }: { name: string }): JsonSchema {
  return isOpenType(name) ? { additionalProperties: true } : {}
}

function sourceOf(name: string, spec: FieldSpec): string {
  return spec.kind === 'reference' ? spec.id : (spec.from ?? name)
}

function leafSchema(type: GraphQLNamedType): JsonSchema {
  if (isEnumType(type)) return { type: 'string', enum: [...restEnum(type).nameOf.keys()] }
  return SCALARS[type.name] ?? {}
}

function orNull(schema: JsonSchema): JsonSchema {
  const { type, enum: values } = schema
  // Without keywords it already allows null.
  if (Object.keys(schema).length === 0) return schema
  if (typeof type !== 'string') return { oneOf: [schema, { type: 'null' }] }
  return { ...schema, type: [type, 'null'], ...(Array.isArray(values) && { enum: [...(values as unknown[]), null] }) }
}

function described({ description }: { description?: string | null }): JsonSchema {
  return description ? { description } : {}
}
