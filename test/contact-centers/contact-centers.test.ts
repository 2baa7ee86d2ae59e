import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { startMailServer, type MailServer } from '../support/mail-server.js'
import { OPERATOR_TOKEN, startTestServer, type TestServer } from '../support/test-server.js'
import { until } from '../support/until.js'

let app: TestServer
let mail: MailServer

beforeAll(async () => {
  mail = await startMailServer()
  app = await startTestServer({ SMTP_URL: mail.url, WEBHOOK_ALLOW_PRIVATE: 'true' })
})
afterAll(async () => {
  await app.close()
  await mail.close()
})

const FIELDS = `id name createdAt archivedAt ownerEmail invitation { url expiresAt } usage { users organizations }
  quotas { users organizations guestMessagesPerMinute guestUploadMebibytesPerDay }`
const CREATE = `mutation ($input: CreateContactCenterInput!, $key: String) {
  createContactCenter(input: $input, idempotencyKey: $key) { ${FIELDS} } }`
const UPDATE = `mutation ($id: ID!, $patch: UpdateContactCenterInput!) { updateContactCenter(id: $id, patch: $patch) { ${FIELDS} } }`
const SHOW = `query ($id: ID!) { contactCenter(id: $id) { ${FIELDS} } }`
const ACCEPT = `mutation ($token: String!, $password: String!) {
  acceptInvitation(token: $token, password: $password) { token organization } }`
const CREATE_USER = `mutation ($input: CreateUserInput!) { createUser(input: $input) { id } }`
const CREATE_ORGANIZATION = `mutation ($input: CreateOrganizationInput!) { createOrganization(input: $input) { id } }`

const newEmail = (): string => `${crypto.randomUUID()}@example.com`
const operate = (query: string, variables?: Record<string, unknown>) => app.gql(OPERATOR_TOKEN, query, variables)

async function create(more: object = {}, key?: string) {
  const ownerEmail = newEmail()
  const { data, errors } = await operate(CREATE, { input: { name: 'Acme', ownerEmail, ...more }, key })
  return { ownerEmail, center: data?.createContactCenter, error: errors?.[0] }
}

async function accept(url: string) {
  const { data, errors } = await app.gql(null, ACCEPT, { token: url.split('#')[1], password: 'a good password' })
  return { tokens: data?.acceptInvitation as { token: string; organization: string } | undefined, error: errors?.[0] }
}

