import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { readCursor, writeCursor } from '../../src/platform/events/cursor.js'
import type { StreamPosition } from '../../src/platform/events/event.js'
import { SUBSCRIPTION_LIMITS } from '../../src/platform/fairness/shares.js'
import { LiveClient } from './live-client.js'
import { counterStream, startLiveServer, type LiveServer } from './live-server.js'
import { until } from '../support/until.js'

const DOCUMENT = `subscription Counters($names: [String!], $after: String) {
  counters(names: $names, after: $after) {
    __typename
    ... on CounterSnapshot { cursor at resync counters { name value } }
    ... on Counted { cursor at name value twice }
    ... on Wiggled { cursor name }
  }
}`

const SET_UP_AT_ONCE = SUBSCRIPTION_LIMITS.perCaller

let server: LiveServer
beforeAll(async () => {
  server = await startLiveServer()
})
afterAll(() => server.close())

let streams = 0
const freshName = (): string => `s${(streams += 1)}`

describe('a subscription', () => {
  it('begins with a snapshot and continues with each event', async () => {
    const name = freshName()
    await server.increment(name)
    const client = await LiveClient.connect(server.url)
    client.subscribe('1', DOCUMENT, { names: [name] })
    await client.when(() => client.events('1').length === 1)
    expect(client.events('1')[0]).toMatchObject({
      __typename: 'CounterSnapshot',
      resync: false,
      counters: [{ name, value: 1 }],
    })
    await server.increment(name)
    await server.increment(name)
    await client.when(() => client.events('1').length === 3)
    expect(client.events('1').slice(1)).toMatchObject([
      { __typename: 'Counted', name, value: 2, twice: 4 },
      { __typename: 'Counted', name, value: 3, twice: 6 },
    ])
    await client.close()
  })
})

interface Heard {
  /** A value that is not the next of its counter. */
  faults: string[]
  values: Map<string, number>
}

/** Reads what one subscriber knows after these events, beginning with a snapshot. */
function read(events: readonly Record<string, unknown>[]): Heard {
  const heard: Heard = { faults: [], values: new Map() }
  for (const { name, value, counters } of events as { name: string; value?: number; counters?: typeof events }[]) {
    if (counters) {
      heard.values = new Map(counters.map((counter) => [counter.name as string, counter.value as number]))
    } else if (value !== undefined) {
      const expected = (heard.values.get(name) ?? 0) + 1
      if (value !== expected) heard.faults.push(`${name}: ${value} came where ${expected} is next`)
      heard.values.set(name, value)
    }
  }
  return heard
}

