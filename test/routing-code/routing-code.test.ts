import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { startConversationFixture, type ConversationFixture } from '../conversations/conversation-fixture.js'
import type { MadeUser } from '../support/factories.js'

let fixture: ConversationFixture
let ada: MadeUser

const EXPORT = 'query ($o: ID) { routing(organization: $o) { text digest } }'
const FIELDS = 'digest notes changes { section action name recordId fields { field before after } }'
const PLAN = `query ($d: String!, $o: ID) { planRouting(document: $d, organization: $o) { ${FIELDS} } }`
const APPLY = `mutation ($d: String!, $g: String!, $o: ID, $c: String) {
  applyRouting(document: $d, digest: $g, organization: $o, comment: $c) { ${FIELDS} } }`

interface Plan {
  digest: string
  notes: string[]
  changes: {
    section: string
    action: string
    name: string
    recordId: string | null
    fields: { field: string; before: unknown; after: unknown }[]
  }[]
}

beforeAll(async () => {
  fixture = await startConversationFixture()
  ada = fixture.admin
  // A plan that takes too long by it is refused.
  fixture.clock.standAt()
})
afterAll(() => fixture.close())

async function done<T>(as: MadeUser | string, text: string, variables: Record<string, unknown>): Promise<T> {
  const { data, errors } = await fixture.gql(as, text, variables)
  expect(errors).toBeUndefined()
  return Object.values(data)[0] as T
}
const refusal = async (text: string, variables: Record<string, unknown>, as: MadeUser | string = ada) => {
  const { errors } = await fixture.gql(as, text, variables)
  const { code, reason, problems, records } = errors![0]!.extensions as Record<string, any> // oxlint-disable-line typescript/no-explicit-any
  return { message: errors![0]!.message, code, reason, problems, records }
}
const exported = (o?: string) => done<{ text: string; digest: string }>(ada, EXPORT, { o })
const plan = (d: string, more: object = {}) => done<Plan>(ada, PLAN, { d, ...more })
const apply = (d: string, g: string, more: object = {}) => done<Plan>(ada, APPLY, { d, g, ...more })
const short = ({ changes }: Plan) => changes.map(({ action, section, name }) => `${action} ${section} ${name}`)

const WHOLE = `
version: 1
manages: [skills, schedules]
skills:
  - name: French
  - name: Dutch
holidayCalendars:
  - name: Holland
    days:
      - {firstDay: 2026-12-25, name: Christmas}
schedules:
  - name: Office
    timezone: Europe/Amsterdam
    spans:
      - {days: [Mon, Tue], opens: 09:00, closes: "17:30"}
    calendars: [Holland]
channels:
  - name: Boats
    assignment: {mode: offer, offerSeconds: 30}
slaPolicies:
  - name: Quick
    schedule: Office
    targets:
      - clock: firstResponse
        seconds: 60
        warnSeconds: 30
        acts:
          - {at: warned, channels: [Boats]}
workflows:
  - name: Boats first
    rules:
      - conditions: {any: [{fact: conversation, path: .name, operator: equal, value: boat}]}
        event: {type: notify, params: {name: boats, channels: [Boats], skills: [French], delay: 10}}
        priority: 2
      - conditions: {all: []}
        event: {type: notify, params: {name: rest, channels: [Boats]}}
`

describe('a routing document', () => {
  it('plans what it would create, and changes nothing', async () => {
    const before = await exported()
    const planned = await plan(WHOLE)
    expect(short(planned)).toEqual([
      'CREATE SKILLS Dutch',
      'CREATE SKILLS French',
      'CREATE HOLIDAY_CALENDARS Holland',
      'CREATE SCHEDULES Office',
      'CREATE CHANNELS Boats',
      'CREATE SLA_POLICIES Quick',
      'CREATE WORKFLOWS Boats first',
    ])
    expect(await exported()).toEqual(before)
  })

  it('is applied, and then there is nothing to do', async () => {
    const { digest } = await plan(WHOLE)
    const applied = await apply(WHOLE, digest, { c: 'as code' })
    expect(applied.changes).toHaveLength(7)
    expect((await plan(WHOLE)).changes).toEqual([])
    const { text, digest: state } = await exported()
    expect(await exported()).toEqual({ text, digest: state })
    expect(text).toContain('- Boats')
    expect((await plan(text)).changes).toEqual([])
    const versions = await fixture.server.database.query('select id, version from workflow order by id')
    expect((await apply(text, state)).changes).toEqual([])
    expect(await fixture.server.database.query('select id, version from workflow order by id')).toEqual(versions)
  })
})

