import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import type { MadeOrganization, MadeUser } from '../support/factories.js'
import { aDate, anId, done } from './answers.js'
import { startTestServer, type TestServer } from '../support/test-server.js'

/** The field tables of 2.1 to 2.6, field by field: through `/v2`, and the same through GraphQL. */

let test: TestServer
let center: MadeOrganization
let customer: MadeOrganization
let admin: MadeUser

beforeAll(async () => {
  test = await startTestServer()
  center = await test.makeOrganization({ name: 'Center' })
  customer = await test.makeOrganization({ parent: center, name: 'Customer' })
  admin = await test.makeUser({ organization: center, role: 'admin', password: 'a good password' })
})
afterAll(() => test.close())

const post = (path: string, body: unknown, as: MadeUser | string | null = admin) =>
  done(test.rest(as, 'POST', path, body), 201)
const patch = (path: string, body: unknown, as: MadeUser | string = admin) =>
  done(test.rest(as, 'PATCH', path, body), 200)
const get = (path: string, as: MadeUser | string = admin) => done(test.rest(as, 'GET', path), 200)
const refusal = async (method: string, path: string, body?: unknown, as = admin) => {
  const { status, body: answer } = await test.rest(as, method, path, body)
  return [status, answer.field ?? answer.code]
}

describe('a token response', () => {
  // [2.1 tokenType, user, organization, expiresAt, scope, token, token validity, refreshToken, refreshToken validity]
  // [8 Token validity, Token validity refresh] [1 Datetimes, callers] [5 access token, refresh token, rule 3, rule 3
  // order] [4.1 POST token without a header]
  it('has seven fields; the access token holds 24 hours, the refresh token a month', async () => {
    const before = test.clock.now().getTime()
    const body = await post('/v2/auth/token', { email: admin.email, password: 'a good password' }, null)
    expect(body).toEqual({
      tokenType: 'Bearer',
      token: expect.stringMatching(/^eyJ.+\..+\..+$/),
      refreshToken: expect.any(String),
      user: admin.id,
      organization: center.id,
      expiresAt: aDate,
      scope: 'guest agent bot admin',
    })
    const hours = (Date.parse(body.expiresAt) - before) / 3_600_000
    expect(Math.round(hours * 60)).toBe(24 * 60)
    test.clock.advance(24 * 3_600_000 + 5_000)
    expect(await refusal('GET', '/v2/users/me', undefined, body.token)).toEqual([403, 'TOKEN_EXPIRED'])
    test.clock.advance(28 * 24 * 3_600_000)
    const credentials = { refreshToken: body.refreshToken, clientId: admin.email }
    const { refreshToken } = await post('/v2/auth/token', credentials, null)
    test.clock.advance(31 * 24 * 3_600_000)
    const late = await test.rest(null, 'POST', '/v2/auth/token', { refreshToken, clientId: admin.email })
    expect(late.status).toBe(401)
    test.clock.advance(-60 * 24 * 3_600_000 - 5_000)
  })
})

