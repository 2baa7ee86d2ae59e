import { afterAll, beforeAll, expect, test } from '@jest/globals'
import {
  rule,
  startConversationFixture,
  until,
  type ConversationFixture,
} from '../conversations/conversation-fixture.js'
import type { MadeUser } from '../support/factories.js'
import { liveClient, subscribe } from '../support/live-client.js'
import { startTestServer, type TestServer } from '../support/test-server.js'

/** The longest staleness of these caches, see docs/architecture/caches.md. */
const STALE_MS_MAX = 2_000

/** Two nodes without Redis. The quiet one has used its caches, and then had nothing to do while the other one changed all. */
let busy: ConversationFixture
let quiet: TestServer
beforeAll(async () => {
  busy = await startConversationFixture()
  quiet = await startTestServer({ DATABASE_URL: busy.databaseUrl })
})
afterAll(async () => {
  await quiet.close()
  await busy.close()
})

const CREATE = `mutation ($input: CreateConversationInput!) { createConversation(input: $input) {
  id channels channelsOffline clocks { clock startedAt dueAt } } }`

async function onQuiet<T>(as: MadeUser, query: string, variables = {}): Promise<T> {
  const { data, errors } = await quiet.gql(as, query, variables)
  expect(errors).toBeUndefined()
  return Object.values(data as Record<string, T>)[0]!
}

async function onBusy<T = { id: string }>(query: string, variables: Record<string, unknown>): Promise<T> {
  const { value, message } = await busy.run<T>(busy.admin, query, variables)
  expect(message).toBeUndefined()
  return value
}

interface Clock {
  startedAt: string
  dueAt: string
}

const minutesOf = ({ clocks: [clock] }: { clocks: Clock[] }): number =>
  (Date.parse(clock!.dueAt) - Date.parse(clock!.startedAt)) / 60_000

let contacts = 0
const wait = (): Promise<{ id: string; channels: string[]; channelsOffline: string[]; clocks: Clock[] }> =>
  onQuiet(busy.bot, CREATE, {
    input: {
      contact: { profile: { name: 'Carl', email: `carl-${contacts++}@example.com` } },
      touchpoint: 'WEB',
      messages: [{ role: 'CONTACT', text: 'hello' }],
    },
  })

/** Lets the age of what the quiet node knows pass its bound: it does nothing meanwhile. */
const pause = async (): Promise<void> => {
  const since = performance.now()
  await until(
    () => Promise.resolve(performance.now() - since),
    (ms) => ms > STALE_MS_MAX,
  )
}

test('the first SLA policy, a changed one and a changed schedule apply to the next case on a quiet node', async () => {
  expect((await wait()).clocks).toEqual([])
  const schedule = await onBusy('mutation ($input: CreateScheduleInput!) { createSchedule(input: $input) { id } }', {
    input: {
      name: 'Always',
      timezone: 'UTC',
      spans: [{ days: ['MON', 'TUE', 'WED', 'THU', 'FRI', 'SAT', 'SUN'], opens: '00:00', closes: '24:00' }],
    },
  })
  const targets = (minutes: number): object[] => [{ clock: 'QUEUE', minutes }]
  const policy = await onBusy('mutation ($input: CreateSlaPolicyInput!) { createSlaPolicy(input: $input) { id } }', {
    input: { name: 'Standard', targets: targets(10) },
  })
  await pause()
  expect(minutesOf(await wait())).toBe(10)
  // Versions are in the key: what has changed is read anew, however soon.
  await onBusy(
    'mutation ($id: ID!, $patch: UpdateSlaPolicyInput!) { updateSlaPolicy(id: $id, patch: $patch) { id } }',
    {
      id: policy.id,
      patch: { targets: targets(60), schedule: schedule.id },
    },
  )
  expect(minutesOf(await wait())).toBe(60)
  const shut = new Date(Date.now() - 86_400_000).toISOString().slice(0, 10)
  const until = new Date(Date.now() + 5 * 86_400_000).toISOString().slice(0, 10)
  await onBusy('mutation ($id: ID!, $patch: UpdateScheduleInput!) { updateSchedule(id: $id, patch: $patch) { id } }', {
    id: schedule.id,
    patch: { exceptions: [{ firstDay: shut, lastDay: until, spans: [] }] },
  })
  expect(minutesOf(await wait())).toBeGreaterThan(4 * 1_440)
  await onBusy('mutation ($id: ID!) { deleteSlaPolicy(id: $id) }', { id: policy.id })
  expect((await wait()).clocks).toEqual([])
})

