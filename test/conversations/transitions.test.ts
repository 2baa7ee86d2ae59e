import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import pino from 'pino'
import { readConfig } from '../../src/platform/config.js'
import { createServer } from '../../src/app/server.js'
import {
  newContact,
  startConversationFixture,
  texts,
  until,
  type ConversationFixture,
  type Shown,
} from './conversation-fixture.js'

type Status = Shown['status']
const STATUSES: readonly Status[] = ['QUEUED', 'ACTIVE', 'CLOSED', 'ARCHIVED']

let fixture: ConversationFixture
beforeAll(async () => {
  fixture = await startConversationFixture()
})
afterAll(() => fixture.close())

/** Result of each move for each status (3.1); a code where it is refused, and then nothing has changed. */
interface Row {
  move: string
  to: Record<Status, Status | 'UNPROCESSABLE' | 'FORBIDDEN'>
  send(conversation: string): Promise<{ code?: string }>
}

const REFUSED = 'UNPROCESSABLE'
const MOVES: readonly Row[] = [
  {
    move: 'closeConversation by an agent in it',
    to: { QUEUED: REFUSED, ACTIVE: 'CLOSED', CLOSED: REFUSED, ARCHIVED: REFUSED },
    send: (id) =>
      fixture.run(fixture.ann, 'mutation ($id: ID!) { closeConversation(conversation: $id) { undoUntil } }', { id }),
  },
  {
    move: 'a consumer message',
    to: { QUEUED: 'QUEUED', ACTIVE: 'ACTIVE', CLOSED: 'QUEUED', ARCHIVED: REFUSED },
    send: (id) => fixture.send(fixture.bot, id, { role: 'CONTACT', text: 'anybody?' }),
  },
  {
    move: "an agent's message",
    to: { QUEUED: 'ACTIVE', ACTIVE: 'ACTIVE', CLOSED: 'ACTIVE', ARCHIVED: REFUSED },
    send: (id) => fixture.send(fixture.ben, id, { role: 'AGENT', text: 'yes' }),
  },
  {
    move: "a bot's message",
    to: { QUEUED: 'QUEUED', ACTIVE: 'ACTIVE', CLOSED: 'CLOSED', ARCHIVED: REFUSED },
    send: (id) => fixture.send(fixture.bot, id, { text: 'a hint' }),
  },
  {
    move: "an agent's backchannel message",
    to: { QUEUED: 'QUEUED', ACTIVE: 'ACTIVE', CLOSED: 'CLOSED', ARCHIVED: REFUSED },
    send: (id) => fixture.send(fixture.ben, id, { role: 'AGENT', isBackchannel: true, text: 'psst' }),
  },
  {
    move: '/notify',
    to: { QUEUED: 'QUEUED', ACTIVE: 'ACTIVE', CLOSED: 'QUEUED', ARCHIVED: REFUSED },
    send: (id) => fixture.command(fixture.ben, id, '/notify'),
  },
  {
    move: '/enqueue',
    to: { QUEUED: 'QUEUED', ACTIVE: 'QUEUED', CLOSED: 'QUEUED', ARCHIVED: REFUSED },
    send: (id) => fixture.command(fixture.bot, id, '/enqueue'),
  },
  {
    move: '/accept',
    to: { QUEUED: 'ACTIVE', ACTIVE: 'ACTIVE', CLOSED: 'ACTIVE', ARCHIVED: REFUSED },
    send: (id) => fixture.command(fixture.ben, id, '/accept'),
  },
  {
    move: '/accept with ifQueued',
    to: { QUEUED: 'ACTIVE', ACTIVE: REFUSED, CLOSED: REFUSED, ARCHIVED: REFUSED },
    send: (id) => fixture.command(fixture.ben, id, '/accept', { meta: { ifQueued: true } }),
  },
  {
    move: '/join',
    to: { QUEUED: 'QUEUED', ACTIVE: 'ACTIVE', CLOSED: 'CLOSED', ARCHIVED: REFUSED },
    send: (id) => fixture.command(fixture.ben, id, '/join'),
  },
  {
    move: "/leave of the last accepting agent, the consumer's message answered",
    to: { QUEUED: 'QUEUED', ACTIVE: 'CLOSED', CLOSED: 'CLOSED', ARCHIVED: REFUSED },
    send: (id) => fixture.command(fixture.ann, id, '/leave'),
  },
  {
    move: '/block',
    to: { QUEUED: 'CLOSED', ACTIVE: 'CLOSED', CLOSED: 'CLOSED', ARCHIVED: REFUSED },
    send: (id) => fixture.command(fixture.ben, id, '/block'),
  },
]

