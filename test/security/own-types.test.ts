import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { isSecretKey } from '../../src/modules/services/secret-names.js'
import { sealingOwnTypes } from '../../src/modules/services/seal-own-types.js'
import { maskSecrets } from '../../src/modules/services/service-secrets.js'
import { storedParams } from '../support/stored-params.js'
import type { MadeUser } from '../support/factories.js'
import { startTestServer, type TestServer } from '../support/test-server.js'
import { until } from '../support/until.js'
import { startReceiver, type Receiver } from '../webhooks/receiver.js'

const MASK = '********'

/** Names of an English, Dutch, German, French, Spanish, Italian and Portuguese hand. */
const SECRET_NAMES =
  'smtpPass smtppass smtp_pass SMTP_PASS smtp-pass passwords userPwd pwd1 dbPw masterKey masterkey MASTER_KEY ' +
  'authorizationHeader authHeader X-Auth-Header proxyAuthorization hmac_key_v2 hmacSalt sigKey sig webhookSigningKey1 ' +
  'webhookSigningKey2Old licenseKey licence_keys dsn sentryDsn SENTRY_DSN apiKey apikey API-KEY X-Api-Key key1 keys ' +
  'clientKey storageAccountKey clientSecretV2 sharedSecrets consumer_secret botToken tokenValue refresh-token idToken2 ' +
  'sessionId sessionCookie session_key cookies csrfToken signature requestSignature bearer jwtSigning credential ' +
  'credentials.json pin pinCode otp_seed totp psk wifiPsk basicAuth oauthSecret private_key_pem passPhrase unlockPasscode ' +
  'wachtwoord smtpWachtwoord geheim geheimeSleutel apiSleutel toegangscode Kennwort Passwort Schlüssel API-Schluessel ' +
  'Zugangsdaten motDePasse mdp mdpSmtp clé cléApi clef_secrete jeton jetonAcces contraseña claveApi clave secreto ' +
  'credenciales senha chiaveApi tökén ｐａｓｓｗｏｒｄ'
const PUBLIC_NAMES =
  'keyword keywords searchKeywords tokenUrl token_endpoint keyId accessKeyId secretName sessionTimeout sessionCount ' +
  'passThrough passthroughMode passengerCount passive passportCountry bypass compass monkey monkeys turkey hockeyClub ' +
  'keyboardLayout authMethod authType authMode oauthScopes publicKey public_keys primaryKey foreignKey sortKeys cacheKey ' +
  'author authors authorName authority possession secretary cookieDomain cookieName tokenType tokenTtl maxTokens ' +
  'keyPath emailSignature signatureAlgorithm passwordPolicy passwordMinLength host port username clientId accountSid ' +
  'opinion spinner pinned vehicle article bicycle wednesday enclave'

describe('a name in the params of a type of one’s own', () => {
  it.each(SECRET_NAMES.split(' '))('is known as a secret’s: %s', (name) => {
    expect(isSecretKey(name)).toBe(true)
  })

  it.each(PUBLIC_NAMES.split(' '))('is not taken for a secret’s: %s', (name) => {
    expect(isSecretKey(name)).toBe(false)
  })
})

describe('a secret without a name of its own', () => {
  it.each([
    [
      { header: 'Authorization', value: 'abc' },
      { header: 'Authorization', value: MASK },
    ],
    [
      { field: 'password', val: 'abc' },
      { field: 'password', val: MASK },
    ],
    [
      { key: 'api_key', data: 'abc' },
      { key: 'api_key', data: MASK },
    ],
    [
      { k: 'token', v: 'abc' },
      { k: 'token', v: MASK },
    ],
    [
      { naam: 'wachtwoord', waarde: 'abc' },
      { naam: 'wachtwoord', waarde: MASK },
    ],
    [
      { name: 'X-Api-Key', is: ['abc'] },
      { name: 'X-Api-Key', is: [MASK] },
    ],
    [
      { type: 'bearer', value: 'abc', url: 'https://a' },
      { type: 'bearer', value: MASK, url: 'https://a' },
    ],
    [
      { key: 'colour', value: 'red' },
      { key: 'colour', value: 'red' },
    ],
    [
      { name: 'Token office', url: 'https://a' },
      { name: 'Token office', url: 'https://a' },
    ],
  ])('is known by what names it: %j', (pair, shown) => {
    expect(maskSecrets({ list: [pair] }, undefined)).toEqual({ list: [shown] })
  })

  it.each([
    [
      ['Authorization', 'Bearer abc'],
      ['Authorization', MASK],
    ],
    [
      ['Accept', 'text/html', 'X-Api-Key', 'abc'],
      ['Accept', 'text/html', 'X-Api-Key', MASK],
    ],
    [
      ['Authorization: Basic dTpw', 'Accept: text/html'],
      [MASK, 'Accept: text/html'],
    ],
    ['Bearer abc', MASK],
    ['Basic dTpwYXNz', MASK],
    ['Basic subscription', 'Basic subscription'],
    ['Server=db;User=u;Password=abc', MASK],
    ['https://crm.example/?apikey=abc', MASK],
    ['https://crm.example/?page=2&sort=name', 'https://crm.example/?page=2&sort=name'],
    ['{"token": "abc"}', MASK],
    ['-----BEGIN PRIVATE KEY-----\nMIIE', MASK],
    ['eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.abc', MASK],
    ['https://u:abc@crm.example/', 'https://u@crm.example/'],
    ['Please call us: 12345', 'Please call us: 12345'],
  ])('is known by its text: %j', (value, shown) => {
    expect(maskSecrets({ colour: value }, undefined)).toEqual({ colour: shown })
  })
})

