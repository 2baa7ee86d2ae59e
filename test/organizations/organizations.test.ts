import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import type { Role } from '../../src/platform/access/scopes.js'
import { ROLES } from '../../src/platform/access/scopes.js'
import { bootstrap } from '../../src/modules/organizations/bootstrap.js'
import { systemClock } from '../../src/platform/db/clock.js'
import { Database } from '../../src/platform/db/database.js'
import { makeEmptyDatabase } from '../support/database.js'
import { startIdentity, type Identity } from '../support/identity.js'
import type { MadeOrganization } from '../support/factories.js'

let api: Identity
let center: MadeOrganization
let customer: MadeOrganization
let branch: MadeOrganization
let foreign: MadeOrganization
const tokens = {} as Record<Role | 'customerAdmin' | 'foreignAdmin', string>

beforeAll(async () => {
  api = await startIdentity()
  center = await api.makeOrganization({ name: 'Center' })
  customer = await api.makeOrganization({ parent: center, name: 'Customer', country: 'NL' })
  branch = await api.makeOrganization({ parent: customer, name: 'Branch' })
  foreign = await api.makeOrganization({ name: 'Elsewhere' })
  for (const role of ROLES) tokens[role] = await tokenOf(center, role)
  tokens.customerAdmin = await tokenOf(customer, 'admin')
  tokens.foreignAdmin = await tokenOf(foreign, 'admin')
})
afterAll(() => api.close())

const tokenOf = async (organization: MadeOrganization, role: Role) =>
  api.tokenFor(await api.makeUser({ organization, role }))

const FIELDS = `id name displayName url email industry logo country locale parentId parent { id } path level status stopwords
  categories { name formIds } commands profileFields specifiedProfileFields tags meta createdAt updatedAt`
const CREATE = `mutation ($input: CreateOrganizationInput!, $key: String) {
  createOrganization(input: $input, idempotencyKey: $key) { ${FIELDS} } }`
const UPDATE = `mutation ($id: ID!, $patch: UpdateOrganizationInput!) { updateOrganization(id: $id, patch: $patch) { ${FIELDS} } }`
const DELETE = 'mutation ($id: ID!) { deleteOrganization(id: $id) }'
const FETCH = `query ($id: ID!) { organization(id: $id) { ${FIELDS} } }`
const LIST = `query ($filter: OrganizationFilter, $orderBy: [OrganizationOrder!]) {
  organizations(filter: $filter, orderBy: $orderBy, first: 100) { totalCount edges { node { ${FIELDS} } } } }`

describe('bootstrap', () => {
  const hashPassword = async (password: string) => `#${password}`

  async function onEmptyDatabase(work: (database: Database) => Promise<void>): Promise<void> {
    const { url, drop } = await makeEmptyDatabase()
    const database = await Database.open({ url, poolSize: 4, entities: [], log: { warn: () => undefined } })
    try {
      await database.migrate()
      await work(database)
    } finally {
      await database.close()
      await drop()
    }
  }

  it('creates one organization and its owner, even on three nodes concurrently, and nothing later', () =>
    onEmptyDatabase(async (database) => {
      const options = { database, clock: systemClock, adminEmail: undefined, adminPassword: undefined, hashPassword }
      const made = (await Promise.all([bootstrap(options), bootstrap(options), bootstrap(options)])).filter(Boolean)
      expect(made).toHaveLength(1)
      expect(made[0]).toMatchObject({ email: 'admin@localhost' })
      const rows = await database.query(
        `select u.email, u.password_hash, u.role, u.status, o.level, o.parent_id
         from app_user u join organization o on o.id = u.organization_id`,
      )
      const hash = `#${made[0]!.generatedPassword}`
      expect(rows).toEqual([
        { email: 'admin@localhost', password_hash: hash, role: 'owner', status: 'active', level: 1, parent_id: null },
      ])
      expect(await bootstrap(options)).toBeNull()
    }))

  it('uses the given email and password, and then prints none', () =>
    onEmptyDatabase(async (database) => {
      const options = { database, clock: systemClock, adminEmail: 'a@b.c', adminPassword: 'longenough', hashPassword }
      expect(await bootstrap(options)).toMatchObject({ email: 'a@b.c', generatedPassword: null })
    }))
})

