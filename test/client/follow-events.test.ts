import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { Refused } from '@switchboard/client'
import { followEvents, type FeedEvent, type FollowOptions } from '@switchboard/client/events'
import type { MadeUser } from '../support/factories.js'
import { startTestServer, type TestServer } from '../support/test-server.js'
import { until } from '../support/until.js'
import { createFeeds, type Feeds } from '../webhooks/feeds.js'
import { createHooks, type Hooks } from '../webhooks/hooks.js'

let app: TestServer
let hooks: Hooks
let feeds: Feeds
let admin: MadeUser
let token: string
let conversation: string

beforeAll(async () => {
  app = await startTestServer()
  hooks = createHooks(app)
  feeds = createFeeds(app)
  ;({ admin } = await hooks.center())
  token = await app.tokenFor(admin)
  await feeds.begin(admin)
  conversation = await hooks.converse(admin)
})
afterAll(() => app.close())

const types = ['message.create.*']
const textOf = ({ payload }: FeedEvent): string =>
  (payload as { data: { message: { text: string } } }).data.message.text
/** Follows until there are so many. */
async function take(count: number, options: Partial<FollowOptions> = {}): Promise<FeedEvent[]> {
  const taken: FeedEvent[] = []
  for await (const event of followEvents({ serverUrl: app.url, token, types, ...options })) {
    taken.push(event)
    if (taken.length === count) break
  }
  return taken
}

describe('followEvents', () => {
  it('gives what there is and what comes, and goes on from the cursor of each event', async () => {
    for (const text of ['1', '2']) await hooks.say(admin, conversation, text)
    const all = take(4)
    await until(async () => (await feeds.waiting()) === 1)
    for (const text of ['3', '4']) await hooks.say(admin, conversation, text)
    const events = await all
    expect(events.map(textOf)).toEqual(['1', '2', '3', '4'])
    for (const [index, { cursor }] of events.slice(0, -1).entries())
      expect(await take(4 - index - 1, { after: cursor })).toEqual(events.slice(index + 1))
    const since = new Date(events[0]!.at as string)
    expect((await take(4, { since })).map(textOf)).toEqual(events.map(textOf))
  })

  it('tells of the place that it has reached, and ends with its signal', async () => {
    const ends = new AbortController()
    const reached: string[] = []
    const following = take(1, {
      types: ['location.create'],
      signal: ends.signal,
      reached: (cursor) => void reached.push(cursor),
    })
    // Each answer without events is one: that of a server that stops, too.
    await until(async () => (await feeds.waiting()) === 1)
    ends.abort()
    expect(await following).toEqual([])
    expect(reached).toEqual([])
    expect(await take(1, { after: (await feeds.read(admin)).cursor, signal: AbortSignal.abort() })).toEqual([])
  })

  it('asks again while the server is away, and leaves nothing out', async () => {
    const { cursor: after } = await feeds.read(admin, { types })
    let answers = 0
    const flaky: typeof fetch = async (...args) => {
      if (++answers % 2 === 1) throw new Error('away')
      return fetch(...args)
    }
    for (const text of ['5', '6']) await hooks.say(admin, conversation, text)
    expect((await take(2, { after, fetch: flaky })).map(textOf)).toEqual(['5', '6'])
    expect(answers).toBeGreaterThan(1)
  })

  it('throws what does not pass by itself', async () => {
    const other = (await hooks.center()).admin
    await expect(take(1, { token: await app.tokenFor(other) })).rejects.toMatchObject({ reason: 'NO_FEED' })
    await feeds.begin(other)
    const { cursor } = await feeds.read(admin)
    const refused = take(1, { token: await app.tokenFor(other), after: cursor })
    await expect(refused).rejects.toBeInstanceOf(Refused)
    await expect(refused).rejects.toMatchObject({ reason: 'CURSOR_UNKNOWN', field: 'after' })
  })
})
