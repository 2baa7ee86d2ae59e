import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals'
import type { Client } from 'graphql-ws'
import { Random } from '../../bench/chaos/random.js'
import { assignmentOf } from '../../src/modules/channels/assignment.js'
import { match, type StaffAgent } from '../../src/modules/conversations/offers/match.js'
import { readWork } from '../../src/modules/conversations/offers/read-staff.js'
import { expectedWait, medianGap } from '../../src/modules/conversations/place/accept-pace.js'
import { PlaceReader } from '../../src/modules/conversations/place/place-reader.js'
import { PlaceTicker } from '../../src/modules/conversations/place/place-ticker.js'
import { systemClock } from '../../src/platform/db/clock.js'
import { CompiledSchedules } from '../../src/modules/schedules/current-schedule.js'
import type { MadeUser } from '../support/factories.js'
import { liveClient, subscribe, type LiveSubscription } from '../support/live-client.js'
import { rule, startConversationFixture, until, type ConversationFixture } from './conversation-fixture.js'

let fixture: ConversationFixture
const clients: Client[] = []
beforeAll(async () => {
  fixture = await startConversationFixture({}, { pace: 10 })
})
beforeEach(async () => {
  const { database } = fixture.server
  await database.query('delete from conversation')
  await database.query('delete from milestone')
  await database.query('delete from workflow')
  await database.query('delete from sla_policy')
  await tell(fixture.channel)
})
afterAll(async () => {
  for (const client of clients) await client.dispose()
  await fixture.close()
})

interface Place {
  position: number | null
  waitSeconds: number | null
  opensAt: string | null
}

interface Frame {
  __typename: string
  cursor: string
  place: Place | null
}

/** Copies a waiting conversation. @returns the ids of the copies in the order of their queueing */
async function copyWaiting(seed: string, count: number): Promise<string[]> {
  const { database } = fixture.server
  const [{ names }] = (await database.query<{ names: string[] }>(
    `select array_agg(column_name::text) as names from information_schema.columns
     where table_name = 'conversation' and is_generated = 'NEVER'`,
  )) as [{ names: string[] }]
  await database.query(
    `insert into conversation (${names.join()}) select ${names.map((name) => `r.${name}`).join()}
     from conversation c, generate_series(1, $2) n, jsonb_populate_record(c, jsonb_build_object(
       'id', md5(c.id::text || n)::uuid, 'slug', 'place-' || n, 'queued_at', c.queued_at + n * interval '1 ms')) r
     where c.id = $1`,
    [seed, count],
  )
  const rows = await database.query<{ id: string }>(
    `select id from conversation where slug like 'place-%' order by queued_at`,
  )
  return rows.map(({ id }) => id)
}

const PLACE = 'position waitSeconds opensAt'
const QUERY = `query ($id: ID!) { conversation(id: $id) { queuePlace { ${PLACE} } } }`
const LIVE = `subscription ($id: ID!, $after: String, $place: Boolean = true) {
  conversation(id: $id, after: $after, place: $place) {
    __typename ... on StreamEvent { cursor } ... on QueuePlaceChanged { place { ${PLACE} } } } }`

const tell = (channel: string, tellPlace = true): Promise<unknown> =>
  fixture.run(
    fixture.admin,
    'mutation ($id: ID!, $patch: UpdateChannelInput!) { updateChannel(id: $id, patch: $patch) { id } }',
    { id: channel, patch: { assignment: { tellPlace } } },
  )
const wait = async (input: object = {}): Promise<string> =>
  (await fixture.create({ messages: [{ role: 'CONTACT', text: 'hello' }], ...input })).id
const guestOf = async (id: string): Promise<string> =>
  (
    await fixture.run<{ token: string }>(
      fixture.bot,
      'mutation ($id: ID!) { createGuestToken(conversation: $id) { token } }',
      { id },
    )
  ).value.token
