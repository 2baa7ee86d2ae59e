import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import type { MadeOrganization, MadeUser } from '../support/factories.js'
import { startTestServer, type TestServer } from '../support/test-server.js'

let app: TestServer
let center: MadeOrganization
let admin: MadeUser
let colleague: MadeUser
let agent: MadeUser
let bot: MadeUser
let ofOther: MadeUser
let ofCustomer: MadeUser
let sales: string
let boats: string

beforeAll(async () => {
  app = await startTestServer()
  center = await app.makeOrganization({ name: 'Center' })
  const customer = await app.makeOrganization({ parent: center, name: 'Customer' })
  const other = await app.makeOrganization({ name: 'Other' })
  admin = await app.makeUser({ organization: center, role: 'admin', displayName: 'Ada' })
  colleague = await app.makeUser({ organization: center, role: 'admin', displayName: 'Bo' })
  agent = await app.makeUser({ organization: center })
  bot = await app.makeUser({ organization: center, role: 'bot' })
  ofOther = await app.makeUser({ organization: other, role: 'admin' })
  ofCustomer = await app.makeUser({ organization: customer, role: 'admin' })
  sales = await makeChannel('Sales')
  boats = await makeChannel('Boats')
})
afterAll(() => app.close())

const HISTORY = `query ($id: ID!, $first: Int, $before: Int) { workflow(id: $id) { version history(first: $first, before: $before) {
  number kind comment restoredFrom name ruleCount userId by { displayName } rules { id } } } }`
const DIFF = `query ($id: ID!, $from: Int!, $to: Int) { workflowDiff(workflow: $id, from: $from, to: $to) {
  from to targets { id name } parts { part from to words }
  rules { id kind words before { priority } after { priority } parts { part from to words } } } }`
const RESTORE = `mutation ($id: ID!, $number: Int!, $v: Int, $c: String) {
  restoreWorkflow(id: $id, number: $number, ifVersion: $v, comment: $c) { version name rules { id priority } } }`
const UPDATE = `mutation ($id: ID!, $patch: UpdateWorkflowInput!, $comment: String) {
  updateWorkflow(id: $id, patch: $patch, comment: $comment) { version } }`

interface Answer<T> {
  value: T
  error?: { message: string; extensions: Record<string, unknown> }
}
// The tests state what they expect of an answer.
type Any = any // oxlint-disable-line typescript/no-explicit-any
async function ask<T = Any>(as: MadeUser, text: string, variables: Record<string, unknown>): Promise<Answer<T>> {
  const { data, errors } = await app.gql(as, text, variables)
  return { value: Object.values(data ?? {})[0] as T, ...(errors && { error: errors[0] as never }) }
}
async function done<T = Any>(as: MadeUser, text: string, variables: Record<string, unknown>): Promise<T> {
  const { value, error } = await ask<T>(as, text, variables)
  expect(error).toBeUndefined()
  return value
}
const makeChannel = async (name: string): Promise<string> =>
  (await done(admin, 'mutation ($name: String!) { createChannel(input: { name: $name }) { id } }', { name })).id
const makeWorkflow = async (rules: object[], more: object = {}): Promise<string> =>
  (
    await done(admin, 'mutation ($input: CreateWorkflowInput!) { createWorkflow(input: $input) { id } }', {
      input: { name: 'Routing', rules, ...more },
    })
  ).id
const says = (value: string) => ({ fact: 'message', path: '.text', operator: 'match', value })
const rule = (id: string, params: object, more: object = {}) => ({
  id,
  conditions: { all: [says(id)] },
  event: { type: 'NOTIFY', params: { name: id, ...params } },
  priority: 1,
  ...more,
})
const update = (as: MadeUser, id: string, patch: object, comment?: string) => done(as, UPDATE, { id, patch, comment })
const historyOf = async (id: string, more: object = {}) => (await done(admin, HISTORY, { id, ...more })).history

