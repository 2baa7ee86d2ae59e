import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { startConversationFixture, type ConversationFixture } from '../conversations/conversation-fixture.js'
import type { MadeUser } from '../support/factories.js'
import { startTestServer, type TestServer } from '../support/test-server.js'

interface Schedule {
  id: string
  version: number
  isOpen: boolean
  calendarIds: string[]
  calendars: { name: string }[]
  days: { date: string; name: string | null; isException: boolean; spans: object[] }[]
}

const DAYS_OF_WEEK = '[MON, TUE, WED, THU, FRI, SAT, SUN]'
const SHOWN =
  'id version isOpen calendarIds calendars { name } days(year: 2030) { date name isException spans { opens } }'
const CREATE = `mutation ($input: CreateHolidayCalendarInput!) { createHolidayCalendar(input: $input) { id } }`
const UPDATE = `mutation ($id: ID!, $patch: UpdateHolidayCalendarInput!) { updateHolidayCalendar(id: $id, patch: $patch) { id } }`
const SCHEDULE = `mutation ($calendars: [ID!], $exceptions: [ScheduleExceptionInput!], $organization: ID) { createSchedule(input: { name: "Office", timezone: "UTC",
  organization: $organization, spans: [{ days: ${DAYS_OF_WEEK}, opens: "00:00", closes: "24:00" }], calendars: $calendars, exceptions: $exceptions }) { ${SHOWN} } }`
const READ = `query ($id: ID!) { schedule(id: $id) { ${SHOWN} } }`

