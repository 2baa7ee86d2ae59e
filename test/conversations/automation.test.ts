import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import type { MadeUser } from '../support/factories.js'
import { until } from '../support/until.js'
import { startConversationFixture, type ConversationFixture } from './conversation-fixture.js'

let fixture: ConversationFixture
beforeAll(async () => {
  fixture = await startConversationFixture()
})
afterAll(() => fixture.close())

const makeBot = (more: object = {}): Promise<MadeUser> =>
  fixture.makeUser({ organization: fixture.organization, role: 'bot', ...more })
const consumerSays = (id: string, text: string) => fixture.send(fixture.admin, id, { role: 'CONTACT', text })
const guestOf = async (id: string): Promise<string> => {
  const make = 'mutation ($id: ID!) { createGuestToken(conversation: $id) { token } }'
  return (await fixture.run<{ token: string }>(fixture.bot, make, { id })).value.token
}

describe('a paused bot', () => {
  const pause = (as: MadeUser, id: string, verb = 'pauseBot') =>
    fixture.run<{ pausedAt: string | null }>(as, `mutation ($id: ID!) { ${verb}(id: $id) { id pausedAt } }`, { id })

  it('may read and nothing else, and its conversations are queued again until it is let go on', async () => {
    const bot = await makeBot()
    const { id } = await fixture.create({ messages: [{ role: 'CONTACT', text: 'hello' }] })
    await fixture.send(bot, id, { role: 'AGENT', text: 'hi' })
    await consumerSays(id, 'and?')
    expect((await fixture.show(id)).status).toBe('ACTIVE')
    expect((await pause(fixture.admin, bot.id)).value.pausedAt).not.toBeNull()

    expect(await fixture.send(bot, id, { role: 'AGENT', text: 'blind' })).toMatchObject({
      code: 'FORBIDDEN',
      details: { reason: 'BOT_PAUSED' },
    })
    expect(await fixture.command(bot, id, '/accept')).toMatchObject({ code: 'FORBIDDEN' })
    expect(await fixture.tryCreate({}, bot)).toMatchObject({ code: 'FORBIDDEN' })
    const rest = await fixture.rest(bot, 'POST', `/v2/conversations/${id}/messages`, { text: 'x', role: 'agent' })
    expect(rest).toMatchObject({ status: 403, body: { reason: 'BOT_PAUSED' } })
    expect((await fixture.show(id, bot)).id).toBe(id)
    await until(
      async () => (await fixture.show(id)).status,
      (status) => status === 'QUEUED',
    )

    expect((await pause(fixture.admin, bot.id, 'resumeBot')).value.pausedAt).toBeNull()
    expect(await fixture.send(bot, id, { role: 'AGENT', text: 'back' })).not.toHaveProperty('code')
  })

  it('sends no message that waits for its delay', async () => {
    const bot = await makeBot()
    const { id } = await fixture.create({ messages: [{ role: 'CONTACT', text: 'hello' }] })
    await fixture.send(bot, id, { role: 'AGENT', text: 'later', delay: 60_000 })
    await pause(fixture.admin, bot.id)
    await fixture.send(fixture.ann, id, { role: 'AGENT', text: 'then', delay: 61_000 })
    fixture.clock.advance(62_000)
    const texts = await until(
      async () => (await fixture.show(id)).messages.edges.map(({ node }) => node.text),
      (all) => all.includes('then'),
    )
    expect(texts).not.toContain('later')
  })

  it('is stopped by a supervisor of a channel that it reaches, and by nobody else', async () => {
    const bot = await makeBot()
    expect(await pause(fixture.ben, bot.id)).toMatchObject({ code: 'FORBIDDEN' })
    expect(await pause(fixture.admin, fixture.ann.id)).toMatchObject({ details: { reason: 'NOT_A_BOT' } })
    const stranger = await fixture.makeUser({ organization: await fixture.makeOrganization(), role: 'admin' })
    expect(await pause(stranger, bot.id)).toMatchObject({ code: 'NOT_FOUND' })
    const supervise =
      'mutation ($id: ID!, $patch: UpdateChannelInput!) { updateChannel(id: $id, patch: $patch) { id } }'
    const channel = await fixture.makeChannel('Watched')
    await fixture.run(fixture.admin, supervise, {
      id: channel,
      patch: { members: [{ user: fixture.ben.id, supervisor: true }] },
    })
    expect(await pause(fixture.ben, bot.id)).not.toHaveProperty('code')
    const all = 'mutation { pauseBots { id } }'
    expect(await fixture.run(fixture.ben, all)).toMatchObject({ code: 'FORBIDDEN' })
  })

  it('is stopped with all bots of its organization, also one that is made later', async () => {
    const organization = await fixture.makeOrganization()
    const admin = await fixture.makeUser({ organization, role: 'admin' })
    const bot = await fixture.makeUser({ organization, role: 'bot' })
    const mine = { input: { name: 'team', type: 'BOT', messages: [{ text: 'x' }] } }
    const create = 'mutation ($input: CreateConversationInput!) { createConversation(input: $input) { id } }'
    expect(await fixture.run(bot, create, mine)).not.toHaveProperty('code')
    expect(await fixture.run(admin, 'mutation { pauseBots { id } }')).not.toHaveProperty('code')
    const later = await fixture.makeUser({ organization, role: 'bot' })
    for (const each of [bot, later])
      expect((await fixture.run(each, create, mine)).details).toMatchObject({ reason: 'BOT_PAUSED' })
    expect(await fixture.run(admin, create, mine)).not.toHaveProperty('code')
    expect(await fixture.run(admin, 'mutation { resumeBots { id } }')).not.toHaveProperty('code')
    for (const each of [bot, later]) expect(await fixture.run(each, create, mine)).not.toHaveProperty('code')
  })
})