describe('a user', () => {
  const every = () => ({
    familyName: 'Lovelace',
    givenName: 'Ada',
    additionalName: 'King',
    email: 'ada@example.com',
    phone: '+31 20 123',
    avatar: 'https://example.com/ada.png',
    organization: customer.id,
    role: 'agent',
    meta: { crm: { id: 7 } },
    status: 'active',
  })
  const settings = {
    timezone: 'Europe/Amsterdam',
    timezoneSet: true,
    locale: 'nl',
    localeSet: true,
    audioOnChat: false,
    audioOnMessage: true,
    notifyOnChat: true,
    notifyOnMessage: true,
    tabdotNotify: false,
    tabdotMessage: false,
    pushNotify: true,
    focusOnAccept: false,
    notifications: ['chief'],
    cannedResponses: ['Hello {{ givenName }}'],
  }
  const defaults = {
    timezoneSet: false,
    locale: 'en',
    localeSet: false,
    audioOnChat: true,
    audioOnMessage: false,
    notifyOnChat: false,
    notifyOnMessage: false,
    tabdotNotify: true,
    tabdotMessage: true,
    pushNotify: false,
    notifications: [],
    cannedResponses: [],
  }

  // [2.2 id, familyName, givenName, additionalName, phone, password, avatar, settings, meta, createdAt, updatedAt,
  // organizations orgPath, organizations organization, organizations selected, organizations role, organizations level,
  // organizations of me, name, provider, lastLogin, displayName default, email signs in, organization, organization
  // below, role] [4.2 GET users, POST users, POST users optional, POST users answers, GET user by id, GET user me, GET
  // user answers, PATCH user, PATCH user me, PATCH user answers]
  it('has every field of 2.2, and signs in with its password', async () => {
    const made = await post('/v2/users', { ...every(), settings, password: 'the analytical engine' })
    expect(made).toEqual({
      ...every(),
      settings,
      id: anId,
      displayName: 'Ada King Lovelace',
      name: 'Ada King Lovelace',
      provider: 'local',
      organizations: [
        {
          orgPath: `${center.id}#${customer.id}`,
          organization: customer.id,
          selected: true,
          role: 'agent',
          level: 2,
        },
      ],
      createdAt: aDate,
      updatedAt: aDate,
    })
    const one = `/v2/users/${made.id}`
    expect(await get(one)).toEqual(made)
    expect(await get('/v2/users?email=ada@example.com')).toEqual([made])
    const { token } = await post('/v2/auth/token', { email: made.email, password: 'the analytical engine' }, null)
    const { lastLogin, organizations, ...me } = await get('/v2/users/me', token)
    expect(lastLogin).toEqual(aDate)
    expect(organizations[0].organization).toEqual({ id: customer.id, name: 'Customer', displayName: 'Customer' })
    expect({ ...me, organizations: made.organizations, updatedAt: made.updatedAt }).toEqual(made)

    expect((await patch('/v2/users/me', { givenName: 'Augusta' }, token)).displayName).toBe('Augusta King Lovelace')
    expect((await patch(one, { displayName: 'Countess' })).name).toBe('Augusta King Lovelace')
    expect(await get(one)).toMatchObject({ displayName: 'Countess', phone: '+31 20 123' })
  })

  // [2.2 password, email, organization default, organization elsewhere, role, role default, role of the guide, status,
  // status default] [4.2 POST users email, POST users optional]
  it("requires an email only: by default an agent, queued, of the caller's organization", async () => {
    const made = await post('/v2/users', { email: 'plain@example.com' })
    expect(made).toMatchObject({ role: 'agent', status: 'queued', organization: center.id })
    expect(await refusal('POST', '/v2/users', {})).toEqual([400, 'email'])
    expect(await refusal('POST', '/v2/users', { email: 'k@example.com', role: 'king' })).toEqual([400, 'role'])
    expect(await refusal('POST', '/v2/users', { email: 'k@example.com', status: 'gone' })).toEqual([400, 'status'])
    const elsewhere = await test.makeOrganization()
    expect((await refusal('POST', '/v2/users', { email: 'k@example.com', organization: elsewhere.id }))[0]).toBe(404)
    for (const role of ['admin', 'viewer', 'bot']) {
      expect((await post('/v2/users', { email: `${role}@example.com`, role })).role).toBe(role)
    }
    expect(await refusal('POST', '/v2/auth/token', { email: 'plain@example.com', password: '' })).toEqual([
      401,
      'UNAUTHENTICATED',
    ])
  })

  // [2.2 apiToken, password in results, apiToken in results] [5 API token] [1 callers by API token]
  it('that is a bot shows its token in the response of its creation; a password is never shown', async () => {
    const bot = await post('/v2/users', { email: 'robot@example.com', role: 'bot' })
    expect(bot.apiToken).toMatch(/^eyJ/)
    expect(await get('/v2/users/me', bot.apiToken)).toMatchObject({ id: bot.id })
    const shown = [bot, await get(`/v2/users/${bot.id}`), await patch(`/v2/users/${bot.id}`, { phone: '1' })]
    expect(shown.map((user) => [Object.hasOwn(user, 'password'), Object.hasOwn(user, 'apiToken')])).toEqual([
      [false, true],
      [false, false],
      [false, false],
    ])
  })

  // [2.2 password, status default] [5 rule 3 cascade] [4.1 POST token refresh, POST token refresh clientId]
  it('that is a bot is queued unless given, works by its token, and signs in and refreshes with its email', async () => {
    const given = { email: 'reader@example.com', role: 'bot', password: 'beep beep beep boop' }
    const bot = await post('/v2/users', given)
    expect(bot).toMatchObject({ status: 'queued', role: 'bot' })
    expect(await get('/v2/users/me', bot.apiToken)).toMatchObject({ status: 'queued' })
    const { email, password } = given
    const session = await post('/v2/auth/token', { email, password }, null)
    expect(session).toMatchObject({ user: bot.id, scope: 'guest agent bot' })
    expect(await get('/v2/users/me', session.token)).toMatchObject({ status: 'active' })
    const { refreshToken } = session
    expect(await refusal('POST', '/v2/auth/token', { refreshToken, clientId: 'other@example.com' })).toEqual([
      401,
      'UNAUTHENTICATED',
    ])
    const refreshed = await post('/v2/auth/token', { refreshToken, clientId: email }, null)
    expect(await get('/v2/users/me', refreshed.token)).toMatchObject({ id: bot.id })
    expect(await get('/v2/users/me', bot.apiToken)).toMatchObject({ id: bot.id })
    expect(await post('/v2/users', { email: 'ready@example.com', role: 'bot', status: 'active' })).toMatchObject({
      status: 'active',
    })
  })

  // [2.3 timezone, timezoneSet, localeSet, audioOnChat, audioOnMessage, notifyOnChat, notifyOnMessage, tabdotNotify,
  // tabdotMessage, pushNotify, focusOnAccept default, notifications, locale, locale default, cannedResponses,
  // cannedResponses placeholders] [1 PATCH nested, PATCH default]
  it('has settings with the defaults of its level, which come back where a patch leaves one out', async () => {
    for (const [organization, focusOnAccept] of [
      [center.id, false],
      [customer.id, true],
    ] as const) {
      const email = `${organization}@example.com`
      const { id, settings: first } = await post('/v2/users', { email, organization })
      expect(first).toEqual({ ...defaults, focusOnAccept })
      expect((await patch(`/v2/users/${id}`, { settings })).settings).toEqual(settings)
      const { settings: replaced } = await patch(`/v2/users/${id}`, { settings: { locale: 'fr', notifyOnChat: true } })
      expect(replaced).toEqual({ ...defaults, focusOnAccept, locale: 'fr', notifyOnChat: true })
    }
    for (const bad of [{ timezone: 'Mars/Base' }, { locale: 'xx' }, { pushNotify: 'yes' }, { notifications: 'all' }]) {
      const [status, field] = await refusal('PATCH', '/v2/users/me', { settings: bad })
      expect([status, field]).toEqual([400, `settings.${Object.keys(bad)[0]}`])
    }
  })
})

