import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { startIdentityProvider, type IdentityProvider } from '../sso/identity-provider.js'
import { PUBLIC_URL } from '../sso/sso-fixture.js'
import type { MadeOrganization, MadeUser } from '../support/factories.js'
import { recordStatements } from '../support/record-statements.js'
import { startTestServer, type TestServer } from '../support/test-server.js'
import { until } from '../support/until.js'
import { GROUP, makeScim } from './scim-fixture.js'

let server: TestServer
let idp: IdentityProvider
let center: MadeOrganization & { owner: MadeUser }
let admin: MadeUser

beforeAll(async () => {
  server = await startTestServer({ PUBLIC_URL, WEBHOOK_ALLOW_PRIVATE: 'true' })
  idp = await startIdentityProvider()
  center = await server.makeContactCenter()
  admin = await server.makeUser({ organization: center, role: 'admin' })
})
afterAll(async () => {
  await server.close()
  await idp.close()
})

async function makeChannels(count: number): Promise<string[]> {
  const CREATE = 'mutation ($name: String!) { createChannel(input: { name: $name }) { id } }'
  const ids: string[] = []
  for (let at = 0; at < count; at++) {
    const { data, errors } = await server.gql(admin, CREATE, { name: `c${crypto.randomUUID()}` })
    expect(errors).toBeUndefined()
    ids.push(data.createChannel.id)
  }
  return ids
}
const shown = async (id: string): Promise<{ role: string; channels: { id: string }[] }> =>
  (await server.gql(admin, 'query ($id: ID!) { user(id: $id) { role channels { id } } }', { id })).data.user
async function become(people: readonly string[], wanted: string, channels: number): Promise<void> {
  await until(async () => {
    const found = await Promise.all(people.map(shown))
    return found.every(({ role, channels: those }) => role === wanted && those.length === channels)
  })
}
const rows = (channels: readonly string[], role: string) => [{ claim: 'groups', value: 'Support', role, channels }]

describe('the rights of many', () => {
  it('ask no channel of which somebody is a member already', async () => {
    const channels = await makeChannels(2)
    const scim = await makeScim(server, admin, idp, center, { roleMap: rows(channels, 'agent') })
    const people: string[] = []
    for (let at = 0; at < 12; at++) people.push((await scim.make()).id)
    const members = people.map((value) => ({ value }))
    await scim.ask('POST', '/Groups', { schemas: [GROUP], displayName: 'Support', members })
    await become(people, 'AGENT', 2)
    const recorded = recordStatements(channels[0])
    const UPDATE = 'mutation ($id: ID!, $patch: UpdateServiceInput!) { updateService(id: $id, patch: $patch) { id } }'
    const params = {
      issuer: idp.issuer,
      ...idp.client,
      domains: [scim.domain],
      roleMap: rows(channels, 'admin'),
    }
    const { errors } = await server.gql(admin, UPDATE, { id: scim.service, patch: { params } })
    expect(errors).toBeUndefined()
    await become(people, 'ADMIN', 2)
    recorded.stop()
    // Whole statements: a review of the channel's offers begins with the same words.
    const asked = recorded.statements.filter((text) =>
      /^(?:select user_id as id|delete) from channel_member where channel_id = \$1(?: and user_id = any.*)?$/.test(
        text,
      ),
    )
    expect(asked).toEqual([])
  })

  it('are given to fewer at a time the more channels the map has', async () => {
    const channels = await makeChannels(134)
    const roleMap = [rows(channels.slice(0, 67), 'agent'), rows(channels.slice(67), 'agent')].flat()
    const scim = await makeScim(server, admin, idp, center, { roleMap })
    const people: string[] = []
    for (let at = 0; at < 3; at++) people.push((await scim.make()).id)
    const recorded = recordStatements(scim.service)
    const members = people.map((value) => ({ value }))
    await scim.ask('POST', '/Groups', { schemas: [GROUP], displayName: 'Support', members })
    await become(people, 'AGENT', 134)
    recorded.stop()
    const slices = recorded.statements.filter((text) => /rights_due is not null order by user_id/.test(text))
    expect(slices.length).toBeGreaterThanOrEqual(2)
  })
})
