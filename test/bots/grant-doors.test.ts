import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import pg from 'pg'
import { must, startConversationFixture, type ConversationFixture } from '../conversations/conversation-fixture.js'
import type { MadeUser } from '../support/factories.js'
import { startTestServer, type TestServer } from '../support/test-server.js'
import { until } from '../support/until.js'
import { budgeting, spent } from './budget-fixture.js'
import { acting, allBut, governing, refused, SEND, type Line } from './governed-bot.js'

const REPLY = { role: 'AGENT', text: 'hi' }
const MERGE = `mutation ($to: ID!, $from: ID!) { importConversation(conversation: $to, origin: $from) { id } }`

/** Two nodes on one database, without Redis. */
let fixture: ConversationFixture
let other: TestServer
let by: ReturnType<typeof governing>
let outside: pg.Client
let form: string | undefined
beforeAll(async () => {
  fixture = await startConversationFixture()
  other = await startTestServer({}, { beside: fixture })
  by = governing(fixture)
  outside = new pg.Client({ connectionString: fixture.databaseUrl })
  await outside.connect()
  await by.setCategories('Billing')
})
afterAll(async () => {
  await outside?.end()
  await other?.close()
  await fixture?.close()
})

const governed = (grants: Line[]) => by.governed(grants)
const waiting = () => by.waiting()

/** A conversation that asks for a form. */
async function withForm(): Promise<{ id: string; form: string }> {
  const create = 'mutation ($input: CreateFormInput!) { createForm(input: $input) { id } }'
  const input = { name: 'Order', fields: [{ key: 'number', label: 'Number', type: 'text' }] }
  form ??= (await must(fixture.run<{ id: string }>(fixture.admin, create, { input }))).id
  const { id } = await waiting()
  await must(fixture.command(fixture.ann, id, '/set @category Billing'))
  await must(fixture.send(fixture.admin, id, { type: 'FORM', role: 'BOT', meta: { form } }))
  return { id, form }
}

describe('what limits a bot', () => {
  /** Number of sessions that wait for something of that name. */
  const waits = async (event: string): Promise<number> => {
    const { rowCount } = await outside.query(
      'select 1 from pg_stat_activity where datname = current_database() and wait_event = $1',
      [event],
    )
    return rowCount ?? 0
  }
  // By a lock it would be held up for a moment only: writers that wait for one let go of theirs, and try again.
  const HOLD = `create table barrier ();
    insert into barrier default values;
    create function wait_while_held() returns trigger language plpgsql as
      'begin while exists (select from barrier) loop perform pg_sleep(0.01); end loop; return null; end';
    create trigger held after insert on message for each statement execute function wait_while_held()`
  const LET_GO = 'drop trigger held on message; drop function wait_while_held; drop table barrier'

  it.each([
    ['a grant', (bot: MadeUser) => by.govern(bot, []), refused('REPLY')],
    ['a budget', (bot: MadeUser) => budgeting(fixture).limit(bot, { perDay: 0 }), spent('PER_DAY', 0)],
  ])(
    'such as %s counts from the first on: what the bot does at the moment is waited for',
    async (_, limit, refusal) => {
      const bot = await by.makeBot()
      const { id } = await waiting()
      await outside.query(HOLD)
      // Held up once its grants were read.
      const sent = other.gql(bot, SEND, { id, message: REPLY })
      await until(
        () => waits('PgSleep'),
        (count) => count > 0,
      )
      let isAnswered = false
      const begun = limit(bot).finally(() => (isAnswered = true))
      await until(
        () => waits('advisory'),
        (count) => isAnswered || count > 0,
      )
      expect(isAnswered).toBe(false)
      await outside.query('delete from barrier')
      expect((await sent).errors).toBeUndefined()
      expect(await begun).not.toHaveProperty('code')
      await outside.query(LET_GO)
      expect(await fixture.send(bot, id, REPLY)).toMatchObject(refusal)
    },
  )

  it('for SET lets it fill in a field for the team, and say nothing to the consumer', async () => {
    const { id, form } = await withForm()
    const bot = await governed(acting('SET'))
    const field = { type: 'FIELD', text: '.number 12', meta: { form } }
    expect(await fixture.send(bot, id, { ...field, role: 'AGENT' })).toMatchObject(refused('REPLY'))
    expect((await fixture.show(id)).participants.filter(({ accepted }) => accepted)).toEqual([])
    expect(await fixture.send(bot, id, { ...field, role: 'BOT' })).not.toHaveProperty('code')
    const both = await governed(acting('SET', 'REPLY'))
    expect(await fixture.send(both, id, { ...field, role: 'AGENT' })).not.toHaveProperty('code')
  })

  it('for notes or answers lets it take out no form, with what is filled in', async () => {
    const { id, form } = await withForm()
    const [note, reply, set] = [
      await governed(acting('NOTE')),
      await governed(acting('REPLY')),
      await governed(acting('SET')),
    ]
    const out = { type: 'FORM', role: 'BOT', text: '-Order' }
    expect(await fixture.send(note, id, out)).toMatchObject(refused('SET'))
    expect(await fixture.send(note, id, { ...out, text: '+Order' })).toMatchObject(refused('SET'))
    expect(await fixture.send(reply, id, { ...out, role: 'AGENT' })).toMatchObject(refused('SET'))
    expect(await fixture.send(set, id, out)).not.toHaveProperty('code')
    expect(await fixture.send(reply, id, { type: 'FORM', role: 'AGENT', meta: { form } })).not.toHaveProperty('code')
  })

  it('to merge is needed in both conversations', async () => {
    const billing = { all: [{ fact: 'conversation', path: '.category', operator: 'equal', value: 'Billing' }] }
    const bot = await governed([{ action: 'OTHER', mode: 'NONE', conditions: billing }, ...acting('OTHER')])
    const [origin, target] = [await waiting(), await waiting()]
    await must(fixture.command(fixture.ann, origin.id, '/set @category Billing'))
    expect(await fixture.run(bot, MERGE, { to: target.id, from: origin.id })).toMatchObject(refused('OTHER'))
    expect((await fixture.show(origin.id)).status).toBe('QUEUED')
    await must(fixture.command(fixture.ann, origin.id, '/set @category'))
    expect(await fixture.run(bot, MERGE, { to: target.id, from: origin.id })).not.toHaveProperty('code')
  })

  it('to speak as the consumer is needed, always, for a token by which one does', async () => {
    const { id } = await waiting()
    const token = (bot: MadeUser) =>
      fixture.run<{ token: string }>(bot, 'mutation ($id: ID!) { createGuestToken(conversation: $id) { token } }', {
        id,
      })
    const never = { all: [{ fact: 'conversation', path: '.category', operator: 'equal', value: 'None' }] }
    expect(await token(await governed(allBut('OTHER')))).toMatchObject(refused('OTHER'))
    const sometimes = [{ action: 'OTHER', mode: 'ACT', conditions: never }]
    expect(await token(await governed(sometimes))).toMatchObject(refused('OTHER'))
    const mostly = [{ action: 'OTHER', mode: 'APPROVE', conditions: never }, ...acting('OTHER')]
    expect(await token(await governed(mostly))).toMatchObject(refused('OTHER', 'APPROVE'))
    expect(await token(await governed(acting('OTHER')))).not.toHaveProperty('code')
    expect(await token(await by.makeBot())).not.toHaveProperty('code')
  })
})
