import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import {
  must,
  newContact,
  startConversationFixture,
  type ConversationFixture,
} from '../conversations/conversation-fixture.js'
import type { MadeUser } from '../support/factories.js'
import { startTestServer, type TestServer } from '../support/test-server.js'
import { until } from '../support/until.js'
import { acting, governing } from './governed-bot.js'

const TOKEN = 'mutation ($id: ID!) { createGuestToken(conversation: $id) { token } }'
const READ = 'query ($id: ID!) { conversation(id: $id) { id } }'
const HIDDEN = { action: 'READ_CONTACT', mode: 'NONE' }

/** Two nodes on one database, without Redis. */
let fixture: ConversationFixture
let other: TestServer
let by: ReturnType<typeof governing>
let blocker: pg.Client
beforeAll(async () => {
  fixture = await startConversationFixture()
  other = await startTestServer({}, { beside: fixture })
  by = governing(fixture)
  blocker = new pg.Client({ connectionString: fixture.databaseUrl })
  await blocker.connect()
  await blocker.query(`
    create function wait_for_test() returns trigger language plpgsql as
      $$ begin perform pg_advisory_xact_lock(4711); return new; end $$;
    create trigger held before insert on token_family for each row when (new.bot_id is not null)
      execute function wait_for_test()`)
})
afterAll(async () => {
  await blocker?.end()
  await other?.close()
  await fixture?.close()
})

const begun = async (): Promise<string> => {
  const messages = [{ role: 'CONTACT', text: 'hello' }]
  return (await fixture.create({ contact: newContact('Zoe Quillfeather'), messages }, fixture.admin)).id
}
const guestOf = async (bot: MadeUser, id: string): Promise<string> =>
  (await must(fixture.run<{ token: string }>(bot, TOKEN, { id }))).token
const isDead = async (token: string, id: string): Promise<boolean> => {
  const answers = await Promise.all([fixture, other].map((node) => node.gql(token, READ, { id })))
  return answers.every(({ errors }) => errors?.[0]?.extensions.code === 'UNAUTHENTICATED')
}

/** Changes of a bot after which its guests' tokens are of no use. */
const CHANGES: readonly [name: string, change: (bot: MadeUser) => Promise<unknown>][] = [
  ['what it reads is masked', (bot) => patch(bot, { mask: ['EMAIL'] })],
  ['contacts are kept from it', (bot) => must(by.govern(bot, [HIDDEN, ...acting('OTHER')]))],
  ['it may not speak as consumers', (bot) => must(by.govern(bot, acting('REPLY')))],
  ['it is archived', (bot) => patch(bot, { status: 'ARCHIVED' })],
  [
    'it is moved',
    async (bot) => patch(bot, { organization: (await fixture.makeOrganization({ parent: fixture.organization })).id }),
  ],
  ['it becomes a person', (bot) => patch(bot, { role: 'AGENT' })],
  [
    'it is deleted',
    (bot) => must(fixture.run(fixture.admin, 'mutation ($id: ID!) { deleteUser(id: $id) }', { id: bot.id })),
  ],
]
const patch = (bot: MadeUser, given: object): Promise<unknown> => {
  const update = 'mutation ($id: ID!, $patch: UpdateUserInput!) { updateUser(id: $id, patch: $patch) { id } }'
  return must(fixture.run(fixture.admin, update, { id: bot.id, patch: given }))
}

describe.each(CHANGES)("guests' tokens of a bot, when %s,", (_, change) => {
  it('end', async () => {
    const [bot, id] = [await by.makeBot(), await begun()]
    const token = await guestOf(bot, id)
    expect(await isDead(token, id)).toBe(false)
    await change(bot)
    await until(() => isDead(token, id))
  })

  it('end also if one is made in the same moment', async () => {
    const [bot, id] = [await by.makeBot(), await begun()]
    await blocker.query('select pg_advisory_lock(4711)')
    const making = fixture.run<{ token: string }>(bot, TOKEN, { id })
    const waits = `select count(*)::int as count from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
    const waiting = async (): Promise<number> => (await blocker.query<{ count: number }>(waits)).rows[0]!.count
    await until(async () => (await waiting()) > 0)
    const before = await waiting()
    const changed = change(bot)
    // The change waits for the token.
    await until(async () => (await waiting()) > before)
    await blocker.query('select pg_advisory_unlock(4711)')
    const [{ value, code }] = await Promise.all([making, changed])
    expect(code).toBeUndefined()
    await until(() => isDead(value.token, id))
  })
})

it("are the consumers' own while the bot is paused", async () => {
  const [bot, id] = [await by.makeBot(), await begun()]
  const token = await guestOf(bot, id)
  await must(fixture.run(fixture.admin, 'mutation ($id: ID!) { pauseBot(id: $id) { id } }', { id: bot.id }))
  expect(await isDead(token, id)).toBe(false)
  expect(await fixture.run(bot, TOKEN, { id })).toMatchObject({ code: 'FORBIDDEN' })
})

it('stay where its grants let it speak as consumers, and end elsewhere', async () => {
  const customer = await fixture.makeOrganization({ parent: fixture.organization })
  const bot = await by.makeBot()
  const own = await begun()
  const theirs = (await fixture.create({ organization: customer.id, contact: newContact('Yan Yarrow') }, fixture.admin))
    .id
  const tokens = [await guestOf(bot, own), await guestOf(bot, theirs)] as const
  await must(by.govern(bot, acting('OTHER')))
  await must(by.govern(bot, [{ action: 'OTHER', mode: 'NONE' }], { organization: customer.id }))
  await until(() => isDead(tokens[1], theirs))
  expect(await isDead(tokens[0], own)).toBe(false)
})
