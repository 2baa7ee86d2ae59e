import { spawn } from 'node:child_process'
import { mkdtemp, readdir, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { fingerprintOf, readDataTables } from '../../src/app/backup/data-tables.js'
import { connect } from '../../src/app/backup/source.js'
import type { Bench } from '../harness/bench.js'
import { createDatabase, type BenchDatabase } from '../harness/database.js'
import { isQuick, short, type Check } from '../harness/figures.js'
import { seedLargeTenant } from '../harness/large-tenant.js'

const CONVERSATIONS = Number(process.env.BENCH_CONVERSATIONS ?? 100_000)
const MESSAGES_EACH = 3
const MB = 1_000_000

/** `npm run backup`, `restore` and `move` of a contact center's history, as an operator runs them. */
export async function benchBackup(bench: Bench): Promise<Check[]> {
  const conversations = isQuick() ? 100 : CONVERSATIONS
  const { seeder, databaseUrl } = bench
  const seed = await seeder.organization(20)
  const messages = conversations * MESSAGES_EACH
  const steps = new Steps()
  await seedLargeTenant(seeder, seed, { conversations, messages, longConversation: 0 }, (done) =>
    steps.tell(`${short(done)} conversations`),
  )
  for (const statement of [STREAMS, EVENTS]) await seeder.query(statement)
  steps.tell('their events')
  const [row] = await seeder.query<{ size: string }>('select pg_database_size(current_database()) as size')
  const databaseMb = Number(row!.size) / MB
  const folder = await mkdtemp(join(tmpdir(), 'switchboard-backup-bench-'))
  const targets: BenchDatabase[] = []
  try {
    const backup = join(folder, 'backup')
    const dataDir = join(folder, 'data')
    const backupS = await run('backup', backup, { DATABASE_URL: databaseUrl, DATA_DIR: dataDir })
    steps.tell('backup')
    const backupMb = (await sizeOf(backup)) / MB
    const restored = await createDatabase(databaseUrl, 'restored')
    targets.push(restored)
    const restoreS = await run('restore', backup, { DATABASE_URL: restored.url, DATA_DIR: dataDir })
    steps.tell('restore')
    const moved = await createDatabase(databaseUrl, 'moved')
    targets.push(moved)
    const moveS = await run('move', moved.url, { DATABASE_URL: restored.url, DATA_DIR: dataDir })
    steps.tell('move')
    // Not by what the commands say: read anew. The server is running, and adds to none of them.
    const [of, ofRestored, ofMoved] = await Promise.all([sums(databaseUrl), sums(restored.url), sums(moved.url)])
    steps.tell('sums of all three')
    const rows = [...of.values()].reduce((sum, { count }) => sum + count, 0)
    return [
      {
        name: `backup, restore and move of ${short(conversations)} conversations`,
        aim: 'equal counts and sums of all tables',
        failures: [
          ...differencesOf(of, ofRestored).map((table) => `${table} differs after the restore`),
          ...differencesOf(of, ofMoved).map((table) => `${table} differs after the move`),
        ],
        found: [
          `${short(rows)} rows of ${of.size} tables, ${short(databaseMb)} MB with indexes`,
          `backup ${short(backupS)} s, ${short(backupMb)} MB on disk (the server running)`,
          `restore ${short(restoreS)} s`,
          `move ${short(moveS)} s`,
        ],
        how:
          `${short(conversations)} conversations with their contacts, ${MESSAGES_EACH} messages each and the events of ` +
          `these; each command in a process of its own, to databases of the same PostgreSQL; then the number and a sum ` +
          `of the rows of each table, read from all three.`,
      },
    ]
  } finally {
    for (const target of targets) await target.close()
    await rm(folder, { recursive: true, force: true })
  }
}

/** Tells each step when it is done: all of them take minutes. */
class Steps {
  readonly #startedAt = performance.now()

  tell(done: string): void {
    const seconds = Math.round((performance.now() - this.#startedAt) / 1_000)
    process.stdout.write(`    after ${seconds} s: ${done}\n`)
  }
}

/** @returns its duration in seconds. @throws Error with what it said */
async function run(command: string, target: string, env: Record<string, string>): Promise<number> {
  const program = fileURLToPath(new URL('../../src/backup-main.js', import.meta.url))
  const startedAt = performance.now()
  const child = spawn(process.execPath, [program, command, target], {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  let said = ''
  child.stderr.on('data', (chunk: Buffer) => (said += chunk.toString()))
  const code = await new Promise<number | null>((resolve) => void child.once('close', resolve))
  if (code !== 0) throw new Error(`${command} ended with ${code}: ${said}`)
  return (performance.now() - startedAt) / 1_000
}

async function sizeOf(folder: string): Promise<number> {
  const entries = await readdir(folder, { recursive: true })
  const sizes = await Promise.all(entries.map(async (entry) => (await stat(join(folder, entry))).size))
  return sizes.reduce((sum, size) => sum + size, 0)
}

type Sums = Map<string, { count: number; sum: string }>

async function sums(url: string): Promise<Sums> {
  const client = await connect(url)
  try {
    const found: Sums = new Map()
    for (const table of await readDataTables(client)) {
      const { rows, sum } = await fingerprintOf(client, table)
      found.set(table.name, { count: Number(rows), sum })
    }
    return found
  } finally {
    await client.end()
  }
}

function differencesOf(one: Sums, other: Sums): string[] {
  return [...one].flatMap(([table, { count, sum }]) => {
    const there = other.get(table)
    return there?.count === count && there.sum === sum ? [] : [table]
  })
}

const STREAMS = `
insert into stream (name, head, tag) select 'conversation:' || id, message_count, 1 from conversation`

const EVENTS = `
insert into event (stream, number, type, at, tag, previous, data)
select 'conversation:' || m.conversation_id, m.position, 'message.added', m.created_at, 1, 1,
  jsonb_build_object('message', jsonb_build_object('id', m.id, 'conversationId', m.conversation_id, 'position', m.position,
    'type', m.type, 'role', m.role, 'text', m.text, 'organizationId', m.organization_id, 'createdAt', m.created_at,
    'updatedAt', m.updated_at, 'isBackchannel', false, 'likes', '[]'::jsonb, 'actions', '[]'::jsonb))
from message m join stream s on s.name = 'conversation:' || m.conversation_id`
