import { createServer, connect, type Socket } from 'node:net'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { systemClock } from '../../src/platform/db/clock.js'
import { liveClient, subscribe, type LiveSubscription } from '../support/live-client.js'
import { startConversationFixture, until, type ConversationFixture } from './conversation-fixture.js'

interface Entry {
  conversation: string
  preview?: string
  meta?: object
}
interface Heard {
  __typename: string
  cursor: string
  resync?: boolean
  isComplete?: boolean
  isLast?: boolean
  entries?: Entry[]
  entry?: Entry
}

const ENTRIES = 10_000
const QUEUE = (fields = ''): string => `subscription ($after: String, $size: Int, $channels: [ID!]) {
  queue(after: $after, pageSize: $size, channels: $channels) { __typename ... on StreamEvent { cursor }
    ... on QueueSnapshot { resync isComplete entries { conversation name contactName preview ${fields} } }
    ... on QueueSnapshotPage { isLast entries { conversation name contactName preview ${fields} } }
    ... on QueueEntryAdded { entry { conversation preview ${fields} } }
    ... on QueueEntryChanged { entry { conversation preview ${fields} } } } }`
const INBOX = `subscription ($size: Int) { inbox(pageSize: $size) { __typename ... on StreamEvent { cursor }
  ... on InboxSnapshot { isComplete entries { conversation } } ... on InboxSnapshotPage { isLast entries { conversation } } } }`

let fixture: ConversationFixture
let conversations: string[]
const sql = <T>(text: string, values: unknown[] = []): Promise<T[]> => fixture.server.database.query(text, values)

/** Queued conversations, and in Ann's inbox, by plain SQL. */
async function fill(count: number, channels: string[]): Promise<string[]> {
  const ids = Array.from({ length: count }, () => systemClock.newId())
  await sql(
    `insert into conversation (id, organization_id, org1, created_at, updated_at, type, name, slug, status, touchpoint,
       channels, meta, queued_at, preview, message_count)
     select x.id, $2, $2, now(), now(), 'contact', rpad('a name', 200, ' x'), x.id::text, 'queued', 'web', $3::uuid[],
       jsonb_build_object('padding', repeat('m', 200)), date_trunc('milliseconds', now()), rpad('it was said', 160, ' y'), 0
     from unnest($1::uuid[]) as x(id)`,
    [ids, fixture.organization.id, channels],
  )
  await sql(
    `insert into participant (conversation_id, user_id, name, role, inbox, created_at, updated_at)
     select x.id, $2, 'Ann', 'agent', true, now(), now() from unnest($1::uuid[]) as x(id)`,
    [ids, fixture.ann.id],
  )
  return ids
}

/** The contact writes; a refusal would otherwise only be missed as news that do not come. */
async function write(conversation: string, text: string): Promise<void> {
  expect(await fixture.send(fixture.bot, conversation, { role: 'CONTACT', text })).not.toHaveProperty('code')
}

