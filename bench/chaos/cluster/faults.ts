import { renameSync } from 'node:fs'
import { join } from 'node:path'
import { sleep } from '../victim.js'
import type { Cluster } from './cluster.js'
import { SESSIONS } from './engines.js'
import { takeBaseBackup, USER } from './machine.js'

export interface Fault {
  name: string
  /** In seconds without an acknowledged write; null: not promised. */
  silentMax: number | null
  /** True if a request may be answered with an error. */
  mayRefuse: boolean
  /** True if acknowledged writes may be lost: every subscriber must then be told. */
  mayLose: boolean
  /** True if nodes end and come back, and their sockets with them. */
  restartsNodes?: boolean
  /** True if PostgreSQL itself serves on, so that a silence is of what stands before it. */
  sparesDatabase?: boolean
  /** Resolves when what was taken is back, or given back. */
  inject(cluster: Cluster): Promise<void>
}

const PAUSED_MS = 15_000
const HELD_MS = 8_000
const LAG_MS = 2_000
/** Until Patroni has done what its settings say. */
const SETTLED_MS = 4_000

export const FAULTS: readonly Fault[] = [
  {
    ...{ name: "primary's machine killed", silentMax: 15, mayRefuse: true, mayLose: false },
    async inject(cluster) {
      const machine = await cluster.leader()
      await machine.kill()
      await sleep(12_000)
      machine.start(cluster.machines)
    },
  },
  {
    ...{ name: 'PostgreSQL alone killed', silentMax: 8, mayRefuse: true, mayLose: false },
    inject: async (cluster) => (await cluster.leader()).killPostgres(),
  },
  {
    ...{ name: 'switchover', silentMax: 3, mayRefuse: false, mayLose: false },
    inject: (cluster) => cluster.switchover(),
  },
  {
    // A new primary does not wait for its first standby.
    ...{ name: 'switchover, synchronous but not strict', silentMax: 3, mayRefuse: false, mayLose: false },
    async inject(cluster) {
      await cluster.configure({ synchronous_mode_strict: false })
      await sleep(SETTLED_MS)
      await cluster.switchover()
      await cluster.untilHealthy()
      await cluster.configure({ synchronous_mode_strict: true })
      await sleep(SETTLED_MS)
    },
  },
  {
    // Without a request for a switchover in etcd, for which Patroni's other members sleep 2 s before they follow.
    ...{ name: "primary's Patroni restarted", silentMax: 3, mayRefuse: false, mayLose: false },
    async inject(cluster) {
      const machine = await cluster.leader()
      // What a switchover does, too: the end waits for less to be written.
      await cluster.checkpoint()
      await machine.stopDatabase()
      machine.startPatroni(cluster.machines)
    },
  },
  {
    ...{ name: 'synchronous standby held 8 s', silentMax: 10, mayRefuse: false, mayLose: false },
    async inject(cluster) {
      const machine = await cluster.synchronous()
      machine.freeze()
      await sleep(HELD_MS)
      machine.resume()
    },
  },
  {
    ...{ name: 'primary paused 15 s, then back', silentMax: 15, mayRefuse: true, mayLose: false },
    async inject(cluster) {
      const machine = await cluster.leader()
      machine.freeze()
      await sleep(PAUSED_MS)
      machine.resume()
    },
  },
  {
    ...{ name: 'etcd away 10 s', silentMax: 3, mayRefuse: false, mayLose: false },
    async inject(cluster) {
      for (const machine of cluster.machines) machine.signalEtcd('SIGSTOP')
      await sleep(10_000)
      for (const machine of cluster.machines) machine.signalEtcd('SIGCONT')
    },
  },
  {
    ...{ name: 'PgBouncer killed and started', silentMax: 3, mayRefuse: true, mayLose: false },
    sparesDatabase: true,
    async inject(cluster) {
      await cluster.pooler.kill()
      await sleep(1_000)
      cluster.pooler.start()
    },
  },
  {
    ...{ name: 'links cut 10 times', silentMax: 3, mayRefuse: false, mayLose: false },
    sparesDatabase: true,
    async inject(cluster) {
      for (let times = 0; times < 10; times++) {
        for (const link of cluster.links) link.cut()
        await sleep(500)
      }
    },
  },
  {
    ...{ name: 'both nodes restarted in turn', silentMax: 1, mayRefuse: false, mayLose: false },
    restartsNodes: true,
    async inject(cluster) {
      for (const index of cluster.nodes.keys()) await cluster.restart(index)
    },
  },
  {
    ...{ name: 'a node by PgBouncer in session mode, machine killed', silentMax: 15, mayRefuse: true, mayLose: false },
    restartsNodes: true,
    async inject(cluster) {
      const url = `postgresql://${USER}@127.0.0.1:${cluster.pooler.port}/${SESSIONS}`
      await cluster.restart(1, { DATABASE_URL: url, DATABASE_POOLER: '', DATABASE_DIRECT_URL: '' })
      const machine = await cluster.leader()
      await machine.kill()
      await sleep(12_000)
      machine.start(cluster.machines)
      await cluster.untilHealthy()
      await cluster.restart(1)
    },
  },
  {
    ...{ name: 'asynchronous, 2 s behind, machine killed', silentMax: 15, mayRefuse: true, mayLose: true },
    async inject(cluster) {
      await cluster.configure({ synchronous_mode: false, synchronous_mode_strict: false })
      await sleep(SETTLED_MS)
      const leader = await cluster.leader()
      leader.replication.pause()
      await sleep(LAG_MS)
      await leader.kill()
      await sleep(10_000)
      leader.start(cluster.machines)
      await cluster.untilHealthy(false)
      await cluster.configure({ synchronous_mode: true, synchronous_mode_strict: true })
    },
  },
  {
    ...{ name: 'base backup restored', silentMax: null, mayRefuse: true, mayLose: true },
    async inject(cluster) {
      const [first, ...others] = cluster.machines
      const backup = join(cluster.folder, 'backup')
      takeBaseBackup((await cluster.leader()).at.postgres, backup)
      await sleep(3_000)
      await Promise.all(cluster.machines.map((machine) => machine.stopDatabase()))
      await cluster.forget()
      for (const machine of cluster.machines) machine.wipe()
      renameSync(backup, first!.data)
      first!.startPatroni(cluster.machines)
      await sleep(3_000)
      for (const machine of others) machine.startPatroni(cluster.machines)
    },
  },
]
