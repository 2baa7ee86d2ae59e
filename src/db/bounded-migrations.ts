import type { Migration } from '@mikro-orm/migrations'
import type pg from 'pg'

/** Others wait behind a migration that waits for a lock: it gives up soon, and comes again. */
const LOCK_WAIT_MS = 500
/** A table of less is indexed before others have noticed. */
const PLAIN_INDEX_BYTES = 16 * 1024 * 1024

const CREATE_INDEX = /^\s*create index (\w+) on (\w+)\s/i

export type MigrationClass = new (...args: ConstructorParameters<typeof Migration>) => Migration

/**
 * The migration as it runs beside nodes that serve: no statement waits for a lock for long, and indexes of large tables
 * are left to {@link buildPendingIndexes}, which keeps no writer waiting. Unique ones are built at once: rules stand on
 * them.
 */
export function bounded(Original: MigrationClass): MigrationClass {
  return class extends Original {
    override async up(): Promise<void> {
      this.addSql('set local statement_timeout = 0')
      this.addSql(`set local lock_timeout = ${LOCK_WAIT_MS}`)
      // Abstract to the compiler.
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
 * Builds the indexes that migrations left. It takes as long as it takes: PostgreSQL waits for every transaction that was
 * there before, a dump's too. What an earlier attempt left unfinished is dropped first.
 * @param client a connection without limits of time; ending it ends the build
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
    if (built.rows[0]?.valid === false) await client.query(`drop index concurrently ${name}`)
    if (!built.rows[0]?.valid) await client.query(statement.replace(/create index/i, 'create index concurrently'))
    await client.query('delete from pending_index where name = $1', [name])
  }
}