describe('createOrganization', () => {
  it("creates a child of the caller's organization if no parent is given (2.4)", async () => {
    const { data } = await api.run(tokens.admin, CREATE, { input: { name: 'Fresh' } })
    const made = data.createOrganization as Record<string, unknown>
    expect(made).toMatchObject({
      name: 'Fresh',
      parentId: center.id,
      parent: { id: center.id },
      path: `${center.id}#${made.id}`,
      level: 2,
      status: 'ACTIVE',
    })
    expect(made).toMatchObject({
      displayName: null,
      country: null,
      tags: null,
      meta: null,
      specifiedProfileFields: null,
    })
    expect(await api.eventsOf(made.id as string)).toEqual(['organization.created'])
  })

  it('stores every field, and creates level 3 below level 2', async () => {
    const form = await makeForm({ tags: ['shared'] })
    const input = {
      name: 'Full',
      displayName: 'Full Ltd',
      url: 'www.full.example',
      email: 'info@full.example',
      industry: 'retail',
      logo: 'https://full.example/logo.png',
      country: 'de',
      locale: 'de_DE',
      parent: customer.id,
      stopwords: ['null', ' spaced ', 'a"b\\c', 'line\nbreak', '{x,y}'],
      commands: ['> help'],
      tags: ['shared'],
      categories: [{ name: 'Sales', forms: [form.toUpperCase()] }, { name: 'Support' }],
      meta: { crm: { id: 7 } },
      profileFields: { email: { label: 'Mail' }, 'address.postalCode': { label: 'PLZ', enabled: false } },
    }
    const { data } = await api.run(tokens.owner, CREATE, { input })
    const made = data.createOrganization as Record<string, unknown>
    const expected = {
      ...input,
      country: 'DE',
      level: 3,
      categories: [
        { name: 'Sales', formIds: [form] },
        { name: 'Support', formIds: [] },
      ],
      profileFields: {
        email: { label: 'Mail', enabled: true },
        'address.postalCode': { label: 'PLZ', enabled: false },
      },
      parent: { id: customer.id },
      path: [...customer.path, made.id].join('#'),
    }
    expect(made).toMatchObject(expected)
    const fetched = await api.run(tokens.bot, FETCH, { id: made.id })
    expect(fetched.data.organization).toEqual(made)
    const listed = await api.run(tokens.bot, LIST, { filter: { id: { eq: made.id } } })
    expect((listed.data.organizations as { edges: { node: unknown }[] }).edges[0]!.node).toEqual(made)
  })

  it('returns the first response again for the same idempotency key', async () => {
    const first = await api.run(tokens.admin, CREATE, { input: { name: 'Once' }, key: 'k1' })
    const again = await api.run(tokens.admin, CREATE, { input: { name: 'Once' }, key: 'k1' })
    expect(again.data).toEqual(first.data)
    const other = await api.run(tokens.admin, CREATE, { input: { name: 'Twice' }, key: 'k1' })
    expect(other.code).toBe('UNPROCESSABLE')
  })

  it('refuses a fourth level', async () => {
    const { code, field } = await api.run(tokens.admin, CREATE, { input: { name: 'Deep', parent: branch.id } })
    expect({ code, field }).toEqual({ code: 'UNPROCESSABLE', field: 'parent' })
  })

  it('requires an administrator of level 1 (4.3)', async () => {
    expect((await api.run(tokens.customerAdmin, CREATE, { input: { name: 'Sub' } })).code).toBe('FORBIDDEN')
  })

  it('does not find a parent in another tenant', async () => {
    const { code, message } = await api.run(tokens.admin, CREATE, { input: { name: 'X', parent: foreign.id } })
    expect(code).toBe('NOT_FOUND')
    expect(message).toContain('parent')
  })

  // [2.4 profileFields]
  it.each<[string, Record<string, unknown>, string]>([
    ['a blank name', { name: ' ' }, 'name'],
    ['a name with a null byte', { name: 'a\0b' }, 'name'],
    ['a name of 100,000 characters', { name: 'x'.repeat(100_000) }, 'name'],
    ['a lone surrogate', { displayName: '\ud800' }, 'displayName'],
    ['a long country', { country: 'NLD' }, 'country'],
    ['a strange locale', { locale: 'dutch' }, 'locale'],
    ['a script for a logo', { logo: 'javascript:alert(1)' }, 'logo'],
    ['a category twice', { categories: [{ name: 'A' }, { name: 'A' }] }, 'categories[1].name'],
    ['a form that is no id', { categories: [{ name: 'A', forms: ['x'] }] }, 'categories[0].forms[0]'],
    ['an unknown profile field', { profileFields: { shoeSize: { label: 'x' } } }, 'profileFields.shoeSize'],
    ['a used profile field without label', { profileFields: { email: {} } }, 'profileFields.email.label'],
    ['a label that is no text', { profileFields: { email: { label: 5 } } }, 'profileFields.email.label'],
    ['a prototype key', { profileFields: JSON.parse('{"__proto__": {"label": "x"}}') }, 'profileFields.__proto__'],
    ['a prototype key in meta', { meta: JSON.parse('{"a": {"__proto__": 1}}') }, 'meta.a.__proto__'],
    ['a system key in meta', { meta: { _source: 1 } }, 'meta._source'],
    ['an empty stopword', { stopwords: ['a', ''] }, 'stopwords[1]'],
  ])('refuses %s, naming the field', async (_, given, named) => {
    const before = await count()
    const { code, field, message } = await api.run(tokens.admin, CREATE, { input: { name: 'Bad', ...given } })
    expect({ code, field }).toEqual({ code: 'BAD_USER_INPUT', field: named })
    expect(message!.length).toBeLessThan(500)
    expect(await count()).toBe(before)
  })

  it('refuses a body of 10 MB before it is read as GraphQL', async () => {
    const { code } = await api.run(tokens.admin, CREATE, { input: { name: 'x'.repeat(10_000_000) } })
    expect(code).toBe('BAD_USER_INPUT')
  })

  async function makeForm({ tags }: { tags: string[] }): Promise<string> {
    const [made] = await api.sql<{ id: string }>(
      `insert into form (id, organization_id, org1, created_at, updated_at, name, tags)
       values (gen_random_uuid(), $1, $1, now(), now(), 'A form', $2) returning id`,
      [center.id, tags],
    )
    return made!.id
  }

  const count = async () => (await api.sql<{ n: number }>('select count(*) as n from organization'))[0]!.n
})

