import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { Migration } from '@mikro-orm/migrations'
import pg from 'pg'
import pino from 'pino'
import type { MigrationClass } from '../../src/platform/db/bounded-migrations.js'
import { Database } from '../../src/platform/db/database.js'
import { migrations } from '../../src/platform/db/migrations/index.js'
import { entities } from '../../src/app/entities.js'
import { startConversationFixture, texts, type ConversationFixture } from '../conversations/conversation-fixture.js'
import { startTestServer, type TestServer } from '../support/test-server.js'
import { until } from '../support/until.js'
import { startReceiver, type Receiver } from '../webhooks/receiver.js'
import { UpgradeLoad } from './upgrade-load.js'

/** The tables that every node writes with each message, in the order in which the next release changes them. */
const WRITTEN = ['conversation', 'participant', 'message'] as const

/** Example of a next release: a column of each table that is written most, one migration a table, and an index of the largest. */
const nextRelease = WRITTEN.map((table) => ({
  name: `9999-next-release-${table}`,
  class: class extends Migration {
    override up(): void {
      this.addSql(`alter table ${table} add column next_release text`)
      if (table === 'message')
        this.addSql('create index message_next_release on message (next_release) where next_release is not null')
    }
  },
}))

/** Transactions that wait for the table. */
const waitingFor = (table: string): string => `select xact_start::text as begun from pg_stat_activity
  where datname = current_database() and wait_event_type = 'Lock' and query like 'alter table ${table} add column%'`

let fixture: ConversationFixture
let dump: pg.Client
let receiver: Receiver
/** Warnings and errors of the nodes. */
const said: string[] = []
beforeAll(async () => {
  const log = pino({ level: 'warn' }, { write: (line: string) => void said.push(line) })
  fixture = await startConversationFixture({ WEBHOOK_ALLOW_PRIVATE: 'true' }, { log })
  receiver = await startReceiver()
  dump = new pg.Client({ connectionString: fixture.databaseUrl })
  await dump.connect()
  await dump.query('alter table message alter column text set storage external')
})
afterAll(async () => {
  await dump?.end()
  await fixture?.close()
  await receiver?.close()
})

