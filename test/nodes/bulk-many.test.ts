import { expect, it } from '@jest/globals'
import pg from 'pg'
import { systemClock } from '../../src/platform/db/clock.js'
import { startConversationFixture } from '../conversations/conversation-fixture.js'
import { until } from '../support/until.js'
import { bulkWhileKilled } from './bulk-killed.js'

it('500 conversations while 20 agents work, the node that labels them killed in the middle: each has one turn', async () => {
  const { total, done, skipped, failed } = await bulkWhileKilled({ conversations: 500, agents: 20 })
  expect(done + skipped + failed).toBe(total)
}, 600_000)

it('one that stays locked is tried three times, after the others, and has failed then', async () => {
  const fixture = await startConversationFixture()
  const holder = new pg.Client({ connectionString: fixture.databaseUrl })
  try {
    const on: string[] = []
    for (let nth = 0; nth < 3; nth++)
      on.push((await fixture.create({ messages: [{ role: 'CONTACT', text: 'hello' }] })).id)
    // The first in the order of the ids.
    const locked = on.toSorted()[0]!
    await holder.connect()
    await holder.query('begin')
    await holder.query('select 1 from conversation where id = $1 for update', [locked])
    const id = systemClock.newId()
    const begun = await fixture.run(
      fixture.ann,
      `mutation ($on: [ID!]!, $id: ID!) {
        bulk(act: { step: { kind: NOTE, text: "storm" } }, id: $id, conversations: $on) { total } }`,
      { on, id },
    )
    expect(begun.code).toBeUndefined()
    const read = async () =>
      (
        await fixture.run<{ state: string; done: number; failed: number; refusals: object[] }>(
          fixture.ann,
          `query ($id: ID!) { bulkRun(id: $id) {
            state done skipped failed refusals { conversationId isFailed code reason } } }`,
          { id },
        )
      ).value
    const run = await until(read, ({ state }) => state === 'DONE')
    expect(run).toMatchObject({
      done: 2,
      skipped: 0,
      failed: 1,
      refusals: [{ conversationId: locked, isFailed: true, code: 'UNAVAILABLE', reason: 'TEMPORARILY_UNAVAILABLE' }],
    })
  } finally {
    await holder.end()
    await fixture.close()
  }
}, 600_000)