const POLICY = `version: 1
workflows:
  - name: Boats first
    rules:
      - conditions: {all: []}
        event: {type: notify, params: {name: rest, channels: [Boat], users: [nobody@example.com]}}
`

describe('a document with mistakes', () => {
  it('is refused with the line and column of each unknown name', async () => {
    const { code, problems, message } = await refusal(PLAN, { d: POLICY })
    expect(code).toBe('BAD_USER_INPUT')
    expect(problems).toMatchObject([
      { line: 6, column: 63, field: 'workflows[0].rules[0].event.params.channels[0]' },
      { line: 6, column: 78, field: 'workflows[0].rules[0].event.params.users[0]' },
    ])
    expect(message).toContain('line 6, column 63: there is no channel "Boat"; the nearest is Boats')
  })

  it.each([
    ['a second document', 'version: 1\nskills: []\n---\nversion: 1\nworkflows: []\n', 3, 'a second document'],
    ['a second document behind an end', 'version: 1\n...\nskills: []\n', 3, 'a second document'],
    ['a document that is too deep', '['.repeat(20_000), 1, 'nested too deeply'],
    ['a cycle', 'version: 1\nskills: &s\n  - *s\n', 3, 'anchor'],
    ['a bomb of aliases', `version: 1\na: &a [x]\n${'b: &b [*a, *a]\n'.repeat(3)}`, 2, 'anchor'],
    ['an unknown key', 'version: 1\nskillz: []\n', 2, 'skills'],
    ['an unknown key of a record', 'version: 1\nskills:\n  - {name: A, color: red}\n', 3, 'color'],
    ['two of one name', 'version: 1\nskills:\n  - name: A\n  - name: a\n', 4, 'same skill'],
    ['a key that is there twice', 'version: 1\nskills: []\nskills: []\n', 3, 'twice'],
    ['a syntax error', 'version: 1\nskills: [\n', 3, ''],
    ['a tag', 'version: 1\nskills: !!set {}\n', 2, 'tag'],
    ['a list that is nested deeply', `version: 1\nskills: ${'['.repeat(60)}${']'.repeat(60)}\n`, 2, 'nested'],
    ['another version', 'version: 2\n', 1, 'version must be 1'],
    ['another organization', 'version: 1\norganization: Other\n', 2, 'Other'],
    ['a managed section that is not there', 'version: 1\nmanages: [skills]\n', 2, 'skills: []'],
    ['a text of ten lines of many characters', `version: 1\n${'#'.repeat(999_999)}\n`, 2, 'characters'],
    ['a name that is a number', 'version: 1\nskills:\n  - name: 12\n', 3, 'quotes'],
    [
      'a value with U+0000',
      'version: 1\nskills:\n  - name: "a\\0b"\n',
      3,
      'skills[0].name must not contain the character U+0000',
    ],
    [
      'a key with U+0000',
      'version: 1\nskills:\n  - name: A\n    "b\\0": 1\n',
      4,
      'a key must not contain the character U+0000',
    ],
    [
      'a value far within with half of a pair',
      'version: 1\nworkflows:\n  - name: A\n    rules:\n      - conditions: {all: []}\n        event: {type: notify, params: {name: "\\ud800"}}\n',
      6,
      'half of a surrogate pair',
    ],
    ['what the mutation refuses', 'version: 1\nschedules:\n  - name: X\n    timezone: Mars/Base\n', 4, 'Mars/Base'],
    [
      'what the mutation refuses far within',
      'version: 1\nworkflows:\n  - name: X\n    rules:\n      - conditions:\n          all:\n            - fact: nothing\n',
      7,
      'fact must be one of',
    ],
  ])('is refused for %s', async (_what, d, line, words) => {
    const { code, problems, message } = await refusal(PLAN, { d })
    expect(code).toBe('BAD_USER_INPUT')
    expect(problems[0]).toMatchObject({ line })
    expect(message).toContain(words)
  })

  it('does not name a record that it removes', async () => {
    const d = `version: 1\nmanages: [channels]\nchannels: []\n${POLICY.slice('version: 1\n'.length).replace('Boat]', 'Boats]')}`
    const { problems } = await refusal(PLAN, { d })
    expect(problems[0]).toMatchObject({ line: 8, message: 'the channel "Boats" is removed by this document' })
  })

  it('names both records of one name', async () => {
    const ids = [await fixture.makeChannel('Twins'), await fixture.makeChannel('Twins')]
    const { problems } = await refusal(PLAN, { d: 'version: 1\nchannels:\n  - name: Twins\n' })
    for (const id of ids) expect(problems[0].message).toContain(id)
    const { text } = await exported()
    for (const id of ids) expect(text).toContain(`id: ${id}`)
    expect((await plan(text)).changes).toEqual([])
    await fixture.server.database.query('delete from channel where id = any($1::uuid[])', [ids])
  })
})

