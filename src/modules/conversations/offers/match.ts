import type { Assignment } from '../../channels/assignment.js'
import type { Availability } from '../../staffing/availability.js'
import type { Candidate, CandidateOutcome } from '../state/offer.js'

/** A queued conversation that is not offered to anybody. */
export interface WaitingConversation {
  id: string
  version: number
  /** Channels of its queues that offer or assign, see {@link Staff.channels}. */
  channels: readonly string[]
  /** Its own organization and those above: agents of others cannot take part. */
  path: readonly string[]
  weight: number
  queuedAt: number
  urgency: number
  /** Infinity without a clock. */
  nextDue: number
  skills: readonly string[]
  /** Skills that count however long it waits. */
  askedSkills: readonly string[]
  /** From when on `skills` do not count; null: never. */
  skillsDropAt: number | null
  /** Agents who declined it in this queueing, let an offer expire, or queued it by leaving: asked again if no others are left. */
  declinedBy: readonly string[]
  /** Agents who handed it over to these queues: never offered to them. */
  exceptUsers: readonly string[]
  /** The agent who had it last. */
  lastAgent: string | null
}

export interface StaffAgent {
  id: string
  name: string | null
  avatar: string | null
  role: string
  organization: string
  availability: Availability
  /** True for a paused bot. Its availability is `offline`: only the reason that is told differs. */
  isPaused?: boolean
  /** True if its row is locked by another write: nothing can be offered to it for now. */
  isLocked?: boolean
  /** True if it let offers expire, and it is being found out if it responds at all: nothing rings meanwhile. */
  awaitsVerdict?: boolean
  /** True if it has closed a conversation, and is about to wrap up. */
  wrapsUp?: boolean
  capacity: number
  load: number
  /** Time at which its last work ended, something was offered to it last, or its status changed; now while it works. */
  idleSince: number
  skills: ReadonlySet<string>
  memberOf: ReadonlySet<string>
  subscribed: ReadonlySet<string>
}

/** An agent to whom a conversation is offered, and the channel by which. */
export interface Pairing {
  conversation: WaitingConversation
  channel: string
  agent: StaffAgent
  /** Agents whose room was kept for conversations before it. */
  reserved: ReadonlySet<string>
}

export interface Staff {
  channels: ReadonlyMap<string, Assignment>
  agents: readonly StaffAgent[]
}

/**
 * Decides whom to offer the waiting conversations to: by urgency, then by what is due next, then by the time of queueing; the best agent of its
 * channels who has room. What comes first and needs more room than anybody has is kept an agent for, one of each channel. Pure: loads of the agents
 * are not changed, but each pairing counts for the next ones.
 */
export function match(waiting: readonly WaitingConversation[], staff: Staff, now: number): Pairing[] {
  const pools = new Pools(staff)
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
  agent: StaffAgent
  load: number
  idleSince: number
}

/** The agents of each channel, and whom of them something can be given to. */
class Pools {
  /** All who take offers of the channel, locked and full ones too: who of them declined is judged by these. */
  readonly #eligible = new Map<string, readonly Seat[]>()
  /** Those who can be given something in this round, the best first. */
  readonly #pools = new Map<string, Seat[]>()
  readonly #compares = new Map<string, Compare>()
  /** Demands for which no agent of a channel has room or skills: rooms only shrink. */
  readonly #hopeless = new Set<string>()
  /** Channels that keep an agent for a conversation. */
  readonly #reserving = new Set<string>()
  #reserved = NOBODY

  constructor(private readonly staff: Staff) {
    const seats = staff.agents
      .filter(({ availability }) => availability === 'available')
      .map((agent) => ({ agent, load: agent.load, idleSince: agent.idleSince }))
    for (const [channel, assignment] of staff.channels) {
      const eligible = seats.filter(({ agent }) => agent.memberOf.has(channel) && agent.subscribed.has(channel))
      const compare = ordered(assignment)
      this.#eligible.set(channel, eligible)
      this.#compares.set(channel, compare)
      this.#pools.set(channel, eligible.filter(isFree).toSorted(compare))
    }
  }

  get areEmpty(): boolean {
    return this.#pools.values().every((pool) => pool.every(({ agent, load }) => load >= agent.capacity))
  }

