import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals'
import type { Client } from 'graphql-ws'
import { generateSync } from 'otplib'
import { LOGIN_FAILURES_PER_ACCOUNT } from '../../src/modules/auth/login-throttle.js'
import type { MadeOrganization, MadeUser } from '../support/factories.js'
import { closeCodeOf, liveClient, subscribe } from '../support/live-client.js'
import { startTestServer, type TestServer } from '../support/test-server.js'
import { until } from '../support/until.js'

const PASSWORD = 'correct horse battery'
const SIGN_IN = `mutation ($email: String!, $password: String!, $code: String) {
  createToken(email: $email, password: $password, code: $code) { token refreshToken } }`
const ENROL = 'mutation ($p: String!) { enrolTotp(currentPassword: $p) { id secret uri expiresAt } }'
const CONFIRM = 'mutation ($id: ID!, $code: String!) { confirmTotp(id: $id, code: $code) }'
const REMOVE = 'mutation ($p: String!, $c: String!) { removeTotp(currentPassword: $p, code: $c) }'
const RECOVERY = 'mutation ($p: String!, $c: String!) { createRecoveryCodes(currentPassword: $p, code: $c) }'
const FACTOR = 'query ($user: ID!) { secondFactor(user: $user) { methods createdAt usedAt recoveryCodesLeft } }'
const RESET = 'mutation ($user: ID!) { resetFactors(user: $user) { id } }'
const PERIOD_MS = 30_000

interface Tokens {
  token: string
  refreshToken: string
}
interface Enrolment {
  id: string
  secret: string
  uri: string
  expiresAt: string
}
interface Enrolled {
  user: MadeUser
  token: string
  secret: string
  recovery: string[]
}
type Answer = Awaited<ReturnType<TestServer['gql']>>

/** Two nodes, without Redis: what they agree on is in the database. */
let one: TestServer
let other: TestServer
let center: MadeOrganization & { owner: MadeUser }
let admin: MadeUser
const clients: Client[] = []

beforeAll(async () => {
  one = await startTestServer({ PUBLIC_URL: 'https://chat.example:8443' })
  other = await startTestServer({}, { beside: one })
  center = await one.makeContactCenter()
  admin = await one.makeUser({ organization: center, role: 'admin' })
  // Codes hold for half a minute: the machine may be slower.
  one.clock.standAt()
})
afterEach(async () => {
  await Promise.all(clients.splice(0).map((client) => client.dispose()))
})
afterAll(async () => {
  await other.close()
  await one.close()
})

const makeAgent = (role: 'agent' | 'admin' = 'agent') =>
  one.makeUser({ organization: center, role, password: PASSWORD })
const codeOf = (secret: string, periods = 0): string =>
  generateSync({ secret, epoch: Math.floor((one.clock.now().getTime() + periods * PERIOD_MS) / 1_000) })
/** The code of a period that no other code was used in. */
function nextCode(secret: string): string {
  one.clock.advance(PERIOD_MS)
  return codeOf(secret)
}
const signIn = ({ email }: MadeUser, code?: string | null, node = one): Promise<Answer> =>
  node.gql(null, SIGN_IN, { email, password: PASSWORD, code })
const reasonOf = ({ errors }: Answer): unknown => errors?.[0]?.extensions.reason ?? 'ok'
const tokensOf = (answer: Answer): Tokens => {
  expect(answer.errors).toBeUndefined()
  return (answer.data as { createToken: Tokens }).createToken
}
const begin = async (token: string, node = one): Promise<Enrolment> =>
  (await node.gql(token, ENROL, { p: PASSWORD })).data.enrolTotp

async function enrolled(user?: MadeUser): Promise<Enrolled> {
  const made = user ?? (await makeAgent())
  const { token } = tokensOf(await signIn(made))
  const { id, secret } = await begin(token)
  const { data, errors } = await one.gql(token, CONFIRM, { id, code: codeOf(secret) })
  expect(errors).toBeUndefined()
  return { user: made, token, secret, recovery: data.confirmTotp }
}

