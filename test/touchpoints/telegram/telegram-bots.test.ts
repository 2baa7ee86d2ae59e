import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { TelegramAdapter } from '../../../src/modules/touchpoints/telegram/telegram-adapter.js'
import { PollPlaces } from '../../../src/modules/touchpoints/telegram/poll-places.js'
import { until } from '../../support/until.js'
import { startProviderFixture, type ProviderFixture } from '../provider-fixture.js'
import { BOT, refusal, startBotApi, updateOf, type BotApi } from './bot-api.js'

let fixture: ProviderFixture
let bots: BotApi
let bot = 400_000_000
let people = 8_100_000

beforeAll(async () => {
  fixture = await startProviderFixture()
  bots = await startBotApi()
})
afterAll(async () => {
  await fixture.app.close()
  await bots.close()
})

const sql = <T = Record<string, unknown>>(text: string, values: unknown[] = []) =>
  fixture.app.server.database.query<T & object>(text, values)

/** A token of a bot that the platform knows. */
function newBot(id = ++bot): string {
  const token = `${id}:${'A'.repeat(26)}${id}`
  bots.tokens.add(token)
  return token
}

const UPDATE =
  'mutation ($id: ID!, $patch: UpdateServiceInput!) { updateService(id: $id, patch: $patch) { id status problem } }'
const update = async (id: string, patch: object) => (await fixture.app.gql(fixture.admin, UPDATE, { id, patch })).data
const state = async (id: string) =>
  (await fixture.app.gql(fixture.admin, 'query ($id: ID!) { service(id: $id) { status problem } }', { id })).data
    .service as { status: string; problem: string | null }

const messageOf = (id: number, message: number, text: string): object => ({
  message_id: message,
  date: 1,
  from: { id, is_bot: false, first_name: 'Zoë' },
  chat: { id, type: 'private' },
  text,
})
const said = async (service: string) => (await fixture.receivedBy(service)).map(({ text }) => text)
const callsOf = (method: string, token: string) => bots.calls.filter((c) => c.method === method && c.token === token)

/** A service with a person who has written to it. */
async function begun(params: object = {}) {
  const token = newBot()
  const service = await fixture.makeService('telegram', { ...BOT, botToken: token, apiUrl: bots.url, ...params })
  const id = ++people
  const { url } = fixture.hook('telegram', service)
  expect(await bots.call(url, updateOf({ message: messageOf(id, 1, '/start') }))).toBe(200)
  const [first] = await until(async () => {
    const rows = await fixture.receivedBy(service)
    return rows.length > 0 && rows
  })
  return { service, token, id, url, conversation: first!.conversation_id }
}

const remove = (message: string) =>
  fixture.app.gql(fixture.admin, 'mutation ($id: ID!) { deleteMessage(id: $id) }', { id: message })

