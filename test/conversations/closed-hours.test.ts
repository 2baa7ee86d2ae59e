import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals'
import { newContact, startConversationFixture, type ConversationFixture } from './conversation-fixture.js'
import { readEvents } from '../../src/platform/events/streams.js'
import { recordStatements } from '../support/record-statements.js'

const MINUTE_MS = 60_000
let fixture: ConversationFixture
let schedule: string
const TEXT = 'We are closed. We answer tomorrow.'
const ALL_DAYS = ['MON', 'TUE', 'WED', 'THU', 'FRI', 'SAT', 'SUN']
/** Hours of the day of the fixture's clock in UTC: closed now, from an hour later open. */
const hours = (from: number): { days: string[]; opens: string; closes: string } => {
  const time = (hour: number): string => `${String((hour + 24) % 24).padStart(2, '0')}:00`
  const hour = fixture.clock.now().getUTCHours()
  return { days: ALL_DAYS, opens: time(hour + from), closes: time(hour + from + 2) }
}

beforeAll(async () => {
  fixture = await startConversationFixture()
})
beforeEach(async () => {
  fixture.clock.goOn()
  const { database } = fixture.server
  await database.query('delete from conversation')
  await database.query('delete from sla_policy')
  await database.query('delete from schedule')
  schedule = await makeSchedule({ text: TEXT, spans: [hours(2)] })
  await makePolicy({ schedule })
})
afterAll(() => fixture.close())

async function must<T>(query: string, variables: object): Promise<T> {
  const { value, message } = await fixture.run<T>(fixture.admin, query, variables as Record<string, unknown>)
  expect(message).toBeUndefined()
  return value
}
const makeSchedule = async (input: object): Promise<string> =>
  (
    await must<{ id: string }>('mutation ($input: CreateScheduleInput!) { createSchedule(input: $input) { id } }', {
      input: { name: 'Office', timezone: 'UTC', ...input },
    })
  ).id
const makePolicy = (input: object): Promise<{ id: string }> =>
  must('mutation ($input: CreateSlaPolicyInput!) { createSlaPolicy(input: $input) { id } }', {
    input: { name: 'Standard', targets: [{ clock: 'FIRST_RESPONSE', minutes: 30 }], ...input },
  })
const change = (patch: object): Promise<unknown> =>
  must('mutation ($id: ID!, $patch: UpdateScheduleInput!) { updateSchedule(id: $id, patch: $patch) { id } }', {
    id: schedule,
    patch,
  })

interface Row {
  role: string
  text: string
  meta: { _opensAt?: string } | null
  deliveries: { touchpoint: string; status: string }[]
}
const messagesOf = async (id: string): Promise<Row[]> => {
  const { value } = await fixture.run<{ messages: { edges: { node: Row }[] } }>(
    fixture.ann,
    `query ($id: ID!) { conversation(id: $id) {
      messages(first: 100) { edges { node { role text meta deliveries { touchpoint status } } } } } }`,
    { id },
  )
  return value.messages.edges.map(({ node }) => node)
}
const toldIn = async (id: string): Promise<Row[]> => (await messagesOf(id)).filter(({ role }) => role === 'SYSTEM')
const wait = async (input: object = {}): Promise<string> =>
  (await fixture.create({ messages: [{ role: 'CONTACT', text: 'hello' }], ...input })).id
const write = (id: string, text = 'Anybody?') => fixture.send(fixture.bot, id, { role: 'CONTACT', text })

