import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { readEvents } from '../../src/platform/events/streams.js'
import { isSecretKey } from '../../src/modules/services/secret-names.js'
import { maskSecrets, restoreSecrets } from '../../src/modules/services/service-secrets.js'
import type { MadeOrganization, MadeUser } from '../support/factories.js'
import { refusal } from '../support/refusal.js'
import { storedParams as paramsOf } from '../support/stored-params.js'
import { startTestServer, type TestServer } from '../support/test-server.js'

let app: TestServer
let customer: MadeOrganization
let admin: MadeUser
let rivalAdmin: MadeUser

beforeAll(async () => {
  app = await startTestServer()
  const center = await app.makeOrganization({ name: 'Center' })
  customer = await app.makeOrganization({ parent: center, name: 'Customer' })
  const rival = await app.makeOrganization({ parent: center, name: 'Rival' })
  admin = await app.makeUser({ organization: customer, role: 'admin' })
  rivalAdmin = await app.makeUser({ organization: rival, role: 'admin' })
})
afterAll(() => app.close())

const FIELDS = 'id organizationId organization { name } name type params meta status createdAt updatedAt'

interface ServiceData {
  id: string
  type: string
  params: Record<string, unknown>
  [key: string]: unknown
}

function create(as: MadeUser, input: object) {
  return app.gql<{ createService: ServiceData }>(
    as,
    `mutation ($input: CreateServiceInput!) { createService(input: $input) { ${FIELDS} } }`,
    { input },
  )
}

async function made(input: object): Promise<ServiceData> {
  const { data, errors } = await create(admin, input)
  expect(errors).toBeUndefined()
  return data.createService
}

function update(as: MadeUser, id: string, patch: object) {
  return app.gql<{ updateService: ServiceData }>(
    as,
    `mutation ($id: ID!, $patch: UpdateServiceInput!) { updateService(id: $id, patch: $patch) { ${FIELDS} } }`,
    { id, patch },
  )
}

function remove(as: MadeUser, id: string) {
  return app.gql<{ deleteService: boolean }>(as, 'mutation ($id: ID!) { deleteService(id: $id) }', { id })
}

function fetched(as: MadeUser, id: string) {
  return app.gql<{ service: ServiceData }>(as, `query ($id: ID!) { service(id: $id) { ${FIELDS} } }`, { id })
}

const storedParams = (id: string): Promise<unknown> => paramsOf(app.server, id)

