import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import pg from 'pg'
import { startConversationFixture, type ConversationFixture } from '../conversations/conversation-fixture.js'
import { startTestServer, type TestServer } from '../support/test-server.js'
import { until } from '../support/until.js'
import { acting, governing, refused, SEND } from './governed-bot.js'

const REPLY = { role: 'AGENT', text: 'hi' }

/** Two nodes on one database, without Redis. */
let fixture: ConversationFixture
let other: TestServer
let by: ReturnType<typeof governing>
let outside: pg.Client
beforeAll(async () => {
  fixture = await startConversationFixture()
  other = await startTestServer({}, { beside: fixture })
  by = governing(fixture)
  outside = new pg.Client({ connectionString: fixture.databaseUrl })
  await outside.connect()
})
afterAll(async () => {
  await outside?.end()
  await other?.close()
  await fixture?.close()
})

const waiting = () => by.waiting()
const governed = (grants = acting('REPLY')) => by.governed(grants)
const textsOf = (id: string) => by.textsOf(id)

describe('a grant that is withdrawn', () => {
  it('counts for what waits for the lock of the conversation at that moment, on another node', async () => {
    const bot = await governed()
    const { id } = await waiting()
    await outside.query('begin')
    await outside.query('select 1 from conversation where id = $1 for update', [id])
    const sent = other.gql(bot, SEND, { id, message: REPLY })
    await until(async () => {
      const text = await (await fetch(`${other.url}/metrics`)).text()
      return /^switchboard_writes_(?:running|waiting) [1-9]/m.test(text)
    })
    expect(await by.govern(bot, [])).not.toHaveProperty('code')
    await outside.query('commit')
    expect((await sent).errors?.[0]?.extensions).toMatchObject({ reason: 'NO_GRANT', action: 'REPLY' })
    expect(await textsOf(id)).toEqual(['hello'])
  })

  it('counts on another node at once, which knew the bot', async () => {
    const bot = await governed()
    const { id } = await waiting()
    expect((await other.gql(bot, SEND, { id, message: REPLY })).errors).toBeUndefined()
    await by.govern(bot, [])
    expect((await other.gql(bot, SEND, { id, message: REPLY })).errors?.[0]?.extensions.reason).toBe('NO_GRANT')
  })

  it('is never followed by an act, however many are under way on two nodes', async () => {
    const bot = await governed()
    const ids = await Promise.all(Array.from({ length: 12 }, async () => (await waiting()).id))
    let isOver = false
    const client = async (node: TestServer, id: string): Promise<void> => {
      for (let n = 0; !isOver && n < 40; n++) await node.gql(bot, SEND, { id, message: { ...REPLY, text: `${n}` } })
    }
    const clients = ids.map((id, index) => client(index % 2 ? other : fixture, id))
    await until(async () => (await textsOf(ids[0]!)).length > 2)
    expect(await by.govern(bot, [])).not.toHaveProperty('code')
    const counted = async (): Promise<number[]> => Promise.all(ids.map(async (id) => (await textsOf(id)).length))
    const then = await counted()
    isOver = true
    await Promise.all(clients)
    expect(await counted()).toEqual(then)
  })

  it('counts for what waits for its delay, on whichever node it is due', async () => {
    const bot = await governed()
    const { id } = await waiting()
    const later = await fixture.send(bot, id, { ...REPLY, text: 'later', delay: 60_000 })
    expect(later).not.toHaveProperty('code')
    await by.govern(bot, acting('NOTE'))
    await fixture.send(fixture.ann, id, { ...REPLY, text: 'then', delay: 61_000 })
    fixture.clock.advance(62_000)
    const sent = await until(
      () => textsOf(id),
      (all) => all.includes('then'),
    )
    await until(async () => {
      const rows = await fixture.server.database.query('select 1 from job where payload ->> $2 = $1', [
        later.value.id,
        'id',
      ])
      return rows.length === 0
    })
    expect(sent).not.toContain('later')
    expect(await textsOf(id)).not.toContain('later')
  })

  it('is one of the conversation that has the messages by now, if it was merged', async () => {
    const customer = await fixture.makeOrganization({ parent: fixture.organization })
    const bot = await governed()
    await by.govern(bot, [{ action: 'REPLY', mode: 'NONE' }], { organization: customer.id })
    const [origin, target] = [await waiting(), await waiting()]
    await fixture.send(bot, origin.id, { ...REPLY, text: 'later', delay: 60_000 })
    const merge = `mutation ($to: ID!, $from: ID!) { importConversation(conversation: $to, origin: $from) { id } }`
    expect(await fixture.run(bot, merge, { to: target.id, from: origin.id })).toMatchObject(refused('OTHER'))
    expect(await fixture.run(fixture.ann, merge, { to: target.id, from: origin.id })).not.toHaveProperty('code')
    expect(await fixture.send(bot, origin.id, REPLY)).toMatchObject({ details: { reason: 'CONVERSATION_STATUS' } })
    fixture.clock.advance(62_000)
    await until(
      () => textsOf(target.id),
      (all) => all.includes('later'),
    )
  })

  it('is withdrawn still after a restart', async () => {
    const bot = await governed([])
    const { id } = await waiting()
    const third = await startTestServer({}, { beside: fixture })
    expect((await third.gql(bot, SEND, { id, message: REPLY })).errors?.[0]?.extensions.reason).toBe('NO_GRANT')
    await third.close()
  })
})

