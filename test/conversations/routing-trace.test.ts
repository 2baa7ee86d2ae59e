import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals'
import type { Sql } from '../../src/platform/db/database.js'
import type { ApplicableWorkflow } from '../../src/modules/workflows/applicable-workflow.js'
import { readVersions, recordVersions } from '../../src/modules/workflows/workflow-versions.js'
import { rule, startConversationFixture, type ConversationFixture, type Shown } from './conversation-fixture.js'

let fixture: ConversationFixture
let workflow: string
beforeAll(async () => {
  fixture = await startConversationFixture()
})
afterAll(() => fixture.close())

const mentioned = (value: string): object => ({ fact: 'message', path: '.text', operator: 'match', value })
const mentions = (value: string): object => ({ conditions: { all: [mentioned(value)] } })
const rules = (): object[] => [
  {
    id: '0198c0de-0000-7000-8000-0000000000a1',
    ...rule({ name: 'boats', channels: [fixture.channel] }, mentions('boat')),
  },
  {
    id: '0198c0de-0000-7000-8000-0000000000a2',
    ...rule({ name: 'cars', channels: [fixture.channel] }, mentions('car')),
  },
]
const writeIn = (text: string): Promise<Shown> => fixture.create({ messages: [{ role: 'CONTACT', text }] })
const UPDATE = 'mutation ($id: ID!, $patch: UpdateWorkflowInput!) { updateWorkflow(id: $id, patch: $patch) { id } }'
const update = async (patch: object): Promise<void> => {
  expect(await fixture.run(fixture.admin, UPDATE, { id: workflow, patch })).not.toHaveProperty('code')
}
const count = async (table: string): Promise<number> =>
  (await fixture.server.database.query<{ count: number }>(`select count(*)::int as count from ${table}`))[0]!.count

beforeEach(async () => {
  await fixture.server.database.query('delete from workflow')
  await fixture.server.database.query('truncate workflow_version, workflow_version_rule')
  workflow = await fixture.makeWorkflow(rules())
})

describe('the trace of a queueing (3.4)', () => {
  it('shows the rules that ran, even after they were changed or deleted', async () => {
    const made = await writeIn('a boat')
    const asDecided = made.routingTrace
    expect(asDecided[0]!.entries).toMatchObject([
      {
        rule: { name: 'cars' },
        outcome: 'NOT_MATCHED',
        conditions: [{ kind: 'ALL' }, { depth: 1, value: 'car', factValue: 'a boat', result: false }],
      },
      {
        rule: { name: 'boats' },
        outcome: 'FIRED',
        conditions: [{ kind: 'ALL' }, { depth: 1, value: 'boat', factValue: 'a boat', result: true }],
      },
    ])
    const patch = { name: 'Renamed', rules: [rule({ name: 'all', channels: [] })] }
    await update(patch)
    expect((await fixture.show(made.id)).routingTrace).toEqual(asDecided)
    await fixture.run(fixture.admin, 'mutation ($id: ID!) { deleteWorkflow(id: $id) }', { id: workflow })
    expect((await fixture.show(made.id)).routingTrace).toEqual(asDecided)
  })

  it.each([0, -1, 51, 1_000])('is not read for %d queueings', async (first) => {
    const { id } = await writeIn('a boat')
    const query = `{ conversation(id: "${id}") { routingTrace(first: ${first}) { id } } }`
    const { errors } = await fixture.gql(fixture.admin, query)
    expect(errors).toMatchObject([
      { message: `first must be from 1 to 50, not ${first}`, extensions: { code: 'BAD_USER_INPUT', field: 'first' } },
    ])
  })

  it('stores only the version of the rules: once, and each unchanged rule once', async () => {
    const { id } = await writeIn('a boat')
    await writeIn('a car')
    const [decision] = await fixture.server.database.query<{ entries: { rule: object }[]; facts: object }>(
      'select entries, facts from routing_decision where conversation_id = $1',
      [id],
    )
    expect(decision).toMatchObject({
      entries: [{ rule: { name: 'boats' }, conditions: null }],
      facts: { 'message.text': 'a boat' },
    })
    expect([await count('workflow_version'), await count('workflow_version_rule')]).toEqual([1, 2])
    const [first, second] = rules()
    // A version that decides nothing is not kept.
    await update({ rules: [{ ...first, priority: 7 }, second] })
    await update({ rules: [{ ...first, priority: 8 }, second] })
    await writeIn('a car')
    // Its rules are those of the history.
    expect([await count('workflow_version'), await count('workflow_version_rule')]).toEqual([2, 4])
  })

  it('shows decisions of earlier releases as they were stored, with all facts of their rules', async () => {
    const { id } = await writeIn('a boat')
    const conditions = {
      all: [{ fact: 'message', path: '.text', operator: 'match', value: 'x', factValue: 'a boat', result: false }],
      result: false,
    }
    const entry = {
      workflow: { id: workflow, name: 'Old' },
      rule: { id: 'old', name: 'Old rule' },
      outcome: 'notMatched',
      reason: 'conditions not met',
      conditions,
      channelsNotified: [],
      channelsOffline: [],
      users: [],
    }
    await fixture.server.database.query(
      'update routing_decision set entries = $2, facts = null, workflows = null where conversation_id = $1',
      [id, JSON.stringify([entry])],
    )
    const { entries } = (await fixture.show(id)).routingTrace[0]!
    expect(entries).toMatchObject([
      {
        rule: { name: 'Old rule' },
        outcome: 'NOT_MATCHED',
        conditions: [
          { depth: 0, kind: 'ALL', result: false },
          { depth: 1, kind: 'LEAF', isFound: true, ...conditions.all[0] },
        ],
      },
    ])
  })
})