describe('an authenticator app', () => {
  it('is enrolled by its code; then signing in takes a code, which works once on all nodes', async () => {
    const agent = await makeAgent()
    const { token } = tokensOf(await signIn(agent))
    expect((await one.gql(token, FACTOR, { user: 'me' })).data.secondFactor).toBeNull()
    const { id, secret, uri, expiresAt } = await begin(token)
    expect(uri).toBe(
      `otpauth://totp/chat.example:${encodeURIComponent(agent.email)}?secret=${secret}&issuer=chat.example`,
    )
    expect(Date.parse(expiresAt) - one.clock.now().getTime()).toBe(15 * 60_000)
    // Nothing is asked for before it is confirmed.
    expect(reasonOf(await signIn(agent))).toBe('ok')
    const confirmed = codeOf(secret)
    expect(
      reasonOf(await one.gql(token, CONFIRM, { id, code: `${Number(confirmed[0]) ^ 1}${confirmed.slice(1)}` })),
    ).toBe('CODE_WRONG')
    const { data } = await one.gql(token, CONFIRM, { id, code: `${confirmed.slice(0, 3)} ${confirmed.slice(3)}` })
    expect(new Set(data.confirmTotp).size).toBe(10)
    const required = await signIn(agent, null, other)
    expect(required.errors![0]!.extensions).toMatchObject({
      code: 'UNAUTHENTICATED',
      reason: 'SECOND_FACTOR_REQUIRED',
      field: 'code',
      methods: ['TOTP', 'RECOVERY_CODE'],
    })
    expect(reasonOf(await signIn(agent, ' '))).toBe('SECOND_FACTOR_REQUIRED')
    // The code that confirmed it is spent.
    expect(reasonOf(await signIn(agent, confirmed))).toBe('SECOND_FACTOR_WRONG')
    const code = nextCode(secret)
    expect(reasonOf(await signIn(agent, code, other))).toBe('ok')
    expect(reasonOf(await signIn(agent, code))).toBe('SECOND_FACTOR_WRONG')
    // Neither is one from before it, which would be in time.
    one.clock.advance(PERIOD_MS)
    expect(reasonOf(await signIn(agent, codeOf(secret, -1)))).toBe('SECOND_FACTOR_WRONG')
    expect(reasonOf(await signIn(agent, codeOf(secret, 2)))).toBe('SECOND_FACTOR_WRONG')
    // A clock that is a period ahead.
    expect(reasonOf(await signIn(agent, codeOf(secret, 1)))).toBe('ok')
    expect((await one.gql(token, FACTOR, { user: agent.id })).data.secondFactor).toEqual({
      methods: ['TOTP', 'RECOVERY_CODE'],
      createdAt: expect.any(String),
      usedAt: one.clock.now().toISOString(),
      recoveryCodesLeft: 10,
    })
  })

  it('gives one of many sign-ins with the same code at the same time', async () => {
    const { user, secret, recovery } = await enrolled()
    for (const code of [nextCode(secret), recovery[0]!]) {
      const answers = await Promise.all(Array.from({ length: 8 }, (_, n) => signIn(user, code, n % 2 ? one : other)))
      expect(answers.map(reasonOf).toSorted()).toEqual([...Array<string>(7).fill('SECOND_FACTOR_WRONG'), 'ok'])
    }
  })

  it('asks nobody for a code who does not know the password', async () => {
    const { user, secret } = await enrolled()
    const code = nextCode(secret)
    const answer = await one.gql(null, SIGN_IN, { email: user.email, password: 'another password', code })
    expect(reasonOf(answer)).toBe('WRONG_CREDENTIALS')
    // Nor is the code spent by it.
    expect(reasonOf(await signIn(user, code))).toBe('ok')
  })

  it('is enrolled in two tabs at once by the first that is confirmed', async () => {
    const agent = await makeAgent()
    const { token } = tokensOf(await signIn(agent))
    const [left, right] = await Promise.all([begin(token), begin(token, other)])
    const confirm = ({ id, secret }: Enrolment, node: TestServer) =>
      node.gql(token, CONFIRM, { id, code: codeOf(secret) })
    const answers = await Promise.all([confirm(left, other), confirm(right, one)])
    expect(answers.map(reasonOf).toSorted()).toEqual(['SECOND_FACTOR_ENROLLED', 'ok'])
    const [kept, lost] = reasonOf(answers[0]) === 'ok' ? [left, right] : [right, left]
    expect(reasonOf(await signIn(agent, nextCode(lost.secret)))).toBe('SECOND_FACTOR_WRONG')
    expect(reasonOf(await signIn(agent, codeOf(kept.secret)))).toBe('ok')
    expect(reasonOf(await one.gql(token, ENROL, { p: PASSWORD }))).toBe('SECOND_FACTOR_ENROLLED')
  })

  it("waits for its confirmation for 15 minutes, five at a time, and is nobody else's", async () => {
    const { token } = tokensOf(await signIn(await makeAgent()))
    const colleague = tokensOf(await signIn(await makeAgent())).token
    const confirm = (as: string, { id, secret }: Enrolment) => one.gql(as, CONFIRM, { id, code: codeOf(secret) })
    const first = await begin(token)
    expect(reasonOf(await confirm(colleague, first))).toBe('RECORD_NOT_FOUND')
    expect(reasonOf(await confirm(token, { ...first, id: 'nonsense' }))).toBe('MALFORMED_ID')
    let last = first
    for (let count = 0; count < 5; count++) last = await begin(token)
    expect(reasonOf(await confirm(token, first))).toBe('RECORD_NOT_FOUND')
    one.clock.advance(15 * 60_000)
    expect(reasonOf(await confirm(token, last))).toBe('RECORD_NOT_FOUND')
  })

  it('needs the current password, of a person who has signed in', async () => {
    const { token } = tokensOf(await signIn(await makeAgent()))
    for (const [text, field] of [
      [ENROL, 'enrolTotp'],
      [REMOVE, 'removeTotp'],
      [RECOVERY, 'createRecoveryCodes'],
    ] as const) {
      const missing = await one.gql(token, text, { p: '', c: '123456' })
      expect([field, missing.errors![0]!.extensions]).toMatchObject([
        field,
        { code: 'BAD_USER_INPUT', reason: 'MISSING_VALUE', field: 'currentPassword' },
      ])
      expect(reasonOf(await one.gql(token, text, { p: 'another password', c: '123456' }))).toBe('WRONG_PASSWORD')
      if (field !== 'enrolTotp')
        expect(reasonOf(await one.gql(token, text, { p: PASSWORD, c: '123456' }))).toBe('NO_SECOND_FACTOR')
    }
    const input = { email: `bot-${crypto.randomUUID()}@example.com`, role: 'BOT', password: PASSWORD }
    const made = await one.gql(
      admin,
      'mutation ($input: CreateUserInput!) { createUser(input: $input) { id email apiToken } }',
      { input },
    )
    const bot = made.data.createUser as MadeUser & { apiToken: string }
    expect(reasonOf(await one.gql(bot.apiToken, ENROL, { p: PASSWORD }))).toBe('SIGN_IN_REQUIRED')
    const session = tokensOf(await signIn(bot, 'ignored'))
    expect(reasonOf(await one.gql(session.token, ENROL, { p: PASSWORD }))).toBe('NO_SECOND_FACTOR')
  })
})

