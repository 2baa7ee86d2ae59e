import pg from 'pg'
import { TIMELINE } from './commit-outcome.js'

/** A statement that takes longer is ended; maintenance and migrations set limits of their own. */
const STATEMENT_MS_MAX = 30_000
/** A statement waits no longer for a lock. */
const LOCK_WAIT_MS_MAX = 5_000
/**
 * A transaction that says nothing for so long is ended by the server: its process is stopped, or its machine is gone. No
 * step of ours between two statements takes a tenth of that.
 */
const IDLE_IN_TRANSACTION_MS_MAX = 10_000
/** The server gives a connection up whose other end answers no probe: after 5 s of silence, twice more at 2 s each. */
const KEEPALIVES = { idle: 5, interval: 2, count: 3 }
const UNACKNOWLEDGED_MS_MAX = 15_000
/** Past the limit of statements, the server would have answered: the network has lost one of the two. */
export const SILENCE_MS_MAX = STATEMENT_MS_MAX + LOCK_WAIT_MS_MAX + 10_000
/** For a connection, and for one of the pool to become free. */
export const CONNECT_MS_MAX = 10_000
/** TCP probes of ours begin after so long; libuv sends ten, a second apart. */
export const KEEPALIVE_MS = 5_000

const SETTINGS = `
set statement_timeout = ${STATEMENT_MS_MAX};
set lock_timeout = ${LOCK_WAIT_MS_MAX};
set idle_in_transaction_session_timeout = ${IDLE_IN_TRANSACTION_MS_MAX};
set tcp_keepalives_idle = ${KEEPALIVES.idle};
set tcp_keepalives_interval = ${KEEPALIVES.interval};
set tcp_keepalives_count = ${KEEPALIVES.count};
set tcp_user_timeout = ${UNACKNOWLEDGED_MS_MAX};
select ${TIMELINE} as timeline`

/** What is known of a connection's session. */
interface Session {
  timeline: string | null
  /** It may be silent for long: maintenance, migrations. */
  isPatient: boolean
}

const sessions = new WeakMap<object, Session>()

/** The connection of `pg`, which its types leave out. */
interface Wired {
  connection?: {
    stream?: {
      writableCorked: number
      cork(): void
      uncork(): void
      destroy(error?: Error): void
      setTimeout(ms: number, onTimeout: () => void): void
    }
  }
}

const streamOf = (client: object) => (client as Wired).connection?.stream

/**
 * Sets a new connection's limits; to be awaited before it is used. Statements, since poolers refuse start-up parameters.
 * @param isPatient whether silence is no loss for now: while migrations run
 */
export async function prepareSession(client: pg.ClientBase, isPatient: () => boolean = () => false): Promise<void> {
  const results = (await client.query(SETTINGS)) as unknown as pg.QueryResult<{ timeline: string | null }>[]
  const session: Session = { timeline: results.at(-1)!.rows[0]!.timeline, isPatient: false }
  sessions.set(client, session)
  // An idle connection is closed by the pool before that; one in use gets its answer, or has lost the server.
  streamOf(client)?.setTimeout(SILENCE_MS_MAX, () => {
    if (!session.isPatient && !isPatient())
      cutConnection(client, `no answer of the database within ${SILENCE_MS_MAX} ms`)
  })
}

/** For the statements of maintenance: the silence of a long one is no loss. */
export function setPatient(client: object, isPatient: boolean): void {
  const session = sessions.get(client)
  if (session) session.isPatient = isPatient
}

export function timelineOf(client: object): string | null {
  return sessions.get(client)?.timeline ?? null
}

/** Ends a connection whatever it is doing; what it was asked is rejected. */
export function cutConnection(client: object, reason: string): void {
  streamOf(client)?.destroy(new Error(`Connection terminated: ${reason}`))
}

/** What is sent before the process turns to something else goes out in one write, and wakes PostgreSQL once. */
export function sendTogether(client: object): void {
  const stream = streamOf(client)
  if (!stream || stream.writableCorked > 0) return
  stream.cork()
  process.nextTick(() => stream.uncork())
}
