import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { changeAccess } from '../../src/modules/channels/channel-writes.js'
import type { Channel } from '../../src/modules/channels/channel.js'
import type { Context } from '../../src/platform/context.js'
import { readEvents } from '../../src/platform/events/streams.js'
import type { Transact, WriteTx } from '../../src/platform/events/transact.js'
import { recordStatements } from '../support/record-statements.js'
import { startTestServer, type TestServer } from '../support/test-server.js'
import type { MadeOrganization, MadeUser } from '../support/factories.js'

let app: TestServer
let center: MadeOrganization
let customer: MadeOrganization
let branch: MadeOrganization
let rival: MadeOrganization
let owner: MadeUser
let admin: MadeUser
let agent: MadeUser
let centerAgent: MadeUser
let branchAgent: MadeUser
let rivalAdmin: MadeUser

beforeAll(async () => {
  app = await startTestServer()
  center = await app.makeOrganization({ name: 'Center' })
  customer = await app.makeOrganization({ parent: center, name: 'Customer' })
  branch = await app.makeOrganization({ parent: customer, name: 'Branch' })
  rival = await app.makeOrganization({ parent: center, name: 'Rival' })
  owner = await app.makeUser({ organization: center, role: 'admin' })
  admin = await app.makeUser({ organization: customer, role: 'admin' })
  agent = await app.makeUser({ organization: customer, displayName: 'Ann' })
  centerAgent = await app.makeUser({ organization: center, displayName: 'Cem' })
  branchAgent = await app.makeUser({ organization: branch, displayName: 'Bo' })
  rivalAdmin = await app.makeUser({ organization: rival, role: 'admin' })
})
afterAll(() => app.close())

const FIELDS = 'id organizationId name status createdAt updatedAt members { userId createdAt user { id displayName } }'

interface ChannelData {
  id: string
  organizationId: string
  name: string
  status: string
  members: { userId: string; createdAt: string; user: { id: string; displayName: string } | null }[]
}

async function create(as: MadeUser, input: object, idempotencyKey?: string) {
  return app.gql<{ createChannel: ChannelData }>(
    as,
    `mutation ($input: CreateChannelInput!, $key: String) {
      createChannel(input: $input, idempotencyKey: $key) { ${FIELDS} }
    }`,
    { input, key: idempotencyKey },
  )
}

async function made(as: MadeUser, input: object): Promise<ChannelData> {
  const { data, errors } = await create(as, input)
  expect(errors).toBeUndefined()
  return data.createChannel
}

async function update(as: MadeUser, id: string, patch: object) {
  return app.gql<{ updateChannel: ChannelData }>(
    as,
    `mutation ($id: ID!, $patch: UpdateChannelInput!) { updateChannel(id: $id, patch: $patch) { ${FIELDS} } }`,
    { id, patch },
  )
}

async function changeMember(as: MadeUser, mutation: string, channel: string, user: string) {
  return app.gql<Record<string, ChannelData>>(
    as,
    `mutation ($channel: ID!, $user: ID!) { ${mutation}(channel: $channel, user: $user) { ${FIELDS} } }`,
    { channel, user },
  )
}

async function remove(as: MadeUser, id: string) {
  return app.gql<{ deleteChannel: boolean }>(as, 'mutation ($id: ID!) { deleteChannel(id: $id) }', { id })
}

async function fetched(as: MadeUser, id: string) {
  return app.gql<{ channel: ChannelData }>(as, `query ($id: ID!) { channel(id: $id) { ${FIELDS} } }`, { id })
}

async function eventsOf(organization: MadeOrganization, channel: string) {
  const events = await readEvents(app.server.database, `organization:${organization.id}`, 0, 1_000)
  return events.filter(({ data }) => data.id === channel)
}

const users = (channel: ChannelData): string[] => channel.members.map(({ userId }) => userId)

