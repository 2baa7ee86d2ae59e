import { ReferenceWorkflow } from '../../src/modules/workflows/reference-workflow.js'
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals'
import type { Sql } from '../../src/platform/db/database.js'
import { readEvents } from '../../src/platform/events/streams.js'
import { applicableWorkflows } from '../../src/modules/workflows/applicable-workflows.js'
import { WorkflowCache } from '../../src/modules/workflows/workflow-cache.js'
import type { MadeOrganization, MadeUser } from '../support/factories.js'
import { startTestServer, type TestServer } from '../support/test-server.js'

let app: TestServer
let center: MadeOrganization
let customer: MadeOrganization
let branch: MadeOrganization
let rival: MadeOrganization
let owner: MadeUser
let admin: MadeUser
let agent: MadeUser
let bot: MadeUser
let rivalAdmin: MadeUser
let sales: string
let branchDesk: string
let centerDesk: string
let rivalDesk: string

beforeAll(async () => {
  app = await startTestServer()
  center = await app.makeOrganization({ name: 'Center' })
  customer = await app.makeOrganization({ parent: center, name: 'Customer' })
  branch = await app.makeOrganization({ parent: customer, name: 'Branch' })
  rival = await app.makeOrganization({ parent: center, name: 'Rival' })
  owner = await app.makeUser({ organization: center, role: 'admin' })
  admin = await app.makeUser({ organization: customer, role: 'admin' })
  agent = await app.makeUser({ organization: customer })
  bot = await app.makeUser({ organization: customer, role: 'bot' })
  rivalAdmin = await app.makeUser({ organization: rival, role: 'admin' })
  sales = await makeChannel(customer)
  branchDesk = await makeChannel(branch)
  centerDesk = await makeChannel(center)
  rivalDesk = await makeChannel(rival)
})
afterAll(() => app.close())

const RULE = 'id conditions event { type params { name channels users delay isLastRule } } priority'
const FIELDS = `id organizationId organization { name } name organizations organizationTags rules { ${RULE} }
  createdAt updatedAt`

interface RuleData {
  id: string
  conditions: object
  event: { type: string; params: Record<string, unknown> }
  priority: number
}
interface WorkflowData {
  id: string
  name: string | null
  organizationId: string
  organization: { name: string } | null
  organizations: string[] | null
  organizationTags: string[] | null
  rules: RuleData[]
}

async function makeChannel({ id, path }: MadeOrganization): Promise<string> {
  const channel = app.clock.newId()
  await app.server.database.query(
    `insert into channel (id, organization_id, org1, org2, org3, created_at, updated_at, name)
     values ($1, $2, $3, $4, $5, now(), now(), 'A channel')`,
    [channel, id, path[0], path[1], path[2]],
  )
  return channel
}

const when = (text: string) => ({ all: [{ fact: 'message', path: '.text', operator: 'equal', value: text }] })
const rule = (params: object = {}, more: object = {}) => ({
  conditions: when('hello'),
  event: { type: 'notify', params },
  ...more,
})

function create(as: MadeUser, input: object, key?: string) {
  return app.gql<{ createWorkflow: WorkflowData }>(
    as,
    `mutation ($input: CreateWorkflowInput!, $key: String) {
      createWorkflow(input: $input, idempotencyKey: $key) { ${FIELDS} }
    }`,
    { input, key },
  )
}

async function made(as: MadeUser, input: object): Promise<WorkflowData> {
  const { data, errors } = await create(as, input)
  expect(errors).toBeUndefined()
  return data.createWorkflow
}

function update(as: MadeUser, id: string, patch: object) {
  return app.gql<{ updateWorkflow: WorkflowData }>(
    as,
    `mutation ($id: ID!, $patch: UpdateWorkflowInput!) { updateWorkflow(id: $id, patch: $patch) { ${FIELDS} } }`,
    { id, patch },
  )
}

