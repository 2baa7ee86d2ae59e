import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { isDeepStrictEqual } from 'node:util'
import { parse, stringify } from 'yaml'
import { Random } from '../../bench/fuzz/random.js'
import type { MadeUser } from '../support/factories.js'
import { startTestServer, type TestServer } from '../support/test-server.js'

/** The gate makes four times as many. */
const ROUNDS = process.env.REQUIRE_ALL_SUITES ? 200 : 50

let server: TestServer
let admin: MadeUser
beforeAll(async () => {
  server = await startTestServer()
  const organization = await server.makeOrganization({ name: 'Acme' })
  admin = await server.makeUser({ organization, role: 'admin' })
  // A plan that takes too long by it is refused.
  server.clock.standAt()
})
afterAll(() => server.close())

interface Entry {
  name: string
  [key: string]: unknown
}
type Sections = Record<'skills' | 'holidayCalendars' | 'schedules' | 'channels' | 'slaPolicies' | 'workflows', Entry[]>
type Document = Sections & { version: number; manages: string[] }
const SECTIONS = ['skills', 'holidayCalendars', 'schedules', 'channels', 'slaPolicies', 'workflows'] as const

interface Change {
  section: string
  action: string
  name: string
}
interface Plan {
  digest: string
  changes: (Change & { fields: object[] })[]
}

const FIELDS = 'digest changes { section action name fields { field before after } }'
const read = async (): Promise<Document> =>
  parse((await server.gql(admin, '{ routing { text } }')).data.routing.text) as Document
const plan = (d: string) =>
  server.gql<{ planRouting: Plan }>(admin, `query ($d: String!) { planRouting(document: $d) { ${FIELDS} } }`, { d })
const apply = (d: string, g: string) =>
  server.gql<{ applyRouting: Plan }>(
    admin,
    `mutation ($d: String!, $g: String!) { applyRouting(document: $d, digest: $g) { ${FIELDS} } }`,
    { d, g },
  )

const SECTION_NAMES = {
  skills: 'SKILLS',
  holidayCalendars: 'HOLIDAY_CALENDARS',
  schedules: 'SCHEDULES',
  channels: 'CHANNELS',
  slaPolicies: 'SLA_POLICIES',
  workflows: 'WORKFLOWS',
}

/** The records that differ, told by comparing two exports as they are. */
function differences(before: Document, after: Document): Change[] {
  return SECTIONS.flatMap((key) => {
    const [old, now] = [before, after].map((of) => new Map(of[key].map((entry) => [entry.name, entry])))
    return [...new Set([...old!.keys(), ...now!.keys()])].toSorted().flatMap((name): Change[] => {
      if (isDeepStrictEqual(old!.get(name), now!.get(name))) return []
      const action = !old!.has(name) ? 'CREATE' : now!.has(name) ? 'UPDATE' : 'DELETE'
      return [{ section: SECTION_NAMES[key], action, name }]
    })
  })
}

function change(random: Random, of: Document): void {
  const pick = <T>(from: readonly T[]): T => from[random.below(from.length)]!
  const names = (section: keyof Sections): string[] => of[section].map(({ name }) => name)
  const some = (section: keyof Sections): string[] => names(section).filter(() => random.below(3) === 0)
  const name = `N${random.below(5)}`
  const put = (section: keyof Sections, entry: Entry): void => {
    const at = of[section].findIndex((each) => each.name === entry.name)
    if (at < 0) of[section].push(entry)
    else of[section][at] = entry
  }
  const section = pick(SECTIONS)
  if (random.below(4) === 0) {
    of[section] = of[section].filter((entry) => entry.name !== name)
    return
  }
  const day = `2027-0${1 + random.below(9)}-1${random.below(9)}`
  const time = `${10 + random.below(3)}:00`
  switch (section) {
    case 'skills':
      return put(section, { name })
    case 'holidayCalendars':
      return put(section, { name, days: [{ firstDay: day, ...(random.below(2) && { name: 'Day' }) }] })
    case 'schedules': {
      const spans = [{ days: ['Mon', pick(['Tue', 'Wed'])], opens: time, closes: '17:30' }]
      return put(section, { name, timezone: pick(['Europe/Paris', 'UTC']), spans, calendars: some('holidayCalendars') })
    }
    case 'channels':
      return put(section, { name, ...(random.below(2) && { assignment: { mode: pick(['offer', 'pull', 'assign']) } }) })
    case 'slaPolicies': {
      const [schedule] = some('schedules')
      const channels = some('channels')
      const acts = channels.length > 0 ? [{ at: 'breached', channels }] : []
      const targets = [{ clock: 'queue', seconds: 60 + random.below(3), acts }]
      return put(section, { name, targets, ...(schedule && { schedule }), position: random.below(3) })
    }
    case 'workflows': {
      const rules = Array.from({ length: random.below(4) }, (_, index) => ({
        conditions: pick<object>([
          { all: [] },
          { any: [{ fact: 'context', path: '.hour', operator: 'equal', value: 3 }] },
        ]),
        event: {
          type: 'notify',
          params: {
            ...(random.below(3) > 0 && { name: `r${index}` }),
            ...{ channels: some('channels'), skills: some('skills'), delay: random.below(3) },
          },
        },
        ...(random.below(2) && { priority: 1 + random.below(2) }),
      }))
      return put(section, { name, rules })
    }
  }
}

it('does what its plan says, whatever changes', async () => {
  const random = new Random(20_261_129)
  let applied = 0
  for (let round = 0; round < ROUNDS; round++) {
    const before = await read()
    const wanted = structuredClone(before)
    for (let count = 1 + random.below(3); count > 0; count--) change(random, wanted)
    const text = stringify(wanted, { aliasDuplicateObjects: false })
    const { data, errors } = await plan(text)
    expect(await read()).toEqual(before)
    if (errors) {
      // A name whose record the round has removed, and the like: in words, with a place.
      expect(['BAD_USER_INPUT', 'UNPROCESSABLE', 'NOT_FOUND']).toContain(errors[0]!.extensions.code)
      expect(errors[0]!.message).toMatch(/^line \d+, column \d+: /)
      continue
    }
    const { changes, digest } = data.planRouting
    const answer = await apply(text, digest)
    expect(answer.errors).toBeUndefined()
    expect(answer.data.applyRouting.changes).toEqual(changes)
    const after = await read()
    expect(changes.map(({ section, action, name }) => ({ section, action, name }))).toEqual(differences(before, after))
    expect((await plan(text)).data.planRouting.changes).toEqual([])
    applied += changes.length > 0 ? 1 : 0
  }
  expect(applied).toBeGreaterThan(ROUNDS / 4)
})