test('changed rules of a workflow route the next conversation on a quiet node', async () => {
  const [one, other] = [await busy.makeChannel('One'), await busy.makeChannel('Other')]
  const id = await busy.makeWorkflow([rule({ channels: [one] })])
  expect((await wait()).channelsOffline).toEqual([one])
  await onBusy('mutation ($id: ID!, $patch: UpdateWorkflowInput!) { updateWorkflow(id: $id, patch: $patch) { id } }', {
    id,
    patch: { rules: [rule({ channels: [other] })] },
  })
  expect((await wait()).channelsOffline).toEqual([other])
  await onBusy('mutation ($id: ID!) { deleteWorkflow(id: $id) }', { id })
})

test('the first channel that limits how many its agents accept does so on a quiet node', async () => {
  const agent = await busy.makeAgent()
  const channel = await busy.makeChannel('Limited', [agent])
  await busy.makeWorkflow([rule({ channels: [channel] })])
  const conversations = [await wait(), await wait()]
  expect(conversations.map(({ channelsOffline }) => channelsOffline)).toEqual([[channel], [channel]])
  await onBusy('mutation ($id: ID!, $patch: UpdateChannelInput!) { updateChannel(id: $id, patch: $patch) { id } }', {
    id: channel,
    patch: { assignment: { limitPulls: true } },
  })
  await onBusy(
    'mutation ($user: ID!, $patch: UpdateStaffInput!) { updateStaff(user: $user, patch: $patch) { user { id } } }',
    {
      user: agent.id,
      patch: { capacity: 4 },
    },
  )
  await pause()
  const ACCEPT = 'mutation ($id: ID!) { acceptConversation(conversation: $id) { id } }'
  const outcomes = []
  for (const { id } of conversations)
    outcomes.push((await quiet.gql(agent, ACCEPT, { id })).errors?.[0]?.extensions.code)
  expect(outcomes).toEqual([undefined, 'UNPROCESSABLE'])
})

test('a user that was archived is refused on a quiet node after 2 s', async () => {
  const gone = await busy.makeAgent()
  const token = await busy.tokenFor(gone)
  const ME = '{ me { id } }'
  expect((await quiet.gql(token, ME)).errors).toBeUndefined()
  const UPDATE = 'mutation ($id: ID!, $patch: UpdateUserInput!) { updateUser(id: $id, patch: $patch) { id } }'
  await onBusy(UPDATE, { id: gone.id, patch: { status: 'ARCHIVED' } })
  await pause()
  expect((await quiet.gql(token, ME)).errors?.[0]?.extensions.code).toBe('UNAUTHENTICATED')
})

test("a user's new name is in live events of a quiet node after 2 s", async () => {
  const agent = await busy.makeAgent({ displayName: 'Before' })
  const { id } = await busy.create()
  const live = subscribe<{ __typename: string; message?: { user: { displayName: string } } }>(
    liveClient(quiet.url, await busy.tokenFor(busy.ann)),
    'conversation',
    `subscription { conversation(id: "${id}") { __typename ... on MessageAdded { message { user { displayName } } } } }`,
  )
  await live.next()
  const nameOfNext = async (): Promise<string | undefined> => {
    await busy.send(agent, id, { role: 'AGENT', text: `hello ${Math.random()}` })
    return (await live.next(({ __typename }) => __typename === 'MessageAdded')).message?.user.displayName
  }
  expect(await nameOfNext()).toBe('Before')
  await onBusy('mutation ($id: ID!, $patch: UpdateUserInput!) { updateUser(id: $id, patch: $patch) { id } }', {
    id: agent.id,
    patch: { displayName: 'After' },
  })
  await pause()
  expect(await nameOfNext()).toBe('After')
})