describe('another bot of the same service', () => {
  it('has numbers of its own: what it gets is no repeat of what the one before got', async () => {
    const { service, token, id, url } = await begun()
    const other = newBot()
    await update(service, {
      params: { ...BOT, botToken: other, webhookSecret: 'a_secret_of_its_own', apiUrl: bots.url },
    })
    const repeated = { update_id: 1, message: messageOf(id, 1, 'The same number') }
    expect(await bots.call(url, repeated, 'a_secret_of_its_own')).toBe(200)
    await until(async () => (await said(service)).length === 2)
    const edited = { update_id: 2, edited_message: messageOf(id, 1, 'The same number, changed') }
    expect(await bots.call(url, edited, 'a_secret_of_its_own')).toBe(200)
    await until(async () => (await said(service))[1] === 'The same number, changed')
    expect((await said(service))[0]).toBe('/start')
    await until(() => callsOf('deleteWebhook', token).length > 0)
    expect(callsOf('deleteWebhook', token)).toHaveLength(1)
  })

  it('is not called with the secret of the one before, whose calls go on for a while', async () => {
    const { service, id, url } = await begun()
    const other = newBot()
    await update(service, { params: { botToken: other, webhookSecret: '********', apiUrl: bots.url } })
    expect(await bots.call(url, updateOf({ message: messageOf(id, 9, 'Of the old bot') }))).toBe(403)
    const secret = await until(async () => callsOf('setWebhook', other).at(-1)?.body.secret_token as string)
    expect(secret).not.toBe(BOT.webhookSecret)
    expect(await bots.call(url, updateOf({ message: messageOf(id, 9, 'Of the new bot') }), secret)).toBe(200)
    await until(async () => (await said(service)).includes('Of the new bot'))
  })

  it('neither removes nor changes its own messages for those of the one before', async () => {
    const { service, conversation } = await begun()
    const [first, second] = [
      await fixture.answer(conversation, { text: 'Of the first bot' }),
      await fixture.answer(conversation, { text: 'Of the first bot too' }),
    ]
    await fixture.becomes(first, 'sent')
    await fixture.becomes(second, 'sent')
    const other = newBot()
    await update(service, { params: { ...BOT, botToken: other, apiUrl: bots.url } })
    await remove(first)
    const edit = 'mutation ($id: ID!) { updateMessage(id: $id, patch: { text: "Changed" }) { id } }'
    await fixture.app.gql(fixture.admin, edit, { id: second })
    const noted = await until(async () => (await fixture.delivery(second)).reason)
    expect(noted).toContain('another bot')
    await until(async () => (await sql("select 1 from job where kind like 'touchpoint.%'")).length === 0)
    expect([...callsOf('deleteMessages', other), ...callsOf('editMessageText', other)]).toEqual([])
  })

  it('is fetched from its own beginning, not from where the one before was', async () => {
    const [early, late] = [newBot(), newBot()]
    const params = { receive: 'poll', apiUrl: bots.url, webhookSecret: BOT.webhookSecret }
    bots.queue({ update_id: 900_000, message: messageOf(++people, 1, 'Early') }, early)
    bots.queue({ update_id: 5, message: messageOf(++people, 1, 'Late') }, late)
    const service = await fixture.makeService('telegram', { ...params, botToken: early })
    await until(async () => (await said(service)).includes('Early'))
    await until(() => [...bots.waits].length > 0)
    await update(service, { params: { ...params, botToken: late } })
    // The request that waits ends with an update of the old bot, which its number would carry over.
    bots.queue({ update_id: 900_001, message: messageOf(++people, 1, 'Last of the old') }, early)
    // Of different people, which are stored in any order.
    const [first, ...others] = await until(
      () => said(service),
      (found) => found.length >= 3,
    )
    expect([first, ...others.toSorted()]).toEqual(['Early', 'Last of the old', 'Late'])
  })
})

describe('one bot', () => {
  const make = (as: Parameters<ProviderFixture['app']['gql']>[0], params: object) =>
    fixture.app.gql(as, 'mutation ($input: CreateServiceInput!) { createService(input: $input) { id } }', {
      input: { type: 'telegram', params: { apiUrl: bots.url, ...params } },
    })

  it('belongs to one service of the installation, and nobody learns whose', async () => {
    const botToken = newBot()
    const first = await fixture.makeService('telegram', { botToken, apiUrl: bots.url })
    const stranger = await fixture.app.makeUser({ organization: await fixture.app.makeOrganization(), role: 'admin' })
    for (const as of [fixture.admin, stranger]) {
      const { errors } = await make(as, { botToken })
      expect(errors?.[0]).toMatchObject({ extensions: { code: 'UNPROCESSABLE', reason: 'BOT_TAKEN' } })
      expect(JSON.stringify(errors)).not.toContain(first)
      expect(JSON.stringify(errors)).not.toContain(botToken)
    }
    // Its id is public: with another token nobody can occupy it.
    const id = botToken.split(':')[0]
    expect((await make(stranger, { botToken: `${id}:${'B'.repeat(30)}`, receive: 'poll' })).errors).toBeUndefined()
    // Switched off it holds none, and gets it back only if nobody has taken it.
    await update(first, { status: 'INACTIVE' })
    const second = await make(stranger, { botToken })
    expect(second.errors).toBeUndefined()
    const back = await fixture.app.gql(fixture.admin, UPDATE, { id: first, patch: { status: 'ACTIVE' } })
    expect(back.errors?.[0]).toMatchObject({ extensions: { reason: 'BOT_TAKEN' } })
    const gone = 'mutation ($id: ID!) { deleteService(id: $id) }'
    await fixture.app.gql(stranger, gone, { id: (second.data.createService as { id: string }).id })
    expect((await update(first, { status: 'ACTIVE' })).updateService).toMatchObject({ status: 'ACTIVE' })
    expect((await sql<{ account: string }>('select account from service where id = $1', [first]))[0]!.account).toMatch(
      /^telegram:[\w-]{43}$/,
    )
  })

  it('is taken by one of several who save it at the same time', async () => {
    const botToken = newBot()
    const answers = await Promise.all(Array.from({ length: 6 }, () => make(fixture.admin, { botToken })))
    expect(answers.filter(({ errors }) => !errors)).toHaveLength(1)
  })
})

