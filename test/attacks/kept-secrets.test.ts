import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { openParams } from '../../src/modules/services/stored-params.js'
import { csvCell } from '../../src/modules/reports/report-csv.js'
import { withoutToken } from '../../src/modules/webhooks/answers.js'
import type { MadeUser } from '../support/factories.js'
import { startTestServer, type TestServer } from '../support/test-server.js'

let server: TestServer
let admin: MadeUser
beforeAll(async () => {
  server = await startTestServer()
  admin = await server.makeUser({ organization: await server.makeContactCenter(), role: 'admin' })
})
afterAll(() => server.close())

const SECRET = 'what nobody reads again'
const NAMES = ['api-key', 'X-Api-Key', 'private-key', 'access-key', 'api key', 'Access.Key', 'apiKeys', 'Auth-Token']

describe('secrets of services', () => {
  const create = `mutation ($input: CreateServiceInput!, $key: String) {
    createService(input: $input, idempotencyKey: $key) { id params } }`

  it.each(NAMES)('are masked under %s', async (name) => {
    const params = { url: 'https://crm.example', [name]: SECRET, headers: { [name]: SECRET } }
    const made = await server.gql(admin, create, { input: { type: 'crm', isOwnType: true, params } })
    const { id } = made.data.createService
    const read = await server.gql(admin, 'query ($id: ID!) { service(id: $id) { params } }', { id })
    expect(read.data.service.params).toMatchObject({ [name]: '********', headers: { [name]: '********' } })
  })

  it('are masked and sealed when they are numbers, and stay what they are behind the mask', async () => {
    const params = { url: 'https://crm.example', auth: { password: 4711 }, tokens: [815, 'x'], retries: 3 }
    const made = await server.gql(admin, create, { input: { type: 'crm', isOwnType: true, params } })
    const { id } = made.data.createService
    const shown = { ...params, auth: { password: '********' }, tokens: ['********', '********'] }
    const read = async (): Promise<unknown> =>
      (await server.gql(admin, 'query ($id: ID!) { service(id: $id) { params } }', { id })).data.service.params
    expect(await read()).toEqual(shown)
    const update =
      'mutation ($id: ID!, $patch: UpdateServiceInput!) { updateService(id: $id, patch: $patch) { params } }'
    const { errors, data } = await server.gql(admin, update, { id, patch: { params: shown } })
    expect([errors, data?.updateService?.params]).toEqual([undefined, shown])
    expect(await read()).toEqual(shown)
    const [row] = await server.server.database.query<{ params: object; sealed: string }>(
      'select params, sealed_params as sealed from service where id = $1',
      [id],
    )
    // Nothing says what else is a secret.
    expect(row!.params).toEqual({ ...shown, url: '********', retries: '********' })
    const { sealer } = server.server
    expect(openParams(sealer, { id, params: {}, sealedParams: row!.sealed })).toEqual(params)
  })

  it('can not be guessed by the hash by which an idempotency key knows its input', async () => {
    const ask = (smtpPassword: string, name: string) => {
      const params = { url: 'https://crm.example', smtpPassword }
      return server.gql(admin, create, { input: { type: 'crm', isOwnType: true, name, params }, key: 'weak' })
    }
    const made = await ask('Winter26', 'one')
    const other = { code: 'UNPROCESSABLE', reason: 'IDEMPOTENCY_KEY_REUSED' }
    expect((await ask('Summer26', 'one')).errors).toMatchObject([{ extensions: other }])
    expect((await ask('Winter26', 'two')).errors).toMatchObject([{ extensions: other }])
    expect((await ask('Winter26', 'one')).data.createService.id).toBe(made.data.createService.id)
    // By the key of the installation, and of each input another one.
    const [kept] = await server.server.database.query<{ hash: string }>(
      "select request_hash as hash from idempotency_key where key = 'weak'",
    )
    expect(kept!.hash).toMatch(new RegExp(String.raw`^v1\.${server.server.sealer.keyId}\.[\w-]{43}$`))
  })

  it('are not kept with the answer to an idempotency key', async () => {
    const variables = {
      input: { type: 'crm', isOwnType: true, params: { token: SECRET, url: `https://u:${SECRET}@crm.example/` } },
      key: 'k1',
    }
    const first = await server.gql(admin, create, variables)
    expect(first.errors).toBeUndefined()
    const repeated = await server.gql(admin, create, variables)
    expect(repeated.data.createService.id).toBe(first.data.createService.id)
    expect(repeated.data.createService.params.token).toBe('********')
    const rows = await server.server.database.query<{ all: string }>('select k::text as all from idempotency_key k')
    expect(rows.length).toBeGreaterThan(0)
    expect(rows.map((row) => row.all).join()).not.toContain(SECRET)
  })
})

