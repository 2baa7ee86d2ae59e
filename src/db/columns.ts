export type SqlType = 'uuid' | 'uuid[]' | 'text' | 'text[]' | 'int' | 'bigint' | 'boolean' | 'jsonb' | 'timestamptz'

/**
 * A column of a record, in the one table from which its statements, its views, its events and its lists are made. What
 * is not said to be shown is hidden.
 */
export interface Column {
  sql: SqlType
  /** Absent: once, by the insert. `message`: with every message. `database`: the database computes it. */
  written?: 'change' | 'message' | 'database'
  /** The record's events carry it. */
  events?: 'shown'
  /** Receivers of webhooks are told it. */
  webhook?: 'shown'
  /** Holds nothing of a consumer: an event keeps it when its contact is erased. */
  erasure?: 'kept'
  /** Lists filter by it, and with `order` are sorted by it. */
  list?: 'filter' | 'order'
}

/** What guests are shown of a value: the value, or what the function puts in its place. */
export type GuestView<Value, Row> = 'shown' | ((value: Value, row: Row) => Value)

/** A column that guests are not shown is null to them; one that cannot be null says what stands in its place. */
type GuestColumn<Value, Row> = Column &
  (null extends Value ? { guest?: GuestView<Value, Row> } : { guest: GuestView<Value, Row> })

/** Every property of a row, so that a new one cannot be left out. */
export type Columns<Row> = { readonly [Key in keyof Row]-?: Column }
export type GuestColumns<Row> = { readonly [Key in keyof Row]-?: GuestColumn<Exclude<Row[Key], undefined>, Row> }

type AnyColumns = Readonly<Record<string, Column>>
type Audience = 'events' | 'webhook'

/** The properties that an audience is shown. */
export type ShownTo<Table, To extends Audience> = {
  [Key in keyof Table]: Table[Key] extends { readonly [Name in To]: 'shown' } ? Key : never
}[keyof Table]

/** Properties of the columns that `isWanted` holds for. */
export function columnsWhere(columns: AnyColumns, isWanted: (column: Column) => boolean): string[] {
  return Object.keys(columns).filter((property) => isWanted(columns[property]!))
}

export function columnsShown(columns: AnyColumns, to: Audience): string[] {
  return columnsWhere(columns, (column) => column[to] === 'shown')
}

/** SQL types by property, of the columns that `isWanted` holds for. */
export function sqlTypes(columns: AnyColumns, isWanted: (column: Column) => boolean): Record<string, SqlType> {
  return Object.fromEntries(columnsWhere(columns, isWanted).map((property) => [property, columns[property]!.sql]))
}

/** `createdAt` in the database: `created_at`. */
export function columnName(property: string): string {
  return property.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
}

/** A row as JSON, of the columns that an audience is shown and no others, named as in the database. */
export function shownRowSql(columns: AnyColumns, to: Audience, alias: string): string {
  const members = columnsShown(columns, to).map(columnName)
  return `jsonb_build_object(${members.map((name) => `'${name}', ${alias}.${name}`).join(', ')})`
}

/** Makes the function that leaves of a row what an audience is shown. */
export function viewFor<Row extends object, Table extends Columns<Row>, To extends Audience>(
  columns: Table,
  to: To,
): (row: Row) => Pick<Row, ShownTo<Table, To> & keyof Row> {
  const shown = columnsShown(columns, to) as (ShownTo<Table, To> & keyof Row)[]
  return (row) => {
    const view = {} as Pick<Row, (typeof shown)[number]>
    for (const property of shown) if (property in row) view[property] = row[property]
    return view
  }
}

/** Makes the function that shows a row to guests; of a row that was read in part, what is there. */
export function guestViewFor<Row extends object>(columns: GuestColumns<Row>): (row: Row) => Row {
  const entries = Object.entries(columns) as [keyof Row, { guest?: GuestView<unknown, Row> }][]
  return (row) => {
    const view: Partial<Record<keyof Row, unknown>> = {}
    for (const [property, { guest }] of entries) {
      if (guest !== 'shown') view[property] = guest ? guest(row[property], row) : null
      else if (property in row) view[property] = row[property]
    }
    return view as Row
  }
}
