import { afterAll, beforeAll, beforeEach, expect, it } from '@jest/globals'
import { SmtpGrants } from '../../../src/modules/touchpoints/email/smtp-grants.js'
import { SEALED } from '../../../src/platform/sealing/sealed-places.js'
import { OutboundHttp } from '../../../src/platform/outbound/outbound-http.js'
import { until } from '../../support/until.js'
import { startProvider, type Provider, type ProviderReply } from '../provider.js'
import { startProviderFixture, type ProviderFixture } from '../provider-fixture.js'
import { startTokenMailServer, type TokenMailServer } from './token-mail-server.js'

const CLIENT = { smtpClientId: 'app-1', smtpClientSecret: 'very-secret-of-app' }

let fixture: ProviderFixture
let mail: TokenMailServer
let issuer: Provider
let asked: URLSearchParams[]
/** Refresh tokens that the issuer still takes; it replaces each at its use. */
let alive: Set<string>
let answerWith: (form: URLSearchParams) => ProviderReply
let made = 0

beforeAll(async () => {
  fixture = await startProviderFixture({ MAIL_SENDERS: 'any' })
  mail = await startTokenMailServer()
  issuer = await startProvider(({ body }) => {
    const form = new URLSearchParams(body.toString())
    asked.push(form)
    return answerWith(form)
  })
})
afterAll(async () => {
  await fixture.app.close()
  await Promise.all([mail.close(), issuer.close()])
})
beforeEach(() => {
  asked = []
  alive = new Set()
  answerWith = issue
})

function issue(form: URLSearchParams, seconds = 3_600): ProviderReply {
  const given = form.get('refresh_token')
  if (given !== null && !alive.delete(given)) {
    const error = { error: 'invalid_grant', error_description: `token ${given} was used before` }
    return { status: 400, body: JSON.stringify(error) }
  }
  const token = `access-${++made}`
  mail.valid.add(token)
  const refresh = given === null ? undefined : `refresh-${made}`
  if (refresh) alive.add(refresh)
  const answer = { access_token: token, expires_in: seconds, token_type: 'Bearer', refresh_token: refresh }
  return { status: 200, body: JSON.stringify(answer) }
}

let services = 0
const paramsOf = (more: object = {}): Record<string, unknown> => ({
  address: `support-${++services}@boats.example`,
  smtpUrl: mail.url,
  smtpUser: 'support@boats.example',
  smtpTokenUrl: issuer.url,
  ...CLIENT,
  ...more,
})

/** A service, and a consumer of it who is written to. */
async function begun(more: object = {}): Promise<{ service: string; write: (text: string) => Promise<string> }> {
  const service = await fixture.makeService('email', paramsOf(more))
  const { data, errors } = await fixture.app.gql(
    fixture.agent,
    'mutation ($input: CreateConversationInput!) { createConversation(input: $input) { id } }',
    {
      input: {
        type: 'CONTACT',
        touchpoint: 'EMAIL',
        contact: { profile: { name: 'Carl', email: `carl-${services}@example.com` } },
      },
    },
  )
  expect(errors).toBeUndefined()
  const { id } = data.createConversation
  return { service, write: (text) => fixture.answer(id, { text, service }) }
}

it("signs in with the application's own token, and uses it as long as it holds", async () => {
  const { write } = await begun({ smtpScope: 'https://outlook.example/.default' })
  await fixture.becomes(await write('one'), 'sent')
  await fixture.becomes(await write('two'), 'sent')
  expect(asked.map((form) => Object.fromEntries(form))).toEqual([
    {
      grant_type: 'client_credentials',
      client_id: 'app-1',
      client_secret: 'very-secret-of-app',
      scope: 'https://outlook.example/.default',
    },
  ])
  expect(mail.signIns.at(-1)).toEqual({ user: 'support@boats.example', token: `access-${made}` })
})

