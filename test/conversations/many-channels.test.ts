import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { liveClient, subscribe } from '../support/live-client.js'
import { createHooks, type Hooks } from '../webhooks/hooks.js'
import { startConversationFixture, type ConversationFixture } from './conversation-fixture.js'
import { until } from '../support/until.js'

interface Heard {
  __typename: string
  cursor: string
  resync?: boolean
  entries?: Entry[]
  entry?: Entry
  channel?: string
}

interface Entry {
  channel: string
  conversation: string
  contactName: string | null
  preview: string | null
}

const ENTRY = 'channel conversation contactName preview'
const QUEUE = `subscription ($channels: [ID!]!, $after: String) { queue(channels: $channels, after: $after) {
  __typename ... on StreamEvent { cursor } ... on QueueSnapshot { resync entries { ${ENTRY} } }
  ... on QueueEntryAdded { entry { ${ENTRY} } } ... on QueueEntryChanged { entry { ${ENTRY} } }
  ... on QueueEntryRemoved { channel } } }`
const CHANNELS = 40

let fixture: ConversationFixture
let hooks: Hooks
let mine: string[]
beforeAll(async () => {
  fixture = await startConversationFixture({ WEBHOOK_ALLOW_PRIVATE: 'true' })
  hooks = createHooks(fixture)
  const names = Array.from({ length: CHANNELS - 1 }, (_, index) => `Channel ${index}`)
  const others = await Promise.all(
    names.map((name, index) => fixture.makeChannel(name, index < 2 ? [fixture.ann] : [])),
  )
  mine = [fixture.channel, others[0]!, others[1]!].toSorted()
})
afterAll(async () => {
  await hooks?.close()
  await fixture?.close()
})

const sql = <T>(text: string, values: unknown[] = []): Promise<T[]> => fixture.server.database.query(text, values)
const say = async (id: string, text: string): Promise<void> => {
  expect((await fixture.send(fixture.bot, id, { role: 'CONTACT', text })).code).toBeUndefined()
}
/** Counts the events of queues that say this, and the rows that hold the words. */
const kept = async (preview: string) => {
  const [counts] = await sql<{ told: number; copies: number }>(
    `with own as (select stream, number from event where type like 'queue.%' and data #>> '{entry,preview}' = $1)
     select (select count(*)::int from own) as copies,
       (select count(*)::int from event e where (e.stream, e.number) in (select * from own)
         or (e.of_stream, e.of_number) in (select * from own)) as told`,
    [preview],
  )
  return counts!
}

describe('an event for all channels of an organization', () => {
  it('is stored once in the log, and delivered to each channel, live and from a cursor', async () => {
    const client = liveClient(fixture.url, await fixture.tokenFor(fixture.ann))
    const live = subscribe<Heard>(client, 'queue', QUEUE, { channels: mine })
    const first = await live.next()
    const { id } = await fixture.create({ messages: [{ role: 'CONTACT', text: 'one' }] })
    await say(id, 'two')
    await until(() => live.events.length === 7)
    expect(await kept('one')).toEqual({ told: CHANNELS, copies: 1 })
    expect(await kept('two')).toEqual({ told: CHANNELS, copies: 1 })
    const told = live.events.slice(1).map(({ __typename, entry }) => [__typename, entry!.channel, entry!.preview])
    const expected = [
      ...mine.map((channel) => ['QueueEntryAdded', channel, 'one']),
      ...mine.map((channel) => ['QueueEntryChanged', channel, 'two']),
    ]
    expect(told.toSorted()).toEqual(expected.toSorted())
    // From every cursor exactly what came after it, now read from the log.
    for (const [index, { cursor }] of [first, ...live.events.slice(1)].entries()) {
      const again = subscribe<Heard>(client, 'queue', QUEUE, { channels: mine, after: cursor })
      await say(id, `after ${index}`)
      await until(() => again.events.filter(({ entry }) => entry?.preview === `after ${index}`).length === 3)
      const rest = again.events.filter(({ entry }) => ['one', 'two'].includes(entry!.preview ?? ''))
      const missing = told.filter((_each, at) => at >= index)
      const byText = (one: unknown[], other: unknown[]) => (String(one) < String(other) ? -1 : 1)
      expect(again.events.map(({ __typename }) => __typename)).not.toContain('QueueSnapshot')
      expect(
        rest.map(({ __typename, entry }) => [__typename, entry!.channel, entry!.preview]).toSorted(byText),
      ).toEqual(missing.toSorted(byText))
      again.stop()
    }
    await client.dispose()
  })

  it('is delivered to webhooks for each channel, with the channel', async () => {
    const hook = await hooks.register(fixture.admin, { events: ['channel.notify'] })
    await fixture.create({ messages: [{ role: 'CONTACT', text: 'hooked' }] })
    const received = await hook.receiver.count(CHANNELS)
    const bodies = received.map(({ json }) => json as { data: { channel: { id: string } } })
    expect(new Set(bodies.map(({ data }) => data.channel.id)).size).toBe(CHANNELS)
  })

  it('is erased from all of them with its contact', async () => {
    const shown = await fixture.create({ messages: [{ role: 'CONTACT', text: 'a word to forget' }] })
    expect(await kept('a word to forget')).toEqual({ told: CHANNELS, copies: 1 })
    await fixture.send(fixture.ann, shown.id, { role: 'AGENT', text: 'hi' })
    await fixture.command(fixture.ann, shown.id, '/leave')
    const { code } = await fixture.run(fixture.admin, 'mutation ($id: ID!) { deleteContact(id: $id) }', {
      id: shown.contactId,
    })
    expect(code).toBeUndefined()
    await until(async () => (await kept('a word to forget')).told === 0)
  })

  it('is one for each of more than five hundred channels, which are written in slices', async () => {
    await sql(
      `insert into channel (id, organization_id, org1, created_at, updated_at, name)
       select gen_random_uuid(), $1, $1, now(), now(), 'Further ' || n from generate_series(1, 600) n`,
      [fixture.organization.id],
    )
    const client = liveClient(fixture.url, await fixture.tokenFor(fixture.ann))
    const live = subscribe<Heard>(client, 'queue', QUEUE, { channels: mine })
    await live.next()
    const { id, contactId } = await fixture.create({ messages: [{ role: 'CONTACT', text: 'to very many' }] })
    await say(id, 'once more')
    const last = () => live.events.filter(({ entry }) => entry?.preview === 'once more')
    await until(() => last().length === mine.length)
    expect((await kept('to very many')).told).toBe(CHANNELS + 600)
    expect(live.events.slice(1).filter(({ entry }) => entry?.preview === 'to very many')).toHaveLength(mine.length)
    await client.dispose()
    const sent = await fixture.send(fixture.ann, id, { role: 'AGENT', text: 'hi' })
    const left = await fixture.command(fixture.ann, id, '/leave')
    expect([sent.code, left.code]).toEqual([undefined, undefined])
    const deleted = await fixture.run(fixture.admin, 'mutation ($id: ID!) { deleteContact(id: $id) }', {
      id: contactId,
    })
    expect(deleted.code).toBeUndefined()
    await until(async () => (await kept('to very many')).told === 0)
  })
})