describe('recovery codes', () => {
  it('work once each, however they are written, and are replaced as a whole', async () => {
    const { user, token, secret, recovery } = await enrolled()
    expect(reasonOf(await signIn(user, recovery[0]!.toUpperCase().replaceAll('-', ' ')))).toBe('ok')
    expect(reasonOf(await signIn(user, recovery[0], other))).toBe('SECOND_FACTOR_WRONG')
    expect((await one.gql(admin, FACTOR, { user: user.id })).data.secondFactor.recoveryCodesLeft).toBe(9)
    const { data } = await one.gql(token, RECOVERY, { p: PASSWORD, c: nextCode(secret) })
    expect(reasonOf(await signIn(user, recovery[1]))).toBe('SECOND_FACTOR_WRONG')
    for (const code of data.createRecoveryCodes as string[])
      expect(reasonOf(await signIn(user, code, other))).toBe('ok')
    const { errors } = await signIn(user)
    expect(errors![0]!.extensions.methods).toEqual(['TOTP'])
    expect(reasonOf(await signIn(user, nextCode(secret)))).toBe('ok')
  })

  it("are no colleague's", async () => {
    const [mine, theirs] = [await enrolled(), await enrolled()]
    expect(reasonOf(await signIn(mine.user, theirs.recovery[0]))).toBe('SECOND_FACTOR_WRONG')
    expect(reasonOf(await signIn(theirs.user, theirs.recovery[0]))).toBe('ok')
  })
})

