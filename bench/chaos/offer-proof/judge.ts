import type pg from 'pg'
import type { Api } from '../api.js'

/** All offers as the database has them at the end, with what the API says of them, for the judgements below. */
export interface Evidence {
  offers: MadeOffer[]
  spans: WaitingSpan[]
}

interface MadeOffer {
  id: string
  conversation: string
  user: string
  outcome: string | null
  madeAt: number
  /** By its place in the order of queueing. */
  nth: number
  weight: number
  /** Number of events that tell its end. */
  ends: number
  candidates: { userId: string; outcome: string; load: number }[]
}

/** A time in which a conversation waited for an offer. */
interface WaitingSpan {
  conversation: string
  nth: number
  weight: number
  since: number
  /** Time at which it was offered; Infinity if it was not. */
  until: number
  /** Outcome of the offer that it follows; null for the first. */
  after: string | null
}

/** Reads it with SQL and by the API of an administrator. */
export async function readEvidence(sql: pg.Client, owner: Api): Promise<Evidence> {
  const { rows: offers } = await sql.query<MadeOffer>(OFFERS)
  const { rows: spans } = await sql.query<WaitingSpan & { until: number | null }>(SPANS)
  const explained = await readExplanations(
    owner,
    offers.map(({ conversation }) => conversation),
  )
  return {
    offers: offers.map((offer) => ({ ...offer, candidates: explained.get(offer.id) ?? [] })),
    spans: spans.map((span) => ({ ...span, until: span.until ?? Infinity })),
  }
}

const WEIGHT = `case c.touchpoint when 'web' then 4 when 'sms' then 2 else 1 end`
const ms = (time: string): string => `(extract(epoch from ${time}) * 1000)::float8`

const OFFERS = `
with ended as (
  select data ->> 'offer' as offer, count(*)::int as times from event where type = 'conversation.offerEnded' group by 1
)
select o.id, o.conversation_id as conversation, o.user_id as user, o.outcome, ${ms('o.made_at')} as "madeAt",
  q.nth::float8 as "nth", ${WEIGHT} as weight, coalesce(e.times, 0) as ends
from offer o join proof_queued q on q.conversation_id = o.conversation_id
join conversation c on c.id = o.conversation_id left join ended e on e.offer = o.id::text order by o.made_at, o.id`

/**
 * From the milestones, in their own order: from the beginning to the first offer, and from each end that is no acceptance to
 * the next offer, or until an agent who was too late for its offer pulled the conversation, perhaps in the transaction of its end.
 */
const SPANS = `
with told as (
  select conversation_id as conversation, nth, kind, at,
    case kind when 'accepted' then kind when 'offerEnded' then detail end as outcome
  from milestone where kind in ('offered', 'offerEnded', 'accepted') and conversation_id in (select conversation_id from proof_queued)
  union all select conversation_id, -1, 'queued', since, null from proof_queued
), spans as (
  select *, lead(at) over (partition by conversation order by nth) as until from told
)
select s.conversation, q.nth::float8 as "nth", ${WEIGHT} as weight, ${ms('s.at')} as since, ${ms('s.until')} as until,
  s.outcome as after
from spans s join conversation c on c.id = s.conversation join proof_queued q on q.conversation_id = c.id
where s.kind <> 'offered' and s.outcome is distinct from 'accepted' order by q.nth, s.at`

const PAGE = 10

async function readExplanations(
  owner: Api,
  conversations: readonly string[],
): Promise<Map<string, MadeOffer['candidates']>> {
  const ids = [...new Set(conversations)]
  const found = new Map<string, MadeOffer['candidates']>()
  for (let at = 0; at < ids.length; at += PAGE) {
    const page = ids.slice(at, at + PAGE)
    const asked = page.map((id, index) => `c${index}: conversation(id: "${id}") { ...explained }`)
    const nodes = await owner.gqlAll<Explained>(`{ ${asked.join(' ')} } ${EXPLAINED}`)
    for (const { routingTrace } of nodes)
      for (const { offers } of routingTrace) for (const { id, candidates } of offers) found.set(id, candidates)
  }
  return found
}

const EXPLAINED = `fragment explained on Conversation {
  routingTrace { offers { id candidates { userId outcome load } } } }`

interface Explained {
  routingTrace: { offers: { id: string; candidates: MadeOffer['candidates'] }[] }[]
}

/** Offers of the same conversation, one made while another was pending, by the order of its log. */
export async function countOverlapping(sql: pg.Client): Promise<number> {
  const { rows } = await sql.query<{ count: number }>(`
    with told as (
      select type, lead(type) over (partition by stream order by number) as next
      from event where type in ('conversation.offered', 'conversation.offerEnded')
    ) select count(*)::int as count from told where type = next`)
  return rows[0]!.count
}