describe('an organization', () => {
  const every = {
    name: 'Boats',
    displayName: 'Boats & Co',
    url: 'https://boats.example',
    email: 'info@boats.example',
    industry: 'boats',
    logo: 'https://boats.example/logo.png',
    country: 'NL',
    stopwords: ['cheap'],
    categories: [{ name: 'Sales', forms: [] }],
    commands: ['> help'],
    profileFields: { email: { label: 'Mail', enabled: true }, gender: { label: 'M/F', enabled: false } },
    tags: ['fleet'],
    meta: { crm: 1 },
  }

  // [2.4 id, name, displayName, path, level, status, stopwords, commands, tags, meta, createdAt, updatedAt, url, email,
  // industry, logo, country, parent, parent default, categories, profileFields, profileFields label, profileFields
  // enabled] [1 Optional fields, hierarchy] [4.3 POST organizations, POST organizations name, POST organizations
  // answers, POST organizations id, POST organizations path, POST organizations level, PATCH organization, PATCH
  // organization answers]
  it('has every field of 2.4, and shows the given ones', async () => {
    const made = await post('/v2/organizations', every)
    const served = {
      id: anId,
      parent: center.id,
      path: `${center.id}#${made.id}`,
      level: 2,
      status: 'active',
      createdAt: aDate,
      updatedAt: aDate,
    }
    expect(made).toEqual({ ...every, ...served })
    expect(await get(`/v2/organizations/${made.id}`)).toEqual(made)
    const least = await post('/v2/organizations', { name: 'Least', parent: made.id })
    expect(least).toEqual({
      ...served,
      // Legacy bots index both without a look.
      stopwords: [],
      categories: [],
      name: 'Least',
      id: least.id,
      parent: made.id,
      path: `${made.path}#${least.id}`,
      level: 3,
    })
    expect(await refusal('POST', '/v2/organizations', { name: 'Deeper', parent: least.id })).toEqual([422, 'parent'])
    expect(await refusal('POST', '/v2/organizations', {})).toEqual([400, 'name'])
    expect(await patch(`/v2/organizations/${least.id}`, { tags: ['a'], industry: 'sails' })).toEqual({
      ...least,
      tags: ['a'],
      industry: 'sails',
      updatedAt: aDate,
    })
    expect(await refusal('PATCH', `/v2/organizations/${least.id}`, { country: 'NLD' })).toEqual([400, 'country'])
  })

  // [7 403] [4.3 POST organizations by]
  it('is created by administrators of a contact center', async () => {
    const customerAdmin = await test.makeUser({ organization: customer, role: 'admin' })
    expect(await refusal('POST', '/v2/organizations', { name: 'X' }, customerAdmin)).toEqual([403, 'FORBIDDEN'])
  })

  const LABELS: [field: string, english: string, dutch: string][] = [
    ['givenName', 'First Name', 'Voornaam'],
    ['additionalName', 'Middle Name', 'Tussenvoegsel'],
    ['familyName', 'First Name', 'Achternaam'],
    ['honorificPrefix', 'Prefix', 'Voorvoegsel'],
    ['honorificSuffix', 'Suffix', 'Achtervoegsel'],
    ['gender', 'Gender', 'Geslacht'],
    ['worksFor', 'Company', 'Bedrijf'],
    ['telephone', 'Phone', 'Telefoon'],
    ['email', 'Email', 'E-mail'],
    ['address.streetAddress', 'Street', 'Straatnaam'],
    ['address.streetNumber', 'Number', 'Nummer'],
    ['address.postalCode', 'Zip Code', 'Postcode'],
    ['address.addressLocality', 'City', 'Plaats'],
    ['address.addressRegion', 'Region', 'Provincie'],
    ['address.addressCountry', 'Country', 'Land'],
  ]
  const fieldsOf = async (input: object): Promise<Record<string, unknown>> => {
    const { id } = await post('/v2/organizations', { name: 'Labels', ...input })
    const query = 'query ($id: ID!) { organization(id: $id) { profileFields } }'
    return (await test.gql(admin, query, { id })).data.organization.profileFields
  }

  // [2.4 label givenName, label additionalName, label familyName, label honorificPrefix, label honorificSuffix, label
  // gender, label worksFor, label telephone, label email, label address.streetAddress, label address.streetNumber,
  // label address.postalCode, label address.addressLocality, label address.addressRegion, label
  // address.addressCountry, country NL, country other, profileFields default, profileFields custom]
  it('has all contact fields with the labels of its country, or those that it names', async () => {
    const enabled = (column: 1 | 2) =>
      Object.fromEntries(LABELS.map((row) => [row[0], { label: row[column], enabled: true }]))
    expect(await fieldsOf({ country: 'NL' })).toEqual(enabled(2))
    for (const input of [{ country: 'GB' }, {}]) expect(await fieldsOf(input)).toEqual(enabled(1))
    const profileFields = { gender: { label: 'Sex', enabled: true } }
    expect(await fieldsOf({ country: 'NL', profileFields })).toEqual(profileFields)
    const unlabelled = { name: 'X', profileFields: { gender: {} } }
    expect(await refusal('POST', '/v2/organizations', unlabelled)).toEqual([400, 'profileFields.gender.label'])
  })

  // [2.4 country DE and CH, German labels]
  it('has German labels for DE and CH, one for each field', async () => {
    const german = await fieldsOf({ country: 'DE' })
    expect(await fieldsOf({ country: 'CH' })).toEqual(german)
    expect(Object.keys(german)).toEqual(LABELS.map(([field]) => field))
    expect(german).toMatchObject({
      givenName: { label: 'Vorname' },
      familyName: { label: 'Nachname' },
      worksFor: { label: 'Firma' },
      'address.streetAddress': { label: 'Straße' },
      'address.postalCode': { label: 'Postleitzahl' },
      'address.addressLocality': { label: 'Ort' },
      honorificPrefix: { label: 'Namenspräfix' },
    })
    expect(Object.values(german)).toEqual(LABELS.map(() => ({ label: expect.any(String), enabled: true })))
  })
})

