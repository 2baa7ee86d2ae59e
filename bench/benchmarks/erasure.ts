import { systemClock } from '../../src/platform/db/clock.js'
import type { Bench } from '../harness/bench.js'
import { isQuick, short, type Figure } from '../harness/figures.js'
import type { SeededUser } from '../harness/seed.js'

const MESSAGES = 1_000
const MESSAGES_AT_ONCE = 20
const ANSWERS = 1_000_000
const EVENTS = 10_000_000
const FILL_MS_MAX = Number(process.env.BENCH_FILL_MINUTES ?? 6) * 60_000
const SLICE = 200_000
const AIM_MS = 10_000
/** Erasures before anything is beside them. */
const CALM = 2
const GIVEN_UP_MS = 600_000
/** Text in each message of the consumer, by which what is left is found. */
const WORDS = 'Zyxwert'

const CREATE = `mutation ($input: CreateConversationInput!, $key: String) {
  createConversation(input: $input, idempotencyKey: $key) { id contact { id } } }`
const SEND = `mutation ($id: ID!, $messages: [MessageInput!]!, $key: String) {
  sendMessages(conversation: $id, messages: $messages, idempotencyKey: $key) { id } }`
const DELETE = 'mutation ($id: ID!) { deleteContact(id: $id) }'

/** A bot writes as consumers; an agent ends their conversations; an administrator has them erased. */
interface Callers {
  bot: Ask
  agent: Ask
  admin: Ask
}
type Ask = <Value>(query: string, variables: object) => Promise<Value>

/**
 * Erasure of a contact with 1,000 messages, from the request to the end of its first pass, in an empty installation and
 * beside the answers and events of a busy one. The contact is made through the interface; what is beside it is loaded in
 * bulk, since no client could make so much in the time.
 */
export async function benchErasure(bench: Bench): Promise<Figure[]> {
  const { seeder } = bench
  const { organization, agents } = await seeder.organization(1)
  const callers = await openCallers(bench, organization, agents[0]!)
  const calm: number[] = []
  // The first one warms up.
  for (let time = 0; time <= CALM; time += 1) calm.push(await erase(bench, callers, await writeAs(callers)))
  calm.shift()
  const contact = await writeAs(callers)
  const answers = await fillAnswers(bench)
  const events = await fillEvents(bench)
  await seeder.query('vacuum analyze event')
  await seeder.query('vacuum analyze idempotency_key')
  const busyMs = await erase(bench, callers, contact)
  const calmMs = Math.min(...calm)
  const beside = `beside ${answers.toLocaleString('en-US')} answers and ${events.toLocaleString('en-US')} events`
  const how =
    `A contact with a conversation of ${MESSAGES.toLocaleString('en-US')} messages, written with idempotency keys through GraphQL; ` +
    `from deleteContact to the end of the first pass, after which nothing of its words is left; the second look, two minutes later, is not ` +
    `counted. Answers and events beside it are loaded in bulk.`
  const product = `${short(busyMs)} ms ${beside}`
  return [
    {
      name: `erasure of a contact with ${MESSAGES} messages`,
      ratio: busyMs / AIM_MS,
      aim: 1,
      isTime: true,
      product,
      floor: `the aim itself, ${AIM_MS} ms`,
      how,
    },
    {
      name: 'the same, against an erasure in an empty installation',
      ratio: busyMs / calmMs,
      aim: null,
      isTime: true,
      product,
      floor: `${short(calmMs)} ms, the quicker of ${calm.map((ms) => short(ms)).join(' and ')} ms`,
      how,
    },
  ]
}

async function openCallers(bench: Bench, organization: string, agent: SeededUser): Promise<Callers> {
  const add = async (role: string): Promise<SeededUser> => {
    const id = systemClock.newId()
    await bench.seeder.query(
      `insert into app_user (id, organization_id, org1, created_at, updated_at, email, role, status, display_name, provider)
       values ($1, $2, $2, now(), now(), $3, $4, 'active', $4, 'local')`,
      [id, organization, `${id}@example.com`, role],
    )
    return { id, organization, role }
  }
  return {
    bot: await asking(bench, await add('bot')),
    agent: await asking(bench, agent),
    admin: await asking(bench, await add('admin')),
  }
}