describe('the history of a workflow', () => {
  it('has each change with its number, author, comment and state, the newest first', async () => {
    const id = await makeWorkflow([rule('boat', { channels: [boats] })])
    await update(colleague, id, { name: 'Other', rules: [] }, '  too many boats ')
    await done(
      admin,
      'mutation ($id: ID!, $r: WorkflowRuleInput!) { createWorkflowRule(workflow: $id, input: $r) { id } }',
      {
        id,
        r: rule('car', {}),
      },
    )
    const history = await historyOf(id)
    expect(history).toEqual([
      {
        ...{ number: 3, kind: 'UPDATED', comment: null, restoredFrom: null, name: 'Other', ruleCount: 1 },
        ...{ userId: admin.id, by: { displayName: 'Ada' }, rules: [{ id: 'car' }] },
      },
      {
        ...{ number: 2, kind: 'UPDATED', comment: 'too many boats', restoredFrom: null, name: 'Other', ruleCount: 0 },
        ...{ userId: colleague.id, by: { displayName: 'Bo' }, rules: [] },
      },
      {
        ...{ number: 1, kind: 'CREATED', comment: null, restoredFrom: null, name: 'Routing', ruleCount: 1 },
        ...{ userId: admin.id, by: { displayName: 'Ada' }, rules: [{ id: 'boat' }] },
      },
    ])
    expect((await historyOf(id, { first: 1, before: 3 })).map(({ number }: { number: number }) => number)).toEqual([2])
  })

  it('has none of what was refused, and each of concurrent changes once', async () => {
    const id = await makeWorkflow([])
    const refused = await ask(admin, UPDATE, { id, patch: { rules: [rule('x', { channels: [app.clock.newId()] })] } })
    expect(refused.error?.extensions.code).toBe('NOT_FOUND')
    await Promise.all(Array.from({ length: 8 }, (_, index) => update(admin, id, { name: `N${index}` })))
    const history = await historyOf(id)
    expect(history.map(({ number }: { number: number }) => number)).toEqual([9, 8, 7, 6, 5, 4, 3, 2, 1])
    expect(new Set(history.map(({ name }: { name: string }) => name)).size).toBe(9)
  })

  it('keeps what a release without a history had left, without its author', async () => {
    const id = await makeWorkflow([rule('boat', { channels: [boats] })])
    const { database } = app.server
    await database.query('delete from workflow_change where workflow_id = $1', [id])
    await database.query(`update workflow set version = version + 1, name = 'By another release' where id = $1`, [id])
    await update(admin, id, { rules: [] })
    expect(await historyOf(id)).toMatchObject([
      { number: 3, kind: 'UPDATED', ruleCount: 0, by: { displayName: 'Ada' } },
      { number: 2, kind: null, name: 'By another release', ruleCount: 1, by: null, rules: [{ id: 'boat' }] },
    ])
  })

  it('is kept with its rules by the maintenance, the last 500 changes, and goes with the workflow', async () => {
    const { database, maintenance } = app.server
    const id = await makeWorkflow([rule('boat', { channels: [boats] })])
    await update(admin, id, { rules: [rule('car', {})] })
    await database.query(
      `insert into workflow_change (workflow_id, number, organization_id, at, rules, names)
       select workflow_id, 1000 + n, organization_id, at, rules, names
       from workflow_change, generate_series(1, 500) as n where workflow_id = $1 and number = 2`,
      [id],
    )
    await maintenance.run()
    const stored = async (table: string): Promise<number> =>
      (await database.query<{ n: number }>(`select count(*)::int as n from ${table} where workflow_id = $1`, [id]))[0]!
        .n
    expect([await stored('workflow_change'), await stored('workflow_version_rule')]).toEqual([500, 1])
    expect((await historyOf(id, { first: 1 }))[0].rules).toEqual([{ id: 'car' }])
    await done(admin, 'mutation ($id: ID!) { deleteWorkflow(id: $id) }', { id })
    expect(await stored('workflow_change')).toBe(0)
    await maintenance.run()
    expect(await stored('workflow_version_rule')).toBe(0)
  })

  it.each(['history { number }', 'drafts { id }'])('is for administrators: %s', async (field) => {
    const id = await makeWorkflow([])
    const query = `query ($id: ID!) { workflow(id: $id) { id ${field} } }`
    for (const as of [agent, bot]) expect((await ask(as, query, { id })).error?.extensions.code).toBe('FORBIDDEN')
    for (const as of [ofOther, ofCustomer])
      expect((await ask(as, query, { id })).error?.extensions.code).toBe('NOT_FOUND')
    for (const as of [ofOther, ofCustomer]) {
      expect((await ask(as, DIFF, { id, from: 1 })).error?.extensions.code).toBe('NOT_FOUND')
      expect((await ask(as, RESTORE, { id, number: 1 })).error?.extensions.code).toBe('NOT_FOUND')
    }
  })

  it.each([0, 101, -1])('is not read for %d changes', async (first) => {
    const id = await makeWorkflow([])
    const { error } = await ask(admin, HISTORY, { id, first })
    expect(error?.extensions).toMatchObject({ code: 'BAD_USER_INPUT', field: 'first' })
  })
})

