import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import type { Role } from '../../src/platform/access/scopes.js'
import { ROLES } from '../../src/platform/access/scopes.js'
import { startIdentity, type Identity } from '../support/identity.js'
import type { MadeOrganization, MadeUser } from '../support/factories.js'
import { until } from '../support/until.js'

let api: Identity
let center: MadeOrganization
let customer: MadeOrganization
let foreign: MadeOrganization
const users = {} as Record<Role, MadeUser>
const tokens = {} as Record<Role | 'customerAdmin' | 'foreignAdmin', string>

beforeAll(async () => {
  api = await startIdentity()
  center = await api.makeOrganization({ name: 'Center' })
  customer = await api.makeOrganization({ parent: center, name: 'Customer' })
  foreign = await api.makeOrganization({ name: 'Elsewhere' })
  for (const role of ROLES) {
    users[role] = await api.makeUser({ organization: center, role })
    tokens[role] = await api.tokenFor(users[role])
  }
  tokens.customerAdmin = await api.tokenFor(await api.makeUser({ organization: customer, role: 'admin' }))
  tokens.foreignAdmin = await api.tokenFor(await api.makeUser({ organization: foreign, role: 'admin' }))
})
afterAll(() => api.close())

const SETTINGS = `settings { timezone timezoneSet locale localeSet audioOnChat audioOnMessage notifyOnChat notifyOnMessage
  tabdotNotify tabdotMessage pushNotify focusOnAccept notifications cannedResponses }`
const FIELDS = `id familyName givenName additionalName displayName name email phone avatar organizationId organization { name }
  role ${SETTINGS} meta status lastLogin createdAt updatedAt provider
  organizations { orgPath organizationId organization { id name displayName } selected role level }`
const CREATE = `mutation ($input: CreateUserInput!, $key: String) {
  createUser(input: $input, idempotencyKey: $key) { ${FIELDS} apiToken } }`
const UPDATE = `mutation ($id: ID!, $patch: UpdateUserInput!) { updateUser(id: $id, patch: $patch) { ${FIELDS} apiToken } }`
const DELETE = 'mutation ($id: ID!) { deleteUser(id: $id) }'
const FETCH = `query ($id: ID!) { user(id: $id) { ${FIELDS} apiToken } }`
const ME = `{ me { ${FIELDS} apiToken } }`

interface UserData extends Record<string, unknown> {
  id: string
  apiToken: string | null
  settings: Record<string, unknown>
}

let count = 0
const email = () => `user-${++count}@example.com`

async function create(input: Record<string, unknown>, token = tokens.owner): Promise<UserData> {
  const { data, message } = await api.run(token, CREATE, { input: { email: email(), ...input } })
  if (message) throw new Error(message)
  return data.createUser as UserData
}

async function update(id: string, patch: Record<string, unknown>, token = tokens.admin): Promise<UserData> {
  const { data, message } = await api.run(token, UPDATE, { id, patch })
  if (message) throw new Error(message)
  return data.updateUser as UserData
}

const isAlive = async (token: string) => (await api.run(token, '{ me { id } }')).code === undefined

