import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { ContactExists, insertContact } from '../../src/modules/contacts/insert-contact.js'
import { readEvents } from '../../src/platform/events/streams.js'
import type { MadeOrganization, MadeUser } from '../support/factories.js'
import { recordOperations } from '../support/record-operations.js'
import { startTestServer, type TestServer } from '../support/test-server.js'

let app: TestServer
let customer: MadeOrganization
let branch: MadeOrganization
let rival: MadeOrganization
let admin: MadeUser
let bot: MadeUser
let agent: MadeUser
let rivalAdmin: MadeUser

beforeAll(async () => {
  app = await startTestServer()
  const center = await app.makeOrganization({ name: 'Center', country: 'NL' })
  customer = await app.makeOrganization({ parent: center, name: 'Customer' })
  branch = await app.makeOrganization({ parent: customer, name: 'Branch', country: 'DE' })
  rival = await app.makeOrganization({ parent: center, name: 'Rival' })
  admin = await app.makeUser({ organization: customer, role: 'admin' })
  bot = await app.makeUser({ organization: customer, role: 'bot' })
  agent = await app.makeUser({ organization: customer })
  rivalAdmin = await app.makeUser({ organization: rival, role: 'admin' })
})
afterAll(() => app.close())

const FIELDS = `id organizationId orgPath meta status createdAt updatedAt
  profile { name telephone email givenName familyName worksFor address { city postalCode } }`

interface ContactData {
  id: string
  organizationId: string
  profile: Record<string, unknown>
  meta: object | null
  status: string
}

const { create, made, update, remove, fetched } = recordOperations<ContactData>(() => app, 'Contact', FIELDS)

async function listed(as: MadeUser, filter: object, orderBy: object[] = []): Promise<string[]> {
  const { data, errors } = await app.gql<{ contacts: { edges: { node: { id: string } }[] } }>(
    as,
    `query ($filter: ContactFilter, $orderBy: [ContactOrder!]) {
      contacts(filter: $filter, orderBy: $orderBy, first: 100) { edges { node { id } } }
    }`,
    { filter, orderBy },
  )
  expect(errors).toBeUndefined()
  return data.contacts.edges.map(({ node }) => node.id)
}

async function makeConversation(contact: string, status: string): Promise<string> {
  const id = app.clock.newId()
  await app.server.database.query(
    `insert into conversation (id, organization_id, org1, org2, created_at, updated_at, type, name, slug, status,
       contact_id)
     select $1, organization_id, org1, org2, now(), now(), 'contact', 'A talk', $2, $3, id from contact where id = $4`,
    [id, id, status, contact],
  )
  return id
}

async function eventsOf(contact: string) {
  const events = await readEvents(app.server.database, `organization:${customer.id}`, 0, 1_000)
  return events.filter(({ data }) => data.id === contact)
}

