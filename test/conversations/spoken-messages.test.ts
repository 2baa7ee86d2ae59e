import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { newContact, rule, startConversationFixture, type ConversationFixture } from './conversation-fixture.js'

let app: ConversationFixture

beforeAll(async () => {
  app = await startConversationFixture()
})
afterAll(() => app.close())

const SEND = `mutation ($id: ID!, $message: MessageInput!) {
  sendMessage(conversation: $id, message: $message) { role audience touchpoint deliveries { touchpoint status } } }`

interface Sent {
  role: string
  audience: string
  touchpoint: string | null
  deliveries: { touchpoint: string; status: string }[]
}

const say = async (as: Parameters<typeof app.run>[0], id: string, message: object): Promise<Sent> =>
  (await app.run<Sent>(as, SEND, { id, message })).value

describe('the role of a message that names none', () => {
  // [2.9 role agent] [4.7 delivery rule 1]
  it("is the agent's in GraphQL: the consumer gets it", async () => {
    const { id } = await app.create({ messages: [{ role: 'CONTACT', text: 'Hello' }] })
    for (const by of [app.ann, app.admin]) {
      expect(await say(by, id, { text: 'Hi' })).toEqual({
        role: 'AGENT',
        audience: 'CONSUMER',
        touchpoint: 'WEB',
        deliveries: [{ touchpoint: 'WEB', status: 'SENT' }],
      })
    }
  })

  it("is the bot's own in GraphQL, and says that the team alone gets it", async () => {
    const { id } = await app.create()
    expect(await say(app.bot, id, { text: 'Looking it up' })).toMatchObject({ role: 'BOT', audience: 'TEAM' })
  })

  it('speaks to nobody for commands, mentions and forms', async () => {
    const { id } = await app.create()
    const mention = { type: 'MENTION', text: '@Ben', meta: { targetUser: app.ben.id } }
    for (const message of [{ type: 'COMMAND', text: '/join' }, mention]) {
      expect(await say(app.ann, id, message)).toMatchObject({ role: 'BOT', audience: 'TEAM', deliveries: [] })
    }
  })

  it('makes a note of an agent one for the team', async () => {
    const { id } = await app.create()
    const note = { text: 'A note', isBackchannel: true }
    expect(await say(app.ann, id, note)).toMatchObject({ role: 'AGENT', audience: 'TEAM', deliveries: [] })
  })

  // [2.9 role default] [4.7 POST messages of a conversation defaults]
  it('is `bot` on /v2, whoever sends, and the answer says so', async () => {
    const { id } = await app.create()
    const { body } = await app.rest(app.ann, 'POST', `/v2/conversations/${id}/messages`, { text: 'Hi' })
    expect(body).toMatchObject({ type: 'chat', role: 'bot', audience: 'team' })
    const agent = await app.rest(app.ann, 'POST', `/v2/conversations/${id}/messages`, { role: 'agent', text: 'Hi' })
    expect(agent.body).toMatchObject({ role: 'agent', audience: 'consumer', touchpoint: 'web' })
  })

  it('reaches the team in a conversation of the team', async () => {
    const { status, body } = await app.rest(app.ann, 'POST', '/v2/conversations', { name: 'Team' })
    expect(status).toBe(201)
    expect(await say(app.ann, body.id, { text: 'Hi' })).toMatchObject({ role: 'AGENT', audience: 'TEAM' })
  })
})

describe('the first message', () => {
  const create = (messages: object[], more: object = {}) =>
    app.rest(app.admin, 'POST', '/v2/conversations', { type: 'contact', contact: newContact(), messages, ...more })

  // [4.7 create rule 3]
  it.each(['bot', 'contact', 'agent'])('needs a touchpoint in a create, also by role %s', async (role) => {
    const { status, body } = await create([{ role, text: 'Hi' }])
    expect([status, body.field]).toEqual([422, 'messages[0].touchpoint'])
    expect((await create([{ role, text: 'Hi', touchpoint: 'web' }])).status).toBe(201)
    expect((await create([{ role, text: 'Hi' }], { touchpoint: 'web' })).status).toBe(201)
  })

  it.each(['bot', 'contact', 'agent'])('needs one later as well, by role %s, and gives it', async (role) => {
    const { body } = await create([])
    const send = (message: object) => app.rest(app.admin, 'POST', `/v2/conversations/${body.id}/messages`, message)
    const refused = await send({ role, text: 'Hi' })
    expect([refused.status, refused.body.field]).toEqual([422, 'touchpoint'])
    expect((await send({ type: 'command', text: '/join' })).status).toBe(201)
    expect((await send({ role, text: 'Hi', touchpoint: 'email' })).status).toBe(201)
    expect(await app.show(body.id)).toMatchObject({ touchpoint: 'EMAIL' })
    expect((await send({ role, text: 'Hi again' })).status).toBe(201)
  })
})