describe('createUser', () => {
  it('requires only an email; the defaults are those of 2.2', async () => {
    const made = await create({ email: 'Plain@Example.com' })
    expect(made).toMatchObject({
      email: 'Plain@Example.com',
      role: 'AGENT',
      status: 'QUEUED',
      provider: 'local',
      organizationId: center.id,
      organization: { name: 'Center' },
      displayName: 'User',
      lastLogin: null,
      meta: null,
      apiToken: null,
    })
    expect(made.organizations).toEqual([
      {
        orgPath: center.id,
        organizationId: center.id,
        organization: { id: center.id, name: 'Center', displayName: null },
        selected: true,
        role: 'AGENT',
        level: 1,
      },
    ])
    expect((await api.eventsOf(center.id)).at(-1)).toBe('user.created')
  })

  it('keeps every field, in an organization below', async () => {
    const input = {
      email: email(),
      givenName: 'Ada',
      additionalName: 'King',
      familyName: 'Lovelace',
      phone: '+31 20 123',
      role: 'ADMIN',
      avatar: 'https://example.com/a.png',
      organization: customer.id,
      meta: { crm: [1] },
      status: 'ACTIVE',
      settings: { timezone: 'Europe/Amsterdam', locale: 'NL', notifications: ['chief'] },
    }
    const made = await create(input)
    const { settings, ...rest } = input
    expect(made).toMatchObject({
      ...rest,
      organization: { name: 'Customer' },
      displayName: 'Ada King Lovelace',
      name: 'Ada King Lovelace',
    })
    expect(made).toMatchObject({
      organizationId: customer.id,
      organizations: [{ orgPath: customer.path.join('#'), level: 2 }],
    })
    expect(made.settings).toMatchObject({ ...settings, focusOnAccept: true, audioOnChat: true })
    const fetched = await api.run(tokens.bot, FETCH, { id: made.id })
    expect(fetched.data.user).toEqual(made)
    const list = `query ($email: String!) { users(filter: { email: { eq: $email } }) { edges { node { ${FIELDS} apiToken } } } }`
    const listed = await api.run(tokens.bot, list, { email: input.email })
    expect(listed.data.users).toEqual({ edges: [{ node: made }] })
  })

  it('prefers the given display name, and composes it when that is cleared', async () => {
    const { id, displayName, name } = await create({
      givenName: 'Ada',
      familyName: 'Lovelace',
      displayName: 'The Countess',
    })
    expect([displayName, name]).toEqual(['The Countess', 'Ada Lovelace'])
    expect(await update(id, { displayName: null, familyName: 'Byron' })).toMatchObject({ displayName: 'Ada Byron' })
  })

  it('refuses an email that is in use, in any letter case and tenant', async () => {
    const taken = email()
    await create({ email: taken })
    for (const token of [tokens.admin, tokens.foreignAdmin]) {
      const { code, field } = await api.run(token, CREATE, { input: { email: taken.toUpperCase() } })
      expect({ code, field }).toEqual({ code: 'UNPROCESSABLE', field: 'email' })
    }
  })

  // [3.3 user] [2.2 invite]
  it('queues an invitation by email for `invite` or the status invited', async () => {
    for (const given of [{ invite: true }, { status: 'INVITED' }]) {
      const { id, status } = await create(given)
      expect(status).toBe('INVITED')
      expect(id).toBeDefined()
    }
    const { code, field } = await api.run(tokens.admin, CREATE, {
      input: { email: email(), invite: true, status: 'ACTIVE' },
    })
    expect({ code, field }).toEqual({ code: 'BAD_USER_INPUT', field: 'invite' })
  })

  it('returns the same response for the same idempotency key, but shows a token once and stores no secret', async () => {
    const input = { email: email(), role: 'BOT' }
    const first = (await api.run(tokens.admin, CREATE, { input, key: 'bot-1' })).data.createUser as UserData
    const again = (await api.run(tokens.admin, CREATE, { input, key: 'bot-1' })).data.createUser as UserData
    expect(first.apiToken).toMatch(/^eyJ/)
    expect(again).toEqual({ ...first, apiToken: null })
    const [kept] = await api.sql<{ response: unknown }>(`select response from idempotency_key where key = 'bot-1'`)
    expect(JSON.stringify(kept)).not.toMatch(/argon2|eyJ|passwordHash|apiTokenHash/)
  })

  it('never returns a password: the type has none', async () => {
    const { code } = await api.run(tokens.owner, '{ me { id password } }')
    expect(code).toBeDefined()
  })

  it.each<[string, Record<string, unknown>, string]>([
    ['an address without @', { email: 'nobody' }, 'email'],
    ['an email with a space', { email: 'a b@c.d' }, 'email'],
    ['an email with a null byte', { email: 'a\0@c.d' }, 'email'],
    ['an endless email', { email: `${'x'.repeat(300)}@c.d` }, 'email'],
    ['an endless name', { givenName: 'x'.repeat(100_000) }, 'givenName'],
    ['half a character', { familyName: '\udc00' }, 'familyName'],
    ['a short password', { password: 'short' }, 'password'],
    ['an endless password', { password: 'x'.repeat(100_000) }, 'password'],
    ['a script for an avatar', { avatar: 'javascript:alert(1)' }, 'avatar'],
    ['an unknown zone', { settings: { timezone: 'Mars/Olympus' } }, 'settings.timezone'],
    ['an offset for a zone', { settings: { timezone: '+01:00' } }, 'settings.timezone'],
    ['too many canned responses', { settings: { cannedResponses: Array(201).fill('x') } }, 'settings.cannedResponses'],
    ['a prototype key', { meta: JSON.parse('{"__proto__": {"role": "owner"}}') }, 'meta.__proto__'],
    ['a system key', { meta: { _x: 1 } }, 'meta._x'],
    ['scopes for an agent', { scopes: ['bot'] }, 'scopes'],
    ['no scope for a bot', { role: 'BOT', scopes: [] }, 'scopes'],
    ['an unknown scope', { role: 'BOT', scopes: ['root'] }, 'input.scopes[0]'],
  ])('refuses %s, naming the field and not a password', async (_, given, named) => {
    const { code, field, message } = await api.run(tokens.admin, CREATE, { input: { email: email(), ...given } })
    expect({ code, field }).toEqual({ code: 'BAD_USER_INPUT', field: named })
    expect(message).not.toContain(String(given.password ?? 'no password is given'))
  })

  it.each([{ role: 'KING' }, { status: 'GONE' }, { settings: { locale: 'XX' } }, { id: 'x' }, { apiToken: 'x' }])(
    'refuses %j by its type',
    async (given) => {
      expect((await api.run(tokens.admin, CREATE, { input: { email: email(), ...given } })).code).toBe('BAD_USER_INPUT')
    },
  )
})