describe('creating a contact', () => {
  it('stores profile and metadata and emits an event to the organization’s stream', async () => {
    const contact = await made(bot, {
      profile: { givenName: 'Jane', familyName: 'Doe', email: 'Jane@Example.com', address: { city: 'Amsterdam' } },
      meta: { crm: 7 },
    })
    expect(contact).toMatchObject({
      organizationId: customer.id,
      orgPath: customer.path.join('#'),
      profile: { name: 'Jane Doe', email: 'jane@example.com', telephone: null, address: { city: 'Amsterdam' } },
      meta: { crm: 7 },
      status: 'ACTIVE',
    })
    expect((await fetched(bot, contact.id)).data.contact).toEqual(contact)
    expect(await eventsOf(contact.id)).toMatchObject([
      { type: 'contact.created', data: { organization: customer.id, profile: { email: 'jane@example.com' } } },
    ])
  })

  it("interprets a national telephone number in the organization’s country, or in the nearest ancestor's", async () => {
    const dutch = await made(admin, { profile: { telephone: '06 22222222' } })
    expect(dutch.profile.telephone).toBe('+31622222222')
    const german = await made(admin, { organization: branch.id, profile: { telephone: '030 901820' } })
    expect(german.profile.telephone).toBe('+4930901820')
  })

  it('creates an anonymous contact without a profile', async () => {
    expect(await made(bot, {})).toMatchObject({ profile: { name: null, email: null }, meta: null })
  })

  it.each(['email', 'telephone'])('is refused when its %s is known, naming contact and conversation', async (key) => {
    const value = { email: 'twice@example.com', telephone: '+31633333333' }[key]!
    const first = await made(bot, { profile: { [key]: value } })
    const before = await create(bot, { profile: { [key]: value.toUpperCase() } })
    expect(before.errors?.[0]?.extensions).toMatchObject({
      code: 'UNPROCESSABLE',
      contact: first.id,
      field: `profile.${key}`,
    })
    expect(before.errors?.[0]?.extensions.conversation).toBeUndefined()
    await makeConversation(first.id, 'closed')
    const newest = await makeConversation(first.id, 'closed')
    const after = await create(bot, { profile: { [key]: value } })
    expect(after.errors?.[0]?.extensions).toMatchObject({ contact: first.id, conversation: newest })
  })

  it('allows the same consumer in another organization', async () => {
    const profile = { email: 'shared@example.com' }
    const contacts = [
      await made(admin, { profile }),
      await made(rivalAdmin, { profile }),
      await made(admin, { organization: branch.id, profile }),
    ]
    expect(contacts.map(({ organizationId }) => organizationId)).toEqual([customer.id, rival.id, branch.id])
  })

  it('creates one contact when the same consumer is created many times concurrently', async () => {
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => create(bot, { profile: { email: 'raced@example.com' } })),
    )
    const won = answers.filter(({ errors }) => !errors)
    expect(won).toHaveLength(1)
    const named = answers.flatMap(({ errors }) => errors ?? []).map(({ extensions }) => extensions.contact)
    expect(named).toEqual(Array(7).fill(won[0]!.data.createContact!.id))
  })

  it('answers all concurrent repetitions of an idempotency key with the one contact', async () => {
    const answers = await Promise.all(
      Array.from({ length: 6 }, () => create(bot, { profile: { email: 'retried@example.com' } }, 'retry')),
    )
    expect(answers.flatMap(({ errors }) => errors ?? [])).toEqual([])
    expect(new Set(answers.map(({ data }) => data.createContact!.id)).size).toBe(1)
  })

  it.each([
    ['an email that is none', { profile: { email: 'nobody' } }, 'profile.email'],
    ['a telephone that is none', { profile: { telephone: '12' } }, 'profile.telephone'],
    ['a system key in meta', { meta: { _contextSent: true } }, 'meta._contextSent'],
    ['a prototype key in meta', { meta: JSON.parse('{"__proto__": 1}') as object }, 'meta.__proto__'],
  ])('refuses %s', async (_, input, field) => {
    expect((await create(bot, input)).errors?.[0]?.extensions).toMatchObject({ code: 'BAD_USER_INPUT', field })
  })

  it("does not find another tenant's organization, and requires a bot or an administrator", async () => {
    expect((await create(bot, { organization: rival.id })).errors?.[0]?.extensions.code).toBe('NOT_FOUND')
    expect((await create(agent, {})).errors?.[0]?.extensions.code).toBe('FORBIDDEN')
  })
})

describe('updating a contact', () => {
  it('replaces the whole profile and leaves what is not in the patch', async () => {
    const contact = await made(bot, {
      profile: { name: 'Old', email: 'old@example.com', worksFor: 'Acme' },
      meta: { a: 1 },
    })
    const changed = (await update(bot, contact.id, { profile: { name: 'New', telephone: '+31644444444' } })).data
      .updateContact
    expect(changed!.profile).toMatchObject({ name: 'New', telephone: '+31644444444', email: null, worksFor: null })
    expect(changed!.meta).toEqual({ a: 1 })
    await made(bot, { profile: { email: 'old@example.com' } })
    expect((await eventsOf(contact.id)).at(-1)).toMatchObject({
      type: 'contact.updated',
      data: { profile: { name: 'New' } },
    })
  })

  it("keeps the contact's own identifiers, and refuses another contact’s", async () => {
    const one = await made(bot, { profile: { email: 'one@example.com' } })
    const two = await made(bot, { profile: { email: 'two@example.com' } })
    expect((await update(bot, two.id, { profile: { name: 'Two', email: 'TWO@example.com' } })).errors).toBeUndefined()
    const { errors } = await update(bot, two.id, { profile: { email: 'one@example.com' } })
    expect(errors?.[0]?.extensions).toMatchObject({ code: 'UNPROCESSABLE', contact: one.id, field: 'profile.email' })
  })

  it('gives an identifier to one of two contacts that take it concurrently, and names that contact to the other', async () => {
    const contacts = [await made(bot, {}), await made(bot, {})]
    const answers = await Promise.all(
      contacts.map(({ id }) => update(bot, id, { profile: { telephone: '+31655555555' } })),
    )
    const [lost] = answers.flatMap(({ errors }) => errors ?? [])
    const winner = answers.find(({ errors }) => !errors)!.data.updateContact
    expect(lost?.extensions).toMatchObject({ code: 'UNPROCESSABLE', contact: winner!.id })
  })

  it('replaces metadata except for the system’s keys', async () => {
    const { id } = await made(bot, { meta: { a: 1 } })
    await app.server.database.query(`update contact set meta = meta || '{"_contextSent": true}' where id = $1`, [id])
    expect((await update(bot, id, { meta: { b: 2 } })).data.updateContact!.meta).toEqual({ b: 2, _contextSent: true })
    const { errors } = await update(bot, id, { meta: { _contextSent: false } })
    expect(errors?.[0]?.extensions).toMatchObject({ code: 'BAD_USER_INPUT', field: 'meta._contextSent' })
    expect((await update(bot, id, { meta: null })).data.updateContact!.meta).toEqual({ _contextSent: true })
  })

  it('blocks the contact with its address, and lifts the block', async () => {
    const { id } = await made(bot, {})
    const { database } = app.server
    await database.query("update contact set address = '192.0.2.7' where id = $1", [id])
    const blocks = () => database.query('select address from blocked_address where contact_id = $1', [id])
    expect((await update(admin, id, { status: 'blocked' })).data.updateContact!.status).toBe('BLOCKED')
    expect(await blocks()).toEqual([{ address: '192.0.2.7' }])
    expect((await update(admin, id, { status: null })).data.updateContact!.status).toBe('ACTIVE')
    expect(await blocks()).toEqual([])
    expect((await update(admin, id, { status: 'gone' })).errors?.[0]?.extensions).toMatchObject({
      field: 'patch.status',
    })
  })
})

