import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { Migration } from '@mikro-orm/migrations'
import pg from 'pg'
import { Database } from '../../src/db/database.js'
import { migrations } from '../../src/db/migrations/index.js'
import { entities } from '../../src/entities.js'
import { startConversationFixture, texts, type ConversationFixture } from '../conversations/conversation-fixture.js'
import { until } from '../support/until.js'

/** What a next release may bring: a column and an index of the table that is written most. */
class NextRelease extends Migration {
  override up(): void {
    this.addSql('alter table message add column next_release text')
    this.addSql('create index message_next_release on message (next_release) where next_release is not null')
  }
}

let fixture: ConversationFixture
let dump: pg.Client
beforeAll(async () => {
  fixture = await startConversationFixture()
  dump = new pg.Client({ connectionString: fixture.databaseUrl })
  await dump.connect()
  await dump.query('alter table message alter column text set storage external')
})
afterAll(async () => {
  await dump?.end()
  await fixture?.close()
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
      migrations: [...migrations, { name: '9999-next-release', class: NextRelease }],
    })
    try {
      // As pg_dump reads.
      await dump.query('begin isolation level repeatable read')
      await dump.query('lock table message in access share mode')
      const migrating = next.migrate()
      const times: number[] = []
      for (const end = Date.now() + 3_000; Date.now() < end;) {
        const since = performance.now()
        expect((await fixture.send(fixture.ann, id, { role: 'AGENT', text: 'meanwhile' })).code).toBeUndefined()
        times.push(performance.now() - since)
      }
      // Half a second is what a migration waits for its lock.
      expect(Math.max(...times)).toBeLessThan(5_000)
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
  }, 60_000)
})