describe('a service', () => {
  it('is created with the params as given, and read back', async () => {
    const service = await made({
      name: 'Mail',
      type: 'crm',
      isOwnType: true,
      params: { host: 'mx', port: 25 },
      meta: { a: 1 },
    })
    expect(service).toMatchObject({
      organizationId: customer.id,
      organization: { name: 'Customer' },
      name: 'Mail',
      type: 'crm',
      params: { host: 'mx', port: 25 },
      meta: { a: 1 },
      status: 'ACTIVE',
    })
    expect((await fetched(admin, service.id)).data.service).toEqual(service)
  })

  it('has settings by its type, which are its params', async () => {
    const settings = `settings { __typename ... on WebhookSettings { url events secret botId ownMessages }
      ... on EmailSettings { address inboundSecret } ... on WebSettings { allowedOrigins greeting } ... on SmsSettings { from } }`
    const createIt = (input: object) =>
      app.gql(
        admin,
        `mutation ($input: CreateServiceInput!) { createService(input: $input) { id type params ${settings} } }`,
        { input },
      )
    const updateIt = (id: string, patch: object) =>
      app.gql(
        admin,
        `mutation ($id: ID!, $patch: UpdateServiceInput!) { updateService(id: $id, patch: $patch) { params ${settings} } }`,
        { id, patch },
      )
    const bot = await app.makeUser({ organization: customer, role: 'bot' })
    const webhook = {
      url: 'https://example.com/hook',
      events: ['user.*'],
      bot: bot.id,
      secret: 'a secret of the two of us',
    }
    const { data } = await createIt({ type: 'webhook', settings: { webhook } })
    const { id } = data.createService
    expect(data.createService).toMatchObject({
      params: webhook,
      settings: {
        __typename: 'WebhookSettings',
        url: webhook.url,
        events: ['user.*'],
        botId: bot.id,
        ownMessages: null,
      },
    })
    // The mask stands for the stored secret, as in params.
    const changed = { webhook: { url: webhook.url, secret: '********', ownMessages: false } }
    expect((await updateIt(id, { settings: changed })).data.updateService).toMatchObject({
      params: { url: webhook.url, secret: '********', ownMessages: false },
      settings: { secret: '********', botId: null, ownMessages: false },
    })
    expect(await storedParams(id)).toEqual({
      url: webhook.url,
      secret: 'a secret of the two of us',
      ownMessages: false,
    })
    const web = await createIt({
      type: 'web',
      settings: { web: { greeting: 'Hi', allowedOrigins: ['https://shop.example'] } },
    })
    expect(web.data.createService.settings).toEqual({
      __typename: 'WebSettings',
      greeting: 'Hi',
      allowedOrigins: ['https://shop.example'],
    })
    expect((await createIt({ type: 'crm', isOwnType: true, params: { a: 1 } })).data.createService.settings).toBeNull()

    const refused: [object, string, RegExp][] = [
      [{ webhook: { url: 'ftp://example.com' } }, 'settings.webhook.url', /^settings\.webhook\.url .*ftp/],
      [{ webhook: { ...webhook, events: ['user.dance'] } }, 'settings.webhook.events[0]', /user\.dance/],
      [{ webhook: {} }, 'settings.webhook.url', /required/],
      [{ webhook: { url: webhook.url, ownMessages: true } }, 'settings.webhook.ownMessages', /only possible with/],
      [{ sms: { from: '+31201234567' } }, 'settings.sms', /not for a service of type webhook/],
      [{ sms: {}, webhook }, 'settings', /sms, webhook/],
      [{}, 'settings', /given: none/],
    ]
    for (const [given, field, message] of refused) {
      for (const { errors } of [
        await createIt({ type: 'webhook', settings: given }),
        await updateIt(id, { settings: given }),
      ]) {
        expect(errors?.[0]).toMatchObject({
          message: expect.stringMatching(message),
          extensions: { code: 'BAD_USER_INPUT', field },
        })
      }
    }
    const both = await createIt({ type: 'webhook', settings: { webhook }, params: webhook })
    expect(both.errors?.[0]?.extensions).toMatchObject({ code: 'BAD_USER_INPUT', field: 'settings' })
  })

  // [1 PATCH, PATCH nested] [4.7 PATCH service] [2.11 service params]
  it('keeps only the params of a patch, and all else that is not in it (section 1)', async () => {
    const { id } = await made({ name: 'Mail', type: 'crm', isOwnType: true, params: { host: 'mx', port: 25 } })
    const changed = (await update(admin, id, { params: { host: 'mx2' } })).data.updateService
    expect(changed).toMatchObject({ name: 'Mail', type: 'crm', params: { host: 'mx2' } })
    expect(changed.params).toEqual({ host: 'mx2' })
    expect((await update(admin, id, { params: null, name: null })).data.updateService).toMatchObject({
      params: {},
      name: null,
    })
  })

  it.each([
    ['WEBHOOK', 'webhook'],
    ['webhok', 'webhook'],
    ['mail', 'email'],
  ])('refuses the unknown type %s and names the nearest, on both interfaces', async (type, nearest) => {
    const { errors } = await create(admin, { type, isOwnType: true, params: { url: 'https://a.example' } })
    const refusal = expect.stringContaining(`type "${type}" is unknown; the nearest is ${nearest}`)
    expect(errors).toMatchObject([{ message: refusal, extensions: { code: 'BAD_USER_INPUT', field: 'type' } }])
    const rest = await app.rest(admin, 'POST', '/v2/services', { type })
    expect([rest.status, rest.body.field, rest.body.message]).toEqual([400, 'type', refusal])
    const { id } = await made({ type: 'web' })
    expect((await update(admin, id, { type })).errors).toMatchObject([{ message: refusal }])
  })

  it('refuses another unknown type in GraphQL unless it is said to be one of your own, as on /v2', async () => {
    const { errors } = await create(admin, { type: 'twilio' })
    expect(errors).toMatchObject([{ message: expect.stringContaining('isOwnType'), extensions: { field: 'type' } }])
    expect((await create(admin, { type: 'twilio', isOwnType: true })).errors).toBeUndefined()
    expect((await app.rest(admin, 'POST', '/v2/services', { type: 'twilio' })).status).toBe(201)
  })

  it('accepts types of up to 50 characters and two statuses', async () => {
    const { id } = await made({ type: 'carrier pigeon', isOwnType: true })
    expect((await update(admin, id, { status: 'inactive' })).data.updateService.status).toBe('INACTIVE')
    const refused: [object, string][] = [
      [{ type: 'x'.repeat(51) }, 'type'],
      [{ type: ' ' }, 'type'],
      [{ type: null }, 'type'],
      [{ status: 'unverified' }, 'status'],
      [{ name: ' ' }, 'name'],
      [{ meta: { _a: 1 } }, 'meta._a'],
      [{ params: { constructor: 1 } }, 'params.constructor'],
    ]
    for (const [patch, field] of refused) {
      expect((await update(admin, id, patch)).errors?.[0]?.extensions).toMatchObject({ code: 'BAD_USER_INPUT', field })
    }
  })

  it.each([
    ['webhook', { url: 'https://a.example', event: ['*'] }, 'params.event', /nearest are events/],
    ['webhook', { url: 'https://a.example', retries: 7 }, 'params.retries', /params\.retries \(7\)/],
    ['email', { smtpURL: 'smtp://a.example' }, 'params.smtpURL', /nearest are smtpUrl/],
    ['sms', { accountSID: 'AC1' }, 'params.accountSID', /nearest are accountSid/],
    ['messenger', { page: '1' }, 'params.page', /nearest are pageId/],
    ['web', { greetings: 'Hi' }, 'params.greetings', /nearest are greeting/],
  ])('refuses a param that the type %s does not have, on both interfaces', async (type, params, field, message) => {
    const { errors } = await create(admin, { type, params })
    expect(errors).toMatchObject([{ message: expect.stringMatching(message), extensions: { field } }])
    const { status, body } = await app.rest(admin, 'POST', '/v2/services', { type, params })
    expect([status, body.field]).toEqual([400, field])
  })

  it('accepts a stored param unchanged, and never reveals the value of one that it refuses', async () => {
    const { id } = await made({ type: 'sms', params: { from: '12345' } })
    await app.server.database.query(`update service set params = params || '{"note": "kept"}' where id = $1`, [id])
    const { data } = await update(admin, id, { params: { from: '12345', note: 'kept' } })
    // Nothing says what it is.
    expect(data.updateService.params).toEqual({ from: '12345', note: '********' })
    expect((await fetched(admin, id)).data.service.params).toEqual({ from: '12345', note: '********' })
    const again = await update(admin, id, { params: { from: '12345', note: '********' } })
    expect(again.errors).toBeUndefined()
    expect(await storedParams(id)).toEqual({ from: '12345', note: 'kept' })
    const { errors } = await update(admin, id, { params: { authTokn: 'confidential' } })
    expect(errors).toMatchObject([{ extensions: { field: 'params.authTokn' } }])
    expect(JSON.stringify(errors)).not.toContain('confidential')
  })

  it('emits events of every change to the organization’s stream, without params', async () => {
    const { id } = await made({
      type: 'webhook',
      params: { url: 'https://example.com', secret: 'sesame, sesame, open yourself' },
    })
    await update(admin, id, { params: { url: 'https://example.org', secret: 'open yourself, sesame, sesame' } })
    await remove(admin, id)
    const events = await readEvents(app.server.database, `organization:${customer.id}`, 0, 1_000)
    const mine = events.filter(({ data }) => data.id === id)
    expect(mine.map(({ type }) => type)).toEqual(['service.created', 'service.updated', 'service.deleted'])
    expect(JSON.stringify(mine)).not.toMatch(/sesame|open|example/)
    expect((await fetched(admin, id)).errors?.[0]?.extensions.code).toBe('NOT_FOUND')
  })

  it('is visible to administrators only (section 5)', async () => {
    const { id } = await made({ type: 'web' })
    for (const role of ['agent', 'bot'] as const) {
      const user = await app.makeUser({ organization: customer, role })
      const answers = [
        await fetched(user, id),
        await update(user, id, {}),
        await remove(user, id),
        await create(user, { type: 'web' }),
        await app.gql(user, '{ services { totalCount } }'),
      ]
      for (const { errors } of answers) expect(errors?.[0]?.extensions.code).toBe('FORBIDDEN')
    }
  })

  it("is not found by another tenant's administrator", async () => {
    const { id } = await made({ type: 'web' })
    const answers = [
      await fetched(rivalAdmin, id),
      await update(rivalAdmin, id, { name: 'Mine' }),
      await remove(rivalAdmin, id),
    ]
    for (const { errors } of answers) expect(errors?.[0]?.extensions.code).toBe('NOT_FOUND')
  })
})

