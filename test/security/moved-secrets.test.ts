import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { SEALED } from '../../src/platform/sealing/sealed-places.js'
import { startConversationFixture, type ConversationFixture } from '../conversations/conversation-fixture.js'
import { startReceiver, type Receiver } from '../webhooks/receiver.js'
import { addStoredParams, storedParams } from '../support/stored-params.js'

// A stored secret is shown as a mask, and stays where it was given to: an administrator who does not know it cannot send
// it to a host, or in the name of an account, of his own (4.7, services).
let fixture: ConversationFixture
let thief: Receiver
beforeAll(async () => {
  fixture = await startConversationFixture({ WEBHOOK_ALLOW_PRIVATE: 'true' })
  thief = await startReceiver()
})
afterAll(async () => {
  await fixture.close()
  await thief.close()
})

const MASK = '********'
const service = async (type: string, params: object): Promise<{ id: string; params: Record<string, string> }> => {
  const { status, body } = await fixture.rest(fixture.admin, 'POST', '/v2/services', { type, params })
  if (status !== 201) throw new Error(JSON.stringify(body))
  return body
}
const patch = (id: string, body: object) => fixture.rest(fixture.admin, 'PATCH', `/v2/services/${id}`, body)
const stored = (id: string): Promise<Record<string, string>> => storedParams(fixture.server, id)

const SECRETS: [type: string, secret: string, params: Record<string, string>, moves: Record<string, unknown>][] = [
  [
    'sms',
    'authToken',
    { accountSid: 'AC1', authToken: 'sesame', apiUrl: 'https://api.provider.example' },
    { apiUrl: 'https://thief.example', accountSid: 'AC9' },
  ],
  ['sms', 'authToken', { accountSid: 'AC1', authToken: 'sesame' }, { apiUrl: 'https://thief.example' }],
  [
    'messenger',
    'pageAccessToken',
    { pageId: '1', pageAccessToken: 'sesame', verifyToken: 'averifytoken' },
    { apiUrl: 'https://thief.example', pageId: '2' },
  ],
  [
    'messenger',
    'appSecret',
    { pageId: '3', appSecret: 'sesame', apiUrl: 'https://graph.example' },
    { apiUrl: null, pageId: '4' },
  ],
  [
    'email',
    'smtpPassword',
    { smtpUrl: 'smtps://mail.example', smtpUser: 'me', smtpPassword: 'sesame' },
    { smtpUrl: 'smtp://thief.example', smtpUser: 'thief' },
  ],
  [
    'email',
    'smtpRefreshToken',
    {
      smtpUrl: 'smtps://mail.example',
      smtpUser: 'me',
      smtpTokenUrl: 'https://tokens.example',
      smtpClientId: 'app',
      smtpRefreshToken: 'sesame',
    },
    { smtpUrl: 'smtp://thief.example', smtpTokenUrl: 'https://thief.example' },
  ],
  [
    'webhook',
    'secret',
    { url: 'https://bot.example/hook', secret: 'sesame sesame sesame sesame' },
    { url: 'https://thief.example/hook' },
  ],
]

/** Params that no secret goes with. */
const HARMLESS: Readonly<Record<string, object>> = {
  sms: { from: '12345' },
  email: { fromName: 'Harbour' },
  webhook: { events: ['*'] },
}

