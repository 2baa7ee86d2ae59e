import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import pino from 'pino'
import { readConfig } from '../../src/config.js'
import { createServer } from '../../src/server.js'
import { newContact, startDesk, texts, until, type Desk, type Shown } from './desk.js'

type Status = Shown['status']
const STATUSES: readonly Status[] = ['QUEUED', 'ACTIVE', 'CLOSED', 'ARCHIVED']

let desk: Desk
beforeAll(async () => {
  desk = await startDesk()
})
afterAll(() => desk.close())

/** What each move makes of each status (3.1); a code where it is refused, and then nothing has changed. */
interface Row {
  move: string
  to: Record<Status, Status | 'UNPROCESSABLE' | 'FORBIDDEN'>
  send(conversation: string): Promise<{ code?: string }>
}

const REFUSED = 'UNPROCESSABLE'
const MOVES: readonly Row[] = [
  {
    move: 'a consumer message',
    to: { QUEUED: 'QUEUED', ACTIVE: 'ACTIVE', CLOSED: 'QUEUED', ARCHIVED: REFUSED },
    send: (id) => desk.send(desk.bot, id, { role: 'CONTACT', text: 'anybody?' }),
  },
  {
    move: "an agent's message",
    to: { QUEUED: 'ACTIVE', ACTIVE: 'ACTIVE', CLOSED: 'ACTIVE', ARCHIVED: REFUSED },
    send: (id) => desk.send(desk.ben, id, { role: 'AGENT', text: 'yes' }),
  },
  {
    move: "a bot's message",
    to: { QUEUED: 'QUEUED', ACTIVE: 'ACTIVE', CLOSED: 'CLOSED', ARCHIVED: REFUSED },
    send: (id) => desk.send(desk.bot, id, { text: 'a hint' }),
  },
  {
    move: "an agent's backchannel message",
    to: { QUEUED: 'QUEUED', ACTIVE: 'ACTIVE', CLOSED: 'CLOSED', ARCHIVED: REFUSED },
    send: (id) => desk.send(desk.ben, id, { role: 'AGENT', isBackchannel: true, text: 'psst' }),
  },
  {
    move: '/notify',
    to: { QUEUED: 'QUEUED', ACTIVE: REFUSED, CLOSED: 'QUEUED', ARCHIVED: REFUSED },
    send: (id) => desk.command(desk.ben, id, '/notify'),
  },
  {
    move: '/enqueue',
    to: { QUEUED: 'QUEUED', ACTIVE: 'QUEUED', CLOSED: 'QUEUED', ARCHIVED: REFUSED },
    send: (id) => desk.command(desk.bot, id, '/enqueue'),
  },
  {
    move: '/accept',
    to: { QUEUED: 'ACTIVE', ACTIVE: 'ACTIVE', CLOSED: 'ACTIVE', ARCHIVED: REFUSED },
    send: (id) => desk.command(desk.ben, id, '/accept'),
  },
  {
    move: '/accept with ifQueued',
    to: { QUEUED: 'ACTIVE', ACTIVE: REFUSED, CLOSED: REFUSED, ARCHIVED: REFUSED },
    send: (id) => desk.command(desk.ben, id, '/accept', { meta: { ifQueued: true } }),
  },
  {
    move: '/join',
    to: { QUEUED: 'QUEUED', ACTIVE: 'ACTIVE', CLOSED: 'CLOSED', ARCHIVED: REFUSED },
    send: (id) => desk.command(desk.ben, id, '/join'),
  },
  {
    move: "/leave of the last accepting agent, the consumer's message answered",
    to: { QUEUED: REFUSED, ACTIVE: 'CLOSED', CLOSED: REFUSED, ARCHIVED: REFUSED },
    send: (id) => desk.command(desk.ann, id, '/leave'),
  },
  {
    move: '/block',
    to: { QUEUED: 'CLOSED', ACTIVE: 'CLOSED', CLOSED: 'CLOSED', ARCHIVED: REFUSED },
    send: (id) => desk.command(desk.ben, id, '/block'),
  },
]

