import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { readEvents } from '../../src/platform/events/streams.js'
import type { MadeOrganization, MadeUser } from '../support/factories.js'
import { startTestServer, type TestServer } from '../support/test-server.js'

let app: TestServer
let center: MadeOrganization
let admin: MadeUser
let agent: MadeUser
let foreign: MadeUser

const FIELDS = `id version timezone spans { days opens closes } text isOpen changesAt
  exceptions { firstDay lastDay name spans { opens closes } }`
const CREATE = `mutation ($input: CreateScheduleInput!) { createSchedule(input: $input) { ${FIELDS} } }`
const UPDATE = `mutation ($id: ID!, $patch: UpdateScheduleInput!) { updateSchedule(id: $id, patch: $patch) { ${FIELDS} } }`
const WEEKDAYS = ['MON', 'TUE', 'WED', 'THU', 'FRI']
const OFFICE = {
  name: 'Office',
  timezone: 'Europe/Amsterdam',
  spans: [
    { days: WEEKDAYS, opens: '09:00', closes: '12:30' },
    { days: WEEKDAYS, opens: '13:00', closes: '17:30' },
  ],
  exceptions: [{ firstDay: '2026-12-25', lastDay: '2026-12-26', name: 'Christmas' }],
  text: 'We are closed.',
}

beforeAll(async () => {
  app = await startTestServer()
  center = await app.makeOrganization({ name: 'Center' })
  admin = await app.makeUser({ organization: center, role: 'admin' })
  agent = await app.makeUser({ organization: center })
  foreign = await app.makeUser({ organization: await app.makeOrganization({ name: 'Elsewhere' }), role: 'admin' })
})
afterAll(() => app.close())

async function create(input: object = {}): Promise<{ id: string; version: number }> {
  const { data, errors } = await app.gql(admin, CREATE, { input: { ...OFFICE, ...input } })
  expect(errors).toBeUndefined()
  return data.createSchedule as { id: string; version: number }
}

async function refusal(caller: MadeUser, query: string, variables: object): Promise<object> {
  const { errors } = await app.gql(caller, query, { ...variables })
  const { message, extensions } = errors![0]!
  return { code: extensions?.code, field: extensions?.field, message }
}

const versionsOf = (id: string) =>
  app.server.database.query<{ version: number; hours: { timezone: string } }>(
    'select version, hours from schedule_version where schedule_id = $1 order by version',
    [id],
  )

describe('a schedule', () => {
  it('is read by agents with its hours of each day of a year', async () => {
    const { id } = await create()
    const query = `query ($id: ID!) { schedule(id: $id) { name days(year: 2026) { date spans { opens closes } isException name } } }`
    const { data } = await app.gql(agent, query, { id })
    const days = data.schedule.days as { date: string }[]
    expect(days).toHaveLength(365)
    expect(days.find(({ date }) => date === '2026-11-23')).toEqual({
      date: '2026-11-23',
      spans: [
        { opens: '09:00', closes: '12:30' },
        { opens: '13:00', closes: '17:30' },
      ],
      isException: false,
      name: null,
    })
    expect(days.find(({ date }) => date === '2026-12-25')).toMatchObject({
      spans: [],
      isException: true,
      name: 'Christmas',
    })
    expect(days.find(({ date }) => date === '2026-11-22')).toMatchObject({ spans: [], isException: false })
  })

  it('says whether it is open, and until when', async () => {
    const days = [...WEEKDAYS, 'SAT', 'SUN']
    const always = await create({ spans: [{ days, opens: '00:00', closes: '24:00' }], exceptions: [] })
    expect(always).toMatchObject({ isOpen: true, changesAt: null })
    // Not tomorrow, which may have begun by then.
    const later = new Date(app.clock.now().getTime() + 2 * 86_400_000).toISOString().slice(0, 10)
    const until = await create({
      timezone: 'UTC',
      spans: [{ days, opens: '00:00', closes: '24:00' }],
      exceptions: [{ firstDay: later }],
    })
    expect(until).toMatchObject({ isOpen: true, changesAt: `${later}T00:00:00.000Z` })
  })

  it('gets a version whenever it changes, and keeps the hours of those before', async () => {
    const { id, version } = await create()
    expect(version).toBe(1)
    const change = (patch: object) => app.gql(admin, UPDATE, { id, patch })
    expect((await change({ name: 'Shop', text: 'Closed.' })).data.updateSchedule.version).toBe(2)
    expect((await change({ timezone: 'Europe/Amsterdam', spans: OFFICE.spans })).data.updateSchedule.version).toBe(3)
    expect((await change({ timezone: 'Europe/London' })).data.updateSchedule.version).toBe(4)
    expect((await change({ exceptions: null })).data.updateSchedule).toMatchObject({ version: 5, exceptions: [] })
    const versions = await versionsOf(id)
    expect(versions.map(({ version, hours }) => [version, hours.timezone])).toEqual([
      [1, 'Europe/Amsterdam'],
      [2, 'Europe/Amsterdam'],
      [3, 'Europe/Amsterdam'],
      [4, 'Europe/London'],
      [5, 'Europe/London'],
    ])
  })

  it('is told of in the stream of its organization', async () => {
    const { id } = await create({ name: 'Told' })
    await app.gql(admin, UPDATE, { id, patch: { name: 'Renamed' } })
    await app.gql(admin, 'mutation ($id: ID!) { deleteSchedule(id: $id) }', { id })
    const events = (await readEvents(app.server.database, `organization:${center.id}`, 0, 1_000)).filter(
      ({ data }) => (data as { id?: string }).id === id,
    )
    expect(events.map(({ type, data }) => [type, (data as { name?: string }).name])).toEqual([
      ['schedule.created', 'Told'],
      ['schedule.updated', 'Renamed'],
      ['schedule.deleted', 'Renamed'],
    ])
  })

  it("is not another tenant's", async () => {
    const { id } = await create()
    const refused = { code: 'NOT_FOUND', message: `Schedule "${id}" not found` }
    expect(await refusal(foreign, UPDATE, { id, patch: { name: 'Mine' } })).toMatchObject(refused)
    expect(await refusal(foreign, `query ($id: ID!) { schedule(id: $id) { id } }`, { id })).toMatchObject(refused)
  })
})

