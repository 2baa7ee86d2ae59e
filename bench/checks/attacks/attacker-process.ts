import { existsSync, writeFileSync } from 'node:fs'
import { setPriority } from 'node:os'
import { serve } from '../../harness/processes.js'
import { under, type Attack, type Attacker } from './attacker.js'
import { CONNECTION_ATTACKS } from './connection-attacks.js'
import { DEAR_ATTACKS } from './dear-attacks.js'
import { openHostileReceivers } from './hostile-receivers.js'
import { OPERATION_ATTACKS } from './operation-attacks.js'

const ATTACKS = { ...OPERATION_ATTACKS, ...CONNECTION_ATTACKS, ...DEAR_ATTACKS }
export type AttackName = keyof typeof ATTACKS

// Attackers have machines of their own: this one's processors are the server's first.
setPriority(19)
// Where Linux groups processes by session, the priority counts within the session only; this is the session's.
if (existsSync('/proc/self/autogroup')) writeFileSync('/proc/self/autogroup', '19')

let isOver = true
let ended: Promise<unknown> = Promise.resolve()
const outcomes = new Map<string, number>()

serve({
  receivers: openHostileReceivers,

  async start({ name, attacker }: { name: AttackName; attacker: Attacker }): Promise<void> {
    isOver = false
    under.ending = new AbortController()
    outcomes.clear()
    const { workers, turn }: Attack = ATTACKS[name]
    ended = Promise.all(Array.from({ length: workers }, () => repeat(() => turn(attacker))))
  },

  /** @returns how often it was answered how */
  async stop(): Promise<Record<string, number>> {
    isOver = true
    under.ending.abort()
    for (const each of under.open) each.destroy()
    await ended
    return Object.fromEntries(outcomes)
  },
})

async function repeat(turn: () => Promise<string>): Promise<void> {
  while (!isOver) {
    const outcome = await turn().catch(() => 'cut')
    outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1)
    // What is refused at once is asked again at once, but for a moment in which the others of this process go on.
    await new Promise((resolve) => setTimeout(resolve, 2))
  }
}
