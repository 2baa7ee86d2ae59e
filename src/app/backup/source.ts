import type { Readable } from 'node:stream'
import type pg from 'pg'
import { to as copyTo } from 'pg-copy-streams'
import { describeAddress } from '../../platform/database-address.js'
import { PrimaryConnector } from '../../platform/db/primary-connector.js'
import { readNeededKeys } from '../../platform/sealing/open-sealer.js'
import {
  columnList,
  type DataTable,
  type Fingerprint,
  fingerprintOf,
  quoted,
  readDataTables,
  readMigrations,
  readSequences,
} from './data-tables.js'

/** Contents of a database at one moment. */
export interface Contents {
  /** Names of the migrations that made its schema, oldest first. */
  migrations: string[]
  tables: (DataTable & Fingerprint)[]
  sequences: Record<string, string | null>
  /** Ids of the keys of `SECRETS_KEY` that its secrets need. */
  keys: string[]
}

export interface Source {
  contents: Contents
  /** Returns the rows of a table, in PostgreSQL's text format for COPY. */
  read(table: DataTable): Promise<Readable>
}

/** Reads a database as of one moment, regardless of concurrent writes. */
export async function withDatabaseSource<T>(url: string, use: (source: Source) => Promise<T>): Promise<T> {
  const client = await connect(url)
  try {
    await client.query('begin isolation level repeatable read read only')
    const migrations = await readMigrations(client)
    const tables: Contents['tables'] = []
    for (const table of await readDataTables(client)) tables.push({ ...table, ...(await fingerprintOf(client, table)) })
    const keys = tables.some(({ name }) => name === 'server_secret') ? await readNeededKeys(sqlOf(client)) : []
    const contents = { migrations, tables, sequences: await readSequences(client), keys }
    return await use({
      contents,
      read: ({ name, columns }) => {
        const statement = `copy (select ${columnList(columns)} from ${quoted(name)}) to stdout`
        return Promise.resolve(client.query(copyTo(statement)))
      },
    })
  } finally {
    await client.end()
  }
}

function sqlOf(client: pg.Client): Parameters<typeof readNeededKeys>[0] {
  return { query: async (text, values) => (await client.query(text, values ? [...values] : undefined)).rows }
}

/** Opens a connection whose output is the same on every server: no time limit, times in UTC. */
export async function connect(url: string): Promise<pg.Client> {
  const connector = new PrimaryConnector(url)
  const options = '-c timezone=UTC -c datestyle=ISO -c statement_timeout=0 -c idle_in_transaction_session_timeout=0'
  return connector.connect({ application_name: 'switchboard backup', options }).catch((error: Error) => {
    const reason = error instanceof AggregateError ? error.errors.map(String).join('; ') : error.message
    throw new Error(`cannot use the database ${describeAddress(url)}: ${reason}`, { cause: error })
  })
}