const refused: [name: string, input: object, field: string, message: string][] = [
  ['an unknown zone', { timezone: 'Europe/Nowhere' }, 'timezone', '"Europe/Nowhere" is not a zone'],
  [
    'spans that overlap',
    {
      spans: [
        { days: ['MON', 'TUE'], opens: '09:00', closes: '12:00' },
        { days: ['TUE'], opens: '11:59', closes: '13:00' },
      ],
    },
    'spans[1]',
    'spans[1] "Tue 11:59-13:00" overlaps "Tue 09:00-12:00"',
  ],
  [
    'a span that overlaps the next week',
    {
      spans: [
        { days: ['MON'], opens: '00:00', closes: '08:00' },
        { days: ['SUN'], opens: '22:00', closes: '01:00' },
      ],
    },
    'spans[0]',
    'spans[0] "Mon 00:00-08:00" overlaps "Sun 22:00-01:00"',
  ],
  [
    'a time that does not exist',
    { spans: [{ days: ['MON'], opens: '9:00', closes: '24:01' }] },
    'spans[0].opens',
    'must be a time of day such as 09:00, not "9:00"',
  ],
  ['no hours', { spans: [] }, 'spans', 'leave no open minute in the 366 days'],
  [
    'hours that are all excepted',
    { exceptions: [{ firstDay: '2026-01-01', lastDay: '2099-12-31' }] },
    'spans',
    'leave no open minute in the 366 days',
  ],
  [
    'a date that does not exist',
    { exceptions: [{ firstDay: '2026-02-29' }] },
    'exceptions[0].firstDay',
    'must be a date such as 2026-12-25, not "2026-02-29"',
  ],
  [
    'an exception that ends before it begins',
    { exceptions: [{ firstDay: '2026-03-02', lastDay: '2026-03-01' }] },
    'exceptions[0].lastDay',
    '2026-03-01 is before firstDay 2026-03-02',
  ],
  [
    'exceptions of the same day',
    { exceptions: [{ firstDay: '2026-03-02', lastDay: '2026-03-04' }, { firstDay: '2026-03-04' }] },
    'exceptions[1]',
    'exceptions[1] "2026-03-04" overlaps "2026-03-02 to 2026-03-04"',
  ],
  [
    'an exception that overlaps itself on the next day',
    {
      exceptions: [
        {
          firstDay: '2026-03-02',
          lastDay: '2026-03-04',
          spans: [
            { opens: '10:00', closes: '10:30' },
            { opens: '20:00', closes: '10:01' },
          ],
        },
      ],
    },
    'exceptions[0].spans[0]',
    'overlaps "20:00-10:01"',
  ],
]

it.each(refused)('refuses %s, naming field and value', async (_, input, field, message) => {
  expect(await refusal(admin, CREATE, { input: { ...OFFICE, ...input } })).toEqual({
    code: 'BAD_USER_INPUT',
    field,
    message: expect.stringContaining(message),
  })
})

it('refuses a change that leaves no hours, and clearing the zone', async () => {
  const { id } = await create()
  expect(await refusal(admin, UPDATE, { id, patch: { spans: null } })).toMatchObject({ field: 'spans' })
  expect(await refusal(admin, UPDATE, { id, patch: { timezone: null } })).toMatchObject({ field: 'timezone' })
  expect(await versionsOf(id)).toHaveLength(1)
})
