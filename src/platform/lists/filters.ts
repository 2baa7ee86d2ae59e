import { Field, ID, InputType, Int } from 'type-graphql'
import { enumFilter, type EnumValues } from './enum-filter.js'
import { DateTime } from './scalars.js'
import type { TextSearch } from './text-search.js'

const optional = { nullable: true } as const

@InputType({ description: 'Conditions of which all given ones must hold. `null` is matched by `eq: null`.' })
export class StringFilter {
  @Field(() => String, optional) eq?: string | null
  @Field(() => String, optional) ne?: string | null;
  @Field(() => [String], optional) in?: string[]
  @Field(() => String, { nullable: true, description: 'Case-insensitive.' }) contains?: string
  @Field(() => String, optional) startsWith?: string
  @Field(() => String, optional) endsWith?: string
  @Field(() => String, optional) gt?: string
  @Field(() => String, optional) gte?: string
  @Field(() => String, optional) lt?: string
  @Field(() => String, optional) lte?: string
}

@InputType({ description: 'Conditions on a list: each holds if any element matches.' })
export class IdFilter {
  @Field(() => ID, optional) eq?: string | null
  @Field(() => ID, optional) ne?: string | null;
  @Field(() => [ID], optional) in?: string[]
}

@InputType()
export class IntFilter {
  @Field(() => Int, optional) eq?: number | null
  @Field(() => Int, optional) ne?: number | null;
  @Field(() => [Int], optional) in?: number[]
  @Field(() => Int, optional) gt?: number
  @Field(() => Int, optional) gte?: number
  @Field(() => Int, optional) lt?: number
  @Field(() => Int, optional) lte?: number
}

@InputType()
export class BooleanFilter {
  @Field(() => Boolean, optional) eq?: boolean | null
  @Field(() => Boolean, optional) ne?: boolean | null
}

@InputType()
export class DateTimeFilter {
  @Field(() => DateTime, optional) eq?: Date | null
  @Field(() => DateTime, optional) ne?: Date | null;
  @Field(() => [DateTime], optional) in?: Date[]
  @Field(() => DateTime, optional) gt?: Date
  @Field(() => DateTime, optional) gte?: Date
  @Field(() => DateTime, optional) lt?: Date
  @Field(() => DateTime, optional) lte?: Date
}

@InputType({
  description: 'Condition on one key of a JSON object, compared as text (for order comparisons, numbers as numbers).',
})
export class JsonFilter extends StringFilter {
  @Field(() => String, { description: 'Keys joined by dots, such as `address.city`.' })
  path!: string
}

export type Comparison = Partial<Record<keyof StringFilter, unknown>>

/** A field that is compared with values. */
export interface ComparedField {
  kind: 'text' | 'id' | 'int' | 'boolean' | 'time' | 'textArray' | 'idArray' | 'json' | 'orgPath'
  sql: string
  /** The closed list that a text is one of. */
  values?: EnumValues
  /** For rows of another table that refer to this one: SQL with `{}` in place of the condition on `sql`. */
  via?: string
  /** True if `sql`, of a boolean field, is a condition that is never null; `{caller}` in it stands for the caller's id. */
  isCondition?: boolean
  sortable?: boolean
  slot?: Slot
}

/**
 * A coarser column that the index of an order contains instead of one that changes often: otherwise each change would
 * write to that index and all others of the row. Rows of one slot are sorted when read.
 */
export interface Slot {
  sql: string
  /** Returns the slot of a value, as an expression over its parameter. */
  of(parameter: string): string
}

/** A filterable field of a list. `sql` is an expression over the list's row alias `t`; it never comes from a client. */
export type FilterField =
  | ComparedField
  /** Rows of another table: `sql` is an EXISTS with `{}` in place of the inner condition. */
  | { kind: 'nested'; sql: string; name: string; fields: FilterFields }
  /** Full-text search. */
  | { kind: 'search'; search: TextSearch }

/**
 * Path of the owning organization (2.8, orgPath). Comparisons with whole ids (equal, or beginning with) use the indexes
 * of the tenant columns.
 */
export const ORG_PATH: ComparedField = { kind: 'orgPath', sql: 't' }

export function isSortable(field: FilterField): field is ComparedField {
  return 'sortable' in field && field.sortable === true
}

export type FilterFields = Readonly<Record<string, FilterField>>

type TypeThunk = Parameters<typeof Field>[0] & (() => unknown)

const INPUT_OF_KIND = {
  text: () => StringFilter,
  textArray: () => StringFilter,
  orgPath: () => StringFilter,
  id: () => IdFilter,
  idArray: () => IdFilter,
  int: () => IntFilter,
  boolean: () => BooleanFilter,
  time: () => DateTimeFilter,
  json: () => [JsonFilter],
} as const

const SEARCH =
  'Full-text search: all the words, in any order and case; `"a phrase"`, `or`, `-without`. The last word also matches ' +
  'longer ones that begin with it.'

/** Creates the typed GraphQL filter of a field table: one input type, named after the resource. */
export function filterInput(name: string, fields: FilterFields): new () => object {
  const type = named(name)
  for (const [key, field] of Object.entries(fields)) {
    let thunk: TypeThunk
    if (field.kind === 'search') {
      Field(() => String, { nullable: true, description: SEARCH })(type.prototype as object, key)
      continue
    }
    if (field.kind === 'nested') {
      const inner = filterInput(field.name, field.fields)
      thunk = () => inner
    } else if (field.values) {
      const inner = enumFilter(field.values)
      thunk = () => inner
    } else {
      thunk = INPUT_OF_KIND[field.kind] as TypeThunk
    }
    Field(thunk, { nullable: true })(type.prototype as object, key)
  }
  Field(() => [type], { nullable: true, description: 'Groups of conditions that must all hold.' })(
    type.prototype as object,
    'and',
  )
  Field(() => [type], { nullable: true, description: 'Groups of conditions of which at least one must hold.' })(
    type.prototype as object,
    'or',
  )
  InputType(name, { description: 'Conditions that must all hold.' })(type)
  return type
}

function named(name: string): new () => object {
  return { [name]: class {} }[name]!
}
