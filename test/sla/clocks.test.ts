import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals'
import { Random } from '../../bench/chaos/random.js'
import { readEvents } from '../../src/platform/events/streams.js'
import { camelRow } from '../../src/platform/lists/rows.js'
import { advanceClocks, beforeCase, type ClockMilestone } from '../../src/modules/sla/advance-clocks.js'
import { clockRow, type ClockRow } from '../../src/modules/sla/clock-row.js'
import { TermsCache } from '../../src/modules/sla/clock-terms.js'
import type { SlaClock, SlaState } from '../../src/modules/sla/sla-clock.js'
import { startConversationFixture, until, type ConversationFixture } from '../conversations/conversation-fixture.js'
import { liveClient, subscribe } from '../support/live-client.js'

let fixture: ConversationFixture
beforeAll(async () => {
  fixture = await startConversationFixture({}, { pace: 10 })
})
beforeEach(async () => {
  fixture.clock.goOn()
  const { database } = fixture.server
  await database.query('delete from conversation')
  await database.query('delete from sla_policy')
})
afterAll(() => fixture.close())

interface Clock {
  clock: string
  state: string
  startedAt: string
  dueAt: string | null
  policyVersion: number
}

const CREATE = 'mutation ($input: CreateSlaPolicyInput!) { createSlaPolicy(input: $input) { id version position } }'
const UPDATE =
  'mutation ($id: ID!, $patch: UpdateSlaPolicyInput!) { updateSlaPolicy(id: $id, patch: $patch) { id version } }'
const CLOCKS = `query ($id: ID!) { conversation(id: $id) { clocks { clock state startedAt dueAt policyVersion } } }`
const REAPPLY =
  'mutation ($id: ID!) { reapplySla(conversation: $id) { clocks { clock state startedAt dueAt policyVersion } } }'
const MINUTE = 60_000

const targets = (minutes: Partial<Record<string, number>>, warnMinutes: number | null = null): object[] =>
  Object.entries(minutes).map(([clock, each]) => ({ clock, minutes: each, warnMinutes }))
const ALL = targets({ QUEUE: 10, FIRST_RESPONSE: 30, NEXT_RESPONSE: 20, RESOLUTION: 90 })

async function policy(input: object = {}): Promise<string> {
  const { value, message } = await fixture.run<{ id: string }>(fixture.admin, CREATE, {
    input: { name: 'Standard', targets: ALL, ...input },
  })
  expect(message).toBeUndefined()
  return value.id
}

const pass = (minutes: number): void => fixture.clock.advance(minutes * MINUTE)
const wait = async (): Promise<string> => (await fixture.create({ messages: [{ role: 'CONTACT', text: 'hello' }] })).id
const clocksOf = async (id: string): Promise<Clock[]> =>
  (await fixture.run<{ clocks: Clock[] }>(fixture.ann, CLOCKS, { id })).value.clocks
const statesOf = async (id: string): Promise<Record<string, string>> =>
  Object.fromEntries((await clocksOf(id)).toReversed().map(({ clock, state }) => [clock, state]))
const minutesOf = ({ startedAt, dueAt }: Clock): number => (Date.parse(dueAt!) - Date.parse(startedAt)) / MINUTE

/** Lists what was told of the clocks of a conversation: `breached queue`. */
async function told(id: string, type = /^clock\./): Promise<string[]> {
  const events = await readEvents(fixture.server.database, `conversation:${id}`, 0, 10_000)
  return events
    .filter((event) => type.test(event.type))
    .map(({ type: each, data }) => `${each.slice(6)} ${(data as { clock: { clock: string } }).clock.clock}`)
}

