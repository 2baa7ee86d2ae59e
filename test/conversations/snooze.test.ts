import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals'
import type { MadeUser } from '../support/factories.js'
import { liveClient, subscribe } from '../support/live-client.js'
import { startTestServer } from '../support/test-server.js'
import { until } from '../support/until.js'
import { startOffice, type Office } from './office-fixture.js'

const SNOOZE = `mutation ($id: ID!, $until: DateTime!) {
  snooze(conversation: $id, until: $until) { status snoozedUntil } }`
const UNSNOOZE = 'mutation ($id: ID!) { unsnooze(conversation: $id) { status snoozedUntil } }'
const CLOSE = 'mutation ($id: ID!) { closeConversation(conversation: $id) { undoUntil } }'
const UNDO = 'mutation ($id: ID!) { undoClose(conversation: $id) { status } }'
const HAND_OVER =
  'mutation ($id: ID!, $user: ID, $channel: ID) { handOverConversation(conversation: $id, user: $user, channel: $channel) { id } }'
const INBOX = '{ inbox(first: 100) { edges { node { conversation reason snoozedUntil awaitsAnswer } } } }'
const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS

interface Snoozed {
  status: string
  snoozedUntil: string | null
}
interface Entry {
  conversation: string
  reason: string | null
  snoozedUntil: string | null
  awaitsAnswer: boolean
}

