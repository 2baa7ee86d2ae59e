import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { appendFile, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import type { Logger } from 'pino'
import { startEmbeddedPostgres, type EmbeddedPostgres } from '../../src/platform/db/embedded-postgres.js'
import { clusterDirOf } from '../../src/platform/db/embedded-cluster.js'
import { CommitProbe } from '../../src/platform/db/commit-probe.js'
import { Database } from '../../src/platform/db/database.js'
import { isRepeatable } from '../../src/platform/db/sql-errors.js'
import { runSqlTransaction } from '../../src/platform/db/sql-transaction.js'
import { entities } from '../../src/app/entities.js'
import { OutcomeUnknown } from '../../src/platform/errors.js'
import { publicError } from '../../src/api/graphql/errors.js'
import { until } from '../support/until.js'

const log = { info: () => undefined, warn: () => undefined, error: () => undefined }

/** A PostgreSQL whose replication these tests change, so that no other suite may share it. */
let dataDir: string
let clusterDir: string
let postgres: EmbeddedPostgres
const open = (): Promise<Database> => Database.open({ url: postgres.url, poolSize: 4, entities, log })
const inSession = async <T>(work: (client: pg.Client) => Promise<T>): Promise<T> => {
  const client = new pg.Client({ connectionString: postgres.url })
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'switchboard-replication-'))
  clusterDir = clusterDirOf(dataDir)
  postgres = await startEmbeddedPostgres({ dataDir, log })
  await inSession((client) => client.query('create table note (text text primary key)'))
})
afterAll(async () => {
  await postgres.stop()
  await rm(dataDir, { recursive: true })
})

describe('a commit that no longer waits for its synchronous standby', () => {
  let database: Database
  beforeAll(async () => {
    database = await open()
    await setStandbys('away')
  })
  afterAll(async () => {
    await setStandbys('')
    await database.close()
  })

  const setStandbys = (names: string): Promise<void> =>
    inSession(async (client) => {
      await appendFile(join(clusterDir, 'postgresql.auto.conf'), `synchronous_standby_names = '${names}'\n`)
      await signal('SIGHUP')
      await until(async () => {
        const { rows } = await client.query<{ names: string }>(
          `select current_setting('synchronous_standby_names') as names`,
        )
        return rows[0]!.names === names
      })
    })

  /** Ends a commit that hangs, as an operator would. @returns false if there is none, and the write is over */
  const cancelWait = (isOver: () => boolean = () => false): Promise<boolean> =>
    inSession(async (client) => {
      let isCancelled = false
      await until(async () => {
        const wasOver = isOver()
        const { rowCount } = await client.query(
          `select pg_cancel_backend(pid) from pg_stat_activity where wait_event = 'SyncRep'`,
        )
        isCancelled = rowCount! > 0
        return isCancelled || wasOver
      })
      return isCancelled
    })

  /** Begins a write that hangs at its commit, and ends that. Commits wait once the checkpointer has read the setting too. */
  async function interrupted(
    write: (text: string) => Promise<unknown>,
  ): Promise<{ text: string; written: Promise<unknown> }> {
    for (let attempt = 0; ; attempt += 1) {
      const text = `attempt ${attempt}`
      let isOver = false
      const written = write(text)
      void written.catch(() => undefined).finally(() => (isOver = true))
      if (await cancelWait(() => isOver)) return { text, written }
    }
  }

  it.each<[string, (text: string) => Promise<unknown>]>([
    [
      'of hand-written SQL',
      (text) => database.sqlTransaction((sql) => sql.query('insert into note values ($1)', [text])),
    ],
    [
      'of the ORM',
      (text) => database.transaction(database.orm.em.fork(), (tx) => tx.query('insert into note values ($1)', [text])),
    ],
  ])('is not acknowledged: %s', async (name, write) => {
    const { text, written } = await interrupted((each) => write(`${name} ${each}`))
    await expect(written).rejects.toThrow(OutcomeUnknown)
    const stored = `${name} ${text}`
    const { rowCount } = await inSession((client) => client.query('select 1 from note where text = $1', [stored]))
    expect(rowCount).toBe(1)
  })

  it('makes a node not ready after 5 s, although it still reads', async () => {
    let ms = 0
    const probe = new CommitProbe({ sql: database, log: log as unknown as Logger, elapsed: () => ms })
    const probed = probe.probe()
    await until(async () => {
      const waiting = await database.query(`select 1 from pg_stat_activity where wait_event = 'SyncRep'`)
      return waiting.length === 1
    })
    ms = 5_000
    expect(probe.isCommitting).toBe(true)
    ms = 5_001
    expect(probe.isCommitting).toBe(false)
    await setStandbys('')
    await probed
    expect(probe.isCommitting).toBe(true)
    await setStandbys('away')
  })
})

describe('a server that is a standby', () => {
  it('is refused with instructions, until it is promoted', async () => {
    await postgres.stop()
    await writeFile(join(clusterDir, 'standby.signal'), '')
    // It is started when it takes writes.
    const promoted = startEmbeddedPostgres({ dataDir, log })
    await until(() => inSession((client) => client.query('select 1')).then(Boolean, () => false))
    await expect(open()).rejects.toThrow('the server is a standby, in recovery: name the primary')
    // A pooler may lead to it all the same: nothing was done, whatever the statements after the first one are told.
    const pool = new pg.Pool({ connectionString: postgres.url, max: 1 })
    try {
      for (const isAwaited of [true, false]) {
        const refused = runSqlTransaction(
          pool,
          async (sql) => {
            const sent = sql.query(`insert into note values ('standby')`)
            sent.catch(() => undefined)
            if (isAwaited) await sent
          },
          { confirm: () => Promise.reject(new Error('asked for its outcome')) },
        )
        const error = await refused.catch((reason: unknown) => reason)
        expect(publicError(error, { requestId: 'r', log })).toMatchObject({ code: 'UNAVAILABLE' })
        expect(isRepeatable(error)).toBe(true)
      }
      // Connections that lead there are not used again.
      expect(pool.totalCount).toBe(0)
    } finally {
      await pool.end()
    }
    await writeFile(join(clusterDir, 'promote'), '')
    await signal('SIGUSR1')
    postgres = await promoted
    await (await open()).close()
  })
})

describe('a database that its operator has set to read-only', () => {
  it('refuses writes temporarily, like an unavailable one', async () => {
    const setReadOnly = (value: 'on' | 'off') =>
      inSession((client) =>
        client.query(
          `set transaction read write; alter database switchboard set default_transaction_read_only = ${value}`,
        ),
      )
    await setReadOnly('on')
    const database = await open()
    let ms = 0
    const probe = new CommitProbe({ sql: database, log: log as unknown as Logger, elapsed: () => ms })
    ms = 5_001
    await probe.probe()
    expect(probe.isCommitting).toBe(false)
    const refused = await database.query(`insert into note values ('refused')`).catch((error: unknown) => error)
    expect(publicError(refused, { requestId: 'r', log })).toMatchObject({ code: 'UNAVAILABLE' })
    await database.close()
    await setReadOnly('off')
  })
})

/** Sends a signal to the server's main process. */
async function signal(name: NodeJS.Signals): Promise<void> {
  const [pid] = (await readFile(join(clusterDir, 'postmaster.pid'), 'utf8')).split('\n')
  process.kill(Number(pid), name)
}