describe('creating a channel', () => {
  it('adds it to the caller’s organization, active and without members', async () => {
    const channel = await made(admin, { name: 'Sales' })
    expect(channel).toMatchObject({ organizationId: customer.id, name: 'Sales', status: 'ACTIVE', members: [] })
    expect((await fetched(admin, channel.id)).data.channel).toEqual(channel)
    expect(await eventsOf(customer, channel.id)).toMatchObject([
      { type: 'channel.created', data: { id: channel.id, organization: customer.id, name: 'Sales', status: 'active' } },
    ])
  })

  it('accepts members of its organization, of one above and of one below, each once', async () => {
    const wanted = [agent, branchAgent, agent]
    const channel = await made(admin, { name: 'Mixed', members: wanted.map(({ id }) => ({ user: id })) })
    expect(users(channel).toSorted()).toEqual([agent.id, branchAgent.id].toSorted())
    const served = await made(owner, {
      name: 'Served',
      organization: customer.id,
      members: [{ user: centerAgent.id.toUpperCase() }],
    })
    expect(served.organizationId).toBe(customer.id)
    expect(served.members[0]).toMatchObject({ userId: centerAgent.id, user: { displayName: 'Cem' } })
  })

  it.each([
    ['of a foreign tenant', () => rivalAdmin.id],
    ['of nobody', () => '0192b1a0-0000-7000-8000-000000000000'],
    ['that is no id', () => 'Ann'],
  ])('refuses a member %s, naming the field, and creates no channel', async (_, user) => {
    const { errors } = await create(admin, { name: 'Never made', members: [{ user: agent.id }, { user: user() }] })
    expect(errors?.[0]).toMatchObject({ extensions: { code: 'NOT_FOUND', field: 'members[1].user' } })
    expect(errors?.[0]?.message).toContain(user())
    expect(await app.server.database.query("select 1 from channel where name = 'Never made'")).toEqual([])
  })

  it('refuses a member of a sibling organization, even if the caller sees both', async () => {
    const { errors } = await create(owner, {
      name: 'Never made',
      organization: customer.id,
      members: [{ user: rivalAdmin.id }],
    })
    expect(errors?.[0]?.extensions).toMatchObject({ code: 'NOT_FOUND', field: 'members[0].user' })
  })

  it.each([
    ['a blank name', { name: ' ' }, 'name'],
    ['a long name', { name: 'x'.repeat(201) }, 'name'],
    ['a name with NUL', { name: 'a\0b' }, 'name'],
    ['more members than 1000', { name: 'x', members: Array(1_001).fill({ user: 'x' }) }, 'members'],
  ])('refuses %s', async (_, input, field) => {
    const { errors } = await create(admin, input)
    expect(errors?.[0]?.extensions).toMatchObject({ code: 'BAD_USER_INPUT', field })
  })

  it('does not find an organization that the caller does not see', async () => {
    const { errors } = await create(admin, { name: 'x', organization: center.id })
    expect(errors?.[0]?.extensions.code).toBe('NOT_FOUND')
    expect(errors?.[0]?.message).toContain('organization')
  })

  it('answers a repeated idempotency key with the first channel, and refuses it for another input', async () => {
    const first = await create(admin, { name: 'Once', members: [{ user: agent.id }] }, 'key-1')
    const again = await create(admin, { name: 'Once', members: [{ user: agent.id }] }, 'key-1')
    expect(again.data).toEqual(first.data)
    expect((await create(admin, { name: 'Twice' }, 'key-1')).errors?.[0]?.extensions.code).toBe('UNPROCESSABLE')
  })

  it('requires an administrator', async () => {
    const bot = await app.makeUser({ organization: customer, role: 'bot' })
    for (const user of [agent, bot]) {
      expect((await create(user, { name: 'x' })).errors?.[0]?.extensions.code).toBe('FORBIDDEN')
    }
  })
})