describe('a token that the platform refuses', () => {
  it('makes the service failing with its cause, holds messages, and is tried again once the service is saved', async () => {
    const { service, token, conversation } = await begun()
    bots.tokens.delete(token)
    const message = await fixture.answer(conversation, { text: 'Held' })
    const failing = await until(async () => {
      const found = await state(service)
      return found.status === 'FAILING' && found
    })
    expect(failing.problem).toBe('the token is refused (the platform refused: 401 Unauthorized)')
    // The address for updates is refused as well, perhaps before the message is tried.
    const held = await until(async () => {
      const row = await fixture.delivery(message)
      return row.status === 'queued' && row.reason !== null && row
    })
    expect(held.reason).toBe('the token is refused (the platform refused: 401 Unauthorized)')
    const told = await sql("select 1 from event where type = 'service.error' and data ->> 'id' = $1", [service])
    expect(told).toHaveLength(1)
    // It is still in use: consumers write, and what agents answer waits.
    const second = await fixture.answer(conversation, { text: 'Held too' })
    expect((await fixture.delivery(second)).status).toBe('queued')
    bots.tokens.add(token)
    await fixture.app.clock.advance(3_700_000)
    await fixture.becomes(second, 'sent')
    await until(async () => (await state(service)).status === 'ACTIVE')
    expect(await state(service)).toEqual({ status: 'ACTIVE', problem: null })
  })

  it('is asked for updates once an hour, and at once when the service is saved', async () => {
    const botToken = newBot()
    bots.tokens.delete(botToken)
    const service = await fixture.makeService('telegram', { botToken, apiUrl: bots.url, receive: 'poll' })
    await until(async () => (await state(service)).status === 'FAILING')
    const [job] = await until(async () => {
      const rows = await sql<{ ms: number }>(
        `select extract(epoch from run_at - $2::timestamptz)::float8 * 1000 as ms from job
         where kind = 'telegram.poll' and payload ->> 'service' = $1 and leased_by is null and last_error is not null`,
        [service, fixture.app.clock.now()],
      )
      return rows.length > 0 && rows
    })
    expect(job!.ms).toBeGreaterThan(3_500_000)
    const other = newBot()
    bots.queue(updateOf({ message: messageOf(++people, 1, 'At last') }), other)
    await update(service, { params: { botToken: other, apiUrl: bots.url, receive: 'poll' } })
    await until(async () => (await said(service)).includes('At last'))
    expect(await state(service)).toEqual({ status: 'ACTIVE', problem: null })
  })

  it('waits as long as the platform asks before the next request for updates', async () => {
    const botToken = newBot()
    bots.faultsOf('getUpdates').push(refusal(429, 'Too Many Requests: retry after 1000', { retry_after: 1_000 }))
    const service = await fixture.makeService('telegram', { botToken, apiUrl: bots.url, receive: 'poll' })
    const [job] = await until(async () => {
      const rows = await sql<{ ms: number }>(
        `select extract(epoch from run_at - $2::timestamptz)::float8 * 1000 as ms from job
         where kind = 'telegram.poll' and payload ->> 'service' = $1 and last_error is not null`,
        [service, fixture.app.clock.now()],
      )
      return rows.length > 0 && rows
    })
    expect(job!.ms).toBeGreaterThan(900_000)
    expect(await state(service)).toEqual({ status: 'ACTIVE', problem: null })
  })
})

describe('a deletion', () => {
  it('removes the parts that were sent before the delivery failed, and before one that waits', async () => {
    const { id, token, conversation } = await begun()
    for (const problem of [
      refusal(400, 'Bad Request: chat not found'),
      refusal(429, 'Too Many Requests: retry after 900', { retry_after: 900 }),
    ]) {
      const release = bots.hold()
      const before = bots.sent.length
      const message = await fixture.answer(conversation, { text: `${'a'.repeat(4_000)} ${'b'.repeat(4_000)}` })
      await until(() => bots.sent.length === before + 1)
      bots.faults.push(problem)
      release()
      await until(async () => (await fixture.delivery(message)).reason !== null)
      await remove(message)
      const part = bots.sent[before]!.id
      if (problem.status === 429) await fixture.app.clock.advance(1_000_000)
      const removal = await until(() =>
        callsOf('deleteMessages', token).find(({ body }) => (body.message_ids as number[]).includes(part)),
      )
      expect(removal.body).toEqual({ chat_id: id, message_ids: [part] })
    }
  })

  it('of a message that is being sent stops its other parts, and removes those that were', async () => {
    const { id, token, conversation } = await begun()
    const release = bots.hold()
    const before = bots.sent.length
    const long = Array.from({ length: 4 }, () => 'a'.repeat(4_000)).join(' ')
    const message = await fixture.answer(conversation, { text: long })
    await until(() => bots.sent.length === before + 1)
    await remove(message)
    const waiting = Promise.withResolvers<ReturnType<typeof refusal>>()
    bots.faultsOf('deleteMessages').push(waiting.promise)
    release()
    // One job of the conversation's deliveries, in their order and within the service's share.
    const [job] = await until(async () => {
      const rows = await sql<{ key: string; share: string }>(
        "select key, share from job where kind = 'touchpoint.remove'",
      )
      return rows.length > 0 && rows
    })
    expect(job).toMatchObject({ key: `delivery:${conversation}:messenger` })
    expect(job!.share).not.toBeNull()
    waiting.resolve(refusal(429, 'Too Many Requests: retry after 1', { retry_after: 1 }))
    await fixture.app.clock.advance(2_000)
    await until(() => callsOf('deleteMessages', token).some(({ body }) => body.chat_id === id))
    expect(bots.sent.slice(before)).toHaveLength(1)
  })
})

