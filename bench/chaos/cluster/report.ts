import type { Fault } from './faults.js'
import type { Observed } from './observation.js'

export interface Outcome extends Observed {
  /** Longest time without an acknowledged write. */
  silentS: number
  /** The slowest request that was answered. */
  slowestS: number
  acknowledged: number
  lost: number
  doubled: number
  /** Requests that were answered with an error, or not at all; their clients repeat them. */
  unanswered: number
  reasons: string[]
  events: number
  missed: number
  ghosts: number
  untold: number
  resyncs: number
  wrong: string[]
  /** Nodes that take a write at the end, each asked for itself. */
  nodesWriting: number
}

export const heading = (): string[] => [
  '| Fault | Writers silent | Each node | Bare PostgreSQL | Lost of acknowledged | Doubled | Refused | Events | Missed | Ghosts, untold | Snapshots | Wrong screens | Sockets closed | Delayed late | Replica reads |',
  '|-|-|-|-|-|-|-|-|-|-|-|-|-|-|-|',
]

export function line({ name }: Fault, outcome: Outcome): string {
  const {
    silentS,
    nodesS,
    nodesLaterS,
    directS,
    acknowledged,
    lost,
    doubled,
    unanswered,
    events,
    missed,
    ghosts,
    untold,
  } = outcome
  const { resyncs, wrong, closes, delayed, replicaReads } = outcome
  const cells = [
    name,
    `${silentS.toFixed(1)} s`,
    nodesS.map((each, index) => `${each.toFixed(1)} s (${nodesLaterS[index]!.toFixed(1)} later)`).join(', '),
    `${directS.toFixed(1)} s`,
    `${lost} of ${acknowledged}`,
    doubled,
    unanswered,
    events,
    missed,
    `${ghosts}, ${untold}`,
    resyncs,
    wrong.length,
    closes,
    `${(delayed.lateMs / 1_000).toFixed(1)} s`,
    replicaReads,
  ]
  return `| ${cells.join(' | ')} |`
}