describe('wrong codes', () => {
  /** A node that counts by itself: the failures of one network are limited too. */
  let apart: TestServer
  beforeAll(async () => {
    apart = await startTestServer({}, { beside: one })
  })
  afterAll(() => apart.close())

  it('neither take away a factor nor its recovery codes, and are not tried for ever', async () => {
    const { user, token, secret, recovery } = await enrolled()
    for (const text of [REMOVE, RECOVERY]) {
      const missing = await apart.gql(token, text, { p: PASSWORD, c: ' ' })
      expect(missing.errors![0]!.extensions).toMatchObject({ reason: 'MISSING_VALUE', field: 'code' })
      const wrong = await apart.gql(token, text, { p: PASSWORD, c: '000000' })
      expect(wrong.errors![0]!.extensions).toMatchObject({ code: 'UNPROCESSABLE', reason: 'CODE_WRONG', field: 'code' })
    }
    const codes = Array.from({ length: LOGIN_FAILURES_PER_ACCOUNT }, (_, at) => `00000${at}`.slice(-6))
    const reasons: unknown[] = []
    for (const c of codes) reasons.push(reasonOf(await apart.gql(token, REMOVE, { p: PASSWORD, c })))
    expect(reasons.at(-1)).toBe('RATE_LIMIT')
    // Neither does a right one then, and nothing is gone.
    expect(reasonOf(await apart.gql(token, REMOVE, { p: PASSWORD, c: recovery[0] }))).toBe('RATE_LIMIT')
    expect((await one.gql(admin, FACTOR, { user: user.id })).data.secondFactor.recoveryCodesLeft).toBe(10)
    expect(secret).toHaveLength(32)
  })

  it('that are refused for their number spend no failures of the password, which was right', async () => {
    const { user, recovery } = await enrolled()
    const tries = 2 * LOGIN_FAILURES_PER_ACCOUNT + 2
    const reasons: unknown[] = []
    for (let count = 0; count < tries; count++) reasons.push(reasonOf(await signIn(user, '000000', apart)))
    expect(new Set(reasons)).toEqual(new Set(['SECOND_FACTOR_WRONG', 'RATE_LIMIT']))
    // The password counts by itself: it is asked for a code still.
    expect(reasonOf(await signIn(user, null, apart))).toBe('SECOND_FACTOR_REQUIRED')
    expect(reasonOf(await signIn(user, recovery[0], apart))).toBe('RATE_LIMIT')
  })

  it('are limited as passwords are, also for who knows the password', async () => {
    const { user, secret } = await enrolled()
    await signIn(user)
    for (let count = 0; count < LOGIN_FAILURES_PER_ACCOUNT; count++) {
      expect(reasonOf(await signIn(user, ['000', 'no code', '0'.repeat(20), 'x'.repeat(5_000)][count % 4]))).toBe(
        'SECOND_FACTOR_WRONG',
      )
      // The right password, which clears its own count only.
      expect(reasonOf(await signIn(user))).toBe('SECOND_FACTOR_REQUIRED')
    }
    expect(reasonOf(await signIn(user, nextCode(secret)))).toBe('RATE_LIMIT')
    const { user: colleague, recovery } = await enrolled()
    expect(reasonOf(await signIn(colleague, recovery[0]))).toBe('ok')
  })
})

