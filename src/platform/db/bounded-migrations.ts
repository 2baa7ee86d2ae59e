import type { Migration } from '@mikro-orm/migrations'
import type pg from 'pg'

/** While a migration waits for a lock, other transactions queue behind it: it gives up soon and tries again. */
const LOCK_WAIT_MS = 500
/** A smaller table is indexed in place: the build is over before other nodes notice. */
const PLAIN_INDEX_BYTES = 16 * 1024 * 1024

const CREATE_INDEX = /^\s*create index (\w+) on (\w+)\s/i

export type MigrationClass = new (...args: ConstructorParameters<typeof Migration>) => Migration

/**
 * Wraps a migration so that it can run beside nodes that serve: no statement waits long for a lock, and indexes of
 * large tables are left to {@link buildPendingIndexes}, which does not block writers. Unique indexes are built at once
 * because rules depend on them.
 */
export function bounded(Original: MigrationClass): MigrationClass {
  return class extends Original {
    override async up(): Promise<void> {
      this.addSql('set local statement_timeout = 0')
      this.addSql(`set local lock_timeout = ${LOCK_WAIT_MS}`)
      // `super.up()` does not compile: the method is abstract in Migration.
      await Original.prototype.up.call(this)
      for (const query of this.getQueries().splice(0)) {
        const [, name, table] = (typeof query === 'string' && CREATE_INDEX.exec(query)) || []
        if (!name || !table || !(await this.#isLarge(table))) {
          this.addSql(query)
          continue
        }
        this.addSql('create table if not exists pending_index (name text primary key, statement text not null)')
        this.addSql(`insert into pending_index (name, statement) values ('${name}', $index$${query as string}$index$)`)
      }
    }

    async #isLarge(table: string): Promise<boolean> {
      const [row] = await this.execute(`select coalesce(pg_table_size(to_regclass('${table}')), 0) as bytes`)
      return Number((row as { bytes?: unknown }).bytes) > PLAIN_INDEX_BYTES
    }
  }
}

/**
 * Builds the indexes that migrations deferred. May take long: PostgreSQL waits for every transaction that began
 * earlier, including a dump. Drops the remains of an interrupted build first.
 * @param client a connection without time limits; ending it ends the build
 */
export async function buildPendingIndexes(client: pg.Client): Promise<void> {
  const there = await client.query(`select 1 where to_regclass('pending_index') is not null`)
  if (there.rows.length === 0) return
  const { rows } = await client.query<{ name: string; statement: string }>('select name, statement from pending_index')
  for (const { name, statement } of rows) {
    const built = await client.query<{ valid: boolean }>(
      'select i.indisvalid as valid from pg_index i where i.indexrelid = to_regclass($1)',
      [name],
    )
    const [index] = built.rows
    if (index && !index.valid) await client.query(`drop index concurrently ${name}`)
    if (!index?.valid) await client.query(statement.replace(/create index/i, 'create index concurrently'))
    await client.query('delete from pending_index where name = $1', [name])
  }
}
