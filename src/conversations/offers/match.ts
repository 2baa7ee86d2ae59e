import type { Assignment } from '../../channels/assignment.js'
import type { Availability } from '../../staffing/availability.js'
import type { Candidate, CandidateOutcome } from '../writing/offer.js'

/** A queued conversation that is not offered to anybody. */
export interface WaitingConversation {
  id: string
  version: number
  /** Channels of its queues that offer or assign, see {@link Office.channels}. */
  channels: readonly string[]
  /** Its own organization and those above: agents of others cannot take part. */
  path: readonly string[]
  weight: number
  queuedAt: number
  urgency: number
  /** Infinity without a clock. */
  nextDue: number
  skills: readonly string[]
  /** From when on `skills` do not count; null: never. */
  skillsDropAt: number | null
  /** Agents who declined it in this queueing, or let an offer expire. */
  declinedBy: readonly string[]
  /** The agent who had it last. */
  lastAgent: string | null
}

export interface OfficeAgent {
  id: string
  name: string | null
  avatar: string | null
  role: string
  organization: string
  availability: Availability
  capacity: number
  load: number
  /** When something was offered to the agent last, or it became what it is. */
  idleSince: number
  skills: ReadonlySet<string>
  memberOf: ReadonlySet<string>
  subscribed: ReadonlySet<string>
}

/** Whom a conversation is offered to, and by which channel. */
export interface Pairing {
  conversation: WaitingConversation
  channel: string
  agent: OfficeAgent
}

export interface Office {
  channels: ReadonlyMap<string, Assignment>
  agents: readonly OfficeAgent[]
}

/**
 * Decides whom to offer the waiting conversations to: by urgency, then by what is due next, then by the time of queueing; the best agent of its
 * channels who has room. Pure: loads of the agents are not changed, but each pairing counts for the next ones.
 */
export function match(waiting: readonly WaitingConversation[], office: Office, now: number): Pairing[] {
  const pools = new Pools(office)
  const pairings: Pairing[] = []
  for (const conversation of waiting.toSorted(byTurn)) {
    if (pools.areEmpty) break
    const pairing = pools.pick(conversation, now)
    if (pairing) pairings.push(pairing)
  }
  return pairings
}

function byTurn(one: WaitingConversation, other: WaitingConversation): number {
  if (one.urgency !== other.urgency) return other.urgency - one.urgency
  if (one.nextDue !== other.nextDue) return one.nextDue - other.nextDue
  return one.queuedAt - other.queuedAt || (one.id < other.id ? -1 : 1)
}

/** An agent with the load that it has with the pairings so far. */
interface Seat {
  agent: OfficeAgent
  load: number
  idleSince: number
}

/** The agents of each channel who can be offered something, the best first. */
class Pools {
  readonly #pools = new Map<string, Seat[]>()
  readonly #compares = new Map<string, Compare>()
  /** What no agent of a channel has room or skills for: rooms only shrink. */
  readonly #hopeless = new Set<string>()

  constructor(private readonly office: Office) {
    const seats = office.agents
      .filter(({ availability }) => availability === 'available')
      .map((agent) => ({ agent, load: agent.load, idleSince: agent.idleSince }))
    for (const [channel, assignment] of office.channels) {
      const pool = seats.filter(({ agent }) => agent.memberOf.has(channel) && agent.subscribed.has(channel))
      const compare = ordered(assignment)
      this.#compares.set(channel, compare)
      this.#pools.set(channel, pool.toSorted(compare))
    }
  }

  get areEmpty(): boolean {
    return this.#pools.values().every((pool) => pool.every(({ agent, load }) => load >= agent.capacity))
  }

  pick(conversation: WaitingConversation, now: number): Pairing | null {
    const skills = skillsAskedOf(conversation, now)
    for (const channel of conversation.channels) {
      const pool = this.#pools.get(channel)
      if (!pool) continue
      const key = `${channel} ${conversation.weight} ${conversation.path.join()} ${skills.join()}`
      if (this.#hopeless.has(key)) continue
      const able = ({ agent }: Seat): boolean => isAble(agent, conversation, skills)
      const hasRoom = ({ agent, load }: Seat): boolean => load + conversation.weight <= agent.capacity
      const preferred = preferredOf(conversation, this.office.channels.get(channel)!, now)
      const awaited = preferred === null ? undefined : pool.find((seat) => seat.agent.id === preferred && able(seat))
      const declined = this.#declinedOf(conversation, pool, able)
      const seat =
        awaited && !declined.has(awaited.agent.id)
          ? hasRoom(awaited)
            ? awaited
            : null
          : pool.find((each) => hasRoom(each) && able(each) && !declined.has(each.agent.id))
      if (seat) {
        this.#seat(seat, conversation.weight, now)
        return { conversation, channel, agent: seat.agent }
      }
      if (seat === undefined && declined.size === 0) this.#hopeless.add(key)
    }
    return null
  }

  /** Nobody is excluded once all who could be offered it are. */
  #declinedOf(
    { declinedBy }: WaitingConversation,
    pool: readonly Seat[],
    able: (seat: Seat) => boolean,
  ): ReadonlySet<string> {
    if (declinedBy.length === 0) return NOBODY
    const declined = new Set(declinedBy)
    return pool.some((seat) => able(seat) && !declined.has(seat.agent.id)) ? declined : NOBODY
  }

