import {
  getNamedType,
  getNullableType,
  isEnumType,
  isInputObjectType,
  isLeafType,
  isListType,
  isNonNullType,
  isObjectType,
  isRequiredInputField,
  type GraphQLField,
  type GraphQLInputObjectType,
  type GraphQLInputType,
  type GraphQLNamedType,
  type GraphQLObjectType,
  type GraphQLOutputType,
  type GraphQLSchema,
} from 'graphql'
import { isCustom, isShowable } from '../compiled-record.js'
import { restEnum } from '../enums.js'
import { restFields } from '../input/input-reader.js'
import { CUSTOM, isOpenType } from '../open-types.js'
import type { EmbeddedField, FieldSpec, FieldSpecs, RecordSpec } from '../record.js'

/** A JSON Schema of draft 2020-12, as used by OpenAPI 3.1. */
export type JsonSchema = Readonly<Record<string, unknown>>

const SCALARS: Readonly<Record<string, JsonSchema>> = {
  String: { type: 'string' },
  ID: { type: 'string', format: 'uuid' },
  Boolean: { type: 'boolean' },
  Int: { type: 'integer', format: 'int32' },
  Float: { type: 'number' },
  DateTime: { type: 'string', format: 'date-time' },
  JSONObject: { type: 'object', additionalProperties: true },
}

/** Webhooks publish it for every record. */
const ORG_PATH = { type: 'string', description: 'Path of the organization: ids from the top, joined by `#`.' }

/** Collects `components.schemas` from the records of responses and the input types of requests. */
export class SchemaComponents {
  readonly schemas: Record<string, JsonSchema> = {}
  /** `x-selected`. */
  readonly selections: Record<string, JsonSchema> = {}
  readonly #sources = new Map<string, unknown>()

  readonly #described: (element: Described) => JsonSchema

  constructor(private readonly schema: GraphQLSchema) {
    const texts = enumTexts(schema)
    this.#described = (element) => described(element, texts)
  }