describe('unsaved rules', () => {
  const RULE = (value: string, channels: string[]): object => {
    const { id: _id, ...given } = rule({ name: value, channels }, mentions(value)) as Record<string, unknown>
    return given
  }

  it('are evaluated on the facts of a conversation without changing anything', async () => {
    const { id } = await writeIn('a boat with a sail')
    const facts = await fixture.run<Record<string, Record<string, unknown>>>(
      fixture.admin,
      'query ($id: ID!) { routingFacts(conversation: $id) }',
      { id },
    )
    expect(facts.value).toMatchObject({ message: { text: 'a boat with a sail' }, context: { process: 1 } })
    const EXPLAIN = `query ($id: ID!, $facts: JSONObject!, $rules: [WorkflowRuleInput!]) {
      explainWorkflow(workflow: $id, facts: $facts, rules: $rules) { outcome rule { name } } }`
    const tried = await fixture.run(fixture.admin, EXPLAIN, {
      id: workflow,
      facts: facts.value,
      rules: [RULE('sail', [fixture.channel])],
    })
    expect(tried.value).toEqual([{ outcome: 'FIRED', rule: { name: 'sail' } }])
    const foreign = [RULE('sail', ['0198c0de-0000-7000-8000-0000000000ff'])]
    expect((await fixture.run(fixture.admin, EXPLAIN, { id: workflow, facts: {}, rules: foreign })).code).toBe(
      'NOT_FOUND',
    )
    const stored = await fixture.run(fixture.admin, EXPLAIN, { id: workflow, facts: facts.value })
    expect(stored.value).toHaveLength(2)
  })

  it('are replayed for past queueings: the result lists changed targets and those without any', async () => {
    const since = fixture.clock.now()
    const [boat, car] = [await writeIn('a boat with a sail'), await writeIn('a car')]
    const other = await fixture.makeChannel('Sails')
    const REPLAY = `query ($id: ID!, $rules: [WorkflowRuleInput!]!, $since: DateTime!) {
      replayRules(workflow: $id, rules: $rules, since: $since) {
        replayed changed unreached isComplete
        changes { conversation before { channels } after { channels } } } }`
    const replayed = await fixture.run(fixture.admin, REPLAY, {
      id: workflow,
      rules: [RULE('sail', [other])],
      since: since.toISOString(),
    })
    expect(replayed.value).toEqual({
      replayed: 2,
      changed: 2,
      unreached: 1,
      isComplete: true,
      changes: [
        { conversation: car.id, before: { channels: [fixture.channel] }, after: { channels: [] } },
        { conversation: boat.id, before: { channels: [fixture.channel] }, after: { channels: [other] } },
      ],
    })
    const unknown = await fixture.run(
      fixture.admin,
      `query ($id: ID!, $rules: [WorkflowRuleInput!]!, $since: DateTime!) {
        replayRules(workflow: $id, rules: $rules, since: $since) {
          replayed changed unreached unknown changes { conversation } unknowns { conversation name facts lacksRules } } }`,
      {
        id: workflow,
        rules: [
          rule(
            { name: 'boats of VIPs', channels: [other] },
            { conditions: { all: [mentioned('boat'), { ...mentioned('VIP'), fact: 'contact', path: '.meta.kind' }] } },
          ),
          rule({ name: 'cars', channels: [fixture.channel] }, mentions('car')),
        ],
        since: since.toISOString(),
      },
    )
    // Whoever had no boat is no matter of the kind of contact.
    expect(unknown.value).toEqual({
      ...{ replayed: 2, changed: 0, unreached: 0, unknown: 1, changes: [] },
      unknowns: [{ conversation: boat.id, name: boat.name, facts: ['contact.meta.kind'], lacksRules: false }],
    })
    const long = new Date(since.getTime() - 40 * 86_400_000).toISOString()
    expect((await fixture.run(fixture.admin, REPLAY, { id: workflow, rules: [], since: long })).code).toBe(
      'BAD_USER_INPUT',
    )
    expect((await fixture.run(fixture.ann, REPLAY, { id: workflow, rules: [], since: long })).code).toBe('FORBIDDEN')
  })
})

