import { afterAll, beforeAll, expect, it, describe } from '@jest/globals'
import WebSocket from 'ws'
import { createRequest, LiveClient, MessageStream } from '@switchboard/client'
import { CONVERSATION, type Chat } from '@switchboard/client/documents'
import { freePort } from '../../bench/chaos/free-port.js'
import { RedisProcess } from '../../bench/chaos/redis-process.js'
import { startConversationFixture, type ConversationFixture } from '../conversations/conversation-fixture.js'
import { hasHaproxy, startHaproxy, type Haproxy } from '../support/haproxy.js'
import { MainProcess } from '../support/main-process.js'
import { withRedisServer } from '../support/redis-server.js'
import { until } from '../support/until.js'

const READERS = 6
const WORDS_LEAST = 24
/** Written after the node has ended. */
const WORDS_AFTER = 12
/** Far longer than haproxy takes to notice. */
const DRAIN = { DRAIN_NOTICE_MS: '6000', DRAIN_SPREAD_MS: '2000' }

const behindBalancer = hasHaproxy ? describe : describe.skip

behindBalancer('a stream behind haproxy, of whose two nodes one goes', () => {
  describe('without Redis', () => {
    suite(async () => ({ env: {}, stop: async () => undefined }))
  })
  withRedisServer('with Redis', () => {
    suite(async () => {
      const redis = await RedisProcess.start()
      return { env: { REDIS_URL: redis.url }, stop: () => redis.stop() }
    })
  })
})

interface Beside {
  env: Readonly<Record<string, string>>
  stop(): Promise<unknown>
}

function suite(startBeside: () => Promise<Beside>): void {
  let beside: Beside
  /** Makes users and conversations; nobody reads or writes there. */
  let fixture: ConversationFixture
  let haproxy: Haproxy
  const nodes = new Map<number, MainProcess>()
  const clients: LiveClient[] = []
  beforeAll(async () => {
    beside = await startBeside()
    fixture = await startConversationFixture({ ...beside.env })
    for (const port of [await freePort(), await freePort()]) await start(port)
    haproxy = await startHaproxy([...nodes.keys()])
  }, 400_000)
  afterAll(async () => {
    await Promise.all(clients.map((client) => client.close()))
    await haproxy?.stop()
    for (const node of nodes.values()) {
      node.kill()
      await node.ended
    }
    await fixture?.close()
    await beside?.stop()
  })

  async function start(port: number): Promise<void> {
    const env = { LOG_LEVEL: 'fatal', DATABASE_URL: fixture.databaseUrl, ...DRAIN, ...beside.env }
    const node = await MainProcess.spawn(env, port)
    nodes.set(port, node)
    await node.untilReady()
  }

  /** Opens a reader that keeps what it has been shown of the author's words at each moment. */
  async function openReader(id: string): Promise<{ shown: string[]; state(): Chat | null; client: LiveClient }> {
    const client = new LiveClient({
      serverUrl: haproxy.url,
      token: await fixture.tokenFor(fixture.ann),
      webSocketImpl: WebSocket,
      pauseMs: { first: 50, longest: 1_000 },
    })
    clients.push(client)
    const shown: string[] = []
    const view = client.open(CONVERSATION, {
      variables: { id },
      onChange: ({ written }) => {
        for (const { text } of written.values()) if (shown.at(-1) !== text) shown.push(text)
      },
    })
    await until(() => view.state !== null)
    return { shown, state: () => view.state, client }
  }

  it.each([
    ['is drained', (node: MainProcess) => void node.stop()],
    ['is killed', (node: MainProcess) => node.kill()],
  ])('is whole for all its readers, and ends as a message, when a node %s', async (_how, end) => {
    const { id } = await fixture.create({ messages: [{ role: 'CONTACT', text: 'hello' }] })
    const readers = await Promise.all(Array.from({ length: READERS }, () => openReader(id)))
    const token = await fixture.tokenFor(fixture.bot)
    const stream = new MessageStream({ request: createRequest({ serverUrl: haproxy.url, token }), conversation: id })
    let text = ''
    const write = async (): Promise<void> => {
      const word = `word ${text.length} 👍 `
      stream.write(word)
      text += word
      await until(async () => (await storedLength(stream.id)) === text.length)
    }
    while (text.length < 100) await write()
    for (const { shown } of readers) await until(() => shown.at(-1) === text)

    const [port, node] = [...nodes][0]!
    let hasEnded = false
    void node.ended.then(() => (hasEnded = true))
    end(node)
    for (let words = 0; words < WORDS_LEAST || !hasEnded; words += 1) await write()
    for (let words = 0; words < WORDS_AFTER; words += 1) await write()
    for (const { shown } of readers) await until(() => shown.at(-1) === text)
    const message = await stream.finish()

    expect(message!.id).toBe(stream.id)
    expect(stream.signal.aborted).toBe(false)
    const isSaid = (state: Chat | null): boolean => state!.messages.some((each) => each.id === stream.id)
    for (const { shown, state } of readers) {
      await until(() => isSaid(state()))
      expect(state()!.messages.map((each) => each.text)).toEqual(['hello', text])
      expect(state()!.written.size).toBe(0)
      // No word was shown that does not stand there in the end.
      expect(shown.filter((each) => !text.startsWith(each))).toEqual([])
    }
    // Else nobody read at the node that went.
    expect(readers.some(({ client }) => client.closes.length > 0)).toBe(true)
    await Promise.all(readers.map(({ client }) => client.close()))
    nodes.delete(port)
    await start(port)
    await until(() => haproxy.isUsed(port))
  })

  async function storedLength(stream: string): Promise<number> {
    const rows = await fixture.server.database.query<{ length: number }>(
      'select length from message_stream where id = $1',
      [stream],
    )
    return rows[0]?.length ?? 0
  }
}