describe('the policy of a case', () => {
  const isOf = (category: string): object => ({
    all: [{ fact: 'conversation', path: '.category', operator: 'equal', value: category }],
  })
  const categorise = async (id: string, category: string): Promise<void> => {
    const set =
      'mutation ($id: ID!, $patch: SetConversationInput!) { setConversation(conversation: $id, patch: $patch) { id } }'
    expect(await fixture.run(fixture.bot, set, { id, patch: { category } })).not.toHaveProperty('code')
  }
  beforeAll(async () => {
    const update =
      'mutation ($id: ID!, $patch: UpdateOrganizationInput!) { updateOrganization(id: $id, patch: $patch) { id } }'
    const patch = { categories: [{ name: 'Billing' }, { name: 'Orders' }] }
    expect(await fixture.run(fixture.admin, update, { id: fixture.organization.id, patch })).not.toHaveProperty('code')
  })

  it('is chosen when a category is set after the first message, and counts from that message', async () => {
    await policy({ conditions: isOf('Billing') })
    const before = fixture.clock.now().getTime()
    const id = await wait()
    expect(await clocksOf(id)).toEqual([])
    const after = fixture.clock.now().getTime()
    pass(5)
    await categorise(id, 'Billing')
    expect(await statesOf(id)).toEqual({ QUEUE: 'RUNNING', FIRST_RESPONSE: 'RUNNING', RESOLUTION: 'RUNNING' })
    for (const clock of await clocksOf(id)) {
      expect(Date.parse(clock.startedAt)).toBeGreaterThanOrEqual(before)
      expect(Date.parse(clock.startedAt)).toBeLessThanOrEqual(after)
    }
    pass(6)
    await until(
      () => statesOf(id),
      ({ QUEUE }) => QUEUE === 'BREACHED',
    )
  })

  it('is chosen again when the fact changes, by what it says of the message too, until the first answer', async () => {
    await policy({ conditions: isOf('Billing'), position: 1 })
    await policy({ conditions: isOf('Orders'), position: 2, targets: targets({ FIRST_RESPONSE: 60 }) })
    const urgent = { all: [{ fact: 'message', path: '.text', operator: 'equal', value: 'it is urgent' }] }
    await policy({ conditions: urgent, position: 0, targets: targets({ FIRST_RESPONSE: 2 }) })
    const id = await wait()
    await categorise(id, 'Billing')
    await categorise(id, 'Orders')
    const [first] = (await clocksOf(id)).filter(({ state }) => state === 'RUNNING')
    expect([first!.clock, minutesOf(first!)]).toEqual(['FIRST_RESPONSE', 60])
    expect(await statesOf(id)).toMatchObject({ QUEUE: 'CANCELLED', RESOLUTION: 'CANCELLED' })
    await fixture.send(fixture.bot, id, { role: 'CONTACT', text: 'it is urgent' })
    const [second] = (await clocksOf(id)).filter(({ state }) => state === 'RUNNING')
    expect(minutesOf(second!)).toBe(2)
    await fixture.send(fixture.ann, id, { role: 'AGENT', text: 'at once' })
    const answered = await clocksOf(id)
    await categorise(id, 'Billing')
    await fixture.send(fixture.bot, id, { role: 'CONTACT', text: 'thanks' })
    expect((await clocksOf(id)).filter(({ clock }) => clock === 'QUEUE')).toEqual(
      answered.filter(({ clock }) => clock === 'QUEUE'),
    )
  })

  it("is chosen again by the organization's metadata with the next write to the conversation", async () => {
    await policy({
      conditions: { all: [{ fact: 'organization', path: '.meta.tier', operator: 'equal', value: 'gold' }] },
    })
    const id = await wait()
    expect(await clocksOf(id)).toEqual([])
    const update =
      'mutation ($id: ID!, $patch: UpdateOrganizationInput!) { updateOrganization(id: $id, patch: $patch) { id } }'
    const set = (meta: object) => fixture.run(fixture.admin, update, { id: fixture.organization.id, patch: { meta } })
    expect(await set({ tier: 'gold' })).not.toHaveProperty('code')
    await fixture.send(fixture.bot, id, { role: 'BOT', text: 'a note' })
    expect(await statesOf(id)).toMatchObject({ FIRST_RESPONSE: 'RUNNING', RESOLUTION: 'RUNNING' })
    await set({})
  })

  it('stays in its version when the same one applies still, and when only the time is another', async () => {
    const id = await policy({ conditions: isOf('Billing') })
    const conversation = await wait()
    await categorise(conversation, 'Billing')
    await fixture.run(fixture.admin, UPDATE, { id, patch: { targets: targets({ QUEUE: 99 }) } })
    await fixture.run(
      fixture.bot,
      'mutation ($id: ID!) { setConversation(conversation: $id, patch: { meta: { a: "b" } }) { id } }',
      {
        id: conversation,
      },
    )
    expect((await clocksOf(conversation)).map(({ policyVersion }) => policyVersion)).toEqual([1, 1, 1])
    // A bot asks for the new version.
    expect(await fixture.run(fixture.bot, REAPPLY, { id: conversation })).not.toHaveProperty('code')
    expect(await statesOf(conversation)).toMatchObject({ QUEUE: 'RUNNING', RESOLUTION: 'CANCELLED' })
    expect(await fixture.run(fixture.ann, REAPPLY, { id: conversation })).toMatchObject({ code: 'FORBIDDEN' })
  })
})

