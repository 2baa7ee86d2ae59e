import {
  getNamedType,
  isCompositeType,
  isEnumType,
  isLeafType,
  isObjectType,
  isRequiredArgument,
  isUnionType,
  type GraphQLEnumType,
  type GraphQLField,
  type GraphQLInterfaceType,
  type GraphQLNamedType,
  type GraphQLObjectType,
  type GraphQLOutputType,
  type GraphQLSchema,
} from 'graphql'
import { restEnum } from './enums.js'
import { CUSTOM, isOpenType } from './open-types.js'
import type { EmbeddedField, FieldSpec, FieldSpecs, RecordSpec, ReferenceField, ValueField } from './record.js'

export type Presenter = (node: Readonly<Record<string, unknown>>) => Record<string, unknown>
type ValuePresenter = (value: unknown) => unknown
type RecordType = GraphQLObjectType | GraphQLInterfaceType

export interface CompiledRecord {
  spec: RecordSpec
  /** The selection set, with its braces. */
  selection: string
  /** The Boolean variables of the selection, with their values for a request without `select` and `populate`. */
  variables: Readonly<Record<string, boolean>>
  /** `populate` path to the variables that it sets. */
  populate: ReadonlyMap<string, readonly string[]>
  /** Top-level field to the variable that omits it; null where omitting it saves nothing. */
  fields: ReadonlyMap<string, string | null>
  present: Presenter
}

/** Nesting of value objects that is shown: `profile.address.city` has 3 levels. */
const VALUE_DEPTH_MAX = 4

/**
 * Builds the selection and the presenter of a record.
 * @throws Error when the declaration does not match the schema: a programming error, which a test reports
 */
export function compileRecord(schema: GraphQLSchema, spec: RecordSpec): CompiledRecord {
  return new RecordCompiler(schema, spec).compile()
}

/** One field of the response: its selection, and the presenter of its part of the node; undefined omits it. */
interface Part {
  name: string
  selection: string
  show: (node: Readonly<Record<string, unknown>>) => unknown
  /** True if its keys are merged into the record. */
  isSpread?: boolean
}

class RecordCompiler {
  readonly #variables = new Map<string, boolean>()
  readonly #populate = new Map<string, string[]>()
  readonly #fields = new Map<string, string | null>()

  constructor(
    private readonly schema: GraphQLSchema,
    private readonly spec: RecordSpec,
  ) {}

  compile(): CompiledRecord {
    const parts = this.#parts(this.spec.fields, this.#type(this.spec), [])
    for (const path of this.spec.populate) {
      if (!this.#populate.has(path))
        throw new Error(`${this.spec.type}: populate path ${path} does not end in a reference`)
    }
    return {
      spec: this.spec,
      selection: selectionOf(parts),
      variables: Object.fromEntries(this.#variables),
      populate: this.#populatePaths(),
      fields: this.#fields,
      present: presenterOf(parts),
    }
  }

  /** The paths of the record, and the objects on the way to them, each of which stands for all references in it. */
  #populatePaths(): Map<string, readonly string[]> {
    const paths = new Map<string, readonly string[]>()
    for (const path of this.spec.populate) {
      const variables = this.#populate.get(path)!
      for (let end = path.indexOf('.'); end >= 0; end = path.indexOf('.', end + 1)) {
        const object = path.slice(0, end)
        if (!this.#populate.has(object)) paths.set(object, [...(paths.get(object) ?? []), ...variables])
      }
      paths.set(path, variables)
    }
    return paths
  }

  #parts(specs: FieldSpecs, type: RecordType, path: readonly string[]): Part[] {
    return Object.entries(specs).map(([name, spec]) => {
      const part = this.#part(name, spec, type, [...path, name])
      return path.length === 0 ? this.#selectable(part, spec, type) : part
    })
  }

  #part(name: string, spec: FieldSpec, type: RecordType, path: readonly string[]): Part {
    switch (spec.kind) {
      case 'value':
        return { ...valuePart(name, spec, fieldOf(type, spec.from ?? name)), isSpread: isCustom(name, type) }
      case 'reference':
        return this.#referencePart(name, spec, type, path)
      case 'embedded':
        return this.#embeddedPart(name, spec, type, path)
    }
  }