function remove(as: MadeUser, id: string) {
  return app.gql(as, 'mutation ($id: ID!) { deleteWorkflow(id: $id) }', { id })
}

function fetched(as: MadeUser, id: string) {
  return app.gql<{ workflow: WorkflowData }>(as, `query ($id: ID!) { workflow(id: $id) { ${FIELDS} } }`, { id })
}

function createRule(as: MadeUser, workflow: string, input: object) {
  return app.gql<{ createWorkflowRule: RuleData }>(
    as,
    `mutation ($workflow: ID!, $input: WorkflowRuleInput!) {
      createWorkflowRule(workflow: $workflow, input: $input) { ${RULE} }
    }`,
    { workflow, input },
  )
}

function updateRule(as: MadeUser, workflow: string, id: string, patch: object) {
  return app.gql<{ updateWorkflowRule: RuleData }>(
    as,
    `mutation ($workflow: ID!, $rule: ID!, $patch: UpdateWorkflowRuleInput!) {
      updateWorkflowRule(workflow: $workflow, rule: $rule, patch: $patch) { ${RULE} }
    }`,
    { workflow, rule: id, patch },
  )
}

function deleteRule(as: MadeUser, workflow: string, id: string) {
  return app.gql(as, 'mutation ($w: ID!, $r: ID!) { deleteWorkflowRule(workflow: $w, rule: $r) }', {
    w: workflow,
    r: id,
  })
}

function tried(as: MadeUser, workflow: string, facts: object) {
  return app.gql<{ testWorkflow: RuleData['event'][] }>(
    as,
    'query ($w: ID!, $f: JSONObject!) { testWorkflow(workflow: $w, facts: $f) { type params { name } } }',
    { w: workflow, f: facts },
  )
}

const names = (events: RuleData['event'][]) => events.map(({ params }) => params.name)

