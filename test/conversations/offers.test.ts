import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals'
import type { Client } from 'graphql-ws'
import { ASSIGNMENT_CHANGED } from '../../src/modules/channels/channel-writes.js'
import { readEvents } from '../../src/platform/events/streams.js'
import type { MadeUser } from '../support/factories.js'
import { liveClient, subscribe } from '../support/live-client.js'
import { startConversationFixture, until, type ConversationFixture } from './conversation-fixture.js'

let fixture: ConversationFixture
const clients: Client[] = []
beforeAll(async () => {
  fixture = await startConversationFixture({}, { pace: 10 })
})
afterEach(async () => {
  await Promise.all(clients.splice(0).map((client) => client.dispose()))
  fixture.clock.goOn()
  const { database } = fixture.server
  await database.query('delete from conversation')
  await database.query(`update staff set availability = 'offline', misses = 0, capacity = 12`)
})
afterAll(() => fixture.close())

interface OfferState {
  id: string
  status: string
  offer: { id: string; userId: string; until: string } | null
  routingTrace: {
    offers: { userId: string; outcome: string | null; reason: string | null }[]
    candidates: { userId: string; outcome: string; load: number }[]
  }[]
}

interface ReportedLine {
  user: { id: string }
  values: { metric: string; count: number; totalMs: number | null }[]
}

const ASSIGN = 'mutation ($id: ID!, $patch: UpdateChannelInput!) { updateChannel(id: $id, patch: $patch) { id } }'
const AVAILABLE =
  'mutation ($user: ID, $is: Availability!) { setAvailability(user: $user, availability: $is) { load } }'
const DECLINE = 'mutation ($offer: ID!, $reason: String) { declineOffer(offer: $offer, reason: $reason) { id } }'
const OFFER = `query ($id: ID!) { conversation(id: $id) { id status offer { id userId until }
  routingTrace { offers { userId outcome reason } candidates { userId outcome load } } } }`

async function channelWith(assignment: object, members: MadeUser[]): Promise<string> {
  const channel = await fixture.makeChannel(`Offers ${crypto.randomUUID()}`, members)
  await fixture.run(fixture.admin, ASSIGN, { id: channel, patch: { assignment } })
  return channel
}

const CAPACITY = 'mutation ($u: ID!, $c: Int!) { updateStaff(user: $u, patch: { capacity: $c }) { load } }'

/** Subscribes the agent to its queues and makes it available. */
async function ready(agent: MadeUser, capacity = 12, isNew = true): Promise<void> {
  const client = liveClient(fixture.url, await fixture.tokenFor(agent))
  clients.push(client)
  await subscribe(client, 'queue', 'subscription { queue { __typename } }').next()
  if (!isNew) return
  await fixture.run(fixture.admin, CAPACITY, { u: agent.id, c: capacity })
  await fixture.run(agent, AVAILABLE, { is: 'AVAILABLE' })
}

const stateOf = async (id: string): Promise<OfferState> =>
  (await fixture.run<OfferState>(fixture.admin, OFFER, { id })).value
const offered = (id: string, to?: MadeUser): Promise<OfferState> =>
  until(
    () => stateOf(id),
    ({ offer }) => offer !== null && (!to || offer.userId === to.id),
  )
const loadOf = async (agent: MadeUser): Promise<number> =>
  (await fixture.run<{ load: number }>(agent, '{ agentState { load } }')).value.load
const availabilityOf = async (agent: MadeUser): Promise<string> =>
  (await fixture.run<{ availability: string }>(agent, '{ agentState { availability } }')).value.availability

/** Waits until the matcher has considered what waits now: what is offered afterwards came later. */
async function considered(): Promise<void> {
  const agent = await fixture.makeAgent()
  await ready(agent)
  await offered(await wait(await channelWith({ mode: 'OFFER' }, [agent])), agent)
}

/** The stored outcomes of offers. */
async function outcomesOf(states: readonly Pick<OfferState, 'offer'>[]): Promise<(string | null)[]> {
  const rows = await fixture.server.database.query<{ outcome: string | null }>(
    'select outcome from offer where id = any($1::uuid[])',
    [states.map(({ offer }) => offer!.id)],
  )
  return rows.map(({ outcome }) => outcome)
}

/** Lets offers expire: the clock stands at their end meanwhile, so that none of them ends late. */
async function letExpire(...states: OfferState[]): Promise<void> {
  fixture.clock.standAt(new Date(Math.max(...states.map(({ offer }) => Date.parse(offer!.until)))))
  await until(
    () => outcomesOf(states),
    (outcomes) => outcomes.every((outcome) => outcome === 'expired'),
  )
  fixture.clock.goOn()
}