describe('updating a channel', () => {
  it('changes the given fields only, and replaces all members', async () => {
    const channel = await made(admin, { name: 'Before', members: [{ user: agent.id }, { user: branchAgent.id }] })
    const renamed = (await update(admin, channel.id, { name: 'After' })).data.updateChannel
    expect(renamed).toMatchObject({ name: 'After', members: channel.members })
    const kept = channel.members.find(({ userId }) => userId === branchAgent.id)
    const replaced = (await update(admin, channel.id, { members: [{ user: branchAgent.id }] })).data.updateChannel
    expect(replaced.members).toEqual([kept])
    expect((await update(admin, channel.id, { members: null })).data.updateChannel.members).toEqual([])
  })

  it('accepts an existing member whom the caller does not see, as when a client sends the whole list back', async () => {
    const channel = await made(owner, {
      name: 'Shared',
      organization: customer.id,
      members: [{ user: centerAgent.id }],
    })
    const members = [{ user: centerAgent.id }, { user: agent.id }]
    expect(users((await update(admin, channel.id, { members })).data.updateChannel)).toHaveLength(2)
    await update(admin, channel.id, { members: [] })
    const again = await update(admin, channel.id, { members })
    expect(again.errors?.[0]?.extensions).toMatchObject({ code: 'NOT_FOUND', field: 'members[0].user' })
  })

  it('emits events of added and removed members to the organization’s stream', async () => {
    const channel = await made(admin, { name: 'Told', members: [{ user: agent.id }] })
    await update(admin, channel.id, { members: [{ user: branchAgent.id }] })
    const events = await eventsOf(customer, channel.id)
    expect(events.map(({ type, data }) => [type, data.user])).toEqual([
      ['channel.created', undefined],
      ['channel.memberAdded', agent.id],
      ['channel.updated', undefined],
      ['channel.memberAdded', branchAgent.id],
      ['channel.memberRemoved', agent.id],
    ])
  })

  it('refuses to clear the name', async () => {
    const channel = await made(admin, { name: 'Named' })
    expect((await update(admin, channel.id, { name: null })).errors?.[0]?.extensions).toMatchObject({
      code: 'BAD_USER_INPUT',
      field: 'name',
    })
  })
})

describe('members', () => {
  it('are added one by one; adding a member again has no effect', async () => {
    const channel = await made(admin, { name: 'One by one' })
    const added = (await changeMember(admin, 'addChannelMember', channel.id, agent.id)).data.addChannelMember!
    expect(added.members).toMatchObject([{ userId: agent.id, user: { displayName: 'Ann' } }])
    const again = (await changeMember(admin, 'addChannelMember', channel.id, agent.id)).data.addChannelMember!
    expect(again.members).toEqual(added.members)
    const types = (await eventsOf(customer, channel.id)).map(({ type }) => type)
    expect(types).toEqual(['channel.created', 'channel.memberAdded'])
  })

  it('are removed; removing an unknown id has no effect', async () => {
    const channel = await made(admin, { name: 'Left', members: [{ user: agent.id }] })
    for (const user of [agent.id, agent.id, 'nobody']) {
      const removed = await changeMember(admin, 'removeChannelMember', channel.id, user)
      expect(removed.data.removeChannelMember?.members).toEqual([])
    }
    const types = (await eventsOf(customer, channel.id)).map(({ type }) => type)
    expect(types).toEqual(['channel.created', 'channel.memberAdded', 'channel.memberRemoved'])
  })

  it('name the field of a user that is not found', async () => {
    const channel = await made(admin, { name: 'Strict' })
    const { errors } = await changeMember(admin, 'addChannelMember', channel.id, rivalAdmin.id)
    expect(errors?.[0]?.extensions).toMatchObject({ code: 'NOT_FOUND', field: 'user' })
  })

  it('are added once when two administrators add the same user concurrently', async () => {
    const channel = await made(admin, { name: 'Raced' })
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => changeMember(admin, 'addChannelMember', channel.id, agent.id)),
    )
    expect(answers.flatMap(({ errors }) => errors ?? [])).toEqual([])
    const added = (await eventsOf(customer, channel.id)).filter(({ type }) => type === 'channel.memberAdded')
    expect(added).toHaveLength(1)
  })
})