describe('what stops a bot', () => {
  const PAUSES = 'pausedAt pauses { at byId by { displayName } organizationId }'
  const pausesOf = async (as: MadeUser, id: string) =>
    (await fixture.run<Paused>(as, `query ($id: ID!) { user(id: $id) { ${PAUSES} } }`, { id })).value
  interface Paused {
    pausedAt: string | null
    pauses: { at: string; byId: string; by: { displayName: string } | null; organizationId: string | null }[]
  }

  it('is told with who did it and for whom, wherever the bot is named, until each has ended', async () => {
    const organization = await fixture.makeOrganization()
    const below = await fixture.makeOrganization({ parent: organization })
    const admin = await fixture.makeUser({ organization, role: 'admin', displayName: 'Olga' })
    const lower = await fixture.makeUser({ organization: below, role: 'admin', displayName: 'Lena' })
    const bot = await fixture.makeUser({ organization: below, role: 'bot' })
    const act = (as: MadeUser, verb: string, id: string) =>
      fixture.run(as, `mutation ($id: ID!) { ${verb}(${verb.endsWith('s') ? 'organization' : 'id'}: $id) { id } }`, {
        id,
      })
    expect(await pausesOf(admin, bot.id)).toEqual({ pausedAt: null, pauses: [] })
    await act(admin, 'pauseBots', organization.id)
    fixture.clock.advance(1_000)
    await act(lower, 'pauseBot', bot.id)
    const all = { byId: admin.id, by: { displayName: 'Olga' }, organizationId: organization.id }
    const alone = { byId: lower.id, by: { displayName: 'Lena' }, organizationId: null }
    const { pausedAt, pauses } = await pausesOf(lower, bot.id)
    expect(pauses).toMatchObject([all, alone])
    expect(pausedAt).toBe(pauses[0]!.at)
    const create = 'mutation ($input: CreateConversationInput!) { createConversation(input: $input) { id } }'
    const made = await fixture.run<{ id: string }>(lower, create, {
      input: { type: 'BOT', participants: [bot.id], messages: [{ text: 'x' }] },
    })
    expect(made).not.toHaveProperty('code')
    const named = await fixture.run<{ participants: { user: Paused | null }[] }>(
      lower,
      `query ($id: ID!) { conversation(id: $id) { participants { userId user { ${PAUSES} } } } }`,
      { id: made.value.id },
    )
    expect(named.value.participants.map(({ user }) => user)).toContainEqual({ pausedAt, pauses })
    const ofOrganization = async (id: string) =>
      (
        await fixture.run<{ botPauses: object[] }>(
          admin,
          'query ($id: ID!) { organization(id: $id) { botPauses { byId by { displayName } organizationId } } }',
          { id },
        )
      ).value.botPauses
    expect(await ofOrganization(organization.id)).toEqual([all])
    expect(await ofOrganization(below.id)).toEqual([all])
    await act(admin, 'resumeBots', organization.id)
    expect((await pausesOf(lower, bot.id)).pauses).toMatchObject([alone])
    expect(await ofOrganization(below.id)).toEqual([])
    await act(lower, 'resumeBot', bot.id)
    expect(await pausesOf(lower, bot.id)).toEqual({ pausedAt: null, pauses: [] })
  })

  it('is no matter of a consumer', async () => {
    const bot = await makeBot({ displayName: 'Stopped' })
    const { id } = await fixture.create({ messages: [{ role: 'CONTACT', text: 'hello' }] })
    await fixture.send(bot, id, { role: 'AGENT', text: 'hi' })
    await fixture.run(fixture.admin, 'mutation ($id: ID!) { pauseBot(id: $id) { id } }', { id: bot.id })
    const answer = await fixture.run<{ messages: { edges: { node: { user: object | null } }[] } }>(
      await guestOf(id),
      'query ($id: ID!) { conversation(id: $id) { messages(last: 5) { edges { node { user { pausedAt pauses { byId } } } } } } }',
      { id },
    )
    const users = answer.value.messages.edges.map(({ node }) => node.user)
    expect(users).toContainEqual({ pausedAt: null, pauses: [] })
  })
})