describe('under concurrent writers', () => {
  it('has no gaps or repetitions, for subscribers who join, resume and stay', async () => {
    const names = [freshName(), freshName(), freshName()]
    const rounds = Array.from({ length: 12 }, () => 0)
    const writing = new AbortController()
    const write = async (): Promise<void> => {
      while (!writing.signal.aborted) await server.increment(names[Math.floor(Math.random() * names.length)]!)
    }
    const follow = async (index: number): Promise<Heard> => {
      // Some alone in their group, some together.
      const document = index % 2 ? DOCUMENT : DOCUMENT.replace('Counters', `Counters${index}`)
      const events: Record<string, unknown>[] = []
      let after: string | undefined
      let isLast = false
      for (let round = 0; !isLast; round += 1) {
        isLast = writing.signal.aborted
        const client = await LiveClient.connect(server.url)
        client.subscribe('x', document, { names, after })
        if (isLast) await client.when(() => isUpToDate(read([...events, ...client.events('x')])))
        else
          await client.when(() => writing.signal.aborted || client.events('x').length > 5 + ((index * 7 + round) % 20))
        if (round % 2) client.ws.terminate()
        else await client.close()
        events.push(...client.events('x'))
        rounds[index]! += 1
        after = (events.at(-1)?.cursor as string | undefined) ?? after
      }
      expect(events.filter((event) => 'counters' in event)).toHaveLength(1)
      return read(events)
    }
    const stored = new Map<string, number>()
    const isUpToDate = ({ values }: Heard) => names.every((name) => values.get(name) === stored.get(name))
    const followers = rounds.map((_each, index) => follow(index))
    const writers = Array.from({ length: 4 }, write)
    await until(() => rounds.every((count) => count >= 20))
    writing.abort()
    await Promise.all(writers)
    const rows = await server.database.query<{ name: string; value: number }>(
      'select name, value from counter where name = any($1::text[])',
      [names],
    )
    for (const { name, value } of rows) stored.set(name, value)
    for (const heard of await Promise.all(followers)) expect(heard).toEqual({ faults: [], values: stored })
    await until(() => server.realtime.stats().groups === 0)
  })

  it('shares one execution of an event among subscribers with the same view', async () => {
    const name = freshName()
    const clients = await Promise.all(Array.from({ length: 20 }, () => LiveClient.connect(server.url)))
    clients.forEach((client, index) => client.subscribe(index % 2 ? '1' : `id-${index}`, DOCUMENT, { names: [name] }))
    const eventsOf = (client: LiveClient, index: number) => client.events(index % 2 ? '1' : `id-${index}`)
    await Promise.all(clients.map((client, index) => client.when(() => eventsOf(client, index).length === 1)))
    // Those of another test end meanwhile.
    await until(() => server.realtime.stats().groups === 1)
    const { executions } = server.counts
    for (let count = 0; count < 5; count += 1) await server.increment(name)
    await Promise.all(clients.map((client, index) => client.when(() => eventsOf(client, index).length === 6)))
    expect(server.counts.executions - executions).toBe(5)
    const all = clients.map((client, index) => read(eventsOf(client, index)))
    expect(all).toEqual(clients.map(() => ({ faults: [], values: new Map([[name, 5]]) })))
    await Promise.all(clients.map((client) => client.close()))
  })

  it('reads one snapshot for all that ask while another is read', async () => {
    const name = freshName()
    const clients = await Promise.all(Array.from({ length: 50 }, () => LiveClient.connect(server.url)))
    const { snapshots } = server.counts
    const begun = server.presence.size
    const held = Promise.withResolvers<void>()
    server.hold.until = held.promise
    for (const client of clients) client.subscribe('1', DOCUMENT, { names: [name] })
    // As many as are set up at once have begun while the first one's snapshot is read: the others share what is read next.
    await until(() => server.presence.size === begun + SET_UP_AT_ONCE)
    server.hold.until = null
    held.resolve()
    await Promise.all(clients.map((client) => client.when(() => client.events('1').length === 1)))
    expect(server.counts.snapshots - snapshots).toBeLessThanOrEqual(clients.length - SET_UP_AT_ONCE + 2)
    await Promise.all(clients.map((client) => client.close()))
  })
})

