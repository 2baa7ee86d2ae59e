import { columnName, type Column, type SqlType } from '../db/columns.js'
import type { EnumValues } from './enum-filter.js'
import type { ComparedField, FilterFields } from './filters.js'

const KINDS: Readonly<Record<SqlType, ComparedField['kind']>> = {
  uuid: 'id',
  'uuid[]': 'idArray',
  text: 'text',
  'text[]': 'textArray',
  int: 'int',
  bigint: 'int',
  boolean: 'boolean',
  jsonb: 'json',
  timestamptz: 'time',
}

/**
 * Derives a list's filter and sort fields from its record's columns. A reference is named without `Id`, as in
 * the interface.
 * @param enums values of the text fields with a closed list of values, by the field's name
 * @param alias of the list's row
 */
export function columnFields(
  columns: Readonly<Record<string, Column>>,
  enums: Readonly<Record<string, EnumValues>> = {},
  alias = 't',
): FilterFields {
  const listed = Object.entries(columns).filter(([, { list }]) => list !== undefined)
  return Object.fromEntries(
    listed.map(([property, { sql, list }]) => {
      const name = sql === 'uuid' && property !== 'id' ? property.replace(/Id$/, '') : property
      const field: ComparedField = { kind: KINDS[sql], sql: `${alias}.${columnName(property)}`, values: enums[name] }
      return [name, list === 'order' ? { ...field, sortable: true } : field]
    }),
  )
}