describe('creating a workflow', () => {
  it('stores the rules as they were given, each with an id and a priority', async () => {
    const params = {
      name: 'First',
      channels: [sales, branchDesk, centerDesk],
      users: [agent.id],
      delay: 5,
      isLastRule: true,
    }
    const input = { name: 'Main', rules: [rule(params, { priority: 7 }), rule()] }
    // A customer's administrator does not see the center's channel.
    const workflow = await made(owner, { ...input, organization: customer.id })
    expect(workflow).toMatchObject({
      organizationId: customer.id,
      name: 'Main',
      organizations: null,
      organizationTags: null,
      rules: [
        { conditions: when('hello'), event: { type: 'NOTIFY', params }, priority: 7 },
        {
          event: { type: 'NOTIFY', params: { name: null, channels: null, delay: null, isLastRule: null } },
          priority: 1,
        },
      ],
    })
    expect(new Set(workflow.rules.map(({ id }) => id)).size).toBe(2)
    expect((await fetched(bot, workflow.id)).data.workflow).toEqual(workflow)
    const events = await readEvents(app.server.database, `organization:${customer.id}`, 0, 1_000)
    expect(events.filter(({ data }) => data.id === workflow.id)).toMatchObject([
      { type: 'workflow.created', data: { name: 'Main', version: 1 } },
    ])
  })

  it.each(['id', '_id'])('accepts the client’s %s once (2.7)', async (key) => {
    const id = app.clock.newId()
    expect((await made(admin, { [key]: id.toUpperCase() })).id).toBe(id)
    expect((await create(admin, { [key]: id })).errors?.[0]?.extensions).toMatchObject({
      code: 'UNPROCESSABLE',
      field: key,
    })
    expect((await create(rivalAdmin, { [key]: id })).errors?.[0]?.extensions.code).toBe('UNPROCESSABLE')
  })

  it.each([
    ['an id that is no UUID', { id: 'main' }, 'id'],
    [
      'two different ids',
      { id: '0192b1a0-0000-7000-8000-000000000001', _id: '0192b1a0-0000-7000-8000-000000000002' },
      'id',
    ],
    ['a blank name', { name: ' ' }, 'name'],
    ['a blank tag', { organizationTags: [''] }, 'organizationTags[0]'],
    [
      'an unknown operator',
      {
        rules: [rule(), { ...rule(), conditions: { any: [{ ...when('x').all[0], operator: 'like' }] } }],
      },
      'rules[1].conditions.any[0].operator',
    ],
    [
      'another event type',
      { rules: [{ ...rule(), event: { type: 'email', params: {} } }] },
      'input.rules[0].event.type',
    ],
    ['a negative delay', { rules: [rule({ delay: -1 })] }, 'rules[0].event.params.delay'],
    ['a delay past the longest', { rules: [rule({ delay: 2_147_483_647 })] }, 'rules[0].event.params.delay'],
    ['priority 0', { rules: [rule({}, { priority: 0 })] }, 'rules[0].priority'],
    ['a rule id with a space', { rules: [rule({}, { id: 'the first' })] }, 'rules[0].id'],
    ['a rule _id that is too long', { rules: [rule({}, { _id: 'a'.repeat(65) })] }, 'rules[0]._id'],
    ['an _id with a slash', { _id: 'a/b' }, '_id'],
    ['an empty _id', { _id: '' }, '_id'],
    [
      'a rule id given twice',
      { rules: Array(2).fill(rule({}, { id: '0192b1a0-0000-7000-8000-000000000003' })) },
      'rules[1].id',
    ],
    ['too many rules', { rules: Array(201).fill(rule()) }, 'rules'],
  ])('refuses %s, naming the field', async (_, input, field) => {
    expect((await create(admin, input)).errors?.[0]?.extensions).toMatchObject({ code: 'BAD_USER_INPUT', field })
  })

  it('does not find channels, users, organizations or groups that the caller does not see', async () => {
    const group = await makeGroup(rival, [])
    const cases: [object, string][] = [
      [{ rules: [rule({ channels: [sales, rivalDesk] })] }, 'rules[0].event.params.channels[1]'],
      [{ rules: [rule(), rule({ channels: [centerDesk] })] }, 'rules[1].event.params.channels[0]'],
      [{ rules: [rule({ channels: ['sales'] })] }, 'rules[0].event.params.channels[0]'],
      [{ rules: [rule({ users: [agent.id, rivalAdmin.id] })] }, 'rules[0].event.params.users[1]'],
      [{ organizations: [branch.id, rival.id] }, 'organizations[1]'],
      [{ organizationTags: ['gold', group] }, 'organizationTags[1]'],
    ]
    for (const [input, field] of cases) {
      expect((await create(admin, input)).errors?.[0]?.extensions).toMatchObject({ code: 'NOT_FOUND', field })
    }
    expect((await create(admin, { organization: rival.id })).errors?.[0]?.extensions.code).toBe('NOT_FOUND')
  })

  it('cannot route one customer’s conversations to another’s channel, even if the caller sees both', async () => {
    const input = { organization: customer.id, rules: [rule({ channels: [rivalDesk] })] }
    expect((await create(owner, input)).errors?.[0]?.extensions).toMatchObject({
      code: 'NOT_FOUND',
      field: 'rules[0].event.params.channels[0]',
    })
  })

  it('answers a repeated idempotency key with the first workflow, even with the client’s id', async () => {
    const input = { id: app.clock.newId(), name: 'Once', rules: [rule({ channels: [sales] })] }
    const answers = await Promise.all(Array.from({ length: 4 }, () => create(admin, input, 'once')))
    for (const answer of answers) expect(answer.data).toEqual(answers[0]!.data)
    expect(answers[0]!.errors).toBeUndefined()
  })

  it('requires an administrator', async () => {
    for (const user of [agent, bot]) expect((await create(user, {})).errors?.[0]?.extensions.code).toBe('FORBIDDEN')
    expect((await app.gql(agent, '{ workflows { totalCount } }')).errors?.[0]?.extensions.code).toBe('FORBIDDEN')
  })
})

