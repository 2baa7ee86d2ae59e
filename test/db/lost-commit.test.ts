import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { randomUUID } from 'node:crypto'
import { DatabaseProxy } from '../../bench/chaos/database-proxy.js'
import type { Context } from '../../src/platform/context.js'
import type { Proof } from '../../src/platform/db/sql.js'
import { recordAnswer } from '../../src/platform/limits/idempotency.js'
import { startConversationFixture, type ConversationFixture } from '../conversations/conversation-fixture.js'
import { addressOf, PostgresServer } from '../support/postgres-server.js'
import { isInstalled } from '../support/programs.js'

const AT_ONCE = 16
const ROUNDS_MAX = 50

const withPrograms = isInstalled('pg_basebackup') && isInstalled('initdb') ? describe : describe.skip

withPrograms('a COMMIT whose answer is lost together with its server', () => {
  let primary: PostgresServer
  let standby: PostgresServer
  let proxy: DatabaseProxy
  let fixture: ConversationFixture
  let conversations: string[]
  beforeAll(async () => {
    primary = await PostgresServer.create()
    standby = await primary.standby()
    proxy = await DatabaseProxy.open(primary.url)
    fixture = await startConversationFixture({
      DATABASE_URL: addressOf({ host: new URL(proxy.url).host }, standby),
      // This process stands still while the standby takes over: however long that is, nothing is refused.
      DATABASE_WAIT_MS: '60000',
    })
    // No two moments are the same, as on a machine that is busy.
    let ticks = 0
    fixture.clock.now = () => new Date(Date.now() + ++ticks)
    conversations = await Promise.all(
      Array.from({ length: 4 }, async () => {
        const { id } = await fixture.create({ messages: [{ role: 'CONTACT', text: 'hello' }] })
        await fixture.command(fixture.ann, id, '/accept')
        return id
      }),
    )
  })
  afterAll(async () => {
    await fixture?.close()
    await proxy?.close()
    primary?.remove()
    standby?.remove()
  })

  it('is proved by the very values that the transaction wrote', async () => {
    const { database } = fixture.server
    const idempotency = { callerKey: randomUUID(), key: 'k', hash: () => 'h' }
    const ctx = { idempotency, now: () => fixture.clock.now() } as Context
    const proofs: Proof[] = []
    await database.sqlTransaction((sql) =>
      recordAnswer({ query: sql.query, prove: (proof) => void proofs.push(proof) }, ctx, 'done', null),
    )
    expect(proofs).toHaveLength(1)
    expect(await database.query(proofs[0]!.text, proofs[0]!.values)).toHaveLength(1)
  })

  it('is found committed by the next primary: no write of its batch is lost or done twice, with a key or without', async () => {
    proxy.cutChosen(
      (sent) => sent.includes('with a key ') && new Set(sent.match(/without one \d+ \d+/g)).size > 1,
      () => {
        // It stops when its standby has received everything.
        primary.stop()
        standby.promote()
      },
    )
    const wanted: string[] = []
    for (let round = 0; proxy.cuts === 0 && round < ROUNDS_MAX; round++) {
      const sent = await Promise.all(
        Array.from({ length: AT_ONCE }, (_, index) => {
          const isKeyed = index % 8 === 3
          const text = `${isKeyed ? 'with a key' : 'without one'} ${round} ${index}`
          wanted.push(text)
          const key = isKeyed ? text : undefined
          return fixture.send(fixture.ann, conversations[index % 4]!, { role: 'AGENT', text }, key)
        }),
      )
      expect(sent.filter(({ code }) => code !== undefined)).toEqual([])
    }
    expect(proxy.cuts).toBe(1)
    const stored = await fixture.server.database.query<{ text: string }>(
      `select text from message where text like 'with%'`,
    )
    expect(stored.map(({ text }) => text).toSorted()).toEqual(wanted.toSorted())
  })
})