describe('settings', () => {
  const defaults = {
    timezone: null,
    timezoneSet: false,
    locale: 'EN',
    localeSet: false,
    audioOnChat: true,
    audioOnMessage: false,
    notifyOnChat: false,
    notifyOnMessage: false,
    tabdotNotify: true,
    tabdotMessage: true,
    pushNotify: false,
    focusOnAccept: false,
    notifications: [],
    cannedResponses: [],
  }

  it('have the defaults of 2.3; a patch replaces them all, and omitted ones return to their defaults', async () => {
    const { id, settings } = await create({})
    expect(settings).toEqual(defaults)
    await update(id, { settings: { audioOnChat: false, locale: 'DE' } })
    const { settings: replaced } = await update(id, { settings: { pushNotify: true, audioOnMessage: null } })
    expect(replaced).toEqual({ ...defaults, pushNotify: true })
    expect((await update(id, { settings: null })).settings).toEqual(defaults)
    const [stored] = await api.sql<{ settings: unknown }>('select settings from app_user where id = $1', [id])
    expect(stored).toEqual({ settings: {} })
  })

  it('focus on accept below level 1', async () => {
    const { id, settings } = await create({ organization: customer.id })
    expect(settings).toEqual({ ...defaults, focusOnAccept: true })
    expect((await update(id, { settings: { focusOnAccept: false } })).settings.focusOnAccept).toBe(false)
  })
})