describe('updating a workflow', () => {
  it('changes the given fields only; rules replace all, and keep the ids that are sent back', async () => {
    const before = await made(admin, {
      name: 'Before',
      organizationTags: ['gold'],
      rules: [rule({ name: 'a' }), rule({ name: 'b' })],
    })
    const renamed = (await update(admin, before.id, { name: 'After' })).data.updateWorkflow
    expect(renamed).toMatchObject({ name: 'After', organizationTags: ['gold'], rules: before.rules })
    const rules = [rule({ name: 'c' }), { ...rule({ name: 'b' }), id: before.rules[1]!.id, _id: before.rules[1]!.id }]
    const replaced = (await update(admin, before.id, { rules })).data.updateWorkflow
    expect(replaced.rules.map(({ event }) => event.params.name)).toEqual(['c', 'b'])
    expect(replaced.rules[1]!.id).toBe(before.rules[1]!.id)
    const cleared = (await update(admin, before.id, { name: null, organizationTags: null, rules: null })).data
      .updateWorkflow
    expect(cleared).toMatchObject({ name: null, organizationTags: null, rules: [] })
  })

  it('accepts targets that it already has: a deleted channel and one that the caller does not see', async () => {
    const gone = await makeChannel(customer)
    const params = { channels: [gone, centerDesk], users: [owner.id] }
    const workflow = await made(owner, { organization: customer.id, organizations: [branch.id], rules: [rule(params)] })
    await app.server.database.query('delete from channel where id = $1', [gone])
    const [stored] = workflow.rules
    const sentBack = { id: stored!.id, conditions: stored!.conditions, event: { type: 'notify', params } }
    expect((await update(admin, workflow.id, { rules: [sentBack] })).data.updateWorkflow.rules).toEqual(workflow.rules)
    expect((await updateRule(admin, workflow.id, stored!.id, { priority: 2 })).data.updateWorkflowRule.priority).toBe(2)
    const other = await made(admin, { rules: [] })
    expect((await createRule(admin, other.id, rule({ channels: [gone] }))).errors?.[0]?.extensions).toMatchObject({
      code: 'NOT_FOUND',
      field: 'event.params.channels[0]',
    })
  })

  it('loses no rule when rules are added concurrently', async () => {
    const { id } = await made(admin, {})
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, index) => createRule(admin, id, rule({ name: `r${index}` }))),
    )
    expect(answers.flatMap(({ errors }) => errors ?? [])).toEqual([])
    expect((await fetched(admin, id)).data.workflow.rules).toHaveLength(8)
    const [stored] = await app.server.database.query<{ version: number }>(
      'select version from workflow where id = $1',
      [id],
    )
    expect(stored!.version).toBe(9)
  })

  it("does not find another tenant's workflow in any operation", async () => {
    const foreign = await made(rivalAdmin, { rules: [rule()] })
    const ruleId = foreign.rules[0]!.id
    const answers = [
      await fetched(admin, foreign.id),
      await remove(admin, foreign.id),
      await update(admin, foreign.id, { name: 'Mine' }),
      await createRule(admin, foreign.id, rule()),
      await updateRule(admin, foreign.id, ruleId, { priority: 2 }),
      await deleteRule(admin, foreign.id, ruleId),
      await tried(admin, foreign.id, {}),
      await fetched(admin, 'no-id'),
    ]
    for (const { errors } of answers) expect(errors?.[0]?.extensions.code).toBe('NOT_FOUND')
    expect((await fetched(rivalAdmin, foreign.id)).data.workflow).toEqual(foreign)
  })
})