describe('a consumer who waits outside the hours', () => {
  it('is told the text of the schedule once a queueing, and when it opens next', async () => {
    const id = await wait()
    await write(id)
    await write(id)
    const [told, ...others] = await toldIn(id)
    expect(others).toEqual([])
    const opens = Date.parse(told!.meta!._opensAt!)
    expect((opens - fixture.clock.now().getTime()) / MINUTE_MS).toBeGreaterThan(50)
    expect(told!.text.startsWith(`${TEXT}\n\nOpen again: `)).toBe(true)
    expect(told!.text).toContain(new Date(opens).toISOString().slice(11, 16))
    expect(told!.deliveries).toEqual([{ touchpoint: 'WEB', status: 'SENT' }])
    // It is routed again, and has not left the queue.
    await fixture.command(fixture.admin, id, '/notify')
    await write(id)
    expect(await toldIn(id)).toHaveLength(1)
    await fixture.command(fixture.ann, id, '/accept')
    await write(id)
    expect(await toldIn(id)).toHaveLength(1)
  })

  it('is told once until it opens, however often an agent accepts and leaves', async () => {
    const id = await wait()
    const queue = async (): Promise<void> => {
      await fixture.command(fixture.ann, id, '/accept')
      await fixture.command(fixture.ann, id, '/leave')
    }
    await queue()
    await queue()
    await write(id)
    expect(await toldIn(id)).toHaveLength(1)
    // Open, and then closed until the next day.
    fixture.clock.advance(150 * MINUTE_MS)
    await queue()
    expect(await toldIn(id)).toHaveLength(1)
    fixture.clock.advance(120 * MINUTE_MS)
    await write(id)
    expect(await toldIn(id)).toHaveLength(2)
    await queue()
    await queue()
    const told = await toldIn(id)
    expect(told).toHaveLength(2)
    const [first, second] = told.map(({ meta }) => Date.parse(meta!._opensAt!))
    expect(second! - first!).toBe(24 * 60 * MINUTE_MS)
  })

  it('costs a transaction that tells many of them one statement to know what reaches them', async () => {
    const contacts = await Promise.all(Array.from({ length: 30 }, () => wait({ messages: [] })))
    const recorded = recordStatements()
    await Promise.all(contacts.map((id) => write(id)))
    recorded.stop()
    const reaches = recorded.statements.filter((text) => text.includes('from contact_handle'))
    expect(reaches.length).toBeGreaterThan(0)
    expect(reaches.length).toBeLessThan(10)
    expect((await Promise.all(contacts.map((id) => toldIn(id)))).every(({ length }) => length === 1)).toBe(true)
  })

  it('has not been answered: clocks run, and nobody is notified', async () => {
    const id = await wait({ messages: [] })
    await fixture.command(fixture.ben, id, '/follow')
    await write(id, 'hello')
    expect(await toldIn(id)).toHaveLength(1)
    const { conversation, awaiting } = await fixture.server.database
      .query<Record<string, unknown>>(
        'select awaiting_reply as awaiting, preview, last_message_role as role, sla from conversation where id = $1',
        [id],
      )
      .then(([row]) => ({ conversation: row!, awaiting: row!.awaiting }))
    expect(awaiting).toBe(true)
    expect(conversation).toMatchObject({ preview: 'hello', role: 'contact' })
    expect((conversation.sla as { clocks: { kind: string; state: string }[] }).clocks).toMatchObject([
      { kind: 'firstResponse', state: 'running' },
    ])
    const shown = await fixture.show(id)
    expect(shown.participants.map(({ userId, unreadCount }) => [userId, unreadCount])).toEqual([[fixture.ben.id, 1]])
    const queue = await readEvents(fixture.server.database, `channel:${fixture.channel}`, 0, 1_000)
    expect(queue.filter(({ data }) => JSON.stringify(data).includes(id)).map(({ type }) => type)).toEqual([
      'queue.added',
    ])
  })

  it('is told only while it is closed, also one who began to wait while it was open', async () => {
    // It does not close by itself before the consumer comes.
    fixture.clock.standAt()
    await change({ spans: [hours(-1)] })
    const id = await wait()
    expect(await toldIn(id)).toEqual([])
    fixture.clock.advance(90 * MINUTE_MS)
    await write(id)
    await write(id)
    expect(await toldIn(id)).toHaveLength(1)
  })

  it('hears nothing without a text, without a policy that has the schedule, and where nobody waits', async () => {
    await change({ text: null })
    expect(await toldIn(await wait())).toEqual([])
    await change({ text: TEXT })
    const { id: idle } = await fixture.create({ messages: [{ role: 'AGENT', text: 'hi', touchpoint: 'WEB' }] })
    await fixture.command(fixture.bot, idle, '/leave')
    await fixture.command(fixture.admin, idle, '/notify')
    expect(await toldIn(idle)).toEqual([])
    await fixture.server.database.query('delete from sla_policy')
    await makePolicy({})
    expect(await toldIn(await wait())).toEqual([])
  })

  it('is told in the language of the conversation, by the hours as they are now', async () => {
    await change({ timezone: 'America/New_York', spans: [{ days: ALL_DAYS, opens: '00:00', closes: '24:00' }] })
    await change({ timezone: 'UTC', spans: [hours(3)] })
    const [told] = await toldIn(await wait({ language: 'de' }))
    expect(told!.text).toContain('Wieder geöffnet: ')
    expect((Date.parse(told!.meta!._opensAt!) - fixture.clock.now().getTime()) / MINUTE_MS).toBeGreaterThan(110)
  })

  it('is told nothing where no touchpoint of the consumer delivers it, and later when one does', async () => {
    const id = await wait({
      touchpoint: 'SMS',
      contact: { profile: { name: 'Carl', telephone: `+3161${String(Date.now()).slice(-7)}` } },
    })
    expect(await toldIn(id)).toEqual([])
    await fixture.send(fixture.bot, id, { role: 'CONTACT', text: 'On your page', touchpoint: 'WEB' })
    expect((await toldIn(id)).map(({ deliveries }) => deliveries)).toEqual([[{ touchpoint: 'WEB', status: 'SENT' }]])
  })

  it('is told once though two nodes, repeated requests and cut connections write the same', async () => {
    const second = await startConversationFixture({}, { beside: fixture })
    const { database } = fixture.server
    const token = await fixture.tokenFor(fixture.bot)
    const ids = await Promise.all(Array.from({ length: 12 }, () => wait({ messages: [] })))
    let lastCut: Promise<unknown> = Promise.resolve()
    let cuts = 0
    // No more of them than there are tries: on a slow machine each request would be cut again and again.
    const cut = setInterval(() => {
      if (++cuts === 30) clearInterval(cut)
      lastCut = database
        .query(`select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database()
          and pid <> pg_backend_pid() and query like '%message%' and random() < 0.3`)
        .catch(() => undefined)
    }, 40)
    const deliver = async (id: string, index: number): Promise<void> => {
      const key = `${id} ${index}`
      for (let tries = 0; tries < 40; tries++) {
        const node = (index + tries) % 2 === 0 ? fixture : second
        const sent = await node.send(token, id, { role: 'CONTACT', text: `message ${index}` }, key).catch(() => null)
        if (sent && !sent.code) return
        await new Promise((resolve) => setTimeout(resolve, 50))
      }
      throw new Error(`message ${index} of ${id} was never taken`)
    }
    await Promise.all(ids.flatMap((id) => [0, 1, 2].map((index) => deliver(id, index))))
    clearInterval(cut)
    await lastCut
    for (const id of ids) {
      const messages = await messagesOf(id)
      expect(messages.map(({ role }) => role).toSorted()).toEqual(['CONTACT', 'CONTACT', 'CONTACT', 'SYSTEM'])
    }
    await second.close()
  })

  it('is not told again after a merge', async () => {
    const contact = newContact('Dora')
    const target = await wait({ contact })
    const origin = await wait()
    await fixture.command(fixture.admin, target, `/import ${origin}`)
    await write(target)
    expect((await messagesOf(target)).filter(({ role }) => role === 'SYSTEM')).toHaveLength(2)
  })
})

