import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { readEvents } from '../../src/platform/events/streams.js'
import type { MadeOrganization, MadeUser } from '../support/factories.js'
import { recordOperations } from '../support/record-operations.js'
import { startTestServer, type TestServer } from '../support/test-server.js'

let app: TestServer
let center: MadeOrganization
let customer: MadeOrganization
let branch: MadeOrganization
let centerAdmin: MadeUser
let admin: MadeUser
let bot: MadeUser
let agent: MadeUser
let rivalAdmin: MadeUser

beforeAll(async () => {
  app = await startTestServer()
  center = await app.makeOrganization({ name: 'Center' })
  customer = await app.makeOrganization({ parent: center, name: 'Customer' })
  branch = await app.makeOrganization({ parent: customer, name: 'Branch' })
  const rival = await app.makeOrganization({ parent: center, name: 'Rival' })
  centerAdmin = await app.makeUser({ organization: center, role: 'admin' })
  admin = await app.makeUser({ organization: customer, role: 'admin' })
  bot = await app.makeUser({ organization: customer, role: 'bot' })
  agent = await app.makeUser({ organization: customer })
  rivalAdmin = await app.makeUser({ organization: rival, role: 'admin' })
})
afterAll(() => app.close())

const FIELDS = `id organizationId organization { name } name isStatic email tags meta isTemplate createdAt updatedAt
  fields { id key label type required options placeholder default pattern min max profileField }`

interface FormData {
  id: string
  fields: { id: string; key: string; default: unknown }[]
  [key: string]: unknown
}

const { create, made, update, remove, fetched } = recordOperations<FormData>(() => app, 'Form', FIELDS)

const ORDER = {
  name: 'Order',
  isStatic: true,
  email: ['Sales@Example.com', 'sales@example.com'],
  meta: { crm: 'orders' },
  fields: [
    { key: 'email', label: 'Your address', type: 'EMAIL', required: true, profileField: 'email' },
    { key: 'colour', type: 'SELECT', options: ['red', 'blue'], default: 'red' },
    { key: 'postcode', pattern: '[0-9]{4} ?[A-Z]{2}', placeholder: '1234 AB', max: 7 },
  ],
}