describe('the rules of a workflow', () => {
  it('are added, changed and removed one by one (4.5)', async () => {
    const { id } = await made(admin, {})
    const added = (await createRule(admin, id, rule({ name: 'New', channels: [sales], delay: 3 }))).data
      .createWorkflowRule
    expect(added).toMatchObject({ event: { params: { name: 'New', channels: [sales], delay: 3 } }, priority: 1 })
    // A given event replaces the whole event, so the channels and the delay are gone (section 1, PATCH).
    const changed = await updateRule(admin, id, added.id, { event: { type: 'notify', params: { name: 'Newer' } } })
    expect(changed.data.updateWorkflowRule).toEqual({
      ...added,
      event: { type: 'NOTIFY', params: { name: 'Newer', channels: null, users: null, delay: null, isLastRule: null } },
    })
    const one = await app.gql<{ workflowRule: RuleData }>(
      bot,
      `query ($w: ID!, $r: ID!) { workflowRule(workflow: $w, rule: $r) { ${RULE} } }`,
      { w: id, r: added.id },
    )
    expect(one.data.workflowRule).toEqual(changed.data.updateWorkflowRule)
    expect((await deleteRule(admin, id, added.id)).errors).toBeUndefined()
    expect((await fetched(admin, id)).data.workflow.rules).toEqual([])
    expect((await deleteRule(admin, id, added.id)).errors?.[0]?.extensions.code).toBe('NOT_FOUND')
    expect((await updateRule(admin, id, 'none', {})).errors?.[0]?.extensions.code).toBe('NOT_FOUND')
  })

  it("are refused with the field's name, and then unchanged", async () => {
    const workflow = await made(admin, { rules: [rule({ name: 'Kept' })] })
    const ruleId = workflow.rules[0]!.id
    const prototype = JSON.parse('{"all": [{"__proto__": 1}]}') as object
    const refused: [Promise<{ errors?: { extensions: object }[] }>, string, string][] = [
      [createRule(admin, workflow.id, { ...rule(), conditions: { none: [] } }), 'BAD_USER_INPUT', 'conditions.none'],
      [createRule(admin, workflow.id, rule({}, { id: ruleId })), 'UNPROCESSABLE', 'id'],
      [createRule(admin, workflow.id, rule({ users: [rivalAdmin.id] })), 'NOT_FOUND', 'event.params.users[0]'],
      [updateRule(admin, workflow.id, ruleId, { priority: -1 }), 'BAD_USER_INPUT', 'priority'],
      [updateRule(admin, workflow.id, ruleId, { event: null }), 'BAD_USER_INPUT', 'event'],
      [
        updateRule(admin, workflow.id, ruleId, { conditions: prototype }),
        'BAD_USER_INPUT',
        'conditions.all[0].__proto__',
      ],
    ]
    for (const [answer, code, field] of refused) {
      expect((await answer).errors?.[0]?.extensions).toMatchObject({ code, field })
    }
    expect((await fetched(admin, workflow.id)).data.workflow).toEqual(workflow)
  })
})

