import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { readCursor, writeCursor } from '../../src/events/cursor.js'
import { LiveClient } from './live-client.js'
import { counterStream, startLiveServer, type LiveServer } from './live-server.js'

const DOCUMENT = `subscription Counters($names: [String!], $after: String) {
  counters(names: $names, after: $after) {
    __typename
    ... on CounterSnapshot { cursor at resync counters { name value } }
    ... on Counted { cursor at name value twice }
    ... on Wiggled { cursor name }
  }
}`

let server: LiveServer
beforeAll(async () => {
  server = await startLiveServer()
})
afterAll(() => server.close())

let streams = 0
const freshName = (): string => `s${(streams += 1)}`

const until = async (isTrue: () => boolean, ms = 5_000): Promise<void> => {
  const end = Date.now() + ms
  while (!isTrue()) {
    if (Date.now() > end) throw new Error('it did not come about')
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
}

describe('a subscription', () => {
  it('begins with a snapshot and goes on with each event', async () => {
    const name = freshName()
    await server.increment(name)
    const client = await LiveClient.connect(server.url)
    client.subscribe('1', DOCUMENT, { names: [name] })
    await client.when(() => client.events('1').length === 1)
    expect(client.events('1')[0]).toMatchObject({ __typename: 'CounterSnapshot', resync: false, counters: [{ name, value: 1 }] })
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
