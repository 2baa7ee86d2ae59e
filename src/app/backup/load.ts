import { pipeline } from 'node:stream/promises'
import type pg from 'pg'
import { from as copyFrom } from 'pg-copy-streams'
import { describeAddress } from '../../platform/database-address.js'
import { columnList, fingerprintOf, quoted, readDataTables } from './data-tables.js'
import { connect, type Source } from './source.js'

/**
 * Fills a database that has the same schema, in one transaction. Foreign keys are dropped meanwhile and checked when
 * they are added again; triggers are disabled, since the rows already include what they derive.
 * @param options.withoutSecrets names of the server's secrets that the source keeps for itself
 * @throws Error when the loaded rows differ from the source's
 */
export async function load(
  url: string,
  { contents, read }: Source,
  { withoutSecrets = [] }: { withoutSecrets?: readonly string[] } = {},
): Promise<void> {
  const client = await connect(url)
  try {
    await client.query('begin')
    const present = new Map((await readDataTables(client)).map((table) => [table.name, table]))
    for (const { name, columns } of contents.tables) {
      const there = present.get(name)
      if (!there || columnList(there.columns) !== columnList(columns)) {
        throw new Error(`the table ${name} differs between source and target: no row was copied`)
      }
    }
    const keys = await takeOffForeignKeys(client)
    const names = contents.tables.map(({ name }) => quoted(name))
    await client.query(`truncate ${names.join(', ')}`)
    for (const table of contents.tables) {
      await client.query(`alter table ${quoted(table.name)} disable trigger user`)
      const rows = await read(table)
      const statement = `copy ${quoted(table.name)} (${columnList(table.columns)}) from stdin`
      await pipeline(rows, client.query(copyFrom(statement)))
      await client.query(`alter table ${quoted(table.name)} enable trigger user`)
    }
    for (const [name, value] of Object.entries(contents.sequences)) {
      if (value !== null) await client.query('select setval($1::regclass, $2)', [quoted(name), value])
    }
    for (const { table, name, definition } of keys) {
      await client.query(`alter table ${table} add constraint ${quoted(name)} ${definition}`)
    }
    for (const table of contents.tables) {
      const { rows, sum } = await fingerprintOf(client, table)
      if (rows === table.rows && sum === table.sum) continue
      throw new Error(
        `the table ${table.name} has ${rows} rows with the sum ${sum}, not ${table.rows} with ${table.sum}`,
      )
    }
    await client.query('delete from server_secret where name = any($1::text[])', [withoutSecrets])
    await client.query('commit')
    await client.query('analyze')
  } finally {
    await client.end()
  }
}

interface ForeignKey {
  table: string
  name: string
  definition: string
}

async function takeOffForeignKeys(client: pg.Client): Promise<ForeignKey[]> {
  const { rows } = await client.query<ForeignKey>(
    `select conrelid::regclass::text as table, conname as name, pg_get_constraintdef(oid) as definition
     from pg_constraint where contype = 'f' and connamespace = 'public'::regnamespace and conparentid = 0`,
  )
  for (const { table, name } of rows) await client.query(`alter table ${table} drop constraint ${quoted(name)}`)
  return rows
}

/** @throws Error when the database contains an installation already, or tables of something else */
export async function requireEmpty(url: string): Promise<void> {
  const client = await connect(url)
  const refuse = (what: string): never => {
    const where = describeAddress(url)
    throw new Error(`the database ${where} is not empty: nothing was changed; it has ${what}, choose an empty one`)
  }
  try {
    const { rows } = await client.query<{ name: string }>(
      `select tablename as name from pg_tables where schemaname = 'public' order by tablename = 'organization' desc, tablename`,
    )
    const [first] = rows
    if (!first) return
    if (first.name !== 'organization') return refuse(`a table "${first.name}"`)
    // The schema alone: a restore that failed leaves it behind.
    const { rows: found } = await client.query('select from organization limit 1')
    if (found.length > 0) refuse('an installation')
  } finally {
    await client.end()
  }
}
