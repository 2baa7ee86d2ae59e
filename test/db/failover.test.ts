import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { randomUUID } from 'node:crypto'
import { startConversationFixture, type ConversationFixture } from '../conversations/conversation-fixture.js'
import { addressOf, PostgresServer } from '../support/postgres-server.js'
import { isInstalled } from '../support/programs.js'
import { until } from '../support/until.js'

const WRITERS = 6
const STREAMS = `select 1 from pg_stat_replication where state = 'streaming'`
const UNKNOWN = 'did not answer whether this was done'
/** So that a slow machine, on which all takes longer, refuses nothing. */
const PATIENT = { DATABASE_WAIT_MS: '60000' }

const withPrograms = isInstalled('pg_basebackup') && isInstalled('initdb') ? describe : describe.skip

/** Clients that write and read without a retry, until told to stop. */
class Load {
  readonly refused: string[] = []
  readonly acknowledged: string[] = []
  /** Texts whose write the server does not know the outcome of. */
  readonly unknown: string[] = []
  #isOver = false
  /** Answers to each client. */
  readonly #answers: number[] = []
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

  /** Resolves when each client was answered twice more: a request that it has begun since then. */
  async goesOn(): Promise<void> {
    const before = [...this.#answers]
    await until(() => this.#answers.every((answers, client) => answers >= before[client]! + 2))
  }

  async #repeat(run: () => Promise<void>): Promise<void> {
    const client = this.#answers.push(0) - 1
    while (!this.#isOver) {
      await run()
      this.#answers[client]! += 1
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
    if (code !== undefined) this.refused.push(`${query}: ${code} ${message}`)
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
    fixture = await startConversationFixture({ ...PATIENT, DATABASE_URL: addressOf(standby, primary) })
    conversation = (await fixture.create({ messages: [{ role: 'CONTACT', text: 'hello' }] })).id
    await fixture.command(fixture.ann, conversation, '/accept')
  })
  afterAll(async () => {
    await fixture?.close()
    primary?.remove()
    standby?.remove()
  })

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
    await load.goesOn()
    primary.stop()
    let isServed = false
    const late = fixture.run(fixture.admin, '{ users(first: 5) { edges { node { id } } } }').then((outcome) => {
      isServed = true
      return outcome
    })
    // What comes later and needs no database is answered meanwhile.
    for (let times = 0; times < 10; times++) expect((await fetch(`${fixture.url}/healthz`)).status).toBe(200)
    expect(isServed).toBe(false)
    primary.start()
    expect((await late).code).toBeUndefined()
    await load.goesOn()
    await load.stop()
    expect(load.refused).toEqual([])
    expect(load.unknown).toEqual([])
    await expectOnce(load)
  })

  it('switches over to its standby wait, and none that had not sent its commit is refused', async () => {
    // A switchover, not a loss: the standby streams, and a server that stops sends it everything.
    await until(() => fixture.server.database.query(STREAMS).then(({ length }) => length > 0))
    const load = new Load(fixture, conversation).start()
    await load.goesOn()
    primary.stop()
    standby.promote()
    await load.goesOn()
    await load.stop()
    expect(load.refused).toEqual([])
    // Also those whose commit had been sent at that moment: their events tell.
    expect(load.unknown).toEqual([])
    await expectOnce(load)
  })

  it('hangs, and another host is the primary by now, go on there', async () => {
    // The switchover left the standby as the primary of a newer timeline.
    primary.remove()
    const next = await standby.standby()
    const other = await startConversationFixture({ ...PATIENT, DATABASE_URL: addressOf(standby, next) })
    try {
      const { id } = await other.create({ messages: [{ role: 'CONTACT', text: 'hello' }] })
      await other.command(other.ann, id, '/accept')
      // Its standby is not synchronous: it has all of this, and takes over.
      const [at] = await other.server.database.query<{ lsn: string }>('select pg_current_wal_flush_lsn()::text as lsn')
      await until(async () => {
        const [row] = await other.server.database.query<{ isThere: boolean }>(
          'select coalesce(bool_or(replay_lsn >= $1::pg_lsn), false) as "isThere" from pg_stat_replication',
          [at!.lsn],
        )
        return row!.isThere
      })
      standby.freeze()
      next.promote()
      // Were it to wait for the one that hangs, it would be refused.
      const { code } = await other.send(other.ann, id, { role: 'AGENT', text: 'after it hung' })
      expect(code).toBeUndefined()
    } finally {
      standby.resume()
      await other.close()
      next.remove()
    }
  })

  it('is away longer than DATABASE_WAIT_MS are UNAVAILABLE, with a time to retry', async () => {
    const other = await startConversationFixture({ DATABASE_URL: addressOf(standby, primary), DATABASE_WAIT_MS: '300' })
    const token = await other.tokenFor(other.admin)
    try {
      standby.stop()
      const [read, write] = await Promise.all([
        fetch(`${other.url}/v2/users/me`, { headers: { authorization: `Bearer ${token}` } }),
        other.run(other.admin, 'mutation { createChannel(input: { name: "x" }) { id } }'),
      ])
      expect([read.status, read.headers.get('retry-after'), write.code]).toEqual([503, '1', 'UNAVAILABLE'])
    } finally {
      standby.start()
      await other.close()
    }
  })
})
