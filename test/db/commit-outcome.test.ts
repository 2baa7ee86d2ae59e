import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import pg from 'pg'
import { confirmCommit, TIMELINE, type TransactionId } from '../../src/platform/db/commit-outcome.js'
import { startEmbeddedPostgres, type EmbeddedPostgres } from '../../src/platform/db/embedded-postgres.js'
import { OutcomeUnknown } from '../../src/platform/errors.js'
import { until } from '../support/until.js'

const log = { info: () => undefined, warn: () => undefined }
let dataDir: string
let postgres: EmbeddedPostgres
beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'switchboard-outcome-'))
  postgres = await startEmbeddedPostgres({ dataDir, log })
})
afterAll(async () => {
  await postgres?.stop()
  await rm(dataDir, { recursive: true, force: true })
})

async function connect(): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: postgres.url })
  client.on('error', () => undefined)
  await client.connect()
  return client
}

const connectAgain = (): Promise<pg.Client> => until(() => connect().catch(() => null))

const BEGUN = `select pg_current_xact_id()::text as xid, ${TIMELINE} as timeline`
const LOST = new Error('the answer was lost')
const begun = async (client: pg.Client): Promise<TransactionId> => (await client.query<TransactionId>(BEGUN)).rows[0]!

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

/** Sends what `pg_ctl restart -m immediate` does: a crash. The embedded server is started again. */
async function crash(): Promise<void> {
  const file = await readFile(join(dataDir, 'postgres', 'postmaster.pid'), 'utf8')
  const pid = Number(file.split('\n', 1)[0])
  process.kill(pid, 'SIGQUIT')
  await until(() => !isRunning(pid))
}

interface BegunAgain {
  lost: TransactionId
  other: pg.Client
}

/**
 * Loses transactions in a crash of which nothing was written, and begins others until one has the id of one of them: the
 * server itself may take some ids.
 * @param end of that other transaction; null leaves it open
 */
async function begunAgain(end: 'commit' | null): Promise<BegunAgain> {
  // A server that notes in its log how far the ids go, as it does every fifteen seconds, gives none of them again.
  return until(() => crashAndBegin(end))
}

/** @returns null when no id was given again */
async function crashAndBegin(end: 'commit' | null): Promise<BegunAgain | null> {
  const clients = await Promise.all(Array.from({ length: 8 }, connect))
  const lost = new Map<string, TransactionId>()
  for (const client of clients) {
    await client.query('begin')
    const transaction = await begun(client)
    lost.set(transaction.xid, transaction)
  }
  await crash()
  const other = await connectAgain()
  for (;;) {
    await other.query('begin')
    const { xid } = await begun(other)
    const found = lost.get(xid)
    if (found && end) await other.query(end)
    if (found) return { lost: found, other }
    await other.query('rollback')
    if (BigInt(xid) > BigInt([...lost.keys()].at(-1)!)) break
  }
  await other.end()
  return null
}

describe('the outcome of a COMMIT whose answer was lost', () => {
  it('is determined by PostgreSQL', async () => {
    const client = await connect()
    await client.query('begin')
    const committed = await begun(client)
    await client.query('commit')
    await client.query('begin')
    const aborted = await begun(client)
    await client.query('rollback')
    await client.end()
    await confirmCommit(connect, committed, LOST)
    await expect(confirmCommit(connect, aborted, LOST)).rejects.toBe(LOST)
  })

  it('is not that of another transaction to which a crashed server gave its id again', async () => {
    const { lost, other } = await begunAgain('commit')
    await expect(confirmCommit(connect, lost, LOST)).rejects.toBeInstanceOf(OutcomeUnknown)
    await other.end()
  })

  it('is that of what it left behind, where its id belongs to another transaction', async () => {
    const { lost, other } = await begunAgain('commit')
    const proof = (table: string) => ({ text: 'select from pg_class where relname = $1', values: [table] })
    await expect(confirmCommit(connect, { ...lost, proof: proof('no_such_table') }, LOST)).rejects.toBe(LOST)
    await confirmCommit(connect, { ...lost, proof: proof('pg_class') }, LOST)
    await other.end()
  })

  it('does not end another transaction that has its id now', async () => {
    const { lost, other } = await begunAgain(null)
    await expect(confirmCommit(connect, lost, LOST)).rejects.toBe(LOST)
    await other.query('commit')
    await other.end()
  })
})
