import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import pino from 'pino'
import { readEvents } from '../../src/platform/events/streams.js'
import { AbsenceWatch, GONE_SECONDS } from '../../src/modules/staffing/absence.js'
import { Context } from '../../src/platform/context.js'
import type { Clock } from '../../src/platform/db/clock.js'
import { EVERY_TENANT } from '../../src/platform/db/tenancy.js'
import { FairQueue } from '../../src/platform/fairness/fair-queue.js'
import { writeLimits } from '../../src/platform/fairness/shares.js'
import { createTransact } from '../../src/platform/events/transact.js'
import type { MadeOrganization, MadeUser } from '../support/factories.js'
import { liveClient, subscribe } from '../support/live-client.js'
import { startTestServer, type TestServer } from '../support/test-server.js'
import { until } from '../support/until.js'

let app: TestServer
let center: MadeOrganization
let customer: MadeOrganization
let admin: MadeUser
let ann: MadeUser
let ben: MadeUser
let foreign: MadeUser
let channel: string

const STATE = 'userId availability reason since capacity load skills { name } user { displayName }'
const SET = `mutation ($availability: Availability!, $reason: String, $user: ID) {
  setAvailability(availability: $availability, reason: $reason, user: $user) { ${STATE} }
}`
const UPDATE = `mutation ($user: ID!, $patch: UpdateStaffInput!) { updateStaff(user: $user, patch: $patch) { ${STATE} } }`
const CREATE_SKILL = 'mutation ($input: CreateSkillInput!) { createSkill(input: $input) { id name organizationId } }'
const DELETE_SKILL = 'mutation ($id: ID!) { deleteSkill(id: $id) }'
const STATES = `query ($channels: [ID!]) { agentStates(channels: $channels) { ${STATE} } }`
const OWN = `{ agentState { ${STATE} } }`

beforeAll(async () => {
  app = await startTestServer()
  center = await app.makeOrganization({ name: 'Center' })
  customer = await app.makeOrganization({ parent: center, name: 'Customer' })
  admin = await app.makeUser({ organization: center, role: 'admin' })
  ann = await app.makeUser({ organization: customer, displayName: 'Ann' })
  ben = await app.makeUser({ organization: center, displayName: 'Ben' })
  foreign = await app.makeUser({ organization: await app.makeOrganization({ name: 'Elsewhere' }), role: 'admin' })
  const { data } = await app.gql(
    admin,
    'mutation ($input: CreateChannelInput!) { createChannel(input: $input) { id } }',
    { input: { name: 'Sales', organization: customer.id, members: [{ user: ann.id }, { user: ben.id }] } },
  )
  channel = data.createChannel.id as string
})
afterAll(() => app.close())

async function refusal(caller: MadeUser, query: string, variables: object): Promise<object | undefined> {
  const { errors } = await app.gql(caller, query, { ...variables })
  const { message, extensions } = errors?.[0] ?? {}
  return errors && { code: extensions?.code, field: extensions?.field, message }
}

const eventsOf = async (stream: string, type: string) =>
  (await readEvents(app.server.database, stream, 0, 1_000)).filter((event) => event.type === type)