const rename = (to: string, section = 'workflows') =>
  exported().then(
    ({ text }) => `version: 1\n${text.slice(text.indexOf(`${section}:`)).replace('delay: 10', `delay: ${to}`)}`,
  )

describe('an application', () => {
  it('is refused when something has changed since the plan, and names it', async () => {
    const d = await rename('20')
    const { digest, changes } = await plan(d)
    expect(changes[0]!.fields).toEqual([{ field: 'rules["boats"].event.params.delay', before: 10, after: 20 }])
    const [{ id }] = (await fixture.server.database.query<{ id: string }>(
      "select id from workflow where name = 'Boats first'",
    )) as [{ id: string }]
    await done(ada, 'mutation ($w: ID!) { updateWorkflow(id: $w, patch: { organizationTags: ["x"] }) { id } }', {
      w: id,
    })
    const { code, records, message } = await refusal(APPLY, { d, g: digest })
    expect({ code, records }).toEqual({
      code: 'PRECONDITION_FAILED',
      records: [{ section: 'workflows', name: 'Boats first' }],
    })
    expect(message).toContain('"Boats first"')
    await done(ada, 'mutation ($w: ID!) { updateWorkflow(id: $w, patch: { organizationTags: null }) { id } }', {
      w: id,
    })
  })

  it('is not hindered by what the document does not have', async () => {
    const d = await rename('20')
    const { digest } = await plan(d)
    await done(ada, 'mutation { createSkill(input: { name: "Knots" }) { id } }', {})
    expect(short(await apply(d, digest, { c: 'Slower' }))).toEqual(['UPDATE WORKFLOWS Boats first'])
  })

  it('keeps the ids of rules, and shows in the history who applied', async () => {
    const shown = () =>
      done<{ rules: object[]; history: object[] }>(
        ada,
        'query ($w: ID!) { workflow(id: $w) { rules { id } history { kind comment by { displayName } } } }',
        { w: workflow },
      )
    const [{ id: workflow }] = (await fixture.server.database.query<{ id: string }>(
      "select id from workflow where name = 'Boats first'",
    )) as [{ id: string }]
    const { history, rules } = await shown()
    expect(history[0]).toMatchObject({ kind: 'UPDATED', comment: 'Slower', by: { displayName: 'Ada' } })
    const d = (await exported()).text.replace('delay: 20', 'delay: 30')
    await apply(d, (await plan(d)).digest)
    expect((await shown()).rules).toEqual(rules)
  })

  it('shows its comment in the history of a workflow that it creates', async () => {
    const d = 'version: 1\nworkflows:\n  - name: Commented\n'
    await apply(d, (await plan(d)).digest, { c: 'Review 8' })
    const [{ id: w }] = (await fixture.server.database.query<{ id: string }>(
      "select id from workflow where name = 'Commented'",
    )) as [{ id: string }]
    const { history } = await done<{ history: object[] }>(
      ada,
      'query ($w: ID!) { workflow(id: $w) { history { kind comment by { displayName } } } }',
      { w },
    )
    expect(history).toEqual([{ kind: 'CREATED', comment: 'Review 8', by: { displayName: 'Ada' } }])
  })

  it('leaves an audit entry and an event of each change, as the single mutations do', async () => {
    const d = 'version: 1\nskills:\n  - name: Rowing\nchannels:\n  - name: Rowers\n'
    const events = () =>
      fixture.server.database.query<{ type: string }>(
        "select type from event where type in ('skill.created', 'channel.created')",
      )
    const before = (await events()).length
    await apply(d, (await plan(d)).digest)
    expect(await events()).toHaveLength(before + 2)
    const rows = await fixture.server.database.query<{ action: string; by: string | null; type: string }>(
      `select action, details->>'by' as by, object->>'type' as type from audit_entry order by at desc, id desc limit 3`,
    )
    expect(rows.toSorted((one, other) => (one.action < other.action ? -1 : 1))).toEqual([
      { action: 'applyRouting', by: null, type: 'organization' },
      { action: 'createChannel', by: 'applyRouting', type: 'channel' },
      { action: 'createSkill', by: 'applyRouting', type: 'skill' },
    ])
  })

  it('keeps a draft, and says that it is outdated then', async () => {
    const [{ id }] = (await fixture.server.database.query<{ id: string }>(
      "select id from workflow where name = 'Boats first'",
    )) as [{ id: string }]
    await done(ada, 'mutation ($w: ID!) { saveWorkflowDraft(workflow: $w, rules: []) { id } }', { w: id })
    const d = (await exported()).text.replace('delay: 30', 'delay: 40')
    const planned = await plan(d)
    expect(planned.notes).toEqual(['the workflow "Boats first" has 1 draft, which is kept, and is outdated then'])
    await apply(d, planned.digest)
    const shown = await done<{ drafts: object[] }>(
      ada,
      'query ($w: ID!) { workflow(id: $w) { drafts { isOutdated } } }',
      { w: id },
    )
    expect(shown.drafts).toEqual([{ isOutdated: true }])
  })

  it('is made once of two at the same time', async () => {
    const d = 'version: 1\nchannels:\n  - name: Ferries\n'
    const { digest } = await plan(d)
    const answers = await Promise.all([1, 2].map(() => fixture.gql(ada, APPLY, { d, g: digest })))
    expect(answers.map(({ errors }) => errors?.[0]?.extensions.code ?? 'done').toSorted()).toEqual([
      'PRECONDITION_FAILED',
      'done',
    ])
    expect(await fixture.server.database.query("select id from channel where name = 'Ferries'")).toHaveLength(1)
  })

  it('deletes what a managed section has not, and renames by id', async () => {
    const [skill] = await fixture.server.database.query<{ id: string }>("select id from skill where name = 'Rowing'")
    const rest = (await exported()).text.match(/^skills:\n(?: .*\n)*/m)![0]
    const d = `version: 1\nmanages: [skills]\n${rest.replace('  - name: Rowing\n', `  - {name: Sculling, id: ${skill!.id}}\n`).replace('  - name: Knots\n', '')}`
    const planned = await plan(d)
    expect(planned.changes).toEqual([
      { section: 'SKILLS', action: 'DELETE', name: 'Knots', recordId: expect.any(String), fields: [] },
      {
        section: 'SKILLS',
        action: 'UPDATE',
        name: 'Rowing',
        recordId: skill!.id,
        fields: [{ field: 'name', before: 'Rowing', after: 'Sculling' }],
      },
    ])
    await apply(d, planned.digest)
    expect((await plan(d)).changes).toEqual([])
  })

  it('refuses to delete what is in use, as the mutation does', async () => {
    const { text } = await exported()
    const { code, message } = await refusal(PLAN, {
      d: text.replace('  - name: French\n', '').replace('skills:\n                - French', 'urgency: 1'),
    })
    expect(['UNPROCESSABLE', 'BAD_USER_INPUT']).toContain(code)
    expect(message).toMatch(/line \d+, column \d+/)
  })

  it('is for administrators alone', async () => {
    for (const [text, variables] of [
      [EXPORT, {}],
      [PLAN, { d: 'version: 1' }],
      [APPLY, { d: 'version: 1', g: 'W10' }],
    ] as const)
      expect((await refusal(text, variables, fixture.ann)).code).toBe('FORBIDDEN')
  })

  it('sees no other customer, and names what organizations below have', async () => {
    const stranger = await fixture.makeOrganization({ name: 'Stranger' })
    const theirs = await fixture.makeChannel('Planes', [], stranger)
    const below = await fixture.makeOrganization({ name: 'Below', parent: fixture.organization })
    await fixture.makeChannel('Planes', [], below)
    const rule = (ref: string) =>
      `version: 1\nworkflows:\n  - name: Planes\n    rules:\n      - conditions: {all: []}\n        event: {type: notify, params: {channels: [${ref}]}}\n`
    for (const ref of ['Planes', `{id: ${theirs}}`, '{name: Planes, organization: Stranger}'])
      expect(['BAD_USER_INPUT', 'NOT_FOUND']).toContain((await refusal(PLAN, { d: rule(ref) })).code)
    const d = rule('{name: Planes, organization: Below}')
    await apply(d, (await plan(d)).digest)
    const { text } = await exported()
    expect(text).toContain('organization: Below')
    expect((await plan(text)).changes).toEqual([])
    const admin = await fixture.makeUser({ organization: below, role: 'admin' })
    const own = await done<{ text: string }>(admin, EXPORT, {})
    expect(own.text).toContain('- name: Planes')
    expect(own.text).not.toContain('Boats')
    expect((await refusal(EXPORT, { o: fixture.organization.id }, admin)).code).toBe('NOT_FOUND')
    expect((await refusal(PLAN, { d, o: fixture.organization.id }, admin)).code).toBe('NOT_FOUND')
  })
})