describe('mock facts', () => {
  const facts = {
    message: { text: 'hello', touchpoint: 'web' },
    contact: { 'address.city': 'Utrecht' },
    context: { currentTime: 900 },
  }

  it('return the events of the rules that they trigger, in order of execution (4.5)', async () => {
    const conditions = { any: [{ fact: 'context', path: '.currentTime', operator: 'between', value: [800, 1700] }] }
    const { id, rules } = await made(admin, {
      rules: [
        rule({ name: 'delayed', delay: 10 }),
        rule({ name: 'low' }),
        rule({ name: 'high' }, { priority: 9, conditions }),
        rule({ name: 'never' }, { conditions: when('bye') }),
      ],
    })
    expect(names((await tried(admin, id, facts)).data.testWorkflow)).toEqual(['high', 'low', 'delayed'])
    expect(
      (await tried(admin, id, { message: { text: 'nothing' }, context: { currentTime: 2300 } })).data.testWorkflow,
    ).toEqual([])
    const single = (index: number, given: object) =>
      app.gql<{ testWorkflowRule: RuleData['event'][] }>(
        admin,
        `query ($w: ID!, $r: ID!, $f: JSONObject!) {
        testWorkflowRule(workflow: $w, rule: $r, facts: $f) { type params { name } }
      }`,
        { w: id, r: rules[index]?.id ?? id, f: given },
      )
    expect((await single(1, facts)).data.testWorkflowRule).toEqual([{ type: 'NOTIFY', params: { name: 'low' } }])
    expect((await single(3, facts)).data.testWorkflowRule).toEqual([])
    expect((await single(4, facts)).errors?.[0]?.extensions.code).toBe('NOT_FOUND')
  })

  it('are evaluated by json-rules-engine too, and say which rules it evaluates differently', async () => {
    const { id, rules } = await made(admin, { rules: [rule({ name: 'greets' }), rule({ name: 'waves' })] })
    const { explain } = ReferenceWorkflow.prototype
    const spied = jest.spyOn(ReferenceWorkflow.prototype, 'explain').mockImplementation(async function (
      this: ReferenceWorkflow,
      situation,
    ) {
      const all = await explain.call(this, situation)
      return all.map((each) => (each.rule.id === rules[1]!.id ? { ...each, matched: false } : each))
    })
    try {
      const { errors } = await tried(admin, id, facts)
      expect(errors?.[0]).toMatchObject({ extensions: { code: 'UNPROCESSABLE', rules: [rules[1]!.id] } })
      const { data } = await app.gql(
        admin,
        'query ($w: ID!, $f: JSONObject!) { explainWorkflow(workflow: $w, facts: $f) { rule { name } outcome reason } }',
        { w: id, f: facts },
      )
      expect(data.explainWorkflow).toMatchObject([
        { rule: { name: 'greets' }, outcome: 'FIRED', reason: expect.not.stringContaining('json-rules-engine') },
        { rule: { name: 'waves' }, outcome: 'FIRED', reason: expect.stringContaining('json-rules-engine evaluates') },
      ])
    } finally {
      spied.mockRestore()
    }
    expect(names((await tried(admin, id, facts)).data.testWorkflow)).toEqual(['greets', 'waves'])
  })

  it('run against the current rules', async () => {
    const { id, rules } = await made(admin, { rules: [rule({ name: 'greets' })] })
    expect(names((await tried(admin, id, facts)).data.testWorkflow)).toEqual(['greets'])
    await updateRule(admin, id, rules[0]!.id, { conditions: when('bye') })
    expect((await tried(admin, id, facts)).data.testWorkflow).toEqual([])
    await remove(admin, id)
    await made(admin, { id, rules: [rule({ name: 'reborn' })] })
    expect(names((await tried(admin, id, facts)).data.testWorkflow)).toEqual(['reborn'])
  })

  it('are explained rule by rule', async () => {
    const { id } = await made(admin, {
      name: 'Explained',
      rules: [
        rule({ name: 'last', channels: [sales], isLastRule: true }, { priority: 5 }),
        rule({ name: 'skipped' }),
        rule({ name: 'unmet' }, { priority: 8, conditions: when('bye') }),
      ],
    })
    const explain = async (offline: string[]) => {
      const { data } = await app.gql(
        admin,
        `query ($w: ID!, $f: JSONObject!, $o: [ID!]) { explainWorkflow(workflow: $w, facts: $f, offline: $o) {
          workflow { name } rule { name } outcome reason conditions { depth kind value factValue result } channelsNotified channelsOffline } }`,
        { w: id, f: facts, o: offline },
      )
      return data.explainWorkflow
    }
    expect(await explain([])).toMatchObject([
      {
        workflow: { name: 'Explained' },
        rule: { name: 'unmet' },
        outcome: 'NOT_MATCHED',
        conditions: [
          { depth: 0, kind: 'ALL', result: false },
          { depth: 1, kind: 'LEAF', factValue: 'hello', value: 'bye', result: false },
        ],
      },
      { rule: { name: 'last' }, outcome: 'FIRED', channelsNotified: [sales], channelsOffline: [] },
      { rule: { name: 'skipped' }, outcome: 'SKIPPED' },
    ])
    expect(await explain([sales])).toMatchObject([
      {},
      { outcome: 'FIRED', channelsNotified: [], channelsOffline: [sales] },
      { rule: { name: 'skipped' }, outcome: 'FIRED' },
    ])
  })

  it('are refused by name if they are invalid, and require an administrator', async () => {
    const { id } = await made(admin, { rules: [rule()] })
    for (const [given, field] of [
      [{ weather: {} }, 'weather'],
      [{ message: [] }, 'message'],
      [{ context: { currentTime: 2_460 } }, 'context.currentTime'],
    ] as const) {
      expect((await tried(admin, id, given)).errors?.[0]?.extensions).toMatchObject({ code: 'BAD_USER_INPUT', field })
    }
    expect((await tried(bot, id, {})).errors?.[0]?.extensions.code).toBe('FORBIDDEN')
  })
})