describe('availability', () => {
  it('is offline before it is set, and independent of the status of the user', async () => {
    expect((await app.gql(ann, OWN)).data.agentState).toEqual({
      userId: ann.id,
      availability: 'OFFLINE',
      reason: null,
      since: null,
      capacity: 12,
      load: 0,
      skills: [],
      user: { displayName: 'Ann' },
    })
  })

  it('is set by the agent, with an event for the organization, the agent and its channels', async () => {
    const { data } = await app.gql(ann, SET, { availability: 'AWAY', reason: ' Lunch ' })
    expect(data.setAvailability).toMatchObject({ availability: 'AWAY', reason: 'Lunch' })
    expect((await eventsOf(`organization:${customer.id}`, 'availability.changed')).at(-1)?.data).toMatchObject({
      id: ann.id,
      previous: 'offline',
      availability: 'away',
      reason: 'Lunch',
    })
    for (const stream of [`user:${ann.id}`, `channel:${channel}`])
      expect((await eventsOf(stream, 'agent.changed')).at(-1)?.data).toMatchObject({
        agent: { userId: ann.id, availability: 'away' },
      })
  })

  it('says nothing when it is set to what it is', async () => {
    const before = await eventsOf(`organization:${customer.id}`, 'availability.changed')
    const { data } = await app.gql(ann, SET, { availability: 'AWAY', reason: 'Lunch' })
    expect(data.setAvailability.availability).toBe('AWAY')
    expect(await eventsOf(`organization:${customer.id}`, 'availability.changed')).toHaveLength(before.length)
  })

  it('refuses what only the server finds, and reasons without an absence', async () => {
    expect(await refusal(ann, SET, { availability: 'NOT_RESPONDING' })).toMatchObject({
      code: 'BAD_USER_INPUT',
      field: 'availability',
    })
    expect(await refusal(ann, SET, { availability: 'AVAILABLE', reason: 'x' })).toMatchObject({ field: 'reason' })
    expect(await refusal(ann, SET, { availability: 'AWAY', reason: 'x'.repeat(201) })).toMatchObject({
      field: 'reason',
    })
  })

  it('of others is set by administrators of their organization', async () => {
    expect(await refusal(ann, SET, { availability: 'BUSY', user: ben.id })).toMatchObject({ code: 'FORBIDDEN' })
    expect(await refusal(foreign, SET, { availability: 'BUSY', user: ann.id })).toMatchObject({ code: 'NOT_FOUND' })
    const { data } = await app.gql(admin, SET, { availability: 'BUSY', user: ann.id })
    expect(data.setAvailability).toMatchObject({ userId: ann.id, availability: 'BUSY' })
  })

  it('of the members of her channels is read and set by a supervisor, of nobody else', async () => {
    const [sue, own] = [
      await app.makeUser({ organization: customer, displayName: 'Sue' }),
      await app.makeUser({ organization: center, displayName: 'Own' }),
    ]
    const create = 'mutation ($input: CreateChannelInput!) { createChannel(input: $input) { id } }'
    const members = [{ user: sue.id, supervisor: true }, { user: own.id }]
    const input = { name: 'Supervised', organization: customer.id, members }
    expect((await app.gql(admin, create, { input })).errors).toBeUndefined()
    const { data } = await app.gql(sue, SET, { availability: 'AWAY', reason: 'Fire drill', user: own.id })
    expect(data.setAvailability).toMatchObject({ userId: own.id, availability: 'AWAY', reason: 'Fire drill' })
    const read = `query ($user: ID) { agentState(user: $user) { ${STATE} } }`
    expect((await app.gql(sue, read, { user: own.id })).data.agentState).toMatchObject({ availability: 'AWAY' })
    for (const user of [ann.id, foreign.id]) {
      expect(await refusal(sue, SET, { availability: 'BUSY', user })).toMatchObject({ code: 'FORBIDDEN' })
      expect(await refusal(sue, read, { user })).toMatchObject({ code: 'FORBIDDEN' })
    }
    expect(await refusal(own, read, { user: sue.id })).toMatchObject({ code: 'FORBIDDEN' })
    expect(await refusal(sue, UPDATE, { user: own.id, patch: { capacity: 1 } })).toMatchObject({ code: 'FORBIDDEN' })
  })

  it('of a channel’s members is shown to members and administrators', async () => {
    const { data } = await app.gql(ann, STATES, {})
    expect(data.agentStates.map(({ userId }: { userId: string }) => userId)).toEqual([ann.id, ben.id].toSorted())
    expect((await app.gql(admin, STATES, { channels: [channel] })).data.agentStates).toHaveLength(2)
    expect(await refusal(foreign, STATES, { channels: [channel] })).toMatchObject({ code: 'NOT_FOUND' })
  })

  it('is shown live: a snapshot with its events equals the state fetched anew', async () => {
    const client = liveClient(app.url, await app.tokenFor(ben))
    const live = subscribe<{ __typename: string; agents?: object[]; agent?: { userId: string } }>(
      client,
      'agentStates',
      `subscription { agentStates { __typename ... on AgentStatesSnapshot { agents { ${STATE} } }
        ... on AgentStateChanged { agent { ${STATE} } } } }`,
    )
    const { agents } = await live.next()
    await app.gql(ann, SET, { availability: 'AVAILABLE' })
    const { agent } = await live.next()
    await client.dispose()
    const rebuilt = (agents as { userId: string }[]).map((each) => (each.userId === agent!.userId ? agent : each))
    expect(rebuilt).toEqual((await app.gql(ben, STATES, {})).data.agentStates)
  })

  it('is shown to the agent’s other screens by the inbox', async () => {
    const client = liveClient(app.url, await app.tokenFor(ann))
    const live = subscribe<{ __typename: string; agent?: object }>(
      client,
      'inbox',
      'subscription { inbox { __typename ... on AgentStateChanged { agent { availability capacity } } } }',
    )
    await live.next()
    await app.gql(admin, UPDATE, { user: ann.id, patch: { capacity: 9 } })
    expect(await live.next()).toEqual({
      __typename: 'AgentStateChanged',
      agent: { availability: 'AVAILABLE', capacity: 9 },
    })
    await client.dispose()
  })
})