describe('the grants of a bot', () => {
  it('are set by administrators who see the bot, for conversations that it sees', async () => {
    const bot = await by.makeBot()
    const below = await fixture.makeOrganization({ parent: fixture.organization })
    const customer = await fixture.makeUser({ organization: below, role: 'admin' })
    const stranger = await fixture.makeUser({ organization: await fixture.makeOrganization(), role: 'admin' })
    for (const as of [fixture.ann, fixture.bot, bot])
      expect(await by.govern(bot, [], { as })).toMatchObject({ code: 'FORBIDDEN' })
    for (const as of [customer, stranger])
      expect(await by.govern(bot, [], { as })).toMatchObject({ code: 'NOT_FOUND', details: { field: 'bot' } })
    expect(await by.release(bot, stranger)).toMatchObject({ code: 'NOT_FOUND' })
    expect(await by.govern(fixture.ann, [])).toMatchObject({ details: { reason: 'NOT_A_BOT', field: 'bot' } })
    const its = await fixture.makeUser({ organization: below, role: 'bot' })
    expect(await by.govern(its, [], { organization: fixture.organization.id })).toMatchObject({
      code: 'BAD_USER_INPUT',
      details: { field: 'organization' },
    })
    expect(await by.govern(its, [], { as: customer })).not.toHaveProperty('code')
  })

  it('name what is wrong with a line', async () => {
    const bot = await by.makeBot()
    const leaf = { fact: 'weather', path: '.sun', operator: 'equal', value: 1 }
    const line = { action: 'REPLY', mode: 'ACT', conditions: { all: [leaf] } }
    expect(await by.govern(bot, [...acting('NOTE'), line])).toMatchObject({
      code: 'BAD_USER_INPUT',
      details: { field: 'grants[1].conditions.all[0].fact' },
    })
    const many = Array.from({ length: 101 }, () => line)
    expect(await by.govern(bot, many)).toMatchObject({ code: 'BAD_USER_INPUT', details: { field: 'grants' } })
    expect(await by.govern(bot, [{ action: 'DANCE', mode: 'ACT' }])).toMatchObject({ code: 'BAD_USER_INPUT' })
  })

  it('are changed by one of two who have read the same version', async () => {
    const bot = await by.makeBot()
    const both = await Promise.all([1, 2].map(() => by.govern(bot, acting('NOTE'), { ifVersion: 0 })))
    expect(both.map(({ code }) => code).toSorted()).toEqual(['PRECONDITION_FAILED', undefined])
    expect(await by.govern(bot, [], { ifVersion: 0 })).toMatchObject({
      details: { reason: 'OTHER_VERSION', field: 'ifVersion', version: 1 },
    })
    expect(await by.govern(bot, [], { ifVersion: 1 })).not.toHaveProperty('code')
  })

  it('are in the audit log, before and after, and tell lists of users that the bot changed', async () => {
    const bot = await governed()
    await by.govern(bot, acting('NOTE'))
    await by.release(bot)
    const query = `query ($id: String!) { auditEntries(first: 10, filter: { object: { eq: $id } }) { nodes { action details } } }`
    const { value } = await fixture.run<{ nodes: { action: string; details: { changes: { values: object }[] } }[] }>(
      fixture.admin,
      query,
      { id: bot.id },
    )
    expect(value.nodes.map(({ action }) => action)).toEqual(['releaseBot', 'setBotGrants', 'setBotGrants'])
    expect(value.nodes[1]!.details.changes).toMatchObject([
      {
        record: 'bot_governance',
        values: { grants: { from: [{ action: 'reply', mode: 'act' }], to: [{ action: 'note', mode: 'act' }] } },
      },
    ])
    const events = await fixture.server.database.query<{ count: number }>(
      `select count(*)::int as count from event where type = 'user.updated' and data ->> 'id' = $1`,
      [bot.id],
    )
    expect(events[0]!.count).toBe(3)
  })

  it('go with the bot, and with an organization, whose bots stay governed', async () => {
    const below = await fixture.makeOrganization({ parent: fixture.organization })
    const bot = await governed([])
    await by.govern(bot, acting('REPLY'), { organization: below.id })
    await fixture.rest(fixture.admin, 'DELETE', `/v2/organizations/${below.id}`)
    const read = 'query ($id: ID!) { user(id: $id) { governance { version grants { action } } } }'
    expect((await fixture.run(fixture.admin, read, { id: bot.id })).value).toEqual({
      governance: { version: 2, grants: [] },
    })
    expect((await fixture.rest(fixture.admin, 'DELETE', `/v2/users/${bot.id}`)).status).toBe(204)
  })
})