describe('the status of a conversation (3.1)', () => {
  for (const { move, to, send } of MOVES) {
    // [2.8 status] [3.1 values, closed by a contact message, closed by a contact message then workflows, closed by
    // /notify, closed by /enqueue, queued by /accept, queued by /accept clears channelsOffline, active by /leave when
    // answered, any by /block, queued by /join, accepted, accepted without channels] [4.7 create rule 6] [4.8 /notify,
    // /join status, /accept, /accept clears channelsOffline, /block closes] [1 commands]
    it.each(STATUSES)(`${move}: from %s`, async (from) => {
      const before = await fixture.inStatus(from)
      expect(before.status).toBe(from)
      const { code } = await send(before.id)
      const after = await fixture.show(before.id)
      const wanted = to[from]
      if (wanted === REFUSED) {
        expect(code).toBe(REFUSED)
        expect(after).toEqual(before)
      } else {
        expect(code).toBeUndefined()
        expect(after.status).toBe(wanted)
        expect([...after.channels, ...after.channelsOffline]).toEqual(wanted === 'QUEUED' ? [fixture.channel] : [])
      }
    })
  }

  // [3.1 active by /leave unanswered, active by /leave unanswered then workflows, active closed by an agent, accepted,
  // active closed by an agent then channels, /close] [4.8 /leave]
  it('requeues an active one when the last accepting agent leaves the consumer unanswered', async () => {
    const { id } = await fixture.inStatus('ACTIVE')
    await fixture.send(fixture.bot, id, { role: 'CONTACT', text: 'one more thing' })
    await fixture.command(fixture.ben, id, '/accept')
    await fixture.command(fixture.ann, id, '/leave')
    expect(await fixture.show(id)).toMatchObject({ status: 'ACTIVE', participants: [{ userId: fixture.ben.id }] })
    await fixture.command(fixture.ben, id, '/close')
    const left = await fixture.show(id)
    expect(left).toMatchObject({ status: 'QUEUED', participants: [], channelsOffline: [fixture.channel] })
    expect(left.routingTrace[0]).toMatchObject({ trigger: '/leave' })
  })

  it('does not count backchannel messages as answers', async () => {
    const { id } = await fixture.inStatus('QUEUED')
    await fixture.command(fixture.ann, id, '/accept')
    await fixture.send(fixture.ann, id, { role: 'AGENT', isBackchannel: true, text: 'what does he want?' })
    await fixture.command(fixture.ann, id, '/leave')
    expect((await fixture.show(id)).status).toBe('QUEUED')
  })

  it('voids an earlier accept when a queued conversation is accepted again', async () => {
    const { id } = await fixture.create({
      messages: [
        { role: 'AGENT', user: fixture.ann.id, text: 'hello' },
        { role: 'CONTACT', text: 'who is that?' },
      ],
    })
    await fixture.command(fixture.ben, id, '/accept')
    await fixture.send(fixture.ben, id, { role: 'AGENT', text: 'we are' })
    await fixture.command(fixture.ben, id, '/leave')
    expect((await fixture.show(id)).status).toBe('CLOSED')
  })

  // [4.8 /block, /block closes]
  it('blocks the contact: further messages are refused, even after the conversation is reopened', async () => {
    const { id } = await fixture.inStatus('QUEUED')
    await fixture.command(fixture.ben, id, '/block')
    expect(await fixture.send(fixture.bot, id, { role: 'CONTACT', text: 'let me in' })).toMatchObject({
      code: 'FORBIDDEN',
    })
    expect(texts(await fixture.show(id))).toEqual(['hello', '/block'])
  })
})