describe('holiday calendars', () => {
  let fixture: ConversationFixture
  let other: TestServer
  beforeAll(async () => {
    fixture = await startConversationFixture()
    other = await startTestServer({}, { beside: fixture })
  })
  afterAll(async () => {
    await other.server.close()
    await fixture.close()
  })

  async function make(name: string, days: object[], as: MadeUser = fixture.admin, more: object = {}): Promise<string> {
    const { value, message } = await fixture.run<{ id: string }>(as, CREATE, { input: { name, days, ...more } })
    if (message) throw new Error(message)
    return value.id
  }
  async function schedule(variables: object): Promise<Schedule> {
    const { value, message } = await fixture.run<Schedule>(fixture.admin, SCHEDULE, { ...variables })
    if (message) throw new Error(message)
    return value
  }
  const update = (id: string, patch: object) => fixture.run(fixture.admin, UPDATE, { id, patch })
  const read = async (id: string, node: TestServer = fixture): Promise<Schedule> =>
    (await node.gql<{ schedule: Schedule }>(fixture.admin, READ, { id })).data!.schedule
  const named = ({ days }: Schedule): (string | null)[][] =>
    days.filter(({ isException }) => isException).map(({ date, name }) => [date, name])

  it('are joined with the own days of each schedule that has them, which come first', async () => {
    const national = await make('National', [
      { firstDay: '2030-12-25', lastDay: '2030-12-27', name: 'Christmas' },
      { firstDay: '2030-04-27', name: 'King' },
    ])
    const regional = await make('Regional', [
      { firstDay: '2030-12-24', lastDay: '2030-12-25', name: 'Regional' },
      { firstDay: '2030-02-03', name: 'Carnival' },
    ])
    const made = await schedule({
      calendars: [national, regional],
      exceptions: [{ firstDay: '2030-12-26', name: 'Own', spans: [{ opens: '09:00', closes: '12:00' }] }],
    })
    expect(made).toMatchObject({ version: 1, calendarIds: [national, regional] })
    expect(made.calendars).toEqual([{ name: 'National' }, { name: 'Regional' }])
    expect(named(made)).toEqual([
      ['2030-02-03', 'Carnival'],
      ['2030-04-27', 'King'],
      ['2030-12-24', 'Regional'],
      ['2030-12-25', 'Christmas'],
      ['2030-12-26', 'Own'],
      ['2030-12-27', 'Christmas'],
    ])
    expect(made.days.find(({ date }) => date === '2030-12-26')!.spans).toEqual([{ opens: '09:00' }])
  })

  it('change every schedule that has them when they change, on every node, and no other', async () => {
    const today = fixture.clock.now().toISOString().slice(0, 10)
    const calendar = await make('Shared', [])
    const [one, two, none] = [
      await schedule({ calendars: [calendar] }),
      await schedule({ calendars: [calendar] }),
      await schedule({}),
    ]
    expect([one.isOpen, two.isOpen]).toEqual([true, true])
    // Read on the other node before the change.
    expect((await read(one.id, other)).isOpen).toBe(true)
    expect((await update(calendar, { days: [{ firstDay: today, name: 'Today' }] })).code).toBeUndefined()
    for (const node of [fixture, other]) {
      expect(await read(one.id, node)).toMatchObject({ version: 2, isOpen: false })
      expect(await read(two.id, node)).toMatchObject({ version: 2, isOpen: false })
      expect(await read(none.id, node)).toMatchObject({ version: 1, isOpen: true })
    }
    // Only other days are another version.
    await update(calendar, { name: 'Renamed', days: [{ firstDay: today, name: 'Today' }] })
    expect(await read(one.id)).toMatchObject({ version: 2, calendars: [{ name: 'Renamed' }] })
    await update(calendar, { days: [] })
    expect(await read(one.id, other)).toMatchObject({ version: 3, isOpen: true })
  })

  it('tell consumers of the new hours at once, by what each node remembers', async () => {
    const today = fixture.clock.now().toISOString().slice(0, 10)
    const calendar = await make('Told', [])
    const own = await schedule({ calendars: [calendar] })
    await fixture.run(
      fixture.admin,
      'mutation ($id: ID!) { updateSchedule(id: $id, patch: { text: "Closed today" }) { id } }',
      {
        id: own.id,
      },
    )
    const policy = await fixture.run<{ id: string }>(
      fixture.admin,
      `mutation ($schedule: ID!) { createSlaPolicy(input: { name: "All", schedule: $schedule,
        targets: [{ clock: QUEUE, minutes: 5 }] }) { id } }`,
      { schedule: own.id },
    )
    expect(policy.code).toBeUndefined()
    const told = async (): Promise<boolean> => {
      const { id } = await fixture.create({ messages: [{ role: 'CONTACT', text: 'hello', touchpoint: 'web' }] })
      const { messages } = await fixture.show(id)
      return messages.edges.some(({ node }) => node.text?.startsWith('Closed today'))
    }
    expect(await told()).toBe(false)
    // By the other node.
    const changed = await other.gql(fixture.admin, UPDATE, { id: calendar, patch: { days: [{ firstDay: today }] } })
    expect(changed.errors).toBeUndefined()
    const clocks = await fixture.server.database.query<{ version: number }>(
      'select version from schedule where id = $1',
      [own.id],
    )
    expect(clocks[0]!.version).toBe(3)
    const { id } = await fixture.create({ messages: [{ role: 'CONTACT', text: 'hello' }] })
    const [clock] = await fixture.server.database.query<{ version: number; dueAt: Date }>(
      'select schedule_version as version, due_at as "dueAt" from clock where conversation_id = $1',
      [id],
    )
    // The five minutes count from midnight, when it opens again.
    expect(clock!.version).toBe(3)
    expect(clock!.dueAt.toISOString().slice(11, 16)).toBe('00:05')
    await fixture.run(fixture.admin, 'mutation ($id: ID!) { deleteSlaPolicy(id: $id) }', { id: policy.value.id })
  })

  it('are not deleted while a schedule has them, nor changed so that one never opens', async () => {
    const calendar = await make('Kept', [])
    const own = await schedule({ calendars: [calendar] })
    const remove = () =>
      fixture.run(fixture.admin, 'mutation ($id: ID!) { deleteHolidayCalendar(id: $id) }', { id: calendar })
    expect(await remove()).toMatchObject({ code: 'UNPROCESSABLE', details: { schedule: own.id } })
    const never = await update(calendar, { days: [{ firstDay: '2020-01-01', lastDay: '2099-12-31' }] })
    expect(never).toMatchObject({ code: 'UNPROCESSABLE', details: { field: 'days', schedule: own.id } })
    expect(await read(own.id)).toMatchObject({ version: 1, isOpen: true })
    await fixture.run(
      fixture.admin,
      'mutation ($id: ID!) { updateSchedule(id: $id, patch: { calendars: [] }) { id } }',
      {
        id: own.id,
      },
    )
    expect((await remove()).code).toBeUndefined()
  })

  it('of organizations above and below are the schedule’s, of others not found', async () => {
    const outsider = await fixture.makeUser({ organization: await fixture.makeOrganization(), role: 'admin' })
    const foreign = await make('Foreign', [], outsider)
    const below = await fixture.makeOrganization({ parent: fixture.organization })
    const lower = await make('Lower', [], fixture.admin, { organization: below.id })
    const upper = await make('Upper', [])
    const { code, details } = await fixture.run(fixture.admin, SCHEDULE, { calendars: [upper, foreign] })
    expect([code, details.field]).toEqual(['NOT_FOUND', 'calendars[1]'])
    const own = await schedule({ calendars: [lower] })
    // Who keeps the calendar below hears nothing of the schedule above.
    const keeper = await fixture.makeUser({ organization: below, role: 'admin' })
    const never = { days: [{ firstDay: '2020-01-01', lastDay: '2099-12-31' }] }
    const refused = await fixture.run(keeper, UPDATE, { id: lower, patch: never })
    const told = { field: 'days', reason: 'CONFLICT', docs: '/docs/errors#CONFLICT' }
    expect([refused.code, refused.details]).toEqual(['UNPROCESSABLE', told])
    expect(refused.message).toBe('days: a schedule of an organization above would have no open minute within a year')
    expect(
      (await fixture.run(keeper, UPDATE, { id: lower, patch: { days: [{ firstDay: '2030-06-01' }] } })).code,
    ).toBeUndefined()
    expect(await read(own.id)).toMatchObject({ version: 2 })
    expect(await schedule({ calendars: [lower, upper], organization: below.id })).toMatchObject({
      calendarIds: [lower, upper],
    })
    expect((await fixture.run(fixture.ann, CREATE, { input: { name: 'Mine', days: [] } })).code).toBe('FORBIDDEN')
  })

  it('and schedules that change together end with the same days', async () => {
    const calendar = await make('Raced', [])
    const own = await schedule({})
    const attach = (node: TestServer) =>
      node.gql(
        fixture.admin,
        'mutation ($id: ID!, $all: [ID!]) { updateSchedule(id: $id, patch: { calendars: $all }) { id } }',
        {
          id: own.id,
          all: [calendar],
        },
      )
    const answers = await Promise.all([
      attach(fixture),
      other.gql(fixture.admin, UPDATE, { id: calendar, patch: { days: [{ firstDay: '2030-05-05', name: 'Raced' }] } }),
      attach(other),
    ])
    expect(answers.map(({ errors }) => errors)).toEqual([undefined, undefined, undefined])
    expect(named(await read(own.id))).toEqual([['2030-05-05', 'Raced']])
  })
})
