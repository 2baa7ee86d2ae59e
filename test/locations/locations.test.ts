import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { readEvents } from '../../src/platform/events/streams.js'
import type { MadeOrganization, MadeUser } from '../support/factories.js'
import { startTestServer, type TestServer } from '../support/test-server.js'

let app: TestServer
let customer: MadeOrganization
let admin: MadeUser
let bot: MadeUser
let agent: MadeUser
let rivalAdmin: MadeUser

beforeAll(async () => {
  app = await startTestServer()
  const center = await app.makeOrganization({ country: 'NL' })
  customer = await app.makeOrganization({ parent: center, name: 'Customer' })
  const rival = await app.makeOrganization({ parent: center, name: 'Rival' })
  admin = await app.makeUser({ organization: customer, role: 'admin' })
  bot = await app.makeUser({ organization: customer, role: 'bot' })
  agent = await app.makeUser({ organization: customer })
  rivalAdmin = await app.makeUser({ organization: rival, role: 'admin' })
})
afterAll(() => app.close())

const FIELDS = `id organizationId name address { streetAddress postalCode addressLocality addressCountry }
  latitude longitude telephone email url timezone openingHours { days opens closes } tags isShared createdAt updatedAt`

interface LocationData {
  id: string
  [key: string]: unknown
}

const create = (as: MadeUser, input: object) =>
  app.gql<{ createLocation: LocationData }>(
    as,
    `mutation ($input: CreateLocationInput!) { createLocation(input: $input) { ${FIELDS} } }`,
    { input },
  )
const update = (as: MadeUser, id: string, patch: object) =>
  app.gql<{ updateLocation: LocationData }>(
    as,
    `mutation ($id: ID!, $patch: UpdateLocationInput!) { updateLocation(id: $id, patch: $patch) { ${FIELDS} } }`,
    { id, patch },
  )
const fetched = (as: MadeUser, id: string) =>
  app.gql<{ location: LocationData }>(as, `query ($id: ID!) { location(id: $id) { ${FIELDS} } }`, { id })
const remove = (as: MadeUser, id: string) => app.gql(as, 'mutation ($id: ID!) { deleteLocation(id: $id) }', { id })

async function made(input: object): Promise<LocationData> {
  const { data, errors } = await create(bot, input)
  expect(errors).toBeUndefined()
  return data.createLocation
}

const SHOP = {
  name: 'Dam',
  address: { streetAddress: 'Dam', postalCode: '1012 JS', addressLocality: 'Amsterdam', addressCountry: 'NL' },
  latitude: 52.373,
  longitude: 4.8925,
  telephone: '020 123 4567',
  email: 'Dam@Shop.example',
  url: 'https://shop.example/dam',
  timezone: 'Europe/Amsterdam',
  openingHours: [{ days: ['SUN', 'MON'], opens: '09:00', closes: '24:00' }],
}

