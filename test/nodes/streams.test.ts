import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { RedisProcess } from '../../bench/chaos/redis-process.js'
import { startConversationFixture, type ConversationFixture } from '../conversations/conversation-fixture.js'
import { streamsOf, textRead } from '../conversations/streams-fixture.js'
import { MainProcess, runAt } from '../support/main-process.js'
import { withRedisServer } from '../support/redis-server.js'
import { startTestServer, type TestServer } from '../support/test-server.js'
import { until } from '../support/until.js'

const APPEND = `mutation ($id: ID!, $offset: Int!, $text: String!) { appendMessage(id: $id, offset: $offset, text: $text) }`
const WORDS = Array.from({ length: 24 }, (_, index) => `word ${index} 👍 `)

let one: ConversationFixture
let other: TestServer

const begun = async () => {
  const { id } = await one.create({ messages: [{ role: 'CONTACT', text: 'hello' }] })
  const { value } = await streamsOf(one).begin(one.bot, id)
  return { id, stream: value.id }
}

/** Adds the words in turns by the nodes. @returns what is read at each, once it is all of them and the end */
async function writeBoth(
  id: string,
  stream: string,
  meanwhile: (index: number) => Promise<void> | void = () => undefined,
) {
  const streams = streamsOf(one)
  const readers = [
    await streams.watch(one.ann, id),
    await streams.watch(await one.tokenFor(one.ben), id, { url: other.url }),
  ]
  for (const reader of readers) await reader.next(({ __typename }) => __typename === 'ConversationSnapshot')
  const authorization = `Bearer ${await one.tokenFor(one.bot)}`
  let text = ''
  for (const [index, word] of WORDS.entries()) {
    await meanwhile(index)
    const { url } = index % 2 === 0 ? one : other
    const { appendMessage } = await runAt<{ appendMessage: number }>(
      url,
      APPEND,
      { id: stream, offset: text.length, text: word },
      { authorization },
    )
    text += word
    expect(appendMessage).toBe(text.length)
    // Nobody reads what is not stored.
    for (const { events } of readers) expect(text.startsWith(textRead(events, stream))).toBe(true)
  }
  for (const { events } of readers) await until(() => textRead(events, stream) === text)
  await streams.finish(one.bot, stream, text.length)
  for (const reader of readers) {
    await reader.next(({ message }) => message?.text === text)
    await until(() => reader.events.some(({ ending }) => ending === 'DONE'))
    await reader.close()
  }
  return readers.map(({ events }) => textRead(events, stream))
}
const WHOLE = WORDS.join('')

describe('a stream on two nodes without Redis', () => {
  beforeAll(async () => {
    one = await startConversationFixture()
    other = await startTestServer({}, { beside: one })
  })
  afterAll(async () => {
    await other.close()
    await one.close()
  })

  it('is read at both, whichever node a part came to', async () => {
    const { id, stream } = await begun()
    expect(await writeBoth(id, stream)).toEqual([WHOLE, WHOLE])
  })

  it('is told to have ended at the other node, though nothing was shown', async () => {
    const { id, stream } = await begun()
    const reader = await streamsOf(one).watch(one.ann, id, { url: other.url })
    await until(() => reader.events.some(({ messageId }) => messageId === stream))
    await streamsOf(one).stop(one.bot, stream)
    await until(() => reader.events.some(({ ending }) => ending === 'STOPPED'))
    expect(textRead(reader.events, stream)).toBe('')
    await reader.close()
  })

  it('loses nothing that was acknowledged, and has shown nothing else, when its node is killed', async () => {
    const victim = await MainProcess.start({ DATABASE_URL: one.databaseUrl })
    const { id, stream } = await begun()
    const reader = await streamsOf(one).watch(one.ann, id, { url: victim.url })
    const survivor = await streamsOf(one).watch(one.ben, id)
    for (const each of [reader, survivor]) await each.next(({ __typename }) => __typename === 'ConversationSnapshot')
    const authorization = `Bearer ${await one.tokenFor(one.bot)}`
    let acknowledged = 0
    const writing = (async () => {
      for (const [index] of WORDS.entries()) {
        const text = String(index % 10).repeat(9)
        const variables = { id: stream, offset: index * 9, text }
        acknowledged = (await runAt<{ appendMessage: number }>(victim.url, APPEND, variables, { authorization }))
          .appendMessage
      }
    })()
    writing.catch(() => undefined)
    await until(() => acknowledged >= 45)
    victim.kill()
    await victim.ended
    await writing.catch(() => undefined)
    const query = 'query ($id: ID!) { conversation(id: $id) { streams { text length } } }'
    const { value } = await one.run<{ streams: { text: string; length: number }[] }>(one.admin, query, { id })
    const [{ text, length }] = value.streams as [{ text: string; length: number }]
    expect(length).toBeGreaterThanOrEqual(acknowledged)
    for (const { events } of [reader, survivor]) expect(text.startsWith(textRead(events, stream))).toBe(true)
    await until(() => textRead(survivor.events, stream) === text)
    // It goes on by the other node.
    expect((await streamsOf(one).append(one.bot, stream, length, '!')).value).toBe(length + 1)
    expect((await streamsOf(one).finish(one.bot, stream, length + 1)).value.text).toBe(`${text}!`)
    for (const each of [reader, survivor]) await each.close()
  })
})

withRedisServer('a stream on two nodes with Redis', () => {
  let redis: RedisProcess
  beforeAll(async () => {
    redis = await RedisProcess.start()
    one = await startConversationFixture({ REDIS_URL: redis.url })
    other = await startTestServer({ REDIS_URL: redis.url }, { beside: one })
  })
  afterAll(async () => {
    await other.close()
    await one.close()
    await redis.stop()
  })

  it('is read at both', async () => {
    const { id, stream } = await begun()
    expect(await writeBoth(id, stream)).toEqual([WHOLE, WHOLE])
  })

  it('is read at both though Redis is lost on the way', async () => {
    const { id, stream } = await begun()
    const read = await writeBoth(id, stream, async (index) => {
      if (index === 8) await redis.stop()
    })
    expect(read).toEqual([WHOLE, WHOLE])
  })
})