describe('the status of a conversation (3.1)', () => {
  for (const { move, to, send } of MOVES) {
    // [2.8 status] [3.1 values, closed by a contact message, closed by /notify, closed by /enqueue, queued by /accept,
    // active by /leave when answered, any by /block, queued by /join] [1 commands]
    // [4.7 create rule 6]
    it.each(STATUSES)(`${move}: from %s`, async (from) => {
      const before = await desk.inStatus(from)
      expect(before.status).toBe(from)
      const { code } = await send(before.id)
      const after = await desk.show(before.id)
      const wanted = to[from]
      if (wanted === REFUSED) {
        expect(code).toBe(REFUSED)
        expect(after).toEqual(before)
      } else {
        expect(code).toBeUndefined()
        expect(after.status).toBe(wanted)
        expect([...after.channels, ...after.channelsOffline]).toEqual(wanted === 'QUEUED' ? [desk.channel] : [])
      }
    })
  }

  // [3.1 active by /leave unanswered, active closed by an agent, accepted] [4.8 /leave]
  it('requeues an active one when the last accepting agent leaves the consumer unanswered', async () => {
    const { id } = await desk.inStatus('ACTIVE')
    await desk.send(desk.bot, id, { role: 'CONTACT', text: 'one more thing' })
    await desk.command(desk.ben, id, '/accept')
    await desk.command(desk.ann, id, '/leave')
    expect(await desk.show(id)).toMatchObject({ status: 'ACTIVE', participants: [{ userId: desk.ben.id }] })
    await desk.command(desk.ben, id, '/close')
    const left = await desk.show(id)
    expect(left).toMatchObject({ status: 'QUEUED', participants: [], channelsOffline: [desk.channel] })
    expect(left.routingTrace[0]).toMatchObject({ trigger: '/leave' })
  })

  it('does not count as answered what was said on the backchannel', async () => {
    const { id } = await desk.inStatus('QUEUED')
    await desk.command(desk.ann, id, '/accept')
    await desk.send(desk.ann, id, { role: 'AGENT', isBackchannel: true, text: 'what does he want?' })
    await desk.command(desk.ann, id, '/leave')
    expect((await desk.show(id)).status).toBe('QUEUED')
  })

  it('voids an earlier accept when a queued one is accepted anew', async () => {
    const { id } = await desk.create({
      messages: [
        { role: 'AGENT', user: desk.ann.id, text: 'hello' },
        { role: 'CONTACT', text: 'who is that?' },
      ],
    })
    await desk.command(desk.ben, id, '/accept')
    await desk.send(desk.ben, id, { role: 'AGENT', text: 'we are' })
    await desk.command(desk.ben, id, '/leave')
    expect((await desk.show(id)).status).toBe('CLOSED')
  })

  // [4.8 /block]
  it('blocks the contact: no further message, not even after the conversation is taken up again', async () => {
    const { id } = await desk.inStatus('QUEUED')
    await desk.command(desk.ben, id, '/block')
    expect(await desk.send(desk.bot, id, { role: 'CONTACT', text: 'let me in' })).toMatchObject({ code: 'FORBIDDEN' })
    expect(texts(await desk.show(id))).toEqual(['hello', '/block'])
  })
})