describe('the mask of a secret', () => {
  it.each(SECRETS)(
    'of a service of type %s, %s, is refused if the params it is bound to change',
    async (type, secret, params, moves) => {
      const { id } = await service(type, params)
      const shown = (await fixture.rest(fixture.admin, 'GET', `/v2/services/${id}`)).body.params
      expect(shown[secret]).toBe(MASK)
      const before = await stored(id)
      for (const [key, value] of Object.entries(moves)) {
        for (const moved of [
          { ...shown, [key]: value },
          { ...shown, [key]: value === null ? undefined : `${String(value)}/` },
        ]) {
          const { status, body } = await patch(id, { params: moved })
          expect([key, status, body.message]).toEqual([key, 400, expect.stringContaining(`params.${secret}`)])
        }
      }
      expect(await stored(id)).toEqual(before)
      // What is as it was, and what the secret has nothing to do with, is taken with the mask.
      expect((await patch(id, { params: { ...shown, ...HARMLESS[type] } })).status).toBe(200)
      expect((await stored(id))[secret]).toBe(before[secret])
      // Who knows the secret moves it.
      const [key, value] = Object.entries(moves)[0]!
      const known = {
        ...shown,
        ...(value === null ? { [key]: undefined } : { [key]: value }),
        [secret]: params[secret],
      }
      for (const other of Object.keys(shown))
        if (known[other] === MASK && other !== 'inboundSecret') known[other] = params[other]
      expect((await patch(id, { params: known })).status).toBe(200)
    },
  )

  it('does not follow a service to another type, with its mask or without', async () => {
    const { id } = await service('sms', { accountSid: 'AC1', authToken: 'sesame' })
    expect(
      (await patch(id, { type: 'mine', params: { authToken: MASK, apiUrl: 'https://thief.example' } })).status,
    ).toBe(400)
    expect((await patch(id, { type: 'mine' })).status).toBe(400)
    // Nor by way of a type whose params nobody reads, and back.
    const { id: own } = await service('mine', { authToken: 'sesame', accountSid: 'AC1' })
    expect((await patch(own, { type: 'sms', params: { authToken: MASK, accountSid: 'AC1' } })).status).toBe(400)
    expect((await patch(own, { type: 'web', params: {} })).status).toBe(200)
    expect(await stored(own)).toEqual({})
  })

  it('of a secret that the kind does not declare is bound to all other params', async () => {
    const { id } = await service('sms', { accountSid: 'AC1' })
    // Stored by a release that took any param.
    const undeclared = { keyOfProxy: 1, proxyPassword: 'sesame', proxy: 'https://a.example' }
    await addStoredParams(fixture.server, id, undeclared)
    const params = { accountSid: 'AC1', keyOfProxy: 1, proxyPassword: MASK }
    expect((await patch(id, { params: { ...params, proxy: 'https://thief.example' } })).status).toBe(400)
    expect((await patch(id, { params: { ...params, proxy: 'https://a.example' } })).status).toBe(200)
  })
})

describe('a webhook at another address', () => {
  it('gets a new secret if none is given, and signs nothing with the old one', async () => {
    const { body: hook } = await fixture.rest(fixture.admin, 'POST', '/v2/services', {
      type: 'webhook',
      params: { url: 'https://bot.example/hook', secret: 'the old secret of the webhook' },
    })
    const { body: moved } = await patch(hook.id, { params: { url: thief.url } })
    expect(moved.params.secret).toMatch(/^whsec_/)
    const [row] = await fixture.server.database.query<{ previous_secret: string | null }>(
      'select previous_secret from webhook where service_id = $1',
      [hook.id],
    )
    expect(row).toEqual({ previous_secret: null })
    // At the same address the old one holds for a day more.
    await patch(hook.id, { params: { url: thief.url, secret: 'another secret of the webhook' } })
    const [now] = await fixture.server.database.query<{ previous_secret: string }>(
      'select previous_secret from webhook where service_id = $1',
      [hook.id],
    )
    const { sealer } = fixture.server
    expect(sealer.open(SEALED.replacedSecret, hook.id, now!.previous_secret)).toBe(moved.params.secret)
    // And not after a move that names the secret, either.
    await patch(hook.id, { params: { url: 'https://bot.example/', secret: 'another secret of the webhook' } })
    const [last] = await fixture.server.database.query('select previous_secret from webhook where service_id = $1', [
      hook.id,
    ])
    expect(last).toEqual({ previous_secret: null })
  })
})