describe("the caller's own account", () => {
  // [5 Fetch user self] [4.2 GET user by id, GET user me]
  it('is found by me and by its id, for every role', async () => {
    for (const role of ROLES) {
      const { data } = await api.run(tokens[role], ME)
      expect(data.me).toMatchObject({ id: users[role].id, email: users[role].email })
      for (const id of ['me', users[role].id]) {
        expect((await api.run(tokens[role], FETCH, { id })).data.user).toEqual(data.me)
      }
    }
  })

  it('is changed by its user, except for what an administrator decides', async () => {
    const agent = await api.makeUser({ organization: center })
    const token = await api.tokenFor(agent)
    const patch = {
      givenName: 'Grace',
      displayName: null,
      phone: '1',
      avatar: 'https://example.com/g.png',
      meta: { a: 1 },
    }
    expect(await update('me', patch, token)).toMatchObject({ ...patch, displayName: 'Grace' })
    const refused = { email: email(), role: 'ADMIN', status: 'ARCHIVED', organization: customer.id }
    for (const [field, value] of Object.entries(refused)) {
      const { code, message } = await api.run(token, UPDATE, { id: 'me', patch: { phone: '2', [field]: value } })
      expect([code, message]).toEqual(['FORBIDDEN', expect.stringContaining(field)])
    }
    expect((await api.run(token, ME)).data.me).toMatchObject({ phone: '1', role: 'AGENT' })
  })

  it('may be sent back whole: unchanged values are no change', async () => {
    const agent = await api.makeUser({ organization: customer })
    const token = await api.tokenFor(agent)
    const { body: whole } = await api.rest(token, 'GET', '/v2/users/me')
    const { status, body } = await api.rest(token, 'PATCH', '/v2/users/me', { ...whole, phone: '3' })
    expect([status, body.phone, body.email]).toEqual([200, '3', agent.email])
    expect((await api.rest(token, 'PATCH', '/v2/users/me', { ...whole, role: 'admin' })).status).toBe(403)
  })

  it("ends the user's other sign-ins when its password changes, not this one", async () => {
    const agent = await api.makeUser({ organization: center, password: 'the old password' })
    const [here, elsewhere] = [await api.tokenFor(agent), await api.tokenFor(agent)]
    await update('me', { password: 'the new password', currentPassword: 'the old password' }, here)
    expect([await isAlive(here), await isAlive(elsewhere)]).toEqual([true, false])
    const signIn = 'mutation ($e: String!, $p: String!) { createToken(email: $e, password: $p) { user } }'
    expect((await api.run(null, signIn, { e: agent.email, p: 'the old password' })).code).toBe('UNAUTHENTICATED')
    expect((await api.run(null, signIn, { e: agent.email, p: 'the new password' })).data.createToken).toEqual({
      user: agent.id,
    })
  })

  it('does not let its user change role, status and organization, so that no last owner is lost by mistake', async () => {
    const [owner] = [users.owner]
    for (const patch of [{ role: 'AGENT' }, { status: 'ARCHIVED' }, { organization: customer.id }]) {
      expect((await api.run(tokens.owner, UPDATE, { id: owner.id, patch })).code).toBe('FORBIDDEN')
    }
    expect((await api.run(tokens.owner, DELETE, { id: owner.id })).code).toBe('FORBIDDEN')
    expect(await update('me', { role: 'OWNER', givenName: 'Same' }, tokens.owner)).toMatchObject({ givenName: 'Same' })
  })
})

