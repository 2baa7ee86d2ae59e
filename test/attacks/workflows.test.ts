import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { WORKFLOW_BOUNDS } from '../../src/modules/workflows/workflow-bounds.js'
import type { MadeOrganization, MadeUser } from '../support/factories.js'
import { sampleOf } from '../support/metrics.js'
import { startTestServer, type TestServer } from '../support/test-server.js'
import { until } from '../support/until.js'

const CREATE = 'mutation ($rules: [WorkflowRuleInput!]) { createWorkflow(input: { name: "W", rules: $rules }) { id } }'
const rule = (conditions: object): object => ({ conditions, event: { type: 'notify', params: {} } })
const leaf = (operator: string, value: unknown): object => ({ fact: 'message', path: '.text', operator, value })

let server: TestServer
beforeAll(async () => {
  server = await startTestServer({ GRAPHQL_COST_PER_MINUTE: '1000000000' })
})
afterAll(() => server.close())

async function makeTenant(): Promise<{ organization: MadeOrganization; admin: MadeUser }> {
  const organization = await server.makeContactCenter()
  return { organization, admin: await server.makeUser({ organization, role: 'admin' }) }
}

/** Below every rule: copies of a workflow. */
async function copy(id: string, times: number): Promise<void> {
  await server.server.database.query(
    `insert into workflow select (jsonb_populate_record(w, jsonb_build_object('id', gen_random_uuid(), 'external_id', gen_random_uuid()))).*
     from workflow w, generate_series(1, $2) where w.id = $1`,
    [id, times],
  )
}

async function createWorkflow(admin: MadeUser, rules: object[]): Promise<string> {
  const { data, errors } = await server.gql(admin, CREATE, { rules })
  if (errors) throw new Error(JSON.stringify(errors))
  return data.createWorkflow.id as string
}

describe('the workflows of an organization', () => {
  it.each([
    ['workflows', 1, 1, WORKFLOW_BOUNDS.workflows],
    ['rules', 200, 1, WORKFLOW_BOUNDS.rules / 200],
    ['conditions', 20, 99, Math.floor(WORKFLOW_BOUNDS.conditions / (20 * 99))],
  ])('are bounded by their %s, for one organization and not for others', async (bound, rules, leaves, copies) => {
    const { admin } = await makeTenant()
    const given = Array.from({ length: rules }, () =>
      rule({ all: Array.from({ length: leaves }, () => leaf('equal', 'x')) }),
    )
    const id = await createWorkflow(admin, given)
    await copy(id, copies - 2)
    const twins = await Promise.all([1, 2].map(() => server.gql(admin, CREATE, { rules: given })))
    const refused = twins.flatMap(({ errors }) => errors ?? [])
    expect(refused).toHaveLength(1)
    expect(refused[0]).toMatchObject({ extensions: { code: 'UNPROCESSABLE', reason: 'TOO_MANY', bound } })
    await createWorkflow((await makeTenant()).admin, given)
  })
})

describe('a message that all rules evaluate', () => {
  const SEND = `mutation { createConversation(input: { touchpoint: WEB, contact: { profile: { name: "C", email: "EMAIL@example.com" } },
    messages: [{ role: CONTACT, text: "TEXT" }] }) { id } }`

  it('is routed by 5,000 rules of 25 workflows', async () => {
    const { admin } = await makeTenant()
    const rules = Array.from({ length: 200 }, (_, index) =>
      rule({ all: [leaf('equal', `no ${index}`), leaf('match', `order ${index}`)] }),
    )
    await copy(await createWorkflow(admin, rules), 24)
    const { errors } = await server.gql(admin, SEND.replace('TEXT', 'hello').replace('EMAIL', 'one'))
    expect(errors).toBeUndefined()
  })

  it('delays no other tenant, whatever its rules evaluate', async () => {
    const { admin } = await makeTenant()
    const { admin: neighbour } = await makeTenant()
    // As many instructions as a workflow may have, of an expression that keeps them all busy.
    const rules = Array.from({ length: 30 }, (_, index) => rule({ any: [leaf('match', `(a|aa|a?a){50}${index}$`)] }))
    await copy(await createWorkflow(admin, rules), 24)
    const ask = (): Promise<{ status: number }> => server.gql(neighbour, '{ me { id } }')
    await ask()
    let isDone = false
    const sent = server.gql(admin, SEND.replace('TEXT', 'a'.repeat(4_000)).replace('EMAIL', 'two')).then((answer) => {
      isDone = true
      return answer
    })
    let answered = 0
    for (; !isDone; answered += 1) expect((await ask()).status).toBe(200)
    expect((await sent).errors).toBeUndefined()
    process.stdout.write(`${answered} answers to a neighbour during 750 rules over 4,000 characters\n`)
    // Were the rules evaluated in one go, it would be one. What they cost: npm run bench -- --only attacks:rules.
    expect(answered).toBeGreaterThan(10)
  })
})

describe('300 concurrent trials of rules', () => {
  const EXPLAIN = Array.from(
    { length: 30 },
    (_, index) => `e${index}: explainWorkflow(workflow: $id, facts: $facts) { outcome }`,
  )
  const gauge = (name: string): Promise<number> => sampleOf(server.url, `trials_${name}`)

  it('are evaluated one at a time, after the rules of messages', async () => {
    const { admin } = await makeTenant()
    const { admin: neighbour } = await makeTenant()
    await createWorkflow(neighbour, [rule({ any: [leaf('match', 'hello')] })])
    const id = await createWorkflow(
      admin,
      Array.from({ length: 10 }, (_, index) => rule({ any: [leaf('match', `(a|aa|a?a){50}${index}$`)] })),
    )
    const query = `query ($id: ID!, $facts: JSONObject!) { ${EXPLAIN.join(' ')} }`
    const facts = { message: { text: 'a'.repeat(2_000) } }
    const tried = Array.from({ length: 10 }, () => server.gql(admin, query, { id, facts }))
    await until(async () => (await gauge('waiting')) >= 100)
    expect(await gauge('running')).toBe(1)
    const sent = await server.gql(
      neighbour,
      `mutation { createConversation(input: { touchpoint: WEB, contact: { profile: { name: "C", email: "trial@example.com" } },
        messages: [{ role: CONTACT, text: "hello" }] }) { id } }`,
    )
    expect(sent.errors).toBeUndefined()
    expect(await gauge('waiting')).toBeGreaterThan(0)
    for (const { errors } of await Promise.all(tried)) expect(errors).toBeUndefined()
  })
})
