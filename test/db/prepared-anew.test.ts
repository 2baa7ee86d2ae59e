import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { randomUUID } from 'node:crypto'
import { startTestServer, type TestServer } from '../support/test-server.js'
import type { Sql } from '../../src/platform/db/database.js'

let app: TestServer
beforeAll(async () => {
  app = await startTestServer()
  await app.server.database.query('create table fruit (name text primary key)')
  await app.server.database.query(`insert into fruit values ('apple')`)
})
afterAll(() => app.close())

const ALL = 'select * from fruit order by name'
let columns = 0

/** Changes the table as a migration does, after every connection has prepared the statement. */
async function addColumn(): Promise<void> {
  await app.server.database.query(`alter table fruit add column extra_${columns} int default ${columns}`)
  columns += 1
}

const everyConnection = (run: () => Promise<unknown>): Promise<unknown> => Promise.all(Array.from({ length: 24 }, run))

describe('a prepared statement that returns other columns since a migration', () => {
  const width = ([row]: object[]): number => Object.keys(row!).length

  it('is prepared anew and repeated by all connections, however often', async () => {
    const { database } = app.server
    const read = (): Promise<object[]> => database.query(ALL, [], 'all-fruit')
    await everyConnection(read)
    for (let round = 0; round < 3; round++) {
      await addColumn()
      const widths = (await everyConnection(read)) as object[][]
      expect(new Set(widths.map(width))).toEqual(new Set([1 + columns]))
    }
  })

  it('is repeated among the reads of callers, alone and in a snapshot', async () => {
    const reads = app.server.database.readsOf(['one', 'one', 'ann'])
    const read = (): Promise<object[]> => reads.query(ALL, [], 'all-fruit')
    const snapshot = (): Promise<object[]> => reads.snapshot((sql) => sql.query(ALL, [], 'all-fruit'), 'fruit')
    await everyConnection(read)
    await everyConnection(snapshot)
    await addColumn()
    expect(width(await read())).toBe(1 + columns)
    await addColumn()
    expect(width(await snapshot())).toBe(1 + columns)
  })

  it('repeats the whole transaction, whether the statement was awaited or not: what it wrote is there once', async () => {
    const { database } = app.server
    const write = async (isAwaited: boolean): Promise<string> => {
      const name = randomUUID()
      await database.sqlTransaction(async (sql: Sql) => {
        await sql.query('insert into fruit (name) values ($1)', [name])
        const rows = sql.query<object>(ALL, [], 'all-fruit')
        if (isAwaited) expect(width(await rows)).toBe(1 + columns)
      })
      return name
    }
    await everyConnection(() => write(true))
    for (const isAwaited of [true, false]) {
      await addColumn()
      const names = (await everyConnection(() => write(isAwaited))) as string[]
      const rows = await database.query<{ name: string }>('select name from fruit where name = any($1::text[])', [
        names,
      ])
      expect(rows.map(({ name }) => name).toSorted()).toEqual(names.toSorted())
    }
  })

  it('does not hide other things that PostgreSQL does not support', async () => {
    const cursor = app.server.database.query(`select generate_series(1, 2) from fruit for update`, [], 'series')
    await expect(cursor).rejects.toMatchObject({ code: '0A000' })
  })
})