describe('without a code', () => {
  it('tokens are refreshed', async () => {
    const { user, secret } = await enrolled()
    const { refreshToken } = tokensOf(await signIn(user, nextCode(secret)))
    const refreshed = await other.gql(
      null,
      'mutation ($t: String!, $c: String) { refreshToken(refreshToken: $t, clientId: $c) { token } }',
      { t: refreshToken, c: user.email },
    )
    expect(refreshed.errors).toBeUndefined()
  })

  it('/v2 signs in whoever has enrolled nothing, and takes `code` of others', async () => {
    const { user, secret } = await enrolled()
    const plain = await makeAgent()
    const post = (body: object) => one.rest(null, 'POST', '/v2/auth/token', body)
    expect((await post({ email: plain.email, password: PASSWORD, otp: '123456' })).status).toBe(201)
    const refused = await post({ email: user.email, password: PASSWORD, otp: codeOf(secret) })
    expect([refused.status, refused.body]).toMatchObject([
      401,
      { reason: 'SECOND_FACTOR_REQUIRED', methods: ['totp', 'recoveryCode'] },
    ])
    expect((await post({ email: user.email, password: PASSWORD, code: nextCode(secret) })).status).toBe(201)
    expect((await post({ email: user.email, password: PASSWORD, code: codeOf(secret) })).body.reason).toBe(
      'SECOND_FACTOR_WRONG',
    )
  })

  it('the console gets no session', async () => {
    const { user, secret } = await enrolled()
    const post = (body: object) =>
      fetch(`${one.url}/console/session`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', origin: one.url },
        body: JSON.stringify({ email: user.email, password: PASSWORD, ...body }),
      })
    const refused = await post({})
    expect([refused.status, refused.headers.get('set-cookie')]).toEqual([401, null])
    expect(await refused.json()).toMatchObject({ reason: 'SECOND_FACTOR_REQUIRED' })
    const opened = await post({ code: nextCode(secret) })
    expect([opened.status, opened.headers.get('set-cookie')]).toEqual([200, expect.any(String)])
    expect((await post({ code: 7 })).status).toBe(400)
  })

  it('no link for a new password signs in, nor changes the password; it stays valid', async () => {
    const { user, token: session, secret } = await enrolled()
    const made = await one.gql(admin, 'mutation ($u: ID!) { createSignInLink(user: $u) { url } }', { u: user.id })
    const token = new URL(made.data.createSignInLink.url).hash.slice(1)
    const reset = (code?: string) =>
      one.gql(
        null,
        `mutation ($token: String!, $password: String!, $code: String) {
           resetPassword(token: $token, password: $password, code: $code) { token } }`,
        { token, password: PASSWORD, code },
      )
    expect(reasonOf(await reset())).toBe('SECOND_FACTOR_REQUIRED')
    expect(reasonOf(await reset('123'))).toBe('SECOND_FACTOR_WRONG')
    expect(reasonOf(await one.gql(session, '{ me { id } }'))).toBe('ok')
    expect(reasonOf(await reset(nextCode(secret)))).toBe('ok')
    expect(reasonOf(await reset(nextCode(secret)))).toBe('LINK_INVALID')
    expect(reasonOf(await signIn(user))).toBe('SECOND_FACTOR_REQUIRED')
    // Nor does a password that an administrator sets.
    await one.gql(admin, `mutation ($id: ID!) { updateUser(id: $id, patch: { password: "${PASSWORD}" }) { id } }`, {
      id: user.id,
    })
    expect(reasonOf(await signIn(user))).toBe('SECOND_FACTOR_REQUIRED')
  })
})