describe('secrets among the params', () => {
  it('are shown by the write that creates them, and masked afterwards', async () => {
    const params = { sid: 'AC1', authToken: 'sesame', auth: { user: 'u', pass: 'sesame' } }
    const service = await made({ type: 'twilio', isOwnType: true, params })
    expect(service.params).toEqual(params)
    const masked = { sid: 'AC1', authToken: '********', auth: { user: 'u', pass: '********' } }
    expect((await fetched(admin, service.id)).data.service.params).toEqual(masked)
    const { data } = await app.gql(
      admin,
      'query ($id: ID!) { services(filter: { id: { eq: $id } }) { edges { node { params } } } }',
      { id: service.id },
    )
    expect(data.services.edges).toEqual([{ node: { params: masked } }])
    expect((await update(admin, service.id, { name: 'Renamed' })).data.updateService.params).toEqual(masked)
    expect(await storedParams(service.id)).toEqual(params)
  })

  it('stay when the mask is sent back, and change when another value is', async () => {
    const { id } = await made({
      type: 'twilio',
      isOwnType: true,
      params: { sid: 'AC1', authToken: 'sesame', password: 'old' },
    })
    const patch = { params: { sid: 'AC2', authToken: '********', password: 'new' } }
    expect((await update(admin, id, patch)).data.updateService.params).toEqual(patch.params)
    expect(await storedParams(id)).toEqual({ sid: 'AC2', authToken: 'sesame', password: 'new' })
  })

  it('cannot be the mask itself', async () => {
    const { errors } = await create(admin, { type: 'twilio', isOwnType: true, params: { auth: { token: '********' } } })
    expect(errors?.[0]?.extensions).toMatchObject({ code: 'BAD_USER_INPUT', field: 'params.auth.token' })
  })

  it.each([
    ['secret', true],
    ['clientSecret', true],
    ['CLIENT_SECRET', true],
    ['password', true],
    ['token', true],
    ['authToken', true],
    ['api_key', true],
    ['apiKey', true],
    ['privateKey', true],
    ['pass', true],
    ['Authorization', true],
    ['credentials', true],
    ['tokens', true],
    ['secret_key', true],
    ['signingKey', true],
    ['encryption_key', true],
    ['hmacKey', true],
    ['X-Auth-Key', true],
    ['passcode', true],
    ['token2', true],
    ['client_secret_old', true],
    ['bearer', true],
    ['Set-Cookie', true],
    ['jwt', true],
    ['basicAuth', true],
    ['auth-header', true],
    ['Proxy-Authorization', true],
    ['connectionString', true],
    ['wachtwoord', true],
    ['mot_de_passe', true],
    ['tökén', true],
    ['ｐａｓｓｗｏｒｄ', true],
    ['accessKeyId', false],
    ['secretName', false],
    ['publicKey', false],
    ['author', false],
    ['tokenUrl', false],
    ['host', false],
    ['passenger', false],
    ['key', true],
    ['sid', false],
  ])('are known by their key: %s is %s', (key, expected) => {
    expect(isSecretKey(key)).toBe(expected)
  })

  it('are masked at any depth under their key, even in lists, and nothing else is', () => {
    const params = {
      tokens: ['a'],
      token: ['a', { b: 'c' }],
      n: { secret: 5, password: '', x: [{ apiKey: 'k', y: 'z' }] },
      headers: [
        { name: 'Authorization', value: 'Bearer a' },
        { name: 'Accept', value: 'text/html' },
      ],
      auth: 'a',
    }
    expect(maskSecrets(params, undefined)).toEqual({
      tokens: ['********'],
      token: ['********', { b: '********' }],
      n: {
        secret: '********',
        password: '',
        x: [{ apiKey: '********', y: 'z' }],
      },
      headers: [
        { name: 'Authorization', value: '********' },
        { name: 'Accept', value: 'text/html' },
      ],
      auth: '********',
    })
    expect(restoreSecrets(maskSecrets(params, undefined), params, undefined)).toEqual(params)
    expect(refusal(() => restoreSecrets({ token: ['x', '********'] }, { token: ['a'] }, undefined)).field).toBe(
      'params.token.1',
    )
  })
})