describe('a consumer who was blocked and is no longer', () => {
  const blockAndUnblock = async (id: string): Promise<void> => {
    await fixture.command(fixture.ann, id, '/block')
    const { contactId } = await fixture.show(id)
    await must('mutation ($id: ID!, $patch: UpdateContactInput!) { updateContact(id: $id, patch: $patch) { id } }', {
      id: contactId,
      patch: { status: 'ACTIVE' },
    })
  }

  it('begins to wait for an answer with its next message', async () => {
    const id = await wait()
    await blockAndUnblock(id)
    await write(id)
    const turns = await fixture.server.database.query<{ kind: string; turn: number }>(
      `select kind, turn from milestone where conversation_id = $1 and kind = 'consumerTurn' order by nth`,
      [id],
    )
    expect(turns).toEqual([
      { kind: 'consumerTurn', turn: 1 },
      { kind: 'consumerTurn', turn: 1 },
    ])
    const { value } = await fixture.run<{ clocks: { clock: string; state: string }[] }>(
      fixture.ann,
      'query ($id: ID!) { conversation(id: $id) { clocks { clock state } } }',
      { id },
    )
    expect(value.clocks).toEqual([
      { clock: 'FIRST_RESPONSE', state: 'RUNNING' },
      { clock: 'FIRST_RESPONSE', state: 'CANCELLED' },
    ])
  })

  it('is not answered by an answer to what was said before the block', async () => {
    const id = await wait()
    await blockAndUnblock(id)
    await fixture.command(fixture.ann, id, '/accept')
    await fixture.send(fixture.ann, id, { role: 'AGENT', text: 'Sorry' })
    const turns = await fixture.server.database.query(
      `select kind from milestone where conversation_id = $1 and kind = 'agentTurn'`,
      [id],
    )
    expect(turns).toEqual([])
  })
})