describe('the clocks of a conversation', () => {
  it('start with the case, stop with acceptance and answer, and are shown live', async () => {
    await policy()
    const id = await wait()
    expect(await statesOf(id)).toEqual({ QUEUE: 'RUNNING', FIRST_RESPONSE: 'RUNNING', RESOLUTION: 'RUNNING' })
    const client = liveClient(fixture.url, await fixture.tokenFor(fixture.ann))
    const live = subscribe<{ __typename: string; clock: { clock: string; state: string } }>(
      client,
      'conversation',
      `subscription { conversation(id: "${id}") { __typename ... on ClockChanged { clock { clock state } } } }`,
    )
    await live.next()
    await fixture.command(fixture.ann, id, '/accept')
    const { clock } = await live.next(({ __typename }) => __typename === 'ClockChanged')
    expect(clock).toEqual({ clock: 'QUEUE', state: 'MET' })
    // A bot answers nothing.
    await fixture.send(fixture.bot, id, { role: 'BOT', text: 'One moment' })
    expect(await statesOf(id)).toMatchObject({ FIRST_RESPONSE: 'RUNNING' })
    await fixture.send(fixture.ann, id, { role: 'AGENT', text: 'Hi' })
    expect(await statesOf(id)).toEqual({ QUEUE: 'MET', FIRST_RESPONSE: 'MET', RESOLUTION: 'PAUSED' })
    await fixture.send(fixture.bot, id, { role: 'CONTACT', text: 'And?' })
    expect(await statesOf(id)).toMatchObject({ NEXT_RESPONSE: 'RUNNING', RESOLUTION: 'RUNNING' })
    await fixture.send(fixture.ann, id, { role: 'AGENT', text: 'Done' })
    await fixture.command(fixture.ann, id, '/leave')
    expect(await statesOf(id)).toEqual({ QUEUE: 'MET', FIRST_RESPONSE: 'MET', NEXT_RESPONSE: 'MET', RESOLUTION: 'MET' })
    await client.dispose()
  })

  it.each(['ACTIVE', 'CLOSED'])(
    'run for a consumer who waits in what is merged into one that is %s',
    async (status) => {
      await policy()
      const id = await wait()
      await fixture.command(fixture.ann, id, '/accept')
      await fixture.send(fixture.ann, id, { role: 'AGENT', text: 'hi' })
      if (status === 'CLOSED') await fixture.command(fixture.ann, id, '/leave')
      pass(1)
      const origin = await wait()
      const begun = (await clocksOf(origin)).find(({ clock }) => clock === 'FIRST_RESPONSE')!.startedAt
      pass(1)
      expect(await fixture.command(fixture.admin, id, `/import ${origin}`)).not.toHaveProperty('code')
      const [running, name] =
        status === 'ACTIVE'
          ? [{ NEXT_RESPONSE: 'RUNNING', RESOLUTION: 'RUNNING' }, 'NEXT_RESPONSE']
          : [{ QUEUE: 'RUNNING', FIRST_RESPONSE: 'RUNNING', RESOLUTION: 'RUNNING' }, 'FIRST_RESPONSE']
      expect(await statesOf(id)).toMatchObject(running)
      expect((await clocksOf(id)).find(({ clock, state }) => clock === name && state === 'RUNNING')!.startedAt).toBe(
        begun,
      )
      // Further messages of the consumer begin no other, and an answer ends it.
      await fixture.send(fixture.bot, id, { role: 'CONTACT', text: 'hello?' })
      expect(await statesOf(id)).toMatchObject(running)
      await fixture.send(fixture.ann, id, { role: 'AGENT', text: 'here I am' })
      expect(await statesOf(id)).toMatchObject({ [name!]: 'MET', RESOLUTION: 'PAUSED' })
    },
  )

  it('are cancelled when the consumer is blocked', async () => {
    await policy()
    const id = await wait()
    await fixture.command(fixture.ann, id, '/block')
    expect(new Set(Object.values(await statesOf(id)))).toEqual(new Set(['CANCELLED']))
  })

  it('count by the first policy whose conditions hold, those of the own organization before those above', async () => {
    const conditions = (name: string) => ({
      all: [{ fact: 'conversation', path: '.meta.kind', operator: 'equal', value: name }],
    })
    await policy({ name: 'Rest', position: 9, targets: targets({ QUEUE: 9 }) })
    await policy({ name: 'Second', position: 2, conditions: conditions('vip'), targets: targets({ QUEUE: 2 }) })
    await policy({ name: 'First', position: 1, conditions: conditions('vip'), targets: targets({ QUEUE: 1 }) })
    const dueOf = async (input: object): Promise<number | undefined> => {
      const { id } = await fixture.create({ messages: [{ role: 'CONTACT', text: 'hello' }], ...input })
      const [clock] = await clocksOf(id)
      return clock && minutesOf(clock)
    }
    expect(await dueOf({ meta: { kind: 'vip' } })).toBe(1)
    expect(await dueOf({})).toBe(9)
    const shop = await fixture.makeOrganization({ parent: fixture.organization, name: 'Shop' })
    await policy({ name: 'Shop', organization: shop.id, conditions: conditions('vip'), targets: targets({ QUEUE: 5 }) })
    expect(await dueOf({ organization: shop.id, meta: { kind: 'vip' } })).toBe(5)
    expect(await dueOf({ organization: shop.id })).toBe(9)
  })

  it('are none without a policy that applied when the case began', async () => {
    await policy({ conditions: { any: [] } })
    const id = await wait()
    expect(await clocksOf(id)).toEqual([])
    await policy()
    expect(await clocksOf(id)).toEqual([])
  })

  it('keep their versions when policy and schedule change, until the policy is applied again', async () => {
    const days = ['MON', 'TUE', 'WED', 'THU', 'FRI', 'SAT', 'SUN']
    const { value: schedule } = await fixture.run<{ id: string }>(
      fixture.admin,
      'mutation ($input: CreateScheduleInput!) { createSchedule(input: $input) { id } }',
      { input: { name: 'Always', timezone: 'UTC', spans: [{ days, opens: '00:00', closes: '24:00' }] } },
    )
    const standard = await policy({ schedule: schedule.id, targets: targets({ QUEUE: 10 }) })
    const id = await wait()
    const [before] = await clocksOf(id)
    const patch = { targets: targets({ QUEUE: 30, RESOLUTION: 60 }) }
    expect((await fixture.run(fixture.admin, UPDATE, { id: standard, patch })).value).toMatchObject({ version: 2 })
    pass(1)
    await fixture.send(fixture.bot, id, { role: 'CONTACT', text: 'Anybody?' })
    expect(await clocksOf(id)).toEqual([before])
    const { value } = await fixture.run<{ clocks: Clock[] }>(fixture.admin, REAPPLY, { id })
    const now = Object.fromEntries(value.clocks.map((clock) => [clock.clock, minutesOf(clock)]))
    expect(now).toEqual({ QUEUE: 30, RESOLUTION: 60 })
    expect(value.clocks.map(({ policyVersion }) => policyVersion)).toEqual([2, 2])
    await fixture.run(fixture.admin, UPDATE, { id: standard, patch: { conditions: { any: [] } } })
    await fixture.run(fixture.admin, REAPPLY, { id })
    expect(await statesOf(id)).toEqual({ QUEUE: 'CANCELLED', RESOLUTION: 'CANCELLED' })
    await fixture.command(fixture.ann, id, '/accept')
    expect(await statesOf(id)).toEqual({ QUEUE: 'CANCELLED', RESOLUTION: 'CANCELLED' })
    expect((await fixture.run(fixture.ann, REAPPLY, { id })).code).toBe('FORBIDDEN')
  })

  it('order queues and lists by what is due next', async () => {
    const is = (kind: string) => ({
      all: [{ fact: 'conversation', path: '.meta.kind', operator: 'equal', value: kind }],
    })
    await policy({ conditions: is('slow'), targets: targets({ QUEUE: 50 }) })
    await policy({ conditions: is('fast'), targets: targets({ QUEUE: 5 }) })
    const make = async (kind: string): Promise<string> =>
      (await fixture.create({ messages: [{ role: 'CONTACT', text: 'hello' }], meta: { kind } })).id
    const [none, slow, fast] = [await make('none'), await make('slow'), await make('fast')]
    const queue = await fixture.run<{ edges: { node: { conversation: string; nextDue: string | null } }[] }>(
      fixture.ann,
      '{ queue(first: 2, order: NEXT_DUE) { edges { node { conversation nextDue } } } }',
    )
    expect(queue.value.edges.map(({ node }) => node.conversation)).toEqual([fast, slow])
    const [clock] = await clocksOf(fast)
    expect(queue.value.edges[0]!.node.nextDue).toBe(clock!.dueAt)
    const list = await fixture.run<{ edges: { node: { id: string } }[] }>(
      fixture.ann,
      '{ conversations(first: 3, orderBy: [{ field: NEXT_DUE }]) { edges { node { id } } } }',
    )
    expect(list.value.edges.map(({ node }) => node.id)).toEqual([fast, slow, none])
  })
})