it('asks for another token if the mail server refuses the one it has', async () => {
  const { service: first, write } = await begun()
  await fixture.becomes(await write('before'), 'sent')
  const { service, write: again } = await begun()
  await fixture.app.server.database.query(
    `insert into service_grant (service_id, settings, access_token, expires_at)
     select $1, settings, $3, expires_at from service_grant where service_id = $2`,
    [service, first, fixture.app.server.sealer.seal(SEALED.accessToken, service, 'revoked')],
  )
  const { attempts } = await fixture.becomes(await again('after'), 'sent')
  expect(attempts).toBe(2)
  expect(mail.signIns.filter(({ token }) => token === 'revoked').length).toBeGreaterThan(0)
})

it('keeps the refresh token that replaces the one before, with one request however many nodes ask', async () => {
  const params = paramsOf({ smtpRefreshToken: 'first' })
  alive.add('first')
  const id = await fixture.makeService('email', params)
  const http = new OutboundHttp({ allowPrivate: true, userAgent: 'test', keepAlive: false })
  const { database: sql, sealer } = fixture.app.server
  const nodes = Array.from({ length: 6 }, () => new SmtpGrants({ sql, sealer, clock: fixture.app.clock, http }))
  const tokens = new Set<string>()
  for (let round = 1; round <= 5; round += 1) {
    // Too short to be kept.
    answerWith = (form) => issue(form, 30)
    const asking = nodes.flatMap((node) => [1, 2].map(() => node.tokenFor({ id, params: params as never })))
    for (const each of await Promise.allSettled(asking)) {
      if (each.status === 'fulfilled') tokens.add(each.value!)
      else expect(each.reason).toMatchObject({ message: 'another node renews the token of the mail server' })
    }
    expect(asked.every((form) => form.get('grant_type') === 'refresh_token')).toBe(true)
  }
  const [stored] = await sql.query<Record<string, string>>(
    'select access_token, refresh_token from service_grant where service_id = $1',
    [id],
  )
  for (const token of Object.values(stored!)) expect(token).toMatch(/^v1\./)
  expect(tokens.size).toBe(asked.length)
  expect(alive.size).toBe(1)
  http.close()
})

it('asks again once the lease of a node that died while it asked is over, and no earlier', async () => {
  const params = paramsOf()
  const id = await fixture.makeService('email', params)
  const { database: sql, sealer } = fixture.app.server
  const { clock } = fixture.app
  const http = new OutboundHttp({ allowPrivate: true, userAgent: 'test', keepAlive: false })
  // It has asked, and nothing is heard of it any more.
  const unheard = { request: () => new Promise<never>(() => undefined) } as unknown as OutboundHttp
  const died = new SmtpGrants({ sql, sealer, clock, http: unheard })
  void died.tokenFor({ id, params: params as never })
  const leases = () =>
    sql.query('select 1 from service_grant where service_id = $1 and leased_until > $2', [id, clock.now()])
  await until(leases, ({ length }) => length === 1)
  const other = new SmtpGrants({ sql, sealer, clock, http })
  const ask = () => other.tokenFor({ id, params: params as never })
  clock.advance(30_000)
  await expect(ask()).rejects.toThrow('another node renews the token of the mail server')
  expect(asked).toHaveLength(0)
  clock.advance(11_000)
  expect(await ask()).toMatch(/^access-/)
  expect(asked).toHaveLength(1)
  http.close()
})

it('says why there is no token, without secrets, asks again a minute later at the earliest, and at once with new settings', async () => {
  const params = paramsOf({ smtpRefreshToken: 'stolen-refresh-token' })
  const id = await fixture.makeService('email', params)
  const http = new OutboundHttp({ allowPrivate: true, userAgent: 'test', keepAlive: false })
  const { database: sql, sealer } = fixture.app.server
  const node = new SmtpGrants({ sql, sealer, clock: fixture.app.clock, http })
  for (let time = 0; time < 3; time += 1) {
    await expect(node.tokenFor({ id, params: params as never })).rejects.toMatchObject({
      message: 'there is no token for the mail server: invalid_grant token ******** was used before',
      retryAfterMs: expect.any(Number),
    })
  }
  expect(asked).toHaveLength(1)
  alive.add('renewed')
  const renewed = { ...params, smtpRefreshToken: 'renewed' }
  expect(await node.tokenFor({ id, params: renewed as never })).toBe(`access-${made}`)
  expect(asked).toHaveLength(2)
  for (const reply of [
    { status: 200, body: '{"access_token":"two words"}' },
    { status: 200, body: 'no json' },
    { status: 302, headers: { location: 'http://127.0.0.1:1/' } },
  ]) {
    answerWith = () => reply
    const other = { ...params, smtpScope: String(asked.length) }
    await expect(node.tokenFor({ id, params: other as never })).rejects.toThrow(/no token for the mail server/)
  }
  http.close()
})

