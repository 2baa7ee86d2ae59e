import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { randomUUID } from 'node:crypto'
import { startConversationFixture, type ConversationFixture } from '../conversations/conversation-fixture.js'
import { addressOf, PostgresServer } from '../support/postgres-server.js'
import { isInstalled } from '../support/programs.js'

const WRITERS = 6
const UNKNOWN = 'did not answer whether this was done'
const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

const withPrograms = isInstalled('pg_basebackup') && isInstalled('initdb') ? describe : describe.skip

/** Clients that write and read without a retry, until told to stop. */
class Load {
  readonly refused: string[] = []
  readonly acknowledged: string[] = []
  /** Texts whose write the server does not know the outcome of. */
  readonly unknown: string[] = []
  reads = 0
  silentMs = 0
  #isOver = false
  #clients: Promise<void>[] = []

  constructor(
    private readonly fixture: ConversationFixture,
    private readonly conversation: string,
  ) {}

  start(): this {
    this.#clients = [
      ...Array.from({ length: WRITERS }, () => this.#repeat(() => this.#write())),
      ...Array.from({ length: 2 }, () => this.#repeat(() => this.#read('{ me { id } }'))),
      ...Array.from({ length: 2 }, () =>
        this.#repeat(() => this.#read('{ users(first: 5) { edges { node { id } } } }')),
      ),
    ]
    return this
  }

  async stop(): Promise<void> {
    this.#isOver = true
    await Promise.all(this.#clients)
  }

  async #repeat(run: () => Promise<void>): Promise<void> {
    while (!this.#isOver) {
      const since = performance.now()
      await run()
      this.silentMs = Math.max(this.silentMs, performance.now() - since)
    }
  }

  async #write(): Promise<void> {
    const text = randomUUID()
    const { code, message } = await this.fixture.send(this.fixture.ann, this.conversation, { role: 'AGENT', text })
    if (code === undefined) this.acknowledged.push(text)
    else if (message?.includes(UNKNOWN)) this.unknown.push(text)
    else this.refused.push(`${code} ${message}`)
  }

  async #read(query: string): Promise<void> {
    const { code, message } = await this.fixture.run(this.fixture.admin, query)
    if (code === undefined) this.reads += 1
    else this.refused.push(`${query}: ${code} ${message}`)
  }
}

withPrograms('requests while PostgreSQL', () => {
  let primary: PostgresServer
  let standby: PostgresServer
  let fixture: ConversationFixture
  let conversation: string
  beforeAll(async () => {
    primary = await PostgresServer.create()
    standby = await primary.standby()
    // The standby first: it is refused, and the other one is taken.
    fixture = await startConversationFixture({ DATABASE_URL: addressOf(standby, primary) })
    conversation = (await fixture.create({ messages: [{ role: 'CONTACT', text: 'hello' }] })).id
    await fixture.command(fixture.ann, conversation, '/accept')
  }, 120_000)
  afterAll(async () => {
    await fixture?.close()
    primary?.remove()
    standby?.remove()
  }, 60_000)

  const texts = async (): Promise<string[]> => {
    const rows = await fixture.server.database.query<{ text: string }>(
      'select text from message where conversation_id = $1',
      [conversation],
    )
    return rows.map(({ text }) => text)
  }

  async function expectOnce(load: Load): Promise<void> {
    const stored = await texts()
    expect(load.acknowledged.filter((text) => !stored.includes(text))).toEqual([])
    expect(new Set(stored).size).toBe(stored.length)
  }

  it('restarts wait, and none is refused, lost or done twice', async () => {
    const load = new Load(fixture, conversation).start()
    await sleep(500)
    primary.stop()
    await sleep(1_500)
    const before = load.acknowledged.length
    primary.start()
    await sleep(1_500)
    await load.stop()
    expect(load.refused).toEqual([])
    expect(load.unknown).toEqual([])
    expect(load.acknowledged.length).toBeGreaterThan(before)
    expect(load.silentMs).toBeGreaterThan(1_000)
    await expectOnce(load)
  }, 60_000)

  it('switches over to its standby wait, and none that had not sent its commit is refused', async () => {
    // A switchover, not a loss: the standby streams, and a server that stops sends it everything.
    while (
      (await fixture.server.database.query(`select 1 from pg_stat_replication where state = 'streaming'`)).length === 0
    ) {
      await sleep(100)
    }
    const load = new Load(fixture, conversation).start()
    await sleep(500)
    primary.stop()
    standby.promote()
    await sleep(3_000)
    await load.stop()
    expect(load.refused).toEqual([])
    // Also those whose commit had been sent at that moment: their events tell.
    expect(load.unknown).toEqual([])
    expect(load.silentMs).toBeLessThan(10_000)
    await expectOnce(load)
  }, 60_000)

  it('hangs, and another host is the primary by now, go on there', async () => {
    // The switchover left the standby as the primary of a newer timeline.
    primary.remove()
    const next = await standby.standby()
    const other = await startConversationFixture({ DATABASE_URL: addressOf(standby, next) })
    try {
      const { id } = await other.create({ messages: [{ role: 'CONTACT', text: 'hello' }] })
      await other.command(other.ann, id, '/accept')
      // Its standby is not synchronous.
      await sleep(500)
      standby.freeze()
      next.promote()
      const since = performance.now()
      const { code } = await other.send(other.ann, id, { role: 'AGENT', text: 'after it hung' })
      expect(code).toBeUndefined()
      expect(performance.now() - since).toBeLessThan(9_000)
    } finally {
      standby.resume()
      await other.close()
      next.remove()
    }
  }, 90_000)

  it('is away longer than DATABASE_WAIT_MS are UNAVAILABLE, with a time to retry', async () => {
    const other = await startConversationFixture({ DATABASE_URL: addressOf(primary, standby), DATABASE_WAIT_MS: '300' })
    const token = await other.tokenFor(other.admin)
    try {
      standby.stop()
      const since = performance.now()
      const [read, write] = await Promise.all([
        fetch(`${other.url}/v2/users/me`, { headers: { authorization: `Bearer ${token}` } }),
        other.run(other.admin, 'mutation { createChannel(input: { name: "x" }) { id } }'),
      ])
      expect([read.status, read.headers.get('retry-after'), write.code]).toEqual([503, '1', 'UNAVAILABLE'])
      expect(performance.now() - since).toBeLessThan(5_000)
    } finally {
      standby.start()
      await other.close()
    }
  }, 60_000)
})
