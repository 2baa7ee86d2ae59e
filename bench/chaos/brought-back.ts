import pg from 'pg'

/** A database as it was at some moment, which can be put in the place of what it has become. */
export interface KeptDatabase {
  /** Everything since is gone, as after the restore of a backup; whoever is connected is cut off. */
  bringBack(): Promise<void>
  drop(): Promise<void>
}

/** Copies the database's files, with nobody connected for that moment. */
export async function keepDatabase(url: string): Promise<KeptDatabase> {
  const name = nameOf(url)
  const kept = `${name}_kept`
  const admin = (work: (run: (sql: string) => Promise<unknown>) => Promise<void>) => administrate(url, work)
  const alone = (work: (run: (sql: string) => Promise<unknown>) => Promise<void>) =>
    admin(async (run) => {
      await run(`alter database ${name} with allow_connections false`)
      await run(`select pg_terminate_backend(pid, 5000) from pg_stat_activity where datname = '${name}'`)
      await work(run)
      await run(`alter database ${name} with allow_connections true`)
    })
  await alone((run) => run(`create database ${kept} template ${name}`).then(() => undefined))
  return {
    bringBack: () =>
      alone(async (run) => {
        await run(`drop database ${name} with (force)`)
        await run(`create database ${name} template ${kept}`)
      }),
    drop: () => admin((run) => run(`drop database if exists ${kept} with (force)`).then(() => undefined)),
  }
}

const nameOf = (url: string): string => new URL(url).pathname.slice(1)

async function administrate(
  url: string,
  work: (run: (sql: string) => Promise<unknown>) => Promise<void>,
): Promise<void> {
  const server = new URL(url)
  server.pathname = '/postgres'
  const client = new pg.Client({ connectionString: server.href })
  await client.connect()
  try {
    await work((sql) => client.query(sql))
  } finally {
    await client.end()
  }
}