  #embeddedPart(name: string, spec: EmbeddedField, type: RecordType, path: readonly string[]): Part {
    const field = fieldOf(type, spec.from ?? name)
    const inner = getNamedType(field.type)
    if (!isCompositeType(inner) || isUnionType(inner)) throw new Error(`${type.name}.${field.name} contains no objects`)
    const parts = this.#parts(spec.fields, inner, path)
    const variants = Object.entries(spec.on).map(([name, specs]) => {
      const own = this.#parts(specs, this.#type({ type: name }), path)
      parts.push(...own.map((part) => ({ ...part, selection: '' })))
      return `... on ${name} ${selectionOf(own)}`
    })
    const show = onEach(presenterOf(parts) as ValuePresenter)
    return {
      name,
      selection: `${field.name} ${selectionOf(parts, variants)}`,
      show: (node) => show(node[field.name]) ?? (spec.lists && node[field.name] === null ? [] : undefined),
    }
  }

  #referencePart(name: string, spec: ReferenceField, type: RecordType, path: readonly string[]): Part {
    const target = spec.record()
    const object = fieldOf(type, spec.object.replace(/\(.*$/s, ''))
    checkTarget(object, target, spec.connection)
    const variable = this.#populateVariable(path)
    const parts = variable ? this.#parts(target.fields, this.#type(target), path) : []
    const id = fieldOf(type, spec.id)
    const plain: Part = { name, selection: id.name, show: (node) => node[id.name] ?? undefined }
    if (!variable) return plain
    const show = onEach(presenterOf(parts) as ValuePresenter)
    const objects = spec.connection ? `{ edges { node ${selectionOf(parts)} } }` : selectionOf(parts)
    return {
      name,
      selection: `${id.name} ${spec.object} @include(if: $${variable}) ${objects}`,
      // A populated record that was deleted or is not visible is shown as its id.
      show: (node) => show(nodesOf(node[object.name], spec.connection)) ?? plain.show(node),
    }
  }

  /** Null if no `populate` path leads there. */
  #populateVariable(path: readonly string[]): string | null {
    const dotted = path.join('.')
    if (!this.spec.populate.some((known) => known === dotted || known.startsWith(`${dotted}.`))) return null
    const variable = `populate_${path.join('_')}`
    this.#variables.set(variable, false)
    this.#populate.set(dotted, [...this.#variablesAlong(path.slice(0, -1)), variable])
    return variable
  }

  #variablesAlong(path: readonly string[]): string[] {
    return path.flatMap((_, index) => {
      const variable = `populate_${path.slice(0, index + 1).join('_')}`
      return this.#variables.has(variable) ? [variable] : []
    })
  }

  /** Allows `select` to omit a top-level field that costs something: one with a selection or resolver of its own. */
  #selectable(part: Part, spec: FieldSpec, type: RecordType): Part {
    if (part.name === 'id' || isCheap(part.name, spec, type)) {
      this.#fields.set(part.name, null)
      return part
    }
    const variable = `with_${part.name}`
    this.#variables.set(variable, true)
    this.#fields.set(part.name, variable)
    return { ...part, selection: `... @include(if: $${variable}) { ${part.selection} }` }
  }

  #type({ type: name }: Pick<RecordSpec, 'type'>): GraphQLObjectType {
    const type = this.schema.getType(name)
    if (!isObjectType(type)) throw new Error(`the schema has no object type ${name}`)
    return type
  }
}

/** A leaf that is read with the record itself. */
function isCheap(name: string, spec: FieldSpec, type: RecordType): boolean {
  if (spec.kind === 'embedded') return false
  const field = fieldOf(type, spec.kind === 'reference' ? spec.id : (spec.from ?? name))
  return isLeafType(getNamedType(field.type)) && !field.resolve
}