const missesOf = (agent: MadeUser) => async (): Promise<number> => {
  const rows = await fixture.server.database.query<{ misses: number }>('select misses from staff where user_id = $1', [
    agent.id,
  ])
  return rows[0]!.misses
}

async function wait(channel: string, more: object = {}): Promise<string> {
  const { id } = await fixture.create()
  await fixture.command(fixture.admin, id, '/notify', { meta: { channels: [channel] }, ...more })
  return id
}

describe('offers', () => {
  it('are made to the least loaded member, shown live, and accepted by /accept as a task', async () => {
    const { ann, ben } = fixture
    const channel = await channelWith({ mode: 'OFFER' }, [ann, ben])
    await ready(ann)
    await ready(ben, 24)
    const inbox = subscribe<{ __typename: string; offer: { id: string } & string; outcome?: string }>(
      clients[0]!,
      'inbox',
      `subscription { inbox { __typename ... on OfferMade { offer { id until } entry { conversation } }
        ... on OfferEnded { ended: offer conversation outcome } } }`,
    )
    await inbox.next()
    const id = await wait(channel)
    const state = await offered(id, ann)
    const made = await inbox.next(({ __typename }) => __typename === 'OfferMade')
    expect(made.offer.id).toBe(state.offer!.id)
    expect(await loadOf(ann)).toBe(4)
    expect((await fixture.run<object[]>(ann, '{ offers { id conversationId } }')).value).toEqual([
      { id: state.offer!.id, conversationId: id },
    ])
    const { value } = await fixture.command(ann, id, '/accept')
    expect(value.meta).toMatchObject({ isTask: true })
    const ended = await inbox.next(({ __typename }) => __typename === 'OfferEnded')
    expect(ended).toMatchObject({ conversation: id, outcome: 'ACCEPTED' })
    const after = await stateOf(id)
    expect(after).toMatchObject({ status: 'ACTIVE', offer: null })
    expect(after.routingTrace[0]!.offers).toEqual([{ userId: ann.id, outcome: 'ACCEPTED', reason: null }])
    expect(after.routingTrace[0]!.candidates.map(({ outcome }) => outcome).toSorted()).toEqual([
      'CHOSEN',
      'LESS_SUITABLE',
    ])
    expect(await loadOf(ann)).toBe(4)
  })

  it('go on when they are declined, and say so to webhooks', async () => {
    const { ann, ben } = fixture
    const channel = await channelWith({ mode: 'OFFER' }, [ann, ben])
    await ready(ann, 24)
    await ready(ben)
    const id = await wait(channel)
    const { offer } = await offered(id)
    const [first, second] = offer!.userId === ann.id ? [ann, ben] : [ben, ann]
    expect(await fixture.run(second, DECLINE, { offer: offer!.id })).toMatchObject({
      code: 'UNPROCESSABLE',
      details: { reason: 'OFFERED_TO_OTHER' },
    })
    expect(await fixture.run(first, DECLINE, { offer: offer!.id, reason: 'Not my field' })).not.toHaveProperty('code')
    expect(await fixture.run(first, DECLINE, { offer: offer!.id })).toMatchObject({
      details: { reason: 'OFFER_ENDED' },
    })
    const state = await offered(id, second)
    expect(state.routingTrace[0]!.offers[0]).toEqual({
      userId: first.id,
      outcome: 'DECLINED',
      reason: 'Not my field',
    })
    const events = await readEvents(fixture.server.database, `conversation:${id}`, 0, 100)
    const types = events.map(({ type }) => type).filter((type) => type.startsWith('conversation.offer'))
    expect(types).toEqual(['conversation.offered', 'conversation.offerEnded', 'conversation.offered'])
    expect(await loadOf(first)).toBe(0)
  })

  it('expire once and go on; after two in a row the agent is not responding, until it accepts', async () => {
    const { ann, ben, clock } = fixture
    const channel = await channelWith({ mode: 'OFFER', offerSeconds: 5 }, [ann])
    await ready(ann)
    await ready(ben)
    clock.standAt(clock.now())
    const ids = [await wait(channel), await wait(channel)]
    const offers = await Promise.all(ids.map((id) => offered(id, ann)))
    await letExpire(...offers)
    // Pending together, they are one miss.
    await until(missesOf(ann), (misses) => misses === 1)
    expect(await availabilityOf(ann)).toBe('AVAILABLE')
    for (const [index, id] of ids.entries()) {
      const ended = await fixture.server.database.query<{ outcome: string }>(
        `select data ->> 'outcome' as outcome from event
         where stream = $1 and type = 'conversation.offerEnded' and data ->> 'offer' = $2`,
        [`conversation:${id}`, offers[index]!.offer!.id],
      )
      expect(ended).toEqual([{ outcome: 'expired' }])
    }
    // All who could be offered it have been: anew.
    await letExpire(...(await Promise.all(ids.map((id) => offered(id, ann)))))
    await until(
      () => availabilityOf(ann),
      (availability) => availability === 'NOT_RESPONDING',
    )
    await until(
      () => Promise.all(ids.map(stateOf)),
      (states) => states.every(({ offer, status }) => offer === null && status === 'QUEUED'),
    )
    await fixture.command(ann, ids[0]!, '/accept')
    await until(
      () => availabilityOf(ann),
      (availability) => availability === 'AVAILABLE',
    )
    await offered(ids[1]!, ann)
  })

  it('do not ring a third time before the agent is found not to respond', async () => {
    const agent = await fixture.makeAgent()
    const channel = await channelWith({ mode: 'OFFER', offerSeconds: 5 }, [agent])
    await ready(agent, 4)
    const ids = [await wait(channel), await wait(channel), await wait(channel)]
    const pending = async (): Promise<OfferState[]> =>
      (await Promise.all(ids.map(stateOf))).filter(({ offer }) => offer !== null)
    const rung: string[] = []
    for (let ring = 0; ring < 2; ring++) {
      const [state] = await until(pending, ([one]) => one !== undefined && !rung.includes(one.offer!.id))
      rung.push(state!.offer!.id)
      await letExpire(state!)
    }
    await until(
      () => availabilityOf(agent),
      (availability) => availability === 'NOT_RESPONDING',
    )
    const made = await fixture.server.database.query<{ id: string }>('select id from offer where user_id = $1', [
      agent.id,
    ])
    expect(made.map(({ id }) => id).toSorted()).toEqual(rung.toSorted())
  })

  it('go by LONGEST_IDLE to whoever ended its work first, not to whoever has some', async () => {
    const [early, late, busy] = [await fixture.makeAgent(), await fixture.makeAgent(), await fixture.makeAgent()]
    // Members of none would be gone after a minute.
    await fixture.makeChannel('All', [early, late, busy])
    const channel = await channelWith({ mode: 'OFFER', order: 'LONGEST_IDLE', offerSeconds: 300 }, [])
    const members = (...users: MadeUser[]): Promise<unknown> =>
      fixture.run(fixture.admin, ASSIGN, { id: channel, patch: { members: users.map(({ id }) => ({ user: id })) } })
    for (const agent of [busy, late, early]) await ready(agent)
    const ids: string[] = []
    for (const agent of [busy, late, early]) {
      await members(agent)
      ids.push(await wait(channel))
      await offered(ids.at(-1)!, agent)
      await fixture.command(agent, ids.at(-1)!, '/accept')
      fixture.clock.advance(60_000)
    }
    // Offered last, it was done first; the first one has still to do.
    await fixture.command(early, ids[2]!, '/leave')
    fixture.clock.advance(60_000)
    await fixture.command(late, ids[1]!, '/leave')
    fixture.clock.advance(60_000)
    await members(busy, late, early)
    const next = [await wait(channel)]
    expect((await offered(next[0]!)).offer!.userId).toBe(early.id)
    next.push(await wait(channel))
    expect((await offered(next[1]!)).offer!.userId).toBe(late.id)
  })

  it.each(['closed', 'left'])(
    'go by LONGEST_IDLE to whoever ended work first, when it was %s a moment ago',
    async (how) => {
      const [one, other] = [await fixture.makeAgent(), await fixture.makeAgent()]
      const channel = await channelWith({ mode: 'OFFER', order: 'LONGEST_IDLE', offerSeconds: 300 }, [one, other])
      for (const agent of [one, other]) await ready(agent)
      const held = new Map<string, string>()
      for (let index = 0; index < 2; index += 1) {
        const id = await wait(channel)
        const { offer } = await offered(id)
        const agent = [one, other].find((each) => each.id === offer!.userId)!
        await fixture.command(agent, id, '/accept')
        await fixture.send(agent, id, { role: 'AGENT', text: 'done' })
        held.set(agent.id, id)
        fixture.clock.advance(1_000)
      }
      const [last, first] = [...held.keys()].map((user) => [one, other].find(({ id }) => id === user)!)
      const close = 'mutation ($id: ID!) { closeConversation(conversation: $id) { undoUntil } }'
      for (const agent of [first!, last!]) {
        const id = held.get(agent.id)!
        const ended = how === 'left' ? fixture.command(agent, id, '/leave') : fixture.run(agent, close, { id })
        expect(await ended).not.toHaveProperty('code')
        fixture.clock.advance(1_000)
      }
      expect((await offered(await wait(channel))).offer!.userId).toBe(first!.id)
    },
  )

  it.each(['/notify', '/enqueue'])('keep the place of what waits when it is queued once more by %s', async (text) => {
    const agent = await fixture.makeAgent()
    const channel = await channelWith({ mode: 'OFFER', offerSeconds: 300 }, [agent])
    const queuedAt = async (id: string): Promise<Date> => {
      const [row] = await fixture.server.database.query<{ at: Date }>(
        'select queued_at as at from conversation where id = $1',
        [id],
      )
      return row!.at
    }
    const first = await wait(channel)
    const at = await queuedAt(first)
    fixture.clock.advance(60_000)
    await wait(channel)
    const more = text === '/notify' ? { meta: { channels: [channel] } } : {}
    expect(await fixture.command(fixture.admin, first, text, more)).not.toHaveProperty('code')
    expect(await queuedAt(first)).toEqual(at)
    // Once it has left the queue it comes back at the end.
    await fixture.command(agent, first, '/accept')
    await fixture.command(agent, first, '/leave')
    fixture.clock.advance(60_000)
    expect(
      await fixture.command(fixture.admin, first, '/notify', { meta: { channels: [channel] } }),
    ).not.toHaveProperty('code')
    expect((await queuedAt(first)).getTime()).toBeGreaterThan(at.getTime() + 60_000)
  })

  it('that others may not accept bind the members of that channel only, if it waits in another one too', async () => {
    const [ann, colleague, outsider] = [await fixture.makeAgent(), await fixture.makeAgent(), await fixture.makeAgent()]
    const offering = await channelWith({ mode: 'OFFER', othersMayAccept: false, offerSeconds: 300 }, [ann, colleague])
    const pulling = await fixture.makeChannel(`Pull ${crypto.randomUUID()}`, [outsider])
    await ready(ann)
    const inBoth = async (): Promise<string> => {
      const { id } = await fixture.create()
      await fixture.command(fixture.admin, id, '/notify', { meta: { channels: [offering, pulling] } })
      await offered(id, ann)
      return id
    }
    const id = await inBoth()
    const bound = { code: 'UNPROCESSABLE', details: { reason: 'OFFERED_TO_OTHER', offeredTo: ann.id } }
    expect(await fixture.command(colleague, id, '/accept')).toMatchObject(bound)
    expect(await fixture.command(outsider, id, '/accept')).not.toHaveProperty('code')
    expect(await stateOf(id)).toMatchObject({ status: 'ACTIVE', offer: null })
    const onlyOffered = await wait(offering)
    await offered(onlyOffered, ann)
    expect(await fixture.command(outsider, onlyOffered, '/accept')).toMatchObject(bound)
  })

  it('are no misses of an agent whose connection did not last throughout them', async () => {
    const { ann } = fixture
    const channel = await channelWith({ mode: 'OFFER', offerSeconds: 5 }, [ann])
    await ready(ann)
    const id = await wait(channel)
    for (let round = 0; round < 2; round++) {
      const state = await offered(id, ann)
      const [before] = clients.splice(0)
      await ready(ann, 12, false)
      await before!.dispose()
      await letExpire(state)
      await until(
        () => fixture.server.database.query(`select 1 from job where kind = 'staffing.missed'`),
        (rows) => rows.length === 0,
      )
    }
    expect(await missesOf(ann)()).toBe(0)
    expect(await availabilityOf(ann)).toBe('AVAILABLE')
  })

  it('whose time passed while no server ran are withdrawn, made anew, and not missed', async () => {
    const { ann, clock } = fixture
    const channel = await channelWith({ mode: 'OFFER', offerSeconds: 5 }, [ann])
    await ready(ann)
    clock.standAt(clock.now())
    const ids = [await wait(channel), await wait(channel)]
    const offers = await Promise.all(ids.map((id) => offered(id, ann)))
    clock.advance(60_000)
    clock.goOn()
    await until(
      () => outcomesOf(offers),
      (outcomes) => outcomes.join() === 'withdrawn,withdrawn',
    )
    for (const [index, id] of ids.entries()) {
      const again = await offered(id, ann)
      expect(again.offer!.id).not.toBe(offers[index]!.offer!.id)
      expect(again.routingTrace[0]!.offers[0]!.reason).toBe('the server was away when its time ended')
    }
    expect(await missesOf(ann)()).toBe(0)
    expect(await availabilityOf(ann)).toBe('AVAILABLE')
  })

  describe('are withdrawn at once, and made to others, when they would not be made any more:', () => {
    const updateUser = 'mutation ($id: ID!, $patch: UpdateUserInput!) { updateUser(id: $id, patch: $patch) { id } }'
    const cases: Record<string, (agent: MadeUser, channel: string) => Promise<unknown>> = {
      'the agent was removed from the channel': (agent, channel) =>
        fixture.run(
          fixture.admin,
          'mutation ($c: ID!, $u: ID!) { removeChannelMember(channel: $c, user: $u) { id } }',
          {
            c: channel,
            u: agent.id,
          },
        ),
      'the list of members was replaced': (_, channel) =>
        fixture.run(fixture.admin, ASSIGN, { id: channel, patch: { members: [{ user: fixture.ben.id }] } }),
      'the agent was deleted': (agent) =>
        fixture.run(fixture.admin, 'mutation ($id: ID!) { deleteUser(id: $id) }', { id: agent.id }),
      'the agent was archived': (agent) =>
        fixture.run(fixture.admin, updateUser, { id: agent.id, patch: { status: 'ARCHIVED' } }),
      'the agent became a viewer': (agent) =>
        fixture.run(fixture.admin, updateUser, { id: agent.id, patch: { role: 'VIEWER' } }),
      'the capacity became smaller than the load': (agent) =>
        fixture.run(fixture.admin, CAPACITY, { u: agent.id, c: 3 }),
    }
    it.each(Object.keys(cases))('%s', async (name) => {
      const { ben } = fixture
      const cat = await fixture.makeAgent({ displayName: 'Cat' })
      const channel = await channelWith({ mode: 'OFFER', offerSeconds: 300 }, [cat, ben])
      await ready(cat, 24)
      const id = await wait(channel)
      const { offer } = await offered(id, cat)
      await ready(ben)
      expect(await cases[name]!(cat, channel)).not.toHaveProperty('code')
      const { routingTrace } = await offered(id, ben)
      expect(routingTrace[0]!.offers[0]).toMatchObject({ userId: cat.id, outcome: 'WITHDRAWN' })
      expect(await outcomesOf([{ offer }])).toEqual(['withdrawn'])
    })
  })

  it('stay within a capacity that was lowered: the latest are withdrawn', async () => {
    const { ann } = fixture
    const channel = await channelWith({ mode: 'OFFER', offerSeconds: 300 }, [ann])
    await ready(ann)
    const ids: string[] = []
    for (let n = 0; n < 3; n++) {
      ids.push(await wait(channel))
      await offered(ids[n]!, ann)
    }
    await fixture.run(fixture.admin, CAPACITY, { u: ann.id, c: 7 })
    await until(
      () => Promise.all(ids.map(stateOf)),
      (states) => states.map(({ offer }) => offer !== null).join() === 'true,false,false',
    )
    expect(await loadOf(ann)).toBe(4)
  })

  it('end when the agent loses a skill that is asked for, or the channel offers nothing any more', async () => {
    const { ann, admin } = fixture
    const skill = await fixture.run<{ id: string }>(
      admin,
      'mutation { createSkill(input: { name: "Frisian" }) { id } }',
    )
    const give = 'mutation ($u: ID!, $s: [ID!]) { updateStaff(user: $u, patch: { skills: $s }) { load } }'
    const channel = await channelWith({ mode: 'OFFER', offerSeconds: 300 }, [ann])
    const params = { channels: [channel], skills: [skill.value.id] }
    const workflow = await fixture.makeWorkflow([{ conditions: { all: [] }, event: { type: 'notify', params } }])
    await fixture.run(admin, give, { u: ann.id, s: [skill.value.id] })
    await ready(ann)
    const { id } = await fixture.create({ messages: [{ role: 'CONTACT', text: 'goeie' }] })
    await offered(id, ann)
    await fixture.run(admin, give, { u: ann.id, s: null })
    const isFree = ({ offer }: OfferState): boolean => offer === null
    // The matcher writes what it found of the agents after the offer was withdrawn.
    const { routingTrace } = await until(
      () => stateOf(id),
      (state) => isFree(state) && state.routingTrace[0]?.candidates?.[0]?.outcome === 'LACKS_SKILLS',
    )
    expect(routingTrace[0]!.candidates).toEqual([{ userId: ann.id, outcome: 'LACKS_SKILLS', load: 0 }])
    await fixture.run(admin, give, { u: ann.id, s: [skill.value.id] })
    await offered(id, ann)
    await fixture.run(admin, ASSIGN, { id: channel, patch: { assignment: { mode: 'PULL' } } })
    await until(() => stateOf(id), isFree)
    // Without a channel that offers, nobody is a candidate.
    await considered()
    expect(await stateOf(id)).toMatchObject({ offer: null, status: 'QUEUED' })
    await fixture.run(admin, 'mutation ($id: ID!) { deleteWorkflow(id: $id) }', { id: workflow })
  })

  it('give a freed place to the oldest that waits, and never pass the capacity', async () => {
    const { ann } = fixture
    const channel = await channelWith({ mode: 'ASSIGN' }, [ann])
    await ready(ann, 8)
    const ids: string[] = []
    for (let n = 0; n < 4; n++) ids.push(await wait(channel))
    const statuses = async (): Promise<string> =>
      (await Promise.all(ids.map(stateOf))).map(({ status }) => status).join()
    await until(statuses, (all) => all === 'ACTIVE,ACTIVE,QUEUED,QUEUED')
    expect(await loadOf(ann)).toBe(8)
    await fixture.command(ann, ids[0]!, '/leave')
    await until(statuses, (all) => all === 'CLOSED,ACTIVE,ACTIVE,QUEUED')
    expect(await loadOf(ann)).toBe(8)
    const [waiting] = (await stateOf(ids[3]!)).routingTrace
    expect(waiting!.candidates).toEqual([{ userId: ann.id, outcome: 'AT_CAPACITY', load: 8 }])
    const { messages } = await fixture.show(ids[1]!)
    expect(messages.edges.at(-1)!.node).toMatchObject({ text: '/accept', userId: ann.id, meta: { isTask: true } })
  })

  it('are withdrawn when somebody else accepts, if others may', async () => {
    const { ann, ben } = fixture
    const channel = await channelWith({ mode: 'OFFER' }, [ann])
    await ready(ann)
    const id = await wait(channel)
    await offered(id, ann)
    expect(await fixture.command(ben, id, '/accept')).not.toHaveProperty('code')
    expect((await stateOf(id)).routingTrace[0]!.offers[0]).toMatchObject({ outcome: 'WITHDRAWN' })
    const closed = await channelWith({ mode: 'OFFER', othersMayAccept: false }, [ann])
    const other = await wait(closed)
    await offered(other, ann)
    expect(await fixture.command(ben, other, '/accept')).toMatchObject({
      code: 'UNPROCESSABLE',
      details: { reason: 'OFFERED_TO_OTHER', offeredTo: ann.id },
    })
    expect(await fixture.command(ann, other, '/accept')).not.toHaveProperty('code')
  })

  it('are withdrawn from an agent who goes away, and unanswered work of one who is gone is queued again', async () => {
    const { ann } = fixture
    const channel = await channelWith({ mode: 'OFFER', requeueGoneSeconds: 5 }, [ann])
    await ready(ann)
    const id = await wait(channel)
    await offered(id, ann)
    await fixture.run(ann, AVAILABLE, { is: 'AWAY' })
    await until(
      () => stateOf(id),
      ({ offer }) => offer === null,
    )
    await fixture.command(ann, id, '/accept')
    await fixture.send(fixture.bot, id, { role: 'CONTACT', text: 'are you there?' })
    await fixture.run(ann, AVAILABLE, { is: 'OFFLINE' })
    expect((await stateOf(id)).status).toBe('ACTIVE')
    fixture.clock.advance(6_000)
    await until(
      () => stateOf(id),
      ({ status }) => status === 'QUEUED',
    )
    expect((await fixture.show(id)).participants.map(({ userId }) => userId)).not.toContain(ann.id)
  })

  it('limit pulls where the channel says so, and answers never', async () => {
    const { ann } = fixture
    const channel = await channelWith({ limitPulls: true }, [ann])
    await until(
      () => fixture.server.database.query('select 1 from job where kind = $1', [ASSIGNMENT_CHANGED.kind]),
      (rows) => rows.length === 0,
    )
    await ready(ann, 4)
    const [first, second] = [await wait(channel), await wait(channel)]
    expect(await fixture.command(ann, first, '/accept')).not.toHaveProperty('code')
    expect(await fixture.command(ann, second, '/accept')).toMatchObject({
      code: 'UNPROCESSABLE',
      details: { reason: 'AT_CAPACITY', load: 4, capacity: 4, weight: 4 },
    })
    expect(await fixture.send(ann, second, { role: 'AGENT', text: 'I am here' })).not.toHaveProperty('code')
    expect(await loadOf(ann)).toBe(8)
  })

  it('ask for the skills of the rules until these are dropped', async () => {
    const { ann, ben, admin } = fixture
    const channel = await channelWith({ mode: 'OFFER' }, [ann, ben])
    const skill = await fixture.run<{ id: string }>(admin, 'mutation { createSkill(input: { name: "Dutch" }) { id } }')
    await fixture.run(
      admin,
      'mutation ($u: ID!, $s: [ID!]) { updateStaff(user: $u, patch: { skills: $s }) { load } }',
      {
        u: ben.id,
        s: [skill.value.id],
      },
    )
    const params = { channels: [channel], skills: [skill.value.id], skillsDropAfter: 60, urgency: 2 }
    const workflow = await fixture.makeWorkflow([{ conditions: { all: [] }, event: { type: 'notify', params } }])
    await ready(ann)
    const { id } = await fixture.create({ messages: [{ role: 'CONTACT', text: 'hallo' }] })
    await until(
      async () => (await stateOf(id)).routingTrace[0]?.candidates ?? [],
      (all) => all.some(({ userId, outcome }) => userId === ann.id && outcome === 'LACKS_SKILLS'),
    )
    expect((await stateOf(id)).offer).toBeNull()
    fixture.clock.advance(61_000)
    await offered(id, ann)
    await fixture.run(admin, 'mutation ($u: ID!) { updateStaff(user: $u, patch: { skills: null }) { load } }', {
      u: ben.id,
    })
    const remove = 'mutation ($id: ID!) { deleteSkill(id: $id) }'
    expect(await fixture.run(admin, remove, { id: skill.value.id })).toMatchObject({
      code: 'UNPROCESSABLE',
      details: { workflow },
    })
    await fixture.run(admin, 'mutation ($id: ID!) { deleteWorkflow(id: $id) }', { id: workflow })
  })

  it('explain of a conversation that waits why each member of the channel is not offered it', async () => {
    const { ann, ben, admin } = fixture
    const customer = await fixture.makeOrganization({ parent: fixture.organization, name: 'Customer' })
    const [cat, dan, eve] = [
      await fixture.makeAgent({ displayName: 'Cat' }),
      await fixture.makeAgent({ displayName: 'Dan' }),
      await fixture.makeUser({ organization: customer, displayName: 'Eve' }),
    ]
    const channel = await channelWith({ mode: 'OFFER', offerSeconds: 300 }, [ann, ben, cat, dan, eve])
    // Full, so that nobody has room for it, and not all who could carry it have declined.
    const { id: other } = await fixture.create({ messages: [{ role: 'CONTACT', text: 'hello' }] })
    await fixture.command(ben, other, '/accept')
    await ready(ben, await loadOf(ben))
    await ready(ann)
    const id = await wait(channel)
    const { offer } = await offered(id, ann)
    await fixture.run(cat, AVAILABLE, { is: 'AWAY' })
    await fixture.run(admin, AVAILABLE, { user: dan.id, is: 'AVAILABLE' })
    await fixture.run(ann, DECLINE, { offer: offer!.id })
    const outcomesNow = async (): Promise<Record<string, string>> =>
      Object.fromEntries((await stateOf(id)).routingTrace[0]!.candidates.map((each) => [each.userId, each.outcome]))
    const outcomes = await until(outcomesNow, (found) => found[ann.id] !== 'CHOSEN')
    expect((await stateOf(id)).offer).toBeNull()
    expect(outcomes).toEqual({
      [ann.id]: 'DECLINED',
      [ben.id]: 'AT_CAPACITY',
      [cat.id]: 'UNAVAILABLE',
      [dan.id]: 'NOT_SUBSCRIBED',
      [eve.id]: 'OUT_OF_REACH',
    })
    // Of one that a team took over as a task while it was active, nothing waits for an offer.
    await fixture.command(ben, id, '/accept')
    await fixture.command(ben, id, '/notify', { meta: { channels: [channel] } })
    expect(await stateOf(id)).toMatchObject({ status: 'ACTIVE', offer: null })
    const last = (await stateOf(id)).routingTrace[0]!.candidates
    expect(last.find(({ userId }) => userId === ann.id)).toMatchObject({ outcome: 'CHOSEN' })
  })

  it('are counted in reports: what became of them and how long it took, and the time in each state', async () => {
    const { ann, admin, clock } = fixture
    const channel = await channelWith({ mode: 'OFFER', offerSeconds: 300 }, [ann])
    const begun = clock.now().getTime()
    await ready(ann)
    const id = await wait(channel)
    const { offer } = await offered(id, ann)
    clock.advance(30_000)
    await fixture.run(ann, DECLINE, { offer: offer!.id })
    await offered(id, ann)
    clock.advance(10_000)
    await fixture.command(ann, id, '/accept')
    clock.advance(60_000)
    await fixture.run(ann, AVAILABLE, { is: 'AWAY' })
    clock.advance(600_000)
    await fixture.run(ann, AVAILABLE, { is: 'AVAILABLE' })
    const quarter = 900_000
    const to = new Date(Math.ceil((clock.now().getTime() + 1) / quarter) * quarter)
    const { value } = await fixture.run<{ lines: ReportedLine[] }>(
      admin,
      `query ($from: DateTime!, $to: DateTime!, $filter: ReportFilter) {
        report(metrics: [OFFERS_MADE, OFFERS_ACCEPTED, OFFERS_DECLINED, OFFERS_EXPIRED, OFFER_ANSWER_TIME, AVAILABLE_TIME, AWAY_TIME],
          by: [USER], from: $from, to: $to, filter: $filter) { lines { user { id } values { metric count totalMs } } } }`,
      { from: new Date(to.getTime() - 8 * quarter), to, filter: { channels: [channel] } },
    )
    const [line] = value.lines
    expect(value.lines).toHaveLength(1)
    expect(line!.user.id).toBe(ann.id)
    const counts = Object.fromEntries(line!.values.map(({ metric, count }) => [metric, count]))
    expect(counts).toEqual({
      OFFERS_MADE: 2,
      OFFERS_ACCEPTED: 1,
      OFFERS_DECLINED: 1,
      OFFERS_EXPIRED: 0,
      OFFER_ANSWER_TIME: 2,
      AVAILABLE_TIME: 1,
      AWAY_TIME: 1,
    })
    const ms = Object.fromEntries(line!.values.map(({ metric, totalMs }) => [metric, totalMs]))
    // The clock runs on by itself meanwhile.
    const ran = clock.now().getTime() - begun - 700_000
    for (const [metric, atLeast] of Object.entries({
      OFFER_ANSWER_TIME: 40_000,
      AVAILABLE_TIME: 100_000,
      AWAY_TIME: 600_000,
    })) {
      expect(ms[metric]).toBeGreaterThanOrEqual(atLeast)
      expect(ms[metric]).toBeLessThanOrEqual(atLeast + ran)
    }
  })

  it('are invisible to other tenants, and to consumers', async () => {
    const { ann } = fixture
    const foreign = await fixture.makeUser({
      organization: await fixture.makeOrganization({ name: 'Elsewhere' }),
      role: 'admin',
    })
    const channel = await channelWith({ mode: 'OFFER' }, [ann])
    await ready(ann)
    const id = await wait(channel)
    const { offer } = await offered(id, ann)
    expect(await fixture.run(foreign, DECLINE, { offer: offer!.id })).toMatchObject({ code: 'NOT_FOUND' })
    expect(await fixture.run(foreign, DECLINE, { offer: 'none' })).toMatchObject({ code: 'NOT_FOUND' })
  })

  it('leave channels as they are without settings, and refuse seconds out of bounds', async () => {
    const { admin, ann, channel } = fixture
    await ready(ann)
    const id = await wait(channel)
    await considered()
    expect((await stateOf(id)).offer).toBeNull()
    for (const assignment of [{ offerSeconds: 4 }, { preferLastSeconds: 301 }, { requeueGoneSeconds: 0 }]) {
      const [key] = Object.keys(assignment)
      expect(await fixture.run(admin, ASSIGN, { id: channel, patch: { assignment } })).toMatchObject({
        code: 'BAD_USER_INPUT',
        details: { field: `assignment.${key}` },
      })
    }
  })
})
