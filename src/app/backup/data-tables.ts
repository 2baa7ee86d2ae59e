import type pg from 'pg'

/** A table whose rows are backed up or moved. */
export interface DataTable {
  name: string
  /** Stored columns in order; generated ones are recomputed at the target. */
  columns: string[]
}

/** Fingerprint of a table's rows, in any order. */
export interface Fingerprint {
  rows: string
  sum: string
}

/**
 * Returns all tables except presence, which is unlogged and only valid for running nodes, the list of migrations, and the
 * fence, which is the database's own.
 */
export async function readDataTables(client: pg.Client): Promise<DataTable[]> {
  const { rows } = await client.query<DataTable>(
    `select c.relname as name, array_agg(a.attname::text order by a.attnum) as columns
     from pg_class c join pg_attribute a on a.attrelid = c.oid
     where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
       and c.relpersistence = 'p' and c.relname not in ('schema_migration', 'fence')
       and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
     group by c.relname order by c.relname`,
  )
  return rows
}

/** Returns the names of the migrations that made the schema, oldest first. */
export async function readMigrations(client: pg.Client): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>('select name from schema_migration order by id')
  return rows.map(({ name }) => name)
}

/** Returns the last values of the sequences by name; null for one that was never used. */
export async function readSequences(client: pg.Client): Promise<Record<string, string | null>> {
  const { rows } = await client.query<{ name: string; value: string | null }>(
    `select sequencename as name, last_value::text as value from pg_sequences where schemaname = 'public' order by 1`,
  )
  return Object.fromEntries(rows.map(({ name, value }) => [name, value]))
}

export async function fingerprintOf(client: pg.Client, { name, columns }: DataTable): Promise<Fingerprint> {
  const { rows } = await client.query<Fingerprint>(
    `select count(*)::text as rows, coalesce(sum(hashtextextended(row(${columnList(columns)})::text, 0)::numeric), 0)::text as sum
     from ${quoted(name)}`,
  )
  return rows[0]!
}

export function columnList(columns: readonly string[]): string {
  return columns.map(quoted).join(', ')
}

export function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`
}