describe('a cursor', () => {
  const hear = async (names: readonly string[], after: string | null, count: number) => {
    const client = await LiveClient.connect(server.url)
    client.subscribe('1', DOCUMENT, { names, after })
    await client.when(() => client.events('1').length >= count)
    // What is too much would have come before an ephemeral event, which only those hear who follow the stream.
    const events = (isEphemeral: boolean) =>
      client.events('1').filter(({ __typename }) => (__typename === 'Wiggled') === isEphemeral)
    await until(() => {
      const name = names[0]!
      server.dispatcher.publishEphemeral({ stream: counterStream(name), type: 'wiggled', data: { name } })
      return events(true).length > 0
    })
    await client.close()
    return events(false)
  }

  it('returns exactly the events after it', async () => {
    const name = freshName()
    await server.increment(name)
    const [snapshot] = await hear([name], null, 1)
    expect(await hear([name], snapshot.cursor, 0)).toEqual([])
    await server.increment(name)
    await server.increment(name)
    const events = await hear([name], snapshot.cursor, 2)
    expect(events).toMatchObject([
      { name, value: 2 },
      { name, value: 3 },
    ])
    expect(await hear([name], events[0].cursor, 1)).toMatchObject([{ name, value: 3, cursor: events[1].cursor }])
  })

  it('returns a snapshot marked as resync if it is invalid', async () => {
    const [name, other] = [freshName(), freshName()]
    const written = [await server.increment(name), await server.increment(name), await server.increment(name)].flat()
    const [snapshot] = await hear([name], null, 1)
    const cursor = readCursor(snapshot.cursor)!
    const [[key, { number, tag }]] = cursor as unknown as [[number, StreamPosition]]
    const at = (position: StreamPosition) => writeCursor(new Map([[key, position]]))
    const unusable = {
      nonsense: 'not a cursor!',
      empty: '',
      'another history': at({ number, tag: tag + 1 }),
      'the past of another history': at({ number: number - 1, tag: written[1]!.tag! + 1 }),
      'the future': at({ number: number + 1, tag }),
      'other streams': (await hear([other], null, 1))[0].cursor,
    }
    for (const [what, after] of Object.entries(unusable)) {
      const events = await hear([name], after, 1)
      expect([what, events]).toMatchObject([what, [{ resync: true, counters: [{ name, value: 3 }] }]])
    }
    await server.database.query('delete from event where stream = $1 and number <= 2', [counterStream(name)])
    const old = at({ number: 1, tag: written[0]!.tag! })
    expect(await hear([name], old, 1)).toMatchObject([{ resync: true, counters: [{ name, value: 3 }] }])
    const oldest = at({ number: 2, tag: written[1]!.tag! })
    expect(await hear([name], oldest, 1)).toMatchObject([{ name, value: 3 }])
    // No group stands anywhere then: what is gone is found to be gone all the same.
    await until(() => server.realtime.stats().groups === 0)
    await server.database.query('delete from event where stream = $1', [counterStream(name)])
    expect(await hear([name], oldest, 1)).toMatchObject([{ resync: true }])
  })

  it('is replayed from far behind to a slow reader', async () => {
    const name = freshName()
    const [snapshot] = await hear([name], null, 1)
    const count = 3_000
    await server.increment(name, 'x'.repeat(500), count)
    const client = await LiveClient.connect(server.url)
    const document = DOCUMENT.replace('value twice', 'value padding')
    client.subscribe('1', document, { names: [name], after: snapshot.cursor })
    client.ws.pause()
    setTimeout(() => client.ws.resume(), 500)
    await client.when(() => client.events('1').length === count)
    expect(read(client.events('1'))).toEqual({ faults: [], values: new Map([[name, count]]) })
    await client.close()
  })
})

describe('ephemeral events', () => {
  it('are sent to current subscribers, with their current cursor', async () => {
    const name = freshName()
    const client = await LiveClient.connect(server.url)
    client.subscribe('1', DOCUMENT, { names: [name] })
    await client.when(() => client.events('1').length === 1)
    server.dispatcher.publishEphemeral({ stream: counterStream(name), type: 'wiggled', data: { name } })
    await client.when(() => client.events('1').length === 2)
    expect(client.events('1')[1]).toEqual({ __typename: 'Wiggled', name, cursor: client.events('1')[0].cursor })
    await client.close()
  })

  it('are replaced by a fresh snapshot if they have expired unread', async () => {
    const name = freshName()
    const client = await LiveClient.connect(server.url)
    client.subscribe('1', DOCUMENT, { names: [name] })
    await client.when(() => client.events('1').length === 1)
    // Those of other tests end meanwhile.
    await until(() => server.realtime.stats().groups === 1)
    // Another node writes two, and they expire before this one hears of them.
    await server.database.sqlTransaction(async (sql) => {
      await sql.query('insert into counter (name, value) values ($1, 2)', [name])
      await sql.query('update stream set head = head + 2 where name = $1', [counterStream(name)])
    })
    await client.when(() => client.events('1').length === 2)
    expect(client.events('1')[1]).toMatchObject({ resync: true, counters: [{ name, value: 2 }] })
    await server.increment(name)
    await client.when(() => client.events('1').length === 3)
    expect(client.events('1')[2]).toMatchObject({ name, value: 3 })
    await client.close()
  })
})
