import type { Context } from '../../../platform/context.js'
import type { Clock } from '../../../platform/db/clock.js'
import type { Database } from '../../../platform/db/database.js'
import { camelRow } from '../../../platform/lists/rows.js'
import { ifThere } from '../../../platform/if-there.js'
import { channelWeightSql, countLoads, weightOf } from '../../staffing/load.js'
import { isPausedSql } from '../../users/pause-bots.js'
import type { ConversationState } from '../state/conversation-state.js'
import type { ConversationWriter } from '../writer/conversation-writer.js'
import { withdrawOffer } from './end-offer.js'
import { skillsAskedOf } from './match.js'
import { askedOf } from './read-staff.js'

export interface OfferReview {
  database: Database
  writer: ConversationWriter
  clock: Clock
  idleMinutes: number
}

interface PendingOffer extends Pick<
  ConversationState,
  'id' | 'touchpoint' | 'contactId' | 'queuedAt' | 'needs' | 'offerUserId'
> {
  offerId: string
  channelWeight: number | null
  skills: string[]
  capacity: number
  misfit: string | null
}

/**
 * Withdraws the pending offers of agents that would not be made any more: the agent, its place in the channel, its
 * availability, skills or capacity, or the channel's mode changed. To be called by a job of the transaction that changed
 * it: an offer that is being made meanwhile either sees the change under the agent's lock, or is found here, after that lock.
 */
export async function reviewOffers(
  { database, writer, clock, idleMinutes }: OfferReview,
  system: Context,
  users: readonly string[],
): Promise<void> {
  await database.query(PASS_LOCKS, [users], 'pass-staff-locks')
  const rows = await database.query<Record<string, unknown>>(PENDING, [users], 'pending-offers')
  const pending = rows.map((row) => camelRow<PendingOffer>(row))
  if (pending.length === 0) return
  const now = clock.now()
  const loads = await countLoads(database, users, { now, idleMinutes })
  const misfits: (() => Promise<void>)[] = []
  // The latest come first: those that were offered earlier stay.
  for (const offer of pending) {
    const user = offer.offerUserId!
    const reason = misfitOf(offer, loads.get(user) ?? 0, now)
    if (reason === null) continue
    loads.set(user, (loads.get(user) ?? 0) - weightOf(offer))
    misfits.push(() => ifThere(writer.run(system, offer.id, (change) => withdrawOffer(change, offer.offerId, reason))))
  }
  // Those that are withdrawn together are committed together.
  for (let at = 0; at < misfits.length; at += TOGETHER)
    await Promise.all(misfits.slice(at, at + TOGETHER).map((withdraw) => withdraw()))
}

const TOGETHER = 256

/** The same for all members of a channel. */
export async function reviewChannel(review: OfferReview, system: Context, channel: string): Promise<void> {
  const members = await review.database.query<{ id: string }>(MEMBERS, [channel], 'members-with-offers')
  await reviewOffers(
    review,
    system,
    members.map(({ id }) => id),
  )
}

function misfitOf(offer: PendingOffer, load: number, now: Date): string | null {
  if (offer.misfit !== null) return offer.misfit
  const requiredSkills = skillsAskedOf(askedOf(offer), now.getTime())
  if (!requiredSkills.every((skill) => offer.skills.includes(skill)))
    return 'the agent no longer has a skill that is asked for'
  return load > offer.capacity ? 'the agent no longer has room' : null
}

/** Waits for the transactions that are giving these agents work; the next statement sees what they gave. */
const PASS_LOCKS = 'select user_id from staff where user_id = any($1::uuid[]) order by user_id for no key update'

/** Members, and those to whom the channel still offers something. */
const MEMBERS = `
select user_id as id from channel_member where channel_id = $1
union select c.offer_user_id from conversation c join offer o on o.id = c.offer_id
where c.offer_id is not null and o.channel_id = $1`

const PENDING = `
select c.id, c.offer_id, c.offer_user_id, c.touchpoint, c.contact_id, c.queued_at, c.needs, ${channelWeightSql('c')} as channel_weight,
  array(select skill_id from staff_skill where user_id = c.offer_user_id) as skills, coalesce(s.capacity, 0) as capacity,
  case when u.id is null or u.status = 'archived' or u.role = 'viewer'
      or u.organization_id not in (c.org1, coalesce(c.org2, c.org1), coalesce(c.org3, c.org1)) then 'the agent is gone'
    when not exists (select from channel_member m where m.channel_id = o.channel_id and m.user_id = u.id)
      then 'the agent left the channel'
    when ${isPausedSql('u')} then 'the bot is paused'
    when s.availability is distinct from 'available' then 'the agent takes no offers any more'
    when ch.assignment ->> 'mode' is distinct from 'offer' then 'the channel offers nothing any more' end as misfit
from conversation c join offer o on o.id = c.offer_id
left join app_user u on u.id = c.offer_user_id left join staff s on s.user_id = c.offer_user_id
left join channel ch on ch.id = o.channel_id
where c.offer_id is not null and c.offer_user_id = any($1::uuid[]) order by o.made_at desc, o.id desc`
