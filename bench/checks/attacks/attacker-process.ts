import { existsSync, writeFileSync } from 'node:fs'
import { serve, yieldToOthers } from '../../harness/processes.js'
import { pause, under, type Attack, type Attacker } from './attacker.js'
import { CONNECTION_ATTACKS } from './connection-attacks.js'
import { DEAR_ATTACKS } from './dear-attacks.js'
import { openHostileReceivers } from './hostile-receivers.js'
import { OPERATION_ATTACKS } from './operation-attacks.js'

const ATTACKS = { ...OPERATION_ATTACKS, ...CONNECTION_ATTACKS, ...DEAR_ATTACKS }
export type AttackName = keyof typeof ATTACKS

// Attackers have machines of their own: this one's processors are the server's first.
yieldToOthers(process.pid)
// Where Linux groups processes by session, the priority counts within the session only; this is the session's.
if (existsSync('/proc/self/autogroup')) writeFileSync('/proc/self/autogroup', '19')

export interface Start {
  name: AttackName
  attacker: Attacker
  perSecond?: number
}

export interface Stop {
  outcomes: Record<string, number>
  perSecond: number
}

let isOver = true
let pace = { perSecond: Infinity, begun: 0, since: 0 }
let ended: Promise<unknown> = Promise.resolve()
const outcomes = new Map<string, number>()

serve({
  receivers: openHostileReceivers,

  /** @param perSecond turns at most, beyond those that begin at once; as many as can be when it is absent */
  async start({ name, attacker, perSecond = Infinity }: Start): Promise<void> {
    isOver = false
    pace = { perSecond, begun: 0, since: performance.now() }
    under.ending = new AbortController()
    outcomes.clear()
    const { workers, turn }: Attack = ATTACKS[name]
    ended = Promise.all(Array.from({ length: workers }, () => repeat(() => turn(attacker))))
  },

  /** @returns how often it was answered how, and how many turns a second began beyond the first of each worker */
  async stop(): Promise<Stop> {
    isOver = true
    const perSecond = (pace.begun * 1_000) / (performance.now() - pace.since)
    under.ending.abort()
    for (const each of under.open) each.destroy()
    await ended
    return { outcomes: Object.fromEntries(outcomes), perSecond }
  },
})

async function repeat(turn: () => Promise<string>): Promise<void> {
  while (!isOver) {
    const outcome = await turn().catch(() => 'cut')
    outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1)
    // What is refused at once is asked again at once, but for a moment in which the others of this process go on.
    await new Promise((resolve) => setTimeout(resolve, 2))
    if (!isOver) await nextTurn()
  }
}

/** Resolves when another turn may begin, or with the end of the attack. */
function nextTurn(): Promise<void> {
  const { perSecond, since } = pace
  pace.begun += 1
  const waitMs = since + (pace.begun * 1_000) / perSecond - performance.now()
  return waitMs > 0 ? pause(Math.min(waitMs, PAUSE_MS_MAX)) : Promise.resolve()
}

const PAUSE_MS_MAX = 60_000
