/**
 * The shape of a REST record, field by field, in the terms of section 2. One declaration defines the GraphQL selection,
 * the presenter, the values of `select` and `populate`, and the OpenAPI schema; the types come from the GraphQL schema.
 */
export interface RecordSpec {
  /** The GraphQL object type. */
  type: string
  /** Its name in OpenAPI, if a type has several shapes. */
  name?: string
  fields: FieldSpecs
  /**
   * The paths that `populate` accepts, each ending in a reference. A path populates all references along it; an object on
   * its way is accepted as well, and stands for all references in it.
   */
  populate: readonly string[]
}

/** The fields of a record by their names in `/v2`. */
export type FieldSpecs = Readonly<Record<string, FieldSpec>>
export type FieldSpec = ValueField | ReferenceField | EmbeddedField

/** A leaf, or an object without identity, which is shown with all its leaves. */
export interface ValueField {
  kind: 'value'
  /** The GraphQL field, if its name differs. */
  from?: string
  /** True if null is shown; otherwise it is omitted (section 1, optional fields). */
  nulls: boolean
  /** Shown as an empty list when null. */
  lists: boolean
  /** Set by the server: ignored when a client sends it back. */
  serverMade: boolean
  /** An object or a list of objects: what a webhook selects may go further. */
  isObject: boolean
}

/** A reference to a record or a list of records: ids, and objects if `populate` contains the path. */
export interface ReferenceField {
  kind: 'reference'
  /** The GraphQL field with the id or the ids. */
  id: string
  /** The GraphQL field with the object or the objects, with its arguments. */
  object: string
  /** True if `object` is a connection, of which the nodes are shown. */
  connection: boolean
  record: () => RecordSpec
  serverMade: boolean
}

/** An object, or a list of objects, that contains references. */
export interface EmbeddedField {
  kind: 'embedded'
  from?: string
  fields: FieldSpecs
  /** Further fields of the types that implement the field's interface. */
  on: Readonly<Record<string, FieldSpecs>>
  /** Shown as an empty list when null. */
  lists: boolean
  serverMade: boolean
}

type ValueOptions = Partial<Omit<ValueField, 'kind'>>

/** Declares a field that is shown as it is. */
export function value(options: ValueOptions = {}): ValueField {
  return { kind: 'value', nulls: false, lists: false, serverMade: false, isObject: false, ...options }
}

/** Declares an object, or a list of objects, that is shown as it is. */
export function object(options: ValueOptions = {}): ValueField {
  return value({ ...options, isObject: true })
}

/** Declares `id`, `createdAt` and the like. */
export function serverMade(options: ValueOptions = {}): ValueField {
  return value({ ...options, serverMade: true })
}

type ReferenceOptions = Partial<Omit<ReferenceField, 'kind' | 'record'>> & { object: string }

/** @param options.id default: `<object>Id` */
export function reference(record: () => RecordSpec, options: ReferenceOptions): ReferenceField {
  return { kind: 'reference', id: `${options.object}Id`, connection: false, serverMade: false, record, ...options }
}

type EmbeddedOptions = Partial<Omit<EmbeddedField, 'kind' | 'fields'>>

/** Declares an object with references, and those of its fields that are shown. */
export function embedded(fields: FieldSpecs, options: EmbeddedOptions = {}): EmbeddedField {
  return { kind: 'embedded', on: {}, lists: false, serverMade: false, fields, ...options }
}
