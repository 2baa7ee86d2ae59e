import dns from 'node:dns'
import { syncBuiltinESMExports } from 'node:module'
import { createServer, type AddressInfo, type LookupFunction, type Server } from 'node:net'
import { callbackify } from 'node:util'
import { afterAll, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals'
import { activateWebhook } from '../../src/modules/webhooks/webhook-listeners.js'
import { OutboundHttp } from '../../src/platform/outbound/outbound-http.js'
import { connectPublic } from '../../src/platform/outbound/public-addresses.js'
import { startIdentityProvider } from '../sso/identity-provider.js'
import { startPushService } from '../push/push-service.js'
import type { MadeOrganization, MadeUser } from '../support/factories.js'
import { startNameServer, type NameServer } from '../support/name-server.js'
import { startTestServer, type TestServer } from '../support/test-server.js'
import { until } from '../support/until.js'

/** Public, and nobody's: nothing is sent there. */
const PUBLIC = '2fff::1'
const LOOPBACK = '127.0.0.1'
const MAPPED = '::ffff:127.0.0.1'
/** A domain of the attacker, who has a name server for it. */
const DOMAIN = '.rebinding.example'

/** As a name may answer. Each connection may ask once: who asks to check, and again to connect, is led inside. */
const ANSWERS: readonly (readonly [how: string, answers: readonly (readonly string[])[]])[] = [
  ['is public first and the server itself from then on', [[PUBLIC], [LOOPBACK]]],
  ['is public and the server itself at once', [[PUBLIC, LOOPBACK]]],
  ['is the server itself and public at once', [[LOOPBACK, PUBLIC]]],
  ['is the server itself in IPv6', [[MAPPED]]],
]

let names: NameServer
/** A service inside: whoever connects was sent there by the server. */
let inner: Server
let port: number
let connections = 0
let hosts = 0

beforeAll(async () => {
  names = await startNameServer()
  inner = createServer((socket) => {
    connections += 1
    socket.end('HTTP/1.1 200 OK\r\ncontent-length: 6\r\n\r\nsecret')
  })
  // All addresses of this machine, of both families.
  await new Promise<void>((resolve) => inner.listen(0, '::', resolve))
  port = (inner.address() as AddressInfo).port
  goBy(names)
})
afterAll(async () => {
  jest.restoreAllMocks()
  syncBuiltinESMExports()
  inner.close()
  await names.close()
})
beforeEach(() => {
  connections = 0
})

/** Has the names of the attacker looked up at this name server, as the system would, and others as before. */
function goBy({ address }: NameServer): void {
  const resolver = new dns.promises.Resolver()
  resolver.setServers([address])
  const system = dns.lookup as LookupFunction
  const find = async (name: string): Promise<dns.LookupAddress[]> => {
    const asked = [resolver.resolve4(name), resolver.resolve6(name)]
    const [four, six] = await Promise.all(asked.map((each) => each.catch((): string[] => [])))
    return [...four!.map((address) => ({ address, family: 4 })), ...six!.map((address) => ({ address, family: 6 }))]
  }
  const lookup: LookupFunction = (name, options, callback) => {
    if (!name.endsWith(DOMAIN)) return system(name, options, callback)
    callbackify(find)(name, (_error, found) => {
      const [first] = found
      if (!first) callback(Object.assign(new Error(`getaddrinfo ENOTFOUND ${name}`), { code: 'ENOTFOUND' }), '')
      else if (options.all) callback(null, found)
      else callback(null, first.address, first.family)
    })
  }
  jest.spyOn(dns, 'lookup').mockImplementation(lookup as typeof dns.lookup)
  syncBuiltinESMExports()
}

/** A name of the attacker with these answers, which nobody has asked for. */
function nameOf(answers: readonly (readonly string[])[]): string {
  const name = `host${++hosts}${DOMAIN}`
  names.addresses.set(name, answers)
  return name
}

const timesAsked = (name: string): number => names.asked.filter((each) => each === name).length

describe('a name whose addresses change', () => {
  let guarded: OutboundHttp
  beforeAll(() => {
    guarded = new OutboundHttp({ allowPrivate: false, userAgent: 'tests', keepAlive: true })
  })
  afterAll(() => guarded.close())

  it.each(ANSWERS)('leads no request to the server: one that %s', async (_how, answers) => {
    const name = nameOf(answers)
    for (let times = 0; times < 3; times += 1) {
      const request = { method: 'GET' as const, url: `http://${name}:${port}/`, timeoutMs: 1_000, bytesMax: 1_000 }
      const said = await guarded.request(request).then(
        ({ body }) => body,
        (error: Error) => error.message,
      )
      expect(said).not.toContain('secret')
    }
    expect(timesAsked(name)).toBeGreaterThan(0)
    expect(connections).toBe(0)
  })

  it.each(ANSWERS)('leads no mail to the server: one that %s', async (_how, answers) => {
    const name = nameOf(answers)
    for (let times = 0; times < 2; times += 1) {
      const socket = connectPublic({ host: name, port })
      socket.setTimeout(1_000, () => socket.destroy(new Error('no connection in time')))
      await new Promise((resolve) => socket.once('error', resolve))
    }
    expect(timesAsked(name)).toBeGreaterThan(0)
    expect(connections).toBe(0)
  })
})

const REFUSED = /private or reserved: not allowed/
const CREATE = 'mutation ($input: CreateServiceInput!) { createService(input: $input) { id } }'
const TRY = 'mutation ($id: ID!) { testService(service: $id) { ok message } }'
const mailboxAt = (host: string) => ({ address: `help@${host}`, user: 'a', host })

/** Services that lead the server to an address of their administrator's choice. */
const SERVICES: readonly (readonly [what: string, type: string, paramsOf: (host: string) => object])[] = [
  ['a webhook', 'webhook', (host) => ({ url: `http://${host}:${port}/hook` })],
  [
    'a mail server',
    'email',
    (host) => ({
      address: `a@${host}`,
      smtpUrl: `smtp://${host}:${port}`,
      smtpUser: 'a',
      smtpPassword: 'its-password',
    }),
  ],
  ['a mailbox', 'mailbox', (host) => ({ ...mailboxAt(host), password: 'its-password', port, security: 'starttls' })],
  ['a mailbox by TLS', 'mailbox', (host) => ({ ...mailboxAt(host), password: 'its-password', port })],
  [
    'text messages',
    'sms',
    (host) => ({
      accountSid: `AC${'0'.repeat(32)}`,
      authToken: 'its-token',
      from: '+3197010253102',
      apiUrl: `http://${host}:${port}`,
    }),
  ],
]

describe('a name that is public when it is checked, and private when it is used,', () => {
  let app: TestServer
  let center: MadeOrganization
  let admin: MadeUser
  beforeAll(async () => {
    app = await startTestServer({}, { pace: 10 })
    center = await app.makeContactCenter()
    admin = await app.makeUser({ organization: center, role: 'admin' })
  })
  afterAll(() => app.close())

  const changing = (): string => nameOf([[PUBLIC], [LOOPBACK]])

  async function makeService(type: string, params: object, server = app): Promise<string> {
    const { data, errors } = await server.gql(admin, CREATE, { input: { type, params } })
    expect(errors).toBeUndefined()
    return data.createService.id
  }
  async function tryOut(service: string): Promise<string> {
    const { data, errors } = await app.gql(admin, TRY, { id: service })
    expect(errors).toBeUndefined()
    expect(data.testService.ok).toBe(false)
    return data.testService.message
  }
  /** Tries the service out until the name has changed, and the server says that. */
  async function expectRefused(service: string, name: string): Promise<void> {
    await tryOut(service)
    // Some are not asked again at once.
    app.clock.advance(90_000)
    await until(async () => REFUSED.test(await tryOut(service)))
    expect(timesAsked(name)).toBeGreaterThan(1)
    expect(connections).toBe(0)
  }

  it.each(SERVICES)('is not connected to as %s', async (_what, type, paramsOf) => {
    const name = changing()
    await expectRefused(await makeService(type, paramsOf(name)), name)
  })

  it('is not connected to by a webhook that was active before', async () => {
    const name = changing()
    const id = await makeService('webhook', { url: `http://${name}:${port}/hook`, events: ['message.create.*.chat'] })
    // As if it had answered its handshake while it was public.
    const { database } = app.server
    expect(await activateWebhook(database, id)).toBe(true)
    await database.query(`update webhook set status = 'active', check_at = null where service_id = $1`, [id])
    await database.query(`update service set status = 'active' where id = $1`, [id])
    const said = await app.rest(admin, 'POST', '/v2/conversations', {
      type: 'contact',
      touchpoint: 'web',
      contact: { profile: { name: 'Eve', email: 'eve@example.com' } },
      messages: [{ role: 'contact', text: 'hello' }],
    })
    expect(said.status).toBe(201)
    const errors = async (): Promise<string[]> => {
      const rows = await database.query<{ error: string }>(
        'select a.error from webhook_attempt a join webhook_delivery d on d.id = a.delivery_id where d.service_id = $1',
        [id],
      )
      return rows.map(({ error }) => error)
    }
    await until(async () => (await errors()).length > 0)
    app.clock.advance(60_000)
    await until(async () => (await errors()).some((error) => REFUSED.test(error)))
    expect(connections).toBe(0)
  })

  it('is not asked for the tokens of a mailbox', async () => {
    const name = changing()
    const token = {
      tokenUrl: `https://${name}:${port}/token`,
      clientId: 'an-application',
      clientSecret: 'its-secret',
      refreshToken: 'its-token',
    }
    const service = await makeService('mailbox', { ...mailboxAt('mail.example'), ...token })
    await expectRefused(service, name)
  })

  it('is not asked as a provider of sign-ins, be it new or known', async () => {
    const name = changing()
    const issuer = `https://${name}:${port}`
    const input = { type: 'oidc', params: { issuer } }
    await until(async () => {
      const { errors } = await app.gql(admin, CREATE, { input })
      expect(errors![0]!.extensions.field).toBe('params.issuer')
      return REFUSED.test(errors![0]!.message)
    })
    expect(timesAsked(name)).toBeGreaterThan(1)

    // As if it had been found while it was public.
    const provider = await startIdentityProvider()
    const open = await startTestServer({ WEBHOOK_ALLOW_PRIVATE: 'true' }, { beside: app })
    const service = await makeService('oidc', { issuer: provider.issuer, clientId: 'a' }, open)
    await open.close()
    await provider.close()
    const known = changing()
    await app.server.database.query(
      `update service set params = jsonb_set(params, '{issuer}', to_jsonb($2::text)) where id = $1`,
      [service, `https://${known}:${port}`],
    )
    await expectRefused(service, known)
    const before = timesAsked(known)
    const start = await fetch(`${app.url}/sso/${service}/start`, { headers: { accept: 'application/json' } })
    expect(start.status).toBe(503)
    expect(timesAsked(known)).toBeGreaterThan(before)
    expect(connections).toBe(0)
  })

  it('is not notified as a push service, and is one no more', async () => {
    const name = changing()
    const service = await startPushService()
    const browser = service.subscribe()
    await service.close()
    const agent = await app.makeUser({ organization: center, role: 'agent' })
    const bot = await app.makeUser({ organization: center, role: 'bot' })
    const run = async (as: MadeUser, text: string, variables: Record<string, unknown>) => {
      const { data, errors } = await app.gql(as, text, variables)
      expect(errors).toBeUndefined()
      return data
    }
    await run(agent, 'mutation ($input: PushSubscriptionInput!) { subscribeToPush(input: $input) { id } }', {
      input: { ...browser.input, endpoint: `https://${name}:${port}/push` },
    })
    await run(agent, 'mutation { updateMySettings(patch: { pushNotify: true }) { id } }', {})
    const input = {
      organization: center.id,
      type: 'CONTACT',
      touchpoint: 'WEB',
      contact: { profile: { name: 'Lena', email: 'lena@example.com' } },
      messages: [{ role: 'CONTACT', text: 'hello' }],
    }
    const made = await run(
      bot,
      'mutation ($input: CreateConversationInput!) { createConversation(input: $input) { id } }',
      {
        input,
      },
    )
    const { id } = made.createConversation
    await run(agent, 'mutation ($id: ID!) { acceptConversation(conversation: $id) { id } }', { id })
    await run(bot, 'mutation ($c: ID!, $m: MessageInput!) { sendMessage(conversation: $c, message: $m) { id } }', {
      c: id,
      m: { role: 'CONTACT', text: 'are you there?' },
    })
    const waiting = `select 1 from job where kind = 'push.send' and attempts > 0 and leased_until is null`
    await until(async () => (await app.server.database.query(waiting)).length > 0)
    app.clock.advance(60_000)
    await until(async () => (await run(agent, '{ pushSubscriptions { id } }', {})).pushSubscriptions.length === 0)
    expect(timesAsked(name)).toBeGreaterThan(1)
    expect(connections).toBe(0)
  })
})