describe('snooze', () => {
  let office: Office
  let ann: MadeUser
  let ben: MadeUser
  let channel: string
  beforeAll(async () => {
    office = await startOffice()
  })
  beforeEach(async () => {
    ann = await office.makeAgent({ displayName: 'Ann' })
    ben = await office.makeAgent({ displayName: 'Ben' })
    channel = await office.channelWith(null, [ann, ben])
  })
  afterEach(() => {
    office.clock.goOn()
    return office.disconnect()
  })
  afterAll(() => office.close())

  const inMs = (ms: number): string => new Date(office.clock.now().getTime() + ms).toISOString()
  const snooze = (as: MadeUser | string, id: string, ms = HOUR_MS) =>
    office.run<Snoozed>(as, SNOOZE, { id, until: inMs(ms) })
  const snoozedUntil = async (id: string): Promise<string | null> =>
    (
      await office.run<Snoozed>(office.admin, 'query ($id: ID!) { conversation(id: $id) { status snoozedUntil } }', {
        id,
      })
    ).value.snoozedUntil
  const inboxOf = async (as: MadeUser, id: string): Promise<Entry | undefined> => {
    const { value } = await office.run<{ edges: { node: Entry }[] }>(as, INBOX)
    return value.edges.map(({ node }) => node).find(({ conversation }) => conversation === id)
  }
  /** Moves the clock on, and waits until the conversation is awake. */
  const wakes = async (id: string, ms: number): Promise<void> => {
    office.clock.advance(ms)
    await until(
      () => snoozedUntil(id),
      (at) => at === null,
    )
  }
  const milestones = async (id: string): Promise<{ kind: string; ms: number | null; user_id: string | null }[]> =>
    office.server.database.query(
      'select kind, ms, user_id, detail from milestone where conversation_id = $1 order by nth',
      [id],
    )
  async function taken(agent = ann): Promise<string> {
    const id = await office.wait(channel)
    await office.consumerSays(id, 'hello')
    await office.command(agent, id, '/accept')
    return id
  }
  async function answered(agent = ann): Promise<string> {
    const id = await taken(agent)
    await office.send(agent, id, { role: 'AGENT', text: 'on Monday' })
    return id
  }

  it('puts it aside until its time: no load meanwhile, then it is in the inbox of those who have it', async () => {
    const id = await answered()
    const load = await office.loadOf(ann)
    expect(load).toBeGreaterThan(0)
    const client = liveClient(office.url, await office.tokenFor(ann))
    const mine = subscribe<{ entry?: Entry }>(
      client,
      'myConversations',
      'subscription { myConversations { ... on MyConversationChanged { entry { conversation snoozedUntil awaitsAnswer } } } }',
    )
    await mine.next()
    const { value, code } = await snooze(ann, id)
    expect([code, value.status]).toEqual([undefined, 'ACTIVE'])
    expect(Date.parse(value.snoozedUntil!) - office.clock.now().getTime()).toBeGreaterThan(HOUR_MS - MINUTE_MS)
    const asleep = await mine.next(({ entry }) => entry?.conversation === id && entry.snoozedUntil !== null)
    expect(asleep.entry).toMatchObject({ snoozedUntil: value.snoozedUntil, awaitsAnswer: false })
    expect(await office.loadOf(ann)).toBe(0)
    await wakes(id, HOUR_MS)
    await mine.next(({ entry }) => entry?.conversation === id && entry.snoozedUntil === null)
    await client.dispose()
    expect(await inboxOf(ann, id)).toMatchObject({ reason: 'SNOOZE_ENDED', snoozedUntil: null })
    expect(await inboxOf(ben, id)).toBeUndefined()
    expect(await office.loadOf(ann)).toBeGreaterThanOrEqual(0)
    expect(
      (await milestones(id)).map(({ kind }) => kind).filter((kind) => kind === 'snoozed' || kind === 'woken'),
    ).toEqual(['snoozed', 'woken'])
  })

  it('accepts one that waits, and is refused to whoever has not accepted it, and beyond its limits', async () => {
    const id = await office.wait(channel)
    await office.consumerSays(id, 'hello')
    for (const ms of [0, 30_000, 367 * 24 * HOUR_MS])
      expect((await snooze(ann, id, ms)).details).toMatchObject({ field: 'until' })
    expect((await office.show(id)).status).toBe('QUEUED')
    expect((await snooze(ann, id)).value.status).toBe('ACTIVE')
    const { participants } = await office.show(id)
    expect(participants.filter(({ accepted }) => accepted).map(({ userId }) => userId)).toEqual([ann.id])
    expect((await snooze(ben, id)).details).toMatchObject({ reason: 'CONVERSATION_STATUS' })
    expect((await office.run(ben, UNSNOOZE, { id })).code).toBe('UNPROCESSABLE')
    await office.run(ann, CLOSE, { id })
    expect((await snooze(ann, id)).details).toMatchObject({ reason: 'CONVERSATION_STATUS', status: 'CLOSED' })
    const stranger = await office.makeUser({ organization: await office.makeOrganization() })
    expect((await snooze(stranger, id)).code).toBe('NOT_FOUND')
  })

  it('counts as waiting for an answer while nobody answered: only its resolution pauses, once it is answered', async () => {
    const targets = ['FIRST_RESPONSE', 'RESOLUTION'].map((clock) => ({ clock, minutes: 240 }))
    const made = await office.run<{ id: string }>(
      office.admin,
      'mutation ($input: CreateSlaPolicyInput!) { createSlaPolicy(input: $input) { id } }',
      { input: { name: 'All', conditions: { all: [] }, targets } },
    )
    const clocksOf = async (id: string): Promise<Record<string, string>> => {
      const { value } = await office.run<{ clocks: { clock: string; state: string }[] }>(
        office.admin,
        'query ($id: ID!) { conversation(id: $id) { clocks { clock state } } }',
        { id },
      )
      return Object.fromEntries(value.clocks.map(({ clock, state }) => [clock, state]))
    }
    const [waiting, done] = [await taken(), await answered()]
    await Promise.all([snooze(ann, waiting), snooze(ann, done)])
    expect(await clocksOf(waiting)).toMatchObject({ FIRST_RESPONSE: 'RUNNING', RESOLUTION: 'RUNNING' })
    expect(await clocksOf(done)).toMatchObject({ FIRST_RESPONSE: 'MET', RESOLUTION: 'PAUSED' })
    await office.run(office.admin, 'mutation ($id: ID!) { deleteSlaPolicy(id: $id) }', { id: made.value.id })
  })

  it('is ended by the consumer, by closing, by a hand-over to either, by leaving, and by its agent', async () => {
    const ends: [name: string, end: (id: string) => Promise<unknown>, reason: string | null][] = [
      ['consumer', (id) => office.consumerSays(id, 'one more thing'), 'SNOOZE_ENDED'],
      ['close', (id) => office.run(ann, CLOSE, { id }), null],
      ['colleague', (id) => office.run(ann, HAND_OVER, { id, user: ben.id }), null],
      ['queue', (id) => office.run(ann, HAND_OVER, { id, channel }), null],
      ['leave', (id) => office.command(ann, id, '/leave'), null],
      ['unsnooze', (id) => office.run(ann, UNSNOOZE, { id }), null],
    ]
    for (const [name, end, reason] of ends) {
      const id = await answered()
      await snooze(ann, id)
      await end(id)
      expect([name, await snoozedUntil(id)]).toEqual([name, null])
      expect([name, (await inboxOf(ann, id))?.reason ?? null]).toEqual([name, reason])
      if (name === 'colleague') expect(await inboxOf(ben, id)).toMatchObject({ reason: 'HANDED_OVER' })
    }
    // What was to wake them finds nothing to do.
    office.clock.advance(2 * HOUR_MS)
    const last = await answered()
    await snooze(ann, last, 2 * MINUTE_MS)
    await wakes(last, 3 * MINUTE_MS)
    const woken = await office.server.database.query<{ count: number }>(
      "select count(*)::int as count from milestone where kind = 'woken' group by conversation_id having count(*) > 1",
    )
    expect(woken).toEqual([])
  })

  it('takes another time instead of the first, which then wakes nothing', async () => {
    const id = await answered()
    await snooze(ann, id, HOUR_MS)
    const { value } = await snooze(ann, id, 3 * HOUR_MS)
    // Repeating it changes nothing.
    expect((await office.run(ann, SNOOZE, { id, until: value.snoozedUntil })).code).toBeUndefined()
    const other = await answered()
    await snooze(ann, other, 90 * MINUTE_MS)
    await wakes(other, 2 * HOUR_MS)
    expect(await snoozedUntil(id)).toBe(value.snoozedUntil)
    await wakes(id, 2 * HOUR_MS)
    expect((await milestones(id)).filter(({ kind }) => kind === 'snoozed')).toHaveLength(1)
    const jobs = await office.server.database.query('select 1 from job where kind = $1', ['conversation.snooze'])
    expect(jobs).toEqual([])
  })

  it('is brought back with its time by undoing a closing, and wakes at once if that has passed', async () => {
    const [later, soon] = [await answered(), await answered()]
    // It passes the end of the shorter one between the closing and the undoing, and not before.
    office.clock.standAt()
    const { value } = await snooze(ann, later)
    await snooze(ann, soon, MINUTE_MS + 2_000)
    office.clock.advance(MINUTE_MS - 3_000)
    for (const id of [later, soon]) {
      await office.run(ann, CLOSE, { id })
      expect(await snoozedUntil(id)).toBeNull()
    }
    office.clock.advance(8_000)
    for (const id of [later, soon]) expect((await office.run(ann, UNDO, { id })).code).toBeUndefined()
    expect(await snoozedUntil(later)).toBe(value.snoozedUntil)
    office.clock.goOn()
    await wakes(soon, 0)
    expect(await inboxOf(ann, soon)).toMatchObject({ reason: 'SNOOZE_ENDED' })
    expect((await milestones(later)).map(({ kind }) => kind)).not.toContain('woken')
    await wakes(later, HOUR_MS)
  })

  it('is no handle time: the parts before and after it add up', async () => {
    office.clock.standAt()
    const id = await answered()
    office.clock.advance(10 * MINUTE_MS)
    await snooze(ann, id, 5 * HOUR_MS)
    office.clock.advance(2 * HOUR_MS)
    await office.consumerSays(id, 'hello again')
    office.clock.advance(20 * MINUTE_MS)
    await office.command(ann, id, '/leave')
    const left = (await milestones(id)).find(({ kind }) => kind === 'agentLeft')!
    expect(left.user_id).toBe(ann.id)
    expect(left.ms! / MINUTE_MS).toBe(30)
    const woken = (await milestones(id)).find(({ kind }) => kind === 'woken')!
    expect(woken.ms! / HOUR_MS).toBe(2)
    office.clock.goOn()
  })

  it('keeps an unanswered one of an absent agent; after it the channel gives it back to the queue', async () => {
    const patient = await office.channelWith({ requeueGoneSeconds: 60 }, [ann, ben])
    const id = await office.wait(patient)
    await office.consumerSays(id, 'is it ready?')
    await office.setAvailability(ann, 'AVAILABLE')
    await snooze(ann, id)
    await office.setAvailability(ann, 'OFFLINE')
    const canary = await office.wait(patient)
    await office.command(ben, canary, '/accept')
    await office.consumerSays(canary, 'hello?')
    office.clock.advance(10 * MINUTE_MS)
    // Ben was never there: his is queued again by the same look.
    await office.becomes(canary, 'QUEUED')
    expect(await office.stateOf(id)).toMatchObject({ status: 'ACTIVE' })
    await wakes(id, HOUR_MS)
    office.clock.advance(2 * MINUTE_MS)
    await office.becomes(id, 'QUEUED')
  })

  it('ends by a merge that brings a waiting consumer, and goes with neither merge nor deletion', async () => {
    const [target, origin, gone] = [await answered(), await office.wait(channel), await answered()]
    await office.consumerSays(origin, 'it is me again')
    await snooze(ann, target)
    await office.command(office.bot, target, `/import ${origin}`)
    expect(await snoozedUntil(target)).toBeNull()
    const asleep = await answered()
    await snooze(ann, asleep)
    await office.command(office.bot, target, `/import ${asleep}`)
    expect(await snoozedUntil(asleep)).toBeNull()
    await snooze(ann, gone, 2 * MINUTE_MS)
    await office.run(office.admin, 'mutation ($id: ID!) { deleteConversation(id: $id) }', { id: gone })
    const last = await answered()
    await snooze(ann, last, 2 * MINUTE_MS)
    await wakes(last, 5 * MINUTE_MS)
  })

  it('wakes each once, though nodes come and go', async () => {
    const ids = await Promise.all(Array.from({ length: 12 }, () => answered()))
    await Promise.all(ids.map((id) => snooze(ann, id, 10 * MINUTE_MS)))
    const first = await startTestServer({}, { beside: office })
    office.clock.advance(11 * MINUTE_MS)
    await first.close()
    const second = await startTestServer({}, { beside: office })
    for (const id of ids)
      await until(
        () => snoozedUntil(id),
        (at) => at === null,
      )
    const counts = await Promise.all(
      ids.map(async (id) => (await milestones(id)).filter(({ kind }) => kind === 'woken').length),
    )
    expect(counts).toEqual(ids.map(() => 1))
    await second.close()
  })

  it('of agents who snooze, close, answer and hand over at once has a serial end', async () => {
    for (let round = 0; round < 5; round++) {
      const id = await answered()
      await office.command(ben, id, '/accept')
      await Promise.all([
        snooze(ann, id),
        office.run(ben, CLOSE, { id }),
        office.consumerSays(id, 'and?'),
        snooze(ben, id, 2 * HOUR_MS),
      ])
      const { status } = await office.show(id)
      const [row] = await office.server.database.query<{ snoozed: boolean; by: boolean }>(
        'select snoozed_until is not null as snoozed, snoozed_by is not null as by from conversation where id = $1',
        [id],
      )
      expect(row!.snoozed).toBe(row!.by)
      if (status !== 'ACTIVE') expect(row!.snoozed).toBe(false)
      const kinds = (await milestones(id)).map(({ kind }) => kind)
      const opened = kinds.lastIndexOf('snoozed') > kinds.lastIndexOf('woken')
      if (status === 'ACTIVE') expect(opened).toBe(row!.snoozed)
    }
  })

  it('is set and ended over /v2, and is nothing that a guest sees', async () => {
    const id = await office.wait(channel)
    const call = async (method: string, body?: object) => {
      const headers = {
        authorization: `Bearer ${await office.tokenFor(office.admin)}`,
        'content-type': 'application/json',
      }
      const response = await fetch(`${office.url}/v2/conversations/${id}`, {
        method,
        headers,
        body: body && JSON.stringify(body),
      })
      return { status: response.status, body: (await response.json()) as Record<string, unknown> }
    }
    const at = inMs(HOUR_MS)
    expect(await call('PATCH', { snoozedUntil: at })).toMatchObject({
      status: 200,
      body: { status: 'active', snoozedUntil: at },
    })
    expect(await call('PATCH', { snoozedUntil: inMs(1_000) })).toMatchObject({ status: 400 })
    const { value: token } = await office.run<{ token: string }>(
      office.admin,
      'mutation ($id: ID!) { createGuestToken(conversation: $id) { token } }',
      { id },
    )
    const guest = await office.run<Snoozed>(
      token.token,
      'query ($id: ID!) { conversation(id: $id) { snoozedUntil } }',
      {
        id,
      },
    )
    expect(guest.value.snoozedUntil).toBeNull()
    expect((await snooze(token.token, id)).code).toBe('FORBIDDEN')
    expect((await call('PATCH', { snoozedUntil: null })).body.snoozedUntil).toBeNull()
  })
})