describe('updateUser', () => {
  it('ends the sign-ins of a user whose password an administrator sets', async () => {
    const agent = await api.makeUser({ organization: center })
    const token = await api.tokenFor(agent)
    expect(await isAlive(token)).toBe(true)
    await update(agent.id, { password: 'a new password' })
    expect(await isAlive(token)).toBe(false)
  })

  it('moves a user to an organization below: it leaves channels that become invisible, the token remains valid', async () => {
    const agent = await api.makeUser({ organization: center })
    const token = await api.tokenFor(agent)
    const channels: string[] = []
    for (const { id, path } of [center, customer]) {
      const [row] = await api.sql<{ id: string }>(
        `insert into channel (id, organization_id, org1, org2, created_at, updated_at, name)
         values (gen_random_uuid(), $1, $2, $3, now(), now(), 'c') returning id`,
        [id, path[0], path[1]],
      )
      channels.push(row!.id)
      await api.sql('insert into channel_member (channel_id, user_id, created_at) values ($1, $2, now())', [
        row!.id,
        agent.id,
      ])
    }
    expect(await update(agent.id, { organization: customer.id })).toMatchObject({ organizationId: customer.id })
    expect(await api.sql('select channel_id from channel_member where user_id = $1', [agent.id])).toEqual([
      { channel_id: channels[1] },
    ])
    expect((await api.run(token, '{ me { organizationId } }')).data.me).toEqual({ organizationId: customer.id })
  })

  it('archives: tokens are revoked and sign-in is refused; activates again', async () => {
    const agent = await api.makeUser({ organization: center, password: 'a long password' })
    const token = await api.tokenFor(agent)
    expect(await isAlive(token)).toBe(true)
    expect(await update(agent.id, { status: 'ARCHIVED' })).toMatchObject({ status: 'ARCHIVED' })
    expect(await isAlive(token)).toBe(false)
    const signIn = 'mutation ($e: String!) { createToken(email: $e, password: "a long password") { user } }'
    expect((await api.run(null, signIn, { e: agent.email })).code).toBe('UNAUTHENTICATED')
    await update(agent.id, { status: 'ACTIVE' })
    expect((await api.run(null, signIn, { e: agent.email })).code).toBeUndefined()
    expect(await isAlive(token)).toBe(false)
  })

  // [3.3 user] [2.2 status]
  it('allows only valid transitions of the status', async () => {
    const moves: [string, string, boolean][] = [
      ['QUEUED', 'INVITED', true],
      ['QUEUED', 'ACTIVE', true],
      ['QUEUED', 'ARCHIVED', true],
      ['INVITED', 'QUEUED', true],
      ['INVITED', 'ACTIVE', true],
      ['INVITED', 'ARCHIVED', true],
      ['ACTIVE', 'QUEUED', false],
      ['ACTIVE', 'INVITED', false],
      ['ACTIVE', 'ARCHIVED', true],
      ['ARCHIVED', 'QUEUED', false],
      ['ARCHIVED', 'INVITED', false],
      ['ARCHIVED', 'ACTIVE', true],
    ]
    for (const [from, to, isPossible] of moves) {
      const { id } = await create({ status: from })
      const { code } = await api.run(tokens.admin, UPDATE, { id, patch: { status: to } })
      expect([from, to, code]).toEqual([from, to, isPossible ? undefined : 'UNPROCESSABLE'])
    }
  })

  it('requeues what the user had accepted, when it departs', async () => {
    const agent = await api.makeUser({ organization: center })
    const { id: conversation } = await api.makeConversation(center)
    await api.sql(
      `insert into participant (conversation_id, user_id, name, role, accepted, active, created_at, updated_at)
       values ($1, $2, 'Ann', 'agent', true, true, now(), now())`,
      [conversation, agent.id],
    )
    const statusOf = async () =>
      (await api.sql<{ status: string }>('select status from conversation where id = $1', [conversation]))[0]!.status
    await update(agent.id, { givenName: 'Ann' })
    // A job that there was would be done by then.
    await until(async () => (await api.sql(`select 1 from job where kind = 'user.departed'`)).length === 0)
    expect(await statusOf()).toBe('active')

    await update(agent.id, { status: 'ARCHIVED' })
    // The job is conversations/ to do: nobody answers there any more, so it stays active no longer (3.1).
    await until(async () => (await statusOf()) !== 'active')
  })

  it('refuses to clear what every user has', async () => {
    const { id } = await create({})
    for (const field of ['email', 'password', 'role', 'status', 'organization']) {
      const { code, field: named } = await api.run(tokens.admin, UPDATE, { id, patch: { [field]: null } })
      expect({ code, named }).toEqual({ code: 'BAD_USER_INPUT', named: field })
    }
  })

  it('changes nothing when any field is refused', async () => {
    const { id } = await create({ givenName: 'Before' })
    for (const patch of [
      { email: 'bad' },
      { organization: foreign.id },
      { settings: { timezone: 'x' } },
      { meta: { _a: 1 } },
    ]) {
      expect((await api.run(tokens.admin, UPDATE, { id, patch: { givenName: 'After', ...patch } })).code).toBeDefined()
    }
    expect((await api.run(tokens.admin, FETCH, { id })).data.user).toMatchObject({ givenName: 'Before' })
  })
})

describe('users', () => {
  it('are filtered and sorted by the shown name, composed or not', async () => {
    const tag = { team: 'listed' }
    await create({ displayName: 'Zed', givenName: 'Albert', meta: tag })
    await create({ givenName: 'Mia', familyName: 'Moss', meta: tag })
    await create({ meta: tag })
    const list = `query ($order: [UserOrder!], $name: StringFilter) {
      users(filter: { meta: [{ path: "team", eq: "listed" }], displayName: $name }, orderBy: $order) {
        totalCount edges { node { displayName } } } }`
    const names = async (variables: Record<string, unknown>) => {
      const { data } = await api.run(tokens.bot, list, variables)
      return (data.users as { edges: { node: { displayName: string } }[] }).edges.map(({ node }) => node.displayName)
    }
    expect(await names({ order: [{ field: 'displayName' }] })).toEqual(['Mia Moss', 'User', 'Zed'])
    expect(await names({ order: [{ field: 'name' }] })).toEqual(['Zed', 'Mia Moss', 'User'])
    expect(await names({ name: { contains: 'mOSS' } })).toEqual(['Mia Moss'])
  })
})