describe('a conversation with messages (4.7)', () => {
  // [4.7 create rule 1] [2.8 contact]
  it('needs an email or a telephone of the contact, and nothing is made without', async () => {
    const counts = () => desk.server.database.query(
      'select (select count(*) from contact) as contacts, (select count(*) from conversation) as conversations',
    )
    const before = await counts()
    const { code, details } = await desk.tryCreate({ contact: { profile: { name: 'Nobody' } } })
    expect({ code, field: details.field }).toEqual({ code: 'BAD_USER_INPUT', field: 'contact.profile' })
    const refused = await desk.tryCreate(
      { messages: [{ role: 'CONTACT', text: 'a' }, { text: 'b', user: desk.organization.id }] },
    )
    expect(refused.code).toBe('NOT_FOUND')
    expect(await counts()).toEqual(before)
  })

  // [4.7 create rule 1]
  it('is refused for a contact that exists, naming it and its conversation', async () => {
    const contact = newContact()
    const { id, contactId } = await desk.create({ contact })
    const { code, details } = await desk.tryCreate({ contact })
    expect({ code, ...details }).toMatchObject({ code: 'UNPROCESSABLE', contact: contactId, conversation: id })
    const again = await desk.create({ contact: { id: contactId }, messages: [{ role: 'CONTACT', text: 'back again' }] })
    expect(again).toMatchObject({ contactId, status: 'QUEUED' })
  })

  // [4.7 create rule 3] [2.8 touchpoint]
  it("needs a touchpoint, its own or the first message's, which becomes its own", async () => {
    const { code, details } = await desk.tryCreate({ touchpoint: null, messages: [{ role: 'CONTACT', text: 'x' }] })
    expect({ code, field: details.field }).toEqual({ code: 'BAD_USER_INPUT', field: 'messages[0].touchpoint' })
    const made = await desk.create({ touchpoint: null, messages: [{ text: 'context', touchpoint: 'SMS' }] })
    expect(made).toMatchObject({ touchpoint: 'SMS', touchpoints: { sms: { selected: true } } })
  })

  // [3.1 new by a first message, new with messages] [4.7 create rule 2, create rule 4, create rule 5, create rule 6]
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
      messages: [{ role: 'AGENT', text: 'hi' }, { role: 'CONTACT', text: 'hi?' }], status: 'QUEUED', accepted: [true],
    },
    {
      what: "is active by an agent's message after a consumer's",
      messages: [{ role: 'CONTACT', text: 'hi' }, { role: 'AGENT', text: 'hi!' }], status: 'ACTIVE', accepted: [true],
    },
    {
      what: 'is closed by /leave after an agent\'s message',
      messages: [{ role: 'AGENT', text: 'news' }, { type: 'COMMAND', text: '/leave' }], status: 'CLOSED', accepted: [],
    },
    {
      what: 'is closed by /leave where nobody took part',
      messages: [{ type: 'COMMAND', text: '/leave' }], status: 'CLOSED', accepted: [],
    },
    {
      what: 'is queued after /leave when the consumer waits for an answer',
      messages: [{ role: 'AGENT', text: 'hi' }, { type: 'COMMAND', text: '/leave' }, { role: 'CONTACT', text: 'wait' }],
      status: 'QUEUED', accepted: [],
    },
  ])('$what', async ({ messages, status, accepted }) => {
    const made = await desk.create({ messages })
    expect(made.status).toBe(status)
    expect(made.participants.map((participant) => participant.accepted)).toEqual(accepted)
    expect(texts(made)).toEqual(messages.map(({ text }) => text))
    expect(made).toEqual(await desk.show(made.id))
  })

  // [2.9 delay] [4.7 create rule 5]
  it('keeps the order of delayed messages, also when the server is started anew in between', async () => {
    const own = await startDesk()
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
    await until(() => own.show(id), (shown) => texts(shown).length === 2)

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
      expect(await second.database.query('select id from job')).toEqual([])
    } finally {
      await second.close()
      await own.close()
    }
  })

  it('refuses a delayed message at once for what would be refused later', async () => {
    const { id } = await desk.create()
    const stranger = await desk.makeUser({ organization: await desk.makeOrganization() })
    const delay = 1_000
    expect(await desk.send(desk.bot, id, { text: 'x', user: stranger.id, delay })).toMatchObject({ code: 'NOT_FOUND' })
    expect(await desk.send(desk.bot, id, { text: 'x', service: stranger.id, delay })).toMatchObject(
      { code: 'NOT_FOUND' },
    )
    expect(await desk.command(desk.bot, id, '/leav', { delay })).toMatchObject({ code: 'BAD_USER_INPUT' })
  })
})