/** A line that takes nothing at first, and then so many bytes a second. */
async function slowLine(url: string, bytesPerSecond: number, deafMs: number): Promise<{ url: string; close(): void }> {
  const sockets = new Set<Socket>()
  const proxy = createServer((client) => {
    const server = connect(Number(new URL(url).port), '127.0.0.1')
    for (const socket of [client, server]) {
      sockets.add(socket)
      socket.on('error', () => undefined)
      socket.on('close', () => [client, server].forEach((each) => each.destroy()))
    }
    client.pipe(server)
    let readsFrom = 0
    server.on('data', (chunk: Buffer) => {
      client.write(chunk)
      // The handshake and the acknowledgement go through.
      if (chunk.length < 1_000) return
      server.pause()
      readsFrom ||= Date.now() + deafMs
      const waitMs = Math.max((chunk.length / bytesPerSecond) * 1_000, readsFrom - Date.now())
      setTimeout(() => server.resume(), waitMs)
    })
  })
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`,
    close: () => {
      proxy.close()
      for (const socket of sockets) socket.destroy()
    },
  }
}

function shownBy({ events }: LiveSubscription<Heard>): Map<string, string | undefined> {
  const shown = new Map<string, string | undefined>()
  for (const { entries, entry } of events)
    for (const each of [...(entries ?? []), ...(entry ? [entry] : [])]) shown.set(each.conversation, each.preview)
  return shown
}

beforeAll(async () => {
  fixture = await startConversationFixture()
  conversations = await fill(ENTRIES, [fixture.channel])
})
afterAll(() => fixture.close())

/** Counts the blocks of the table that were read until now; sessions tell once a second. */
async function blocksOfConversations(): Promise<number> {
  await new Promise((resolve) => setTimeout(resolve, 1_020))
  await fixture.gql(fixture.ann, '{ me { id } }')
  const [row] = await sql<{ blocks: number }>(
    `select (heap_blks_hit + heap_blks_read)::int as blocks from pg_statio_user_tables where relname = 'conversation'`,
  )
  return row!.blocks
}

/** The fewest of several times: what PostgreSQL and the server read by themselves meanwhile is counted too. */
async function fewestBlocksOf(read: () => Promise<unknown>): Promise<number> {
  const counts: number[] = []
  while (counts.length < 5 && !counts.some((count) => count < BLOCKS_MAX)) {
    const before = await blocksOfConversations()
    await read()
    counts.push((await blocksOfConversations()) - before)
  }
  return Math.min(...counts)
}
const BLOCKS_MAX = 500

describe('a queue of 10,000', () => {
  it.each([
    ['in one event', null],
    ['in pages', 500],
  ])('loads on a slow connection while events arrive, %s', async (_how, size) => {
    const line = await slowLine(fixture.url, 4_000_000, 1_500)
    const client = liveClient(line.url, await fixture.tokenFor(fixture.ann))
    const live = subscribe<Heard>(client, 'queue', QUEUE(), { size, channels: [fixture.channel] })
    let written = 0
    const writes = (async () => {
      for (; written < 400; written++) await write(conversations[written]!, `news ${written} ${'z'.repeat(150)}`)
    })()
    await live.next(({ isComplete, isLast }) => isComplete === true || isLast === true)
    await writes
    await until(
      async () => shownBy(live),
      (shown) => shown.get(conversations[399]!)?.startsWith('news 399') === true,
    )
    const shown = shownBy(live)
    expect(shown.size).toBe(ENTRIES)
    expect(conversations.slice(0, 400).every((id, nth) => shown.get(id)?.startsWith(`news ${nth} `))).toBe(true)
    expect(live.errors).toEqual([])
    if (size) {
      expect(live.events[0]).toMatchObject({ __typename: 'QueueSnapshot', isComplete: false })
      expect(live.events[0]!.entries).toHaveLength(size)
    }
    await client.dispose()
    // A connection that is cut counts for 5 s more; then its conversations are routed again.
    await until(
      () => sql('select from queue_subscriber'),
      (subscribers) => subscribers.length === 0,
    )
    line.close()
  })

  it('restarts if only a part of it had arrived', async () => {
    const client = liveClient(fixture.url, await fixture.tokenFor(fixture.ann))
    const part = subscribe<Heard>(client, 'queue', QUEUE(), { size: 1_000, channels: [fixture.channel] })
    const { cursor } = await part.next()
    part.stop()
    const whole = subscribe<Heard>(client, 'queue', QUEUE(), {
      size: 1_000,
      after: cursor,
      channels: [fixture.channel],
    })
    expect(await whole.next()).toMatchObject({ __typename: 'QueueSnapshot', resync: true })
    const last = await whole.next(({ isLast }) => isLast === true)
    whole.stop()
    const on = subscribe<Heard>(client, 'queue', QUEUE(), {
      size: 1_000,
      after: last.cursor,
      channels: [fixture.channel],
    })
    await write(conversations[0]!, 'on')
    expect(await on.next()).toMatchObject({ __typename: 'QueueEntryChanged', entry: { preview: 'on' } })
    const wrong = subscribe<Heard>(client, 'queue', QUEUE(), { size: 1_001 })
    await expect(wrong.next()).rejects.toThrow('pageSize')
    await client.dispose()
  })

  it('includes metadata if selected', async () => {
    const client = liveClient(fixture.url, await fixture.tokenFor(fixture.ann))
    const live = subscribe<Heard>(client, 'queue', QUEUE('meta'), { size: 50, channels: [fixture.channel] })
    expect((await live.next()).entries!.every(({ meta }) => JSON.stringify(meta).includes('padding'))).toBe(true)
    await live.next(({ isLast }) => isLast === true)
    await fixture.command(fixture.ann, conversations[1]!, '/set colour blue')
    expect((await live.next(({ entry }) => entry?.conversation === conversations[1])).entry!.meta).toMatchObject({
      colour: 'blue',
    })
    const [{ largest } = { largest: 0 }] = await sql<{ largest: number }>(
      `select max(length(data::text)) as largest from event where type like 'queue.%'`,
    )
    expect(largest).toBeLessThan(900)
    await client.dispose()
  })

  it('is listed in pages, each of which reads a part', async () => {
    await sql('analyze conversation')
    const query = `query ($after: String, $channels: [ID!]) { queue(first: 50, after: $after, channels: $channels) {
      pageInfo { endCursor } edges { node { conversation } } } }`
    const pageAfter = async (after: string | null): Promise<{ ids: string[]; end: string }> => {
      const { data } = await fixture.gql(fixture.ann, query, { after, channels: [fixture.channel] })
      const { edges, pageInfo } = data.queue
      return { ids: edges.map((edge: { node: Entry }) => edge.node.conversation), end: pageInfo.endCursor }
    }
    const first = await pageAfter(null)
    const second = await pageAfter(first.end)
    expect(await fewestBlocksOf(() => pageAfter(first.end))).toBeLessThan(BLOCKS_MAX)
    const inOrder = await sql<{ id: string }>(
      `select id from conversation where status = 'queued' and channels @> $1::uuid[] order by queued_at, id limit 100`,
      [[fixture.channel]],
    )
    expect([...first.ids, ...second.ids]).toEqual(inOrder.map(({ id }) => id))
  })
})

describe('an inbox of 10,000', () => {
  it('is sent in pages', async () => {
    const client = liveClient(fixture.url, await fixture.tokenFor(fixture.ann))
    const live = subscribe<Heard>(client, 'inbox', INBOX, { size: 400 })
    await live.next(({ isLast }) => isLast === true)
    expect(live.events.filter(({ entries }) => entries)).toHaveLength(25)
    expect(shownBy(live).size).toBe(ENTRIES)
    await client.dispose()
  })

  it('is listed by the latest news in pages, none of which reads it all', async () => {
    await sql(
      `update conversation c set last_message_at = timestamptz '2026-01-01' + x.place * interval '1 minute'
       from unnest($1::uuid[]) with ordinality as x(id, place) where c.id = x.id`,
      [conversations],
    )
    await sql('analyze conversation, participant')
    const listed = async (after: string | null): Promise<{ ids: string[]; end: string }> => {
      const query = `query ($after: String) { inbox(first: 50, after: $after) { pageInfo { endCursor }
        edges { node { conversation } } } }`
      const { data } = await fixture.gql(fixture.ann, query, { after })
      const { edges, pageInfo } = data.inbox
      return { ids: edges.map((edge: { node: Entry }) => edge.node.conversation), end: pageInfo.endCursor }
    }
    const latest = conversations.toReversed()
    const first = await listed(null)
    const second = await listed(first.end)
    expect(await fewestBlocksOf(() => listed(first.end))).toBeLessThan(BLOCKS_MAX)
    expect([...first.ids, ...second.ids]).toEqual(latest.slice(0, 100))

    // News moves an entry to the front, and so does getting into the inbox after it.
    const [news, back] = [latest[5_000]!, latest[20]!]
    await write(news, 'news')
    expect((await listed(null)).ids.slice(0, 2)).toEqual([news, latest[0]])
    const inInbox = (isThere: boolean) =>
      sql('update participant set inbox = $2 where conversation_id = $1', [back, isThere])
    await inInbox(false)
    expect((await listed(null)).ids).not.toContain(back)
    await inInbox(true)
    expect((await listed(null)).ids.indexOf(back)).toBe(21)
  })
})

describe('the queues of a member of very many channels', () => {
  it('includes all of them, or is refused with an explanation', async () => {
    const member = await fixture.makeAgent()
    const makeChannels = (count: number) =>
      sql<{ id: string }>(
        `with made as (insert into channel (id, organization_id, org1, created_at, updated_at, name)
           select gen_random_uuid(), $1, $1, now(), now(), 'c' from generate_series(1, $2) returning id)
         insert into channel_member (channel_id, user_id, created_at) select id, $3, now() from made returning channel_id as id`,
        [fixture.organization.id, count, member.id],
      )
    const channels = await makeChannels(300)
    const ids: string[] = []
    for (const { id } of channels) ids.push(...(await fill(1, [id])))
    const client = liveClient(fixture.url, await fixture.tokenFor(member))
    const live = subscribe<Heard>(client, 'queue', QUEUE())
    const { entries } = await live.next()
    expect(new Set(entries!.map(({ conversation }) => conversation))).toEqual(new Set(ids))
    await makeChannels(800)
    const more = subscribe<Heard>(client, 'queue', QUEUE())
    await expect(more.next()).rejects.toThrow('a member of 1100 channels')
    await client.dispose()
  })
})

describe('the page that a consumer reports', () => {
  it("is truncated, and does not use up the agents' limit", async () => {
    const { id } = await fixture.create({ messages: [{ role: 'CONTACT', text: 'hello' }] })
    const url = `https://shop.example/${'u'.repeat(1_500)}`
    for (const meta of [
      { title: `${'t'.repeat(299)}😀${'t'.repeat(20_000)}`, url },
      { url: `https://shop.example/${'v'.repeat(2_010)}` },
    ]) {
      expect((await fixture.send(fixture.bot, id, { role: 'CONTACT', text: 'here', meta })).code).toBeUndefined()
    }
    const { meta } = await fixture.show(id)
    expect(meta).toEqual({ _title: 't'.repeat(299), _url: url })
    const own = { notes: Array.from({ length: 30 }, () => 'n'.repeat(2_000)) }
    expect((await fixture.command(fixture.ann, id, '/set', { meta: own })).code).toBeUndefined()
  })
})