describe('owners', () => {
  // [2.2 role]
  it('are created and changed by owners only', async () => {
    expect((await api.run(tokens.admin, CREATE, { input: { email: email(), role: 'OWNER' } })).code).toBe('FORBIDDEN')
    const { id } = await create({ role: 'OWNER' })
    const { id: agent } = await create({})
    expect((await api.run(tokens.admin, UPDATE, { id: agent, patch: { role: 'OWNER' } })).code).toBe('FORBIDDEN')
    for (const patch of [
      { role: 'AGENT' },
      { password: 'taken over now' },
      { email: email() },
      { status: 'ARCHIVED' },
    ]) {
      expect((await api.run(tokens.admin, UPDATE, { id, patch })).code).toBe('FORBIDDEN')
    }
    expect((await api.run(tokens.admin, DELETE, { id })).code).toBe('FORBIDDEN')
    expect(await update(id, { role: 'ADMIN' }, tokens.owner)).toMatchObject({ role: 'ADMIN' })
  })
})

describe('deleteUser', () => {
  it("ends the tokens and memberships; history keeps the id and the participant's name", async () => {
    const agent = await api.makeUser({ organization: center })
    const token = await api.tokenFor(agent)
    expect(await isAlive(token)).toBe(true)
    const { id: conversation } = await api.makeConversation(center)
    await api.sql(
      `insert into participant (conversation_id, user_id, name, role, created_at, updated_at)
       values ($1, $2, 'Ann', 'agent', now(), now())`,
      [conversation, agent.id],
    )
    expect((await api.run(tokens.admin, DELETE, { id: agent.id })).data).toEqual({ deleteUser: agent.id })
    expect(await isAlive(token)).toBe(false)
    expect(await api.sql('select name from participant where user_id = $1', [agent.id])).toEqual([{ name: 'Ann' }])
    expect(await api.sql('select id from token_family where user_id = $1', [agent.id])).toEqual([])
    expect((await api.run(tokens.admin, FETCH, { id: agent.id })).code).toBe('NOT_FOUND')
    expect((await api.eventsOf(center.id)).at(-1)).toBe('user.deleted')
  })
})

