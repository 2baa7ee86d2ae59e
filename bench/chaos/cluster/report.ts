import type { Fault } from './faults.js'

export interface Outcome {
  /** Longest time without an acknowledged write. */
  silentS: number
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
}

export const heading = (): string[] => [
  '| Fault | Writers silent | Lost of acknowledged | Doubled | Refused | Events | Missed | Ghosts, untold | Snapshots | Silent holes |',
  '|-|-|-|-|-|-|-|-|-|-|',
]

/** What a screen shows wrongly without having been told. */
const holesOf = ({ missed, untold, wrong }: Outcome): number => missed + untold + wrong.length

export function line({ name }: Fault, outcome: Outcome): string {
  const { silentS, acknowledged, lost, doubled, unanswered, events, missed, ghosts, untold, resyncs } = outcome
  const cells = [
    name,
    `${silentS.toFixed(1)} s`,
    `${lost} of ${acknowledged}`,
    doubled,
    unanswered,
    events,
    missed,
    `${ghosts}, ${untold}`,
    resyncs,
    holesOf(outcome),
  ]
  return `| ${cells.join(' | ')} |`
}

/** @returns what of the outcome is not as promised, in words */
export function brokenPromises(fault: Fault, outcome: Outcome): string[] {
  const { name, silentMax, mayLose, mayRefuse } = fault
  const { silentS, acknowledged, lost, doubled, unanswered, resyncs, ghosts, wrong } = outcome
  const problems: [boolean, string][] = [
    [acknowledged < 50, `only ${acknowledged} writes: it proves nothing`],
    [silentMax !== null && silentS > silentMax, `${silentS.toFixed(1)} s without a write, of at most ${silentMax} s`],
    [!mayLose && lost > 0, `${lost} acknowledged writes are lost`],
    [doubled > 0, `${doubled} writes had their effect twice`],
    [!mayRefuse && unanswered > 0, `${unanswered} requests were refused`],
    [holesOf(outcome) > 0, `${holesOf(outcome)} silent holes ${wrong.join('; ')}`],
    [!mayLose && resyncs > 0, `${resyncs} snapshots in the place of events`],
    [mayLose && lost === 0 && ghosts === 0, 'nothing was lost: it proves nothing'],
  ]
  return problems.filter(([isBroken]) => isBroken).map(([, what]) => `${name}: ${what}`)
}
