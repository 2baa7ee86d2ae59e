import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { startConversationFixture, type ConversationFixture } from '../conversations/conversation-fixture.js'
import { recordStatements } from '../support/record-statements.js'
import { startTestServer, type TestServer } from '../support/test-server.js'

const HOUR_MS = 3_600_000
const DAYS = ['MON', 'TUE', 'WED', 'THU', 'FRI', 'SAT', 'SUN']
const CREATE = `mutation ($input: CreateConversationInput!) { createConversation(input: $input) { id channels channelsOffline clocks { clock } } }`

let fixture: ConversationFixture
let other: TestServer
let day: string
let night: string
beforeAll(async () => {
  fixture = await startConversationFixture()
  other = await startTestServer({}, { beside: fixture })
  day = await fixture.makeChannel('Day', [fixture.ann])
  night = await fixture.makeChannel('Night', [fixture.ben])
})
afterAll(async () => {
  await other.close()
  await fixture.close()
})

async function must<T>(query: string, variables: Record<string, unknown>): Promise<T> {
  const { value, message } = await fixture.run<T>(fixture.admin, query, variables)
  expect(message).toBeUndefined()
  return value
}

/** Hours of a schedule that is open from an hour before now until an hour after it. */
const around = (shiftHours: number): object => {
  const text = (ms: number): string => new Date(ms).toISOString().slice(11, 16)
  const now = fixture.clock.now().getTime() + shiftHours * HOUR_MS
  return { timezone: 'UTC', spans: [{ days: DAYS, opens: text(now - HOUR_MS), closes: text(now + HOUR_MS) }] }
}
const schedule = async (name: string, hours: object, organization?: string): Promise<string> =>
  (
    await must<{ id: string }>('mutation ($input: CreateScheduleInput!) { createSchedule(input: $input) { id } }', {
      input: { name, ...hours, organization },
    })
  ).id
const isOpen = (key: string, value = true): object => ({
  all: [{ fact: 'context', path: `.schedules.${key}.isOpen`, operator: 'equal', value }],
})
const rules = (key: string): object[] => [
  { conditions: isOpen(key), event: { type: 'notify', params: { channels: [day] } } },
  { conditions: isOpen(key, false), event: { type: 'notify', params: { channels: [night] } } },
]
let contacts = 0
async function routed(node: TestServer = fixture, more: object = {}): Promise<string[]> {
  const { data, errors } = await node.gql(fixture.bot, CREATE, {
    input: {
      contact: { profile: { name: 'Carl', email: `carl-${contacts++}@example.com` } },
      touchpoint: 'WEB',
      messages: [{ role: 'CONTACT', text: 'hello' }],
      ...more,
    },
  })
  expect(errors).toBeUndefined()
  const { channels, channelsOffline } = data.createConversation as { channels: string[]; channelsOffline: string[] }
  return [...channels, ...channelsOffline]
}