it.each([
  [{ smtpTokenUrl: undefined }, 'smtpClientId'],
  [{ smtpPassword: 'x' }, 'smtpPassword'],
  [{ smtpUrl: undefined }, 'smtpUrl'],
  [{ smtpUser: undefined }, 'smtpUser'],
  [{ smtpClientId: undefined }, 'smtpClientId'],
  [{ smtpClientSecret: undefined }, 'smtpClientSecret'],
  [{ smtpClientSecret: 'a\nb' }, 'smtpClientSecret'],
  [{ smtpTokenUrl: 'ftp://x.example' }, 'smtpTokenUrl'],
  [{ smtpTokenUrl: 'https://me:pw@x.example/token' }, 'smtpTokenUrl'],
])('refuses %j, naming params.%s', async (more, key) => {
  const { errors } = await fixture.app.gql(
    fixture.admin,
    'mutation ($input: CreateServiceInput!) { createService(input: $input) { id } }',
    { input: { type: 'email', params: JSON.parse(JSON.stringify(paramsOf(more))) } },
  )
  expect(errors?.[0]?.extensions).toMatchObject({ code: 'BAD_USER_INPUT', field: `params.${key}` })
})

it('says when the grant of its account ends, a week before that with what helps, until it is replaced', async () => {
  const day = 86_400
  let grantSeconds: number | undefined = 60 * day
  answerWith = (form) => {
    const { status, body } = issue(form, 60)
    return { status, body: JSON.stringify({ ...JSON.parse(body as string), refresh_token_expires_in: grantSeconds }) }
  }
  alive.add('given')
  const { service, write } = await begun({ smtpRefreshToken: 'given' })
  const health = async () => {
    const query = 'query ($id: ID!) { service(id: $id) { health { state code fix tokenEndsAt } } }'
    return (await fixture.app.gql(fixture.admin, query, { id: service })).data.service.health
  }
  const inDays = ({ tokenEndsAt }: { tokenEndsAt: string | null }): number | null =>
    tokenEndsAt === null
      ? null
      : Math.round((new Date(tokenEndsAt).getTime() - fixture.app.clock.now().getTime()) / 1_000 / day)
  expect((await health()).tokenEndsAt).toBeNull()
  await fixture.becomes(await write('one'), 'sent')
  expect(await health()).toMatchObject({ state: 'UNCHECKED', fix: null, tokenEndsAt: expect.any(String) })
  expect(inDays(await health())).toBe(60)
  // The token of a minute is renewed for each mail; the next answer names another end.
  grantSeconds = 6 * day
  await fixture.becomes(await write('two'), 'sent')
  expect(await health()).toMatchObject({ state: 'DOUBTFUL', code: null, fix: expect.stringContaining('new token') })
  expect(inDays(await health())).toBe(6)
  // Whoever saves the service may have given it another one.
  alive.add('another')
  const update = 'mutation ($id: ID!, $patch: UpdateServiceInput!) { updateService(id: $id, patch: $patch) { id } }'
  const params = { ...paramsOf({ smtpRefreshToken: 'another' }) }
  const { errors } = await fixture.app.gql(fixture.admin, update, { id: service, patch: { params } })
  expect(errors).toBeUndefined()
  expect(await health()).toMatchObject({ state: 'UNCHECKED', tokenEndsAt: null })
  grantSeconds = undefined
  await fixture.becomes(await write('three'), 'sent')
  expect((await health()).tokenEndsAt).toBeNull()
})