describe("a receiver's token in the log of deliveries", () => {
  it.each([
    ['{"token":"abc","messages":[]}', '{"token":"********","messages":[]}'],
    [String.raw`{"\u0074oken" : "abc"}`, String.raw`{"\u0074oken" : "********"}`],
    [String.raw`{"to\u006Ben":"a\"bc"}`, String.raw`{"to\u006Ben":"********"}`],
    ['{"a": "x", "Token": "abc', '{"a": "x", "Token": "********"'],
    [String.raw`{"token": "abc\ `.trimEnd(), '{"token": "********"'],
    ['{"a": "token", "b": "abc"}', '{"a": "token", "b": "abc"}'],
  ])('is masked: %s', (body, masked) => {
    expect(withoutToken(body)).toBe(masked)
  })
})

describe('a cell of a report', () => {
  it.each([
    ['=1+1', "'=1+1"],
    ['x;=1+1', `"x;'=1+1"`],
    ['x,@a', `"x,'@a"`],
    ['x\t+1', `"x\t'+1"`],
    ['x\n-1', `"x\n'-1"`],
    ['x; "=1+1"', `"x; ""'=1+1"""`],
    // Behind whatever is chosen to separate cells.
    ['x =1+1', "x '=1+1"],
    ['x:=1', "x:'=1"],
    ['x^=1', "x^'=1"],
    ['x~ @a', "x~ '@a"],
    ['x\f=1', `"x\f'=1"`],
    ['x\v=1', `"x\v'=1"`],
    ['x\u0085=1', `"x\u0085'=1"`],
    ['x\u2028=1', `"x\u2028'=1"`],
    ['x；=1', "x；'=1"],
    // With characters between that are not seen.
    ['\u200b=1+1', "\u200b'=1+1"],
    ['\ufeff=1+1', "\ufeff'=1+1"],
    ['x;\u200b=1', `"x;\u200b'=1"`],
    ['x;\u00ad \u200b-1', `"x;\u00ad \u200b'-1"`],
    ['x; - cmd', `"x; '- cmd"`],
    ['Sales - North', 'Sales - North'],
    ['14:00 UTC+01:00', '14:00 UTC+01:00'],
    ['＝1+1', "'＝1+1"],
    ['x;＋1', `"x;'＋1"`],
    ['－1', "'－1"],
    ['＠a', "'＠a"],
    ['\t=1', `"'\t'=1"`],
    ['Jean-Luc + 1', 'Jean-Luc + 1'],
    ['a@b.example', 'a@b.example'],
    [-1, '-1'],
    ['Sales - Europe', 'Sales - Europe'],
  ])('is no formula wherever cells end: %j', (value, cell) => {
    expect(csvCell(value)).toBe(cell)
  })
})

describe('the webhooks of an organization', () => {
  it('are a hundred at most, and other services are not counted', async () => {
    const params = { url: 'https://receiver.example/hook' }
    const input = { type: 'webhook', status: 'inactive', params }
    const create = 'mutation ($input: CreateServiceInput!) { createService(input: $input) { id } }'
    for (let made = 0; made < 100; made += 1) {
      expect((await server.gql(admin, create, { input })).errors).toBeUndefined()
    }
    const refused = await server.gql(admin, create, { input })
    expect(refused.errors![0]).toMatchObject({
      message: 'an organization may have 100 services of types webhook and events',
    })
    expect(
      (await server.gql(admin, create, { input: { type: 'crm', isOwnType: true, params: {} } })).errors,
    ).toBeUndefined()
    const other = await server.makeUser({ organization: await server.makeContactCenter(), role: 'admin' })
    expect((await server.gql(other, create, { input })).errors).toBeUndefined()
  })
})

describe('the pages and the metrics', () => {
  it('the console has a window of its own, and / allows no base', async () => {
    const console = await fetch(`${server.url}/console`)
    expect(console.headers.get('cross-origin-opener-policy')).toBe('same-origin')
    const home = await fetch(`${server.url}/`, { headers: { accept: 'text/html' } })
    expect(home.headers.get('content-security-policy')).toContain("base-uri 'none'")
  })

  it('metrics need the token where the server has a public name, also from this machine', async () => {
    const published = await startTestServer({ PUBLIC_URL: 'https://chat.example' }, { beside: server })
    expect((await fetch(`${published.url}/metrics`)).status).toBe(403)
    await published.server.close()
    expect((await fetch(`${server.url}/metrics`)).status).toBe(200)
    expect((await fetch(`${server.url}/metrics`, { headers: { 'x-forwarded-host': 'x' } })).status).toBe(403)
  })
})