describe('warnings and missed targets', () => {
  it('are told once each, when they are due', async () => {
    await policy({ targets: targets({ QUEUE: 10, RESOLUTION: 60 }, 4) })
    const id = await wait()
    pass(7)
    await until(
      () => told(id, /warned/),
      ({ length }) => length > 0,
    )
    expect(await told(id, /warned|breached/)).toEqual(['warned queue'])
    pass(4)
    await until(
      () => told(id, /breached/),
      ({ length }) => length > 0,
    )
    expect(await statesOf(id)).toEqual({ QUEUE: 'BREACHED', RESOLUTION: 'RUNNING' })
    pass(60)
    await until(
      () => told(id, /breached/),
      ({ length }) => length > 1,
    )
    await fixture.command(fixture.ann, id, '/accept')
    expect(await statesOf(id)).toEqual({ QUEUE: 'BREACHED', RESOLUTION: 'BREACHED' })
    expect(await told(id, /warned|breached/)).toEqual([
      'warned queue',
      'breached queue',
      'warned resolution',
      'breached resolution',
    ])
  })

  it('are told once though transactions fail, connections break and a second node runs the jobs too', async () => {
    const { database } = fixture.server
    await policy({ targets: targets({ QUEUE: 10, FIRST_RESPONSE: 10, RESOLUTION: 12 }, 3) })
    const ids = await Promise.all(Array.from({ length: 25 }, wait))
    const second = await startConversationFixture({}, { beside: fixture })
    await database.query('create sequence failures')
    await database.query(`create function fail_sometimes() returns trigger language plpgsql as $$ begin
      if nextval('failures') % 3 = 0 then raise exception 'made to fail'; end if; return null; end $$`)
    await database.query(
      'create trigger fails after insert or update on clock for each row execute function fail_sometimes()',
    )
    for (const minutes of [8, 5]) {
      pass(minutes)
      for (let round = 0; round < 6; round++) {
        await new Promise((resolve) => setTimeout(resolve, 100))
        await database
          .query(`select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database()
            and pid <> pg_backend_pid() and query like '%clock%' and random() < 0.5`)
          .catch(() => undefined)
      }
    }
    await database.query('drop trigger fails on clock')
    for (const id of ids) {
      // Failed jobs wait before they run again.
      const all = await until(
        () => told(id, /warned|breached/),
        ({ length }) => length >= 6,
      )
      expect(all.toSorted()).toEqual([
        ...['breached firstResponse', 'breached queue', 'breached resolution'],
        ...['warned firstResponse', 'warned queue', 'warned resolution'],
      ])
    }
    await second.close()
  })
})