describe('automations that answer each other', () => {
  it('are stopped at the fifth answer, until a person writes', async () => {
    const [one, other] = [await makeBot(), await makeBot()]
    const { id } = await fixture.create()
    await consumerSays(id, 'hello')
    let depth = 0
    for (const [index, bot] of [one, other, one, other].entries()) {
      const { value } = await fixture.send(bot, id, { role: 'AGENT', text: `answer ${index}`, depth })
      const query = 'query ($id: ID!) { message(id: $id) { depth } }'
      depth = (await fixture.run<{ depth: number }>(bot, query, { id: value.id })).value.depth
      expect(depth).toBe(index + 1)
    }
    expect(await fixture.send(one, id, { role: 'AGENT', text: 'and on', depth })).toMatchObject({
      code: 'UNPROCESSABLE',
      details: { reason: 'TOO_DEEP', field: 'depth' },
    })
    // As a consumer, too: a bot that passes on what another one said.
    expect(await fixture.send(other, id, { role: 'CONTACT', text: 'and on', depth })).toMatchObject({
      details: { reason: 'TOO_DEEP' },
    })
    await consumerSays(id, 'I am here')
    expect(await fixture.send(one, id, { role: 'AGENT', text: 'good', depth: 0 })).not.toHaveProperty('code')
    expect(await fixture.send(fixture.ann, id, { role: 'AGENT', text: 'x', depth: 0 })).toMatchObject({
      code: 'BAD_USER_INPUT',
    })
  })
})