describe('the fact message.touchpoint', () => {
  const wroteBy = (value: string) => ({ all: [{ fact: 'message', path: '.touchpoint', operator: 'equal', value }] })

  // [4.6 fact message touchpoint]
  it('stays the way of the last consumer message after /set @touchpoint', async () => {
    const organization = await app.makeOrganization({ name: 'Facts' })
    const admin = await app.makeUser({ organization, role: 'admin' })
    const channel = await app.makeChannel('Web', [], organization)
    await app.makeWorkflow([rule({ name: 'web', channels: [channel] }, { conditions: wroteBy('web') })], {
      organization,
    })
    const input = { contact: newContact(), touchpoint: 'WEB', messages: [{ role: 'CONTACT', text: 'Hello' }] }
    const { id } = await app.create(input, admin)
    await say(admin, id, { text: 'Hi' })
    await app.command(admin, id, '/leave')
    await app.command(admin, id, '/set @touchpoint email')
    await app.command(admin, id, '/notify')
    expect(await app.show(id, admin)).toMatchObject({
      status: 'QUEUED',
      touchpoint: 'EMAIL',
      channelsOffline: [channel],
    })
    // A reply on the consumer's behalf goes the same way.
    expect(await say(admin, id, { role: 'CONTACT', text: 'Still there?' })).toMatchObject({ touchpoint: 'WEB' })
  })
})

describe("facts of 4.5's mock keys in live rules", () => {
  // [4.5 mock organization, mock conversation]
  it('has the status of the contact and the commands of the organization', async () => {
    const organization = await app.makeOrganization({ name: 'More facts' })
    const admin = await app.makeUser({ organization, role: 'admin' })
    await app.rest(admin, 'PATCH', `/v2/organizations/${organization.id}`, { commands: ['>book'] })
    const channel = await app.makeChannel('All', [], organization)
    const conditions = {
      all: [
        { fact: 'conversation', path: '.contactStatus', operator: 'equal', value: 'active' },
        { fact: 'organization', path: '.commands', operator: 'contains', value: '>book' },
      ],
    }
    await app.makeWorkflow([rule({ name: 'both', channels: [channel] }, { conditions })], { organization })
    const queued = await app.create({ messages: [{ role: 'CONTACT', text: 'Hello' }] }, admin)
    expect(queued.channelsOffline).toEqual([channel])
    // The contact is stored by now.
    await say(admin, queued.id, { text: 'Hi' })
    await app.command(admin, queued.id, '/leave')
    await app.command(admin, queued.id, '/notify')
    expect((await app.show(queued.id, admin)).channelsOffline).toEqual([channel])
  })
})

describe('/set @touchpoint', () => {
  const SET = `mutation ($id: ID!, $patch: SetConversationInput!) { setConversation(conversation: $id, patch: $patch) { id } }`

  // [4.8 /set @touchpoint]
  it('refuses what the conversation cannot use, with the reason', async () => {
    const { id } = await app.create({ contact: newContact() })
    for (const touchpoint of ['sms', 'messenger']) {
      const refused = await app.command(app.ann, id, `/set @touchpoint ${touchpoint}`)
      expect(refused).toMatchObject({
        code: 'UNPROCESSABLE',
        details: { field: 'text', touchpoint: touchpoint.toUpperCase() },
      })
      expect(refused.message).toContain(`no active service for ${touchpoint}`)
    }
    const { message, details } = await app.run(app.ann, SET, { id, patch: { touchpoint: 'SMS' } })
    expect([details.field, message]).toEqual(['patch.touchpoint', expect.stringContaining('patch.touchpoint sets')])
    const { status, body } = await app.rest(app.admin, 'PATCH', `/v2/conversations/${id}`, { touchpoint: 'sms' })
    expect([status, body.field]).toEqual([422, 'touchpoint'])
    expect(await app.show(id)).toMatchObject({ touchpoint: 'WEB' })
    expect((await app.command(app.ann, id, '/set @touchpoint email')).code).toBeUndefined()
  })

  it('takes a touchpoint that the conversation got since it began', async () => {
    const organization = await app.makeOrganization({ name: 'Later' })
    const admin = await app.makeUser({ organization, role: 'admin' })
    const contact = { profile: { name: 'Eve', telephone: '+31612345678' } }
    const { id } = await app.create({ contact, touchpoint: 'SMS' }, admin)
    expect((await app.command(admin, id, '/set @touchpoint web')).code).toBe('UNPROCESSABLE')
    const service = await app.rest(admin, 'POST', '/v2/services', { type: 'web', name: 'Site' })
    expect(service.status).toBe(201)
    expect((await app.command(admin, id, '/set @touchpoint web')).code).toBeUndefined()
    expect(await app.show(id, admin)).toMatchObject({ touchpoint: 'WEB', touchpoints: { web: { selected: true } } })
  })

  it('is refused in a conversation of the team, which has no consumer', async () => {
    const { body } = await app.rest(app.ann, 'POST', '/v2/conversations', { name: 'Team' })
    expect((await app.command(app.ann, body.id, '/set @touchpoint web')).message).toContain('it has no contact')
  })
})
