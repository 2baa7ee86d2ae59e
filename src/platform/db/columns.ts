export type SqlType = 'uuid' | 'uuid[]' | 'text' | 'text[]' | 'int' | 'bigint' | 'boolean' | 'jsonb' | 'timestamptz'

/**
 * A column of a record, in the single table from which its statements, views, events and lists are derived. Hidden
 * unless declared as shown.
 */
export interface Column {
  sql: SqlType
  /**
   * Occasion on which it is written; absent: once, by the insert. `message`: with every message. `database`: computed
   * by the database.
   */
  written?: 'change' | 'message' | 'database'
  /** Included in the record's events. */
  events?: 'shown'
  /** Included in webhook deliveries. */
  webhook?: 'shown'
  /** Contains no personal data: kept in events when the contact is erased. */
  erasure?: 'kept'
  /** Lists can filter by it, and with `order` also sort by it. */
  list?: 'filter' | 'order'
}

/** The view of a value that guests get: the value itself, or the function's result. */
export type GuestView<Value, Row> = 'shown' | ((value: Value, row: Row) => Value)

/** Guests see null for a hidden column; one that cannot be null needs a replacement. */
type GuestColumn<Value, Row> = Column &
  (null extends Value ? { guest?: GuestView<Value, Row> } : { guest: GuestView<Value, Row> })

/** Every property of a row, so that a new one cannot be forgotten. */
export type Columns<Row> = { readonly [Key in keyof Row]-?: Column }
export type GuestColumns<Row> = { readonly [Key in keyof Row]-?: GuestColumn<Exclude<Row[Key], undefined>, Row> }

type AnyColumns = Readonly<Record<string, Column>>
type Audience = 'events' | 'webhook'

/** The properties shown to an audience. */
export type ShownTo<Table, To extends Audience> = {
  [Key in keyof Table]: Table[Key] extends { readonly [Name in To]: 'shown' } ? Key : never
}[keyof Table]

/** Returns the properties of the matching columns. */
export function columnsWhere(columns: AnyColumns, isWanted: (column: Column) => boolean): string[] {
  return Object.keys(columns).filter((property) => isWanted(columns[property]!))
}

export function columnsShown(columns: AnyColumns, to: Audience): string[] {
  return columnsWhere(columns, (column) => column[to] === 'shown')
}

/** Returns the SQL types of the matching columns, by property. */
export function sqlTypes(columns: AnyColumns, isWanted: (column: Column) => boolean): Record<string, SqlType> {
  return Object.fromEntries(columnsWhere(columns, isWanted).map((property) => [property, columns[property]!.sql]))
}

/** Returns the name in the database: `created_at` for `createdAt`. */
export function columnName(property: string): string {
  return property.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
}

/** Lists all columns for a select, in place of `*`: a prepared statement must return the same columns for ever. */
export function selectList(columns: AnyColumns, alias: string): string {
  return Object.keys(columns)
    .map((property) => `${alias}.${columnName(property)}`)
    .join(', ')
}

/** Lists the same columns under the names of their properties. */
export function propertyList(columns: AnyColumns, alias: string): string {
  return Object.keys(columns)
    .map((property) => `${alias}.${columnName(property)} as "${property}"`)
    .join(', ')
}

/** Builds a row as JSON, with only the columns shown to an audience, named as in the database. */
export function shownRowSql(columns: AnyColumns, to: Audience, alias: string): string {
  const members = columnsShown(columns, to).map(columnName)
  return `jsonb_build_object(${members.map((name) => `'${name}', ${alias}.${name}`).join(', ')})`
}

/** Creates a function that reduces a row to the properties shown to an audience. */
export function viewFor<Row extends object, Table extends Columns<Row>, To extends Audience>(
  columns: Table,
  to: To,
): (row: Row) => Pick<Row, ShownTo<Table, To> & keyof Row> {
  const names = columnsShown(columns, to) as (ShownTo<Table, To> & keyof Row)[]
  return (row) => {
    const view = {} as Pick<Row, (typeof names)[number]>
    for (const property of names) if (property in row) view[property] = row[property]
    return view
  }
}

/** Creates a function that converts a row for guests; also accepts partially read rows. */
export function guestViewFor<Row extends object>(
  columns: GuestColumns<Row>,
): <Part extends Partial<Row>>(row: Part) => Part {
  const entries = Object.entries(columns) as [keyof Row, { guest?: GuestView<unknown, Partial<Row>> }][]
  return (row) => {
    const view: Partial<Record<keyof Row, unknown>> = {}
    for (const [property, { guest }] of entries) {
      if (guest !== 'shown') view[property] = guest ? guest(row[property], row) : null
      else if (property in row) view[property] = row[property]
    }
    return view as typeof row
  }
}