describe('whether a schedule is open', () => {
  it('is a fact of rules by its id, as it is at that time and as it is changed, on every node', async () => {
    const id = await schedule('Office', around(0))
    const workflow = await fixture.makeWorkflow(rules(id))
    expect(await routed()).toEqual([day])
    expect(await routed(other)).toEqual([day])
    const exceptions = [
      {
        firstDay: new Date(fixture.clock.now().getTime() - 24 * HOUR_MS).toISOString().slice(0, 10),
        lastDay: new Date(fixture.clock.now().getTime() + 24 * HOUR_MS).toISOString().slice(0, 10),
      },
    ]
    const update = 'mutation ($id: ID!, $patch: UpdateScheduleInput!) { updateSchedule(id: $id, patch: $patch) { id } }'
    await must(update, { id, patch: { exceptions } })
    expect(await routed(other)).toEqual([night])
    expect(await routed()).toEqual([night])
    await must(update, { id, patch: { exceptions: [] } })
    fixture.clock.advance(2 * HOUR_MS)
    expect(await routed(other)).toEqual([night])
    await must('mutation ($id: ID!) { deleteWorkflow(id: $id) }', { id: workflow })
  })

  it('is one by its name, of which the nearest organization’s counts, and is in the trace', async () => {
    const customer = await fixture.makeOrganization({ parent: fixture.organization })
    await schedule('Front desk v1.2', around(5))
    const own = await schedule('Front desk v1.2', around(0), customer.id)
    const workflow = await fixture.makeWorkflow(rules('Front desk v1.2'))
    expect(await routed()).toEqual([night])
    const bot = await fixture.makeUser({ organization: fixture.organization, role: 'bot' })
    const { value } = await fixture.tryCreate(
      {
        ...{ organization: customer.id, touchpoint: 'WEB', messages: [{ role: 'CONTACT', text: 'hello' }] },
        contact: { profile: { name: 'Carl', email: 'carl-of-customer@example.com' } },
      },
      bot,
    )
    expect([...value.channels, ...value.channelsOffline]).toEqual([day])
    const [trace] = (await fixture.show(value.id, fixture.admin)).routingTrace
    expect(trace!.entries.flatMap(({ conditions }) => conditions ?? [])).toContainEqual(
      expect.objectContaining({
        path: '.schedules.Front desk v1.2.isOpen',
        isFound: true,
        factValue: true,
        result: true,
      }),
    )
    // Neither the schedules of another customer nor those below are facts.
    const foreign = rules(own)
    await must('mutation ($id: ID!, $patch: UpdateWorkflowInput!) { updateWorkflow(id: $id, patch: $patch) { id } }', {
      id: workflow,
      patch: { rules: foreign },
    })
    expect(await routed()).toEqual([])
    await must('mutation ($id: ID!) { deleteWorkflow(id: $id) }', { id: workflow })
  })

  it('is one of SLA policies, and of rules that are tried and replayed', async () => {
    const id = await schedule('Support', around(0))
    const policy = await must<{ id: string }>(
      'mutation ($input: CreateSlaPolicyInput!) { createSlaPolicy(input: $input) { id } }',
      { input: { name: 'In hours', conditions: isOpen(id), targets: [{ clock: 'QUEUE', minutes: 5 }] } },
    )
    const since = new Date(fixture.clock.now().getTime() - 1_000).toISOString()
    const workflow = await fixture.makeWorkflow([
      { conditions: { all: [] }, event: { type: 'notify', params: { channels: [night] } } },
    ])
    const { id: conversation } = await fixture.create({ messages: [{ role: 'CONTACT', text: 'hello' }] })
    const clocks = async (of: string): Promise<string[]> =>
      (
        await must<{ clocks: { clock: string }[] }>('query ($id: ID!) { conversation(id: $id) { clocks { clock } } }', {
          id: of,
        })
      ).clocks.map(({ clock }) => clock)
    expect(await clocks(conversation)).toEqual(['QUEUE'])
    const facts = await must<{ context: { schedules: Record<string, { isOpen: boolean }> } }>(
      'query ($conversation: ID!) { routingFacts(conversation: $conversation) }',
      { conversation },
    )
    expect(facts.context.schedules[id]).toEqual({ isOpen: true })
    expect(facts.context.schedules.Support).toEqual({ isOpen: true })
    const REPLAY = `query ($id: ID!, $rules: [WorkflowRuleInput!]!, $since: DateTime!) {
      replayRules(workflow: $id, rules: $rules, since: $since) { replayed changed unknown unknowns { facts } } }`
    // Nobody asked then whether it was open: it may have had other hours.
    expect(await must(REPLAY, { id: workflow, rules: rules(id), since })).toEqual({
      ...{ replayed: 1, changed: 0, unknown: 1 },
      unknowns: [{ facts: [`context.schedules.${id}.isOpen`] }],
    })
    fixture.clock.advance(2 * HOUR_MS)
    expect(await clocks((await fixture.create()).id)).toEqual([])
    await must('mutation ($id: ID!) { deleteSlaPolicy(id: $id) }', { id: policy.id })
  })

  it('costs conversations nothing whose rules do not ask', async () => {
    await fixture.makeWorkflow([{ conditions: { all: [] }, event: { type: 'notify', params: { channels: [day] } } }])
    const { statements, stop } = recordStatements()
    await fixture.create()
    stop()
    expect(statements.filter((text) => text.includes('from schedule '))).toEqual([])
  })
})