function presenterOf(parts: readonly Part[]): Presenter {
  return (node) => {
    const shown: Record<string, unknown> = {}
    for (const { name, show, isSpread } of parts) {
      const value = show(node)
      if (value === undefined) continue
      if (isSpread) Object.assign(shown, value)
      else shown[name] = value
    }
    return shown
  }
}

function selectionOf(parts: readonly Part[], fragments: readonly string[] = []): string {
  return `{ ${[...parts.map(({ selection }) => selection), ...fragments].join(' ')} }`
}

function valuePart(name: string, spec: ValueField, field: GraphQLField<unknown, unknown>): Part {
  const { selection, show } = valueShape(field.type, VALUE_DEPTH_MAX)
  const missing = spec.lists ? [] : spec.nulls ? null : undefined
  return {
    name,
    selection: field.name + selection,
    // A field that was not selected is absent.
    show: (node) => (node[field.name] === undefined ? undefined : (show(node[field.name]) ?? missing)),
  }
}

/** Shows a leaf unchanged, except enums; an object with all its leaves, without nulls. */
function valueShape(type: GraphQLOutputType, depthLeft: number): { selection: string; show: ValuePresenter } {
  const named = getNamedType(type)
  if (isEnumType(named)) return { selection: '', show: onEach(enumPresenter(named)) }
  if (isLeafType(named)) return { selection: '', show: (leaf) => leaf ?? undefined }
  if (!isObjectType(named)) throw new Error(`${named.name} has several shapes`)
  const parts = Object.values(named.getFields())
    .filter((field) => isShowable(field, depthLeft))
    .map((field): Part => {
      const inner = valueShape(field.type, depthLeft - 1)
      return {
        name: field.name,
        selection: field.name + inner.selection,
        show: (node) => inner.show(node[field.name]),
        isSpread: isCustom(field.name, named),
      }
    })
  return { selection: ` ${selectionOf(parts)}`, show: onEach(presenterOf(parts) as ValuePresenter) }
}

/** Tells whether a field has the arbitrary keys of its type, which are shown next to the known ones. */
export function isCustom(name: string, type: GraphQLNamedType): boolean {
  return name === CUSTOM && isOpenType(type.name)
}

/**
 * Tells whether a field of a value object is part of its shape: a leaf or a value itself, without required arguments.
 */
export function isShowable(field: GraphQLField<unknown, unknown>, depthLeft = VALUE_DEPTH_MAX): boolean {
  if (field.args.some(isRequiredArgument)) return false
  const named = getNamedType(field.type)
  if (isLeafType(named)) return true
  return depthLeft > 1 && isObjectType(named) && !('id' in named.getFields())
}

/** Applies to the elements of a list, at any depth; null becomes undefined. */
function onEach(show: ValuePresenter): ValuePresenter {
  const each: ValuePresenter = (value) => {
    if (value === null || value === undefined) return undefined
    return Array.isArray(value) ? value.map((element) => each(element) ?? null) : show(value)
  }
  return each
}

function enumPresenter(type: GraphQLEnumType): ValuePresenter {
  const { textOf } = restEnum(type)
  return (name) => textOf.get(name as string) ?? name
}

function nodesOf(value: unknown, connection: boolean): unknown {
  if (!connection || value === null || value === undefined) return value
  return (value as { edges: { node: unknown }[] }).edges.map(({ node }) => node)
}

function checkTarget(field: GraphQLField<unknown, unknown>, target: RecordSpec, connection: boolean): void {
  const named = getNamedType(field.type)
  const expected = connection ? `${target.type}Connection` : target.type
  if (named.name !== expected) throw new Error(`${field.name} is ${named.name}, not ${expected}`)
}

function fieldOf(type: RecordType, name: string): GraphQLField<unknown, unknown> {
  const field = type.getFields()[name]
  if (!field) throw new Error(`the schema has no field ${type.name}.${name}`)
  return field
}