describe('capacity and skills', () => {
  it('are set by administrators, in bounds', async () => {
    const { data: made } = await app.gql(admin, CREATE_SKILL, { input: { name: 'Dutch' } })
    const skill = made.createSkill.id as string
    const { data } = await app.gql(admin, UPDATE, { user: ben.id, patch: { capacity: 1_000, skills: [skill, skill] } })
    expect(data.updateStaff).toMatchObject({ capacity: 1_000, skills: [{ name: 'Dutch' }] })
    expect((await eventsOf(`organization:${center.id}`, 'staff.updated')).at(-1)?.data).toEqual({
      id: ben.id,
      organization: center.id,
      capacity: 1_000,
      skills: [skill],
    })
    for (const capacity of [-1, 1_001])
      expect(await refusal(admin, UPDATE, { user: ben.id, patch: { capacity } })).toMatchObject({
        code: 'BAD_USER_INPUT',
        field: 'capacity',
      })
    expect(await refusal(ann, UPDATE, { user: ann.id, patch: { capacity: 99 } })).toMatchObject({ code: 'FORBIDDEN' })
    expect(await refusal(foreign, UPDATE, { user: ben.id, patch: { capacity: 99 } })).toMatchObject({
      code: 'NOT_FOUND',
    })
  })

  it('refuses a skill of another tenant', async () => {
    const { data } = await app.gql(foreign, CREATE_SKILL, { input: { name: 'Theirs' } })
    const skills = [data.createSkill.id]
    expect(await refusal(admin, UPDATE, { user: ben.id, patch: { skills } })).toMatchObject({
      code: 'NOT_FOUND',
      field: 'skills[0]',
    })
  })

  it('keep a skill that somebody has from being deleted', async () => {
    const { data } = await app.gql(admin, CREATE_SKILL, { input: { name: 'Billing' } })
    const id = data.createSkill.id as string
    await app.gql(admin, UPDATE, { user: ben.id, patch: { skills: [id] } })
    expect(await refusal(admin, DELETE_SKILL, { id })).toMatchObject({
      code: 'UNPROCESSABLE',
      message: `skill ${id} is in use: 1 user has it; take it from them first`,
    })
    await app.gql(admin, UPDATE, { user: ben.id, patch: { skills: null } })
    expect((await app.gql(admin, DELETE_SKILL, { id })).errors).toBeUndefined()
  })

  it('keep their names to those who see the workflow that asks for a skill', async () => {
    const below = await app.makeUser({ organization: customer, role: 'admin' })
    const { data } = await app.gql(below, CREATE_SKILL, { input: { name: 'Tax' } })
    const id = data.createSkill.id as string
    const rules = [
      {
        conditions: { all: [] },
        event: { type: 'notify', params: { channels: [channel], skills: [id] } },
      },
    ]
    const workflow = await app.gql(
      admin,
      'mutation ($input: CreateWorkflowInput!) { createWorkflow(input: $input) { id } }',
      { input: { name: 'Plans of the center', rules } },
    )
    expect(workflow.errors).toBeUndefined()
    const workflowId = workflow.data.createWorkflow.id as string
    const told = await refusal(below, DELETE_SKILL, { id })
    expect(told).toMatchObject({ code: 'UNPROCESSABLE' })
    expect(JSON.stringify(told)).not.toMatch(new RegExp(`Plans|${workflowId}`))
    expect(await refusal(admin, DELETE_SKILL, { id })).toMatchObject({
      code: 'UNPROCESSABLE',
      message: `skill ${id} is in use: the workflow "Plans of the center" asks for it`,
    })
  })

  it('race the deletion of a skill: either it is refused, or the skill is not found', async () => {
    for (let round = 0; round < 10; round++) {
      const { data } = await app.gql(admin, CREATE_SKILL, { input: { name: `Race ${round}` } })
      const id = data.createSkill.id as string
      const outcomes = await Promise.all([
        refusal(admin, UPDATE, { user: ben.id, patch: { skills: [id] } }),
        refusal(admin, DELETE_SKILL, { id }),
      ])
      const codes = outcomes.map((outcome) => (outcome as { code?: string } | undefined)?.code)
      expect([
        [undefined, 'UNPROCESSABLE'],
        ['NOT_FOUND', undefined],
      ]).toContainEqual(codes)
    }
  })

  it('have names of their own in each organization', async () => {
    const input = { name: 'French' }
    await app.gql(admin, CREATE_SKILL, { input })
    expect(await refusal(admin, CREATE_SKILL, { input: { name: 'FRENCH' } })).toMatchObject({ code: 'UNPROCESSABLE' })
    expect(await refusal(admin, CREATE_SKILL, { input: { ...input, organization: customer.id } })).toBeUndefined()
  })
})

