import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { spawn, type ChildProcess } from 'node:child_process'
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { DatabaseProxy } from '../../bench/chaos/database-proxy.js'
import { freePort } from '../../bench/chaos/victim.js'
import { startConversationFixture } from '../conversations/conversation-fixture.js'
import { makeDatabase, type TestDatabase } from '../support/database.js'
import { isInstalled } from '../support/programs.js'

const NOBODY = 65_534

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

  async function pooled(mode: string): Promise<string> {
    // By TCP: the folder of the server's socket file is not for everybody.
    const { port, username, password, pathname } = new URL(proxy.url)
    const name = pathname.slice(1)
    const at = await freePort()
    const users = join(folder, `${mode}.txt`)
    const file = join(folder, `${mode}.ini`)
    await writeFile(users, `"${username}" "${decodeURIComponent(password)}"\n`)
    await writeFile(
      file,
      [
        '[databases]',
        `${name} = host=127.0.0.1 port=${port} dbname=${name}`,
        '[pgbouncer]',
        `listen_addr = 127.0.0.1`,
        `listen_port = ${at}`,
        'unix_socket_dir =',
        'auth_type = plain',
        `auth_file = ${users}`,
        `pool_mode = ${mode}`,
        'default_pool_size = 40',
        'ignore_startup_parameters = extra_float_digits',
      ].join('\n'),
    )
    // It refuses to run as root.
    const as = process.getuid?.() === 0 ? { uid: NOBODY, gid: NOBODY } : {}
    const child = spawn('pgbouncer', [file], { stdio: 'ignore', ...as })
    running.push(child)
    const url = `postgresql://${username}:${password}@127.0.0.1:${at}/${name}`
    for (const until = Date.now() + 10_000; ;) {
      const client = new pg.Client({ connectionString: url })
      client.on('error', () => undefined)
      try {
        await client.connect()
        await client.query('select 1')
        return url
      } catch (error) {
        if (Date.now() > until) throw error
        await new Promise((resolve) => setTimeout(resolve, 50))
      } finally {
        await client.end().catch(() => undefined)
      }
    }
  }

  it('with pool_mode = transaction is refused with what to change', async () => {
    const url = await pooled('transaction')
    await expect(startConversationFixture({ DATABASE_URL: url })).rejects.toThrow('pool_mode = session')
  })

  it('with pool_mode = session serves', async () => {
    const fixture = await startConversationFixture({ DATABASE_URL: await pooled('session') })
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
    } finally {
      await fixture.server.close()
    }
  }, 60_000)
})
