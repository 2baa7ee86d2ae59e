import { createHmac } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import type { InboundRoute } from '../../src/modules/touchpoints/inbound-routes.js'
import { sampleOf } from '../support/metrics.js'
import type { MadeUser } from '../support/factories.js'
import { RawSockets } from '../support/raw-sockets.js'
import { startTestServer, type GraphqlAnswer, type TestServer } from '../support/test-server.js'
import { until } from '../support/until.js'

let app: TestServer

beforeAll(async () => {
  app = await startTestServer({ GRAPHQL_COST_PER_MINUTE: '1000000000' })
})
afterAll(() => app.close())

const makeAdmin = async (): Promise<MadeUser> =>
  app.makeUser({ organization: await app.makeOrganization(), role: 'admin' })

async function makeWorkflow(admin: MadeUser): Promise<string> {
  const { data, errors } = await app.gql(admin, 'mutation { createWorkflow(input: { name: "W" }) { id } }')
  expect(errors).toBeUndefined()
  return data.createWorkflow.id
}

const RULES = Array.from({ length: 20 }, (_, index) => ({
  conditions: { any: [{ fact: 'message', path: '.text', operator: 'match', value: `(a|aa|a?a){20}${index}$` }] },
  event: { type: 'notify', params: {} },
}))

/** Tries rules with 20 expressions out on a text of 60 KB. */
async function trial(admin: MadeUser): Promise<() => Promise<GraphqlAnswer<unknown>>> {
  const workflow = await makeWorkflow(admin)
  const variables = { workflow, rules: RULES, facts: { message: { text: 'a'.repeat(60_000) } } }
  return () =>
    app.gql(
      admin,
      `query ($workflow: ID!, $facts: JSONObject!, $rules: [WorkflowRuleInput!]) {
        explainWorkflow(workflow: $workflow, facts: $facts, rules: $rules) { outcome } }`,
      variables,
    )
}

async function replay(admin: MadeUser): Promise<() => Promise<GraphqlAnswer<unknown>>> {
  const workflow = await makeWorkflow(admin)
  const since = new Date(app.clock.now().getTime() - 86_400_000).toISOString()
  return () =>
    app.gql(
      admin,
      `query ($workflow: ID!, $rules: [WorkflowRuleInput!]!, $since: DateTime!) {
        replayRules(workflow: $workflow, rules: $rules, since: $since) { replayed } }`,
      { workflow, rules: RULES, since },
    )
}

async function longReport(admin: MadeUser): Promise<() => Promise<GraphqlAnswer<unknown>>> {
  return () =>
    app.gql(
      admin,
      `{ report(metrics: [CREATED, QUEUED, ACCEPTED], by: [DAY], from: "2025-10-01T00:00:00Z", to: "2026-10-21T00:00:00Z") {
        lines { start } } }`,
    )
}

describe('dear work of one account leaves others theirs', () => {
  it.each([
    ['trials of rules', 'trials', 13, trial],
    ['replays', 'trials', 40, replay],
    ['reports over 385 days', 'reports', 20, longReport],
  ])(
    "%s: another account's is answered before the last of many, and its small requests before that",
    async (_, share, times, make) => {
      const [one, other] = [await makeAdmin(), await makeAdmin()]
      const [ofOne, ofOther] = [await make(one), await make(other)]
      const ended: string[] = []
      const note = async (name: string, answer: Promise<GraphqlAnswer<unknown>>): Promise<void> => {
        expect((await answer).errors).toBeUndefined()
        ended.push(name)
      }
      const many = Array.from({ length: times }, () => note('one', ofOne()))
      // They have begun: the other comes when all of them wait.
      while (ended.length === 0 && (await waitingOf(share)) < 8);
      const others = [note('other', ofOther()), note('small', app.gql(other, '{ me { id } }'))]
      await Promise.all([...many, ...others])
      expect(ended.at(-1)).toBe('one')
      expect(ended.indexOf('small')).toBeLessThan(ended.lastIndexOf('one'))
    },
  )
})

const waitingOf = (share: string): Promise<number> => sampleOf(app.url, `${share}_waiting`)