describe('the load', () => {
  it('is counted by touchpoint from accepted conversations, without idle ones', async () => {
    const start = async (touchpoint: string): Promise<string> => {
      const { data } = await app.gql(
        ann,
        'mutation ($input: CreateConversationInput!) { createConversation(input: $input) { id } }',
        { input: { contact: { profile: { name: 'Cas', email: `${crypto.randomUUID()}@example.com` } } } },
      )
      const id = data.createConversation.id as string
      await app.server.database.query(`update conversation set touchpoint = $2, status = 'active' where id = $1`, [
        id,
        touchpoint,
      ])
      await app.server.database.query(
        `insert into participant (conversation_id, user_id, role, accepted, active, created_at, updated_at)
         values ($1, $2, 'agent', true, true, now(), now())
         on conflict (conversation_id, user_id) do update set accepted = true`,
        [id, ann.id],
      )
      return id
    }
    const web = await start('web')
    await start('sms')
    await start('email')
    const load = async (): Promise<number> => (await app.gql(ann, OWN)).data.agentState.load as number
    expect(await load()).toBe(7)
    const touch = (awaiting: boolean): Promise<object[]> =>
      app.server.database.query(
        `update conversation set last_message_at = now() - interval '31 minutes', awaiting_reply = $2 where id = $1`,
        [web, awaiting],
      )
    await touch(true)
    expect(await load()).toBe(7)
    await touch(false)
    expect(await load()).toBe(3)
  })
})

describe('an agent without a subscription to a queue', () => {
  /** @param now its clock, which stands still: the time that the test takes changes nothing */
  const watch = (now: () => Date): AbsenceWatch => {
    const { database } = app.server
    const clock: Clock = { now, newId: () => app.clock.newId() }
    const log = pino({ level: 'silent' })
    const quiet = { publish: () => undefined, committed: () => undefined, record: async () => undefined }
    const transact = createTransact({
      database,
      shares: new FairQueue({ name: 'transactions', limits: writeLimits(4) }),
      dispatcher: quiet as never,
      outbox: quiet as never,
      wakeJobs: () => undefined,
    })
    const system = { database, clock, log, caller: null, tenant: EVERY_TENANT, address: null }
    const systemContext = (requestId: string): Context => new Context({ ...system, requestId })
    return new AbsenceWatch({ database, clock, log, transact, systemContext })
  }

  /** Looks once. A look is left out, without a word, while another node such as the server looks: then again. */
  const look = (at = app.clock.now().getTime()): Promise<unknown> =>
    until(async () => {
      let hasLooked = false
      // It asks for the time once it has the lock.
      await watch(() => ((hasLooked = true), new Date(at))).run()
      return hasLooked
    })

  /** Notes that Ben is missed. @returns since when; the server's own watch may have been first */
  async function missed(): Promise<number> {
    await app.gql(ben, SET, { availability: 'AVAILABLE' })
    return until(async () => {
      await look()
      const [row] = await app.server.database.query<{ at: Date | null }>(
        'select gone_at as at from staff where user_id = $1',
        [ben.id],
      )
      return row!.at
    }).then((at) => at.getTime())
  }
  const availability = async (): Promise<string> => (await app.gql(ben, OWN)).data.agentState.availability as string

  it('is offline after a minute, counted from when it was first missed, once', async () => {
    const goneAt = await missed()
    for (let count = 0; count < 3; count++) await look(goneAt + GONE_SECONDS * 1_000 - 1)
    expect(await availability()).toBe('AVAILABLE')
    const isOver = goneAt + GONE_SECONDS * 1_000
    await until(async () => {
      await Promise.all([look(isOver), look(isOver)])
      return (await availability()) === 'OFFLINE'
    })
    await look(isOver)
    const offline = (await eventsOf(`organization:${center.id}`, 'availability.changed')).filter(
      ({ data }) => data.id === ben.id && data.availability === 'offline',
    )
    expect(offline).toHaveLength(1)
  })

  it('stays what it is while it is subscribed, and when it returns in time', async () => {
    const goneAt = await missed()
    const client = liveClient(app.url, await app.tokenFor(ben))
    const live = subscribe(client, 'queue', 'subscription { queue { __typename } }')
    await live.next()
    for (const seconds of [GONE_SECONDS - 1, GONE_SECONDS + 9, 3 * GONE_SECONDS]) await look(goneAt + seconds * 1_000)
    expect(await availability()).toBe('AVAILABLE')
    await client.dispose()
  })
})
