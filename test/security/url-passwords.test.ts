import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { startConversationFixture, type ConversationFixture } from '../conversations/conversation-fixture.js'
import { addStoredParams, storedParams } from '../support/stored-params.js'

// A password in a URL is a secret, however the URL is written: the parser that sends requests accepts many spellings.
let fixture: ConversationFixture
beforeAll(async () => {
  fixture = await startConversationFixture()
})
afterAll(() => fixture.close())

const MASK = '********'
const PASSWORD = 'hunter2secret'
const post = (type: string, params: object) => fixture.rest(fixture.admin, 'POST', '/v2/services', { type, params })
const patch = (id: string, params: object) => fixture.rest(fixture.admin, 'PATCH', `/v2/services/${id}`, { params })
const stored = (id: string): Promise<Record<string, string>> => storedParams(fixture.server, id)

/** Everything that an administrator may read of a service. */
async function shown(id: string): Promise<string> {
  const { body } = await fixture.rest(fixture.admin, 'GET', `/v2/services/${id}`)
  const { data } = await fixture.gql(fixture.admin, 'query ($id: ID!) { service(id: $id) { params } }', { id })
  return decodeURIComponent(JSON.stringify([body, data]))
}

const SPELLINGS = [
  `https://joe:${PASSWORD}@example.com/h`,
  `https:///joe:${PASSWORD}@example.com/h`,
  `https:////joe:${PASSWORD}@example.com/h`,
  `https://\\joe:${PASSWORD}@example.com/h`,
  `https://joe: ${PASSWORD}@example.com/h`,
  `https://jo e:${PASSWORD}@example.com/h`,
  `https://joe:a@${PASSWORD}@example.com/h`,
  `https://joe:a:${PASSWORD}@example.com/h`,
  `HTTPS://joe:${PASSWORD}@example.com/h`,
  `https://:${PASSWORD}@example.com/h`,
  `  https://joe:${PASSWORD}@example.com`,
]

describe('a password in the URL of a webhook', () => {
  it.each(SPELLINGS)('is sent, but not shown to anyone: %j', async (url) => {
    const { status, body } = await post('webhook', { url })
    expect(status).toBe(201)
    expect(decodeURIComponent(JSON.stringify(body))).not.toContain(PASSWORD)
    expect(await shown(body.id)).not.toContain(PASSWORD)
    const kept = await stored(body.id)
    expect(new URL(kept.url!).href).toBe(kept.url)
    expect(decodeURIComponent(new URL(kept.url!).password)).toContain(PASSWORD)
    // What was shown is sent back: nothing changes.
    const { params } = (await fixture.rest(fixture.admin, 'GET', `/v2/services/${body.id}`)).body
    expect((await patch(body.id, params)).status).toBe(200)
    expect(await stored(body.id)).toEqual(kept)
  })

  it.each([
    ['https:///', 'https:///joe:hunter2secret@example.com/h'],
    ['without a slash', 'https://joe:hunter2secret@example.com'],
  ])('is not shown where an earlier release stored it as written, and stays verified: %s', async (_how, url) => {
    const { body } = await post('webhook', { url: 'https://example.com/' })
    await addStoredParams(fixture.server, body.id, { url })
    const before = await stored(body.id)
    expect(await shown(body.id)).not.toContain(PASSWORD)
    const { params } = (await fixture.rest(fixture.admin, 'GET', `/v2/services/${body.id}`)).body
    expect((await patch(body.id, params)).status).toBe(200)
    expect(await stored(body.id)).toEqual(before)
  })

  it.each([
    ['webhook', 'url', `https:joe:${PASSWORD}@example.com`],
    ['webhook', 'url', `https://joe:${PASSWORD}@example.com:99999/h`],
    ['webhook', 'url', `https://joe:${PASSWORD}@exa mple.com/h`],
    ['webhook', 'url', `ftp://joe:${PASSWORD}@example.com/h`],
    ['webhook', 'url', `https://joe:100%${PASSWORD}@example.com/h`],
    ['sms', 'apiUrl', `https:///joe:${PASSWORD}@example.com/h`],
    ['messenger', 'apiUrl', `https://jo e:${PASSWORD}@example.com:99999`],
    ['email', 'smtpUrl', `smtp://joe: ${PASSWORD}@example.com`],
    ['email', 'smtpUrl', `smtps:////joe:${PASSWORD}@example.com`],
  ])('is not repeated where the URL is refused: %s %s %j', async (type, key, url) => {
    const { status, body } = await post(type, { [key]: url })
    expect([status, body.field]).toEqual([400, `params.${key}`])
    expect(JSON.stringify(body)).not.toContain(PASSWORD)
  })
})

describe('a password in a param of a type that the server does not know', () => {
  it.each([...SPELLINGS, `https:joe:${PASSWORD}@x`, `redis://:${PASSWORD}@x/1`, `https://joe:${PASSWORD}@x:99999/`])(
    'is not shown to anyone: %j',
    async (address) => {
      const { status, body } = await post('mine', { hosts: [{ address }] })
      expect(status).toBe(201)
      expect(await shown(body.id)).not.toContain(PASSWORD)
    },
  )

  it('is detected in URLs only', async () => {
    const params = {
      mail: 'joe@example.com',
      note: 'ask joe: he@home knows',
      at: 'https://example.com/@joe:b',
      d: 'a:b@c',
    }
    const { body } = await post('mine', params)
    expect((await fixture.rest(fixture.admin, 'GET', `/v2/services/${body.id}`)).body.params).toEqual(params)
  })
})

describe('the mask as the password of a URL', () => {
  it.each(['https://example.com/h', 'https://joe@example.com/h', `https://joe:${PASSWORD}@example.com/h`])(
    'is refused with any other URL than the stored %s',
    async (url) => {
      const { body } = await post('webhook', { url })
      const before = await stored(body.id)
      for (const other of ['https://joe:********@evil.example/h', 'https://joe:%2A*******@evil.example/h']) {
        for (const secret of [MASK, 'another secret', undefined]) {
          const answer = await patch(body.id, { url: other, secret })
          expect([answer.status, JSON.stringify(answer.body)]).toEqual([400, expect.stringContaining('mask')])
        }
      }
      expect(await stored(body.id)).toEqual(before)
    },
  )

  it('is refused where the stored URL has no password, and in a new service', async () => {
    const { body } = await post('webhook', { url: 'https://joe@example.com/h' })
    const url = 'https://joe:********@example.com/h'
    expect(await patch(body.id, { url })).toMatchObject({ status: 400, body: { field: 'params.url' } })
    expect(await post('webhook', { url })).toMatchObject({ status: 400, body: { field: 'params.url' } })
    expect(await post('mine', { a: [url] })).toMatchObject({ status: 400, body: { field: 'params.a.0' } })
  })

  it('stands for the stored password of the same URL', async () => {
    const { body } = await post('webhook', { url: `https://joe:${PASSWORD}@example.com/h` })
    const before = await stored(body.id)
    expect((await patch(body.id, { url: 'https://joe:********@example.com/h', secret: MASK })).status).toBe(200)
    expect(await stored(body.id)).toEqual(before)
  })
})
