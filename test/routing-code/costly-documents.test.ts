import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import type { Sql } from '../../src/platform/db/database.js'
import { startConversationFixture, type ConversationFixture } from '../conversations/conversation-fixture.js'
import { sampleOf } from '../support/metrics.js'
import type { MadeUser } from '../support/factories.js'
import { until } from '../support/until.js'

let fixture: ConversationFixture
beforeAll(async () => {
  fixture = await startConversationFixture()
  // A plan that takes too long by it is refused.
  fixture.clock.standAt()
})
afterAll(() => fixture.close())

const PLAN = `query ($d: String!) { planRouting(document: $d) {
  digest notes changes { section action name fields { field before after } } } }`
const APPLY = `mutation ($d: String!, $g: String!) { applyRouting(document: $d, digest: $g) { changes { section name } } }`

const ask = (text: string, variables: object) =>
  fixture.gql<Record<string, any>>(fixture.admin, text, variables as Record<string, unknown>) // oxlint-disable-line typescript/no-explicit-any

async function refusal(d: string): Promise<{ message: string; problems: { field: string; message: string }[] }> {
  const { errors } = await ask(PLAN, { d })
  const { message, extensions } = errors![0]!
  expect(extensions.code).toBe('BAD_USER_INPUT')
  return { message, problems: extensions.problems as never }
}

async function apply(d: string): Promise<void> {
  const { data, errors } = await ask(PLAN, { d })
  expect(errors).toBeUndefined()
  const applied = await ask(APPLY, { d, g: data.planRouting.digest })
  expect(applied.errors).toBeUndefined()
}

const times = <T>(count: number, make: (index: number) => T): T[] => Array.from({ length: count }, (_, at) => make(at))
const rule = (channels: string) => `{conditions: {all: []}, event: {type: notify, params: {channels: [${channels}]}}}`

describe('a document that is wrong everywhere', () => {
  it('is refused with the first of 90,000 unknown keys, and their number', async () => {
    const { message, problems } = await refusal(`version: 1\n${times(90_000, (at) => `k${at}: 1\n`).join('')}`)
    expect(problems).toHaveLength(50)
    expect(problems[49]).toMatchObject({ field: 'k49', line: 51, column: 6 })
    expect(message).toMatch(/; and 89995 more$/)
  })

  it('is refused with the first of 140,000 unknown names, and their number', async () => {
    const rules = `[${times(200, (of) =>
      rule(
        times(100, (at) => `${of % 10}${at}`)
          .map((name) => `c${name}`)
          .join(),
      ),
    ).join()}]`
    const d = `version: 1\nworkflows:\n${times(7, (at) => `  - {name: W${at}, rules: ${rules}}\n`).join('')}`
    const { message, problems } = await refusal(d)
    expect(problems).toHaveLength(50)
    expect(problems[0]).toMatchObject({ field: 'workflows[0].rules[0].event.params.channels[0]' })
    expect(message).toMatch(/; and 139995 more$/)
  })

  it('is refused for lists that are too long before anything is done with them', async () => {
    const long = times(1_001, () => 'x').join()
    const { problems } = await refusal(
      `version: 1
skillz: []
schedules:
  - {name: S, timezone: UTC, calendars: [${long}]}
slaPolicies:
  - {name: P, targets: [{clock: firstResponse, seconds: 60, acts: [{at: missed, channels: [${long}]}]}]}
workflows:
  - {name: W, rules: [${times(201, () => rule('x')).join()}]}
  - {name: V, organizationTags: [${long}]}
`,
    )
    expect(problems.map(({ field }) => field)).toEqual([
      'skillz',
      'schedules[0].calendars',
      'slaPolicies[0].targets[0].acts[0].channels',
      'workflows[0].rules',
      'workflows[1].organizationTags',
    ])
    expect(problems[3]!.message).toBe('workflows[0].rules has 201 elements; at most 200 are allowed')
  })

  it('keeps the ids of 200 rules of which some have one name, some none, and all another order', async () => {
    const named = (at: number) =>
      `      - {conditions: {all: []}, priority: ${at + 1}, event: {type: notify, params: {${at % 3 ? `name: n${at % 7}` : ''}}}}\n`
    const document = (order: number[]) =>
      `version: 1\nworkflows:\n  - name: Many\n    rules:\n${order.map(named).join('')}`
    const stored = async () => {
      const [row] = await fixture.server.database.query<{ rules: { id: string; priority: number }[] }>(
        "select rules from workflow where name = 'Many'",
      )
      return row!.rules.toSorted((one, other) => one.priority - other.priority).map(({ id }) => id)
    }
    const order = times(200, (at) => at)
    await apply(document(order))
    const before = await stored()
    await apply(document(order.toReversed()))
    expect(await stored()).toEqual(before)
  })
})

