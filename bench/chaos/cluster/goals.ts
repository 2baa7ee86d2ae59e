import type { Judgement } from '../problems.js'
import type { Fault } from './faults.js'
import type { Outcome } from './report.js'

/** A promise that an outsider can check. */
export interface Goal {
  name: string
  concerns(fault: Fault): boolean
  /** @returns what is not as promised; null when it is */
  broken(outcome: Outcome, fault: Fault): string | null
}

export interface Run {
  fault: Fault
  outcome: Outcome
}

/** Commits are checked every second, and one may be 5 s old. */
const READY_WITHOUT_COMMITS_S_MAX = 7
const READY_AGAIN_S_MAX = 5
const LATE_MS_MAX = 3_000
const SPREAD_S = { least: 3, most: 6 }
/**
 * Part of the sockets closed in one second, of those that a node closes over 5 s; some more for those that a few make
 * up.
 */
const SHARE_MAX = 0.4
/** A node has less luck than the better one of two. */
const NODE_S = 1
/** Time that the product may add to the silence of a bare connection. */
const ADDED_S_MAX = 1
const WRITES_MIN = 50

const always = (): boolean => true
const some = (count: number, what: string): string | null => (count === 0 ? null : `${count} ${what}`)

const ACROSS: readonly Goal[] = [
  {
    name: 'no acknowledged write is lost while a standby is synchronous',
    concerns: ({ mayLose }) => !mayLose,
    broken: ({ acknowledged, lost }) =>
      acknowledged < WRITES_MIN ? `only ${acknowledged} writes: it proves nothing` : some(lost, 'lost'),
  },
  { name: 'no write has its effect twice', concerns: always, broken: ({ doubled }) => some(doubled, 'twice') },
  {
    name: 'no screen misses an event or shows what is not so, without being told',
    concerns: always,
    broken: ({ missed, untold, wrong }) =>
      some(missed + untold + wrong.length, `silent holes (${missed} missed, ${untold} ghosts, ${wrong.length} wrong)`),
  },
  {
    name: 'events are not replaced by snapshots where nothing was lost',
    concerns: ({ mayLose }) => !mayLose,
    broken: ({ resyncs }) => some(resyncs, 'snapshots'),
  },
  {
    name: 'who saw what is lost is told by a snapshot',
    concerns: ({ mayLose }) => mayLose,
    broken: ({ lost, ghosts, untold }) =>
      lost === 0 && ghosts === 0 ? 'nothing was lost: it proves nothing' : some(untold, 'ghosts, untold'),
  },
  {
    name: 'webhooks: every message is delivered',
    concerns: always,
    broken: ({ deliveries: { expected, missing } }) =>
      expected === 0 ? 'no message: it proves nothing' : some(missing, `of ${expected} not delivered`),
  },
  {
    name: 'webhooks: no id is given to two messages, also after a loss',
    concerns: always,
    broken: ({ deliveries }) => some(deliveries.shared, 'ids of two messages'),
  },
  {
    name: `what was delayed happens once, at most ${LATE_MS_MAX / 1_000} s after others can write`,
    concerns: ({ mayLose }) => !mayLose,
    broken: ({ delayed: { lost, doubled, lateMs } }) =>
      some(lost, 'lost') ?? some(doubled, 'twice') ?? (lateMs > LATE_MS_MAX ? `${Math.round(lateMs)} ms late` : null),
  },
  {
    name: 'no rule takes a watched channel to be without agents',
    concerns: always,
    broken: ({ believedOffline }) => some(believedOffline, 'decisions'),
  },
  {
    name: 'nothing is answered with INTERNAL_SERVER_ERROR or 500',
    concerns: always,
    broken: ({ internal }) => some(internal, 'requests'),
  },
  {
    name: 'what has not begun waits for the database, and is not refused before 10 s',
    concerns: always,
    broken: ({ hasty }) => some(hasty, 'requests'),
  },
  {
    name: `a node without commits is not ready after ${READY_WITHOUT_COMMITS_S_MAX} s`,
    concerns: always,
    broken: ({ readyWithoutCommitsS }) =>
      (readyWithoutCommitsS ?? 0) > READY_WITHOUT_COMMITS_S_MAX ? `${readyWithoutCommitsS!.toFixed(1)} s` : null,
  },
  {
    name: `and ready again within ${READY_AGAIN_S_MAX} s`,
    concerns: ({ restartsNodes }) => !restartsNodes,
    broken: ({ readyAgainS }) =>
      readyAgainS === null || readyAgainS > READY_AGAIN_S_MAX ? `${readyAgainS?.toFixed(1) ?? 'never'} s` : null,
  },
  {
    name: 'sockets of subscribers stay open',
    concerns: ({ restartsNodes }) => !restartsNodes,
    broken: ({ closes }) => some(closes, 'closed'),
  },
  {
    name: 'a node that ends closes its sockets with 1012, evenly over 5 s, and exits with 0',
    concerns: ({ restartsNodes }) => Boolean(restartsNodes),
    broken: ({ drained }) =>
      drained
        .filter(({ sockets }) => sockets >= 5)
        .map(({ sockets, spreadS, shareMax, otherCodes }) => {
          const isEven = spreadS >= SPREAD_S.least && spreadS <= SPREAD_S.most && shareMax <= SHARE_MAX
          return isEven && otherCodes === 0
            ? null
            : `${sockets} in ${spreadS.toFixed(1)} s, ${Math.round(shareMax * 100)} % in one, ${otherCodes} otherwise`
        })
        .find((each) => each !== null) ?? null,
  },
  {
    name: 'both nodes write afterwards: by several hosts, and through PgBouncer',
    concerns: always,
    broken: ({ nodesWriting }) => (nodesWriting < 2 ? `${nodesWriting} of 2` : null),
  },
  {
    name: 'lists from replicas show what their reader wrote',
    concerns: always,
    broken: ({ ownReads, ownHidden, replicaReads }) =>
      ownReads === 0 || replicaReads === 0
        ? `${ownReads} reads, ${replicaReads} by replicas: it proves nothing`
        : some(ownHidden, `of ${ownReads} not shown`),
  },
]