const TERMS = new TermsCache()

/** The clocks of a conversation from its milestones alone, by the versions that its rows name. */
async function derived(id: string, now: number): Promise<Map<string, ClockRow>> {
  const { database } = fixture.server
  const read = async (table: string): Promise<Record<string, unknown>[]> =>
    database.query<Record<string, unknown>>(`select * from ${table} where conversation_id = $1 order by nth`, [id])
  const milestones = (await read('milestone')).map((row) => camelRow<ClockMilestone>(row))
  const [row] = (await read('clock')).map((each) => camelRow<ClockRow>(each))
  const [named] = await database.query<{ sla: SlaState }>('select sla from conversation where id = $1', [id])
  if (!row || !named?.sla) return new Map()
  const terms = await TERMS.of(database, named.sla.choice)
  let state = beforeCase(terms)
  const all = new Map<string, SlaClock>()
  for (const milestone of milestones) {
    // A case has its own clocks.
    const applied = advanceClocks(state, terms, { milestones: [milestone], now: milestone.at.getTime() })
    state = applied.state
    for (const clock of applied.touched) all.set(`${clock.kind} ${clock.nth}`, clock)
  }
  const { touched } = advanceClocks(state, terms, { milestones: [], now })
  for (const clock of touched) all.set(`${clock.kind} ${clock.nth}`, clock)
  const conversation = { id, org1: row.org1 }
  return new Map([...all].map(([key, clock]) => [key, clockRow(conversation, state, clock)]))
}

