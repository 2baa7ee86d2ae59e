import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { verifyDomain } from '../sso/sso-fixture.js'
import type { MadeUser } from '../support/factories.js'
import type { TestServer } from '../support/test-server.js'
import { until } from '../support/until.js'
import {
  clientOf,
  ERROR,
  GROUP,
  makeScim,
  makeToken,
  PATCH_OP,
  startScimWorld,
  USER,
  type ScimClient,
  type ScimWorld,
} from './scim-fixture.js'

let world: ScimWorld
let server: TestServer
let admin: MadeUser
let scim: ScimClient

beforeAll(async () => {
  world = await startScimWorld()
  ;({ server, admin } = world)
  scim = await world.makeScim()
})
afterAll(() => world.close())

const person = (userName: unknown, more: Record<string, unknown> = {}) => ({ schemas: [USER], userName, ...more })

describe('a token', () => {
  it('works for its provider alone, two at a time while one replaces the other, and is kept as a hash', async () => {
    const own = await world.makeScim()
    const status = async (token: string, service = own.service) =>
      (await clientOf(server, { service, token, domain: '' }).ask('GET', '/Users?count=0')).status
    expect(await status(own.token)).toBe(200)
    expect(await status(own.token, scim.service)).toBe(401)
    expect(await status(own.token, crypto.randomUUID())).toBe(401)
    expect(await status(`${own.token}x`)).toBe(401)
    const second = await makeToken(server, admin, own.service, 2)
    expect([await status(own.token), await status(second.token)]).toEqual([200, 200])
    const third = await makeToken(server, admin, own.service, 2)
    expect([await status(own.token), await status(second.token), await status(third.token)]).toEqual([401, 200, 200])
    server.clock.advance(3 * 3_600_000)
    expect([await status(second.token), await status(third.token)]).toEqual([401, 200])
    const stored = await server.server.database.query<{ row: string }>(
      'select t::text as row from scim_token t where service_id = $1',
      [own.service],
    )
    expect(stored.some(({ row }) => row.includes(third.token.slice(5)))).toBe(false)
    const { data } = await server.gql(
      admin,
      'query ($id: String!) { auditEntries(first: 9, filter: { object: { eq: $id }, action: { eq: "createScimToken" } }) { nodes { details } } }',
      { id: own.service },
    )
    expect(data.auditEntries.nodes).toHaveLength(3)
    expect(JSON.stringify(data.auditEntries.nodes)).not.toContain('scim_')
    const { data: shown } = await server.gql(admin, '{ __typename }')
    expect(shown.__typename).toBe('Query')
  })

  it('comes with what its provider keeps: the number of users, and groups by their names', async () => {
    const own = await world.makeScim()
    const client = clientOf(server, own)
    const made = await client.ask('POST', '/Users', person(`kim@${own.domain}`))
    const group = {
      schemas: ['urn:ietf:params:scim:schemas:core:2.0:Group'],
      displayName: 'Support',
      members: [{ value: made.body.id }],
    }
    expect((await client.ask('POST', '/Groups', group)).status).toBe(201)
    const { data } = await server.gql(
      admin,
      'query ($id: ID!) { provisioning(service: $id) { users groups { name users } } }',
      { id: own.service },
    )
    expect(data.provisioning).toEqual({ users: 1, groups: [{ name: 'Support', users: 1 }] })
  })

  it('is no way to anything else, and a user’s token none to this', async () => {
    expect((await server.gql(scim.token, '{ me { id } }')).errors?.[0]?.extensions.code).toBe('UNAUTHENTICATED')
    const users = clientOf(server, { ...scim, token: await server.tokenFor(admin) })
    expect((await users.ask('GET', '/Users')).status).toBe(401)
    const response = await fetch(`${server.url}/scim/v2/${scim.service}/Users`)
    expect(response.status).toBe(401)
    expect(response.headers.get('www-authenticate')).toBe('Bearer')
    expect(await response.json()).toMatchObject({ schemas: [ERROR], status: '401' })
  })

  it('is made by administrators of its organization', async () => {
    const CREATE = 'mutation ($s: ID!) { createScimToken(service: $s) { id } }'
    const other = await server.makeContactCenter()
    const agent = await server.makeUser({ organization: world.center, role: 'agent' })
    const codes = await Promise.all(
      [other.owner, agent].map(
        async (as) => (await server.gql(as, CREATE, { s: scim.service })).errors?.[0]?.extensions.code,
      ),
    )
    expect(codes).toEqual(['NOT_FOUND', 'FORBIDDEN'])
    const made = await server.gql(
      admin,
      'mutation { createService(input: { type: "mine", isOwnType: true, params: {} }) { id } }',
    )
    const wrong = await server.gql(admin, CREATE, { s: made.data.createService.id })
    expect(wrong.errors?.[0]?.extensions).toMatchObject({ code: 'UNPROCESSABLE', field: 'service' })
  })
})

