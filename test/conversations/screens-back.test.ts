import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { systemClock } from '../../src/platform/db/clock.js'
import { liveClient, subscribe } from '../support/live-client.js'
import { startConversationFixture, type ConversationFixture } from './conversation-fixture.js'
import { until } from '../support/until.js'

const SCREENS = 150
const SOCKETS = 10
const WAITING = 300
const QUEUE = 'subscription ($channels: [ID!]) { queue(channels: $channels) { __typename } }'

let fixture: ConversationFixture
beforeAll(async () => {
  fixture = await startConversationFixture()
})
afterAll(() => fixture.close())

const sql = <T>(text: string, values: unknown[] = []): Promise<T[]> => fixture.server.database.query(text, values)

/** Queued while nobody was there. */
const fill = () =>
  sql(
    `insert into conversation (id, organization_id, org1, created_at, updated_at, type, name, slug, status, channels,
       channels_offline, queued_at, message_count)
     select x.id, $2, $2, now(), now(), 'contact', 'Carl', x.id::text, 'queued', '{}', $3::uuid[], now(), 0
     from unnest($1::uuid[]) as x(id)`,
    [Array.from({ length: WAITING }, () => systemClock.newId()), fixture.organization.id, [fixture.channel]],
  )

describe(`${SCREENS} screens that come back at once, while ${WAITING} conversations wait`, () => {
  it('receive each conversation once, and no send is refused meanwhile', async () => {
    await fill()
    const { id } = await fixture.create()
    const token = await fixture.tokenFor(fixture.ann)
    const clients = Array.from({ length: SOCKETS }, () => liveClient(fixture.url, token))
    const screens = Array.from({ length: SCREENS }, (_, index) =>
      subscribe<{ __typename: string }>(clients[index % SOCKETS]!, 'queue', QUEUE, { channels: [fixture.channel] }),
    )
    const refused: (string | undefined)[] = []
    let sent = 0
    const waits = async (): Promise<boolean> => {
      const { code } = await fixture.send(fixture.ann, id, { role: 'AGENT', text: `meanwhile ${sent++}` })
      if (code) refused.push(code)
      const [row] = await sql<{ moved: number }>(
        `select count(*)::int as moved from conversation where channels = $1::uuid[] and channels_offline = '{}'`,
        [[fixture.channel]],
      )
      return row!.moved >= WAITING
    }
    await until(waits)
    expect(refused).toEqual([])
    expect(screens.flatMap(({ errors }) => errors)).toEqual([])
    // Each was written by one operation: what it did not change has no version of its own.
    const [versions] = await sql<{ most: number }>(
      `select max(version)::int as most from conversation where name = 'Carl' and message_count = 0`,
    )
    expect(versions!.most).toBeLessThanOrEqual(2)
    await Promise.all(clients.map((client) => client.dispose()))
  })
})