it.each([1, 2])('stores the clocks that derive from the milestones, over random histories (seed %i)', async (seed) => {
  const random = new Random(seed)
  await policy({ targets: targets({ QUEUE: 10, FIRST_RESPONSE: 30, NEXT_RESPONSE: 20, RESOLUTION: 90 }, 2) })
  const { ann, ben, bot } = fixture
  const ids = await Promise.all(Array.from({ length: 6 }, wait))
  const steps: ((id: string) => Promise<unknown>)[] = [
    (id) => fixture.send(bot, id, { role: 'CONTACT', text: 'a question' }),
    (id) => fixture.send(bot, id, { role: 'CONTACT', text: 'another' }),
    (id) => fixture.send(bot, id, { role: 'BOT', text: 'a bot says' }),
    (id) => fixture.send(random.pick([ann, ben]), id, { role: 'AGENT', text: 'an answer' }),
    (id) => fixture.send(ann, id, { role: 'AGENT', text: 'a note', isBackchannel: true }),
    (id) => fixture.command(random.pick([ann, ben]), id, '/accept'),
    (id) => fixture.command(ann, id, '/leave'),
    (id) => fixture.command(ben, id, '/leave'),
    (id) => fixture.command(bot, id, '/enqueue'),
    (id) => fixture.command(ann, id, '/notify'),
    (id) => (random.chance(0.2) ? fixture.command(ann, id, '/block') : Promise.resolve()),
  ]
  for (let step = 0; step < 60; step++) {
    await Promise.all(ids.map((id) => random.pick(steps)(id)))
    if (random.chance(0.5)) pass(Math.floor(random.between(0, 15)))
  }
  // Tells what is due by now, and nothing is due before it has been compared.
  fixture.clock.standAt()
  await until(
    () =>
      fixture.server.database.query(`select 1 from job where kind = 'clock.due' and run_at <= $1`, [
        fixture.clock.now(),
      ]),
    ({ length }) => length === 0,
  )
  const now = fixture.clock.now().getTime()
  let compared = 0
  for (const id of ids) {
    const rows = await fixture.server.database.query<Record<string, unknown>>(
      'select * from clock where conversation_id = $1',
      [id],
    )
    const expected = await derived(id, now)
    for (const row of rows.map((each) => camelRow<ClockRow>(each))) {
      expect(row).toEqual(expected.get(`${row.kind} ${row.nth}`))
      compared++
    }
    expect(rows.length).toBe(expected.size)
  }
  expect(compared).toBeGreaterThan(40)
})