describe('tenancy', () => {
  it('leaves other customers, other providers and their users alone', async () => {
    const [mine, theirs] = [
      await server.makeOrganization({ parent: world.center }),
      await server.makeOrganization({ parent: world.center }),
    ]
    const [a, b] = [await makeScim(server, admin, world.idp, mine), await makeScim(server, admin, world.idp, theirs)]
    const user = await b.make({ externalId: 'x1' })
    const { body: group } = await b.ask('POST', '/Groups', {
      schemas: [GROUP],
      displayName: 'Theirs',
      members: [{ value: user.id }],
    })
    for (const [method, path, body] of [
      ['GET', `/Users/${user.id}`],
      ['PUT', `/Users/${user.id}`, person(`x@${a.domain}`)],
      [
        'PATCH',
        `/Users/${user.id}`,
        { schemas: [PATCH_OP], Operations: [{ op: 'replace', path: 'active', value: false }] },
      ],
      ['DELETE', `/Users/${user.id}`],
      ['GET', `/Groups/${group.id}`],
      ['PATCH', `/Groups/${group.id}`, { schemas: [PATCH_OP], Operations: [{ op: 'remove', path: 'members' }] }],
      ['DELETE', `/Groups/${group.id}`],
    ] as const) {
      expect({ method, path, status: (await a.ask(method, path, body)).status }).toEqual({ method, path, status: 404 })
    }
    expect((await a.ask('GET', '/Users')).body.totalResults).toBe(0)
    expect((await a.ask('GET', `/Users?filter=${encodeURIComponent('externalId eq "x1"')}`)).body.totalResults).toBe(0)
    const member = await a.ask('POST', '/Groups', {
      schemas: [GROUP],
      displayName: 'Mine',
      members: [{ value: user.id }],
    })
    expect(member).toMatchObject({ status: 400, body: { scimType: 'invalidValue' } })
    // An email of another customer's user, of a domain that is this provider's.
    const elsewhere = await server.makeUser({ organization: theirs, email: `eve@${a.domain}` })
    const taken = await a.ask('POST', '/Users', person(elsewhere.email))
    expect(taken).toMatchObject({
      status: 409,
      body: { scimType: 'uniqueness', detail: 'the email belongs to another user' },
    })
    // A domain that only another organization has verified.
    const foreign = `f${crypto.randomUUID().slice(0, 8)}.example`
    await verifyDomain(server, theirs, foreign)
    expect((await a.ask('POST', '/Users', person(`eve@${foreign}`))).status).toBe(400)
  })

  it('takes on a user who is there already, of the same organization or below, with its role', async () => {
    const below = await server.makeOrganization({ parent: world.center })
    const there = await server.makeUser({ organization: below, role: 'admin', email: `old@${scim.domain}` })
    const made = await scim.ask('POST', '/Users', person(there.email.toUpperCase(), { displayName: 'Old' }))
    expect(made).toMatchObject({ status: 201, body: { id: there.id, displayName: 'Old' } })
    const { data } = await server.gql(admin, 'query ($id: ID!) { user(id: $id) { role organizationId } }', {
      id: there.id,
    })
    expect(data.user).toEqual({ role: 'ADMIN', organizationId: below.id })
    const bot = await server.makeUser({ organization: world.center, role: 'bot', email: `bot@${scim.domain}` })
    expect((await scim.ask('POST', '/Users', person(bot.email))).status).toBe(409)
  })
})