describe('a contact center', () => {
  it('is created with an owner, who is invited by mail and by the link that the operator gets', async () => {
    const { center, ownerEmail } = await create({ name: 'Acme Support', ownerName: 'Jane' })
    expect(center).toMatchObject({
      name: 'Acme Support',
      archivedAt: null,
      ownerEmail,
      usage: { users: 1, organizations: 0 },
      quotas: { users: null, organizations: null, guestMessagesPerMinute: null, guestUploadMebibytesPerDay: null },
    })
    const mailed = await until(() => mail.mails.find(({ to }) => to === ownerEmail))
    expect(mailed.body).toContain('/console/invitation#')
    const { tokens } = await accept(center.invitation.url)
    expect(tokens!.organization).toBe(center.id)
    const { data } = await app.gql(tokens!.token, '{ me { role displayName organization { id level name } } }')
    expect(data.me).toEqual({
      role: 'OWNER',
      displayName: 'Jane',
      organization: { id: center.id, level: 1, name: 'Acme Support' },
    })
  })

  it('is told of in its own stream', async () => {
    const { center } = await create()
    const rows = await app.server.database.query<{ type: string }>(
      'select type from event where stream = $1 order by number',
      [`organization:${center.id}`],
    )
    expect(rows.map(({ type }) => type)).toEqual(['organization.created', 'user.created'])
  })

  it('gives no invitation any more once its owner has accepted one', async () => {
    const { center } = await create()
    await accept(center.invitation.url)
    const { data } = await operate(SHOW, { id: center.id })
    expect(data.contactCenter).toMatchObject({ id: center.id, invitation: null })
    expect((await accept(center.invitation.url)).error?.extensions.code).toBe('UNPROCESSABLE')
  })

  it('gives none of an owner who signed in and is invited again: there may be content', async () => {
    const center = await app.makeContactCenter()
    await app.server.database.query("update app_user set status = 'invited' where id = $1", [center.owner.id])
    expect((await operate(SHOW, { id: center.id })).data.contactCenter.invitation).toBeNull()
  })

  it('is created once for an idempotency key, with the invitation in the answer to a repeat', async () => {
    const ownerEmail = newEmail()
    const variables = { input: { name: 'Twice', ownerEmail }, key: crypto.randomUUID() }
    const first = await operate(CREATE, variables)
    const again = await operate(CREATE, variables)
    expect(again.data.createContactCenter).toMatchObject({ id: first.data.createContactCenter.id, ownerEmail })
    expect((await accept(again.data.createContactCenter.invitation.url)).tokens).toBeDefined()
    const [stored] = await app.server.database.query<{ response: unknown }>(
      "select response from idempotency_key where caller = 'operator' and key = $1",
      [variables.key],
    )
    expect(JSON.stringify(stored)).not.toContain('invitation#')
  })

  it.each([
    [{ name: ' ' }, 'name'],
    [{ name: 'x'.repeat(201) }, 'name'],
    [{ ownerEmail: 'nobody' }, 'ownerEmail'],
    [{ ownerName: 'x'.repeat(201) }, 'ownerName'],
    [{ quotas: { users: 0 } }, 'quotas.users'],
    [{ quotas: { organizations: -1 } }, 'quotas.organizations'],
    [{ quotas: { guestMessagesPerMinute: 0 } }, 'quotas.guestMessagesPerMinute'],
  ])('is refused with %j', async (more, field) => {
    const { error } = await create(more)
    expect(error?.extensions).toMatchObject({ code: 'BAD_USER_INPUT', field })
  })

  it("is refused with another user's email, in any spelling, and leaves nothing behind", async () => {
    const { ownerEmail } = await create({ name: 'First' })
    const { error } = await create({ name: 'Second of that email', ownerEmail: ownerEmail.toUpperCase() })
    expect(error?.extensions).toMatchObject({ code: 'UNPROCESSABLE', field: 'ownerEmail' })
    const left = await app.server.database.query("select 1 from organization where name = 'Second of that email'")
    expect(left).toEqual([])
  })

  it('is listed with all others, also the one of the first start, by pages', async () => {
    const { center } = await create({ name: 'Listed' })
    const page = `query ($after: String) { contactCenters(first: 1, after: $after) {
      totalCount edges { node { id name ownerEmail } } pageInfo { endCursor hasNextPage } } }`
    const names: string[] = []
    const owners: string[] = []
    for (let after: string | null = null, more = true; more;) {
      const { data }: { data: { contactCenters: any } } = await operate(page, { after }) // oxlint-disable-line typescript/no-explicit-any
      const { edges, pageInfo } = data.contactCenters
      names.push(edges[0].node.name)
      owners.push(edges[0].node.ownerEmail)
      after = pageInfo.endCursor
      more = pageInfo.hasNextPage
    }
    expect(names[0]).toBe('Messaging Contact Center')
    expect(owners[0]).toBe('owner@example.com')
    expect(names).toContain(center.name)
    const { data } = await operate('{ contactCenters(filter: { name: { eq: "Listed" } }) { totalCount } }')
    expect(data.contactCenters.totalCount).toBe(1)
  })

  it('gets another name and other quotas; null removes one, and what is not given stays', async () => {
    const { center } = await create({ quotas: { users: 3, organizations: 2 } })
    const { data } = await operate(UPDATE, { id: center.id, patch: { name: 'Renamed', quotas: { users: null } } })
    expect(data.updateContactCenter).toMatchObject({ name: 'Renamed', quotas: { users: null, organizations: 2 } })
    const [refused] = (await operate(UPDATE, { id: center.id, patch: { name: null } })).errors!
    expect(refused!.extensions).toMatchObject({ code: 'BAD_USER_INPUT', field: 'name' })
  })

  it('is found by its own id only, not by that of an organization in it', async () => {
    const center = await app.makeContactCenter()
    const customer = await app.makeOrganization({ parent: center })
    for (const id of [customer.id, crypto.randomUUID(), 'x']) {
      const [refused] = (await operate(SHOW, { id })).errors!
      expect(refused!.extensions.code).toBe('NOT_FOUND')
      expect((await operate(UPDATE, { id, patch: { name: 'x' } })).errors?.[0]?.extensions.code).toBe('NOT_FOUND')
    }
  })
})

