export type OfferOutcome = 'accepted' | 'declined' | 'expired' | 'withdrawn'

/** Reasons for which an agent was chosen, or was not. */
export type CandidateOutcome =
  | 'chosen'
  | 'lessSuitable'
  | 'atCapacity'
  | 'unavailable'
  | 'notSubscribed'
  | 'outOfReach'
  | 'lacksSkills'
  | 'declined'
  | 'handedOver'
  | 'reserved'
  | 'notPreferred'

export interface Candidate {
  userId: string
  outcome: CandidateOutcome
  reason: string
  load: number
}

export interface OfferRow {
  id: string
  conversationId: string
  queueing: number
  channelId: string
  userId: string
  madeAt: Date
  until: Date
  outcome: OfferOutcome | null
  endedAt: Date | null
  /** Stored with the decision of the queueing: the latest offer's. */
  candidates: readonly Candidate[]
}

export interface EndedOffer {
  id: string
  outcome: OfferOutcome
  reason: string | null
  endedAt: Date
}

/** An offer as in its events. */
export interface OfferData {
  id: string
  conversationId: string
  channelId: string
  userId: string
  until: string
}

export const INSERT_OFFERS = `
with x as materialized (
  select * from jsonb_to_recordset($1::jsonb) as x("id" uuid, "conversationId" uuid, "queueing" int, "channelId" uuid,
    "userId" uuid, "madeAt" timestamptz, "until" timestamptz, "outcome" text, "endedAt" timestamptz, "candidates" jsonb)
), explained as (
  update routing_decision d set candidates = x.candidates from x
  where d.id = (select id from routing_decision where conversation_id = x."conversationId" and queueing = x.queueing
    order by id desc limit 1)
)
insert into offer (id, conversation_id, queueing, channel_id, user_id, made_at, until, outcome, ended_at)
select id, "conversationId", queueing, "channelId", "userId", "madeAt", until, outcome, "endedAt" from x`

export const END_OFFERS = `update offer o set outcome = x.outcome, reason = x.reason, ended_at = x."endedAt", end_recorded_at = now()
  from jsonb_to_recordset($1::jsonb) as x(id uuid, outcome text, reason text, "endedAt" timestamptz) where o.id = x.id`
