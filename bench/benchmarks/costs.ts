import type { Bench, HttpResult } from '../harness/bench.js'
import { isQuick, short, type Check } from '../harness/figures.js'
import { cpuOf } from '../harness/processes.js'
import type { Seeder } from '../harness/seed.js'
import { openAgentSends } from './agent-sends.js'
import { Scene } from './inbound/inbound.js'

const MS = 5_000
const WARM_UP_MS = 3_000
const CONVERSATIONS = 1_000

/** Measures what one send and one create cost the database and its disk: the figures of `docs/operating/scaling.md`. */
export async function benchCosts(bench: Bench): Promise<Check[]> {
  const ms = isQuick() ? 200 : MS
  const { send } = await openAgentSends(bench, { conversations: CONVERSATIONS, concurrency: 16 })
  const scene = await Scene.make(bench, { workflow: true, channels: 1 })
  const create = (concurrency: number, forMs: number) => scene.create(concurrency, forMs)
  await send(WARM_UP_MS)
  await create(16, WARM_UP_MS)
  const found: string[] = []
  for (const concurrency of [1, 16, 64]) {
    found.push(await measure(bench, `send, ${concurrency} at once`, () => send(ms, concurrency)))
  }
  for (const concurrency of [1, 16, 64]) {
    found.push(await measure(bench, `create, ${concurrency} at once`, () => create(concurrency, ms)))
  }
  return [
    {
      name: 'what a send and a create cost',
      aim: 'none: figures for scaling',
      failures: [],
      found,
      how:
        `An agent's message, and a consumer's first message with contact and conversation, routed by 20 rules, over HTTP ` +
        `GraphQL for ${ms / 1_000} s each. WAL by its position; commits and fsyncs by the server's statistics; disk by the ` +
        `size of all tables with their indexes; CPU of all processes of PostgreSQL that are connected to the database or ` +
        `run in the background.`,
    },
  ]
}

interface Reading {
  wal: number
  commits: number
  fsyncs: number
  fullPages: number
  /** By process. */
  cpuMicros: Map<number, number>
  sizes: Map<string, number>
}

async function measure({ seeder }: Bench, name: string, run: () => Promise<HttpResult>): Promise<string> {
  const before = await read(seeder)
  const { done, perSecond, serverMicrosEach } = await run()
  const after = await read(seeder)
  const each = (of: (reading: Reading) => number): number => (of(after) - of(before)) / done
  const grown = [...after.sizes]
    .map(([table, size]) => [table, (size - (before.sizes.get(table) ?? 0)) / done] as const)
    .filter(([, size]) => size >= 20)
    .sort(([, one], [, other]) => other - one)
  // What a process used that has ended since is not known.
  const cpu = [...after.cpuMicros].reduce((sum, [pid, used]) => sum + used - (before.cpuMicros.get(pid) ?? 0), 0) / done
  const disk = grown.reduce((sum, [, size]) => sum + size, 0)
  return (
    `${name}: ${short(perSecond)} a second; ${short(each(({ wal }) => wal) / 1_000)} KB of WAL ` +
    `(${short(each(({ fullPages }) => fullPages))} full pages), ${short(each(({ commits }) => commits))} commits, ` +
    `${short(each(({ fsyncs }) => fsyncs))} fsyncs; CPU of the server ${short(serverMicrosEach / 1_000)} ms, of PostgreSQL ` +
    `${short(cpu / 1_000)} ms; disk ${short(disk / 1_000)} KB ` +
    `(${grown.map(([table, size]) => `${table} ${short(size / 1_000)}`).join(', ')})`
  )
}

async function read(seeder: Seeder): Promise<Reading> {
  // Statistics of busy sessions come a second late.
  await new Promise((resolve) => setTimeout(resolve, isQuick() ? 0 : 1_500))
  const [row] = await seeder.query<Record<'wal' | 'commits' | 'fsyncs' | 'fullPages', string>>(COUNTERS)
  const pids = await seeder.query<{ pid: number }>('select pid from pg_stat_activity where pid <> pg_backend_pid()')
  const sizes = await seeder.query<{ name: string; size: string }>(SIZES)
  return {
    wal: Number(row!.wal),
    commits: Number(row!.commits),
    fsyncs: Number(row!.fsyncs),
    fullPages: Number(row!.fullPages),
    cpuMicros: new Map(pids.map(({ pid }) => [pid, cpuOf(pid)])),
    sizes: new Map(sizes.map(({ name, size }) => [name, Number(size)])),
  }
}

const COUNTERS = `
select pg_current_wal_insert_lsn() - '0/0'::pg_lsn as wal,
  (select xact_commit from pg_stat_database where datname = current_database()) as commits,
  (select sum(fsyncs) from pg_stat_io where object = 'wal') as fsyncs,
  (select wal_fpi from pg_stat_wal) as "fullPages"`

/** Partitions count with their table. */
const SIZES = `
select coalesce(p.inhparent, c.oid)::regclass::text as name, sum(pg_total_relation_size(c.oid)) as size
from pg_class c left join pg_inherits p on p.inhrelid = c.oid
where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' group by 1`