  record(spec: RecordSpec): JsonSchema {
    const type = this.schema.getType(spec.type) as GraphQLObjectType
    return this.#component(spec.name ?? spec.type, spec, () => ({
      ...this.#described(type),
      ...this.#fields(spec.fields, type),
    }))
  }

  /**
   * A record in answer to one, and a list of them in answer to a list. Without `oneOf`, by which every client would have to test
   * which it got: types that are made of this are those of the record, and validators hold both.
   */
  recordOrList(spec: RecordSpec, isSelected = false): JsonSchema {
    const whole = this.record(spec)
    const properties = Object.keys(spec.fields).map((key) => [
      key,
      { $ref: `${whole.$ref as string}/properties/${key}` },
    ])
    return {
      description: `The ${spec.type.toLowerCase()}; a list of them if the body was a list.`,
      properties: Object.fromEntries(properties) as object,
      required: isSelected ? ['id'] : this.schemas[spec.name ?? spec.type]!.required,
      items: isSelected ? this.selected(spec) : whole,
      not: { type: ['string', 'number', 'boolean', 'null'] },
    }
  }

  /**
   * A record as webhooks contain it: references are ids. Only `id` is certain, since a record that was deleted or erased
   * before its event is delivered consists of the values in the event.
   */
  published(spec: RecordSpec): JsonSchema {
    const type = this.schema.getType(spec.type) as GraphQLObjectType
    const name = `Webhook${spec.name ?? spec.type}`
    return this.#component(name, name, () => {
      const { properties } = this.#fields(spec.fields, type, true)
      return {
        ...this.#described(type),
        type: 'object',
        properties: { orgPath: ORG_PATH, ...(properties as object) },
        required: ['id'],
      }
    })
  }

  /**
   * A record as `select` leaves it: any of its members, and `id`. It is no component, since types that are made of the
   * document would have two of each record, and would not know which an answer is.
   */
  selected(spec: RecordSpec): JsonSchema {
    const { $ref } = this.record(spec)
    const name = spec.name ?? spec.type
    this.selections[name] ??= objectSchema(
      Object.keys(spec.fields).map((key) => [key, { $ref: `${$ref as string}/properties/${key}` }]),
      'id' in spec.fields ? ['id'] : [],
    )
    return { $ref: `#/x-selected/${name}` }
  }

  input(type: GraphQLInputType): JsonSchema {
    if (isNonNullType(type)) return this.input(getNullableType(type))
    if (isListType(type)) return { type: 'array', items: this.input(type.ofType) }
    const named = getNamedType(type)
    if (!isInputObjectType(named)) return leafSchema(named)
    return this.#component(named.name, named, () => ({ ...this.#described(named), ...this.#inputFields(named) }))
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

  #fields(specs: FieldSpecs, type: GraphQLObjectType, isTold = false): JsonSchema {
    const properties = Object.entries(specs).map(
      ([name, spec]) => [name, this.#field(name, spec, type, isTold)] as const,
    )
    const required = Object.entries(specs).filter(([name, spec]) => isAlwaysShown(spec, fieldOf(type, name, spec)))
    return objectSchema(
      properties,
      required.map(([name]) => name),
    )
  }

  #field(name: string, spec: FieldSpec, type: GraphQLObjectType, isTold: boolean): JsonSchema {
    const field = fieldOf(type, name, spec)
    const readOnly = spec.serverMade && !isTold ? { readOnly: true } : {}
    const description = this.#described(field)
    switch (spec.kind) {
      case 'value': {
        const schema = asWritten(this.#output(field.type), field)
        return { ...(spec.nulls ? orNull(schema) : schema), ...description, ...readOnly }
      }
      case 'reference': {
        const id = { ...this.#output(elementOf(field.type)), description: 'The id.' }
        const one = isTold ? id : { oneOf: [id, this.record(spec.record())] }
        const many = isListType(getNullableType(field.type))
        return { ...(many ? { type: 'array', items: one } : one), ...description, ...readOnly }
      }
      case 'embedded': {
        const schema = this.#embedded(spec, getNamedType(field.type) as GraphQLObjectType, isTold)
        const many = isListType(getNullableType(field.type))
        return { ...(many ? { type: 'array', items: schema } : schema), ...description, ...readOnly }
      }
    }
  }

  /** Fields that only some of the types have are never required. */
  #embedded({ fields, on }: EmbeddedField, type: GraphQLObjectType, isTold: boolean): JsonSchema {
    const schema = this.#fields(fields, type, isTold)
    const variants = Object.entries(on).map(([name, specs]) => {
      const variant = this.schema.getType(name) as GraphQLObjectType
      const known = Object.fromEntries(Object.entries(specs).filter(([field]) => !isCustom(field, variant)))
      return { properties: this.#fields(known, variant, isTold).properties as object, ...openness(variant) }
    })
    const properties = Object.assign({}, schema.properties, ...variants.map((variant) => variant.properties)) as object
    return Object.assign({}, schema, ...variants, { properties }) as JsonSchema
  }

  #output(type: GraphQLOutputType): JsonSchema {
    if (isNonNullType(type)) return this.#output(getNullableType(type))
    if (isListType(type)) return { type: 'array', items: this.#output(type.ofType) }
    const named = getNamedType(type)
    if (!isObjectType(named)) return leafSchema(named)
    return this.#component(named.name, named, () => ({ ...this.#described(named), ...this.#outputFields(named) }))
  }

  #outputFields(type: GraphQLObjectType): JsonSchema {
    const fields = shownFields(type).filter((field) => isShowable(field))
    const properties = fields.map(
      (field) => [field.name, { ...asWritten(this.#output(field.type), field), ...this.#described(field) }] as const,
    )
    // An object may be nested too deeply to be shown.
    const required = fields.filter((field) => isNonNullType(field.type) && isLeafType(getNamedType(field.type)))
    return {
      ...objectSchema(
        properties,
        required.map(({ name }) => name),
      ),
      ...openness(type),
    }
  }

  #inputFields(type: GraphQLInputObjectType): JsonSchema {
    const shared = new Set(restFields(type).map(([name]) => name))
    const fields = shownFields(type).filter(({ name }) => shared.has(name))
    const required = fields.filter(isRequiredInputField).map(({ name }) => name)
    const properties = fields.map((field) => {
      const schema = asWritten(this.input(field.type), field)
      return [
        field.name,
        { ...(isNonNullType(field.type) ? schema : orNull(schema)), ...this.#described(field) },
      ] as const
    })
    return { ...objectSchema(properties, required), ...openness(type) }
  }
}

function objectSchema(properties: readonly (readonly [string, JsonSchema])[], required: readonly string[]): JsonSchema {
  return { type: 'object', properties: Object.fromEntries(properties), ...(required.length > 0 && { required }) }
}

/** Tells whether every answer has it, unless `select` leaves it out: see {@link SchemaComponents.selected}. */
function isAlwaysShown(spec: FieldSpec, { type }: GraphQLField<unknown, unknown>): boolean {
  const isDefaulted = (spec.kind === 'value' && spec.nulls) || (spec.kind !== 'reference' && spec.lists)
  return isDefaulted || isNonNullType(type)
}

function elementOf(type: GraphQLOutputType): GraphQLOutputType {
  const nullable = getNullableType(type)
  return isListType(nullable) ? nullable.ofType : nullable
}

function shownFields<T extends { name: string }>(type: { name: string; getFields(): Record<string, T> }): T[] {
  return Object.values(type.getFields()).filter(({ name }) => name !== CUSTOM || !isOpenType(type.name))
}

function openness({ name }: { name: string }): JsonSchema {
  return isOpenType(name) ? { additionalProperties: true } : {}
}

function fieldOf(type: GraphQLObjectType, name: string, spec: FieldSpec): GraphQLField<unknown, unknown> {
  return type.getFields()[spec.kind === 'reference' ? spec.id : (spec.from ?? name)]!
}

function leafSchema(type: GraphQLNamedType): JsonSchema {
  if (isEnumType(type)) return { type: 'string', enum: [...restEnum(type).nameOf.keys()] }
  return SCALARS[type.name] ?? {}
}

/** An id that a client may have chosen (`OWN_ID`) is any text. */
function asWritten({ format, ...schema }: JsonSchema, { extensions }: Described): JsonSchema {
  return format === 'uuid' && extensions?.isOwnId ? schema : { ...schema, ...(format !== undefined && { format }) }
}

function orNull(schema: JsonSchema): JsonSchema {
  const { type, enum: values } = schema
  // Without keywords it already allows null.
  if (Object.keys(schema).length === 0) return schema
  if (typeof type !== 'string') return { oneOf: [schema, { type: 'null' }] }
  return { ...schema, type: [type, 'null'], ...(Array.isArray(values) && { enum: [...(values as unknown[]), null] }) }
}

interface Described {
  description?: string | null
  extensions?: Readonly<Record<string, unknown>>
}

/** The description of a type or field in GraphQL, with enum values as REST writes them. */
function described({ description, extensions }: Described, texts: ReadonlyMap<string, string>): JsonSchema {
  const own = typeof extensions?.restDescription === 'string' ? extensions.restDescription : description
  if (!own) return {}
  return { description: own.replace(/`([A-Z][A-Z_]+)`/g, (_, name: string) => `\`${texts.get(name) ?? name}\``) }
}

/** GraphQL names of enum values to their REST texts. */
function enumTexts(schema: GraphQLSchema): ReadonlyMap<string, string> {
  const enums = Object.values(schema.getTypeMap())
    .filter((type) => isEnumType(type))
    .filter(({ name }) => !name.startsWith('__'))
  return new Map(enums.flatMap((type) => [...restEnum(type).textOf]))
}