describe('uniqueness and versions', () => {
  it('makes one user of two requests at once', async () => {
    const userName = `twice@${scim.domain}`
    const answers = await Promise.all([1, 2, 3].map(() => scim.ask('POST', '/Users', person(userName))))
    expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 409, 409])
    const other = await scim.make()
    const named = await scim.patch(`/Users/${other.id}`, {
      op: 'replace',
      path: 'userName',
      value: userName.toUpperCase(),
    })
    expect(named).toMatchObject({ status: 409, body: { scimType: 'uniqueness' } })
    const mailed = await scim.patch(`/Users/${other.id}`, {
      op: 'replace',
      path: 'emails[type eq "work"].value',
      value: userName,
    })
    expect(mailed).toMatchObject({ status: 409, body: { scimType: 'uniqueness' } })
    expect((await scim.ask('GET', `/Users/${other.id}`)).body).toEqual(other)
  })

  it('refuses a change of another version, of users and of groups', async () => {
    const user = await scim.make()
    const before = { 'if-match': user.meta.version }
    const [first, second] = await Promise.all(
      ['A', 'B'].map((displayName) =>
        scim.ask('PUT', `/Users/${user.id}`, person(user.userName, { displayName }), before),
      ),
    )
    expect([first!.status, second!.status].toSorted()).toEqual([200, 412])
    expect((await scim.ask('DELETE', `/Users/${user.id}`, undefined, before)).status).toBe(412)
    expect((await scim.ask('DELETE', `/Users/${user.id}`, undefined, { 'if-match': 'none' })).status).toBe(400)
    expect((await scim.ask('DELETE', `/Users/${user.id}`, undefined, { 'if-match': '*' })).status).toBe(204)
    const { body: group } = await scim.ask('POST', '/Groups', { schemas: [GROUP], displayName: 'Versions' })
    const tag = { 'if-match': group.meta.version }
    const body = { schemas: [PATCH_OP], Operations: [{ op: 'replace', path: 'displayName', value: 'Versions 2' }] }
    expect((await scim.ask('PATCH', `/Groups/${group.id}`, body, tag)).status).toBe(204)
    expect((await scim.ask('DELETE', `/Groups/${group.id}`, undefined, tag)).status).toBe(412)
    const same = await scim.ask('POST', '/Groups', { schemas: [GROUP], displayName: 'VERSIONS 2' })
    expect(same).toMatchObject({ status: 409, body: { scimType: 'uniqueness' } })
  })

  it('changes nothing, and says nothing, where all is as it was', async () => {
    const user = await scim.make({ displayName: 'Same' })
    const again = await scim.ask('PUT', `/Users/${user.id}`, user)
    expect(again.body).toEqual(user)
    const events = await server.server.database.query(`select type from event where data ->> 'id' = $1`, [user.id])
    expect(events).toEqual([{ type: 'user.created' }])
  })
})