describe('a form', () => {
  it('is created with its fields, and read back', async () => {
    const form = await made(bot, ORDER)
    expect(form).toMatchObject({
      organizationId: customer.id,
      organization: { name: 'Customer' },
      name: 'Order',
      isStatic: true,
      tags: [],
      email: ['sales@example.com'],
      meta: { crm: 'orders' },
      isTemplate: false,
    })
    expect(form.fields).toMatchObject([
      { key: 'email', label: 'Your address', type: 'EMAIL', required: true, options: [], profileField: 'email' },
      { key: 'colour', label: 'colour', type: 'SELECT', options: ['red', 'blue'], default: 'red', required: false },
      { key: 'postcode', type: 'TEXT', pattern: '[0-9]{4} ?[A-Z]{2}', placeholder: '1234 AB', max: 7, min: null },
    ])
    expect((await fetched(admin, form.id)).data.form).toEqual(form)
  })

  it('keeps the ids of its fields by their keys when they are replaced', async () => {
    const { id, fields } = await made(bot, { name: 'Ids', fields: [{ key: 'a' }, { key: 'b' }] })
    const patch = { fields: [{ key: 'b', label: 'B' }, { key: 'c' }] }
    const changed = (await update(bot, id, patch)).data.updateForm
    expect(changed!.fields.map(({ key }) => key)).toEqual(['b', 'c'])
    expect(changed!.fields[0]!.id).toBe(fields[1]!.id)
    expect(fields.map((field) => field.id)).not.toContain(changed!.fields[1]!.id)
  })

  it('changes only the keys given; null clears; fields replace (section 1)', async () => {
    const { id, fields } = await made(bot, { ...ORDER, name: 'Patched' })
    const changed = (await update(bot, id, { isStatic: null, email: null, meta: { b: 1 } })).data.updateForm
    expect(changed).toMatchObject({ name: 'Patched', isStatic: false, email: [], meta: { b: 1 }, fields })
    expect((await update(bot, id, { fields: null, meta: null })).data.updateForm).toMatchObject({
      fields: [],
      meta: null,
    })
  })

  it('has a unique name in its organization, by which rules refer to it (4.6)', async () => {
    const { id } = await made(bot, { name: 'Unique' })
    const other = await made(bot, { name: 'Another' })
    await made(admin, { name: 'Unique', organization: branch.id })
    await made(rivalAdmin, { name: 'Unique' })
    for (const { errors } of [await create(bot, { name: 'Unique' }), await update(bot, other.id, { name: 'Unique' })]) {
      expect(errors?.[0]).toMatchObject({
        message: expect.stringContaining('"Unique"'),
        extensions: { code: 'UNPROCESSABLE', field: 'name' },
      })
    }
    expect((await update(bot, id, { name: 'Unique' })).errors).toBeUndefined()
  })

  it.each([
    [{ name: ' ' }, 'name'],
    [{ name: 'F', email: ['nobody'] }, 'email[0]'],
    [{ name: 'F', fields: [{ key: 'a' }, { key: 'a' }] }, 'fields[1].key'],
    [{ name: 'F', fields: [{ key: 'a', type: 'NUMBER', default: 'x' }] }, 'fields[0].default'],
    [{ name: 'F', fields: [{ key: 'a', pattern: '(?<=a)b' }] }, 'fields[0].pattern'],
    [{ name: 'F', meta: { _a: 1 } }, 'meta._a'],
    [{ name: 'F', tags: [''] }, 'tags[0]'],
  ])('refuses %j, naming %s', async (input, field) => {
    expect((await create(admin, input)).errors?.[0]?.extensions).toMatchObject({ code: 'BAD_USER_INPUT', field })
  })

  it('returns the first response again for the same idempotency key', async () => {
    const first = await create(bot, { name: 'Once' }, 'form-once')
    const second = await create(bot, { name: 'Once' }, 'form-once')
    expect(second).toEqual(first)
    expect((await create(bot, { name: 'Twice' }, 'form-once')).errors?.[0]?.extensions.code).toBe('UNPROCESSABLE')
  })

  it('emits events of every change to the organization’s stream, without addresses', async () => {
    const { id } = await made(bot, { name: 'Told', email: ['boss@example.com'] })
    await update(bot, id, { name: 'Told again' })
    await remove(admin, id)
    const events = await readEvents(app.server.database, `organization:${customer.id}`, 0, 1_000)
    const mine = events.filter(({ data }) => data.id === id)
    expect(mine.map(({ type, data }) => [type, data.name])).toEqual([
      ['form.created', 'Told'],
      ['form.updated', 'Told again'],
      ['form.deleted', 'Told again'],
    ])
    expect(JSON.stringify(mine)).not.toContain('boss')
    expect((await fetched(admin, id)).errors?.[0]?.extensions.code).toBe('NOT_FOUND')
  })

  it('is for the scopes of section 5', async () => {
    const { id } = await made(bot, { name: 'Scoped' })
    const list = '{ forms { totalCount } }'
    const refused = [
      await app.gql(agent, list),
      await create(agent, { name: 'Not' }),
      await update(agent, id, {}),
      await fetched(bot, id),
      await remove(bot, id),
    ]
    for (const { errors } of refused) expect(errors?.[0]?.extensions.code).toBe('FORBIDDEN')
    expect((await app.gql(bot, list)).errors).toBeUndefined()
  })

  it("is not found by another tenant's administrator", async () => {
    const { id } = await made(bot, { name: 'Ours' })
    const answers = [
      await fetched(rivalAdmin, id),
      await update(rivalAdmin, id, { name: 'Mine' }),
      await remove(rivalAdmin, id),
    ]
    for (const { errors } of answers) expect(errors?.[0]?.extensions.code).toBe('NOT_FOUND')
    expect(
      (await create(rivalAdmin, { name: 'Planted', organization: customer.id })).errors?.[0]?.extensions.code,
    ).toBe('NOT_FOUND')
  })
})

