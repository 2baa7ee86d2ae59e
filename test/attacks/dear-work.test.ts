import { createHmac } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import type { MadeUser } from '../support/factories.js'
import { startTestServer, type GraphqlAnswer, type TestServer } from '../support/test-server.js'

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

async function waitingOf(share: string): Promise<number> {
  const metrics = await (await fetch(`${app.url}/metrics`)).text()
  return Number(new RegExp(`^switchboard_${share}_waiting (\\d+)$`, 'm').exec(metrics)?.[1])
}

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