describe('a location (2.11)', () => {
  it('is created with all given fields, and read back', async () => {
    const location = await made(SHOP)
    expect(location).toMatchObject({
      ...SHOP,
      organizationId: customer.id,
      telephone: '+31201234567',
      email: 'dam@shop.example',
      tags: [],
      isShared: false,
      openingHours: [{ days: ['MON', 'SUN'], opens: '09:00', closes: '24:00' }],
    })
    expect((await fetched(agent, location.id)).data.location).toEqual(location)
    const bare = await made({ name: 'Bare', address: { postalCode: ' ' } })
    expect(bare).toMatchObject({ address: null, latitude: null, openingHours: [], telephone: null })
  })

  it('keeps fields that are not in a patch; objects and lists are replaced (section 1)', async () => {
    const { id } = await made(SHOP)
    const patch = { address: { addressLocality: 'Utrecht' }, openingHours: null }
    const changed = (await update(bot, id, patch)).data.updateLocation
    expect(changed).toMatchObject({ name: 'Dam', latitude: 52.373, openingHours: [], telephone: '+31201234567' })
    expect(changed.address).toEqual({
      addressLocality: 'Utrecht',
      streetAddress: null,
      postalCode: null,
      addressCountry: null,
    })
  })

  it('has a complete position or none', async () => {
    const { id } = await made(SHOP)
    for (const patch of [{ latitude: null }, { longitude: null }]) {
      const { errors } = await update(bot, id, patch)
      expect(errors?.[0]?.extensions).toMatchObject({ code: 'BAD_USER_INPUT', field: Object.keys(patch)[0] })
    }
    expect((await update(bot, id, { latitude: null, longitude: null })).data.updateLocation).toMatchObject({
      latitude: null,
      longitude: null,
    })
    expect((await update(bot, id, { latitude: -90, longitude: 180 })).data.updateLocation).toMatchObject({
      latitude: -90,
      longitude: 180,
    })
    expect((await update(bot, id, { latitude: 0, longitude: 0 })).data.updateLocation).toMatchObject({
      latitude: 0,
      longitude: 0,
    })
  })

  it.each([
    [{ name: null }, 'name'],
    [{ latitude: 90.1, longitude: 0 }, 'latitude'],
    [{ latitude: 0, longitude: -180.5 }, 'longitude'],
    [{ telephone: 'call me' }, 'telephone'],
    [{ email: 'x' }, 'email'],
    [{ url: 'javascript:alert(1)' }, 'url'],
    [{ timezone: '+01:00' }, 'timezone'],
    [{ address: { postalCode: 'x'.repeat(251) } }, 'address.postalCode'],
    [{ openingHours: [{ days: [], opens: '09:00', closes: '17:00' }] }, 'openingHours[0].days'],
    [{ openingHours: [{ days: ['MON'], opens: '24:00', closes: '17:00' }] }, 'openingHours[0].opens'],
    [{ openingHours: [{ days: ['MON'], opens: '09:00', closes: '5pm' }] }, 'openingHours[0].closes'],
  ])('refuses %j, naming %s', async (patch, field) => {
    const { id } = await made({ name: 'Fine' })
    expect((await update(bot, id, patch)).errors?.[0]?.extensions).toMatchObject({ code: 'BAD_USER_INPUT', field })
  })

  it('is read by agents, written by bots, deleted by administrators', async () => {
    const { id } = await made({ name: 'Scoped' })
    const refused = [
      await create(agent, { name: 'No' }),
      await update(agent, id, {}),
      await remove(agent, id),
      await remove(bot, id),
    ]
    for (const { errors } of refused) expect(errors?.[0]?.extensions.code).toBe('FORBIDDEN')
    expect((await remove(admin, id)).data.deleteLocation).toBe(id)
    const events = await readEvents(app.server.database, `organization:${customer.id}`, 0, 1_000)
    const mine = events.filter(({ data }) => data.id === id)
    expect(mine.map(({ type }) => type)).toEqual(['location.created', 'location.deleted'])
  })

  it("is not found by another tenant's administrator", async () => {
    const { id } = await made({ name: 'Ours' })
    const answers = [
      await fetched(rivalAdmin, id),
      await update(rivalAdmin, id, { name: 'Mine' }),
      await remove(rivalAdmin, id),
    ]
    for (const { errors } of answers) expect(errors?.[0]?.extensions.code).toBe('NOT_FOUND')
  })

  it('is listed, filtered, changed and deleted in /v2', async () => {
    const body = { ...SHOP, name: 'REST', openingHours: [{ days: ['Mon'], opens: '09:00', closes: '17:00' }] }
    const created = await app.rest(bot, 'POST', '/v2/locations', body)
    expect([created.status, created.body]).toEqual([
      201,
      {
        ...body,
        id: created.body.id,
        organization: customer.id,
        telephone: '+31201234567',
        email: 'dam@shop.example',
        tags: [],
        isShared: false,
        createdAt: created.body.createdAt,
        updatedAt: created.body.updatedAt,
      },
    ])
    const { id } = created.body
    expect((await app.rest(agent, 'GET', '/v2/locations?address.addressLocality=Amsterdam&name=REST')).body).toEqual([
      created.body,
    ])
    expect((await app.rest(bot, 'PATCH', `/v2/locations/${id}`, { url: null })).body).not.toHaveProperty('url')
    expect((await app.rest(admin, 'DELETE', `/v2/locations/${id}`)).status).toBe(204)
  })
})
