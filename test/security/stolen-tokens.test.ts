import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import {
  startConversationFixture,
  texts,
  until,
  type ConversationFixture,
} from '../conversations/conversation-fixture.js'
import { liveClient, subscribe } from '../support/live-client.js'

// What somebody can make of a token, or of a session, that is not theirs (section 5).
let fixture: ConversationFixture

beforeAll(async () => {
  fixture = await startConversationFixture()
})
afterAll(() => fixture.close())

const PASSWORD = 'a password of the thief'
const SIGN_IN = `mutation ($email: String!, $password: String!) { createToken(email: $email, password: $password) {
  token refreshToken scope } }`
const UPDATE = 'mutation ($id: ID!, $patch: UpdateUserInput!) { updateUser(id: $id, patch: $patch) { id email } }'
const ROTATE = 'mutation ($user: ID!) { rotateApiToken(user: $user) { apiToken } }'

let bots = 0
async function makeBot(scopes?: string[]): Promise<{ id: string; email: string; apiToken: string }> {
  const { value, message } = await fixture.run<{ id: string; email: string; apiToken: string }>(
    fixture.admin,
    'mutation ($input: CreateUserInput!) { createUser(input: $input) { id email apiToken } }',
    { input: { email: `bot-${bots++}@example.com`, role: 'BOT', scopes } },
  )
  if (message) throw new Error(message)
  return value
}
const signIn = (email: string, password = PASSWORD) =>
  fixture.run<{ token: string; scope: string }>(null, SIGN_IN, { email, password })

describe("a bot's API token, narrowed to guest", () => {
  it('cannot set a password, and so cannot start a session with the full role', async () => {
    const bot = await makeBot(['guest'])
    expect((await fixture.rest(bot.apiToken, 'PATCH', '/v2/users/me', { password: PASSWORD })).status).toBe(403)
    expect(
      (await fixture.rest(bot.apiToken, 'PATCH', '/v2/users/me', { password: PASSWORD, currentPassword: 'x' })).status,
    ).toBe(403)
    expect((await signIn(bot.email)).code).toBe('UNAUTHENTICATED')
  })

  it('asks for no invitation: a bot gets its password, if any, from an administrator', async () => {
    for (const given of [{ invite: true }, { status: 'INVITED' }]) {
      const input = { email: `other-${bots++}@example.com`, role: 'BOT', ...given }
      const { code } = await fixture.run(
        fixture.admin,
        'mutation ($input: CreateUserInput!) { createUser(input: $input) { id } }',
        { input },
      )
      expect(code).toBe('BAD_USER_INPUT')
    }
  })

  it('is not bypassed by a person who becomes a bot and loses password and sessions', async () => {
    const person = await fixture.makeAgent({ password: PASSWORD })
    const { value } = await signIn(person.email)
    await fixture.run(fixture.admin, UPDATE, { id: person.id, patch: { role: 'BOT' } })
    expect((await signIn(person.email)).code).toBe('UNAUTHENTICATED')
    expect((await fixture.run(value.token, '{ me { id } }')).code).toBe('UNAUTHENTICATED')
  })

  it('leaves no password of the bot to the person that it becomes', async () => {
    const bot = await makeBot()
    await fixture.run(fixture.admin, UPDATE, { id: bot.id, patch: { password: PASSWORD } })
    const { value } = await signIn(bot.email)
    await fixture.run(fixture.admin, UPDATE, { id: bot.id, patch: { role: 'AGENT' } })
    expect((await signIn(bot.email)).code).toBe('UNAUTHENTICATED')
    expect((await fixture.run(value.token, '{ me { id } }')).code).toBe('UNAUTHENTICATED')
  })
})