describe('updateOrganization', () => {
  it('changes only the keys given; null clears; arrays and objects replace', async () => {
    const { data } = await api.run(tokens.admin, CREATE, {
      input: { name: 'Patched', industry: 'it', tags: ['a', 'b'], meta: { a: 1, b: 2 }, categories: [{ name: 'Old' }] },
    })
    const { id } = data.createOrganization as { id: string }
    const { data: after } = await api.run(tokens.admin, UPDATE, {
      id,
      patch: { industry: null, tags: ['c'], meta: { c: 3 }, categories: [] },
    })
    expect(after.updateOrganization).toMatchObject({
      name: 'Patched',
      industry: null,
      tags: ['c'],
      meta: { c: 3 },
      categories: [],
      level: 2,
      parentId: center.id,
    })
    const { data: cleared } = await api.run(tokens.admin, UPDATE, {
      id,
      patch: { tags: null, meta: null, categories: null },
    })
    expect(cleared.updateOrganization).toMatchObject({ tags: null, meta: null, categories: null })
    expect(await api.eventsOf(id)).toEqual(['organization.created', 'organization.updated', 'organization.updated'])
  })

  it("keeps the system's meta keys when a client replaces the rest", async () => {
    const { id } = await api.makeOrganization({ parent: center })
    await api.sql(`update organization set meta = '{"_synced": true, "a": 1}' where id = $1`, [id])
    const { data } = await api.run(tokens.admin, UPDATE, { id, patch: { meta: { b: 2 } } })
    expect(data.updateOrganization).toMatchObject({ meta: { _synced: true, b: 2 } })
  })

  it('has no parent, path or level to change', async () => {
    for (const patch of [{ parent: center.id }, { level: 1 }, { path: 'x' }, { status: 'active' }]) {
      expect((await api.run(tokens.admin, UPDATE, { id: branch.id, patch })).code).toBe('BAD_USER_INPUT')
    }
    expect((await api.run(tokens.admin, UPDATE, { id: branch.id, patch: { name: null } })).field).toBe('name')
  })

  it("includes the caller's organization and those below it, none above or unrelated", async () => {
    const rename = (id: string) => api.run(tokens.customerAdmin, UPDATE, { id, patch: { industry: 'x' } })
    expect((await rename(customer.id)).code).toBeUndefined()
    expect((await rename(branch.id)).code).toBeUndefined()
    expect((await rename(center.id)).code).toBe('NOT_FOUND')
    expect((await rename(foreign.id)).code).toBe('NOT_FOUND')
  })
})

