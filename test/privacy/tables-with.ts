import type { Sql } from '../../src/platform/db/database.js'

/** Returns the tables with a row that contains the word, as text or as bytes, which PostgreSQL writes in hexadecimal. */
export async function tablesWith(sql: Pick<Sql, 'query'>, word: string): Promise<string[]> {
  const tables = await sql.query<{ name: string }>(
    `select c.relname as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
     where n.nspname = 'public' and c.relkind in ('r', 'p') and not c.relispartition order by 1`,
  )
  const found: string[] = []
  for (const { name } of tables) {
    const rows = await sql.query(
      `select 1 from ${name} t where t::text ilike '%' || $1 || '%'
         or t::text like '%' || encode(convert_to($1, 'UTF8'), 'hex') || '%' limit 1`,
      [word],
    )
    if (rows.length > 0) found.push(name)
  }
  return found
}