it('counts targets of seconds, warns seconds before, and shows them in seconds, and in minutes where they are whole', async () => {
  const targetsRead = '{ clock seconds minutes warnSeconds warnMinutes }'
  const { value } = await fixture.run<{ id: string; targets: object[] }>(
    fixture.admin,
    `mutation ($input: CreateSlaPolicyInput!) { createSlaPolicy(input: $input) { id targets ${targetsRead} } }`,
    {
      input: {
        name: 'Calls',
        position: 0,
        targets: [
          { clock: 'QUEUE', seconds: 20, warnSeconds: 5 },
          { clock: 'FIRST_RESPONSE', minutes: 2, seconds: 120 },
        ],
      },
    },
  )
  expect(value.targets).toEqual([
    { clock: 'QUEUE', seconds: 20, minutes: null, warnSeconds: 5, warnMinutes: null },
    { clock: 'FIRST_RESPONSE', seconds: 120, minutes: 2, warnSeconds: null, warnMinutes: null },
  ])
  const queue = (await clocksOf(await wait())).find(({ clock }) => clock === 'QUEUE')!
  expect(Date.parse(queue.dueAt!) - Date.parse(queue.startedAt)).toBe(20_000)
  await fixture.run(fixture.admin, 'mutation ($id: ID!) { deleteSlaPolicy(id: $id) }', { id: value.id })
})

const refused: [name: string, input: object, field: string, message: string][] = [
  ['no targets', { targets: [] }, 'targets', 'must contain at least one'],
  ['minutes of zero', { targets: targets({ QUEUE: 0 }) }, 'targets[0].minutes', 'from 1 to 525600, not 0'],
  ['a warning before the start', { targets: targets({ QUEUE: 5 }, 5) }, 'targets[0].warnMinutes', 'must be less than'],
  ['no time', { targets: [{ clock: 'QUEUE' }] }, 'targets[0].seconds', 'is required'],
  [
    'a fraction of no second',
    { targets: [{ clock: 'QUEUE', seconds: 0 }] },
    'targets[0].seconds',
    'from 1 to 31536000, not 0',
  ],
  [
    'seconds and minutes that differ',
    { targets: [{ clock: 'QUEUE', seconds: 90, minutes: 1 }] },
    'targets[0].seconds',
    'different times',
  ],
  [
    'a warning of as many seconds',
    { targets: [{ clock: 'QUEUE', seconds: 20, warnSeconds: 20 }] },
    'targets[0].warnSeconds',
    'must be less than',
  ],
  [
    'two targets of a clock',
    { targets: [...targets({ QUEUE: 5 }), ...targets({ QUEUE: 6 })] },
    'targets[1].clock',
    '"queue" has a target already',
  ],
  ['an unknown fact', { conditions: { all: [{ fact: 'weather' }] } }, 'conditions.all[0].fact', 'not "weather"'],
  ['a position below zero', { position: -1 }, 'position', 'not -1'],
]

it.each(refused)('refuses %s, naming field and value', async (_, input, field, message) => {
  const answer = await fixture.run(fixture.admin, CREATE, { input: { name: 'Bad', targets: ALL, ...input } })
  expect([answer.code, answer.details.field, answer.message]).toEqual([
    'BAD_USER_INPUT',
    field,
    expect.stringContaining(message),
  ])
})

it("refuses a schedule that does not exist or is another tenant's, and keeps one that is in use", async () => {
  const center = await fixture.makeOrganization({ name: 'Elsewhere' })
  const foreign = await fixture.makeUser({ organization: center, role: 'admin' })
  const create = 'mutation ($input: CreateScheduleInput!) { createSchedule(input: $input) { id } }'
  const input = { name: 'Theirs', timezone: 'UTC', spans: [{ days: ['MON'], opens: '09:00', closes: '17:00' }] }
  const theirs = (await fixture.run<{ id: string }>(foreign, create, { input })).value.id
  const answer = await fixture.run(fixture.admin, CREATE, { input: { name: 'Bad', targets: ALL, schedule: theirs } })
  expect([answer.code, answer.message]).toEqual(['NOT_FOUND', `schedule: Schedule "${theirs}" not found`])
  const ours = (await fixture.run<{ id: string }>(fixture.admin, create, { input })).value.id
  await policy({ name: 'Uses it', schedule: ours })
  const deletion = await fixture.run(fixture.admin, 'mutation ($id: ID!) { deleteSchedule(id: $id) }', { id: ours })
  expect([deletion.code, deletion.message]).toEqual([
    'UNPROCESSABLE',
    `schedule ${ours} is in use: the SLA policy "Uses it" counts its hours`,
  ])
})