describe('a service of one’s own type', () => {
  /** In every value, under names that nobody knows as a secret's. */
  const CANARY = 'canaryOfOwnTypes'
  const PARAMS = { colour: CANARY, list: [{ shade: `${CANARY}2` }], size: 815_815, isOn: true, smtpPass: `${CANARY}3` }
  const SHOWN = { ...PARAMS, smtpPass: MASK }
  const FORM = { colour: MASK, list: [{ shade: MASK }], size: MASK, isOn: true, smtpPass: MASK }
  const CREATE = `mutation ($input: CreateServiceInput!, $key: String) {
    createService(input: $input, idempotencyKey: $key) { id params settings { __typename } } }`
  const UPDATE = `mutation ($id: ID!, $patch: UpdateServiceInput!) { updateService(id: $id, patch: $patch) { params } }`

  let app: TestServer
  let admin: MadeUser
  let receiver: Receiver
  beforeAll(async () => {
    receiver = await startReceiver()
    app = await startTestServer({ WEBHOOK_ALLOW_PRIVATE: 'true' }, { pace: 10 })
    admin = await app.makeUser({ organization: await app.makeContactCenter(), role: 'admin' })
  })
  afterAll(async () => {
    await app?.close()
    await receiver?.close()
  })

  const make = async (params: object, key?: string): Promise<{ id: string; params: object }> => {
    const made = await app.gql(admin, CREATE, { input: { type: 'crm', isOwnType: true, params }, key })
    expect(made.errors).toBeUndefined()
    return made.data.createService
  }
  const read = async (id: string): Promise<object> =>
    (await app.gql(admin, 'query ($id: ID!) { service(id: $id) { params } }', { id })).data.service.params
  const patch = (id: string, params: object) => app.gql(admin, UPDATE, { id, patch: { params } })

  it('shows administrators what no name tells as a secret, wherever they read it', async () => {
    const { id, params } = await make(PARAMS)
    expect(params).toEqual(PARAMS)
    expect(await read(id)).toEqual(SHOWN)
    expect((await app.rest(admin, 'GET', `/v2/services/${id}`)).body.params).toEqual(SHOWN)
    const lists = `query ($id: ID!) { services(filter: { id: { eq: $id } }) { edges { node { params } } }
      node(id: $id) { ... on Service { params } } }`
    const { data } = await app.gql(admin, lists, { id })
    expect([data.services.edges[0].node.params, data.node.params]).toEqual([SHOWN, SHOWN])
    // A client that reads, changes and sends back.
    const changed = await patch(id, { ...SHOWN, colour: 'red' })
    expect(changed.data.updateService.params).toEqual({ ...SHOWN, colour: 'red' })
    expect(await storedParams(app.server, id)).toEqual({ ...PARAMS, colour: 'red' })
  })

  it('takes masks of all that it holds, and shows no secret under another name', async () => {
    const pairs = { pairs: [{ name: 'Authorization', value: CANARY }], line: ['X-Api-Key', CANARY], colour: 'red' }
    const { id } = await make(pairs)
    const shown = { pairs: [{ name: 'Authorization', value: MASK }], line: ['X-Api-Key', MASK], colour: MASK }
    expect((await patch(id, shown)).errors).toBeUndefined()
    expect(await storedParams(app.server, id)).toEqual(pairs)
    for (const [change, field] of [
      [{ pairs: [{ name: 'Colour', value: MASK }] }, 'params.pairs.0.value'],
      [{ line: ['Colour', MASK] }, 'params.line.1'],
    ] as const) {
      const { errors } = await patch(id, { ...shown, ...change })
      expect(errors).toMatchObject([{ extensions: { code: 'BAD_USER_INPUT', field } }])
    }
    expect((await patch(id, { ...shown, other: MASK })).errors).toMatchObject([
      { extensions: { field: 'params.other' } },
    ])
  })

  it('is read by nobody below administrators', async () => {
    const { id } = await make(PARAMS)
    for (const role of ['bot', 'agent', 'viewer'] as const) {
      const user = await app.makeUser({ organization: admin.organization, role })
      const { errors } = await app.gql(user, 'query ($id: ID!) { service(id: $id) { params } }', { id })
      expect(errors).toMatchObject([{ extensions: { code: 'FORBIDDEN' } }])
    }
  })

  it('has no value in clear in any row, nor in what webhooks are sent', async () => {
    const hook = { type: 'webhook', params: { url: receiver.url, events: ['service.*'] } }
    const { data } = await app.gql(admin, CREATE, { input: hook })
    const status = 'query ($id: ID!) { service(id: $id) { status } }'
    await until(async () => (await app.gql(admin, status, data.createService)).data.service.status === 'ACTIVE')
    const { id } = await make(PARAMS, 'own-1')
    const repeated = await make(PARAMS, 'own-1')
    expect(repeated).toMatchObject({ id, params: SHOWN })
    expect((await patch(id, { ...PARAMS, colour: `${CANARY}4` })).errors).toBeUndefined()
    const delivered = await receiver.next(({ json }) => JSON.stringify(json).includes(id))
    expect(JSON.stringify(delivered.json)).not.toMatch(/canary|815815/)
    const tables = await app.server.database.query<{ name: string }>(
      `select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p')`,
    )
    for (const { name } of tables) {
      const found = await app.server.database.query(
        `select t::text as row from "${name}" t where t::text like '%${CANARY}%' or t::text like '%815815%'`,
      )
      expect([name, found]).toEqual([name, []])
    }
  })

  it('is answered as reads show it when its create is repeated, and not when another is sent with its key', async () => {
    const { id } = await make(PARAMS, 'own-2')
    expect(await make(PARAMS, 'own-2')).toMatchObject({ id, params: SHOWN })
    const headers = { 'idempotency-key': 'own-3' }
    const body = { type: 'crm', params: PARAMS }
    const first = await app.rest(admin, 'POST', '/v2/services', body, headers)
    const again = await app.rest(admin, 'POST', '/v2/services', body, headers)
    expect(again.body).toEqual({ ...first.body, params: SHOWN })
    const other = await app.gql(admin, CREATE, {
      input: { type: 'crm', isOwnType: true, params: { ...PARAMS, colour: 'red' } },
      key: 'own-2',
    })
    expect(other.errors).toMatchObject([{ extensions: { reason: 'IDEMPOTENCY_KEY_REUSED' } }])
    // Changed since: as it is now; deleted: what was kept, without values.
    await patch(id, { ...SHOWN, colour: 'red' })
    expect((await make(PARAMS, 'own-2')).params).toEqual({ ...SHOWN, colour: 'red' })
    await app.gql(admin, 'mutation ($id: ID!) { deleteService(id: $id) }', { id })
    expect(await make(PARAMS, 'own-2')).toMatchObject({ id, params: FORM })
  })

  it('has what an earlier version stored in clear masked at once, and sealed by its next write or by maintenance', async () => {
    const { database, sealer } = app.server
    const store = (id: string) =>
      database.query('update service set params = $2, sealed_params = null where id = $1', [id, PARAMS])
    const inRow = async (id: string) =>
      (await database.query<{ params: object }>('select params from service where id = $1', [id]))[0]!.params
    const hook = { type: 'webhook', params: { url: `${receiver.url}/old`, events: ['service.*'] } }
    const { data } = await app.gql(admin, CREATE, { input: hook })
    const status = 'query ($id: ID!) { service(id: $id) { status } }'
    await until(async () => (await app.gql(admin, status, data.createService)).data.service.status === 'ACTIVE')
    const [written, left] = [await make({ a: 'b' }), await make({ a: 'b' })]
    for (const { id } of [written, left]) {
      await store(id)
      expect(await read(id)).toEqual(SHOWN)
    }
    const renamed = await app.gql(admin, UPDATE, { id: written.id, patch: { name: 'renamed' } })
    expect(renamed.data.updateService.params).toEqual(SHOWN)
    expect(await inRow(written.id)).toEqual(FORM)
    await app.gql(admin, UPDATE, { id: left.id, patch: { name: 'left' } })
    await store(left.id)
    for (const name of ['renamed', 'left']) {
      const told = await receiver.next(({ json }) => JSON.stringify(json).includes(`"name":"${name}"`))
      expect(JSON.stringify(told.json)).not.toMatch(/canary|815815/)
    }
    const known = new Map(['web', 'webhook'].map((type) => [type, null]))
    const said: unknown[] = []
    const task = sealingOwnTypes(sealer, known, { info: (...each: unknown[]) => void said.push(each[0]) })
    await database.sqlTransaction((sql) => task.run(sql, new Date()))
    await database.sqlTransaction((sql) => task.run(sql, new Date()))
    expect(said).toEqual([{ count: 1 }])
    expect(await inRow(left.id)).toEqual(FORM)
    expect([await read(left.id), await storedParams(app.server, left.id)]).toEqual([SHOWN, PARAMS])
  })

  it('keeps what it held before it became of a type that the server knows from being shown', async () => {
    const { id } = await make({ title: 'Help', colour: CANARY })
    const { errors } = await app.gql(admin, UPDATE, { id, patch: { type: 'web' } })
    expect(errors).toBeUndefined()
    expect(await read(id)).toEqual({ title: 'Help', colour: MASK })
  })
})