  pick(conversation: WaitingConversation, now: number): Pairing | null {
    const { weight } = conversation
    const skills = skillsAskedOf(conversation, now)
    const able = ({ agent }: Seat): boolean => isAble(agent, conversation, skills)
    const declined = this.#declinedOf(conversation, able)
    const isLeft = (seat: Seat): boolean => able(seat) && !declined.has(seat.agent.id)
    const tried: string[] = []
    for (const channel of conversation.channels) {
      const pool = this.#pools.get(channel)
      if (!pool) continue
      const key = `${channel} ${weight} ${conversation.path.join()} ${skills.join()}`
      if (this.#hopeless.has(key)) continue
      const awaited = this.#awaitedOf(conversation, channel, { isLeft, now })
      const seat = awaited
        ? pool.find((each) => each === awaited && roomOf(each) >= weight)
        : pool.find((each) => roomOf(each) >= weight && isLeft(each))
      if (seat) {
        this.#seat(seat, weight, now)
        return { conversation, channel, agent: seat.agent, reserved: this.#reserved }
      }
      if (awaited) continue
      tried.push(channel)
      if (declined.size === 0 && conversation.exceptUsers.length === 0) this.#hopeless.add(key)
    }
    this.#reserve(tried, isLeft)
    return null
  }

  /** The agent who had it last, if that may be offered it. */
  #awaitedOf(
    conversation: WaitingConversation,
    channel: string,
    { isLeft, now }: { isLeft: (seat: Seat) => boolean; now: number },
  ): Seat | undefined {
    const preferred = preferredOf(conversation, this.staff.channels.get(channel)!, now)
    if (preferred === null) return undefined
    return this.#eligible.get(channel)!.find((seat) => seat.agent.id === preferred && isLeft(seat))
  }

  /** Nobody is excluded once all are who could be offered it, by any of its channels. */
  #declinedOf({ declinedBy, channels }: WaitingConversation, able: (seat: Seat) => boolean): ReadonlySet<string> {
    if (declinedBy.length === 0) return NOBODY
    const declined = new Set(declinedBy)
    const isLeft = (seat: Seat): boolean => able(seat) && !declined.has(seat.agent.id)
    return channels.some((channel) => this.#eligible.get(channel)?.some(isLeft)) ? declined : NOBODY
  }

  /**
   * Keeps the agent with the most room for a conversation that needs more: else what is younger and lighter would take
   * each unit that becomes free, and it would wait for ever. One agent a channel, so that little room lies idle.
   */
  #reserve(channels: readonly string[], isLeft: (seat: Seat) => boolean): void {
    let kept: { channel: string; seat: Seat } | null = null
    for (const channel of channels) {
      if (this.#reserving.has(channel)) continue
      for (const seat of this.#pools.get(channel)!)
        if (roomOf(seat) > 0 && (!kept || isRoomier(seat, kept.seat)) && isLeft(seat)) kept = { channel, seat }
    }
    if (!kept) return
    this.#reserving.add(kept.channel)
    this.#reserved = new Set(this.#reserved).add(kept.seat.agent.id)
    this.#remove(kept.seat)
  }

  #seat(seat: Seat, weight: number, now: number): void {
    const pools = this.#remove(seat)
    seat.load += weight
    seat.idleSince = now
    if (seat.load >= seat.agent.capacity) return
    for (const { pool, compare } of pools) pool.splice(placeOf(pool, seat, compare), 0, seat)
  }

  /** Takes the agent out of the pools of all its channels. @returns these */
  #remove(seat: Seat): { pool: Seat[]; compare: Compare }[] {
    const pools = [...seat.agent.memberOf].flatMap((channel) => this.#sortedOf(channel, seat))
    for (const { pool, compare } of pools) pool.splice(placeOf(pool, seat, compare), 1)
    return pools
  }

  #sortedOf(channel: string, { agent }: Seat): { pool: Seat[]; compare: Compare }[] {
    const pool = this.#pools.get(channel)
    if (!pool || !agent.subscribed.has(channel)) return []
    return [{ pool, compare: this.#compares.get(channel)! }]
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

const isFree = ({ agent }: Seat): boolean => !agent.isLocked && !agent.awaitsVerdict && !agent.wrapsUp

const NOBODY: ReadonlySet<string> = new Set()

type Compare = (one: Seat, other: Seat) => number

function ordered({ order }: Assignment): Compare {
  const byLoad = (one: Seat, other: Seat): number => share(one) - share(other)
  const byIdle = (one: Seat, other: Seat): number => one.idleSince - other.idleSince
  const [first, second] = order === 'longestIdle' ? [byIdle, byLoad] : [byLoad, byIdle]
  return (one, other) => first(one, other) || second(one, other) || (one.agent.id < other.agent.id ? -1 : 1)
}

const roomOf = ({ agent, load }: Seat): number => agent.capacity - load

/** Keeps always the same one of equal ones, whatever becomes free meanwhile. */
const isRoomier = (one: Seat, other: Seat): boolean =>
  roomOf(one) > roomOf(other) || (roomOf(one) === roomOf(other) && one.agent.id < other.agent.id)

const share = ({ agent, load }: Seat): number => (agent.capacity === 0 ? Infinity : load / agent.capacity)

/** The skills that an agent must have now. */
export function skillsAskedOf(
  { skills, askedSkills, skillsDropAt }: Pick<WaitingConversation, 'skills' | 'askedSkills' | 'skillsDropAt'>,
  now: number,
): readonly string[] {
  if (skillsDropAt !== null && now >= skillsDropAt) return askedSkills
  return askedSkills.length === 0 ? skills : [...new Set([...skills, ...askedSkills])]
}

function preferredOf(conversation: WaitingConversation, { preferLastSeconds }: Assignment, now: number): string | null {
  const { lastAgent, queuedAt } = conversation
  return preferLastSeconds !== null && now < queuedAt + preferLastSeconds * 1_000 ? lastAgent : null
}

/** Tells whether the agent could be given it, if it had nothing else. */
function isAble(agent: StaffAgent, conversation: WaitingConversation, skills: readonly string[]): boolean {
  const { path, weight, exceptUsers } = conversation
  return (
    weight <= agent.capacity &&
    path.includes(agent.organization) &&
    !exceptUsers.includes(agent.id) &&
    skills.every((skill) => agent.skills.has(skill))
  )
}

export interface Choice extends Pick<Pairing, 'conversation' | 'channel'> {
  /** Null while nobody is. */
  chosen: string | null
  reserved?: Pairing['reserved']
}

/** Explains for each member of the channel why it was chosen, or was not. */
export function explain(
  { conversation, channel, chosen, reserved = NOBODY }: Choice,
  { agents, channels }: Staff,
  now: number,
): Candidate[] {
  const skills = skillsAskedOf(conversation, now)
  const preferred = preferredOf(conversation, channels.get(channel)!, now)
  const reasonOf = (agent: StaffAgent): [CandidateOutcome, string] => {
    if (agent.id === chosen) return ['chosen', 'the best of those who have room']
    if (!conversation.path.includes(agent.organization)) return ['outOfReach', 'of another organization']
    if (agent.isPaused) return ['unavailable', 'is paused']
    if (agent.availability !== 'available') return ['unavailable', `is ${agent.availability}`]
    if (agent.isLocked) return ['unavailable', 'another write has locked it']
    if (agent.wrapsUp) return ['unavailable', 'has just closed a conversation']
    if (agent.awaitsVerdict) return ['unavailable', 'let offers expire, and may not be responding']
    if (!agent.subscribed.has(channel)) return ['notSubscribed', 'is not subscribed to the queue']
    if (conversation.exceptUsers.includes(agent.id)) return ['handedOver', 'handed it over to this queue']
    const missing = skills.filter((skill) => !agent.skills.has(skill)).length
    if (missing > 0) return ['lacksSkills', `lacks ${missing} of ${skills.length} skills`]
    if (conversation.declinedBy.includes(agent.id)) return ['declined', 'declined or left it, or let an offer expire']
    if (agent.load + conversation.weight > agent.capacity)
      return ['atCapacity', `has ${agent.load} of ${agent.capacity} units; ${conversation.weight} are needed`]
    if (reserved.has(agent.id))
      return ['reserved', 'its room is kept for a conversation that comes first and needs more']
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