describe('rotateApiToken', () => {
  it("ends what the old token created: guests' tokens, their refresh tokens and sockets, and delayed messages", async () => {
    const bot = await makeBot()
    const { id } = await fixture.create()
    const { value: guest } = await fixture.run<{ token: string; refreshToken: string }>(
      bot.apiToken,
      'mutation ($c: ID!) { createGuestToken(conversation: $c) { token refreshToken } }',
      { c: id },
    )
    await fixture.send(bot.apiToken, id, { text: 'from the grave', delay: 60_000 })
    await fixture.send(fixture.bot, id, { text: 'of another', delay: 60_000 })
    const client = liveClient(fixture.url, guest.token)
    const live = subscribe(client, 'conversation', 'subscription ($id: ID!) { conversation(id: $id) { __typename } }', {
      id,
    })
    await live.next()

    const { value: rotated } = await fixture.run<{ apiToken: string }>(fixture.admin, ROTATE, { user: bot.id })
    expect((await fixture.run(guest.token, 'query ($id: ID!) { conversation(id: $id) { id } }', { id })).code).toBe(
      'UNAUTHENTICATED',
    )
    const REFRESH = 'mutation ($t: String!, $c: String) { refreshToken(refreshToken: $t, clientId: $c) { token } }'
    const { contactId } = await fixture.show(id)
    expect((await fixture.run(null, REFRESH, { t: guest.refreshToken, c: contactId })).code).toBe('UNAUTHENTICATED')
    await until(async () => live.errors.length > 0 || live.isComplete, Boolean)
    fixture.clock.advance(61_000)
    expect(
      texts(
        await until(
          () => fixture.show(id),
          (now) => texts(now).includes('of another'),
        ),
      ),
    ).not.toContain('from the grave')
    expect((await fixture.run(rotated.apiToken, '{ me { id } }')).value).toEqual({ id: bot.id })
    await client.dispose()
  })

  it('has the same effect as deleting, archiving and changing the role', async () => {
    const endings = [
      (id: string) => fixture.run(fixture.admin, 'mutation ($id: ID!) { deleteUser(id: $id) }', { id }),
      (id: string) => fixture.run(fixture.admin, UPDATE, { id, patch: { status: 'ARCHIVED' } }),
      (id: string) => fixture.run(fixture.admin, UPDATE, { id, patch: { role: 'AGENT' } }),
    ]
    for (const end of endings) {
      const bot = await makeBot()
      const { id } = await fixture.create()
      const { value: guest } = await fixture.run<{ token: string }>(
        bot.apiToken,
        'mutation ($c: ID!) { createGuestToken(conversation: $c) { token } }',
        { c: id },
      )
      expect((await end(bot.id)).code).toBeUndefined()
      expect((await fixture.run(guest.token, 'query ($id: ID!) { conversation(id: $id) { id } }', { id })).code).toBe(
        'UNAUTHENTICATED',
      )
    }
  })
})

describe('a stolen session', () => {
  it('does not change the password or the email without the present password', async () => {
    const admin = await fixture.makeAgent({ role: 'admin', password: 'the right password' })
    for (const patch of [{ password: PASSWORD }, { email: 'thief@example.com' }]) {
      const change = (currentPassword?: string) =>
        fixture.run(admin, UPDATE, { id: 'me', patch: { ...patch, currentPassword } })
      expect(await change()).toMatchObject({ code: 'BAD_USER_INPUT', details: { field: 'currentPassword' } })
      expect(await change('a guess')).toMatchObject({ code: 'FORBIDDEN', details: { field: 'currentPassword' } })
    }
    // By its own id, and over /v2, the same.
    expect(
      (await fixture.rest(admin, 'PATCH', `/v2/users/${admin.id.toUpperCase()}`, { password: PASSWORD })).status,
    ).toBe(400)
    expect((await signIn(admin.email, 'the right password')).code).toBeUndefined()
  })

  it('changes them for a caller who knows it; unchanged values require nothing', async () => {
    const admin = await fixture.makeAgent({ role: 'admin', password: 'the right password' })
    const whole = (await fixture.rest(admin, 'GET', '/v2/users/me')).body
    expect((await fixture.rest(admin, 'PATCH', '/v2/users/me', { ...whole, givenName: 'Ada' })).status).toBe(200)
    const currentPassword = 'the right password'
    expect(
      (await fixture.rest(admin, 'PATCH', '/v2/users/me', { email: 'ada@example.com', currentPassword })).status,
    ).toBe(200)
    expect((await fixture.rest(admin, 'PATCH', '/v2/users/me', { password: PASSWORD, currentPassword })).status).toBe(
      200,
    )
    expect((await signIn('ada@example.com')).code).toBeUndefined()
  })

  it('has ten guesses, which do not lock the owner out', async () => {
    const admin = await fixture.makeAgent({ role: 'admin', password: 'the right password' })
    const codes: (string | undefined)[] = []
    for (let guess = 0; guess < 12; guess++) {
      const patch = { password: PASSWORD, currentPassword: `guess ${guess}` }
      codes.push((await fixture.run(admin, UPDATE, { id: 'me', patch })).code)
    }
    expect(codes.filter((code) => code === 'RATE_LIMITED')).toHaveLength(2)
    expect((await signIn(admin.email, 'the right password')).code).toBeUndefined()
  })
})
