import type pg from 'pg'

const TRIES = 5

/**
 * Refuses a pooler that gives each transaction another session, as PgBouncer does with `pool_mode = transaction`:
 * prepared statements, session settings and the advisory locks that tell living nodes from dead ones would end up in
 * other clients' sessions. Detected when two connected clients are served by one session, or one client by two.
 * @throws Error that says what to change
 */
export async function refuseTransactionPooling(connect: () => Promise<pg.Client>): Promise<void> {
  const one = await connect()
  try {
    const first = await sessionOf(one)
    // PostgreSQL reports the process id of the client's own session; a pooler reports an id of its own.
    if (first === (one as pg.Client & { processID?: number }).processID) return
    const other = await connect()
    try {
      await other.query('begin')
      const taken = await sessionOf(other)
      for (let tries = 0; tries < TRIES; tries++) {
        if (taken === first || (await sessionOf(one)) !== first) throw new Error(REFUSAL)
      }
    } finally {
      await other.end()
    }
  } finally {
    await one.end()
  }
}

const REFUSAL =
  'the address leads to a pooler that shares sessions among clients (PgBouncer with pool_mode = transaction): ' +
  'set pool_mode = session for this database, or name PostgreSQL itself'

async function sessionOf(client: pg.Client): Promise<number> {
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid')
  return rows[0]!.pid
}