describe('the names of skills', () => {
  const ids = async (): Promise<Record<string, string>> => {
    const rows = await fixture.server.database.query<{ id: string; name: string }>('select id, name from skill')
    return Object.fromEntries(rows.map(({ id, name }) => [name, id]))
  }
  const document = (skills: object[], more = '') =>
    `version: 1\nmanages: [skills]\nskills: ${JSON.stringify([{ name: 'French' }, { name: 'Dutch' }, ...skills])}\n${more}`
  const start = async (...names: string[]) => {
    const d = document(names.map((name) => ({ name })))
    await apply(d, (await plan(d)).digest)
    return ids()
  }

  it('are taken from those that are removed', async () => {
    const { Rigging, Knots } = await start('Rigging', 'Knots')
    const d = document([{ id: Rigging, name: 'knots' }])
    await apply(d, (await plan(d)).digest)
    expect(await ids()).toMatchObject({ knots: Rigging })
    expect(Object.values(await ids())).not.toContain(Knots)
    expect((await plan(d)).changes).toEqual([])
  })

  it('are taken from those that are removed, also where a workflow asks for these until it changes', async () => {
    const { Sails, Ropes } = await start('Sails', 'Ropes')
    const workflow =
      'workflows:\n  - name: Asking\n    rules: [{conditions: {all: []}, event: {type: notify, params: {skills: [Ropes]}}}]\n'
    const before = document([{ name: 'Sails' }, { name: 'Ropes' }], workflow)
    await apply(before, (await plan(before)).digest)
    const d = document([{ id: Sails, name: 'Ropes' }], workflow)
    const planned = await plan(d)
    expect(short(planned)).toEqual(['DELETE SKILLS Ropes', 'UPDATE SKILLS Sails', 'UPDATE WORKFLOWS Asking'])
    await apply(d, planned.digest)
    expect(await ids()).toMatchObject({ Ropes: Sails })
    expect(Object.values(await ids())).not.toContain(Ropes)
    expect((await plan(d)).changes).toEqual([])
    const without = `version: 1\nmanages: [workflows]\n${(await exported()).text.replace(/^[^]*\nworkflows:/, 'workflows:').replace(/ {2}- name: Asking\n(?: {4}.*\n)*/, '')}`
    await apply(without, (await plan(without)).digest)
  })

  it('are given up before they are taken, in whatever order they are written', async () => {
    const first = await start('S1', 'S2', 'S3')
    const chain = [
      { id: first.S1, name: 'S2' },
      { id: first.S2, name: 'S3' },
      { id: first.S3, name: 'S4' },
    ]
    const d = document([...chain, { name: 'S1' }])
    await apply(d, (await plan(d)).digest)
    expect(await ids()).toMatchObject({ S2: first.S1, S3: first.S2, S4: first.S3, S1: expect.any(String) })
    const back = document([
      { id: first.S3, name: 'S3' },
      { id: first.S2, name: 'S2' },
      { id: first.S1, name: 'S5' },
      { name: 'S1' },
    ])
    await apply(back, (await plan(back)).digest)
    expect(await ids()).toMatchObject({ S5: first.S1, S2: first.S2, S3: first.S3 })
  })

  it('are not swapped, which is said in words', async () => {
    const { Oars, Paddles } = await start('Oars', 'Paddles')
    const { code, problems } = await refusal(PLAN, {
      d: document([
        { id: Oars, name: 'Paddles' },
        { id: Paddles, name: 'Oars' },
      ]),
    })
    expect(code).toBe('BAD_USER_INPUT')
    expect(problems).toMatchObject([{ field: 'skills[2].name', message: expect.stringContaining('apply that first') }])
  })
})