describe('a node of the next release on the database of a serving one', () => {
  it('waits for a dump without blocking writers, and then both serve', async () => {
    const { id } = await fixture.create()
    const { id: large } = await fixture.create()
    // A table that is not indexed at once: 20 MB of it.
    await dump.query(
      `insert into message (id, organization_id, org1, created_at, updated_at, conversation_id, position, type, role, text)
       select gen_random_uuid(), organization_id, org1, now(), now(), id, 1000 + n, 'chat', 'bot', repeat('x', 20000)
       from conversation, generate_series(1, 1100) n where id = $1`,
      [large],
    )
    const log = { warn: () => undefined }
    const next = await Database.open({
      url: fixture.databaseUrl,
      poolSize: 2,
      entities,
      log,
      migrations: [...migrations, ...nextRelease],
    })
    try {
      // As pg_dump reads.
      await dump.query('begin isolation level repeatable read')
      for (const table of WRITTEN.toReversed()) {
        await dump.query(`savepoint before_${table}`)
        await dump.query(`lock table ${table} in access share mode`)
      }
      const migrating = next.migrate()
      // Sends are behind a migration that waits for its lock, for half a second at a time: were it longer, they would be
      // refused.
      let isOver = false
      let sent = 0
      const sending = (async (): Promise<void> => {
        for (; !isOver; sent += 1)
          expect((await fixture.send(fixture.ann, id, { role: 'AGENT', text: 'meanwhile' })).code).toBeUndefined()
      })()
      for (const table of WRITTEN) {
        const attempts = new Set<string>()
        const before = sent
        await until(async () => {
          const rows = await fixture.server.database.query<{ begun: string }>(waitingFor(table))
          for (const { begun } of rows) attempts.add(begun)
          return attempts.size >= 2 && sent > before + 1
        })
        // Its lock is given up, and those of the tables that come later are kept.
        await dump.query(`rollback to savepoint before_${table}`)
      }
      isOver = true
      await sending
      await dump.query('commit')
      await migrating
      // The old node writes to the new schema; the index comes while it does.
      next.buildPendingIndexes(log)
      for (let valid = false; !valid;) {
        expect((await fixture.send(fixture.ann, id, { role: 'AGENT', text: 'after' })).code).toBeUndefined()
        const { rows } = await dump.query<{ valid: boolean }>(
          `select exists (select 1 from pg_index where indexrelid = to_regclass('message_next_release') and indisvalid) as valid`,
        )
        valid = rows[0]!.valid
      }
      expect(texts(await fixture.show(id)).filter((text) => text === 'meanwhile').length).toBeGreaterThan(3)
      await until(async () => (await dump.query('select 1 from pending_index')).rows.length === 0)
    } finally {
      await dump.query('rollback')
      await next.close()
    }
  })

  it('adds columns, defaults and indexes to every table while nodes write, read, subscribe and work: nothing is refused', async () => {
    const log = pino({ level: 'warn' }, { write: (line: string) => void said.push(line) })
    const env = { WEBHOOK_ALLOW_PRIVATE: 'true' }
    const other = await startTestServer(env, { beside: fixture, log })
    const load = await UpgradeLoad.on(fixture, other, receiver.url)
    const next = await Database.open({
      url: fixture.databaseUrl,
      poolSize: 2,
      entities,
      log: { warn: () => undefined },
      migrations: [...migrations, ...nextRelease, ...(await everyTable())],
    })
    let late: TestServer | null = null
    try {
      load.start()
      // Every statement has been prepared on some connections of both nodes.
      await load.rounds(2)
      await next.migrate()
      await load.rounds(2)
      await dump.query('drop index message_created1')
      await dump.query('create index concurrently message_created1 on message (org1, created_at, id)')
      await load.rounds(2)
      const missed = `select 1 from clock where breached_at > now() - interval '5 s' and due_at is not null`
      await until(async () => (await dump.query(missed)).rows.length > 0)
      await load.stop()
      // As after a return to this release, or when an orchestrator starts one of its nodes meanwhile.
      late = await startTestServer(env, { beside: fixture, log })
      await load.once(late)
      const { refused, answers, events } = load
      const answered = Object.values(answers).reduce((sum, count) => sum + count, 0)
      const told = { answered, refused: refused.length, events, deliveries: receiver.received.length, answers }
      process.stdout.write(`rolling upgrade: ${JSON.stringify(told)}\n`)
      expect(refused).toEqual([])
      for (const operation of ['createConversation', 'sendMessage', 'acceptConversation', 'importConversation'])
        expect(answers[operation]).toBeGreaterThan(5)
      expect(events).toBeGreaterThan(10)
      expect(receiver.received.length).toBeGreaterThan(10)
      await until(async () => {
        const due = 'select kind, last_error from job where attempts > 0 and last_error is not null'
        const { rows } = await dump.query(due)
        expect(rows).toEqual([])
        const { rows: waiting } = await dump.query(`select 1 from message where text = 'later'`)
        return waiting.length >= load.delayed
      })
      expect(said.filter((line) => line.includes('cached plan'))).toEqual([])
    } finally {
      await load.stop()
      await next.close()
      await late?.close()
      await other.close()
    }
  })
})

/**
 * One migration a table, as releases have them: each adds a column that every row has at once, and an index on it, and
 * drops and sets every default.
 */
async function everyTable(): Promise<{ name: string; class: MigrationClass }[]> {
  const { rows } = await dump.query<{ name: string; defaults: { column: string; value: string }[] }>(
    `select relname as name, (select coalesce(json_agg(json_build_object('column', quote_ident(column_name),
       'value', column_default)), '[]') from information_schema.columns
       where table_schema = 'public' and table_name = relname and column_default is not null) as defaults
     from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p')
     and not relispartition and relname <> 'schema_migration' order by 1`,
  )
  return rows.map(({ name, defaults }) => ({
    name: `9999-${name}`,
    class: class extends Migration {
      override up(): void {
        this.addSql(`alter table ${name} add column of_next_release int not null default 0`)
        this.addSql(`create index ${name}_of_next_release on ${name} (of_next_release)`)
        for (const { column, value } of [...defaults, { column: 'of_next_release', value: '1' }]) {
          this.addSql(`alter table ${name} alter column ${column} drop default`)
          this.addSql(`alter table ${name} alter column ${column} set default ${value}`)
        }
      }
    },
  }))
}