async function asking(bench: Bench, person: SeededUser): Promise<Ask> {
  const [token] = await bench.tokens([person])
  return async <Value>(query: string, variables: object) => {
    const response = await fetch(`${bench.url}/graphql`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token!}`, 'content-type': 'application/json' },
      body: JSON.stringify({ query, variables }),
    })
    const { data, errors } = (await response.json()) as { data: Record<string, Value>; errors?: unknown }
    if (errors) throw new Error(JSON.stringify(errors))
    return Object.values(data)[0]!
  }
}

/** @returns the contact who has written, in a conversation that is closed */
async function writeAs({ bot, agent }: Callers): Promise<string> {
  const key = crypto.randomUUID()
  const { id, contact } = await bot<{ id: string; contact: { id: string } }>(CREATE, {
    input: {
      touchpoint: 'WEB',
      contact: { profile: { name: WORDS, email: `${key}@example.com` } },
      messages: [{ role: 'CONTACT', text: WORDS }],
    },
    key,
  })
  for (let sent = 1; sent < MESSAGES; sent += MESSAGES_AT_ONCE) {
    const messages = Array.from({ length: Math.min(MESSAGES_AT_ONCE, MESSAGES - sent) }, (_, at) => ({
      role: 'CONTACT',
      text: `${WORDS} ${sent + at}`,
    }))
    await bot(SEND, { id, messages, key: `${key} ${sent}` })
  }
  await agent(SEND, {
    id,
    messages: [
      { role: 'AGENT', text: 'It is done.' },
      { type: 'COMMAND', text: '/leave' },
    ],
    key: `${key} closed`,
  })
  return contact.id
}

/** @returns milliseconds from the request until the first pass is done, which leaves nothing of the contact */
async function erase({ seeder }: Bench, { admin }: Callers, contact: string): Promise<number> {
  const since = performance.now()
  await admin(DELETE, { id: contact })
  for (;;) {
    const left = await seeder.query(
      `select attempts, last_error from job where kind = 'privacy.erase' and run_at < now() + interval '60 seconds'`,
    )
    if (left.length === 0) break
    if (performance.now() - since > GIVEN_UP_MS) throw new Error(`not erased: ${JSON.stringify(left)}`)
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
  const ms = performance.now() - since
  const [left] = await seeder.query<{ events: number; answers: number; messages: number }>(
    `select (select count(*) from event where data::text like '%${WORDS}%')::int as events,
       (select count(*) from idempotency_key where response::text like '%${WORDS}%')::int as answers,
       (select count(*) from message where text like '${WORDS}%')::int as messages`,
  )
  if (left!.events + left!.answers + left!.messages > 0)
    throw new Error(`left after an erasure: ${JSON.stringify(left)}`)
  return ms
}

/** Answers to other creates, each about a record of its own. */
async function fillAnswers({ seeder }: Bench): Promise<number> {
  const total = isQuick() ? 10_000 : ANSWERS
  for (let done = 0; done < total; done += SLICE) {
    await seeder.query(
      `insert into idempotency_key (caller, key, request_hash, response, about, created_at)
       select 'user:' || (n % 50), gen_random_uuid()::text, md5(n::text),
         jsonb_build_object('data', jsonb_build_object('createConversation', jsonb_build_object(
           'id', gen_random_uuid(), 'name', 'Swift Otter', 'status', 'QUEUED', 'text', repeat(md5(n::text), 6)))),
         gen_random_uuid(), now() - n * interval '86 ms'
       from generate_series($1::int, $2::int) n`,
      [done + 1, Math.min(done + SLICE, total)],
    )
  }
  return total
}

/** Events of other conversations, in the shapes that an erasure looks for among them: messages, queue entries, records. */
async function fillEvents({ seeder }: Bench): Promise<number> {
  const total = isQuick() ? 20_000 : EVENTS
  const until = performance.now() + FILL_MS_MAX
  let done = 0
  for (; done < total && performance.now() < until; done += SLICE) {
    await seeder.query(
      `insert into event (stream, number, type, at, data, tag, previous)
       select case n % 10 when 8 then 'queue:' when 9 then 'organization:' else 'conversation:' end || md5((n / 20)::text)::uuid,
         n % 20 + 1,
         case n % 10 when 8 then 'entry.added' when 9 then 'contact.updated' when 7 then 'conversation.changed' else 'message.added' end,
         now(),
         case n % 10
           when 8 then jsonb_build_object('entry', jsonb_build_object('conversation', md5((n / 20)::text)::uuid, 'preview', 'Where is my order?'))
           when 9 then jsonb_build_object('id', md5(n::text)::uuid, 'profile', jsonb_build_object('name', 'Consumer ' || n))
           else jsonb_build_object('turn', 1, 'message', jsonb_build_object('id', md5(n::text)::uuid, 'role', 'contact', 'type', 'chat',
             'text', 'Where is my order? I have been waiting for it since Monday, number ' || n))
         end, 1, 0
       from generate_series($1::int, $2::int) n`,
      [done, Math.min(done + SLICE, total) - 1],
    )
  }
  return Math.min(done, total)
}
