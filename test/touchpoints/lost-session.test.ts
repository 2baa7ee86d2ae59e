import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals'
import { startConversationFixture, type ConversationFixture } from '../conversations/conversation-fixture.js'
import { startTestServer, type TestServer } from '../support/test-server.js'
import { until } from '../support/until.js'
import { FarSide } from './test-provider.js'

/** Two nodes; what their providers were handed is counted together. */
const far = new FarSide()
let fixture: ConversationFixture
let other: TestServer | null = null
beforeAll(async () => {
  fixture = await startConversationFixture({}, { touchpoints: far.touchpoints })
  await fixture.run(fixture.admin, 'mutation { createService(input: { type: "sms" }) { id } }')
})
afterAll(async () => {
  await other?.server.close()
  await fixture?.close()
})
beforeEach(() => void far.sent.splice(0))

interface Shown {
  status: string
  reason: string | null
  attempts: number
}

const sql = <Row>(text: string, values: unknown[] = []) => fixture.server.database.query<Row>(text, values)

let telephones = 31612345700
async function say(text: string): Promise<string> {
  const contact = { profile: { name: 'Carl', telephone: `+${(telephones += 1)}` } }
  const { id } = await fixture.create({ touchpoint: 'SMS', contact })
  await fixture.send(fixture.ann, id, { role: 'AGENT', text })
  return id
}

const deliveryOf = async (conversation: string): Promise<Shown> => {
  const [row] = await sql<Shown>('select status, reason, attempts from delivery where conversation_id = $1', [
    conversation,
  ])
  return row!
}

/** Holds the provider's answers. @returns gives them */
function hold(): () => void {
  const held = Promise.withResolvers<void>()
  far.answer = async ({ id }) => {
    await held.promise
    return { providerId: `far-${id}`, status: 'sent' }
  }
  return held.resolve
}

interface Lease {
  leased_by: number | null
  attempts: number
}
const leaseOf = async (): Promise<Lease | undefined> =>
  (await sql<Lease>(`select leased_by, attempts from job where kind = 'touchpoint.deliver'`))[0]

/** Ends the connection by which the runner that has the delivery proves that it lives. */
const endSession = (runner: number) =>
  sql('select pg_terminate_backend(pid) from pg_locks where locktype = $1 and objid::bigint = $2', ['advisory', runner])

describe('a slow delivery whose node loses the connection of its leases', () => {
  it('stays with the node, which takes over its own lease, and ends as the provider said', async () => {
    const give = hold()
    const id = await say('slow')
    await until(() => far.sent.length === 1)
    const before = (await until(leaseOf))!
    await endSession(before.leased_by!)
    const after = await until(leaseOf, (lease) => lease!.leased_by !== null && lease!.leased_by !== before.leased_by)
    expect(after!.attempts).toBe(before.attempts)
    give()
    await until(
      () => deliveryOf(id),
      ({ status }) => status !== 'sending',
    )
    await until(leaseOf, (lease) => lease === undefined)
    expect(await deliveryOf(id)).toEqual({ status: 'sent', reason: null, attempts: 1 })
    expect(far.sent).toHaveLength(1)
  })

  it('is recorded as the provider said although its lease was released', async () => {
    const give = hold()
    const id = await say('released')
    await until(() => far.sent.length === 1)
    // As others release what a dead runner holds.
    await sql(`update job set leased_by = null, leased_until = '-infinity' where kind = 'touchpoint.deliver'`)
    give()
    await until(leaseOf, (lease) => lease === undefined)
    expect(await deliveryOf(id)).toEqual({ status: 'sent', reason: null, attempts: 1 })
    expect(far.sent).toHaveLength(1)
  })

  it('is recorded as the provider said although another runner took it and could only guess', async () => {
    const give = hold()
    const id = await say('taken')
    await until(() => far.sent.length === 1)
    // As if the node had been cut off for longer than its lease.
    other = await startTestServer({ DATABASE_URL: fixture.databaseUrl }, { touchpoints: far.touchpoints })
    await sql(
      `with p as (update job_partition set leased_by = null, leased_until = null, due_at = now() - interval '1 minute'
         where key = (select key from job where kind = 'touchpoint.deliver'))
       update job set leased_by = null, leased_until = null, attempts = attempts + 1 where kind = 'touchpoint.deliver'`,
    )
    await until(
      () => deliveryOf(id),
      ({ status }) => status === 'maybeSent',
    )
    give()
    await until(
      () => deliveryOf(id),
      ({ status }) => status === 'sent',
    )
    expect(await deliveryOf(id)).toEqual({ status: 'sent', reason: null, attempts: 1 })
    expect(far.sent).toHaveLength(1)
  })
})
