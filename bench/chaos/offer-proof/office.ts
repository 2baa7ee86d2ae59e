import type pg from 'pg'
import { signIn, type Person } from '../stage.js'
import type { Api } from '../api.js'
import { OWNER } from '../world.js'

/** Units of conversations that may be pushed to each agent, in turn. */
const CAPACITIES = [12, 8, 20, 5]
const PASSWORD = 'another horse battery'
const OFFER_SECONDS = 5

export interface ProofAgent extends Person {
  capacity: number
}

/** A channel that offers, and its agents, who all have a screen. */
export interface Office {
  owner: Api
  channel: string
  agents: ProofAgent[]
}

/** Made through the interfaces, as any client would. */
export async function openOffice(url: string, count: number): Promise<Office> {
  const owner = await signIn(url, OWNER.email, OWNER.password)
  const agents: ProofAgent[] = []
  // One after the other: hashing all passwords at once takes longer than a request may.
  for (let index = 0; index < count; index++) {
    const email = `offered-${index}@example.com`
    const body = { email, role: 'agent', password: PASSWORD }
    const { id } = await owner.rest<{ id: string }>('POST', '/users', body, crypto.randomUUID())
    const capacity = CAPACITIES[index % CAPACITIES.length]!
    const update = 'mutation ($id: ID!, $patch: UpdateStaffInput!) { updateStaff(user: $id, patch: $patch) { load } }'
    await owner.gql(update, { id, patch: { capacity } })
    agents.push({ id, capacity, api: await signIn(url, email, PASSWORD) })
  }
  const channel = await owner.rest<{ id: string }>(
    'POST',
    '/channels',
    {
      name: 'Offers',
      members: agents.map(({ id }) => ({ user: id })),
      // An agent who answers late accepts what is no longer offered to it: that is a pull, which the limit bounds too.
      assignment: { mode: 'offer', offerSeconds: OFFER_SECONDS, limitPulls: true, othersMayAccept: false },
    },
    crypto.randomUUID(),
  )
  return { owner, channel: channel.id, agents }
}

/**
 * Adds conversations that wait for an offer, by SQL: no event wakes a matcher. Each was queued after those before it,
 * all of them long ago, and is closed by a `/leave`. `proof_queued` has their order, and from when on they could be seen.
 */
export async function addWaiting(sql: pg.Client, channel: string, count: number): Promise<void> {
  const { rows } = await sql.query<{ id: string; nth: string }>(ADD, [channel, count])
  await sql.query('insert into proof_queued select *, clock_timestamp() from unnest($1::uuid[], $2::bigint[])', [
    rows.map(({ id }) => id),
    rows.map(({ nth }) => nth),
  ])
}

export const PREPARE = `
create table proof_queued (conversation_id uuid primary key, nth bigint not null, since timestamptz not null);
create sequence proof_order`

const ADD = `
with x as materialized (
  select gen_random_uuid() as id, gen_random_uuid() as contact, nextval('proof_order') as nth, org1 as org
  from channel, generate_series(1, $2::int) where channel.id = $1
), contacts as (
  insert into contact (id, organization_id, org1, created_at, updated_at, profile)
  select contact, org, org, now(), now(), jsonb_build_object('name', 'Consumer ' || nth) from x
), decisions as (
  insert into routing_decision (id, conversation_id, queueing, trigger, entries, created_at)
  -- As new as any: maintenance goes by the time in an id.
  select ('ffffffff-ffff-7' || substr(gen_random_uuid()::text, 16))::uuid, id, 1, 'seeded', '[]', now() from x
)
insert into conversation (id, organization_id, org1, created_at, updated_at, type, name, slug, status, contact_id, touchpoint,
  queueing, queued_at, channels, awaiting_reply)
select id, org, org, now(), now(), 'contact', 'Swift Otter', id::text, 'queued', contact,
  (array['web', 'sms', 'email'])[1 + nth % 3], 1, '2026-01-01'::timestamptz + nth * interval '1 second', array[$1::uuid], false
from x order by nth returning id, (extract(epoch from queued_at - '2026-01-01'))::bigint as nth`