async function makeGroup({ id, path }: MadeOrganization, members: MadeOrganization[]): Promise<string> {
  const group = app.clock.newId()
  await app.server.database.query(
    `insert into organization_group (id, organization_id, org1, org2, org3, created_at, updated_at, name, members)
     values ($1, $2, $3, $4, $5, now(), now(), 'A group', $6)`,
    [group, id, path[0], path[1], path[2], members.map((member) => member.id)],
  )
  return group
}

describe('the workflows that run for an organization (3.4, 4.3)', () => {
  let top: MadeOrganization
  let middle: MadeOrganization
  let leaf: MadeOrganization
  let topAdmin: MadeUser
  let middleAdmin: MadeUser

  beforeAll(async () => {
    top = await app.makeOrganization({ name: 'Top' })
    middle = await app.makeOrganization({ parent: top, name: 'Middle' })
    leaf = await app.makeOrganization({ parent: middle, name: 'Leaf' })
    topAdmin = await app.makeUser({ organization: top, role: 'admin' })
    middleAdmin = await app.makeUser({ organization: middle, role: 'admin' })
    await app.server.database.query("update organization set tags = array['gold'] where id = $1", [leaf.id])
    const group = await makeGroup(top, [middle, leaf])
    const otherGroup = await makeGroup(top, [])
    const workflows: [string, MadeOrganization, object][] = [
      ['top for all', top, { organizations: [], organizationTags: [] }],
      ['top for middle', top, { organizations: [middle.id] }],
      ['top for gold', top, { organizationTags: ['gold', 'silver'] }],
      ['top for the group', top, { organizationTags: [group] }],
      ['top for another group', top, { organizationTags: [otherGroup, 'iron'] }],
      ['top for middle or gold', top, { organizations: [middle.id], organizationTags: ['gold'] }],
      ['middle for all', middle, {}],
      ['middle for itself', middle, { organizations: [middle.id] }],
      ['leaf for middle', leaf, { organizations: [middle.id] }],
    ]
    for (const [name, organization, limits] of workflows) {
      await made(topAdmin, { name, organization: organization.id, ...limits, rules: [rule({ name })] })
    }
    await made(owner, { name: 'of another tenant' })
  })

  async function running(as: MadeUser, organization: MadeOrganization) {
    const { data, errors } = await app.gql<{ organizationWorkflows: WorkflowData[] }>(
      as,
      `query ($id: ID!) { organizationWorkflows(organization: $id) { ${FIELDS} } }`,
      { id: organization.id },
    )
    expect(errors).toBeUndefined()
    return data.organizationWorkflows
  }

  // [3.4 rule 1 above, rule 1 by organizations, rule 1 by tags, rule 1 by groups] [2.7 organizationTags, organizations]
  // [2.5 members as a tag]
  it.each([
    [
      'leaf',
      () => leaf,
      [
        'leaf for middle',
        'middle for all',
        'top for all',
        'top for gold',
        'top for the group',
        'top for middle or gold',
      ],
    ],
    [
      'middle',
      () => middle,
      [
        'middle for all',
        'middle for itself',
        'top for all',
        'top for middle',
        'top for the group',
        'top for middle or gold',
      ],
    ],
    [
      'top',
      () => top,
      [
        'top for all',
        'top for middle',
        'top for gold',
        'top for the group',
        'top for another group',
        'top for middle or gold',
      ],
    ],
  ] as const)('%s: its own, and those above that do not exclude it, nearest first', async (_, of, expected) => {
    for (const as of [topAdmin, topAdmin]) {
      const workflows = await running(as, of())
      expect(workflows.map(({ name }) => name)).toEqual(expected)
      expect(workflows.map(({ rules }) => rules[0]!.event.params.name)).toEqual(expected)
    }
  })

  it('shows an administrator those of the organizations above, which are otherwise invisible', async () => {
    const workflows = await running(middleAdmin, middle)
    const above = workflows.find(({ name }) => name === 'top for all')!
    expect(above).toMatchObject({ organizationId: top.id, organization: null })
    expect((await fetched(middleAdmin, above.id)).errors?.[0]?.extensions.code).toBe('NOT_FOUND')
    const { data } = await app.gql(middleAdmin, '{ workflows(first: 100) { totalCount edges { node { name } } } }')
    expect(data.workflows.totalCount).toBe(3)
  })

  it('shows a change immediately', async () => {
    const before = (await running(topAdmin, leaf)).find(({ name }) => name === 'middle for all')!
    await updateRule(topAdmin, before.id, before.rules[0]!.id, { priority: 42 })
    const after = (await running(topAdmin, leaf)).find(({ id }) => id === before.id)!
    expect(after.rules[0]!.priority).toBe(42)
    await remove(topAdmin, before.id)
    expect((await running(topAdmin, leaf)).map(({ id }) => id)).not.toContain(before.id)
    await made(topAdmin, { id: before.id, name: 'again', organization: middle.id, rules: [rule({ name: 'again' })] })
    const again = (await running(topAdmin, leaf)).find(({ id }) => id === before.id)!
    expect(again.rules[0]!.event.params.name).toBe('again')
  })

  it('does not find an organization that the caller does not see', async () => {
    for (const id of [top.id, rival.id, 'none']) {
      const { errors } = await app.gql(middleAdmin, `{ organizationWorkflows(organization: "${id}") { id } }`)
      expect(errors?.[0]?.extensions.code).toBe('NOT_FOUND')
    }
  })

  it('reads the rules of a workflow once for each version, and again if they were evicted from the cache', async () => {
    const organization = { id: middle.id, path: middle.path, tags: [] }
    const plain = await applicableWorkflows(app.server.database, organization, app.clock.now())
    const runs = async (cache: WorkflowCache) => {
      let read = 0
      const sql: Sql = {
        async query<Row>(text: string, values?: readonly unknown[], name?: string) {
          const rows = await app.server.database.query<Row & { rules?: unknown }>(text, values, name)
          read += rows.filter(({ rules }) => rules !== null).length
          return rows
        },
      }
      expect(await applicableWorkflows(sql, organization, app.clock.now(), cache)).toEqual(plain)
      return read
    }
    const cache = new WorkflowCache()
    const changed = plain[1]!.workflow.id
    expect([await runs(cache), await runs(cache)]).toEqual([plain.length, 0])
    await app.server.database.query('update workflow set version = version + 1 where id = $1', [changed])
    plain.splice(0, plain.length, ...(await applicableWorkflows(app.server.database, organization, app.clock.now())))
    expect([await runs(cache), await runs(cache)]).toEqual([1, 0])
    const small = new WorkflowCache({ maxBytes: 300, maxOrganizations: 1 })
    expect(await runs(small)).toBe(plain.length)
    expect(small.size).toBeLessThan(3)
    expect(await runs(small)).toBeGreaterThan(0)
  })
})