const waiting = (): Promise<object[]> =>
  fixture.server.database.query(
    "select 1 from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()",
  )

/** Holds what its statements lock for as long as `work` takes, idle or not. */
const inTransaction = (work: (tx: Sql) => Promise<void>): Promise<void> =>
  fixture.server.database.sqlTransaction(async (tx) => {
    await tx.query('set local idle_in_transaction_session_timeout = 0')
    await work(tx)
  })

const lockHours = (tx: Sql): Promise<object[]> =>
  tx.query(`select pg_advisory_xact_lock(hashtextextended('hours ' || $1::text, 0))`, [fixture.organization.id])

describe('plans beside others', () => {
  it('do not wait for hours that change, unless they have some', async () => {
    await inTransaction(async (tx) => {
      await lockHours(tx)
      const { errors } = await ask(PLAN, { d: 'version: 1\nskills:\n  - name: Sailing\n' })
      expect(errors).toBeUndefined()
    })
  })

  it('take turns in a contact center: one transaction is open, also of many in one query', async () => {
    const fields = times(5, (at) => `p${at}: planRouting(document: $d) { digest }`).join(' ')
    const text = `query ($d: String!) { ${fields} }`
    let planned: ReturnType<typeof ask> | undefined
    await inTransaction(async (tx) => {
      await lockHours(tx)
      planned = ask(text, { d: 'version: 1\nschedules: []\n' })
      await until(async () => (await sampleOf(fixture.server.url, 'routing_documents_waiting')) === 4)
      await until(async () => (await waiting()).length === 1)
    })
    expect((await planned!).errors).toBeUndefined()
  })

  it('end when they have taken too long', async () => {
    let planned: ReturnType<typeof ask> | undefined
    await inTransaction(async (tx) => {
      await lockHours(tx)
      planned = ask(PLAN, { d: 'version: 1\nschedules:\n  - {name: Late, timezone: UTC}\n' })
      await until(async () => (await waiting()).length === 1)
      fixture.clock.advance(5_000)
    })
    const { errors } = await planned!
    expect(errors![0]!.extensions.code).toBe('UNPROCESSABLE')
    expect(errors![0]!.message).toContain('take more than 4 s')
  })

  it('lock channels by id, however the document has them', async () => {
    const [early, late] = [await fixture.makeChannel('First'), await fixture.makeChannel('Second')].toSorted()
    const entry = (id: string) => `  - {id: ${id}, name: ${id.slice(-8)}x, serviceLevel: null}\n`
    const d = `version: 1\nchannels:\n${entry(late!)}${entry(early!)}`
    let planned: ReturnType<typeof ask> | undefined
    await inTransaction(async (tx) => {
      await tx.query('select 1 from channel where id = $1 for update', [early])
      planned = ask(PLAN, { d })
      await until(async () => (await waiting()).length === 1)
      const free = await tx.query('select 1 from channel where id = $1 for update skip locked', [late])
      expect(free).toHaveLength(1)
    })
    expect((await planned!).errors).toBeUndefined()
  })
})

describe('an export', () => {
  const owner = async (chars: number): Promise<MadeUser> => {
    const organization = await fixture.makeOrganization({ name: `Of ${chars}` })
    const rules = [{ id: 'a', conditions: { all: [] }, event: { type: 'notify', params: { name: 'x'.repeat(chars) } } }]
    await fixture.server.database.query(
      `insert into workflow (id, external_id, organization_id, org1, name, rules, created_at, updated_at, version)
       values (gen_random_uuid(), 'large', $1, $1, 'Large', $2, now(), now(), 1)`,
      [organization.id, JSON.stringify(rules)],
    )
    return fixture.makeUser({ organization, role: 'admin' })
  }
  const skills = 'query { planRouting(document: "version: 1\\nskills: []") { changes { name } } }'

  it('takes its turn with plans', async () => {
    let planned: ReturnType<typeof ask> | undefined
    let exported: ReturnType<typeof ask> | undefined
    await inTransaction(async (tx) => {
      await lockHours(tx)
      planned = ask(PLAN, { d: 'version: 1\nschedules: []\n' })
      await until(async () => (await waiting()).length === 1)
      exported = ask('{ a: routing { digest } b: routing { digest } }', {})
      await until(async () => (await sampleOf(fixture.server.url, 'routing_documents_waiting')) === 2)
    })
    expect((await planned!).errors).toBeUndefined()
    expect((await exported!).errors).toBeUndefined()
  })

  it('is refused when no document could be so large, and plans of other sections are not', async () => {
    const large = await owner(1_000_000)
    const { errors } = await fixture.gql(large, '{ routing { text } }')
    expect(errors![0]!.extensions).toMatchObject({ code: 'UNPROCESSABLE', reason: 'TOO_LARGE' })
    expect(errors![0]!.message).toMatch(/it would have 100\d{4} characters; at most 1000000 are allowed/)
    expect((await fixture.gql(large, skills)).errors).toBeUndefined()
  })

  it('reads no more of an organization than a document may have, nor does a plan', async () => {
    const huge = await owner(4_000_000)
    for (const text of ['{ routing { text } }', skills.replace('skills', 'workflows')]) {
      const { errors } = await fixture.gql(huge, text)
      expect(errors![0]!.extensions).toMatchObject({ code: 'UNPROCESSABLE', reason: 'TOO_LARGE' })
      expect(errors![0]!.message).toContain('at most 4000000 are read')
    }
    expect((await fixture.gql(huge, skills)).errors).toBeUndefined()
  })

  it('costs as much as hundreds of records, like a plan', async () => {
    for (const field of ['routing { digest }', 'planRouting(document: "version: 1") { digest }']) {
      const { body } = await fixture.rest(fixture.admin, 'POST', '/graphql', {
        query: `{ ${field} }`,
        extensions: { cost: true },
      })
      expect(body.errors).toBeUndefined()
      expect(body.extensions.cost.cost).toBeGreaterThanOrEqual(500)
    }
  })
})