const placeOf = async (id: string, as: MadeUser | string = fixture.ann): Promise<Place | null | undefined> => {
  // An answer is used for a second, of a clock that has this pace.
  await new Promise((resolve) => setTimeout(resolve, 1_050 / fixture.clock.pace))
  return (await fixture.run<{ queuePlace: Place | null } | null>(as, QUERY, { id })).value?.queuePlace
}
const positionsOf = async (...ids: string[]): Promise<unknown[]> =>
  (await Promise.all(ids.map((id) => placeOf(id)))).map((place) => place?.position)

async function hear(id: string, after?: string, place = true): Promise<LiveSubscription<Frame>> {
  const client = liveClient(fixture.url, await guestOf(id))
  clients.push(client)
  return subscribe<Frame>(client, 'conversation', LIVE, { id, after, place })
}
/** Opens the queue of an agent. @returns what closes it */
async function open(agent: MadeUser): Promise<() => Promise<void>> {
  const client = liveClient(fixture.url, await fixture.tokenFor(agent))
  const live = subscribe<{ __typename: string }>(client, 'queue', 'subscription { queue { __typename } }')
  await live.next(() => true)
  return async () => {
    live.stop()
    await client.dispose()
  }
}
const isPlace = ({ __typename }: Frame): boolean => __typename === 'QueuePlaceChanged'
const nextPlace = async (live: LiveSubscription<Frame>, fits: (place: Place | null) => boolean = () => true) =>
  (await live.next((frame) => isPlace(frame) && fits(frame.place))).place