describe('profileFields', () => {
  it.each([
    [null, 'First Name', 'Zip Code'],
    ['NL', 'Achternaam', 'Postcode'],
    ['DE', 'Nachname', 'Postleitzahl'],
    ['CH', 'Nachname', 'Postleitzahl'],
    ['FR', 'First Name', 'Zip Code'],
  ])(
    'are all enabled with the labels of country %s when unspecified (2.4)',
    async (country, familyName, postalCode) => {
      const { data } = await api.run(tokens.admin, CREATE, { input: { name: 'Labels', country } })
      const { profileFields } = data.createOrganization as {
        profileFields: Record<string, { enabled: boolean; label: string }>
      }
      expect(Object.keys(profileFields)).toHaveLength(15)
      expect(Object.values(profileFields).every(({ enabled }) => enabled)).toBe(true)
      expect(profileFields.familyName).toEqual({ label: familyName, enabled: true })
      expect(profileFields['address.postalCode']!.label).toBe(postalCode)
    },
  )
})

describe('deleteOrganization', () => {
  it('is refused while it owns records, and names these', async () => {
    const parent = await api.makeOrganization({ parent: center })
    await api.makeOrganization({ parent })
    await api.makeUser({ organization: parent })
    await api.sql(
      `insert into channel (id, organization_id, org1, org2, created_at, updated_at, name)
       values (gen_random_uuid(), $1, $2, $1, now(), now(), 'c')`,
      [parent.id, center.id],
    )
    const { code, message } = await api.run(tokens.admin, DELETE, { id: parent.id })
    expect(code).toBe('UNPROCESSABLE')
    expect(message).toContain('still has users, channels, sub-organizations')
  })

  it('deletes an empty one, and removes it from its groups', async () => {
    const { id } = await api.makeOrganization({ parent: center })
    const group = await makeGroup([id, branch.id])
    expect((await api.run(tokens.admin, DELETE, { id })).data).toEqual({ deleteOrganization: id })
    expect((await api.run(tokens.admin, FETCH, { id })).code).toBe('NOT_FOUND')
    const { data } = await api.run(tokens.admin, 'query ($id: ID!) { organizationGroup(id: $id) { memberIds } }', {
      id: group,
    })
    expect(data.organizationGroup).toEqual({ memberIds: [branch.id] })
    expect(await api.eventsOf(id)).toEqual(['organization.deleted'])
  })

  it("does not find another tenant's", async () => {
    expect((await api.run(tokens.admin, DELETE, { id: foreign.id })).code).toBe('NOT_FOUND')
    expect((await api.run(tokens.admin, DELETE, { id: 'nonsense' })).code).toBe('NOT_FOUND')
  })
})

const CREATE_GROUP = `mutation ($input: CreateOrganizationGroupInput!) { createOrganizationGroup(input: $input) {
  id name orgPath organizationId organization { name } memberIds members { name } } }`
const UPDATE_GROUP = `mutation ($id: ID!, $patch: UpdateOrganizationGroupInput!) {
  updateOrganizationGroup(id: $id, patch: $patch) { name memberIds } }`

async function makeGroup(members: string[]): Promise<string> {
  const { data } = await api.run(tokens.admin, CREATE_GROUP, { input: { name: 'G', members } })
  return (data.createOrganizationGroup as { id: string }).id
}

