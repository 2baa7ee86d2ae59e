import { readdirSync, readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { ERROR_REASONS, GENERAL_REASON } from '../../src/platform/error-reasons.js'
import type { MadeUser } from '../support/factories.js'
import { startTestServer, type TestServer } from '../support/test-server.js'

// Both interfaces tell errors apart by `reason` (section 7), from one table.
let app: TestServer
let admin: MadeUser
let agent: MadeUser

beforeAll(async () => {
  app = await startTestServer()
  const organization = await app.makeOrganization()
  admin = await app.makeUser({ organization, role: 'admin' })
  agent = await app.makeUser({ organization })
})
afterAll(() => app.close())

const NO_ID = '01890000-0000-7000-8000-0000000000ff'

/** Codes of requests that are no operation: `/v2` has operations of its own. */
const ONLY_GRAPHQL = new Set<string>([
  'BAD_REQUEST',
  'PERSISTED_QUERY_NOT_SUPPORTED',
  'GRAPHQL_PARSE_FAILED',
  'GRAPHQL_VALIDATION_FAILED',
  'OPERATION_RESOLUTION_FAILURE',
  'DOCUMENT_TOO_LARGE',
])

/** Texts of all sources but the table. */
function sources(): string {
  return ['src', 'rest-compat']
    .flatMap((folder) => readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => `${folder}/${name}`))
    .filter((name) => name.endsWith('.ts') && !name.endsWith('error-reasons.ts'))
    .map((name) => readFileSync(name, 'utf8'))
    .join('\n')
}

describe('the table of reasons', () => {
  it('has no reason that is never given', () => {
    const text = sources()
    const general = new Set<string>(Object.values(GENERAL_REASON))
    const unused = Object.keys(ERROR_REASONS).filter((reason) => !general.has(reason) && !text.includes(`'${reason}'`))
    expect(unused).toEqual([])
  })

  it('is an enum of the schema and of the OpenAPI document', async () => {
    const { data } = await app.gql(admin, '{ __type(name: "ErrorReason") { enumValues { name description } } }')
    const values = data.__type.enumValues as { name: string; description: string }[]
    expect(values.map(({ name }) => name).toSorted()).toEqual(Object.keys(ERROR_REASONS).toSorted())
    expect(values.every(({ description }) => description.length > 20)).toBe(true)
    const document = JSON.parse(readFileSync('openapi.json', 'utf8'))
    const ofRest = Object.entries(ERROR_REASONS).filter(([, [code]]) => !ONLY_GRAPHQL.has(code))
    expect(document.components.schemas.Error.properties.reason.enum).toEqual(ofRest.map(([reason]) => reason))
  })

  it('is the page to which errors lead', async () => {
    const { body } = await app.rest(admin, 'GET', `/v2/users/${NO_ID}`)
    expect(body.docs).toBe('/docs/errors#RECORD_NOT_FOUND')
    const page = await fetch(`${app.url}${body.docs}`, { headers: { accept: 'text/html' } })
    const html = await page.text()
    for (const reason of Object.keys(ERROR_REASONS)) expect(html).toContain(`<section id="${reason}">`)
    const listed = (await (await fetch(`${app.url}/docs/errors`)).json()) as { reason: string }[]
    expect(listed.map(({ reason }) => reason)).toEqual(Object.keys(ERROR_REASONS))
  })
})

describe('an error', () => {
  it.each([
    ['a malformed id', 'GET', '/v2/users/5', undefined, 404, 'MALFORMED_ID'],
    ['an unknown record', 'GET', `/v2/users/${NO_ID}`, undefined, 404, 'RECORD_NOT_FOUND'],
    ['an unknown address', 'GET', '/v2/userz', undefined, 404, 'ROUTE_NOT_FOUND'],
    ['an unknown field', 'POST', '/v2/channels', { name: 'A', colour: 'red' }, 400, 'UNKNOWN_FIELD'],
    ['a value out of range', 'POST', '/v2/channels', { name: '' }, 400, 'INVALID_VALUE'],
    ['no body', 'POST', '/v2/channels', undefined, 400, 'MISSING_VALUE'],
    ['an email in use', 'POST', '/v2/users', { email: 'owner@example.com' }, 422, 'EMAIL_TAKEN'],
  ] as const)('for %s says so by its reason', async (_, method, path, body, status, reason) => {
    expect(await app.rest(admin, method, path, body)).toMatchObject({
      status,
      body: { reason, docs: `/docs/errors#${reason}` },
    })
  })

  it('has the same reason in both interfaces, and states in the case of each', async () => {
    const { body: made } = await app.rest(admin, 'POST', '/v2/conversations', {
      type: 'contact',
      touchpoint: 'web',
      contact: { profile: { name: 'Eve', email: 'eve@example.com' } },
      messages: [{ role: 'contact', text: 'hi' }],
    })
    const command = { type: 'command', text: '/accept', meta: { ifQueued: true } }
    await app.rest(agent, 'POST', `/v2/conversations/${made.id}/messages`, command)
    const late = await app.rest(admin, 'POST', `/v2/conversations/${made.id}/messages`, command)
    expect(late).toMatchObject({
      status: 422,
      body: { reason: 'ALREADY_ACCEPTED', status: 'active', acceptedBy: agent.id },
    })
    const { errors } = await app.gql(
      admin,
      'mutation ($id: ID!) { acceptConversation(conversation: $id, ifQueued: true) { id } }',
      { id: made.id },
    )
    expect(errors?.[0]?.extensions).toMatchObject({
      reason: 'ALREADY_ACCEPTED',
      status: 'ACTIVE',
      acceptedBy: agent.id,
      docs: '/docs/errors#ALREADY_ACCEPTED',
    })
  })

  it('for an address with a slash at its end, or at /api, leads on', async () => {
    const { status, body } = await app.rest(admin, 'GET', '/v2/users/')
    expect([status, body.message]).toEqual([404, expect.stringContaining('leave out the slash')])
    expect(await (await fetch(`${app.url}/api`)).json()).toMatchObject({ graphql: '/graphql', rest: '/v2/docs' })
  })
})