describe('lists', () => {
  it('are filtered by what there is, and paged', async () => {
    const own = await world.makeScim()
    const ids: string[] = []
    for (const [at, name] of ['Ann "A" Ames', 'Bob', 'Cem'].entries()) {
      const { id } = await own.make({
        externalId: `E${at}`,
        displayName: name,
        active: at !== 2,
        userName: `n${at}@${own.domain}`,
      })
      ids.push(id)
    }
    const found = async (filter: string) => {
      const { status, body } = await own.ask('GET', `/Users?filter=${encodeURIComponent(filter)}`)
      expect({ filter, status, detail: body.detail }).toEqual({ filter, status: 200, detail: undefined })
      return body.Resources.map(({ id }: { id: string }) => ids.indexOf(id)).toSorted()
    }
    expect(await found(`id eq "${ids[1]}"`)).toEqual([1])
    expect(await found('id eq "none"')).toEqual([])
    expect(await found('externalId eq "E0"')).toEqual([0])
    expect(await found('externalId eq "e0"')).toEqual([])
    expect(await found('displayName eq "ann \\"a\\" ames"')).toEqual([0])
    expect(await found('displayName co "O"')).toEqual([1])
    expect(await found('userName sw "N1"')).toEqual([1])
    expect(await found('userName ew "%"')).toEqual([])
    expect(await found('active eq true')).toEqual([0, 1])
    expect(await found('active eq "False"')).toEqual([2])
    expect(await found('not (active eq true) or externalId eq "E1"')).toEqual([1, 2])
    expect(await found('externalId pr and userName ne "x"')).toEqual([0, 1, 2])
    expect(await found(`emails[type eq "work" and value eq "N2@${own.domain}"]`)).toEqual([2])
    expect(await found('emails[type eq "home"]')).toEqual([])
    expect(await found('urn:ietf:params:scim:schemas:core:2.0:User:USERNAME gt "n0z"')).toEqual([1, 2])
    const page = await own.ask('GET', '/Users?startIndex=2&count=1&attributes=userName')
    expect(page.body).toMatchObject({ totalResults: 3, startIndex: 2, itemsPerPage: 1 })
    expect(Object.keys(page.body.Resources[0]).toSorted()).toEqual(['id', 'schemas', 'userName'])
    expect((await own.ask('GET', '/Users?startIndex=0&count=-5')).body).toMatchObject({
      totalResults: 3,
      startIndex: 1,
      Resources: [],
    })
    expect((await own.ask('GET', '/Users?startIndex=99')).body).toMatchObject({ totalResults: 3, Resources: [] })
    const groups = await own.ask('GET', `/Groups?filter=${encodeURIComponent('displayName eq "none"')}`)
    expect(groups.body.totalResults).toBe(0)
  })

  it.each([
    'userName eq',
    'userName',
    'userName eq x',
    'userName xx "a"',
    'userName eq 1',
    'title eq "a"',
    'meta.lastModified gt "2020-01-01"',
    'active gt true',
    'active eq "maybe"',
    'userName eq "a" and',
    '(userName eq "a"',
    `${'('.repeat(21)}userName eq "a"${')'.repeat(21)}`,
    'userName eq "a" '.padEnd(2_001, 'x'),
    `userName eq "${'\n'.repeat(40)}`,
    Array.from({ length: 51 }, () => 'userName eq "a"').join(' or '),
    '__proto__ eq "a"',
    'constructor eq "a"',
    '',
  ])('refuse the filter %j', async (filter) => {
    const { status, body } = await scim.ask('GET', `/Users?filter=${encodeURIComponent(filter)}`)
    expect({ status, scimType: body.scimType }).toEqual({ status: 400, scimType: 'invalidFilter' })
  })
})