describe('reading channels', () => {
  it('shows agents every channel of their organization and below, member or not', async () => {
    const mine = await made(admin, { name: 'Of the customer' })
    const below = await made(admin, { name: 'Of the branch', organization: branch.id })
    const above = await made(owner, { name: 'Of the center' })
    const { data } = await app.gql<{ channels: { edges: { node: ChannelData }[] } }>(
      agent,
      `{ channels(first: 100) { edges { node { id } } } }`,
    )
    const ids = data.channels.edges.map(({ node }) => node.id)
    expect(ids).toEqual(expect.arrayContaining([mine.id, below.id]))
    expect(ids).not.toContain(above.id)
    expect((await fetched(agent, below.id)).data.channel.name).toBe('Of the branch')
  })

  it('filters by member and name, and sorts', async () => {
    const only = await made(admin, { name: 'Zz filtered', members: [{ user: branchAgent.id }] })
    await made(admin, { name: 'Zz not filtered' })
    const { data } = await app.gql<{ channels: { totalCount: number; edges: { node: ChannelData }[] } }>(
      admin,
      `query ($user: ID!) {
        channels(filter: { name: { startsWith: "Zz" }, members: { user: { eq: $user } } },
          orderBy: [{ field: name, direction: DESC }]) { totalCount edges { node { id } } }
      }`,
      { user: branchAgent.id },
    )
    expect(data.channels).toEqual({ totalCount: 1, edges: [{ node: { id: only.id } }] })
  })

  it('loads the members of a page in one statement, and their users in another', async () => {
    for (let index = 0; index < 5; index++) await made(admin, { name: `Page ${index}`, members: [{ user: agent.id }] })
    const { statements, stop } = recordStatements()
    try {
      await app.gql(
        admin,
        '{ channels(first: 50) { edges { node { members { user { displayName } } organization { name } } } } }',
      )
    } finally {
      stop()
    }
    for (const table of ['from channel t', 'from channel_member m', 'from app_user t', 'from organization t']) {
      expect(statements.filter((text) => text.includes(table))).toHaveLength(1)
    }
  })

  it('does not find another tenant’s channel in any operation', async () => {
    const channel = await made(rivalAdmin, { name: 'Foreign' })
    const answers = [
      await fetched(admin, channel.id),
      await update(admin, channel.id, { name: 'Mine' }),
      await changeMember(admin, 'addChannelMember', channel.id, agent.id),
      await changeMember(admin, 'removeChannelMember', channel.id, rivalAdmin.id),
      await remove(admin, channel.id),
      await fetched(admin, 'no-id'),
    ]
    for (const { errors } of answers) expect(errors?.[0]?.extensions.code).toBe('NOT_FOUND')
    expect((await fetched(rivalAdmin, channel.id)).data.channel.name).toBe('Foreign')
  })
})

describe('deleting a channel', () => {
  it('removes it with its memberships', async () => {
    const channel = await made(admin, { name: 'Gone', members: [{ user: agent.id }] })
    expect((await remove(admin, channel.id)).data.deleteChannel).toBe(channel.id)
    expect((await fetched(admin, channel.id)).errors?.[0]?.extensions.code).toBe('NOT_FOUND')
    expect(await app.server.database.query('select 1 from channel_member where channel_id = $1', [channel.id])).toEqual(
      [],
    )
    expect((await eventsOf(customer, channel.id)).at(-1)?.type).toBe('channel.deleted')
  })

  it.each(['channels', 'channels_offline'])('is refused while a conversation is queued in its %s', async (column) => {
    const channel = await made(admin, { name: 'Busy' })
    const conversation = app.clock.newId()
    await app.server.database.query(
      `insert into conversation (id, organization_id, org1, org2, created_at, updated_at, type, name, slug, status,
         ${column})
       values ($1, $2, $3, $2, now(), now(), 'contact', 'Waiting', $5, 'queued', array[$4::uuid])`,
      [conversation, customer.id, center.id, channel.id, conversation],
    )
    expect((await remove(admin, channel.id)).errors?.[0]?.extensions).toMatchObject({
      code: 'UNPROCESSABLE',
      conversations: 1,
      conversation,
    })
    await app.server.database.query("update conversation set status = 'active' where id = $1", [conversation])
    expect((await remove(admin, channel.id)).data.deleteChannel).toBe(channel.id)
  })
})

describe('a change of access', () => {
  const told = async (affected: string[], commit: () => void): Promise<string[]> => {
    const order: string[] = []
    const transact: Transact = async (_ctx, work) => {
      const result = await work({} as WriteTx)
      commit()
      order.push('committed')
      return result
    }
    const onAccessChange = (changed: string[]) => void order.push(...changed)
    const work = async () => ({ channel: {} as Channel, users: affected })
    await changeAccess({} as Context, { transact, onAccessChange }, work).catch(() => order.push('failed'))
    return order
  }

  it('is published after the commit, with the users who were added or removed', async () => {
    expect(await told(['a', 'b'], () => undefined)).toEqual(['committed', 'a', 'b'])
  })

  it('is not published if there are none, or if the commit failed', async () => {
    const fail = () => {
      throw new Error('no commit')
    }
    expect(await told([], () => undefined)).toEqual(['committed'])
    expect(await told(['a'], fail)).toEqual(['failed'])
  })
})