describe('a call of a provider with a wrong signature', () => {
  const PARAMS = {
    sms: { accountSid: 'AC0123456789abcdef0123456789abcdef', authToken: 'a-token-of-the-test', from: '+4930123456' },
    messenger: {
      pageId: '1',
      pageAccessToken: 'a-page-token',
      appSecret: 'an-app-secret',
      verifyToken: 'a-verify-token',
    },
    email: { address: 'support@boats.example', inboundSecret: 'an inbound secret of the test' },
  }
  const HEADERS = {
    sms: { 'content-type': 'application/x-www-form-urlencoded', 'x-twilio-signature': 'bm90IHJpZ2h0' },
    messenger: { 'content-type': 'application/json', 'x-hub-signature-256': `sha256=${'0'.repeat(64)}` },
    email: { 'content-type': 'message/rfc822', 'x-inbound-secret': 'another secret of the test' },
  }
  /** Bodies that no parser takes: a refusal that names one was made after the body was read. */
  const BODIES = { sms: 'a=1&'.repeat(15_000), messenger: '{"object": [}', email: '' }

  it.each([
    ['sms', ''],
    ['sms', '/status'],
    ['messenger', ''],
    ['email', ''],
  ] as const)('is refused before its body is parsed: %s%s', async (type, path) => {
    const admin = await makeAdmin()
    const made = await app.gql(
      admin,
      'mutation ($input: CreateServiceInput!) { createService(input: $input) { id } }',
      {
        input: {
          type,
          name: 'S',
          params: { ...PARAMS[type], ...(type === 'email' && { address: `s${path.length}@b.example` }) },
        },
      },
    )
    expect(made.errors).toBeUndefined()
    const url = `${app.url}/inbound/${type}/${made.data.createService.id}${path}`
    const refused = await fetch(url, { method: 'POST', headers: HEADERS[type], body: BODIES[type] })
    expect(refused.status).toBe(type === 'email' ? 401 : 403)
    expect(await refused.text()).toMatch(/signature|secret/)
    if (type !== 'messenger') return
    // Signed, the same body is refused for what it is.
    const signature = createHmac('sha256', PARAMS.messenger.appSecret).update(BODIES.messenger).digest('hex')
    const headers = { ...HEADERS.messenger, 'x-hub-signature-256': `sha256=${signature}` }
    expect((await fetch(url, { method: 'POST', headers, body: BODIES.messenger })).status).toBe(400)
  })
})