describe('forms of a category', () => {
  const CATEGORIES = 'categories { name formIds forms { id name email isTemplate fields { key } } }'

  function setCategories(as: MadeUser, organization: MadeOrganization, categories: object[]) {
    return app.gql<{ updateOrganization: { categories: { formIds: string[]; forms: FormData[] }[] } }>(
      as,
      `mutation ($id: ID!, $patch: UpdateOrganizationInput!) {
        updateOrganization(id: $id, patch: $patch) { ${CATEGORIES} }
      }`,
      { id: organization.id, patch: { categories } },
    )
  }

  it('are forms of the organization, or of one below it', async () => {
    const own = await made(admin, { name: 'Own topic', fields: [{ key: 'a' }], email: ['x@example.com'] })
    const below = await made(admin, { name: 'Topic below', organization: branch.id })
    const { data } = await setCategories(admin, customer, [
      { name: 'Sales', forms: [own.id.toUpperCase(), below.id] },
      { name: 'None' },
    ])
    const [sales, none] = data.updateOrganization.categories
    expect(sales!.formIds).toEqual([own.id, below.id])
    // Whoever sees the organization sees what its categories ask, not whom the results are mailed to.
    expect(sales!.forms[0]).toEqual({
      id: own.id,
      name: 'Own topic',
      email: [],
      isTemplate: false,
      fields: [{ key: 'a' }],
    })
    expect(none).toMatchObject({ formIds: [], forms: [] })
  })

  it('must not be forms of organizations above it, unrelated or unknown', async () => {
    const above = await made(centerAdmin, { name: 'Above' })
    const beside = await made(rivalAdmin, { name: 'Beside' })
    for (const { id } of [above, beside, { id: app.clock.newId() }]) {
      const { errors } = await setCategories(admin, customer, [{ name: 'A' }, { name: 'B', forms: [id] }])
      expect(errors?.[0]?.extensions).toMatchObject({ code: 'NOT_FOUND', field: 'categories[1].forms[0]' })
    }
    // What the writer sees is not what the organization sees.
    const { errors } = await setCategories(centerAdmin, customer, [{ name: 'B', forms: [beside.id] }])
    expect(errors?.[0]?.extensions.code).toBe('NOT_FOUND')
  })

  it('are removed from it when they are deleted, and the organization’s stream gets an event', async () => {
    const [kept, gone] = [await made(admin, { name: 'Kept' }), await made(admin, { name: 'Gone' })]
    await setCategories(admin, customer, [
      { name: 'A', forms: [gone.id, kept.id] },
      { name: 'B', forms: [gone.id] },
      { name: 'C' },
    ])
    expect((await remove(admin, gone.id)).data.deleteForm).toBe(gone.id)
    const { data } = await app.gql(admin, `query ($id: ID!) { organization(id: $id) { ${CATEGORIES} } }`, {
      id: customer.id,
    })
    const categories = data.organization.categories as { name: string; formIds: string[] }[]
    expect(categories.map(({ name, formIds }) => [name, formIds])).toEqual([
      ['A', [kept.id]],
      ['B', []],
      ['C', []],
    ])
    const events = await readEvents(app.server.database, `organization:${customer.id}`, 0, 1_000)
    expect(
      events
        .slice(-2)
        .map(({ type }) => type)
        .toSorted(),
    ).toEqual(['form.deleted', 'organization.updated'])
  })

  it('are populated in /v2, where forms have list, fetch, create, PATCH and DELETE', async () => {
    const { status, body: form } = await app.rest(admin, 'POST', '/v2/forms', {
      name: 'Over REST',
      fields: [{ key: 'age', type: 'number', min: 0, required: true }],
    })
    expect(status).toBe(201)
    expect(form).toEqual({
      id: form.id,
      organization: customer.id,
      name: 'Over REST',
      isStatic: false,
      email: [],
      tags: [],
      isTemplate: false,
      fields: [
        {
          id: expect.any(String),
          key: 'age',
          label: 'age',
          name: 'age',
          type: 'number',
          required: true,
          options: [],
          min: 0,
        },
      ],
      createdAt: expect.any(String),
      updatedAt: expect.any(String),
    })
    expect((await app.rest(admin, 'GET', `/v2/forms/${form.id}`)).body).toEqual(form)
    expect((await app.rest(bot, 'GET', `/v2/forms?name=${encodeURIComponent('^Over')}&isStatic=false`)).body).toEqual([
      form,
    ])
    const patched = await app.rest(admin, 'PATCH', `/v2/forms/${form.id}`, { isStatic: true })
    expect([patched.status, patched.body.isStatic, patched.body.fields]).toEqual([200, true, form.fields])

    const categories = [{ name: 'REST', forms: [form.id] }]
    const organization = `/v2/organizations/${customer.id}`
    expect((await app.rest(admin, 'PATCH', organization, { categories })).body.categories).toEqual(categories)
    const populated = await app.rest(admin, 'GET', `${organization}?populate=categories.forms`)
    expect(populated.body.categories[0].forms).toMatchObject([{ id: form.id, name: 'Over REST', fields: form.fields }])

    expect((await app.rest(admin, 'DELETE', `/v2/forms/${form.id}`)).status).toBe(204)
    expect((await app.rest(admin, 'GET', `/v2/forms/${form.id}`)).status).toBe(404)
    expect((await app.rest(admin, 'GET', organization)).body.categories).toEqual([{ name: 'REST', forms: [] }])
  })
})
