import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { StreamAppender } from '../../src/modules/conversations/streaming/stream-appender.js'
import { EVERY_TENANT } from '../../src/platform/db/tenancy.js'
import type { Context } from '../../src/platform/context.js'
import { until } from '../support/until.js'
import { startConversationFixture, type ConversationFixture } from './conversation-fixture.js'
import { streamsOf } from './streams-fixture.js'

let fixture: ConversationFixture
let streams: ReturnType<typeof streamsOf>
beforeAll(async () => {
  fixture = await startConversationFixture()
  streams = streamsOf(fixture)
})
afterAll(() => fixture.close())

const sql = <T extends object>(text: string, values: unknown[] = []): Promise<T[]> =>
  fixture.server.database.query<T>(text, values)
const waiting = () => fixture.create({ messages: [{ role: 'CONTACT', text: 'hello' }] })
const partsOf = async (id: string): Promise<string[]> =>
  (await sql<{ text: string }>('select text from message_stream_part where stream_id = $1 order by at', [id])).map(
    ({ text }) => JSON.parse(text) as string,
  )

/** One of a node's own, which nobody else calls. */
function makeAppender(): { appender: StreamAppender; ctx: Context } {
  const { database } = fixture.server
  const appender = new StreamAppender({
    sql: database,
    clock: fixture.clock,
    log: { warn: () => undefined } as never,
    relay: { show: () => undefined } as never,
    end: async () => undefined,
  })
  const caller = { kind: 'user', user: fixture.bot.id }
  const ctx: object = {
    reads: database,
    guestCaller: null,
    maybeCaller: caller,
    userCaller: caller,
    tenant: EVERY_TENANT,
  }
  return { appender, ctx: ctx as Context }
}

describe('the parts of a stream', () => {
  it('are stored once each, also where it was forgotten and read again while some of them waited', async () => {
    const { id } = (await streams.begin(fixture.bot, (await waiting()).id)).value
    const { appender, ctx } = makeAppender()
    expect(await appender.append(ctx, id, 0, 'Hello')).toBe(5)
    // While the next statement waits for its time, two of them are for the same place.
    const first = appender.append(ctx, id, 5, ' world')
    const settled = Promise.allSettled([
      first,
      (async () => {
        appender.forget(id)
        return appender.append(ctx, id, 5, ' there, all')
      })(),
    ])
    const [one, other] = await settled
    const stored = (await partsOf(id)).join('')
    const won = [one, other].filter(({ status }) => status === 'fulfilled')
    expect(won).toHaveLength(1)
    expect(['Hello world', 'Hello there, all']).toContain(stored)
    const [{ length }] = (await sql<{ length: number }>('select length from message_stream where id = $1', [id])) as [
      { length: number },
    ]
    expect(stored).toHaveLength(length)
    const refused = [one, other].find(({ status }) => status === 'rejected') as PromiseRejectedResult
    expect(refused.reason).toMatchObject({ details: { reason: 'STREAM_OFFSET', length } })
    appender.stop()
  })

  it('leave nothing in memory of streams that have ended', async () => {
    const { appender, ctx } = makeAppender()
    const ids: string[] = []
    for (let nth = 0; nth < 3; nth++) {
      const { id } = (await streams.begin(fixture.bot, (await waiting()).id)).value
      ids.push(id)
      await appender.append(ctx, id, 0, 'Hello')
    }
    expect(appender.known).toBe(3)
    fixture.server.dispatcher.onEphemeral(({ data }) => {
      const { id, ending } = data as { id?: string; ending?: string | null }
      if (id !== undefined && typeof ending === 'string') appender.forget(id)
    })
    for (const id of ids) await streams.stop(fixture.bot, id)
    await until(() => appender.known === 0)
    // It is read again, and refused with its ending.
    await expect(appender.append(ctx, ids[0]!, 5, '!')).rejects.toMatchObject({ details: { ending: 'stopped' } })
    expect(appender.known).toBe(0)
    appender.stop()
  })
})

describe('the room for streams', () => {
  it('is taken by no more than there is, however many begin at the same time', async () => {
    const conversations = await Promise.all(Array.from({ length: 58 }, waiting))
    const begun = await Promise.all(conversations.map(({ id }) => streams.begin(fixture.bot, id)))
    const own = 'select 1 from message_stream where user_id = $1 and ending is null'
    const open = await sql(own, [fixture.bot.id])
    expect(open.length).toBe(50)
    const refused = begun.filter(({ code }) => code === 'RATE_LIMITED')
    expect(begun.length - refused.length).toBeLessThanOrEqual(50)
    // One that has ended makes room for the next.
    const [first] = begun.filter(({ value }) => value)
    await streams.stop(fixture.bot, first!.value.id)
    const free = conversations.find((_, index) => begun[index]!.code === 'RATE_LIMITED')!
    expect((await streams.begin(fixture.bot, free.id)).value.ending).toBeNull()
  }, 120_000)
})
