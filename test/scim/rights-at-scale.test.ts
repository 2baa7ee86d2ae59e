import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import type { MadeUser } from '../support/factories.js'
import { recordStatements } from '../support/record-statements.js'
import type { TestServer } from '../support/test-server.js'
import { until } from '../support/until.js'
import { GROUP, startScimWorld, type ScimWorld } from './scim-fixture.js'

let world: ScimWorld
let server: TestServer
let admin: MadeUser

beforeAll(async () => {
  world = await startScimWorld()
  ;({ server, admin } = world)
})
afterAll(() => world.close())

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
    const scim = await world.makeScim({ roleMap: rows(channels, 'agent') })
    const people: string[] = []
    for (let at = 0; at < 12; at++) people.push((await scim.make()).id)
    const members = people.map((value) => ({ value }))
    await scim.ask('POST', '/Groups', { schemas: [GROUP], displayName: 'Support', members })
    await become(people, 'AGENT', 2)
    const recorded = recordStatements(channels[0])
    const UPDATE = 'mutation ($id: ID!, $patch: UpdateServiceInput!) { updateService(id: $id, patch: $patch) { id } }'
    const params = {
      issuer: world.idp.issuer,
      ...world.idp.client,
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
    const scim = await world.makeScim({ roleMap })
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
