import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import type { MadeOrganization, MadeUser } from '../support/factories.js'
import { startTestServer, type TestServer } from '../support/test-server.js'

let app: TestServer
let center: MadeOrganization
let customer: MadeOrganization
let admin: MadeUser
let agent: MadeUser

const CREATE =
  'mutation ($input: CreateCannedResponseInput!) { createCannedResponse(input: $input) { id shortcut text organizationId } }'
const UPDATE =
  'mutation ($id: ID!, $patch: UpdateCannedResponseInput!) { updateCannedResponse(id: $id, patch: $patch) { shortcut text } }'
const LIST = '{ cannedResponses(orderBy: [{ field: SHORTCUT }]) { edges { node { shortcut } } } }'

beforeAll(async () => {
  app = await startTestServer()
  center = await app.makeOrganization({ name: 'Center' })
  customer = await app.makeOrganization({ parent: center, name: 'Customer' })
  admin = await app.makeUser({ organization: center, role: 'admin' })
  agent = await app.makeUser({ organization: customer })
})
afterAll(() => app.close())

const codeOf = async (caller: MadeUser, query: string, variables: object): Promise<string | undefined> =>
  (await app.gql(caller, query, { ...variables })).errors?.[0]?.extensions?.code as string | undefined

describe('canned responses of an organization', () => {
  it('are written by administrators and read by its agents', async () => {
    const input = { organization: customer.id, shortcut: 'Opening-Hours', text: 'We open at nine, {{ givenName }}.' }
    const { data } = await app.gql(admin, CREATE, { input })
    expect(data.createCannedResponse).toMatchObject({ shortcut: 'opening-hours', organizationId: customer.id })
    const { id } = data.createCannedResponse
    const changed = await app.gql(admin, UPDATE, { id, patch: { text: 'We open at ten.' } })
    expect(changed.data.updateCannedResponse).toEqual({ shortcut: 'opening-hours', text: 'We open at ten.' })
    expect((await app.gql(agent, LIST)).data.cannedResponses.edges).toEqual([{ node: { shortcut: 'opening-hours' } }])
    expect(await codeOf(agent, CREATE, { input: { shortcut: 'x', text: 'x' } })).toBe('FORBIDDEN')
    expect(await codeOf(agent, 'mutation ($id: ID!) { deleteCannedResponse(id: $id) }', { id })).toBe('FORBIDDEN')
    const events = await app.server.database.query<{ type: string }>(
      "select type from event where stream = $1 and type like 'cannedResponse.%' order by number",
      [`organization:${customer.id}`],
    )
    expect(events.map(({ type }) => type)).toEqual(['cannedResponse.created', 'cannedResponse.updated'])
  })

  it('have shortcuts that are unique in an organization, and limits', async () => {
    const of = (organization: MadeOrganization, shortcut: string, text = 'x'): Promise<string | undefined> =>
      codeOf(admin, CREATE, { input: { organization: organization.id, shortcut, text } })
    expect(await Promise.all([of(customer, 'same'), of(customer, 'SAME')])).toContain('UNPROCESSABLE')
    expect(await of(center, 'same')).toBeUndefined()
    expect(await of(center, 'two words')).toBe('BAD_USER_INPUT')
    expect(await of(center, 'blank', '  ')).toBe('BAD_USER_INPUT')
    expect(await of(center, 'long', 'x'.repeat(5_001))).toBe('BAD_USER_INPUT')
  })

  it('are invisible to other tenants', async () => {
    const foreign = await app.makeUser({
      organization: await app.makeOrganization({ name: 'Elsewhere' }),
      role: 'admin',
    })
    const { data } = await app.gql(admin, CREATE, { input: { shortcut: 'ours', text: 'x' } })
    const { id } = data.createCannedResponse
    expect(await codeOf(foreign, UPDATE, { id, patch: { text: 'theirs' } })).toBe('NOT_FOUND')
    expect((await app.gql(foreign, LIST)).data.cannedResponses.edges).toEqual([])
  })
})