describe('the place in line', () => {
  it('is told to the guest of the conversation, live, and ends with the accept', async () => {
    const [first, second] = [await wait(), await wait()]
    const guest = await guestOf(second)
    expect(await placeOf(second, guest)).toEqual({ position: 2, waitSeconds: null, opensAt: null })
    const live = await hear(second)
    expect(await nextPlace(live)).toMatchObject({ position: 2 })
    await fixture.command(fixture.ann, first, '/accept')
    expect(await nextPlace(live)).toMatchObject({ position: 1 })
    await fixture.command(fixture.ann, second, '/accept')
    expect(await nextPlace(live)).toBeNull()
    expect(await placeOf(second, guest)).toBeNull()
  })

  it('is sent anew to a subscriber who resumes, though no event is replayed', async () => {
    const [first, second] = [await wait(), await wait()]
    const live = await hear(second)
    const { cursor } = await live.next(isPlace)
    live.stop()
    await fixture.command(fixture.ann, first, '/accept')
    const resumed = await hear(second, cursor)
    expect(await resumed.next(() => true)).toMatchObject({
      __typename: 'QueuePlaceChanged',
      place: { position: 1 },
    })
    await fixture.command(fixture.ann, second, '/accept')
    const { cursor: late } = await resumed.next(({ place }) => place === null)
    resumed.stop()
    const again = await hear(second, late)
    expect(await nextPlace(again)).toBeNull()
  })

  it('is not told of another conversation, nor to whoever did not ask for it', async () => {
    const [mine, other] = [await wait(), await wait()]
    const guest = await guestOf(mine)
    const refused = await fixture.run(guest, QUERY, { id: other })
    expect([refused.code, refused.value]).toEqual(['NOT_FOUND', null])
    const client = liveClient(fixture.url, guest)
    clients.push(client)
    await expect(subscribe(client, 'conversation', LIVE, { id: other }).next()).rejects.toThrow('NOT_FOUND')
    const stranger = await fixture.makeUser({ organization: await fixture.makeOrganization(), role: 'admin' })
    expect((await fixture.run(stranger, QUERY, { id: mine })).code).toBe('NOT_FOUND')
    const silent = await hear(mine, undefined, false)
    await silent.next()
    await nextPlace(await hear(mine))
    // What is said after the place was told comes after it.
    const heard = silent.events.length
    await fixture.send(fixture.bot, mine, { role: 'CONTACT', text: 'and now?' })
    await until(
      async () => silent.events.length,
      (events) => events > heard,
    )
    expect(silent.events.filter(isPlace)).toEqual([])
  })

  it('counts those of the same channels only, once each, where a channel tells places', async () => {
    const [other, quiet] = [await fixture.makeChannel('Other'), await fixture.makeChannel('Quiet')]
    await tell(other)
    const is = (value: string): object => ({
      all: [{ fact: 'conversation', path: '.meta.to', operator: 'equal', value }],
    })
    const to = (value: string, channels: string[]): object => rule({ channels }, { conditions: is(value) })
    await fixture.makeWorkflow([
      to('sales', [fixture.channel]),
      to('other', [other]),
      to('both', [fixture.channel, other]),
      to('quiet', [quiet]),
      to('mixed', [quiet, other]),
    ])
    const make = (kind: string): Promise<string> => wait({ meta: { to: kind } })
    const [sales, others, both, hushed, mixed] = [
      await make('sales'),
      await make('other'),
      await make('both'),
      await make('quiet'),
      await make('mixed'),
    ]
    // `mixed` waits behind those of Other; what waits in Quiet is nobody's business.
    expect(await positionsOf(sales, others, both, hushed, mixed)).toEqual([1, 1, 3, undefined, 3])
    await tell(other, false)
    await tell(fixture.channel, false)
    expect(await placeOf(both)).toBeNull()
  })

  it('follows urgency, what is due next, and the time of queueing', async () => {
    const is = (value: string): object => ({
      all: [{ fact: 'conversation', path: '.meta.kind', operator: 'equal', value }],
    })
    await fixture.makeWorkflow([
      rule({ channels: [fixture.channel], urgency: 3 }, { conditions: is('urgent') }),
      rule({ channels: [fixture.channel] }, { conditions: { all: [] }, priority: 2 }),
    ])
    const policy = { name: 'Due', conditions: is('due'), targets: [{ clock: 'QUEUE', minutes: 60 }] }
    await fixture.run(
      fixture.admin,
      'mutation ($input: CreateSlaPolicyInput!) { createSlaPolicy(input: $input) { id } }',
      { input: policy },
    )
    // What a rule says of urgency counts with the channels that it notifies.
    const online = liveClient(fixture.url, await fixture.tokenFor(fixture.ann))
    clients.push(online)
    await subscribe(online, 'queue', 'subscription { queue { __typename } }').next()
    const make = (kind: string): Promise<string> => wait({ meta: { kind } })
    const [plain, due, urgent, last] = [
      await make('plain'),
      await make('due'),
      await make('urgent'),
      await make('plain'),
    ]
    expect(await positionsOf(urgent, due, plain, last)).toEqual([1, 2, 3, 4])
  })

  it('is kept while an offer is pending and when it is routed again, and begins anew after leaving the queue', async () => {
    const [first, second] = [await wait(), await wait()]
    await fixture.server.database.query(
      `update conversation set offer_id = $2, offer_user_id = $3, offer_until = now() + interval '1 hour' where id = $1`,
      [first, fixture.clock.newId(), fixture.ann.id],
    )
    expect(await positionsOf(first, second)).toEqual([1, 2])
    await fixture.command(fixture.ann, first, '/accept')
    await fixture.command(fixture.ann, first, '/leave')
    expect(await positionsOf(first, second)).toEqual([2, 1])
    await fixture.command(fixture.admin, second, `/import ${first}`)
    expect(await positionsOf(second)).toEqual([1])
    await fixture.command(fixture.ann, second, '/block')
    expect(await placeOf(second)).toBeNull()
  })

  it('comes with the expected wait once there were enough accepts, while an agent is online', async () => {
    const close = await open(fixture.ann)
    for (let each = 0; each < 6; each++) {
      await fixture.command(fixture.ann, await wait(), '/accept')
      fixture.clock.advance(120_000)
    }
    await wait()
    const id = await wait()
    // The pace is read every ten seconds.
    const place = await until(
      () => placeOf(id),
      (found) => found?.waitSeconds !== null,
    )
    expect(place?.position).toBe(2)
    expect(place!.waitSeconds).toBeGreaterThanOrEqual(240)
    expect(place!.waitSeconds).toBeLessThanOrEqual(300)
    await close()
    // And what earlier tests left open.
    for (const client of clients.splice(0)) await client.dispose()
    const alone = await until(
      () => placeOf(id),
      (found) => found?.waitSeconds === null,
    )
    expect(alone).toEqual({ position: 2, waitSeconds: null, opensAt: null })
  })

  it('comes with the pace of a quiet channel of a center that is busy elsewhere', async () => {
    const [busy, rare, silent] = [
      await fixture.makeChannel('Busy', [fixture.ann]),
      await fixture.makeChannel('Rare', [fixture.ann]),
      await fixture.makeChannel('Silent', [fixture.ann]),
    ]
    await fixture.server.database.query(
      `insert into milestone (conversation_id, nth, kind, at, org1, channels, ms)
       select gen_random_uuid(), 1, 'accepted', $1::timestamptz - n * each.gap, $2, array[each.channel]::uuid[], 1000
       from (values ($3::uuid, 3000, interval '1 second'), ($4::uuid, 7, interval '10 minutes')) as each(channel, count, gap),
         generate_series(1, each.count) n`,
      [fixture.clock.now(), fixture.organization.path[0], busy, rare],
    )
    await Promise.all([busy, rare, silent].map((each) => tell(each)))
    const close = await open(fixture.ann)
    const rules = [rare, silent].map((channel) =>
      rule(
        { channels: [channel] },
        { conditions: { all: [{ fact: 'conversation', path: '.meta.to', operator: 'equal', value: channel }] } },
      ),
    )
    await fixture.makeWorkflow(rules)
    const [quiet, unknown] = [await wait({ meta: { to: rare } }), await wait({ meta: { to: silent } })]
    expect(await placeOf(quiet)).toMatchObject({ position: 1, waitSeconds: 600 })
    expect(await placeOf(unknown)).toMatchObject({ position: 1, waitSeconds: null })
    await close()
  })

  it('says when the schedule opens, also where no channel tells places', async () => {
    const hour = fixture.clock.now().getUTCHours()
    const time = (each: number): string => `${String((hour + each) % 24).padStart(2, '0')}:00`
    const days = ['MON', 'TUE', 'WED', 'THU', 'FRI', 'SAT', 'SUN']
    const { value: schedule } = await fixture.run<{ id: string }>(
      fixture.admin,
      'mutation ($input: CreateScheduleInput!) { createSchedule(input: $input) { id } }',
      { input: { name: 'Later', timezone: 'UTC', spans: [{ days, opens: time(2), closes: time(4) }] } },
    )
    const input = { name: 'Later', schedule: schedule.id, targets: [{ clock: 'QUEUE', minutes: 5 }] }
    await fixture.run(
      fixture.admin,
      'mutation ($input: CreateSlaPolicyInput!) { createSlaPolicy(input: $input) { id } }',
      { input },
    )
    const id = await wait()
    const place = await placeOf(id)
    expect(place).toMatchObject({ position: 1, waitSeconds: null })
    const minutes = (Date.parse(place!.opensAt!) - fixture.clock.now().getTime()) / 60_000
    expect(minutes).toBeGreaterThan(50)
    expect(minutes).toBeLessThanOrEqual(120)
  })
})

