import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { COMMANDS } from '../../src/modules/conversations/commands/index.js'
import { startConversationFixture, type ConversationFixture } from '../conversations/conversation-fixture.js'
import { streamsOf } from '../conversations/streams-fixture.js'
import { connectOfficial, refusalIn } from '../mcp/official-client.js'
import { until } from '../support/until.js'
import { createHooks, type Hooks } from '../webhooks/hooks.js'
import { ACTIONS, acting, allBut, governing, refused } from './governed-bot.js'

const REPLY = { role: 'AGENT', text: 'hi' }

describe('a governed bot', () => {
  let fixture: ConversationFixture
  let hooks: Hooks
  let by: ReturnType<typeof governing>
  beforeAll(async () => {
    fixture = await startConversationFixture({ WEBHOOK_ALLOW_PRIVATE: 'true' })
    hooks = createHooks(fixture)
    by = governing(fixture)
    await by.setCategories('Billing', 'Delivery')
  })
  afterAll(async () => {
    await fixture.close()
    await hooks.close()
  })

  const waiting = () => by.waiting()
  const governed = (grants = acting()) => by.governed(grants)
  const textsOf = (id: string) => by.textsOf(id)
  const make = async (path: string, body: object): Promise<string> =>
    (await fixture.rest(fixture.admin, 'POST', path, body)).body.id as string

  it('does what its grants say, and nothing else; one that is not governed does what its scopes say', async () => {
    const bot = await by.makeBot()
    const { id } = await waiting()
    expect(await fixture.send(bot, id, REPLY)).not.toHaveProperty('code')
    const { value } = await by.govern(bot, acting('NOTE'))
    expect(value.governance).toEqual({
      version: 1,
      grants: [{ action: 'NOTE', mode: 'ACT', conditions: { all: [] }, organizationId: fixture.organization.id }],
    })
    expect(await fixture.send(bot, id, REPLY)).toMatchObject(refused('REPLY'))
    expect(await fixture.send(bot, id, { text: 'for the team' })).not.toHaveProperty('code')
    expect((await fixture.show(id, bot)).id).toBe(id)
    expect((await by.govern(bot, acting())).value.governance).toEqual({ version: 2, grants: [] })
    expect(await fixture.send(bot, id, { text: 'for the team' })).toMatchObject(refused('NOTE'))
    expect((await by.release(bot)).value.governance).toBeNull()
    expect((await by.release(bot)).value.governance).toBeNull()
    expect(await fixture.send(bot, id, REPLY)).not.toHaveProperty('code')
  })

  it.each(['SUGGEST', 'APPROVE'])('with the mode %s does not act by itself', async (mode) => {
    const bot = await governed([{ action: 'REPLY', mode }])
    const { id } = await waiting()
    expect(await fixture.send(bot, id, REPLY)).toMatchObject(refused('REPLY', mode))
  })

  it.each([
    ['a note', { isBackchannel: true, text: 'x' }, 'NOTE'],
    ['an answer', REPLY, 'REPLY'],
    ['a message as the consumer', { role: 'CONTACT', text: 'x' }, 'OTHER'],
    ['an answer as a colleague', { ...REPLY, as: 'ann' }, 'REPLY'],
    ['a delayed answer', { ...REPLY, delay: 60_000 }, 'REPLY'],
    ['/accept', { type: 'COMMAND', text: '/accept' }, 'ACCEPT'],
    ['/join', { type: 'COMMAND', text: '/join' }, 'ACCEPT'],
    ['/follow', { type: 'COMMAND', text: '/follow' }, 'ACCEPT'],
    ['/enqueue', { type: 'COMMAND', text: '/enqueue' }, 'HAND_OVER'],
    ['/assign', { type: 'COMMAND', text: '/assign', meta: { users: ['ann'] } }, 'HAND_OVER'],
    ['/set', { type: 'COMMAND', text: '/set @category Billing' }, 'SET'],
    ['/block', { type: 'COMMAND', text: '/block' }, 'OTHER'],
    ['text for a bot', { type: 'COMMAND', text: '>go' }, 'NOTE'],
  ])('needs a grant for %s', async (_, { as, ...given }: Record<string, unknown>, action) => {
    const meta = given.meta ? { meta: { users: [fixture.ann.id] } } : {}
    const message = { ...given, ...meta, ...(as === 'ann' && { user: fixture.ann.id }) }
    const { id } = await waiting()
    const without = await governed(allBut(action))
    const before = await fixture.show(id)
    expect(await fixture.send(without, id, message)).toMatchObject(refused(action))
    expect(await fixture.show(id)).toEqual(before)
    expect(await fixture.send(await governed(acting(action)), id, message)).not.toHaveProperty('code')
  })

  it('has a grant to name for every command, or one that asks by itself', () => {
    const free = [...COMMANDS.values()].filter(({ grant }) => grant === null).map(({ name }) => name)
    expect([...new Set(free)]).toEqual(['leave'])
  })

  it('may give up whenever it likes, but not so that the conversation is closed', async () => {
    const bot = await governed(acting('REPLY'))
    const { id } = await waiting()
    await fixture.send(bot, id, REPLY)
    expect(await fixture.command(bot, id, '/leave')).toMatchObject(refused('CLOSE'))
    await fixture.send(fixture.admin, id, { role: 'CONTACT', text: 'and?' })
    expect(await fixture.command(bot, id, '/leave', { user: fixture.ann.id })).toMatchObject(refused('OTHER'))
    expect(await fixture.command(bot, id, '/leave')).not.toHaveProperty('code')
    expect((await fixture.show(id)).status).toBe('QUEUED')
  })

  it('is refused whatever changes a conversation and asks for no grant by itself', async () => {
    const bot = await governed(allBut('OTHER', 'CLOSE', 'SET'))
    const label = await make('/v2/labels', { name: 'Crane' })
    const { id } = await waiting()
    const { value: sent } = await fixture.send(bot, id, REPLY)
    const before = await fixture.show(id)
    const asked: [string, Record<string, unknown>, string][] = [
      ['mutation ($m: ID!) { updateMessage(id: $m, patch: { text: "other" }) { id } }', { m: sent.id }, 'OTHER'],
      ['mutation ($id: ID!, $l: ID!) { setLabels(conversation: $id, add: [$l]) { id } }', { l: label }, 'SET'],
      ['mutation ($id: ID!) { closeConversation(conversation: $id) { undoUntil } }', {}, 'CLOSE'],
      [
        'mutation ($id: ID!, $at: DateTime!) { snooze(conversation: $id, until: $at) { id } }',
        { at: new Date(fixture.clock.now().getTime() + 3_600_000).toISOString() },
        'OTHER',
      ],
    ]
    for (const [text, more, action] of asked)
      expect(await fixture.run(bot, text, { ...(text.includes('$id') && { id }), ...more })).toMatchObject(
        refused(action),
      )
    expect(await fixture.tryCreate({ messages: [{ role: 'CONTACT', text: 'x' }] }, bot)).toMatchObject(refused('OTHER'))
    expect(await fixture.show(id)).toEqual(before)
    const read = 'mutation ($id: ID!, $m: ID!) { markRead(conversation: $id, message: $m) { id } }'
    expect(await fixture.run(bot, read, { id, m: sent.id })).not.toHaveProperty('code')
  })

  it('is governed by the first line whose conditions hold', async () => {
    const is = (value: string) => ({
      all: [{ fact: 'conversation', path: '.category', operator: 'equal', value }],
    })
    const bot = await governed([
      { action: 'REPLY', mode: 'NONE', conditions: is('Billing') },
      { action: 'SET', mode: 'ACT' },
      { action: 'REPLY', mode: 'ACT' },
    ])
    const { id } = await waiting()
    expect(await fixture.send(bot, id, REPLY)).not.toHaveProperty('code')
    await fixture.command(bot, id, '/set @category Billing')
    expect(await fixture.send(bot, id, REPLY)).toMatchObject(refused('REPLY'))
    await fixture.command(fixture.ann, id, '/set @category Delivery')
    expect(await fixture.send(bot, id, REPLY)).not.toHaveProperty('code')
  })

  it("is governed by a customer's lines before those of the center, and by the latter where there are none", async () => {
    const customers = await Promise.all([1, 2].map(() => fixture.makeOrganization({ parent: fixture.organization })))
    const bot = await governed(acting('REPLY'))
    const own = { organization: customers[0]!.id }
    expect((await by.govern(bot, [{ action: 'REPLY', mode: 'NONE' }], own)).value.governance!.version).toBe(2)
    const [strict, lenient] = await Promise.all(
      customers.map(({ id }) =>
        fixture.create({ organization: id, messages: [{ role: 'CONTACT', text: 'hello' }] }, fixture.admin),
      ),
    )
    expect(await fixture.send(bot, strict!.id, REPLY)).toMatchObject(refused('REPLY'))
    expect(await fixture.send(bot, lenient!.id, REPLY)).not.toHaveProperty('code')
    await by.govern(bot, [], own)
    expect(await fixture.send(bot, strict!.id, REPLY)).not.toHaveProperty('code')
  })

  it('gets the answer of what it sent before, also after its grant is gone', async () => {
    const bot = await governed(acting('REPLY'))
    const { id } = await waiting()
    const message = { ...REPLY, id: fixture.clock.newId() }
    const { value } = await fixture.send(bot, id, message)
    await by.govern(bot, [])
    expect((await fixture.send(bot, id, message)).value).toMatchObject({ id: value.id, position: value.position })
    expect(await fixture.send(bot, id, { ...message, id: fixture.clock.newId() })).toMatchObject(refused('REPLY'))
  })

  it('is held to its grants on /v2 and /mcp, and in the answers of its webhook', async () => {
    const bot = await governed(acting('NOTE'))
    const { id } = await waiting()
    const rest = await fixture.rest(bot, 'POST', `/v2/conversations/${id}/messages`, { text: 'x', role: 'agent' })
    expect(rest).toMatchObject({ status: 403, body: { reason: 'NO_GRANT', action: 'reply', mode: 'none' } })
    const client = await connectOfficial([fixture.url], await fixture.tokenFor(bot), '2026-07-28')
    const seen = await by.markOf(id, bot)
    const call = (name: string, more: object) =>
      client.callTool({
        name,
        arguments: { conversation: id, mark: seen, idempotencyKey: crypto.randomUUID(), ...more },
      })
    expect(refusalIn(await call('reply', { text: 'x' }))).toMatchObject({ reason: 'NO_GRANT', action: 'REPLY' })
    expect(refusalIn(await call('hand_over', { summary: 'x' }))).toMatchObject({ action: 'HAND_OVER' })
    await client.close()
    const hook = await hooks.register(fixture.admin, { events: ['message.create.contact.chat'], bot: bot.id })
    const answer = { messages: [{ role: 'agent', text: 'from the hook' }] }
    hook.receiver.answer = () => ({ body: JSON.stringify(answer) })
    await fixture.send(fixture.admin, id, { role: 'CONTACT', text: 'hello?' })
    const [delivery] = await until(
      () => hooks.deliveries(fixture.admin, hook.id),
      (all) => all[0]?.reply != null,
    )
    expect(delivery!.reply).toMatch(/^refused: the bot's grants have none for reply/)
    expect(await textsOf(id)).toEqual(['hello', 'hello?'])
  })

  it('begins no stream without a grant; one that it has begun is stopped with it, unless it is granted still', async () => {
    const streams = streamsOf(fixture)
    const bot = await governed(acting('REPLY'))
    const [one, other] = [await waiting(), await waiting()]
    const { value: first } = await streams.begin(bot, one.id)
    const { value: second } = await streams.begin(bot, other.id)
    await streams.append(bot, first.id, 0, 'on its way')
    await streams.append(bot, second.id, 0, 'half')
    await fixture.command(fixture.ann, other.id, '/set @category Billing')
    const billing = { all: [{ fact: 'conversation', path: '.category', operator: 'equal', value: 'Billing' }] }
    await by.govern(bot, [{ action: 'REPLY', mode: 'NONE', conditions: billing }, ...acting('REPLY')])
    await until(
      () => textsOf(other.id),
      (texts) => texts.includes('half'),
    )
    expect(await streams.append(bot, second.id, 4, ' more')).toMatchObject({
      details: { reason: 'STREAM_ENDED', ending: 'STOPPED' },
    })
    expect(await streams.append(bot, first.id, 10, '!')).not.toHaveProperty('code')
    await by.govern(bot, [])
    expect(await streams.begin(bot, one.id)).toMatchObject(refused('REPLY'))
    await until(
      () => textsOf(one.id),
      (texts) => texts.includes('on its way!'),
    )
    expect(await streams.finish(bot, first.id, 11)).toHaveProperty('code')
  })

  it('does no step of a macro or of a bulk act that is not granted, and none of the others', async () => {
    const bot = await governed(allBut('REPLY'))
    const { id } = await waiting()
    const steps = [
      { kind: 'NOTE', text: 'a note' },
      { kind: 'REPLY', text: 'an answer' },
    ]
    const { value: macro } = await fixture.run<{ id: string }>(
      bot,
      'mutation ($input: CreateMacroInput!) { createMacro(input: $input) { id } }',
      { input: { name: 'both', steps } },
    )
    const run = `mutation ($macro: ID!, $on: [ID!]!, $id: ID!) {
      runMacro(macro: $macro, conversations: $on, id: $id) { refusal { reason } } }`
    const given = { macro: macro.id, on: [id], id: fixture.clock.newId() }
    expect((await fixture.run(bot, run, given)).value).toEqual([{ refusal: { reason: 'NO_GRANT' } }])
    const bulk = `mutation ($on: [ID!], $id: ID!) {
      bulk(act: { step: { kind: REPLY, text: "to all" } }, id: $id, conversations: $on) { id } }`
    const started = await fixture.run<{ id: string }>(bot, bulk, { on: [id], id: fixture.clock.newId() })
    expect(started).not.toHaveProperty('code')
    const ended = await until(
      async () =>
        (
          await fixture.run<{ state: string; refusals: { reason: string }[] }>(
            bot,
            'query ($id: ID!) { bulkRun(id: $id) { state refusals { reason } } }',
            { id: started.value.id },
          )
        ).value,
      ({ state }) => state === 'DONE',
    )
    expect(ended.refusals).toEqual([{ reason: 'NO_GRANT' }])
    expect(await textsOf(id)).toEqual(['hello'])
  })

  it('that is paused is refused as that', async () => {
    const bot = await governed(acting(...ACTIONS))
    const { id } = await waiting()
    await fixture.run(fixture.admin, 'mutation ($id: ID!) { pauseBot(id: $id) { id } }', { id: bot.id })
    expect((await fixture.send(bot, id, REPLY)).details.reason).toBe('BOT_PAUSED')
  })
})