describe('a conversation with messages (4.7)', () => {
  // [4.7 create rule 1] [2.8 contact on create identifier]
  it('requires an email or a telephone of the contact, else creates nothing', async () => {
    const counts = () =>
      fixture.server.database.query(
        'select (select count(*) from contact) as contacts, (select count(*) from conversation) as conversations',
      )
    const before = await counts()
    const { code, details } = await fixture.tryCreate({ contact: { profile: { name: 'Nobody' } } })
    expect({ code, field: details.field }).toEqual({ code: 'BAD_USER_INPUT', field: 'contact.profile' })
    const refused = await fixture.tryCreate({
      messages: [
        { role: 'CONTACT', text: 'a' },
        { text: 'b', user: fixture.organization.id },
      ],
    })
    expect(refused.code).toBe('NOT_FOUND')
    expect(await counts()).toEqual(before)
  })

  // [4.7 create rule 1 known]
  it('is refused for a contact that exists, naming it and its conversation', async () => {
    const contact = newContact()
    const { id, contactId } = await fixture.create({ contact })
    const { code, details } = await fixture.tryCreate({ contact })
    expect({ code, ...details }).toMatchObject({ code: 'UNPROCESSABLE', contact: contactId, conversation: id })
    const again = await fixture.create({
      contact: { id: contactId },
      messages: [{ role: 'CONTACT', text: 'back again' }],
    })
    expect(again).toMatchObject({ contactId, status: 'QUEUED' })
  })

  // [4.7 create rule 3] [2.8 touchpoint]
  it('requires a touchpoint, its own or that of the first message, which it then keeps', async () => {
    const silent = [
      { type: 'COMMAND', text: '/join' },
      { role: 'AGENT', isBackchannel: true, text: 'psst' },
    ]
    const answer = { role: 'AGENT', text: 'Hello' }
    const { code, details } = await fixture.tryCreate({ touchpoint: null, messages: [...silent, answer] })
    expect({ code, field: details.field }).toEqual({ code: 'UNPROCESSABLE', field: 'messages[2].touchpoint' })
    const { id } = await fixture.create({ touchpoint: null, messages: silent })
    const refused = await fixture.send(fixture.ann, id, { ...answer, delay: 60_000 })
    expect({ code: refused.code, field: refused.details.field }).toEqual({
      code: 'UNPROCESSABLE',
      field: 'touchpoint',
    })
    expect((await fixture.send(fixture.ann, id, { ...answer, touchpoint: 'SMS' })).code).toBeUndefined()
    expect((await fixture.send(fixture.ann, id, answer)).code).toBeUndefined()
    expect((await fixture.show(id)).touchpoint).toBe('SMS')
    const made = await fixture.create({ touchpoint: null, messages: [{ text: 'context', touchpoint: 'SMS' }] })
    expect(made).toMatchObject({ touchpoint: 'SMS', touchpoints: { sms: { selected: true } } })
  })

  // [3.1 new by a first message, new with messages, new with messages joins, new with messages then others]
  // [4.7 create rule 4, create rule 4 joins, create rule 4 activates, create rule 5, create rule 6]
  it.each([
    { what: 'is closed without messages', messages: [], status: 'CLOSED', accepted: [] },
    { what: "is closed after a bot's message", messages: [{ text: 'a hint' }], status: 'CLOSED', accepted: [false] },
    {
      what: "is queued by a consumer's first message",
      messages: [{ role: 'CONTACT', text: 'hi' }],
      status: 'QUEUED',
      accepted: [],
    },
    {
      what: "is active by an agent's message",
      messages: [{ role: 'AGENT', text: 'hi' }],
      status: 'ACTIVE',
      accepted: [true],
    },
    {
      what: "is queued by a consumer's message after an agent's",
      messages: [
        { role: 'AGENT', text: 'hi' },
        { role: 'CONTACT', text: 'hi?' },
      ],
      status: 'QUEUED',
      accepted: [true],
    },
    {
      what: "is active by an agent's message after a consumer's",
      messages: [
        { role: 'CONTACT', text: 'hi' },
        { role: 'AGENT', text: 'hi!' },
      ],
      status: 'ACTIVE',
      accepted: [true],
    },
    {
      what: "is closed by /leave after an agent's message",
      messages: [
        { role: 'AGENT', text: 'news' },
        { type: 'COMMAND', text: '/leave' },
      ],
      status: 'CLOSED',
      accepted: [],
    },
    {
      what: 'is closed by /leave where nobody took part',
      messages: [{ type: 'COMMAND', text: '/leave' }],
      status: 'CLOSED',
      accepted: [],
    },
    {
      what: 'is queued after /leave when the consumer waits for an answer',
      messages: [
        { role: 'AGENT', text: 'hi' },
        { type: 'COMMAND', text: '/leave' },
        { role: 'CONTACT', text: 'wait' },
      ],
      status: 'QUEUED',
      accepted: [],
    },
  ])('$what', async ({ messages, status, accepted }) => {
    const made = await fixture.create({ messages })
    expect(made.status).toBe(status)
    expect(made.participants.map((participant) => participant.accepted)).toEqual(accepted)
    expect(made.participants.map((participant) => participant.active)).toEqual(accepted.map(() => true))
    expect(made.participants.map((participant) => participant.userId)).toEqual(accepted.map(() => fixture.bot.id))
    expect(texts(made)).toEqual(messages.map(({ text }) => text))
    expect(made).toEqual(await fixture.show(made.id))
  })

  // [4.7 create rule 5, create rule 5 delay] [2.9 delay, delay in a create, delay then]
  it('keeps the order of delayed messages, even if the server restarts in between', async () => {
    const own = await startConversationFixture()
    const { id } = await own.create({
      messages: [
        { role: 'AGENT', text: 'one' },
        { role: 'AGENT', text: 'two', delay: 60_000 },
        { role: 'AGENT', text: 'three' },
        { type: 'COMMAND', text: '/leave', delay: 30_000 },
      ],
    })
    const later = await own.send(own.bot, id, { text: 'of another request', delay: 10_000 })
    expect(later.value.text).toBe('of another request')
    expect(texts(await own.show(id))).toEqual(['one'])
    own.clock.advance(20_000)
    own.server.jobs.wake()
    // What others send with a shorter delay does not wait for these.
    await until(
      () => own.show(id),
      (shown) => texts(shown).length === 2,
    )

    await own.server.close()
    const config = readConfig({ PORT: '0', HOST: '127.0.0.1', DATABASE_URL: own.databaseUrl })
    own.clock.advance(60_000)
    const second = await createServer(config, { clock: own.clock, log: pino({ level: 'silent' }) })
    try {
      const read = (text: string) => second.database.query<{ is: string }>(text, [id])
      const rows = await until(
        () => read('select text as is from message where conversation_id = $1 order by position'),
        (found) => found.length === 5,
      )
      expect(rows.map((row) => row.is)).toEqual(['one', 'of another request', 'two', 'three', '/leave'])
      expect(await read('select status as is from conversation where id = $1')).toEqual([{ is: 'closed' }])
      await until(
        () => second.database.query('select id from job'),
        (jobs) => jobs.length === 0,
      )
    } finally {
      await second.close()
      await own.close()
    }
  })

  it('refuses a delayed message immediately if it would be refused later', async () => {
    const { id } = await fixture.create()
    const outsider = await fixture.makeUser({ organization: await fixture.makeOrganization() })
    const delay = 1_000
    expect(await fixture.send(fixture.bot, id, { text: 'x', user: outsider.id, delay })).toMatchObject({
      code: 'NOT_FOUND',
    })
    expect(await fixture.send(fixture.bot, id, { text: 'x', service: outsider.id, delay })).toMatchObject({
      code: 'NOT_FOUND',
    })
    expect(await fixture.command(fixture.bot, id, '/leav', { delay })).toMatchObject({ code: 'BAD_USER_INPUT' })
  })
})