describe('reading contacts', () => {
  it('filters by profile fields, identifiers and metadata', async () => {
    const { id } = await made(admin, {
      organization: branch.id,
      profile: { name: 'Findable', email: 'find@example.com', telephone: '+31666666666', address: { city: 'Utrecht' } },
      meta: { tier: 'gold' },
    })
    const filters = [
      { profile: { telephone: { eq: '+31666666666' } } },
      { telephone: { eq: '+31666666666' } },
      { profile: { email: { eq: 'find@example.com' }, name: { contains: 'findable' } } },
      { profile: { address: { city: { startsWith: 'Utr' } } } },
      { meta: [{ path: 'tier', eq: 'gold' }] },
      { name: { eq: 'Findable' }, organization: { eq: branch.id } },
      { or: [{ profile: { name: { eq: 'Findable' } } }, { profile: { worksFor: { eq: 'Nobody' } } }] },
    ]
    for (const filter of filters) expect(await listed(agent, filter)).toEqual([id])
    expect(await listed(rivalAdmin, filters[0]!)).toEqual([])
  })

  it('sorts by name', async () => {
    const ids: string[] = []
    for (const name of ['Zoe', 'Abe', 'Mia']) {
      ids.push((await made(admin, { profile: { name, worksFor: 'Sorted' } })).id)
    }
    const sorted = await listed(agent, { profile: { worksFor: { eq: 'Sorted' } } }, [{ field: 'name' }])
    expect(sorted).toEqual([ids[1], ids[2], ids[0]])
  })

  it('lets agents list but not fetch (section 5)', async () => {
    const { id } = await made(bot, {})
    expect((await fetched(agent, id)).errors?.[0]?.extensions.code).toBe('FORBIDDEN')
    expect(await listed(agent, { id: { eq: id } })).toEqual([id])
  })

  it('does not find another tenant’s contact in any operation', async () => {
    const { id } = await made(rivalAdmin, { profile: { name: 'Foreign' } })
    const answers = [await fetched(admin, id), await update(admin, id, { meta: {} }), await remove(admin, id)]
    for (const { errors } of answers) expect(errors?.[0]?.extensions.code).toBe('NOT_FOUND')
  })
})

describe('deleting a contact', () => {
  it('deletes its closed conversations', async () => {
    const { id } = await made(bot, {})
    const conversation = await makeConversation(id, 'closed')
    expect((await remove(admin, id)).data.deleteContact).toBe(id)
    expect(await app.server.database.query('select 1 from conversation where id = $1', [conversation])).toEqual([])
    expect((await eventsOf(id)).at(-1)?.type).toBe('contact.deleted')
  })

  it.each(['queued', 'active'])('is refused while a conversation is %s', async (status) => {
    const { id } = await made(bot, {})
    const conversation = await makeConversation(id, status)
    expect((await remove(admin, id)).errors?.[0]?.extensions).toMatchObject({ code: 'UNPROCESSABLE', conversation })
  })

  it('requires an administrator', async () => {
    const { id } = await made(bot, {})
    expect((await remove(bot, id)).errors?.[0]?.extensions.code).toBe('FORBIDDEN')
  })
})

describe('insertContact', () => {
  it('leaves the transaction usable when the contact exists', async () => {
    const { id } = await made(bot, { profile: { email: 'inner@example.com' } })
    const { database } = app.server
    await database.sqlTransaction(async (sql) => {
      const profile = { email: 'inner@example.com' }
      const inserted = insertContact(sql, {
        id: app.clock.newId(),
        path: customer.path,
        profile,
        meta: null,
        now: new Date(),
      })
      await expect(inserted).rejects.toThrow(ContactExists)
      await expect(inserted).rejects.toMatchObject({
        existing: { contact: id, identifier: 'email', conversation: null },
      })
      expect(await sql.query('select 1 as one')).toEqual([{ one: 1 }])
    })
  })
})