describe('a message', () => {
  // [2.9 service]
  it('names a service of the conversation\'s own organization or one above, and no other', async () => {
    const below = await desk.makeOrganization({ parent: desk.organization })
    const foreign = await desk.makeOrganization()
    const serviceOf = async ({ id, path }: { id: string; path: readonly (string | undefined)[] }): Promise<string> => {
      const rows = await desk.server.database.query<{ id: string }>(
        `insert into service (id, organization_id, org1, org2, org3, created_at, updated_at, name, type)
         values (gen_random_uuid(), $1, $2, $3, $4, now(), now(), 'SMS', 'sms') returning id`,
        [id, path[0], path[1], path[2]],
      )
      return rows[0]!.id
    }
    const [own, lower, other] = await Promise.all([serviceOf(desk.organization), serviceOf(below), serviceOf(foreign)])
    const { id } = await desk.create()
    expect((await desk.send(desk.bot, id, { text: 'x', service: own })).code).toBeUndefined()
    for (const service of [lower, other]) {
      const { code, details } = await desk.send(desk.bot, id, { text: 'x', service })
      expect({ code, field: details.field }).toEqual({ code: 'NOT_FOUND', field: 'service' })
    }
    expect(texts(await desk.show(id))).toEqual(['x'])
  })

  it('of a consumer is of no user', async () => {
    const { id } = await desk.create()
    const { code, details } = await desk.send(desk.bot, id, { role: 'CONTACT', text: 'x', user: desk.ann.id })
    expect({ code, field: details.field }).toEqual({ code: 'BAD_USER_INPUT', field: 'user' })
  })

  // [2.12 service-inbound]
  it('copies title and url of a consumer message to the conversation, and tells of a change (2.12)', async () => {
    const meta = { title: 'Boats', url: 'https://example.com/boats' }
    const { id } = await desk.create({ messages: [{ role: 'CONTACT', text: 'hi', meta }] })
    await desk.send(desk.bot, id, { role: 'CONTACT', text: 'same page', meta })
    await desk.send(desk.bot, id, { role: 'CONTACT', text: 'next page', meta: { url: 'https://example.com/cars' } })
    const shown = await desk.show(id)
    expect(shown.meta).toEqual({ _title: 'Boats', _url: 'https://example.com/cars' })
    expect(shown.messages.edges.map(({ node }) => node.role)).toEqual(
      ['CONTACT', 'SYSTEM', 'CONTACT', 'CONTACT', 'SYSTEM'],
    )
  })

  it('brings the messages of a clicked postback with it, as the consumer\'s (2.10)', async () => {
    const { id } = await desk.inStatus('ACTIVE')
    const click = (payload: string) => ({
      type: 'POSTBACK', role: 'CONTACT', text: payload, actions: [{ type: 'POSTBACK', text: 'Go', payload }],
    })
    const two = JSON.stringify([{ role: 'contact', text: 'a boat' }, { text: 'a big one' }])
    expect((await desk.send(desk.bot, id, click(two))).code).toBeUndefined()
    await desk.send(desk.bot, id, click('{"intent":"buy"}'))
    await desk.send(desk.bot, id, click('BUY'))
    const shown = await desk.show(id)
    expect(texts(shown).slice(2)).toEqual([two, 'a boat', 'a big one', '{"intent":"buy"}', 'BUY'])
    expect(shown.messages.edges.slice(2).map(({ node }) => node.role)).toEqual(
      Array.from({ length: 5 }, () => 'CONTACT'),
    )
    // An agent may not speak for the consumer, and a bot that passes a click on is not led to do more than speak.
    expect(await desk.send(desk.ann, id, click(two))).toMatchObject({ code: 'FORBIDDEN' })
    for (const payload of ['{"type":"command","text":"/block"}', '[{"text":"hi"},{"role":"agent","text":"we pay"}]']) {
      expect(await desk.send(desk.bot, id, click(payload))).toMatchObject({ code: 'FORBIDDEN' })
    }
    expect(await desk.show(id)).toEqual(shown)
  })

  it('that is edited or deleted leaves no trace of its text in the preview', async () => {
    const { id, messages } = await desk.create(
      { messages: [{ role: 'CONTACT', text: 'first' }, { role: 'CONTACT', text: 'my PIN is 1234' }] },
    )
    const message = messages.edges[1]!.node.id
    await desk.run(
      desk.admin,
      'mutation ($id: ID!) { updateMessage(id: $id, patch: { text: "my PIN" }) { id } }',
      { id: message },
    )
    expect((await desk.show(id)).preview).toBe('my PIN')
    await desk.run(desk.admin, 'mutation ($id: ID!) { deleteMessage(id: $id) }', { id: message })
    expect(await desk.show(id)).toMatchObject({ preview: 'first', messages: { edges: [{ node: { text: 'first' } }] } })
  })
})