/** The goals across all faults, and those of each fault. */
export function goalsOf(faults: readonly Fault[]): Goal[] {
  const own = faults.flatMap((fault): Goal[] => {
    const concerns = ({ name }: Fault) => name === fault.name
    const goals: Goal[] = []
    const { silentMax } = fault
    if (silentMax !== null) {
      goals.push({
        name: `${fault.name}: writers resume within ${silentMax} s`,
        concerns,
        broken: ({ silentS, directS }) =>
          silentS > silentMax ? `${silentS.toFixed(1)} s, a bare connection ${directS.toFixed(1)} s` : null,
      })
    }
    if (silentMax !== null && !fault.restartsNodes && !fault.sparesDatabase) {
      goals.push({
        name: `${fault.name}: writers resume at most ${ADDED_S_MAX} s later than a bare connection to PostgreSQL`,
        concerns,
        broken: ({ silentS, directS }) =>
          silentS > directS + ADDED_S_MAX ? `${(silentS - directS).toFixed(1)} s later` : null,
      })
    }
    if (silentMax !== null && !fault.restartsNodes) {
      goals.push({
        name: `${fault.name}: each node, asked for itself, within ${silentMax + NODE_S} s`,
        concerns,
        broken: ({ nodesS, directS }) => {
          const worst = Math.max(...nodesS)
          return worst > silentMax + NODE_S ? `${worst.toFixed(1)} s, a bare connection ${directS.toFixed(1)} s` : null
        },
      })
    }
    if (!fault.mayRefuse) {
      goals.push({
        name: `${fault.name}: no request is refused`,
        concerns,
        broken: ({ unanswered }) => some(unanswered, 'refused'),
      })
    }
    return goals
  })
  return [...ACROSS, ...own]
}

/** A line for each goal. @returns the lines, and those of broken goals */
export function judgeGoals(faults: readonly Fault[], runs: readonly Run[]): Judgement {
  const lines: string[] = []
  const problems: string[] = []
  for (const [index, { name, concerns, broken }] of goalsOf(faults).entries()) {
    const concerned = runs.filter(({ fault }) => concerns(fault))
    const failures = concerned.flatMap(({ fault, outcome }) => {
      const what = broken(outcome, fault)
      return what === null ? [] : [`${fault.name}: ${what}`]
    })
    const verdict =
      concerned.length === 0 ? 'not run' : failures.length === 0 ? `met in ${concerned.length}` : failures.join('; ')
    lines.push(`${String(index + 1).padStart(2)}. ${name}: ${verdict}`)
    if (failures.length > 0) problems.push(`${name}: ${failures.join('; ')}`)
  }
  return { lines, problems }
}