describe('the digest', () => {
  it('tells states apart whose names are too long for it', async () => {
    const organization = await fixture.makeOrganization({ name: 'Long names' })
    const admin = await fixture.makeUser({ organization, role: 'admin' })
    await fixture.server.database.query(
      `insert into skill (id, organization_id, org1, org2, org3, name, created_at, updated_at, version)
       select gen_random_uuid(), $1, $1, null, null, lpad(n::text, 200, '語'), now(), now(), 1 from generate_series(1, 990) n`,
      [organization.id],
    )
    const d = 'version: 1\nskills:\n  - name: Added\n'
    const planned = await done<Plan>(admin, PLAN, { d })
    expect(planned.digest.length).toBeLessThan(60_000)
    const change = (statement: string) => fixture.server.database.query(statement, [organization.id])
    await change(`delete from skill where organization_id = $1 and name like '%語7'`)
    const gone = await refusal(APPLY, { d, g: planned.digest }, admin)
    expect(gone).toMatchObject({ code: 'PRECONDITION_FAILED', records: [{ section: 'skills', name: null }] })
    expect(gone.message).toContain('a skill that is not there any more')
    await change(`update skill set name = 'Renamed' where organization_id = $1 and name like '%語8'`)
    const { digest } = await done<Plan>(admin, PLAN, { d })
    await change(`update skill set name = 'Again' where organization_id = $1 and name = 'Renamed'`)
    expect(await refusal(APPLY, { d, g: digest }, admin)).toMatchObject({
      code: 'PRECONDITION_FAILED',
      records: [{ section: 'skills', name: 'Again' }],
    })
    const again = await done<Plan>(admin, PLAN, { d })
    expect(short(await done<Plan>(admin, APPLY, { d, g: again.digest }))).toEqual(['CREATE SKILLS Added'])
  })

  it('is of 5,000 records at most', async () => {
    const organization = await fixture.makeOrganization({ name: 'Many channels' })
    const admin = await fixture.makeUser({ organization, role: 'admin' })
    await fixture.server.database.query(
      `insert into channel (id, organization_id, org1, org2, org3, name, status, created_at, updated_at, version)
       select gen_random_uuid(), $1, $1, null, null, 'C' || n, 'active', now(), now(), 1 from generate_series(1, 5001) n`,
      [organization.id],
    )
    const { code, message } = await refusal(PLAN, { d: 'version: 1\nchannels: []\n' }, admin)
    expect(code).toBe('UNPROCESSABLE')
    expect(message).toContain('5001 records')
    expect((await done<Plan>(admin, PLAN, { d: 'version: 1\nskills: []\n' })).changes).toEqual([])
  })
})