describe('bots', () => {
  it('get an API token that is valid immediately, is shown once and is stored as a hash', async () => {
    const bot = await create({ role: 'BOT' })
    expect(bot.status).toBe('QUEUED')
    const claims = JSON.parse(Buffer.from(bot.apiToken!.split('.')[1]!, 'base64url').toString()) as Record<
      string,
      unknown
    >
    expect(claims).toMatchObject({ _id: bot.id, organization: center.id, scope: 'bot', grant_type: 'api_token' })
    expect(claims.exp).toBeUndefined()
    expect((await api.run(bot.apiToken, ME)).data.me).toMatchObject({ id: bot.id, apiToken: null })
    const [row] = await api.sql('select * from app_user where id = $1', [bot.id])
    expect(JSON.stringify(row)).not.toContain(bot.apiToken)
  })

  // [5 API token permissions, rule 3 API token]
  it('have the scopes of their token, and never more than their role', async () => {
    const list = '{ users { totalCount } }'
    const weak = await create({ role: 'BOT', scopes: ['agent'] })
    expect((await api.run(weak.apiToken, list)).code).toBe('FORBIDDEN')
    const strong = await create({ role: 'BOT', scopes: ['admin', 'bot'] })
    expect((await api.run(strong.apiToken, list)).code).toBeUndefined()
    expect((await api.run(strong.apiToken, CREATE, { input: { email: email() } })).code).toBe('FORBIDDEN')
  })

  it('change their token by rotation: the old one ends, scopes stay unless named', async () => {
    const rotate = `mutation ($user: ID!, $scopes: [TokenScope!]) { rotateApiToken(user: $user, scopes: $scopes) { id apiToken } }`
    const bot = await create({ role: 'BOT', scopes: ['agent'] })
    expect(await isAlive(bot.apiToken!)).toBe(true)
    const { data } = await api.run(tokens.admin, rotate, { user: bot.id })
    const { apiToken } = data.rotateApiToken as UserData
    expect([await isAlive(bot.apiToken!), await isAlive(apiToken!)]).toEqual([false, true])
    expect((await api.run(apiToken, '{ users { totalCount } }')).code).toBe('FORBIDDEN')
    const wider = await api.run(tokens.admin, rotate, { user: bot.id, scopes: ['bot'] })
    expect(
      (await api.run((wider.data.rotateApiToken as UserData).apiToken, '{ users { totalCount } }')).code,
    ).toBeUndefined()
    expect((await api.run(tokens.admin, rotate, { user: users.agent.id })).code).toBe('UNPROCESSABLE')
    expect((await api.run(tokens.foreignAdmin, rotate, { user: bot.id })).code).toBe('NOT_FOUND')
  })

  // [5 API token revoked, API token changes] [4.2 delete bot]
  it('lose their token by deletion, archiving or a change of role; current permissions apply', async () => {
    const ends: ((id: string) => Promise<unknown>)[] = [
      (id) => api.run(tokens.admin, DELETE, { id }),
      (id) => update(id, { status: 'ARCHIVED' }),
      (id) => update(id, { role: 'AGENT' }),
    ]
    for (const end of ends) {
      const bot = await create({ role: 'BOT' })
      expect(await isAlive(bot.apiToken!)).toBe(true)
      await end(bot.id)
      expect(await isAlive(bot.apiToken!)).toBe(false)
    }
  })
})

describe('tenants', () => {
  it('hide their users, and refuse their organizations in an input', async () => {
    const { id } = await create({})
    for (const token of [tokens.foreignAdmin, tokens.customerAdmin]) {
      expect((await api.run(token, FETCH, { id })).code).toBe('NOT_FOUND')
      expect((await api.run(token, UPDATE, { id, patch: { givenName: 'Mine' } })).code).toBe('NOT_FOUND')
      expect((await api.run(token, DELETE, { id })).code).toBe('NOT_FOUND')
      const { code, message } = await api.run(token, CREATE, { input: { email: email(), organization: center.id } })
      expect([code, message]).toEqual(['NOT_FOUND', expect.stringContaining('organization')])
      expect((await api.run(token, UPDATE, { id: 'me', patch: { organization: center.id } })).code).toBeDefined()
    }
    const { data } = await api.run(tokens.foreignAdmin, '{ users { totalCount edges { node { organizationId } } } }')
    expect(data.users).toEqual({ totalCount: 1, edges: [{ node: { organizationId: foreign.id } }] })
  })
})

describe('section 5', () => {
  const other = '"00000000-0000-7000-8000-000000000000"'
  const everyone = ROLES
  const bots: readonly Role[] = ['bot', 'admin', 'owner']
  const admins: readonly Role[] = ['admin', 'owner']
  const operations: [string, string, readonly Role[]][] = [
    ['list users', '{ users { totalCount } }', bots],
    ['fetch oneself', '{ user(id: "me") { id } }', everyone],
    ['fetch another user', `{ user(id: ${other}) { id } }`, bots],
    ['create a user', 'mutation { createUser(input: { email: "" }) { id } }', admins],
    ['update oneself', 'mutation { updateUser(id: "me", patch: {}) { id } }', everyone],
    ['update another user', `mutation { updateUser(id: ${other}, patch: {}) { id } }`, admins],
    ['delete a user', `mutation { deleteUser(id: ${other}) }`, admins],
    ['rotate an API token', `mutation { rotateApiToken(user: ${other}) { id } }`, admins],
  ]
  it.each(operations)('decides who may %s', async (_, query, allowed) => {
    for (const role of ROLES) {
      const { code } = await api.run(tokens[role], query)
      expect([role, code === 'FORBIDDEN']).toEqual([role, !allowed.includes(role)])
    }
    expect((await api.run(null, query)).code).toBe('UNAUTHENTICATED')
  })
})