describe('a plan', () => {
  it('refuses two entries that are the same record, by id and by external id', async () => {
    await apply('version: 1\nworkflows:\n  - {name: Both, externalId: both, rules: []}\n')
    const [row] = await fixture.server.database.query<{ id: string }>(
      "select id from workflow where external_id = 'both'",
    )
    const { problems } = await refusal(
      `version: 1\nworkflows:\n  - {name: One, externalId: both}\n  - {name: Two, id: ${row!.id}}\n`,
    )
    expect(problems).toMatchObject([
      { field: 'workflows[1]', message: 'workflows[1] and workflows[0] are the same workflow: "Both"' },
    ])
  })

  it('is not for another document, which is refused with its digest', async () => {
    const { data } = await ask(PLAN, { d: 'version: 1\nskills:\n  - name: Harmless\n' })
    const d = 'version: 1\nmanages: [skills]\nskills: []\n'
    const { errors } = await ask(APPLY, { d, g: data.planRouting.digest })
    expect(errors![0]!.extensions).toMatchObject({ code: 'BAD_USER_INPUT', field: 'digest' })
    expect(errors![0]!.message).toContain('another document')
  })

  it('has only changes of what the document has', async () => {
    const id = await fixture.makeChannel('Harbor')
    await apply(`version: 1\nworkflows:\n  - {name: Harbors, rules: [${rule('Harbor')}]}\n`)
    const { data } = await ask(PLAN, { d: `version: 1\nchannels:\n  - {id: ${id}, name: Port}\n` })
    expect(data.planRouting.changes).toMatchObject([{ section: 'CHANNELS', action: 'UPDATE', name: 'Harbor' }])
  })

  it('says that the planned publication of a draft is taken back', async () => {
    await apply('version: 1\nworkflows:\n  - {name: Planned, rules: []}\n')
    const [row] = await fixture.server.database.query<{ id: string }>("select id from workflow where name = 'Planned'")
    const w = row!.id
    await ask('mutation ($w: ID!) { saveWorkflowDraft(workflow: $w, rules: []) { id } }', { w })
    const { errors } = await ask(
      'mutation ($w: ID!, $at: DateTime) { publishWorkflowDraft(workflow: $w, at: $at) { draft { publishAt } } }',
      { w, at: new Date(fixture.clock.now().getTime() + 3_600_000).toISOString() },
    )
    expect(errors).toBeUndefined()
    const { data } = await ask(PLAN, {
      d: 'version: 1\nworkflows:\n  - {name: Planned, rules: [{conditions: {all: []}, event: {type: notify, params: {}}}]}\n',
    })
    expect(data.planRouting.notes).toEqual([
      'the workflow "Planned" has 1 draft, which is kept, and is outdated then; 1 planned publication is taken back',
    ])
  })

  it.each([[['length', 'x', 'y']], [['0', 'x', 'y']], [[0.5, 'x', 'y']], [[0, 'x']]])(
    'is not what the digest %j is of',
    async (row) => {
      const g = Buffer.from(JSON.stringify([row])).toString('base64url')
      const { errors } = await ask(APPLY, { d: 'version: 1\n', g })
      expect(errors![0]!.extensions).toMatchObject({ code: 'BAD_USER_INPUT', field: 'digest' })
    },
  )
})