describe('a message', () => {
  // [2.9 service]
  it("names a service of the conversation's own organization or one above, and no other", async () => {
    const below = await fixture.makeOrganization({ parent: fixture.organization })
    const foreign = await fixture.makeOrganization()
    const serviceOf = async ({ id, path }: { id: string; path: readonly (string | undefined)[] }): Promise<string> => {
      const rows = await fixture.server.database.query<{ id: string }>(
        `insert into service (id, organization_id, org1, org2, org3, created_at, updated_at, name, type)
         values (gen_random_uuid(), $1, $2, $3, $4, now(), now(), 'SMS', 'sms') returning id`,
        [id, path[0], path[1], path[2]],
      )
      return rows[0]!.id
    }
    const [own, lower, other] = await Promise.all([
      serviceOf(fixture.organization),
      serviceOf(below),
      serviceOf(foreign),
    ])
    const { id } = await fixture.create()
    expect((await fixture.send(fixture.bot, id, { text: 'x', service: own })).code).toBeUndefined()
    for (const service of [lower, other]) {
      const { code, details } = await fixture.send(fixture.bot, id, { text: 'x', service })
      expect({ code, field: details.field }).toEqual({ code: 'NOT_FOUND', field: 'service' })
    }
    expect(texts(await fixture.show(id))).toEqual(['x'])
  })

  it('of a consumer may be written by an agent, whose name is stored (open points)', async () => {
    const { id } = await fixture.create({ messages: [] })
    const { value } = await fixture.send(fixture.ann, id, { role: 'CONTACT', text: 'They called' })
    expect(value.userId).toBe(fixture.ann.id)
    expect((await fixture.show(id)).status).toBe('QUEUED')
    expect(await fixture.send(fixture.ann, id, { role: 'CONTACT', text: 'x', user: fixture.ben.id })).toMatchObject({
      code: 'FORBIDDEN',
    })
  })

  // [2.9 type of the system] [2.12 service-inbound title, service-inbound url, service-inbound change]
  it('copies title and url of a consumer message to the conversation, and records a change (2.12)', async () => {
    const meta = { title: 'Boats', url: 'https://example.com/boats' }
    const { id } = await fixture.create({ messages: [{ role: 'CONTACT', text: 'hi', meta }] })
    await fixture.send(fixture.bot, id, { role: 'CONTACT', text: 'same page', meta })
    await fixture.send(fixture.bot, id, {
      role: 'CONTACT',
      text: 'next page',
      meta: { url: 'https://example.com/cars' },
    })
    const shown = await fixture.show(id)
    expect(shown.meta).toEqual({ _title: 'Boats', _url: 'https://example.com/cars' })
    expect(shown.messages.edges.map(({ node }) => node.role)).toEqual([
      'CONTACT',
      'SYSTEM',
      'CONTACT',
      'CONTACT',
      'SYSTEM',
    ])
  })

  it("adds the messages of a clicked postback, as the consumer's (2.10)", async () => {
    const { id } = await fixture.inStatus('ACTIVE')
    const click = (payload: string) => ({
      type: 'POSTBACK',
      role: 'CONTACT',
      text: payload,
      actions: [{ type: 'POSTBACK', text: 'Go', payload }],
    })
    const two = JSON.stringify([{ role: 'contact', text: 'a boat' }, { text: 'a big one' }])
    expect((await fixture.send(fixture.bot, id, click(two))).code).toBeUndefined()
    await fixture.send(fixture.bot, id, click('{"intent":"buy"}'))
    await fixture.send(fixture.bot, id, click('BUY'))
    const shown = await fixture.show(id)
    expect(texts(shown).slice(2)).toEqual([two, 'a boat', 'a big one', '{"intent":"buy"}', 'BUY'])
    expect(shown.messages.edges.slice(2).map(({ node }) => node.role)).toEqual(
      Array.from({ length: 5 }, () => 'CONTACT'),
    )
    // A bot that passes a click on is not led to do more than speak.
    for (const payload of ['{"type":"command","text":"/block"}', '[{"text":"hi"},{"role":"agent","text":"we pay"}]']) {
      expect(await fixture.send(fixture.bot, id, click(payload))).toMatchObject({ code: 'FORBIDDEN' })
    }
    expect(await fixture.show(id)).toEqual(shown)
  })

  it('has the time of its last edit, unlike one that is liked', async () => {
    const { id, messages } = await fixture.create({ messages: [{ role: 'CONTACT', text: 'first' }] })
    const message = messages.edges[0]!.node.id
    const change = (patch: object) =>
      fixture.run(
        fixture.admin,
        'mutation ($id: ID!, $patch: UpdateMessageInput!) { updateMessage(id: $id, patch: $patch) { meta editedAt } }',
        { id: message, patch },
      )
    await fixture.command(fixture.ann, id, '/action like', { meta: { message } })
    expect((await change({ text: 'first', meta: { a: 1 } })).value).toEqual({ meta: { a: 1 }, editedAt: null })
    expect((await change({ text: 'second' })).value).toEqual({
      meta: { a: 1 },
      editedAt: expect.stringMatching(/^\d{4}-.*Z$/),
    })
    expect(await fixture.show(id)).toMatchObject({ preview: 'second' })
  })

  it('that is edited or deleted leaves no trace of its text in the preview', async () => {
    const { id, messages } = await fixture.create({
      messages: [
        { role: 'CONTACT', text: 'first' },
        { role: 'CONTACT', text: 'my PIN is 1234' },
      ],
    })
    const message = messages.edges[1]!.node.id
    await fixture.run(
      fixture.admin,
      'mutation ($id: ID!) { updateMessage(id: $id, patch: { text: "my PIN" }) { id } }',
      { id: message },
    )
    expect((await fixture.show(id)).preview).toBe('my PIN')
    await fixture.run(fixture.admin, 'mutation ($id: ID!) { deleteMessage(id: $id) }', { id: message })
    expect(await fixture.show(id)).toMatchObject({
      preview: 'first',
      messages: { edges: [{ node: { text: 'first' } }] },
    })
  })
})
