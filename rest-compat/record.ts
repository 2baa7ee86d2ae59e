/**
 * What a REST record looks like, field by field, in the words of section 2. One declaration gives the GraphQL
 * selection, the presenter, what `select` and `populate` accept, and the OpenAPI schema; the types come from the
 * GraphQL schema.
 */
export interface RecordSpec {
  /** The GraphQL object type. */
  type: string
  /** Its name in OpenAPI, when a type is shown in more than one way. */
  name?: string
  fields: FieldSpecs
  /** The paths that `populate` takes, each ending in a reference. A path populates the references along it. */
  populate: readonly string[]
}

export type FieldSpecs = Readonly<Record<string, FieldSpec>>
export type FieldSpec = ValueField | ReferenceField | EmbeddedField

/** A leaf, or an object without identity, which is shown with all its leaves. */
export interface ValueField {
  kind: 'value'
  /** The GraphQL field, when it has another name. */
  from?: string
  /** Shown as null when null; otherwise a null is left out (section 1, optional fields). */
  nulls: boolean
  /** Shown as an empty list when null. */
  lists: boolean
  /** Made by the server: ignored wherever a client sends it back. */
  serverMade: boolean
}

/** Another record, or a list of records: ids, and objects when `populate` names the path. */
export interface ReferenceField {
  kind: 'reference'
  /** The GraphQL field with the id or the ids. */
  id: string
  /** The GraphQL field with the object or the objects; with arguments, when it takes some. */
  object: string
  /** `object` is a connection, whose nodes are meant. */
  connection: boolean
  record: () => RecordSpec
  serverMade: boolean
}

/** An object, or a list of objects, that holds references. */
export interface EmbeddedField {
  kind: 'embedded'
  from?: string
  fields: FieldSpecs
  /** Shown as an empty list when null. */
  lists: boolean
  serverMade: boolean
}

type ValueOptions = Partial<Omit<ValueField, 'kind'>>

export function value(options: ValueOptions = {}): ValueField {
  return { kind: 'value', nulls: false, lists: false, serverMade: false, ...options }
}

/** `id`, `createdAt` and the like. */
export function serverMade(options: ValueOptions = {}): ValueField {
  return value({ ...options, serverMade: true })
}

type ReferenceOptions = Partial<Omit<ReferenceField, 'kind' | 'record'>> & { object: string }

/** @param options.id `<object>Id` when absent */
export function reference(record: () => RecordSpec, options: ReferenceOptions): ReferenceField {
  return { kind: 'reference', id: `${options.object}Id`, connection: false, serverMade: false, record, ...options }
}

type EmbeddedOptions = Partial<Omit<EmbeddedField, 'kind' | 'fields'>>

export function embedded(fields: FieldSpecs, options: EmbeddedOptions = {}): EmbeddedField {
  return { kind: 'embedded', lists: false, serverMade: false, fields, ...options }
}
