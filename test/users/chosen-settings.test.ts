import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import type { MadeUser } from '../support/factories.js'
import { startTestServer, type TestServer } from '../support/test-server.js'

let app: TestServer
let admin: MadeUser
let agent: MadeUser

beforeAll(async () => {
  app = await startTestServer()
  const organization = await app.makeOrganization({ name: 'Acme' })
  admin = await app.makeUser({ organization, role: 'admin' })
  agent = await app.makeUser({ organization })
})
afterAll(() => app.close())

const settingsOf = async (user: MadeUser) => (await app.rest(user, 'GET', '/v2/users/me')).body.settings
const UPDATE = 'mutation ($patch: UserSettingsInput!) { updateMySettings(patch: $patch) { id } }'

describe('timezoneSet and localeSet', () => {
  // [2.3 timezoneSet, localeSet]
  it('are true once the user sets the value, by whatever interface', async () => {
    expect(await settingsOf(agent)).toMatchObject({ timezoneSet: false, localeSet: false })
    await app.gql(agent, UPDATE, { patch: { locale: 'DE' } })
    expect(await settingsOf(agent)).toMatchObject({ timezoneSet: false, localeSet: true, locale: 'de' })
    await app.rest(agent, 'PATCH', '/v2/users/me', { settings: { timezone: 'Europe/Amsterdam' } })
    expect(await settingsOf(agent)).toMatchObject({ timezoneSet: true, timezone: 'Europe/Amsterdam' })
  })

  it('stay false when an administrator sets it', async () => {
    const other = await app.makeUser({ organization: admin.organization })
    await app.rest(admin, 'PATCH', `/v2/users/${other.id}`, { settings: { timezone: 'Europe/Berlin', locale: 'de' } })
    expect(await settingsOf(other)).toMatchObject({ timezone: 'Europe/Berlin', timezoneSet: false, localeSet: false })
  })

  // [2.3 locale with a country]
  it('read a locale with its country as its language', async () => {
    const patched = async (locale: string): Promise<number> => {
      const headers = { authorization: `Bearer ${await app.tokenFor(agent)}`, 'content-type': 'application/json' }
      // By hand: the OpenAPI document has the languages alone.
      const body = JSON.stringify({ settings: { locale } })
      return (await fetch(`${app.url}/v2/users/me`, { method: 'PATCH', headers, body })).status
    }
    expect([await patched('nl_NL'), (await settingsOf(agent)).locale]).toEqual([200, 'nl'])
    expect(await patched('xx_YY')).toBe(400)
  })
})

describe('the organization in /users/me', () => {
  // [2.2 organizations of me]
  it('has its name as displayName when none was set', async () => {
    const { body } = await app.rest(agent, 'GET', '/v2/users/me?populate=organizations.organization')
    expect(body.organizations[0].organization).toMatchObject({ name: 'Acme', displayName: 'Acme' })
    await app.rest(admin, 'PATCH', `/v2/organizations/${admin.organization.id}`, { displayName: 'Acme Ltd' })
    const { body: named } = await app.rest(agent, 'GET', '/v2/users/me')
    expect(named.organizations[0].organization).toMatchObject({ name: 'Acme', displayName: 'Acme Ltd' })
  })
})

describe('populate of a conversation', () => {
  // [1 Expansion]
  it('expands the channels that are notified and those that are offline', async () => {
    const channel = (await app.rest(admin, 'POST', '/v2/channels', { name: 'Support' })).body
    const contact = { profile: { name: 'Eve', email: 'eve@example.com' } }
    const messages = [{ role: 'contact', text: 'Hello' }]
    const input = { type: 'contact', touchpoint: 'web', contact, messages }
    const { body } = await app.rest(admin, 'POST', '/v2/conversations', input)
    expect(body.channelsOffline).toEqual([channel.id])
    const shown = await app.rest(admin, 'GET', `/v2/conversations/${body.id}?populate=channels,channelsOffline`)
    expect(shown.body.channels).toEqual([])
    expect(shown.body.channelsOffline).toMatchObject([{ id: channel.id, name: 'Support' }])
  })
})
