import pg from 'pg'
import { LOCK_WAIT_MS_MAX } from '../database-config.js'
import { TIMELINE } from './commit-outcome.js'

/** A statement that takes longer is canceled; maintenance and migrations set their own limits. */
const STATEMENT_MS_MAX = 30_000
/**
 * A transaction that is idle for longer is ended by the server: its process is stopped or its machine is gone. No step
 * between two of our statements takes a tenth of that.
 */
const IDLE_IN_TRANSACTION_MS_MAX = 10_000
/** The server closes a connection whose client answers no TCP probe: after 5 s of silence, then two more, 2 s apart. */
const KEEPALIVES = { idle: 5, interval: 2, count: 3 }
const UNACKNOWLEDGED_MS_MAX = 15_000
/** Longer than any statement may take: after that the network has lost the client or the server. */
export const SILENCE_MS_MAX = STATEMENT_MS_MAX + LOCK_WAIT_MS_MAX + 10_000
/** Limit for connecting to a host. */
export const CONNECT_MS_MAX = 3_000
/** Limit for waiting for a free connection of the pool. */
export const FREE_MS_MAX = 10_000
/** Idle time before this side sends TCP probes; libuv sends ten, a second apart. */
export const KEEPALIVE_MS = 5_000

/**
 * Our statements are short, but many take sets as JSON, of which PostgreSQL expects thousands of rows: it would compile each one anew
 * before it runs it, for 25 ms where the statement takes one.
 */
export const JIT = 'off'

/** The settings of a transaction whose session is shared with other clients of a pooler, and must stay as it is. */
export const localLimits = (lockWaitMs = LOCK_WAIT_MS_MAX): Record<string, number | string> => ({
  jit: JIT,
  statement_timeout: STATEMENT_MS_MAX,
  lock_timeout: lockWaitMs,
  idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION_MS_MAX,
})
/** The same as columns of a select. */
export const localLimitsSelected = (lockWaitMs: number): string =>
  Object.entries(localLimits(lockWaitMs))
    .map(([name, value]) => `set_config('${name}', '${value}', true)`)
    .join(', ')

const settingsOf = (lockWaitMs: number): string => `
set jit = ${JIT};
set statement_timeout = ${STATEMENT_MS_MAX};
set lock_timeout = ${lockWaitMs};
set idle_in_transaction_session_timeout = ${IDLE_IN_TRANSACTION_MS_MAX};
set tcp_keepalives_idle = ${KEEPALIVES.idle};
set tcp_keepalives_interval = ${KEEPALIVES.interval};
set tcp_keepalives_count = ${KEEPALIVES.count};
set tcp_user_timeout = ${UNACKNOWLEDGED_MS_MAX};
select ${TIMELINE} as timeline`

/**
 * The function in which PostgreSQL warns that a commit is durable on the primary but no longer waits for a synchronous
 * standby: the wait was cancelled, or the session is being ended. The warning's text depends on the server's language.
 */
const WAIT_FOR_STANDBY = 'SyncRepWaitForLSN'

/** State of a connection's session. */
interface Session {
  timeline: string
  /** True if the server warned that the commit may be lost in a failover. */
  isUnreplicated: boolean
  /** True if long silence is expected: during maintenance and migrations. */
  isPatient: boolean
}

const sessions = new WeakMap<object, Session>()

/** Internals of a connection of `pg` that its types leave out. */
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

/** Thrown when the server is a standby, which accepts no writes. The same may be tried again, for example after a failover. */
class StandbyRefused extends Error {
  /** `cannot_connect_now`, the code of a server that is starting. */
  readonly code = '57P03'

  constructor() {
    super('the server is a standby, in recovery: name the primary')
  }
}

/** Number of commits in this process that the server warned about. */
let unreplicatedCommits = 0

/**
 * Sets the limits of a new connection; must be awaited before the connection is used. Uses statements because poolers
 * refuse start-up parameters.
 * @param isPatient whether long silence is expected for now, as while migrations run
 * @param isShared whether a pooler gives each transaction another session, which must stay as it is
 * @param lockWaitMs maximum wait of a statement for a lock
 * @throws StandbyRefused
 */
export async function prepareSession(
  client: pg.ClientBase,
  isPatient: () => boolean = () => false,
  isShared = false,
  lockWaitMs = LOCK_WAIT_MS_MAX,
): Promise<void> {
  const timeline = isShared ? await readTimeline(client) : await setLimits(client, lockWaitMs)
  if (timeline === null) throw new StandbyRefused()
  const session: Session = { timeline, isUnreplicated: false, isPatient: false }
  sessions.set(client, session)
  client.on('notice', ({ routine }) => {
    if (routine !== WAIT_FOR_STANDBY) return
    session.isUnreplicated = true
    unreplicatedCommits += 1
  })
  // The pool closes an idle connection before that; a silent connection in use has lost the server.
  streamOf(client)?.setTimeout(SILENCE_MS_MAX, () => {
    if (!session.isPatient && !isPatient())
      cutConnection(client, `no answer from the database within ${SILENCE_MS_MAX} ms`)
  })
}

async function setLimits(client: pg.ClientBase, lockWaitMs: number): Promise<string | null> {
  const results = (await client.query(settingsOf(lockWaitMs))) as unknown as pg.QueryResult<{
    timeline: string | null
  }>[]
  return results.at(-1)!.rows[0]!.timeline
}

/** @throws StandbyRefused */
export async function readPrimaryTimeline(client: pg.ClientBase): Promise<string> {
  const timeline = await readTimeline(client)
  if (timeline === null) throw new StandbyRefused()
  return timeline
}

async function readTimeline(client: pg.ClientBase): Promise<string | null> {
  const { rows } = await client.query<{ timeline: string | null }>(`select ${TIMELINE} as timeline`)
  return rows[0]!.timeline
}

/** @throws StandbyRefused */
export async function requirePrimary(client: pg.ClientBase): Promise<void> {
  const { rows } = await client.query<{ isStandby: boolean }>('select pg_is_in_recovery() as "isStandby"')
  if (rows[0]!.isStandby) throw new StandbyRefused()
}

/** Allows a connection to be silent for long, for maintenance statements. */
export function setPatient(client: object, isPatient: boolean): void {
  const session = sessions.get(client)
  if (session) session.isPatient = isPatient
}

export function timelineOf(client: object): string | null {
  return sessions.get(client)?.timeline ?? null
}

/** Forgets earlier warnings; call before a COMMIT is sent. */
export function expectReplicated(client: object): void {
  const session = sessions.get(client)
  if (session) session.isUnreplicated = false
}

/** Returns whether the server has warned, since `expectReplicated`, that the commit may be lost in a failover. */
export function isUnreplicated(client: object): boolean {
  return sessions.get(client)?.isUnreplicated ?? false
}

/** Returns the number of such warnings on all connections of this process. */
export function countUnreplicated(): number {
  return unreplicatedCommits
}

/** Closes a connection whatever it is doing; its pending queries reject. */
export function cutConnection(client: object, reason: string): void {
  streamOf(client)?.destroy(new Error(`Connection terminated: ${reason}`))
}

/** Sends all queries issued before the next turn of the event loop in one write, which wakes PostgreSQL once. */
export function sendTogether(client: object): void {
  const stream = streamOf(client)
  if (!stream || stream.writableCorked > 0) return
  stream.cork()
  process.nextTick(() => stream.uncork())
}