describe('calls of providers with signatures that are wrong', () => {
  const BODY_BYTES = 30_000
  const sockets = new RawSockets()
  /** From whom calls were verified, in this order. */
  const verified: string[] = []
  const countOf = (from: string): number => verified.filter((each) => each === from).length
  let server: TestServer
  let admin: MadeUser
  let service: string

  /** Notes who calls, and takes the time that the call says. */
  const route: InboundRoute = {
    ...{ type: 'sms', method: 'POST', path: '', bytesMax: 65_536 },
    admit: () => undefined,
    isSigned({ headers }) {
      for (const end = performance.now() + Number(headers['x-takes']); performance.now() < end;);
      verified.push(String(headers['x-from']))
      return headers['x-signature'] === 'right'
    },
    handle: () => Promise.resolve({ status: 200 }),
  }

  beforeAll(async () => {
    const install = () => ({ kind: { touchpoint: 'sms' as const, params: [], secrets: {} }, routes: [route] })
    server = await startTestServer({ RATE_LIMIT_PER_SECOND: '20' }, { touchpoints: { sms: install } })
    admin = await server.makeUser({ organization: await server.makeContactCenter(), role: 'admin' })
    service = await makeService()
  })
  afterAll(async () => {
    sockets.close()
    await server.close()
  })

  async function makeService(): Promise<string> {
    const made = await server.gql(
      admin,
      'mutation ($input: CreateServiceInput!) { createService(input: $input) { id } }',
      { input: { type: 'sms', name: 'S', params: {} } },
    )
    expect(made.errors).toBeUndefined()
    return made.data.createService.id
  }

  interface CallOptions {
    takesMs?: number
    to?: string
    name?: string
    /** Bytes of the body that are sent. */
    bytes?: number
  }

  /** Makes a call. @returns its status, once there is one; `ended` without an answer */
  function call(from: string, signature: 'right' | 'wrong', options: CallOptions = {}): () => string {
    const { takesMs = 0, to = service, name = from, bytes = BODY_BYTES } = options
    const socket = sockets.open(server.url, from)
    const text = RawSockets.textOf(socket)
    socket.write(
      `POST /inbound/sms/${to} HTTP/1.1\r\nhost: x\r\ncontent-type: text/plain\r\nx-from: ${name}\r\n` +
        `x-signature: ${signature}\r\nx-takes: ${takesMs}\r\ncontent-length: ${BODY_BYTES}\r\n\r\n${'x'.repeat(bytes)}`,
    )
    return () => /HTTP\/1\.1 (\d+)/.exec(text())?.[1] ?? (socket.closed ? 'ended' : '')
  }

  it('are verified in turns of networks, and of the addresses in them: others do not wait for all of one', async () => {
    const [many, beside, other] = ['127.0.6.1', '127.0.6.2', '127.0.7.1']
    const answers = Array.from({ length: 60 }, () => call(many, 'wrong', { takesMs: 10 }))
    // All have come, and wait.
    await until(async () => (await sampleOf(server.url, 'bodies_bytes')) / BODY_BYTES + countOf(many) >= 60)
    expect(countOf(many)).toBeLessThan(50)
    const calls = [call(beside, 'right'), call(other, 'right')]
    await until(() => [...answers, ...calls].every((answer) => answer() !== ''))
    expect(calls.map((answer) => answer())).toEqual(['200', '200'])
    const last = verified.lastIndexOf(many)
    for (const from of [beside, other]) expect(verified.indexOf(from)).toBeLessThan(last)
  })

  it('of a network that goes on wait before anything is done for them, and those of others do not', async () => {
    const [many, other] = ['127.0.8.1', '127.0.9.1']
    const answers: (() => string)[] = []
    const waiting = (): number => answers.filter((answer) => answer() === '').length
    // It goes on until more have not been looked at than are under way: they are held.
    await until(async () => {
      if (waiting() <= 75) for (let nth = 0; nth < 25; nth += 1) answers.push(call(many, 'wrong'))
      const before = waiting()
      const underWay = before - (await sampleOf(server.url, 'refusals_held'))
      return answers.length - countOf(many) > underWay
    })
    const right = call(other, 'right')
    await until(() => right() !== '')
    expect(right()).toBe('200')
    await until(() => waiting() === 0)
    expect(new Set(answers.map((answer) => answer()))).toEqual(new Set(['403']))
  })
  // A provider's addresses are those of all its customers: one of them may have a wrong secret.
  describe('of one service, from the network of a provider that many use,', () => {
    const answered = async (answer: () => string): Promise<string> => {
      await until(() => answer() !== '')
      return answer()
    }

    it('do not hold up those of another that has proven itself there', async () => {
      const [provider, other] = ['127.0.10.1', await makeService()]
      expect(await answered(call(provider, 'right', { to: other }))).toBe('200')
      const wrong = new Map<string, () => string>()
      const waiting = (): string[] => [...wrong].filter(([, answer]) => answer() === '').map(([name]) => name)
      await until(async () => {
        const batch = Array.from({ length: 25 }, (_, nth) => `wrong ${wrong.size + nth}`)
        for (const name of batch) wrong.set(name, call(provider, 'wrong', { name }))
        expect(await answered(call(provider, 'right', { to: other }))).toBe('200')
        // They came before it, and are yet to be looked at.
        const areHeld = batch.every((name) => wrong.get(name)!() === '' && !verified.includes(name))
        await until(() => waiting().length <= 75)
        return areHeld
      })
      await until(() => waiting().length === 0)
    })

    it('do not take the places of another that has proven itself there', async () => {
      const [provider, other] = ['127.0.11.1', await makeService()]
      expect(await answered(call(provider, 'right', { to: other }))).toBe('200')
      for (let at = 0; at < 150; at += 1) call(provider, 'wrong', { bytes: 10 })
      await until(async () => (await answered(call(provider, 'wrong'))) === '503')
      expect(await answered(call(provider, 'right', { to: other }))).toBe('200')
    })
  })
})