describe('the pace', () => {
  it('is kept by edits and deletions as well as by sends', async () => {
    const turns: string[] = []
    const { database: source, ...rest } = fixture.app.server
    expect(rest).toBeDefined()
    const adapter = new TelegramAdapter({
      sql: source,
      clock: fixture.app.clock,
      http: {
        request: async () => ({ status: 200, headers: {}, body: '{"ok":true,"result":true}', isCut: false }),
      } as never,
      pace: {
        turn: async ({ sender, person }: Record<string, string>) => void turns.push(`${sender} ${person}`),
      } as never,
      store: undefined as never,
    })
    const service = { params: { botToken: newBot(1234) } } as never
    const signal = AbortSignal.timeout(10_000)
    await adapter.remove({ service, recipient: '77', providerIds: ['1234:5'], signal })
    expect(turns).toEqual(['1234 77'])
  })
})

describe('a secret that the platform repeats', () => {
  it('is neither in the reason that agents see, nor kept with a job', async () => {
    const { service, token, id, url, conversation } = await begun()
    bots.faults.push(refusal(400, `Bad Request: no route /bot${token}/sendMessage`))
    const message = await fixture.answer(conversation, { text: 'Hello' })
    const { reason } = await fixture.becomes(message, 'failed')
    expect(reason).toContain('no route /bot********/sendMessage')
    bots.faultsOf('getFile').push(refusal(500, `Internal: /bot${token}/getFile`))
    const photo = [{ file_id: 'photo-1', width: 1, height: 1 }]
    const sent = { ...messageOf(id, 7, ''), text: undefined, photo }
    expect(await bots.call(url, updateOf({ message: sent }))).toBe(200)
    const [job] = await until(async () => {
      const rows = await sql<{ last_error: string }>(
        "select last_error from job where kind = 'telegram.event' and payload ->> 'service' = $1 and last_error is not null",
        [service],
      )
      return rows.length > 0 && rows
    })
    expect(job!.last_error).toContain('/bot********/getFile')
  })
})

describe('the places for requests that wait', () => {
  it('are bounded, and so are those of requests that do not', async () => {
    const places = new PollPlaces(1, 2)
    const ended = Promise.withResolvers<void>()
    const seen: unknown[] = []
    const hold = (mayWait: boolean) => (seen.push(mayWait), ended.promise)
    const running = [places.during(hold), places.during(hold)]
    expect(await places.during(async () => 'never')).toBeNull()
    expect(seen).toEqual([true, false])
    ended.resolve()
    await Promise.all(running)
    await expect(places.during(() => Promise.reject(new Error('cut')))).rejects.toThrow('cut')
    expect(await places.during(async (mayWait) => mayWait)).toBe(true)
  })

  it('leave room for deliveries where more bots than places are fetched', async () => {
    const { conversation } = await begun()
    const tokens = Array.from({ length: 70 }, () => newBot())
    const made = await Promise.all(
      tokens.map((botToken) => fixture.makeService('telegram', { botToken, apiUrl: bots.url, receive: 'poll' })),
    )
    let most = 0
    await until(() => {
      most = Math.max(most, bots.waits.size)
      return tokens.every((token) => callsOf('getUpdates', token).length > 0)
    })
    // One that was cut counts until its end is heard.
    expect(most).toBeLessThanOrEqual(66)
    expect(tokens.some((token) => callsOf('getUpdates', token).some(({ body }) => body.timeout === 0))).toBe(true)
    await fixture.becomes(await fixture.answer(conversation, { text: 'Through' }), 'sent')
    for (const id of made) await update(id, { status: 'INACTIVE' })
  })
})