  #sortedOf(channel: string, { agent }: Seat): { pool: Seat[]; compare: Compare }[] {
    const pool = this.#pools.get(channel)
    if (!pool || !agent.subscribed.has(channel)) return []
    return [{ pool, compare: this.#compares.get(channel)! }]
  }

  #seat(seat: Seat, weight: number, now: number): void {
    const pools = [...seat.agent.memberOf].flatMap((channel) => this.#sortedOf(channel, seat))
    for (const { pool, compare } of pools) pool.splice(placeOf(pool, seat, compare), 1)
    seat.load += weight
    seat.idleSince = now
    if (seat.load >= seat.agent.capacity) return
    for (const { pool, compare } of pools) pool.splice(placeOf(pool, seat, compare), 0, seat)
  }
}

/** Returns where the seat is in a sorted pool, or belongs. */
function placeOf(pool: readonly Seat[], seat: Seat, compare: Compare): number {
  let [low, high] = [0, pool.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if (compare(pool[middle]!, seat) < 0) low = middle + 1
    else high = middle
  }
  return low
}

const NOBODY: ReadonlySet<string> = new Set()

type Compare = (one: Seat, other: Seat) => number

function ordered({ order }: Assignment): Compare {
  const byLoad = (one: Seat, other: Seat): number => share(one) - share(other)
  const byIdle = (one: Seat, other: Seat): number => one.idleSince - other.idleSince
  const [first, second] = order === 'longestIdle' ? [byIdle, byLoad] : [byLoad, byIdle]
  return (one, other) => first(one, other) || second(one, other) || (one.agent.id < other.agent.id ? -1 : 1)
}

const share = ({ agent, load }: Seat): number => (agent.capacity === 0 ? Infinity : load / agent.capacity)

/** The skills that an agent must have now. */
export function skillsAskedOf(
  { skills, skillsDropAt }: Pick<WaitingConversation, 'skills' | 'skillsDropAt'>,
  now: number,
): readonly string[] {
  return skillsDropAt !== null && now >= skillsDropAt ? [] : skills
}

function preferredOf(conversation: WaitingConversation, { preferLastSeconds }: Assignment, now: number): string | null {
  const { lastAgent, queuedAt } = conversation
  return preferLastSeconds !== null && now < queuedAt + preferLastSeconds * 1_000 ? lastAgent : null
}

function isAble(agent: OfficeAgent, { path }: WaitingConversation, skills: readonly string[]): boolean {
  return path.includes(agent.organization) && skills.every((skill) => agent.skills.has(skill))
}

/** Explains for each member of the channel why it was chosen, or was not. @param chosen null while nobody is */
export function explain(
  { conversation, channel, chosen }: { conversation: WaitingConversation; channel: string; chosen: string | null },
  { agents, channels }: Office,
  now: number,
): Candidate[] {
  const skills = skillsAskedOf(conversation, now)
  const preferred = preferredOf(conversation, channels.get(channel)!, now)
  const reasonOf = (agent: OfficeAgent): [CandidateOutcome, string] => {
    if (agent.id === chosen) return ['chosen', 'the best of those who have room']
    if (!conversation.path.includes(agent.organization)) return ['outOfReach', 'of another organization']
    if (agent.availability !== 'available') return ['unavailable', `is ${agent.availability}`]
    if (!agent.subscribed.has(channel)) return ['notSubscribed', 'is not subscribed to the queue']
    const missing = skills.filter((skill) => !agent.skills.has(skill)).length
    if (missing > 0) return ['lacksSkills', `lacks ${missing} of ${skills.length} skills`]
    if (conversation.declinedBy.includes(agent.id)) return ['declined', 'declined it, or let an offer expire']
    if (agent.load + conversation.weight > agent.capacity)
      return ['atCapacity', `has ${agent.load} of ${agent.capacity} units; ${conversation.weight} are needed`]
    if (preferred !== null && preferred === chosen) return ['notPreferred', 'another agent had it last']
    return ['lessSuitable', 'others come first']
  }
  return agents
    .filter(({ memberOf }) => memberOf.has(channel))
    .map((agent) => {
      const [outcome, reason] = reasonOf(agent)
      return { userId: agent.id, outcome, reason, load: agent.load }
    })
}