describe('the second factor is removed', () => {
  it('by its user, by the password and a code', async () => {
    const { user, token, secret, recovery } = await enrolled()
    expect((await one.gql(token, REMOVE, { p: PASSWORD, c: recovery[9] })).data.removeTotp).toBe(true)
    expect(reasonOf(await signIn(user, null, other))).toBe('ok')
    expect(reasonOf(await one.gql(token, REMOVE, { p: PASSWORD, c: recovery[8] }))).toBe('NO_SECOND_FACTOR')
    expect(reasonOf(await one.gql(admin, RESET, { user: user.id }))).toBe('NO_SECOND_FACTOR')
    expect(reasonOf(await one.gql(token, '{ me { id } }'))).toBe('ok')
    const again = await enrolled(user)
    expect(reasonOf(await signIn(user, recovery[0]))).toBe('SECOND_FACTOR_WRONG')
    expect(reasonOf(await signIn(user, nextCode(secret)))).toBe('SECOND_FACTOR_WRONG')
    expect(reasonOf(await signIn(user, codeOf(again.secret)))).toBe('ok')
  })

  it('by administrators for others, whose sessions end on all nodes', async () => {
    const { user, token } = await enrolled()
    const client = liveClient(other.url, token)
    clients.push(client)
    const closed = closeCodeOf(client)
    await subscribe(client, 'inbox', 'subscription { inbox { __typename } }').next()
    expect((await one.gql(admin, RESET, { user: user.id })).data.resetFactors.id).toBe(user.id)
    expect(await closed).toBe(4403)
    await until(
      async () => reasonOf(await other.gql(token, '{ me { id } }')),
      (reason) => reason === 'TOKEN_INVALID',
    )
    expect(reasonOf(await signIn(user))).toBe('ok')
    expect((await one.gql(admin, FACTOR, { user: user.id })).data.secondFactor).toBeNull()
  })

  it("not by a colleague, another contact center, oneself, or an owner's by an administrator", async () => {
    const { user, token } = await enrolled()
    const { token: own, user: self } = await enrolled(await makeAgent('admin'))
    const foreign = await one.makeContactCenter()
    const reset = async (as: string | MadeUser, of: MadeUser) => reasonOf(await one.gql(as, RESET, { user: of.id }))
    expect(await reset(token, self)).toBe('PERMISSION_MISSING')
    expect(await reset(foreign.owner, user)).toBe('RECORD_NOT_FOUND')
    expect(await reset(own, self)).toBe('OWN_ACCOUNT')
    expect(await reset(own, center.owner)).toBe('OWNER_REQUIRED')
    expect(reasonOf(await one.gql(token, FACTOR, { user: self.id }))).toBe('PERMISSION_MISSING')
    expect(reasonOf(await one.gql(foreign.owner, FACTOR, { user: user.id }))).toBe('RECORD_NOT_FOUND')
    expect(reasonOf(await signIn(user))).toBe('SECOND_FACTOR_REQUIRED')
  })

  it('with the user, and when the user becomes a bot', async () => {
    const [gone, changed] = [await enrolled(), await enrolled()]
    await one.gql(admin, 'mutation ($id: ID!) { deleteUser(id: $id) }', { id: gone.user.id })
    await one.gql(admin, 'mutation ($id: ID!) { updateUser(id: $id, patch: { role: BOT }) { id } }', {
      id: changed.user.id,
    })
    const users = [gone.user.id, changed.user.id]
    const { database } = one.server
    expect(await database.query('select from user_factor where user_id = any($1::uuid[])', [users])).toEqual([])
    expect(await database.query('select from recovery_code where user_id = any($1::uuid[])', [users])).toEqual([])
  })
})

it('leaves its changes and refusals in the audit log, and no secret', async () => {
  const { user, token, secret, recovery } = await enrolled()
  const read = async () =>
    (
      await one.gql(
        admin,
        `query ($id: String!) { auditEntries(first: 50, filter: { object: { eq: $id } }) {
           nodes { action actor { id } object { type id } details } } }`,
        { id: user.id },
      )
    ).data.auditEntries.nodes as { action: string; actor: { id: string }; details: Record<string, unknown> }[]
  await signIn(user, 'no code')
  // Nobody waits for it, and what comes next must not come before it.
  await until(read, (found) => found.some(({ action }) => action === 'signInRefused'))
  const code = nextCode(secret)
  await signIn(user, code)
  await signIn(user, recovery[0])
  const renewed = (await one.gql(token, RECOVERY, { p: PASSWORD, c: recovery[1] })).data.createRecoveryCodes as string[]
  await one.gql(token, REMOVE, { p: PASSWORD, c: renewed[0] })
  const again = await begin(token)
  await one.gql(token, CONFIRM, { id: again.id, code: codeOf(again.secret) })
  await one.gql(admin, RESET, { user: user.id })
  const entries = await read()
  expect(
    entries.map(({ action, details }) => `${action} ${(details.secondFactor ?? '') as string}`).toSorted(),
  ).toEqual([
    'confirmTotp ',
    'confirmTotp ',
    'createRecoveryCodes ',
    'removeTotp ',
    'resetFactors ',
    'signIn ',
    'signIn recoveryCode',
    'signIn totp',
    'signInRefused wrong',
  ])
  expect(entries.find(({ action }) => action === 'resetFactors')!.actor.id).toBe(admin.id)
  const rows = await one.server.database.query<{ text: string }>('select a::text as text from audit_entry a')
  const stored = rows.map(({ text }) => text).join('\n')
  for (const each of [secret, ...recovery, ...renewed]) expect(stored).not.toContain(each)
})
