import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { spawn, type ChildProcess } from 'node:child_process'
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import pino from 'pino'
import { DatabaseProxy } from '../../bench/chaos/database-proxy.js'
import { freePort } from '../../bench/chaos/free-port.js'
import { LOCK_WAIT_MS_MAX } from '../../src/platform/database-config.js'
import { startConversationFixture } from '../conversations/conversation-fixture.js'
import { makeDatabase, type TestDatabase } from '../support/database.js'
import { isInstalled } from '../support/programs.js'
import { startTestServer } from '../support/test-server.js'
import { untilPasses } from '../support/until.js'

const NOBODY = 65_534
/** Those of the product. */
const LIMITS = { lockWaitMs: LOCK_WAIT_MS_MAX }

const describePooler = isInstalled('pgbouncer') ? describe : describe.skip

describePooler('PgBouncer', () => {
  let database: TestDatabase
  let folder: string
  let proxy: DatabaseProxy
  const running: ChildProcess[] = []
  beforeAll(async () => {
    database = await makeDatabase()
    proxy = await DatabaseProxy.open(database.url)
    folder = await mkdtemp(join(tmpdir(), 'switchboard-pooler-'))
    await chmod(folder, 0o755)
  })
  afterAll(async () => {
    for (const child of running) child.kill('SIGKILL')
    await rm(folder, { recursive: true, force: true })
    await proxy.close()
    await database.drop()
  })

  /** @param alias the pooler's name of the database; default: the server's */
  async function pooled(mode: string, poolSize = 40, alias?: string): Promise<string> {
    // By TCP: the folder of the server's socket file is not for everybody.
    const { port, username, password, pathname } = new URL(proxy.url)
    const name = pathname.slice(1)
    const known = alias ?? name
    const at = await freePort()
    const users = join(folder, `${mode}-${poolSize}.txt`)
    const file = join(folder, `${mode}-${poolSize}.ini`)
    await writeFile(users, `"${username}" "${decodeURIComponent(password)}"\n`)
    await writeFile(
      file,
      [
        '[databases]',
        `${known} = host=127.0.0.1 port=${port} dbname=${name}`,
        '[pgbouncer]',
        `listen_addr = 127.0.0.1`,
        `listen_port = ${at}`,
        'unix_socket_dir =',
        'auth_type = plain',
        `auth_file = ${users}`,
        `pool_mode = ${mode}`,
        `default_pool_size = ${poolSize}`,
        'ignore_startup_parameters = extra_float_digits',
      ].join('\n'),
    )
    // It refuses to run as root.
    const as = process.getuid?.() === 0 ? { uid: NOBODY, gid: NOBODY } : {}
    const child = spawn('pgbouncer', [file], { stdio: 'ignore', ...as })
    running.push(child)
    const url = `postgresql://${username}:${password}@127.0.0.1:${at}/${known}`
    await untilPasses(async () => {
      const client = new pg.Client({ connectionString: url })
      client.on('error', () => undefined)
      try {
        await client.connect()
        await client.query('select 1')
      } finally {
        await client.end().catch(() => undefined)
      }
    })
    return url
  }

  it('with pool_mode = transaction is refused with what to change, unless it is declared', async () => {
    const url = await pooled('transaction')
    await expect(startConversationFixture({ DATABASE_URL: url })).rejects.toThrow('set DATABASE_POOLER=transaction')
    const declared = { DATABASE_URL: url, DATABASE_POOLER: 'transaction' }
    await expect(startConversationFixture(declared)).rejects.toThrow(
      'needs DATABASE_URL, through the pooler, and DATABASE_DIRECT',
    )
    const prepared = { DATABASE_URL: url, DATABASE_POOLER: 'prepared', DATABASE_DIRECT_URL: proxy.url }
    await expect(startConversationFixture(prepared)).rejects.toThrow('the pooler loses prepared statements')
    const twice = { ...declared, DATABASE_DIRECT_URL: url }
    await expect(startConversationFixture(twice)).rejects.toThrow('pool_mode = session')
  })

  it('with pool_mode = transaction serves two nodes with fewer sessions than connections, and changes none of these', async () => {
    const url = await pooled('transaction', 4)
    const env = { DATABASE_URL: url, DATABASE_POOLER: 'transaction', DATABASE_DIRECT_URL: proxy.url }
    const fixture = await startConversationFixture(env, LIMITS)
    const other = await startTestServer(env, { beside: fixture, ...LIMITS })
    try {
      const { id } = await fixture.create({ messages: [{ role: 'CONTACT', text: 'hello' }] })
      const delayed = { role: 'AGENT', text: 'later', delay: 500 }
      const sent = await Promise.all([
        fixture.send(fixture.ann, id, delayed),
        ...Array.from({ length: 40 }, (_, index) => fixture.send(fixture.ann, id, { role: 'AGENT', text: `${index}` })),
        ...Array.from({ length: 10 }, () =>
          fixture.run(fixture.admin, '{ users(first: 5) { edges { node { name } } } }'),
        ),
        ...Array.from({ length: 5 }, (_, index) =>
          fixture.run(fixture.admin, 'mutation ($name: String!) { createChannel(input: { name: $name }) { id } }', {
            name: `Pooled ${index}`,
          }),
        ),
      ])
      expect(sent.filter(({ code }) => code !== undefined)).toEqual([])
      const shown = await other.gql(fixture.ann, 'query ($id: ID!) { conversation(id: $id) { id } }', { id })
      expect(shown.errors).toBeUndefined()
      await untilPasses(async () => {
        const rows = await fixture.server.database.query(
          "select 1 from message where text = 'later' and conversation_id = $1",
          [id],
        )
        expect(rows).toHaveLength(1)
      })
      // A locked row is waited for as long as without a pooler.
      const [limits] = await fixture.server.database.query<{ wait: string }>(
        "select current_setting('lock_timeout') as wait",
      )
      expect(limits).toEqual({ wait: '5s' })
      // The next client finds the sessions as PostgreSQL made them.
      const client = new pg.Client({ connectionString: url })
      await client.connect()
      for (let turn = 0; turn < 20; turn++) {
        const { rows } = await client.query(
          `select current_setting('lock_timeout') as wait, current_setting('default_transaction_read_only') as "readOnly",
             (select count(*)::int from pg_prepared_statements) as prepared,
             (select count(*)::int from pg_locks where locktype = 'advisory' and pid = pg_backend_pid()) as locks`,
        )
        expect(rows).toEqual([{ wait: '0', readOnly: 'off', prepared: 0, locks: 0 }])
      }
      await client.end()
    } finally {
      await other.close()
      await fixture.close()
    }
  })

  it('that keeps prepared statements is served with them, when that is declared', async () => {
    // The installed version keeps them in session mode alone.
    const env = { DATABASE_URL: await pooled('session'), DATABASE_POOLER: 'prepared', DATABASE_DIRECT_URL: proxy.url }
    const fixture = await startConversationFixture(env)
    try {
      const { id } = await fixture.create({ messages: [{ role: 'CONTACT', text: 'hello' }] })
      expect((await fixture.send(fixture.ann, id, { role: 'AGENT', text: 'hi' })).code).toBeUndefined()
      const prepared = await fixture.server.database.query('select from pg_prepared_statements')
      expect(prepared.length).toBeGreaterThan(0)
    } finally {
      await fixture.close()
    }
  })

  it('with fewer sessions than the node needs is said at the start', async () => {
    const lines: string[] = []
    const log = pino({ level: 'warn' }, { write: (line: string) => void lines.push(line) })
    const server = await startTestServer({ DATABASE_URL: await pooled('session', 5) }, { log })
    try {
      expect(lines.join()).toContain('the pooler has sessions for')
      expect(lines.join()).toContain('raise default_pool_size')
    } finally {
      await server.close()
    }
  })

  it('with pool_mode = session serves, by another name of the database, and creates none of that name', async () => {
    const alias = `alias_${process.pid}`
    const fixture = await startConversationFixture({ DATABASE_URL: await pooled('session', 41, alias) }, LIMITS)
    try {
      const { id } = await fixture.create({ messages: [{ role: 'CONTACT', text: 'hello' }] })
      const sent = await Promise.all(
        Array.from({ length: 20 }, (_, index) => fixture.send(fixture.ann, id, { role: 'AGENT', text: `${index}` })),
      )
      expect(sent.filter(({ code }) => code !== undefined)).toEqual([])
      const [row] = await fixture.server.database.query<{ wait: string }>(
        "select current_setting('lock_timeout') as wait",
      )
      expect(row!.wait).toBe('5s')
      const named = await fixture.server.database.query('select from pg_database where datname = $1', [alias])
      expect(named).toEqual([])
    } finally {
      await fixture.server.close()
    }
  })
})