describe('bad input', () => {
  const ops = (...Operations: unknown[]) => ({ schemas: [PATCH_OP], Operations })
  /** A value of which no text can be made. */
  const NO_TEXT = { toString: 1 }
  const op = (path: unknown, value: unknown = 'x', name = 'replace') => ops({ op: name, path, value })
  let user: string
  let group: string
  beforeAll(async () => {
    user = (await scim.make()).id
    group = (await scim.ask('POST', '/Groups', { schemas: [GROUP], displayName: 'Bad' })).body.id
  })

  it.each([
    ['POST', 'Users', { userName: 'x' }, 400, 'invalidSyntax'],
    ['POST', 'Users', { schemas: [GROUP], userName: 'x' }, 400, 'invalidSyntax'],
    ['POST', 'Users', [], 400, 'invalidSyntax'],
    ['POST', 'Users', '{"schemas":', 400, 'invalidSyntax'],
    ['POST', 'Users', person(undefined), 400, 'invalidValue'],
    ['POST', 'Users', person(7), 400, 'invalidValue'],
    ['POST', 'Users', person('no email'), 400, 'invalidValue'],
    ['POST', 'Users', person('eve@elsewhere.example'), 400, 'invalidValue'],
    ['POST', 'Users', person('x'.repeat(255)), 400, 'invalidValue'],
    ['POST', 'Users', person('a\u0000b'), 400, 'invalidValue'],
    ['POST', 'Users', person('u', { emails: 'x' }), 400, 'invalidValue'],
    ['POST', 'Users', person('u', { emails: [{ value: {} }] }), 400, 'invalidValue'],
    [
      'POST',
      'Users',
      person('u', { emails: Array.from({ length: 21 }, () => ({ value: 'a@b.c' })) }),
      400,
      'invalidValue',
    ],
    ['POST', 'Users', person('u', { active: 'perhaps' }), 400, 'invalidValue'],
    ['POST', 'Users', person('u', { name: 'Ann' }), 400, 'invalidValue'],
    ['PATCH', 'User', { Operations: [] }, 400, 'invalidSyntax'],
    ['PATCH', 'User', ops(), 400, 'invalidSyntax'],
    ['PATCH', 'User', ops(7), 400, 'invalidSyntax'],
    ['PATCH', 'User', ops({ op: 'move', path: 'active', value: true }), 400, 'invalidSyntax'],
    ['PATCH', 'User', ops({ op: 'remove' }), 400, 'noTarget'],
    ['PATCH', 'User', ops({ op: 'replace', path: 'active' }), 400, 'invalidValue'],
    ['PATCH', 'User', ops({ op: 'replace', value: 'x' }), 400, 'invalidValue'],
    ['PATCH', 'User', op('nothing'), 400, 'invalidPath'],
    ['PATCH', 'User', op('__proto__.polluted'), 400, 'invalidPath'],
    ['PATCH', 'User', op('constructor.prototype.polluted'), 400, 'invalidPath'],
    ['PATCH', 'User', ops({ op: 'add', value: { '__proto__.polluted': 'x' } }), 400, 'invalidPath'],
    ['PATCH', 'User', op('emails['), 400, 'invalidPath'],
    ['PATCH', 'User', op('emails[]'), 400, 'invalidFilter'],
    ['PATCH', 'User', op('emails[type gt "work"].value'), 400, 'invalidFilter'],
    ['PATCH', 'User', op('emails.nothing'), 400, 'invalidPath'],
    ['PATCH', 'User', op('userName.x'), 400, 'invalidPath'],
    ['PATCH', 'User', op(7), 400, 'invalidPath'],
    ['PATCH', 'User', op('x'.repeat(501)), 400, 'invalidPath'],
    ['PATCH', 'User', op('userName', null), 400, 'invalidValue'],
    ['PATCH', 'User', ops(...Array.from({ length: 1_001 }, () => ({ op: 'remove', path: 'name' }))), 400, 'tooMany'],
    ['POST', 'Groups', { schemas: [GROUP] }, 400, 'invalidValue'],
    ['POST', 'Groups', { schemas: [GROUP], displayName: 'x', members: [{ value: 'no id' }] }, 400, 'invalidValue'],
    [
      'POST',
      'Groups',
      { schemas: [GROUP], displayName: 'x', members: [{ value: crypto.randomUUID() }] },
      400,
      'invalidValue',
    ],
    [
      'POST',
      'Groups',
      { schemas: [GROUP], displayName: 'x', members: [{ value: crypto.randomUUID(), type: 'Group' }] },
      400,
      'invalidValue',
    ],
    ['POST', 'Groups', { schemas: [GROUP], displayName: 'x', members: [7] }, 400, 'invalidValue'],
    ['PATCH', 'Group', op('members[display co "x"]', undefined, 'remove'), 400, 'invalidFilter'],
    ['PATCH', 'Group', op('members.value'), 400, 'invalidPath'],
    ['PATCH', 'Group', op('displayName', ''), 400, 'invalidValue'],
    ['PATCH', 'Group', op('nothing'), 400, 'invalidPath'],
    ['POST', 'Users', person('u', { emails: [{ value: NO_TEXT, primary: NO_TEXT }] }), 400, 'invalidValue'],
    ['PATCH', 'User', op('phoneNumbers[type eq "work"].value', NO_TEXT), 400, 'invalidValue'],
    ['PATCH', 'User', op('emails', [{ value: NO_TEXT, primary: true }], 'add'), 400, 'invalidValue'],
    ['PATCH', 'Group', op('members', [{ value: 'x', type: NO_TEXT }], 'add'), 400, 'invalidValue'],
  ])('%s %s %j is %d %s', async (method, where, body, status, scimType) => {
    const path = { Users: '/Users', Groups: '/Groups', User: `/Users/${user}`, Group: `/Groups/${group}` }[where]!
    const { status: got, body: answer } = await scim.ask(method, path, body)
    expect({ status: got, ...answer, detail: typeof answer.detail }).toEqual({
      status: String(status),
      schemas: [ERROR],
      scimType,
      detail: 'string',
    })
    expect(got).toBe(status)
    expect(({} as { polluted?: unknown }).polluted).toBeUndefined()
  })

  it('is refused beyond 1 MB, of another type, and at addresses that there are not', async () => {
    expect((await scim.ask('POST', '/Users', 'x'.repeat(1_100_000))).status).toBe(413)
    const typed = await scim.ask('POST', '/Users', '<user/>', { 'content-type': 'application/xml' })
    expect(typed).toMatchObject({ status: 415, body: { schemas: [ERROR] } })
    for (const [method, path, status] of [
      ['GET', '/Nothing', 404],
      ['GET', '/Users/none', 404],
      ['GET', `/Users/${user}/more`, 404],
      ['POST', '/Bulk', 404],
      ['PUT', '/Users', 405],
      ['POST', `/Users/${user}`, 405],
      ['DELETE', '/Schemas', 405],
      ['GET', '/Users?count=many', 400],
      ['GET', '/Schemas?filter=x', 400],
      ['GET', '/Schemas/none', 404],
    ] as const) {
      const answer = await scim.ask(method, path, method === 'GET' || method === 'DELETE' ? undefined : {})
      expect({ method, path, status: answer.status, schemas: answer.body.schemas }).toEqual({
        method,
        path,
        status,
        schemas: [ERROR],
      })
    }
  })
})