describe('quotas of a contact center', () => {
  it('bound its users; archived ones do not count, and coming back does', async () => {
    const { center } = await create({ quotas: { users: 2 } })
    const { token } = (await accept(center.invitation.url)).tokens!
    const made = await app.gql(token, CREATE_USER, { input: { email: newEmail() } })
    const refused = await app.gql(token, CREATE_USER, { input: { email: newEmail() } })
    expect(refused.errors?.[0]?.extensions).toMatchObject({ code: 'UNPROCESSABLE', quota: 'users', max: 2 })
    const change = (status: string) =>
      app.gql(token, `mutation ($id: ID!) { updateUser(id: $id, patch: { status: ${status} }) { id } }`, {
        id: made.data.createUser.id,
      })
    expect((await change('ARCHIVED')).errors).toBeUndefined()
    expect((await app.gql(token, CREATE_USER, { input: { email: newEmail() } })).errors).toBeUndefined()
    expect((await change('ACTIVE')).errors?.[0]?.extensions).toMatchObject({ code: 'UNPROCESSABLE', quota: 'users' })
  })

  it('let as many in at once as there is room for, not more', async () => {
    const { center } = await create({ quotas: { users: 3 } })
    const { token } = (await accept(center.invitation.url)).tokens!
    const answers = await Promise.all(
      Array.from({ length: 6 }, () => app.gql(token, CREATE_USER, { input: { email: newEmail() } })),
    )
    expect(answers.filter(({ errors }) => !errors)).toHaveLength(2)
    expect((await operate(SHOW, { id: center.id })).data.contactCenter.usage.users).toBe(3)
  })

  it('bound its organizations', async () => {
    const { center } = await create({ quotas: { organizations: 1 } })
    const { token } = (await accept(center.invitation.url)).tokens!
    expect((await app.gql(token, CREATE_ORGANIZATION, { input: { name: 'One' } })).errors).toBeUndefined()
    const { errors } = await app.gql(token, CREATE_ORGANIZATION, { input: { name: 'Two' } })
    expect(errors?.[0]?.extensions).toMatchObject({ code: 'UNPROCESSABLE', quota: 'organizations', max: 1 })
  })

  it('bound the messages of all its guests in place of the setting, and of no other contact center', async () => {
    const { center } = await create({ quotas: { guestMessagesPerMinute: 2 } })
    const owner = (await accept(center.invitation.url)).tokens!.token
    const other = await app.makeContactCenter()
    const guestOf = async (as: string): Promise<{ token: string; id: string }> => {
      const { body } = await app.rest(as, 'POST', '/v2/conversations', {
        touchpoint: 'web',
        contact: { profile: { name: 'C', email: newEmail() } },
      })
      const { data } = await app.gql(as, 'mutation ($id: ID!) { createGuestToken(conversation: $id) { token } }', {
        id: body.id,
      })
      return { token: data.createGuestToken.token, id: body.id }
    }
    const say = async ({ token, id }: { token: string; id: string }): Promise<number> =>
      (await app.rest(token, 'POST', `/v2/conversations/${id}/messages`, { text: 'Hello', role: 'contact' })).status
    const [one, two] = [await guestOf(owner), await guestOf(owner)]
    expect([await say(one), await say(two), await say(one)]).toEqual([201, 201, 429])
    expect(await say(await guestOf(await app.tokenFor(other.owner)))).toBe(201)
  })
})

describe('the operator', () => {
  it.each(['x'.repeat(40), `${OPERATOR_TOKEN}x`, OPERATOR_TOKEN.slice(0, -1)])(
    'is not whoever says %s',
    async (token) => {
      const { errors } = await app.gql(token, '{ contactCenters { totalCount } }')
      expect(errors?.[0]?.extensions.code).toBe('UNAUTHENTICATED')
    },
  )

  it('is no owner of any contact center, and no one without credentials', async () => {
    const { owner } = await app.makeContactCenter()
    const asked = [await app.gql(owner, CREATE, { input: { name: 'x', ownerEmail: newEmail() } })]
    expect(asked[0]!.errors?.[0]?.extensions.code).toBe('FORBIDDEN')
    const { errors } = await app.gql(null, '{ contactCenters { totalCount } }')
    expect(errors?.[0]?.extensions.code).toBe('UNAUTHENTICATED')
  })

  it('does not exist on a server without OPERATOR_TOKEN', async () => {
    const without = await startTestServer({ OPERATOR_TOKEN: '' }, { beside: app })
    try {
      const { errors } = await without.gql(OPERATOR_TOKEN, '{ contactCenters { totalCount } }')
      expect(errors?.[0]?.extensions.code).toBe('UNAUTHENTICATED')
    } finally {
      await without.close()
    }
  })
})