describe('unsaved rules that are those which ran', () => {
  it('change none of hundreds of recorded decisions, whatever became of the facts since', async () => {
    const since = fixture.clock.now()
    const facts = ['.text', '.touchpoint'].map((path) => ({ ...mentioned('a'), path }))
    const kinds = ['boat', 'car', 'sail', 'oar'].map((word, index) =>
      rule(
        {
          name: word,
          channels: index % 2 ? [fixture.channel] : [],
          isLastRule: index === 1,
          delay: index === 3 ? 60 : 0,
        },
        {
          priority: index + 1,
          conditions: {
            any: [
              { all: [mentioned(word), facts[index % 2]] },
              { all: [{ ...mentioned(word), fact: 'contact', path: '.meta.wants' }] },
            ],
          },
        },
      ),
    )
    await update({ rules: kinds })
    const words = ['boat', 'car', 'sail', 'oar', 'tree']
    const made = await Promise.all(
      Array.from({ length: 300 }, (_, index) =>
        writeIn(words.filter((_word, at) => (index >> at) & 1).join(' ') || 'nothing'),
      ),
    )
    await fixture.server.database.query(`update contact set meta = '{"wants": "car oar"}'`)
    const stored = await fixture.run<{ rules: { id: string }[] }>(
      fixture.admin,
      'query ($id: ID!) { workflow(id: $id) { rules { id } } }',
      { id: workflow },
    )
    const rules = kinds.map((each, index) => ({ ...each, id: stored.value.rules[index]!.id }))
    const replayed = await fixture.run(
      fixture.admin,
      `query ($id: ID!, $rules: [WorkflowRuleInput!]!, $since: DateTime!) {
        replayRules(workflow: $id, rules: $rules, since: $since) { replayed changed unreached unknown isComplete } }`,
      { id: workflow, rules, since: since.toISOString() },
    )
    expect(replayed.value).toEqual({ replayed: made.length, changed: 0, unreached: 0, unknown: 0, isComplete: true })
  })
})

describe('recordVersions', () => {
  const version = (id: string): ApplicableWorkflow => ({
    workflow: {
      id,
      name: 'W',
      version: '1@0',
      rules: [{ id: 'r', conditions: { all: [] }, event: { type: 'notify', params: {} }, priority: 1 }],
    },
    organizationId: fixture.organization.id,
    nearness: 0,
    isRecorded: false,
    record: {} as never,
  })

  it('lets two nodes store the same versions concurrently, in any order', async () => {
    const ids = ['0198c0de-0000-7000-8000-000000000001', '0198c0de-0000-7000-8000-000000000002']
    const { database } = fixture.server
    const record = (order: string[]) =>
      database.sqlTransaction((sql: Sql) => recordVersions(sql, order.map(version), new Date()))
    await Promise.all(Array.from({ length: 8 }, (_, index) => record(index % 2 === 0 ? ids : ids.toReversed())))
    const kept = await readVersions(
      database,
      ids.map((id) => ({ id, version: '1@0' })),
    )
    expect(kept.map(({ id, rules: [only] }) => [id, only?.id]).toSorted()).toEqual(ids.map((id) => [id, 'r']))
  })
})
