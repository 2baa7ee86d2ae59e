import { insertCenter } from '../../src/modules/organizations/center-rows.js'
import { systemClock } from '../../src/platform/db/clock.js'
import type { Seeder, SeededUser } from './seed.js'

/** Numbers of a tenant's things of which an agent's work must not depend on. */
export interface TenantSize {
  queued: number
  channels: number
  users: number
  longConversation: number
  inbox: number
}

export interface GrownTenant {
  organization: string
  /** Its agent, a member of one channel, and a bot. */
  agent: SeededUser
  bot: SeededUser
  colleague: string
  /** The agent's; as many wait in it whatever the tenant's size. */
  channel: string
  /** One with many messages. */
  long: string
  /** Queued ones of the agent's channel. */
  waiting: string[]
  /** Closed ones with a contact. */
  closed: string[]
}

/** Number of each kind: as many as the benchmark uses up. */
const USED_UP = 60

/** A contact center by plain SQL, where queues are routed to the agent's channel by a workflow. */
export async function growTenant(seeder: Seeder, size: TenantSize): Promise<GrownTenant> {
  const { id: organization } = await insertCenter(seeder, systemClock, 'Grown')
  const channel = systemClock.newId()
  const [agent, bot, colleague] = ['agent', 'bot', 'agent'].map((role) => ({
    id: systemClock.newId(),
    organization,
    role,
  }))
  await seeder.query(
    `insert into channel (id, organization_id, org1, created_at, updated_at, name)
     select case when n = 1 then $2::uuid else gen_random_uuid() end, $1::uuid, $1::uuid, now(), now(), 'Channel ' || n
     from generate_series(1, $3::int) n`,
    [organization, channel, size.channels],
  )
  await seeder.query(
    `insert into app_user (id, organization_id, org1, created_at, updated_at, email, role, status, display_name, provider)
     select case n when 1 then $2::uuid when 2 then $3::uuid when 3 then $4::uuid else gen_random_uuid() end, $1::uuid, $1::uuid, now(), now(),
       n || '-' || $1::uuid || '@example.com', case n when 2 then 'bot' else 'agent' end, 'active', 'User ' || n, 'local'
     from generate_series(1, $5::int) n`,
    [organization, agent!.id, bot!.id, colleague!.id, Math.max(3, size.users)],
  )
  await seeder.query('insert into channel_member (channel_id, user_id, created_at) values ($1, $2, now())', [
    channel,
    agent!.id,
  ])
  const rule = {
    id: systemClock.newId(),
    priority: 1,
    conditions: { all: [] },
    event: { type: 'notify', params: { channels: [channel] } },
  }
  await seeder.query(
    `insert into workflow (id, external_id, organization_id, org1, created_at, updated_at, name, rules)
     values ($1, $1::text, $2, $2, now(), now(), 'Routing', $3)`,
    [systemClock.newId(), organization, JSON.stringify([rule])],
  )
  await seeder.query(CONVERSATIONS, [organization, size.queued, 'queued', null])
  const ids = async (status: string, count: number, own: string | null): Promise<string[]> =>
    (await seeder.query<{ id: string }>(CONVERSATIONS, [organization, count, status, own])).map(({ id }) => id)
  const waiting = await ids('queued', USED_UP * 3, channel)
  const closed = await ids('closed', USED_UP * 4, null)
  const inbox = await ids('closed', size.inbox, null)
  await seeder.query(
    `update conversation c set last_message_at = now() - x.place * interval '1 minute'
     from unnest($1::uuid[]) with ordinality as x(id, place) where c.id = x.id`,
    [inbox],
  )
  const [long] = await ids('active', 1, null)
  await seeder.query(
    `insert into participant (conversation_id, user_id, name, role, inbox, active, accepted, created_at, updated_at)
     select id, $2, 'User 1', 'agent', id <> $3, id = $3, id = $3, now(), now() from unnest($1::uuid[] || $3::uuid) as x(id)`,
    [inbox, agent!.id, long],
  )
  await seeder.query(MESSAGES, [organization, [long], size.longConversation])
  await seeder.query(MESSAGES, [organization, closed, 10])
  // The last of them are to be merged, and what is merged first was said first: later than all that the benchmark says.
  await seeder.query(
    `update message m set created_at = m.created_at + interval '1 day' + x.place * interval '1 minute'
     from unnest($1::uuid[]) with ordinality as x(id, place) where m.conversation_id = x.id`,
    [closed.slice(USED_UP * 3)],
  )
  await seeder.query('update conversation set message_count = $2 where id = $1', [long, size.longConversation])
  await seeder.query('update conversation set message_count = 10 where id = any($1::uuid[])', [closed])
  return { organization, agent: agent!, bot: bot!, colleague: colleague!.id, channel, long: long!, waiting, closed }
}

/** With a contact each, spread over the channels, or in one. */
const CONVERSATIONS = `
with x as materialized (
  select gen_random_uuid() as id, gen_random_uuid() as contact, n from generate_series(1, $2::int) n
), contacts as (
  insert into contact (id, organization_id, org1, created_at, updated_at, profile)
  select contact, $1::uuid, $1::uuid, now(), now(), jsonb_build_object('name', 'Consumer ' || n) from x returning id
), places as materialized (
  select id, row_number() over (order by id) - 1 as place, count(*) over () as places from channel
  where organization_id = $1 and ($4::uuid is null or id = $4)
)
insert into conversation (id, organization_id, org1, created_at, updated_at, type, name, slug, status, contact_id, touchpoint,
  channels_offline, queued_at, preview, meta)
select x.id, $1, $1, now(), now(), 'contact', 'Swift Otter', x.id::text, $3::text, x.contact, 'web',
  case when $3 = 'queued' then array(select p.id from places p where p.place = x.n % p.places) else '{}' end,
  case when $3 = 'queued' then now() end, 'Where is my order?', jsonb_build_object('padding', repeat('x', 300))
from x join contacts c on c.id = x.contact
returning id`

const MESSAGES = `
insert into message (id, organization_id, org1, created_at, updated_at, conversation_id, position, type, role, text)
select gen_random_uuid(), $1, $1, now() - ($3::int - n) * interval '1 second', now(), x.id, n, 'chat', 'contact',
  'Where is my order, number ' || n from unnest($2::uuid[]) as x(id), generate_series(1, $3::int) n`
