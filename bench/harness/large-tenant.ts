import type { Seed, Seeder } from './seed.js'

export interface LargeTenant {
  conversations: number
  /** Spread evenly over the conversations, but for those of the long one. */
  messages: number
  /** Messages of one conversation, the newest. */
  longConversation: number
}

const BATCH = 10_000

/**
 * A tenant's history in bulk: contacts, conversations a minute apart, one in twenty open and one in a hundred in the
 * first agent's inbox, and their messages. Ids are UUIDv7s of the times that the rows are given.
 * @returns the id of the long conversation
 */
export async function seedLargeTenant(
  seeder: Seeder,
  { organization, agents }: Seed,
  { conversations, messages, longConversation }: LargeTenant,
  progress: (done: number) => void = () => undefined,
): Promise<string> {
  const each = Math.max(1, Math.round((messages - longConversation) / conversations))
  const now = new Date().toISOString()
  for (let first = 1; first <= conversations; first += BATCH) {
    const last = Math.min(conversations, first + BATCH - 1)
    for (const statement of [CONTACTS, CONVERSATIONS, MESSAGES]) {
      await seeder.query(statement, [organization, first, last, conversations, each, now])
    }
    await seeder.query(PARTICIPANTS, [agents[0]!.id, first, last, conversations, each, now])
    progress(last)
  }
  const [long] = await seeder.query<{ id: string }>(LONG_CONVERSATION, [organization])
  await seeder.query(LONG_MESSAGES, [long!.id, organization, each, each + longConversation])
  await seeder.settle()
  return long!.id
}

/** A UUIDv7 of a time, made different by a text. */
const idAt = (at: string, text: string): string =>
  `(lpad(to_hex((extract(epoch from ${at}) * 1000)::bigint), 12, '0') || '7' || substr(md5(${text}), 1, 3) || '8' ||
    substr(md5(${text}), 4, 15))::uuid`

/** `$1` the organization or the agent, `$2` to `$3` of `$4` conversations of `$5` messages each, the last at `$6`. */
const ROWS = `
with numbered as (
  select n, $6::timestamptz - ($4::int - n) * interval '1 minute' as at, $5::int as each
  from generate_series($2::int, $3::int) as n
), rows as (
  select n, at, each, ${idAt('at', `'c' || n`)} as id, ${idAt('at', `'p' || n`)} as contact,
    at + each * interval '40 seconds' as last_at
  from numbered
)`

const CONTACTS = `${ROWS}
insert into contact (id, organization_id, org1, created_at, updated_at, profile, email)
select contact, $1, $1, at, at,
  jsonb_build_object('name', 'Consumer ' || substr(md5(n::text), 1, 8), 'email', 'consumer-' || n || '@example.com'),
  'consumer-' || n || '@example.com' from rows`

const CONVERSATIONS = `${ROWS}
insert into conversation (id, organization_id, org1, created_at, updated_at, type, name, slug, status, contact_id,
  touchpoint, message_count, last_message_at, last_message_role, preview)
select id, $1, $1, at, last_at, 'contact', 'Swift Otter', id::text,
  case when n % 20 = 0 then 'active' when n % 500 = 1 then 'archived' else 'closed' end, contact, 'web', each, last_at,
  'contact', 'Where is my order?' from rows`

const MESSAGES = `${ROWS}, sent as (
  select rows.id as conversation, n, position, at + position * interval '40 seconds' as sent_at
  from rows cross join generate_series(1, each) as position
)
insert into message (id, organization_id, org1, created_at, updated_at, conversation_id, position, type, role, text)
select ${idAt('sent_at', `n || '-' || position`)}, $1, $1, sent_at, sent_at, conversation, position, 'chat',
  case when position % 2 = 1 then 'contact' else 'agent' end, 'Where is my order? Number ' || n from sent`

const PARTICIPANTS = `${ROWS}
insert into participant (conversation_id, user_id, name, role, active, accepted, inbox, created_at, updated_at)
select id, $1, 'Agent', 'agent', true, true, n % 100 = 0, at, at from rows where n % 20 = 0`

const LONG_CONVERSATION = `
select id from conversation where organization_id = $1 order by id desc limit 1`

const LONG_MESSAGES = `
with sent as (
  select position, date_trunc('milliseconds', now()) + position * interval '1 second' as at
  from generate_series($3::int + 1, $4::int) as position
)
insert into message (id, organization_id, org1, created_at, updated_at, conversation_id, position, type, role, text)
select ${idAt('at', `'long' || position`)}, $2, $2, at, at, $1, position, 'chat', 'contact', 'And another' from sent`