describe('disclosure', () => {
  const UPDATE = 'mutation ($id: ID!, $patch: UpdateUserInput!) { updateUser(id: $id, patch: $patch) { disclosure } }'
  const shown = async (id: string, as: MadeUser | string = fixture.admin) => {
    const query = `query ($id: ID!) { conversation(id: $id) { messages(first: 50) { edges { node { text role isAutomated disclosure } } } } }`
    type Said = { text: string; role: string; isAutomated: boolean | null; disclosure: string | null }
    const { value } = await fixture.run<{ messages: { edges: { node: Said }[] } }>(as, query, { id })
    return value.messages.edges.map(({ node }) => node).filter(({ role }) => role === 'AGENT')
  }

  it("opens a bot's first message to the consumer in each case, in the consumer's language, and labels all of them", async () => {
    const bot = await makeBot()
    const disclosure = { en: 'I am a bot.', nl: 'Ik ben een bot.' }
    expect((await fixture.run(fixture.admin, UPDATE, { id: bot.id, patch: { disclosure } })).value).toEqual({
      disclosure,
    })
    const { id } = await fixture.create({ language: 'nl', messages: [{ role: 'CONTACT', text: 'hallo' }] })
    await fixture.send(bot, id, { role: 'BOT', text: 'for the team' })
    await fixture.send(bot, id, { role: 'AGENT', text: 'one' })
    await fixture.send(bot, id, { role: 'AGENT', text: 'two' })
    await fixture.send(fixture.ann, id, { role: 'AGENT', text: 'a person' })
    const guest = await guestOf(id)
    for (const reader of [fixture.admin, guest])
      expect(await shown(id, reader)).toEqual([
        { text: 'one', role: 'AGENT', isAutomated: true, disclosure: 'Ik ben een bot.' },
        { text: 'two', role: 'AGENT', isAutomated: true, disclosure: null },
        { text: 'a person', role: 'AGENT', isAutomated: null, disclosure: null },
      ])
    // Another case.
    await fixture.command(bot, id, '/leave')
    await fixture.command(fixture.ann, id, '/leave')
    expect((await fixture.show(id)).status).toBe('CLOSED')
    fixture.clock.advance(60_000)
    await consumerSays(id, 'again')
    await fixture.command(fixture.admin, id, '/set @language fr')
    await fixture.send(bot, id, { role: 'AGENT', text: 'three' })
    expect((await shown(id)).at(-1)).toMatchObject({ text: 'three', disclosure: 'I am a bot.' })
  })

  it('is the bot and nobody else: what a bot sends for an agent is the agent’s', async () => {
    const bot = await makeBot()
    await fixture.run(fixture.admin, UPDATE, { id: bot.id, patch: { disclosure: { en: 'I am a bot.' } } })
    const { id } = await fixture.create({ messages: [{ role: 'CONTACT', text: 'hi' }] })
    await fixture.send(bot, id, { role: 'AGENT', text: 'by Ann', user: fixture.ann.id })
    expect(await shown(id)).toEqual([{ text: 'by Ann', role: 'AGENT', isAutomated: null, disclosure: null }])
    const refused = await fixture.run(fixture.admin, UPDATE, { id: fixture.ann.id, patch: { disclosure: { en: 'x' } } })
    expect(refused).toMatchObject({ code: 'UNPROCESSABLE', details: { reason: 'NOT_A_BOT', field: 'disclosure' } })
    for (const wrong of [{}, { english: 'x' }, { en: '' }, { en: 'x'.repeat(501) }, { en: 5 }, []])
      expect(await fixture.run(fixture.admin, UPDATE, { id: bot.id, patch: { disclosure: wrong } })).toMatchObject({
        code: 'BAD_USER_INPUT',
      })
  })
})

describe('askForPerson', () => {
  const ask = (as: MadeUser | string, id: string) =>
    fixture.run<boolean>(as, 'mutation ($id: ID!) { askForPerson(conversation: $id) }', { id })

  it('queues the conversation for agents, without the bot; nothing if a person has it', async () => {
    const bot = await makeBot()
    const { id } = await fixture.create({ messages: [{ role: 'CONTACT', text: 'hello' }] })
    await fixture.send(bot, id, { role: 'AGENT', text: 'hi' })
    const guest = await guestOf(id)
    expect((await ask(guest, id)).value).toBe(true)
    const queued = await fixture.show(id)
    expect([queued.status, queued.participants]).toEqual(['QUEUED', []])
    expect([...queued.channels, ...queued.channelsOffline]).toContain(fixture.channel)
    const count = queued.messages.edges.length
    expect((await ask(guest, id)).value).toBe(true)
    expect((await fixture.show(id)).messages.edges).toHaveLength(count)
    await fixture.command(fixture.ann, id, '/accept')
    expect((await ask(guest, id)).value).toBe(false)
    expect((await fixture.show(id)).status).toBe('ACTIVE')
    expect(await ask(fixture.ann, id)).toMatchObject({ code: 'FORBIDDEN' })
    const other = await fixture.create()
    expect(await ask(guest, other.id)).toMatchObject({ code: 'NOT_FOUND' })
  })
})