describe('the order of places', () => {
  it('is the one in which conversations are offered', async () => {
    const { database } = fixture.server
    const copies = await copyWaiting(await wait(), 60)
    const random = new Random(7)
    const at = fixture.clock.now().getTime()
    for (const id of copies) {
      const time = (): Date => new Date(at - random.pick([1, 2, 3]) * 60_000)
      const due = random.chance(0.4) ? null : time()
      await database.query('update conversation set urgency = $2, next_due = $3, queued_at = $4 where id = $1', [
        ...[id, random.pick([-1, 0, 0, 1, 2]), due, time()],
      ])
    }
    const setMode = (mode: string) =>
      fixture.run(
        fixture.admin,
        'mutation ($id: ID!, $patch: UpdateChannelInput!) { updateChannel(id: $id, patch: $patch) { id } }',
        { id: fixture.channel, patch: { assignment: { mode, tellPlace: true } } },
      )
    await setMode('OFFER')
    const here = new Set([fixture.channel])
    const agent: StaffAgent = {
      ...{ id: fixture.ann.id, name: 'Ann', avatar: null, role: 'agent', organization: fixture.organization.id },
      ...{ availability: 'available', capacity: 1_000_000, load: 0, idleSince: 0 },
      ...{ skills: new Set<string>(), memberOf: here, subscribed: here },
    }
    const now = fixture.clock.now()
    const { waiting } = await readWork(database, fixture.organization.path[0]!, { now, idleMinutes: 30 })
    const channels = new Map([[fixture.channel, assignmentOf({ mode: 'offer' })]])
    const offered = match(waiting, { channels, agents: [agent] }, at).map(({ conversation }) => conversation.id)
    expect(offered).toHaveLength(61)
    expect(await positionsOf(...offered)).toEqual(offered.map((_, index) => index + 1))
    await setMode('PULL')
  })
})