/**
 * From what a decision rests on until it is written, on a machine that is busy: what began to wait meanwhile could not be
 * seen, and of two that were decided together the younger may be written first.
 */
const SEEN_MS = 3_000

interface Capable {
  id: string
  capacity: number
}

/**
 * Offers that passed over an older conversation, which waited for three seconds before and after, and had not been
 * declined by that agent: one that the agent had room for, or one that needed more and that the agent was to be kept for, as the
 * oldest of all and the agent with the most room. Nobody sees what waited on after the last offers, when the agents left. @param order -1 turns the queue around: the control
 */
export function countPassedOver(
  { offers, spans }: Evidence,
  agents: readonly Capable[],
  order: 1 | -1 = 1,
): { fitting: number; keeping: number } {
  const left = declinedBy(offers)
  const capacities = new Map(agents.map(({ id, capacity }) => [id, capacity]))
  const sorted = spans.toSorted((one, other) => order * (one.nth - other.nth))
  const count = { fitting: 0, keeping: 0 }
  const last = Math.max(...offers.map(({ madeAt }) => madeAt))
  for (const { nth, weight, madeAt, user, candidates } of offers) {
    if (madeAt > last - SEEN_MS) continue
    const roomOf = ({ userId, load }: MadeOffer['candidates'][number]): number => capacities.get(userId)! - load
    const room = Math.max(weight, ...candidates.filter(({ userId }) => userId === user).map(roomOf))
    const isRoomiest = candidates.every((each) => each.userId === user || roomOf(each) < room)
    let isOldest = true
    for (const span of sorted) {
      if (order * (span.nth - nth) >= 0) break
      if (span.since >= madeAt + SEEN_MS || span.until <= madeAt - SEEN_MS) continue
      const isWaiting = span.since < madeAt - SEEN_MS && span.until > madeAt + SEEN_MS
      const isFor = span.weight <= capacities.get(user)! && !left.has(`${span.conversation} ${user}`)
      const [isFitting, isKeeping] = [span.weight <= room, isOldest && isRoomiest]
      isOldest = false
      if (!isWaiting || !isFor || !(isFitting || isKeeping)) continue
      count[isFitting ? 'fitting' : 'keeping']++
      break
    }
  }
  return count
}

/** Pairs of conversation and agent: those with an offer that was declined or expired at any time. */
function declinedBy(offers: readonly MadeOffer[]): Set<string> {
  const ended = offers.filter(({ outcome }) => outcome === 'declined' || outcome === 'expired')
  return new Set(ended.map(({ conversation, user }) => `${conversation} ${user}`))
}

/**
 * Returns the times between the expiry of an offer and the next one of its conversation; Infinity for those that were
 * not.
 * @param endMs those that waited for less than this when the last offer was made are left out
 */
export function goingOnAfterExpiry({ offers, spans }: Evidence, endMs: number): number[] {
  const last = Math.max(...offers.map(({ madeAt }) => madeAt))
  const judged = spans.filter(
    ({ after, since, until }) => after === 'expired' && (until < Infinity || since < last - endMs),
  )
  return judged.map(({ since, until }) => until - since)
}

/**
 * Explanations that contradict themselves: not every member once, not one chosen, the chosen one without room, somebody
 * without room called less suitable or the reverse, or somebody with a smaller part of its capacity in use passed over.
 */
export function wrongExplanations({ offers }: Evidence, agents: readonly Capable[]): string[] {
  const capacities = new Map(agents.map(({ id, capacity }) => [id, capacity]))
  return offers.flatMap((offer) => {
    const { candidates, user, weight, id } = offer
    const share = ({ userId, load }: MadeOffer['candidates'][number]): number => load / capacities.get(userId)!
    const hasRoom = ({ userId, load }: MadeOffer['candidates'][number]): boolean =>
      load + weight <= capacities.get(userId)!
    const of = (outcome: string) => candidates.filter((candidate) => candidate.outcome === outcome)
    const chosen = of('CHOSEN')
    if (candidates.length !== agents.length || new Set(candidates.map(({ userId }) => userId)).size !== agents.length)
      return [`${id} explains ${candidates.length} of ${agents.length} members`]
    if (chosen.length !== 1 || chosen[0]!.userId !== user) return [`${id} does not say who was chosen`]
    if (!hasRoom(chosen[0]!)) return [`${id} chose an agent with ${chosen[0]!.load}, without room for ${weight}`]
    if (!of('LESS_SUITABLE').every(hasRoom)) return [`${id} calls an agent less suitable who has no room`]
    if (of('RESERVED').length > 1) return [`${id} keeps more than one agent of the channel`]
    if (of('AT_CAPACITY').some(hasRoom)) return [`${id} calls an agent full who has room`]
    if (of('LESS_SUITABLE').some((other) => share(other) < share(chosen[0]!)))
      return [`${id} passed over an agent with a smaller load`]
    return []
  })
}