describe('workflowDiff', () => {
  it('tells what differs rule by rule, as data and in words', async () => {
    const id = await makeWorkflow([
      rule('boat', { channels: [boats, sales], delay: 30 }),
      rule('car', { channels: [sales] }),
      rule('same', { channels: [sales, boats] }),
    ])
    await update(admin, id, {
      name: 'Routing of boats',
      organizationTags: ['vip'],
      rules: [
        rule('same', { channels: [boats, sales], delay: 0, isLastRule: false }),
        rule(
          'boat',
          { channels: [sales], isLastRule: true },
          { priority: 3, conditions: { any: [says('boat'), { all: [says('sail'), says('oar')] }] } },
        ),
        rule('new', { channels: [boats], delay: 5 }, { conditions: { all: [] } }),
      ],
    })
    const { parts, rules, from, to } = await done(admin, DIFF, { id, from: 1, to: 2 })
    expect([from, to]).toEqual([1, 2])
    expect(parts).toEqual([
      { part: 'name', from: 'Routing', to: 'Routing of boats', words: 'name: "Routing of boats", was "Routing"' },
      { part: 'organizationTags', from: null, to: ['vip'], words: 'tags of organizations: vip added' },
    ])
    expect(rules.map(({ id: of, kind, words }: Record<string, string>) => [of, kind, words])).toEqual([
      ['car', 'REMOVED', 'Rule "car" removed'],
      [
        'boat',
        'CHANGED',
        'Rule "boat" changed: conditions: message.text matches "boat" or (message.text matches "sail" and message.text matches "oar"), ' +
          'was message.text matches "boat"; channels: Boats removed; delay: 0 s, was 30 s; last rule: yes, was no; priority: 3, was 1',
      ],
      ['new', 'ADDED', 'Rule "new" added: if always, notifies Boats after 5 s'],
    ])
    expect(rules[1]).toMatchObject({ before: { priority: 1 }, after: { priority: 3 } })
    expect(rules[1].parts).toContainEqual({ part: 'delay', from: 30, to: 0, words: 'delay: 0 s, was 30 s' })
    const backwards = await done(admin, DIFF, { id, from: 2, to: 1 })
    expect(backwards.rules.map(({ kind }: { kind: string }) => kind)).toEqual(['REMOVED', 'CHANGED', 'ADDED'])
    expect(await done(admin, DIFF, { id, from: 2 })).toEqual({ from: 2, to: null, parts: [], rules: [], targets: [] })
    const { error } = await ask(admin, DIFF, { id, from: 7 })
    expect(error).toMatchObject({
      message: expect.stringContaining('change 7'),
      extensions: { code: 'NOT_FOUND', field: 'from' },
    })
  })

  it('names a channel that was deleted since, as it was called then', async () => {
    const gone = await makeChannel('Sails')
    const id = await makeWorkflow([rule('boat', { channels: [gone] })])
    await update(admin, id, { rules: [rule('boat', { channels: [boats] })] })
    await done(admin, 'mutation ($id: ID!) { deleteChannel(id: $id) }', { id: gone })
    const { rules, targets } = await done(admin, DIFF, { id, from: 1 })
    expect(rules[0].words).toBe('Rule "boat" changed: channels: Boats added, Sails removed')
    expect(targets).toEqual(
      expect.arrayContaining([
        { id: gone, name: 'Sails' },
        { id: boats, name: 'Boats' },
      ]),
    )
  })
})

