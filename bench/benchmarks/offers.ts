import 'reflect-metadata'
import { assignmentOf } from '../../src/modules/channels/assignment.js'
import {
  match,
  type Staff,
  type StaffAgent,
  type WaitingConversation,
} from '../../src/modules/conversations/offers/match.js'
import type { Bench } from '../harness/bench.js'
import { failuresOf, isQuick, median, short, type Check } from '../harness/figures.js'

const WAITING = 10_000
const STAFF = 500
const MS_MAX = 20
const ROUNDS = 30

/** Deciding whom to offer everything that waits. */
export async function benchOffers(_bench: Bench): Promise<Check[]> {
  const cases = { 'all have room': 0, 'nobody has room': 10, 'half have little room': 5 }
  const found: string[] = []
  let worst = 0
  for (const [name, load] of Object.entries(cases)) {
    const { waiting, staff } = makeStaff(load)
    const times: number[] = []
    let pairs = 0
    for (let round = 0; round < (isQuick() ? 2 : ROUNDS); round++) {
      const startedAt = performance.now()
      pairs = match(waiting, staff, Date.now()).length
      times.push(performance.now() - startedAt)
    }
    worst = Math.max(worst, median(times))
    found.push(`${name}: ${short(median(times))} ms, ${pairs} offers`)
  }
  return [
    {
      name: `match of ${WAITING.toLocaleString('en-US')} waiting conversations and ${STAFF} agents`,
      aim: `${MS_MAX} ms`,
      failures: failuresOf({ [`${short(worst)} ms`]: worst <= MS_MAX }),
      found,
      how:
        `Ten channels with ${STAFF / 10} to ${STAFF / 2} members each; one conversation in five asks for a skill that one agent ` +
        `in four has, one in ten has been declined. In process; medians of ${ROUNDS} rounds.`,
    },
  ]
}

function makeStaff(load: number): { waiting: WaitingConversation[]; staff: Staff } {
  const channels = Array.from({ length: 10 }, (_, index) => `channel ${index}`)
  const agents = Array.from({ length: STAFF }, (_, index): StaffAgent => {
    const own = new Set(channels.filter((_, at) => (index + at) % (2 + (at % 9)) === 0))
    return {
      id: `agent ${index}`,
      name: null,
      avatar: null,
      role: 'agent',
      organization: 'center',
      availability: 'available',
      capacity: 12,
      load: load === 5 ? (index % 2 === 0 ? 9 : 5) : load,
      idleSince: index,
      skills: new Set(index % 4 === 0 ? ['dutch'] : []),
      memberOf: own,
      subscribed: own,
    }
  })
  const waiting = Array.from({ length: WAITING }, (_, index): WaitingConversation => ({
    id: `conversation ${index}`,
    version: 1,
    channels: [channels[index % 10]!],
    path: ['center', `customer ${index % 7}`],
    weight: [4, 4, 2, 1][index % 4]!,
    queuedAt: index,
    nextDue: Infinity,
    urgency: index % 50 === 0 ? 1 : 0,
    skills: index % 5 === 0 ? ['dutch'] : [],
    askedSkills: [],
    skillsDropAt: null,
    exceptUsers: [],
    declinedBy: index % 10 === 3 ? [`agent ${index % STAFF}`] : [],
    lastAgent: null,
  }))
  return { waiting, staff: { agents, channels: new Map(channels.map((id) => [id, assignmentOf({ mode: 'offer' })])) } }
}
