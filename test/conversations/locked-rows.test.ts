import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { willBeReleased } from '../../src/platform/db/release-dead.js'
import pg from 'pg'
import { startTestServer, type TestServer } from '../support/test-server.js'
import { liveClient, subscribe } from '../support/live-client.js'
import { startConversationFixture, texts, until, type ConversationFixture } from './conversation-fixture.js'

let fixture: ConversationFixture
let outside: pg.Client
beforeAll(async () => {
  fixture = await startConversationFixture()
  outside = new pg.Client({ connectionString: fixture.databaseUrl })
  await outside.connect()
})
afterAll(async () => {
  await outside?.end()
  await fixture?.close()
})

/** Runs `work` while another transaction holds what the statement locks. */
async function whileLocked<T>(statement: string, values: unknown[], work: () => Promise<T>): Promise<T> {
  await outside.query('begin')
  try {
    await outside.query(statement, values)
    return await work()
  } finally {
    await outside.query('rollback')
  }
}

const LOCK = 'select id from conversation where id = $1 for update'
const say = (id: string, text: string) => fixture.send(fixture.ann, id, { role: 'AGENT', text })

/** Sends one after the other by four clients, each of which must be done. */
async function sendAlong(conversations: readonly string[], count: number): Promise<void> {
  const client = async (index: number): Promise<void> => {
    for (let sent = 0; sent < count / 4; sent++) {
      const { code } = await say(conversations[(index + sent * 4) % conversations.length]!, 'on and on')
      expect(code).toBeUndefined()
    }
  }
  await Promise.all([0, 1, 2, 3].map(client))
}

describe('a conversation that another transaction has locked', () => {
  // How little the others are delayed: npm run bench -- --only held-locks
  it('holds up nobody else: sends to others are done while its own wait, and none of these is lost', async () => {
    const conversations = await Promise.all(Array.from({ length: 8 }, async () => (await fixture.create()).id))
    const { id: locked } = await fixture.create()
    const waiting = await whileLocked(LOCK, [locked], async () => {
      const begun = Array.from({ length: 10 }, (_, index) => say(locked, `waiting ${index}`))
      // Were one of them behind a write that waits, it would be refused with that.
      await sendAlong(conversations, 80)
      return begun
    })
    const codes = (await Promise.all(waiting)).map(({ code }) => code)
    // On a slow machine some have waited for too long.
    for (const code of codes) expect([undefined, 'UNAVAILABLE']).toContain(code)
    const [stored] = await fixture.server.database.query<{ count: number }>(
      `select count(*)::int as count from message where conversation_id = $1 and text like 'waiting %'`,
      [locked],
    )
    expect(stored!.count).toBe(codes.filter((code) => code === undefined).length)
  })

  it('receives its writes in order once it is unlocked', async () => {
    const [{ id }, { id: other }] = [await fixture.create(), await fixture.create()]
    const sent = await whileLocked(LOCK, [id], async () => {
      const all = []
      for (let index = 0; index < 5; index++) {
        all.push(say(id, `in order ${index}`))
        // Each has arrived when one that was sent after it is done.
        expect((await say(other, 'a later one')).code).toBeUndefined()
      }
      return all
    })
    await Promise.all(sent)
    expect(texts(await fixture.show(id)).filter((text) => text?.startsWith('in order'))).toEqual(
      [0, 1, 2, 3, 4].map((index) => `in order ${index}`),
    )
  })

  it('eventually refuses its writes, with 503 and Retry-After', async () => {
    const { id } = await fixture.create()
    await whileLocked(LOCK, [id], async () => {
      const { status, headers, body } = await fixture.rest(fixture.ann, 'POST', `/v2/conversations/${id}/messages`, {
        role: 'agent',
        text: 'too late',
      })
      expect({ status, code: body.code }).toEqual({ status: 503, code: 'UNAVAILABLE' })
      expect(Number(headers.get('retry-after'))).toBeGreaterThan(0)
    })
    expect((await say(id, 'free again')).code).toBeUndefined()
    expect(texts(await fixture.show(id))).toEqual(['free again'])
  })
})

describe('many locked conversations', () => {
  it('do not exhaust the connection pool', async () => {
    const all = await Promise.all(Array.from({ length: 30 }, async () => (await fixture.create()).id))
    const { id: other } = await fixture.create()
    const waiting = await whileLocked('select id from conversation where id = any($1) for update', [all], async () => {
      const begun = all.map((id) => say(id, 'locked'))
      expect((await say(other, 'a later one')).code).toBeUndefined()
      // Jobs and heartbeats take one for a moment.
      const { pool } = fixture.server.database
      await until(
        async () => pool.totalCount - pool.idleCount,
        (busy) => busy <= 2,
      )
      // One that waited for a connection would be refused: none becomes free before.
      expect((await say(other, 'free')).code).toBeUndefined()
      return begun
    })
    for (const { code } of await Promise.all(waiting)) expect([undefined, 'UNAVAILABLE']).toContain(code)
  })
})

describe('a stream whose counter another transaction holds', () => {
  let other: TestServer
  beforeAll(async () => {
    other = fixture
  })

  it('delays its own tenant only', async () => {
    const organization = await other.makeOrganization({ name: 'Beta' })
    const agent = await other.makeUser({ organization })
    const theirs = await fixture.create(
      { organization: organization.id },
      await other.makeUser({ organization, role: 'bot' }),
    )
    const { id } = await fixture.create({ messages: [{ role: 'CONTACT', text: 'hello' }] })
    await whileLocked('select 1 from stream where name = $1 for update', [`channel:${fixture.channel}`], async () => {
      const accepting = fixture.command(fixture.ann, id, '/accept')
      // Also while it is tried again and again.
      for (let index = 0; index < 20; index++) {
        expect((await fixture.send(agent, theirs.id, { role: 'AGENT', text: 'unhindered' })).code).toBeUndefined()
      }
      await outside.query('rollback')
      // On a slow machine it has waited for too long.
      expect([undefined, 'UNAVAILABLE']).toContain((await accepting).code)
    })
  })
})

describe('a node that is stopped while it holds a transaction', () => {
  it('has it ended by the server, and the other nodes continue', async () => {
    const second = await startTestServer({}, { beside: fixture })
    try {
      const { id } = await fixture.create()
      // What SIGSTOP does to a node: its connection stays, and nothing comes by it any more.
      const client = await second.server.database.pool.connect()
      client.on('error', () => undefined)
      // Released below, however long that takes once the server has ended it.
      willBeReleased(client)
      await client.query('begin')
      await client.query(LOCK, [id])
      await until(
        async () => (await say(id, 'at last')).code ?? null,
        (code) => code === null,
      )
      expect(texts(await fixture.show(id))).toEqual(['at last'])
      client.release(true)
    } finally {
      await second.server.close()
    }
  })
})

describe('a channel that another transaction has locked', () => {
  it('still receives new conversations while a user is subscribed to it', async () => {
    const client = liveClient(fixture.url, await fixture.tokenFor(fixture.ann))
    const query = `subscription ($channels: [ID!]) { queue(channels: $channels) {
      __typename ... on QueueEntryAdded { entry { conversation } } } }`
    const live = subscribe<{ __typename: string; entry?: { conversation: string } }>(client, 'queue', query, {
      channels: [fixture.channel],
    })
    await live.next()
    await whileLocked('select id from channel where id = $1 for update', [fixture.channel], async () => {
      const { id, channels } = await fixture.create({ messages: [{ role: 'CONTACT', text: 'hello' }] })
      expect(channels).toEqual([fixture.channel])
      await live.next(({ entry }) => entry?.conversation === id)
    })
    await client.dispose()
  })
})