describe('sending places', () => {
  const dispatcher = { ephemeral: () => undefined }
  const log = { warn: () => undefined }
  afterEach(() => void jest.restoreAllMocks())
  /** Makes the time of pauses stand still. @returns a function that lets some of it pass */
  function standStill(): (ms: number) => void {
    let at = performance.now()
    jest.spyOn(performance, 'now').mockImplementation(() => at)
    return (ms) => void (at += ms)
  }
  function ticking(read: () => Promise<null>) {
    let [reads, others] = [0, 0]
    const readAll = async (tenant: string, asked: readonly string[]): Promise<null[]> => {
      if (tenant === 'other') others += 1
      else reads += 1
      return Promise.all(asked.map(tenant === 'other' ? async () => null : read))
    }
    const ticker = new PlaceTicker({ places: { readAll }, dispatcher, log, clock: { pace: 100 } })
    /** Waits until another center, which comes later in each tick, has been read so many times more. */
    const ticks = async (count: number): Promise<void> => {
      const unwatch = ticker.watch('other', 'conversation')
      const before = others
      await until(() => {
        ticker.hasten('other', 'conversation')
        return others > before + count
      })
      unwatch()
    }
    return { ticker, reads: () => reads, ticks }
  }

  it('pauses after a read that failed as after one that took long', async () => {
    standStill()
    const { ticker, reads, ticks } = ticking(() => Promise.reject(new Error('no connection')))
    ticker.watch('center', 'conversation')
    await ticks(6)
    expect(reads()).toBe(1)
    ticker.stop()
  })

  it('reads again what changed, or was asked for, while places were counted', async () => {
    const asked: string[][] = []
    const counting = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const readAll = async (_: string, conversations: readonly string[]): Promise<null[]> => {
      asked.push([...conversations])
      await counting[asked.length - 1]?.promise
      // As of before the conversation was queued.
      return conversations.map(() => null)
    }
    const ticker = new PlaceTicker({ places: { readAll }, dispatcher, log, clock: { pace: 20 } })
    const reads = (count: number): Promise<number> =>
      until(
        () => Promise.resolve(asked.length),
        (length) => length === count,
      )
    ticker.watch('center', 'quiet')
    ticker.watch('center', 'queued')
    await reads(1)
    ticker.hasten('center', 'queued')
    ticker.watch('center', 'new')
    counting[0]!.resolve()
    await reads(2)
    // A second subscriber of one that is asked for.
    ticker.watch('center', 'new')
    counting[1]!.resolve()
    await reads(3)
    expect(asked).toEqual([['quiet', 'queued'], ['queued', 'new'], ['new']])
    ticker.stop()
  })

  it('pauses also for a watcher who closes and opens again', async () => {
    const pass = standStill()
    const counted = Promise.withResolvers<null>()
    const { ticker, reads, ticks } = ticking(() => counted.promise)
    const unwatch = ticker.watch('center', 'conversation')
    await until(() => reads() === 1)
    unwatch()
    pass(50)
    counted.resolve(null)
    for (let round = 0; round < 8; round++) {
      const unwatchAgain = ticker.watch('center', 'conversation')
      await ticks(1)
      unwatchAgain()
      await ticks(1)
    }
    expect(reads()).toBe(1)
    // And ends with the pause.
    pass(1_000)
    ticker.watch('center', 'conversation')
    await until(
      () => Promise.resolve(reads()),
      (count) => count === 2,
    )
    ticker.stop()
  })

  it('reads one at a time, for subscribers and for those who ask once', async () => {
    let [running, most, statements] = [0, 0, 0]
    const counted = Promise.withResolvers<void>()
    const query = async (): Promise<never[]> => {
      statements += 1
      most = Math.max(most, ++running)
      await counted.promise
      running -= 1
      return []
    }
    const database = { readsOf: () => ({ query, snapshot: () => Promise.reject(new Error('none')) }) }
    const places = new PlaceReader({ database, clock: systemClock, compiled: new CompiledSchedules() })
    const ids = Array.from({ length: 50 }, (_, index) => `conversation ${index}`)
    const asking = [places.readAll('center', ids.slice(0, 20))]
    for (const conversation of ids) asking.push(places.read({ tenant: 'center', conversation }).then((each) => [each]))
    await until(() => statements === 1)
    asking.push(places.readAll('center', ids.slice(20)))
    counted.resolve()
    expect((await Promise.all(asking)).flat().every((place) => place === null)).toBe(true)
    expect([most, statements]).toEqual([1, 2])
  })
})