describe('restoreWorkflow', () => {
  it('makes an earlier state the present one, as a change of its own', async () => {
    const id = await makeWorkflow([rule('boat', { channels: [boats] }, { priority: 4 })], { organizationTags: ['vip'] })
    await update(admin, id, { name: 'Broken', organizationTags: null, rules: [rule('car', {})] })
    const restored = await done(colleague, RESTORE, { id, number: 1, v: 2, c: 'cars went astray' })
    expect(restored).toEqual({ version: 3, name: 'Routing', rules: [{ id: 'boat', priority: 4 }] })
    expect((await historyOf(id))[0]).toMatchObject({
      ...{ number: 3, kind: 'RESTORED', restoredFrom: 1, comment: 'cars went astray', by: { displayName: 'Bo' } },
    })
    const diff = await done(admin, DIFF, { id, from: 1 })
    expect([diff.parts, diff.rules]).toEqual([[], []])
    const entries = await done(
      admin,
      `query ($id: String!) { auditEntries(first: 5, filter: { object: { eq: $id } }) { edges { node { action actor { id } } } } }`,
      { id },
    )
    expect(entries.edges[0].node).toEqual({ action: 'restoreWorkflow', actor: { id: colleague.id } })
  })

  it('is refused for another version, an unknown number, and a comment that is too long', async () => {
    const id = await makeWorkflow([])
    await update(admin, id, { name: 'B' })
    const stale = await ask(admin, RESTORE, { id, number: 1, v: 1 })
    expect(stale.error?.extensions).toMatchObject({ code: 'PRECONDITION_FAILED', reason: 'OTHER_VERSION', version: 2 })
    const unknown = await ask(admin, RESTORE, { id, number: 9 })
    expect(unknown.error?.extensions).toMatchObject({ code: 'NOT_FOUND', field: 'number' })
    const long = await ask(admin, RESTORE, { id, number: 1, c: 'x'.repeat(1_001) })
    expect(long.error?.extensions).toMatchObject({ code: 'BAD_USER_INPUT', field: 'comment' })
    expect((await done(admin, HISTORY, { id })).version).toBe(2)
  })

  it('is refused with their names where rules name what is gone', async () => {
    const gone = await makeChannel('Sails')
    const left = await app.makeUser({ organization: center, displayName: 'Lee' })
    const id = await makeWorkflow([rule('boat', { channels: [gone, sales], users: [left.id] })])
    await update(admin, id, { rules: [] })
    await done(admin, 'mutation ($id: ID!) { deleteChannel(id: $id) }', { id: gone })
    await done(admin, 'mutation ($id: ID!) { updateUser(id: $id, patch: { status: ARCHIVED }) { id } }', {
      id: left.id,
    })
    const { error } = await ask(admin, RESTORE, { id, number: 1 })
    expect(error?.message).toBe(
      `rules name what is gone: rule "boat" names the channel "Sails" (${gone}), which was deleted; ` +
        `rule "boat" names the user "Lee" (${left.id}), which was archived`,
    )
    expect(error?.extensions).toMatchObject({
      ...{ code: 'UNPROCESSABLE', reason: 'TARGETS_GONE', field: 'rules' },
      targets: [
        { rule: 'boat', kind: 'CHANNEL', id: gone, name: 'Sails', isArchived: false },
        { rule: 'boat', kind: 'USER', id: left.id, name: 'Lee', isArchived: true },
      ],
    })
    expect((await done(admin, HISTORY, { id })).version).toBe(2)
  })
})

describe('/v2/workflows/:id/versions', () => {
  it('lists, shows and restores changes', async () => {
    const id = await makeWorkflow([rule('boat', { channels: [boats] })])
    await update(admin, id, { name: 'B', rules: [] }, 'no boats')
    const list = await app.rest(admin, 'GET', `/v2/workflows/${id}/versions`)
    expect(list.status).toBe(200)
    expect(list.body).toMatchObject([
      { number: 2, kind: 'updated', comment: 'no boats', user: admin.id, ruleCount: 0, name: 'B' },
      { number: 1, kind: 'created', user: admin.id, ruleCount: 1, name: 'Routing' },
    ])
    const before = await app.rest(admin, 'GET', `/v2/workflows/${id}/versions?before=2`)
    expect(before.body).toHaveLength(1)
    const one = await app.rest(admin, 'GET', `/v2/workflows/${id}/versions/1?populate=user`)
    expect(one.body).toMatchObject({
      number: 1,
      user: { id: admin.id },
      rules: [{ id: 'boat', event: { params: { channels: [boats] } } }],
    })
    const stale = await app.rest(admin, 'POST', `/v2/workflows/${id}/versions/1`, {}, { 'if-match': '"1"' })
    expect(stale.status).toBe(412)
    const tag = (await app.rest(admin, 'GET', `/v2/workflows/${id}`)).headers.get('etag')!
    const restored = await app.rest(
      admin,
      'POST',
      `/v2/workflows/${id}/versions/1`,
      { comment: 'back' },
      { 'if-match': tag },
    )
    expect([restored.status, restored.body.name, restored.body.rules.length]).toEqual([200, 'Routing', 1])
    expect((await historyOf(id))[0]).toMatchObject({ kind: 'RESTORED', comment: 'back', restoredFrom: 1 })
  })

  it('refuses others, unknown numbers and what is none', async () => {
    const id = await makeWorkflow([])
    const statuses = await Promise.all([
      app.rest(agent, 'GET', `/v2/workflows/${id}/versions`),
      app.rest(ofOther, 'GET', `/v2/workflows/${id}/versions`),
      app.rest(admin, 'GET', `/v2/workflows/${id}/versions/5`),
      app.rest(admin, 'GET', `/v2/workflows/${id}/versions/first`),
      app.rest(admin, 'GET', `/v2/workflows/${id}/versions/99999999999`),
      app.rest(admin, 'POST', `/v2/workflows/${id}/versions/1`, { commment: 'x' }),
    ])
    expect(statuses.map(({ status }) => status)).toEqual([403, 404, 404, 400, 400, 400])
  })
})