describe('organization groups', () => {
  it('hold each member once, in the order given', async () => {
    const input = { name: 'Shops', members: [branch.id, customer.id, branch.id] }
    const { data } = await api.run(tokens.admin, CREATE_GROUP, { input })
    expect(data.createOrganizationGroup).toMatchObject({
      name: 'Shops',
      organizationId: center.id,
      orgPath: center.id,
      organization: { name: 'Center' },
      memberIds: [branch.id, customer.id],
      members: [{ name: 'Branch' }, { name: 'Customer' }],
    })
  })

  it('are changed, found by member, and deleted', async () => {
    const id = await makeGroup([branch.id])
    const { data } = await api.run(tokens.admin, UPDATE_GROUP, { id, patch: { members: [customer.id] } })
    expect(data.updateOrganizationGroup).toEqual({ name: 'G', memberIds: [customer.id] })
    const find = `query ($id: ID!, $group: ID!) {
      organizationGroups(filter: { members: { eq: $id }, id: { eq: $group } }) { edges { node { id memberIds } } } }`
    const found = await api.run(tokens.bot, find, { id: customer.id, group: id })
    expect(found.data.organizationGroups).toEqual({ edges: [{ node: { id, memberIds: [customer.id] } }] })
    await api.run(tokens.admin, 'mutation ($id: ID!) { deleteOrganizationGroup(id: $id) }', { id })
    expect((await api.run(tokens.bot, find, { id: customer.id, group: id })).data.organizationGroups).toEqual({
      edges: [],
    })
    const types = (await api.eventsOf(center.id)).filter((type) => type.startsWith('organizationGroup.'))
    expect(types.slice(-3)).toEqual([
      'organizationGroup.created',
      'organizationGroup.updated',
      'organizationGroup.deleted',
    ])
  })

  it('refuse members and owners of another tenant', async () => {
    const member = await api.run(tokens.admin, CREATE_GROUP, { input: { name: 'G', members: [branch.id, foreign.id] } })
    expect(member).toMatchObject({ code: 'NOT_FOUND', message: expect.stringContaining('members[1]') })
    const owner = await api.run(tokens.admin, CREATE_GROUP, { input: { name: 'G', organization: foreign.id } })
    expect(owner.code).toBe('NOT_FOUND')
    const id = await makeGroup([branch.id])
    expect((await api.run(tokens.foreignAdmin, UPDATE_GROUP, { id, patch: { name: 'Mine' } })).code).toBe('NOT_FOUND')
  })
})

describe('section 5', () => {
  const group = 'organizationGroup(id: "00000000-0000-7000-8000-000000000000") { id }'
  const operations: [string, string, readonly Role[]][] = [
    ['list organizations', '{ organizations { totalCount } }', ['bot', 'admin', 'owner']],
    ['list groups', '{ organizationGroups { totalCount } }', ['bot', 'admin', 'owner']],
    ['fetch an organization', '{ organization(id: "x") { id } }', ['bot', 'admin', 'owner']],
    ['fetch a group', `{ ${group} }`, ['bot', 'admin', 'owner']],
    ['create an organization', 'mutation { createOrganization(input: { name: "" }) { id } }', ['admin', 'owner']],
    ['update an organization', 'mutation { updateOrganization(id: "x", patch: {}) { id } }', ['admin', 'owner']],
    ['delete an organization', 'mutation { deleteOrganization(id: "x") }', ['admin', 'owner']],
    ['create a group', 'mutation { createOrganizationGroup(input: { name: "" }) { id } }', ['admin', 'owner']],
    ['update a group', 'mutation { updateOrganizationGroup(id: "x", patch: {}) { id } }', ['admin', 'owner']],
    ['delete a group', 'mutation { deleteOrganizationGroup(id: "x") }', ['admin', 'owner']],
  ]
  it.each(operations)('decides who may %s', async (_, query, allowed) => {
    for (const role of ROLES) {
      const { code } = await api.run(tokens[role], query)
      expect([role, code === 'FORBIDDEN']).toEqual([role, !allowed.includes(role)])
    }
    expect((await api.run(null, query)).code).toBe('UNAUTHENTICATED')
  })

  it("shows the caller's own tenant only", async () => {
    const { data } = await api.run(tokens.foreignAdmin, LIST)
    expect(data.organizations).toMatchObject({ totalCount: 1, edges: [{ node: { id: foreign.id } }] })
    expect((await api.run(tokens.foreignAdmin, FETCH, { id: branch.id })).code).toBe('NOT_FOUND')
  })
})