describe('groups and channels', () => {
  // [2.5 id, organization, orgPath, name, members, members of several, createdAt, updatedAt] [4.3 POST orggroups name,
  // POST orggroups members, POST orggroups answers]
  it('have the fields of 2.5; an organization may be in several groups', async () => {
    for (const name of ['One', 'Two']) {
      expect(await post('/v2/orggroups', { name, members: [customer.id] })).toEqual({
        id: anId,
        organization: center.id,
        orgPath: center.id,
        name,
        members: [customer.id],
        createdAt: aDate,
        updatedAt: aDate,
      })
    }
    expect(await get(`/v2/orggroups?members=${customer.id}`)).toHaveLength(2)
    expect(await refusal('POST', '/v2/orggroups', { members: [] })).toEqual([400, 'name'])
  })

  // [2.6 id, organization, name, createdAt, updatedAt, status, members, members added, members replaced, members
  // removed, assignment] [3.3 channel] [4.4 POST channels, POST channels without members, POST members, members
  // changed, members removed] [1 owner]
  it('have the fields of 2.6, and members as a sub-resource', async () => {
    const made = await post('/v2/channels', { name: 'Sales' })
    expect(made).toEqual({
      id: anId,
      organization: center.id,
      name: 'Sales',
      status: 'active',
      members: [],
      createdAt: aDate,
      updatedAt: aDate,
    })
    expect(await refusal('POST', '/v2/channels', {})).toEqual([400, 'name'])
    const agent = await test.makeUser({ organization: center })
    const members = `/v2/channels/${made.id}/members`
    expect((await post(members, { user: agent.id })).members).toEqual([{ user: agent.id }])
    expect((await patch(members, [{ user: admin.id }])).members).toEqual([{ user: admin.id }])
    await done(test.rest(admin, 'DELETE', `${members}/${admin.id}`), 204)
    expect(await get(`/v2/channels/${made.id}`)).toMatchObject({ members: [] })
  })
})