describe('with a thousand who wait and hear their place', () => {
  it('an accept writes nothing for them, and costs one count, whatever their number', async () => {
    const { database } = fixture.server
    const seed = await wait()
    const ids = await copyWaiting(seed, 1_000)
    const client = liveClient(fixture.url, await fixture.tokenFor(fixture.ann))
    clients.push(client)
    const lives = ids.slice(0, 40).map((id) => subscribe<Frame>(client, 'conversation', LIVE, { id }))
    await Promise.all(lives.map((live) => nextPlace(live)))
    const counts = () =>
      database
        .query<{ events: number; jobs: number }>(
          'select (select count(*)::int from event) as events, (select count(*)::int from job) as jobs',
        )
        .then(([row]) => row!)
    const before = await counts()
    const frames = (): number => lives.reduce((sum, { events }) => sum + events.filter(isPlace).length, 0)
    const shown = frames()
    await fixture.command(fixture.ann, seed, '/accept')
    const after = await counts()
    // Those of the accepted conversation and of the channels in whose queues it was.
    expect(after.events - before.events).toBeLessThan(20)
    expect(after.jobs - before.jobs).toBeLessThan(3)
    await Promise.all(lives.map((live, index) => nextPlace(live, (place) => place?.position === index + 1)))
    // One for each who hears it, or two if the pace of other tests ends meanwhile.
    expect(frames() - shown).toBeLessThanOrEqual(2 * lives.length)
    const positionsIn = ({ events }: LiveSubscription<Frame>): unknown[] => [
      ...new Set(events.filter(isPlace).map(({ place }) => place?.position)),
    ]
    expect(lives.map(positionsIn)).toEqual(lives.map((_, index) => [index + 2, index + 1]))
  })
})

describe('the expected wait', () => {
  const accepts = (...minutes: number[]) => minutes.map((minute) => ({ at: -minute * 60_000, channels: ['a'] }))
  const here = new Set(['a'])

  it('is the median time between accepts of the same channels', () => {
    expect(medianGap(accepts(0, 1, 2, 4, 5, 120), here)).toBe(60_000)
    expect(medianGap(accepts(0, 1, 3, 6, 10, 15, 21), here)).toBe(210_000)
    expect(medianGap([...accepts(0, 1, 2, 3, 4, 5), { at: -30_000, channels: ['b'] }], here)).toBe(60_000)
  })

  it('is unknown after fewer than 6 accepts', () => {
    expect(medianGap(accepts(0, 1, 2, 3, 4), here)).toBeNull()
    expect(medianGap(accepts(0, 1, 2, 3, 4, 5), new Set(['b']))).toBeNull()
  })

  it('is rounded up to half a minute', () => {
    expect(expectedWait(60_000, 4)).toBe(240)
    expect(expectedWait(61_000, 1)).toBe(90)
    expect(expectedWait(10, 1)).toBe(30)
  })
})
