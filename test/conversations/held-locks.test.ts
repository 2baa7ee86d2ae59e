import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import pg from 'pg'
import type { MadeUser } from '../support/factories.js'
import { startConversationFixture, type ConversationFixture } from './conversation-fixture.js'

let fixture: ConversationFixture
let outside: pg.Client
/** Conversations of another tenant, and of the one that is locked. */
let theirs: string[]
let own: string[]
let them: MadeUser
beforeAll(async () => {
  fixture = await startConversationFixture()
  outside = new pg.Client({ connectionString: fixture.databaseUrl })
  await outside.connect()
  const organization = await fixture.makeOrganization({ name: 'Beta' })
  them = await fixture.makeUser({ organization })
  const bot = await fixture.makeUser({ organization, role: 'bot' })
  theirs = await Promise.all(
    Array.from({ length: 8 }, async () => (await fixture.create({ organization: organization.id }, bot)).id),
  )
  own = await Promise.all(Array.from({ length: 8 }, async () => (await fixture.inStatus('ACTIVE')).id))
})
afterAll(async () => {
  await outside?.end()
  await fixture?.close()
})

/** Sends one after the other by four clients, each of which must be done. */
async function sendAlong(as: MadeUser, conversations: readonly string[], count: number): Promise<void> {
  const client = async (index: number): Promise<void> => {
    for (let sent = 0; sent < count / 4; sent++) {
      const id = conversations[(index + sent * 4) % conversations.length]!
      expect((await fixture.send(as, id, { role: 'AGENT', text: 'on and on' })).code).toBeUndefined()
    }
  }
  await Promise.all([0, 1, 2, 3].map(client))
}

interface Held {
  /** Lock that a transaction outside holds. */
  lock: { text: string; values: unknown[] }
  /** A write of the tenant that needs it. */
  write(): Promise<{ code?: string | undefined }>
}

let names = 0
const nameOf = (): string => `held-${names++}`

const HELD: Record<string, () => Promise<Held>> = {
  'a contact that another transaction is about to insert': async () => {
    const email = `${nameOf()}@example.com`
    const text = `insert into contact (id, organization_id, org1, org2, org3, created_at, updated_at, profile, email)
      select gen_random_uuid(), organization_id, org1, org2, org3, now(), now(), '{}', $2 from conversation where id = $1`
    return {
      lock: { text, values: [own[0], email] },
      write: () => fixture.tryCreate({ contact: { profile: { email } } }),
    }
  },
  'the row of an idempotency key': async () => {
    const key = nameOf()
    const text = `insert into idempotency_key (caller, key, request_hash, response, created_at)
      values ($1, $2, '', '{}', now() - interval '2 days')`
    const { id } = await fixture.inStatus('ACTIVE')
    return {
      lock: { text, values: [`user:${fixture.ann.id}`, key] },
      write: () => fixture.send(fixture.ann, id, { role: 'AGENT', text: 'with a key' }, key),
    }
  },
  "the counter of a queue's stream": async () => {
    const queued = await Promise.all(
      Array.from({ length: 12 }, () => fixture.create({ messages: [{ role: 'CONTACT', text: 'hello' }] })),
    )
    return {
      lock: { text: 'select 1 from stream where name = $1 for update', values: [`channel:${fixture.channel}`] },
      write: () => fixture.command(fixture.ann, queued.pop()!.id, '/accept'),
    }
  },
  'the row of a channel without subscribers': async () => ({
    lock: { text: 'select 1 from channel where id = $1 for update', values: [fixture.channel] },
    write: () => fixture.tryCreate({ messages: [{ role: 'CONTACT', text: 'hello' }] }),
  }),
}

/** Ends of a write that waited: of several creates of one contact, one wins; on a slow machine it waited for too long. */
const POSSIBLE = [undefined, 'UNPROCESSABLE', 'UNAVAILABLE']

describe.each(Object.keys(HELD))('%s, while another transaction holds it', (name) => {
  // How little others are delayed: npm run bench -- --only held-locks
  it('holds up neither other tenants nor what its own tenant writes elsewhere', async () => {
    const held = await HELD[name]!()
    const waiting: Promise<{ code?: string | undefined }>[] = []
    let done = 0
    const write = (): void => {
      waiting.push(
        held.write().then((outcome) => {
          if (!outcome.code) done += 1
          return outcome
        }),
      )
    }
    await outside.query('begin')
    try {
      await outside.query(held.lock.text, held.lock.values)
      write()
      write()
      // Writes that need what is held come again and again. Were a send behind one of them, it would be refused with it.
      for (let round = 0; round < 5; round++) {
        await Promise.all([sendAlong(them, theirs, 16), sendAlong(fixture.ann, own, 16)])
        write()
      }
      // They waited for what is held.
      expect(done).toBe(0)
    } finally {
      await outside.query('rollback')
    }
    for (const { code } of await Promise.all(waiting)) expect(POSSIBLE).toContain(code)
  })
})