describe('discovery', () => {
  it('says what there is, each by itself too', async () => {
    const { body } = await scim.ask('GET', '/ServiceProviderConfig')
    expect(body).toMatchObject({
      patch: { supported: true },
      bulk: { supported: false },
      filter: { maxResults: 200 },
      etag: { supported: true },
    })
    for (const [list, ids] of [
      ['ResourceTypes', ['User', 'Group']],
      ['Schemas', [USER, GROUP]],
    ] as const) {
      const all = await scim.ask('GET', `/${list}`)
      expect(all.body.Resources.map(({ id }: { id: string }) => id)).toEqual(ids)
      expect((await scim.ask('GET', `/${list}/${ids[0]}`)).body).toEqual(all.body.Resources[0])
    }
  })
})

describe('a group of 5,000', () => {
  it('is made in one request, looked through for rights, and takes no more', async () => {
    const own = await world.makeScim({ defaultRole: 'viewer' })
    const ids = await server.server.database.query<{ id: string }>(
      `with u as (
         insert into app_user (id, organization_id, org1, created_at, updated_at, email, role, status, provider)
         select gen_random_uuid(), $1, $1, now(), now(), 'g' || n || '@' || $2, 'viewer', 'queued', 'scim' from generate_series(1, 5001) n
         returning id, email)
       insert into scim_user (user_id, service_id, user_name, owned) select id, $3, email, '{email,status}' from u returning user_id as id`,
      [world.center.id, own.domain, own.service],
    )
    const members = ids.map(({ id }) => ({ value: id }))
    const group = { schemas: [GROUP], displayName: 'Everybody' }
    const many = await own.ask('POST', '/Groups', { ...group, members })
    expect(many).toMatchObject({ status: 400, body: { scimType: 'tooMany' } })
    const made = await own.ask('POST', '/Groups?excludedAttributes=members', { ...group, members: members.slice(1) })
    expect(made.status).toBe(201)
    const one = await own.patch(`/Groups/${made.body.id}`, { op: 'add', path: 'members', value: [members[0]] })
    expect(one).toMatchObject({ status: 400, body: { scimType: 'tooMany' } })
    await until(
      () =>
        server.server.database.query('select from scim_user where service_id = $1 and rights_due is not null limit 1', [
          own.service,
        ]),
      (due) => due.length === 0,
    )
    const all = await own.ask('GET', `/Groups/${made.body.id}`)
    expect(all.body.members).toHaveLength(5_000)
  })
})
