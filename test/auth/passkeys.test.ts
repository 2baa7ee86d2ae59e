import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals'
import type { Client } from 'graphql-ws'
import { generateSync } from 'otplib'
import pino from 'pino'
import { unlockOwner } from '../../src/app/center/unlock-owner.js'
import { LOGIN_FAILURES_PER_ACCOUNT } from '../../src/modules/auth/login-throttle.js'
import { ANSWERS_PER_MINUTE, PasskeyPace } from '../../src/modules/auth/passkeys/passkey-pace.js'
import { relyingPartyOf } from '../../src/modules/auth/passkeys/relying-party.js'
import { readConfig } from '../../src/platform/config.js'
import type { MadeOrganization, MadeUser } from '../support/factories.js'
import { closeCodeOf, liveClient, subscribe } from '../support/live-client.js'
import {
  SoftAuthenticator,
  type CreationOptions,
  type Deviation,
  type RequestOptions,
} from '../support/soft-authenticator.js'
import { startTestServer, type TestServer } from '../support/test-server.js'
import { until } from '../support/until.js'

const PASSWORD = 'correct horse battery'
const PUBLIC_URL = 'https://chat.example:8443'
const SIGN_IN = `mutation ($email: String!, $password: String!, $code: String, $passkey: JSONObject) {
  createToken(email: $email, password: $password, code: $code, passkey: $passkey) { token refreshToken secondFactorDue } }`
const ENROL = `mutation ($p: String!, $code: String, $passkey: JSONObject) {
  enrolPasskey(currentPassword: $p, code: $code, passkey: $passkey) { options expiresAt } }`
const CONFIRM = `mutation ($passkey: JSONObject!, $name: String!) {
  confirmPasskey(passkey: $passkey, name: $name) { passkey { id name createdAt usedAt } recoveryCodes } }`
const RENAME = 'mutation ($id: ID!, $name: String!) { renamePasskey(id: $id, name: $name) { id name } }'
const REMOVE = `mutation ($id: ID!, $p: String!, $code: String, $passkey: JSONObject) {
  removePasskey(id: $id, currentPassword: $p, code: $code, passkey: $passkey) }`
const PROOF = 'mutation { createPasskeyProof { options expiresAt } }'
const CHALLENGE = 'mutation { createPasskeyChallenge { options expiresAt } }'
const BY_PASSKEY =
  'mutation ($passkey: JSONObject!) { signInByPasskey(passkey: $passkey) { token user secondFactorDue } }'
const LIST = 'query ($user: ID!) { passkeys(user: $user) { id name createdAt usedAt } }'
const FACTOR = 'query ($user: ID!) { secondFactor(user: $user) { methods recoveryCodesLeft } }'
const RESET = 'mutation ($user: ID!) { resetFactors(user: $user) { id } }'

const sent = (node: TestServer, text: string) => node.gql(null, text)
type Answer = Awaited<ReturnType<typeof sent>>
interface Enrolled {
  user: MadeUser
  token: string
  key: SoftAuthenticator
  id: string
  recovery: string[]
}

/** Two nodes, without Redis: what they agree on is in the database. */
let one: TestServer
let other: TestServer
let center: MadeOrganization & { owner: MadeUser }
let admin: MadeUser
const clients: Client[] = []

beforeAll(async () => {
  one = await startTestServer({ PUBLIC_URL })
  other = await startTestServer({ PUBLIC_URL }, { beside: one })
  center = await one.makeContactCenter()
  admin = await one.makeUser({ organization: center, role: 'admin' })
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
const reasonOf = ({ errors }: Answer): unknown => errors?.[0]?.extensions.reason ?? 'ok'
const messageOf = ({ errors }: Answer): string => errors?.[0]?.message ?? 'ok'
const signIn = ({ email }: MadeUser, more: object = {}, node = one): Promise<Answer> =>
  node.gql(null, SIGN_IN, { email, password: PASSWORD, ...more })
async function tokenOf(user: MadeUser, more: object = {}): Promise<string> {
  const { data, errors } = await signIn(user, more)
  expect(errors).toBeUndefined()
  return data.createToken.token
}
async function optionsOf<T>(answer: Promise<Answer>): Promise<T> {
  const { data, errors } = await answer
  expect(errors).toBeUndefined()
  return (Object.values(data)[0] as { options: T }).options
}
const challenge = (node = one) => optionsOf<RequestOptions>(sent(node, CHALLENGE))
const proof = async ({ token, key }: Pick<Enrolled, 'token' | 'key'>, deviation?: Deviation) =>
  key.get(await optionsOf<RequestOptions>(one.gql(token, PROOF)), deviation)
const bySignature = async (key: SoftAuthenticator, deviation?: Deviation, node = one): Promise<Answer> =>
  node.gql(null, BY_PASSKEY, { passkey: key.get(await challenge(), deviation) })

async function enrol(token: string, given: object = {}, name = 'Laptop') {
  const key = new SoftAuthenticator(PUBLIC_URL)
  const options = await optionsOf<CreationOptions>(one.gql(token, ENROL, { p: PASSWORD, ...given }))
  const { data, errors } = await one.gql(token, CONFIRM, { passkey: key.create(options), name })
  expect(errors).toBeUndefined()
  const { passkey, recoveryCodes } = data.confirmPasskey as { passkey: { id: string }; recoveryCodes: string[] | null }
  return { key, id: passkey.id, recoveryCodes, options }
}
async function enrolled(user?: MadeUser): Promise<Enrolled> {
  const made = user ?? (await makeAgent())
  const token = await tokenOf(made)
  const { key, id, recoveryCodes } = await enrol(token)
  return { user: made, token, key, id, recovery: recoveryCodes! }
}
const refusals = async (user: MadeUser) =>
  (
    await one.server.database.query<{ details: { passkey?: string } }>(
      `select details::jsonb as details from audit_entry where action = 'signInRefused' and object ->> 'id' = $1`,
      [user.id],
    )
  ).map(({ details }) => details.passkey)

const setRule = ({ id }: MadeOrganization, column: string, value: unknown) =>
  one.server.database.query(
    `insert into sign_in_policy (id, organization_id, org1, version, created_at, updated_at, ${column})
     values (gen_random_uuid(), $1, $1, 1, now(), now(), $2)
     on conflict (organization_id) do update set ${column} = $2`,
    [id, value],
  )

describe('a passkey', () => {
  it('is enrolled, and signs in alone, on each node, once a challenge', async () => {
    const user = await makeAgent()
    const token = await tokenOf(user)
    const { key, id, recoveryCodes, options } = await enrol(token, {}, '  Laptop ')
    expect(options).toMatchObject({
      rp: { id: 'chat.example' },
      user: { name: user.email },
      attestation: 'none',
      authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
      excludeCredentials: [],
    })
    expect(new Set(recoveryCodes).size).toBe(10)
    expect((await other.gql(token, LIST, { user: 'me' })).data.passkeys).toEqual([
      { id, name: 'Laptop', createdAt: one.clock.now().toISOString(), usedAt: null },
    ])
    const asked = await challenge(other)
    expect(asked).toMatchObject({ rpId: 'chat.example', userVerification: 'required' })
    expect(asked.allowCredentials ?? []).toEqual([])
    const passkey = key.get(asked)
    const answers = await Promise.all(
      Array.from({ length: 6 }, (_, n) => (n % 2 ? one : other).gql(null, BY_PASSKEY, { passkey })),
    )
    expect(answers.map(reasonOf).toSorted()).toEqual([...Array<string>(5).fill('PASSKEY_CHALLENGE_GONE'), 'ok'])
    const opened = answers.find(({ errors }) => !errors)!.data.signInByPasskey
    expect(opened).toMatchObject({ user: user.id, secondFactorDue: null })
    expect((await other.gql(opened.token, '{ me { id } }')).data.me.id).toBe(user.id)
    expect((await one.gql(admin, LIST, { user: user.id })).data.passkeys[0].usedAt).toBe(one.clock.now().toISOString())
    expect((await one.gql(token, FACTOR, { user: 'me' })).data.secondFactor).toEqual({
      methods: ['PASSKEY', 'RECOVERY_CODE'],
      recoveryCodesLeft: 10,
    })
  })

  it('is the second factor after the password, and recovery codes are too', async () => {
    const { user, key, recovery } = await enrolled()
    const refused = await signIn(user, { code: '123456' })
    expect(reasonOf(refused)).toBe('SECOND_FACTOR_WRONG')
    const required = await signIn(user, {}, other)
    expect(required.errors![0]!.extensions).toMatchObject({
      reason: 'SECOND_FACTOR_REQUIRED',
      methods: ['PASSKEY', 'RECOVERY_CODE'],
    })
    const passkey = key.get(await challenge())
    expect(reasonOf(await signIn(user, { passkey }, other))).toBe('ok')
    expect(reasonOf(await signIn(user, { passkey }))).toBe('PASSKEY_CHALLENGE_GONE')
    expect(reasonOf(await signIn(user, { code: recovery[0] }))).toBe('ok')
    // Beside a wrong password it is worth nothing.
    const unspent = key.get(await challenge())
    expect(
      reasonOf(await one.gql(null, SIGN_IN, { email: user.email, password: 'another password', passkey: unspent })),
    ).toBe('WRONG_CREDENTIALS')
    const { key: theirs } = await enrolled()
    expect(reasonOf(await signIn(user, { passkey: theirs.get(await challenge()) }))).toBe('SECOND_FACTOR_WRONG')
    // Who has enrolled nothing signs in as before, whatever the field holds.
    const plain = await makeAgent()
    expect(reasonOf(await signIn(plain, { passkey: theirs.get(await challenge()) }))).toBe('ok')
    expect(reasonOf(await signIn(plain, { passkey }))).toBe('ok')
    const { status } = await one.rest(null, 'POST', '/v2/auth/token', { email: plain.email, password: PASSWORD })
    expect(status).toBe(201)
    const legacy = await one.rest(null, 'POST', '/v2/auth/token', { email: user.email, password: PASSWORD })
    expect([legacy.status, legacy.body.methods]).toEqual([401, ['passkey', 'recoveryCode']])
  })

  it('is refused in one way, whether there is such a one or not', async () => {
    const { key } = await enrolled()
    const { user: colleague, key: theirs } = await enrolled()
    const stranger = new SoftAuthenticator(PUBLIC_URL)
    const bodyOf = (answer: Answer) => ({ message: messageOf(answer), reason: reasonOf(answer) })
    const unknown = bodyOf(await bySignature(stranger, { userHandle: key.userHandle }))
    expect(unknown).toEqual({ message: 'the passkey is not accepted', reason: 'PASSKEY_REFUSED' })
    for (const deviation of [
      { isForged: true },
      { isUnverified: true },
      { rpId: 'evil.example' },
      { userHandle: null },
      { userHandle: theirs.userHandle },
    ])
      expect([deviation, bodyOf(await bySignature(key, deviation))]).toEqual([deviation, unknown])
    expect(reasonOf(await bySignature(key))).toBe('ok')
    await one.gql(admin, 'mutation ($id: ID!) { updateUser(id: $id, patch: { status: ARCHIVED }) { id } }', {
      id: colleague.id,
    })
    expect(bodyOf(await bySignature(theirs))).toEqual(unknown)
  })

  it('of another site, another frame, or for a challenge that was not made for it, is refused', async () => {
    const { token, key } = await enrolled()
    const answer = await bySignature(key, { origin: 'https://chat.example' })
    expect([reasonOf(answer), messageOf(answer)]).toEqual([
      'PASSKEY_ORIGIN',
      'the passkey was used at https://chat.example: passkeys work at https://chat.example:8443, which is PUBLIC_URL',
    ])
    expect(reasonOf(await bySignature(key, { crossOrigin: true }))).toBe('PASSKEY_ORIGIN')
    expect(reasonOf(await bySignature(key, { challenge: 'bm90aGluZw' }))).toBe('PASSKEY_CHALLENGE_GONE')
    const late = key.get(await challenge())
    one.clock.advance(5 * 60_000)
    expect(reasonOf(await one.gql(null, BY_PASSKEY, { passkey: late }))).toBe('PASSKEY_CHALLENGE_GONE')
    // A proof of a change opens no session, and the other way round; nor is one another session's.
    expect(reasonOf(await one.gql(null, BY_PASSKEY, { passkey: await proof({ token, key }) }))).toBe(
      'PASSKEY_CHALLENGE_GONE',
    )
    const change = async (as: string, passkey: unknown) => one.gql(as, ENROL, { p: PASSWORD, passkey })
    expect(messageOf(await change(token, key.get(await challenge())))).toContain('was made for something else')
    const second = (await bySignature(key)).data.signInByPasskey.token as string
    expect(reasonOf(await change(second, await proof({ token, key })))).toBe('PASSKEY_INVALID')
    expect(reasonOf(await change(second, await proof({ token: second, key })))).toBe('ok')
  })

  it('that was copied is refused, and leaves an entry in the audit log each time', async () => {
    const { user, key } = await enrolled()
    expect(reasonOf(await bySignature(key, { counter: 7 }))).toBe('ok')
    expect(reasonOf(await bySignature(key, { counter: 7 }, other))).toBe('PASSKEY_REFUSED')
    expect(reasonOf(await bySignature(key, { counter: 0 }))).toBe('PASSKEY_REFUSED')
    const factor = await signIn(user, { passkey: key.get(await challenge(), { counter: 3 }) })
    expect(reasonOf(factor)).toBe('SECOND_FACTOR_WRONG')
    expect((await refusals(user)).filter((each) => each === 'copied')).toHaveLength(3)
    expect(reasonOf(await bySignature(key, { counter: 8 }))).toBe('ok')
    // A forged one says nothing of the counter.
    expect(reasonOf(await bySignature(key, { counter: 1, isForged: true }))).toBe('PASSKEY_REFUSED')
    expect((await refusals(user)).filter((each) => each === 'copied')).toHaveLength(3)
    // Synced passkeys count nothing.
    const synced = await enrolled()
    synced.key.counter = null
    expect(reasonOf(await bySignature(synced.key))).toBe('ok')
    expect(reasonOf(await bySignature(synced.key, {}, other))).toBe('ok')
  })

  it('of two copies that answer at once lets in one', async () => {
    const { key } = await enrolled()
    const challenges = await Promise.all(Array.from({ length: 6 }, () => challenge()))
    const copies = challenges.map((options) => key.get(options, { counter: 5 }))
    const answers = await Promise.all(
      copies.map((passkey, n) => (n % 2 ? one : other).gql(null, BY_PASSKEY, { passkey })),
    )
    expect(answers.map(reasonOf).toSorted()).toEqual([...Array<string>(5).fill('PASSKEY_REFUSED'), 'ok'])
  })

  it('is not tried for ever', async () => {
    const apart = await startTestServer({ PUBLIC_URL }, { beside: one })
    try {
      const { key } = await enrolled()
      for (let count = 0; count < LOGIN_FAILURES_PER_ACCOUNT; count++)
        expect(reasonOf(await bySignature(key, { isForged: true }, apart))).toBe('PASSKEY_REFUSED')
      expect(reasonOf(await bySignature(key, {}, apart))).toBe('RATE_LIMIT')
    } finally {
      await apart.close()
    }
  })

  it('that is right is not counted as a failure where the policy refuses it', async () => {
    const strict = await one.makeContactCenter()
    const user = await one.makeUser({ organization: strict, role: 'agent', password: PASSWORD })
    const { key } = await enrolled(user)
    await setRule(strict, 'allowed_networks', ['192.0.2.0/24'])
    const apart = await startTestServer({ PUBLIC_URL }, { beside: one })
    try {
      for (let count = 0; count <= LOGIN_FAILURES_PER_ACCOUNT; count++)
        expect(reasonOf(await bySignature(key, {}, apart))).toBe('NETWORK_NOT_ALLOWED')
      await setRule(strict, 'allowed_networks', null)
      expect(reasonOf(await bySignature(key, {}, apart))).toBe('ok')
    } finally {
      await apart.close()
    }
  })

  it('is asked for and answered so many times a minute by a network, and by those around it', async () => {
    const triesOf = async (addresses: (n: number) => string) => {
      const pace = new PasskeyPace(undefined)
      for (let n = 0; ; n++) if (await pace.spend('answer', addresses(n)).catch(() => true)) return n
    }
    expect(await triesOf(() => '192.0.2.1')).toBe(ANSWERS_PER_MINUTE)
    expect(await triesOf((n) => `192.0.2.${n % 256}`)).toBe(2 * ANSWERS_PER_MINUTE)
    expect(await triesOf((n) => `2001:db8:1:${n.toString(16)}::1`)).toBe(4 * ANSWERS_PER_MINUTE)
    const apart = await startTestServer({ PUBLIC_URL }, { beside: one })
    try {
      // On a slow machine a minute may end before so many are answered: then it goes on in the next.
      await until(async () => {
        const answers = await Promise.all(
          Array.from({ length: 100 }, () => apart.gql(null, BY_PASSKEY, { passkey: {} })),
        )
        return answers.some((answer) => reasonOf(answer) === 'RATE_LIMIT')
      })
    } finally {
      await apart.close()
    }
  })

  it('that was asked for and not answered is deleted while others are asked for', async () => {
    const { database } = one.server
    const now = one.clock.now()
    await database.query(
      `insert into passkey_challenge (id, purpose, expires_at)
       select 'late ' || n, 'signIn', $1::timestamptz - interval '1 day' from generate_series(1, 25) n`,
      [now],
    )
    await challenge()
    const left = await database.query('select from passkey_challenge where expires_at <= $1', [now])
    expect(left.length).toBeLessThanOrEqual(5)
  })

  it('is told from nonsense by its fields', async () => {
    const { key } = await enrolled()
    const good = key.get(await challenge()) as { response: object }
    for (const [passkey, said] of [
      [{}, 'response is missing'],
      [{ ...good, id: 'not base64url!' }, 'id is not base64url'],
      [{ ...good, response: { ...good.response, signature: 7 } }, 'response.signature is not base64url'],
      [
        { ...good, response: { ...good.response, clientDataJSON: 'bm90IGpzb24' } },
        'clientDataJSON is not of a browser',
      ],
      [{ ...good, more: 'x'.repeat(40_000) }, 'more than 32768 characters'],
    ] as const) {
      const answer = await one.gql(null, BY_PASSKEY, { passkey })
      expect(answer.errors![0]).toMatchObject({ extensions: { code: 'BAD_USER_INPUT', field: 'passkey' } })
      expect(messageOf(answer)).toContain(said)
    }
    const garbled = { ...good, response: { ...good.response, authenticatorData: 'AAAA', userHandle: key.userHandle } }
    expect(reasonOf(await one.gql(null, BY_PASSKEY, { passkey: garbled }))).toBe('PASSKEY_REFUSED')
  })
})

describe('an enrolment', () => {
  it('is refused for another site, an unverified person, a spent, late or foreign challenge', async () => {
    const token = await tokenOf(await makeAgent())
    const stranger = await tokenOf(await makeAgent())
    const begin = () => optionsOf<CreationOptions>(one.gql(token, ENROL, { p: PASSWORD }))
    const key = new SoftAuthenticator(PUBLIC_URL)
    const confirm = (passkey: unknown, as = token, name = 'Key', node = one) => node.gql(as, CONFIRM, { passkey, name })
    for (const [deviation, said] of [
      [{ origin: 'https://evil.example' }, 'passkeys work at https://chat.example:8443'],
      [{ rpId: 'evil.example' }, 'Unexpected RP ID hash'],
      [{ isUnverified: true }, 'User verification'],
    ] as const) {
      const answer = await confirm(key.create(await begin(), deviation))
      expect(answer.errors![0]!.extensions).toMatchObject({ code: 'UNPROCESSABLE', reason: 'PASSKEY_INVALID' })
      expect(messageOf(answer)).toContain(said)
    }
    const late = key.create(await begin())
    one.clock.advance(5 * 60_000)
    expect(reasonOf(await confirm(late))).toBe('PASSKEY_INVALID')
    expect(reasonOf(await confirm(key.create(await begin()), stranger))).toBe('PASSKEY_INVALID')
    const good = key.create(await begin())
    expect(await confirm(good, token, ' ')).toMatchObject({ errors: [{ extensions: { field: 'name' } }] })
    expect(await confirm(good, token, 'x'.repeat(101))).toMatchObject({ errors: [{ extensions: { field: 'name' } }] })
    expect(reasonOf(await confirm(good, token, 'Key', other))).toBe('ok')
    expect(reasonOf(await confirm(good))).toBe('PASSKEY_INVALID')
    // The same authenticator, for somebody else: it is no second key of it.
    const theirs = await optionsOf<CreationOptions>(one.gql(stranger, ENROL, { p: PASSWORD }))
    expect(reasonOf(await confirm(key.create(theirs), stranger))).toBe('SECOND_FACTOR_ENROLLED')
  })

  it.each(['android-key', 'packed', 'tpm', 'something'])(
    'reads nothing of what is said of the maker as %s: a certificate names addresses to ask',
    async (format) => {
      const token = await tokenOf(await makeAgent())
      const options = await optionsOf<CreationOptions>(one.gql(token, ENROL, { p: PASSWORD }))
      const key = new SoftAuthenticator(PUBLIC_URL)
      const certificate = Buffer.from('a certificate of one’s own making')
      const statement = new Map<string, number | Buffer | Buffer[]>([
        ['alg', -7],
        ['sig', Buffer.alloc(70)],
        ['x5c', [certificate, certificate]],
      ])
      const passkey = key.create(options, { attestation: { format, statement } })
      expect(reasonOf(await one.gql(token, CONFIRM, { passkey, name: 'Phone' }))).toBe('ok')
      expect(reasonOf(await bySignature(key))).toBe('ok')
    },
  )

  it('needs the password, and the factor that there is; nothing that was begun before one', async () => {
    const { user, token, key, id, recovery } = await enrolled()
    expect(reasonOf(await one.gql(token, ENROL, { p: 'another password' }))).toBe('WRONG_PASSWORD')
    const missing = await one.gql(token, ENROL, { p: PASSWORD })
    expect(missing.errors![0]!.extensions).toMatchObject({ reason: 'MISSING_VALUE', field: 'code' })
    expect(reasonOf(await one.gql(token, ENROL, { p: PASSWORD, code: recovery[0] }))).toBe('ok')
    const again = await enrol(token, { passkey: await proof({ token, key }) }, 'Phone')
    expect(again.recoveryCodes).toBeNull()
    expect(again.options.excludeCredentials.map((each) => each.id)).toEqual([key.id])
    expect(reasonOf(await bySignature(again.key))).toBe('ok')
    expect(reasonOf(await one.gql(token, RENAME, { id, name: 'Work laptop' }))).toBe('ok')
    expect(reasonOf(await one.gql(token, RENAME, { id: crypto.randomUUID(), name: 'x' }))).toBe('RECORD_NOT_FOUND')
    const { token: stranger } = await enrolled()
    expect(reasonOf(await one.gql(stranger, RENAME, { id, name: 'Mine' }))).toBe('RECORD_NOT_FOUND')
    expect((await one.gql(token, LIST, { user: 'me' })).data.passkeys).toMatchObject([
      { name: 'Work laptop' },
      { name: 'Phone' },
    ])
    // The password alone enrols no app beside it, signed in or not.
    expect(
      reasonOf(
        await one.gql(token, 'mutation ($p: String!) { enrolTotp(currentPassword: $p) { id } }', { p: PASSWORD }),
      ),
    ).toBe('MISSING_VALUE')
    expect(
      reasonOf(
        await one.gql(null, 'mutation ($e: String!, $p: String!) { enrolAtSignIn(email: $e, password: $p) { id } }', {
          e: user.email,
          p: PASSWORD,
        }),
      ),
    ).toBe('SECOND_FACTOR_ENROLLED')
    const plain = await makeAgent()
    const session = await tokenOf(plain)
    const { data } = await one.gql(
      null,
      'mutation ($e: String!, $p: String!) { enrolAtSignIn(email: $e, password: $p) { id secret } }',
      { e: plain.email, p: PASSWORD },
    )
    const app = data.enrolAtSignIn as { id: string; secret: string }
    await enrol(session)
    const code = generateSync({ secret: app.secret, epoch: Math.floor(one.clock.now().getTime() / 1_000) })
    const atSignIn = await one.gql(
      null,
      `mutation ($email: String!, $password: String!, $code: String, $e: ID) {
         createToken(email: $email, password: $password, code: $code, enrolment: $e) { token } }`,
      { email: plain.email, password: PASSWORD, code, e: app.id },
    )
    expect(reasonOf(atSignIn)).toBe('SECOND_FACTOR_ENROLLED')
    expect(
      reasonOf(
        await one.gql(session, 'mutation ($id: ID!, $code: String!) { confirmTotp(id: $id, code: $code) }', {
          id: app.id,
          code,
        }),
      ),
    ).toBe('RECORD_NOT_FOUND')
  })

  it('that was begun before the first factor ends with its confirmation, also at the same time', async () => {
    for (const isAtOnce of [false, true]) {
      const token = await tokenOf(await makeAgent())
      const passkeys: unknown[] = []
      for (let n = 0; n < 4; n++)
        passkeys.push(
          new SoftAuthenticator(PUBLIC_URL).create(
            await optionsOf<CreationOptions>(one.gql(token, ENROL, { p: PASSWORD })),
          ),
        )
      const confirm = (n: number) => (n % 2 ? other : one).gql(token, CONFIRM, { passkey: passkeys[n], name: 'Key' })
      const answers = isAtOnce
        ? await Promise.all([0, 1, 2, 3].map(confirm))
        : [await confirm(0), await confirm(1), await confirm(2), await confirm(3)]
      expect(answers.map(reasonOf).toSorted()).toEqual([...Array<string>(3).fill('PASSKEY_INVALID'), 'ok'])
    }
  })

  it('is refused in a session that has ended, of which a node has not heard', async () => {
    const { database } = one.server
    const ends: ((user: MadeUser, second: string) => Promise<unknown>)[] = [
      (user, second) =>
        one.gql(second, 'mutation ($id: ID!, $patch: UpdateUserInput!) { updateUser(id: $id, patch: $patch) { id } }', {
          id: user.id,
          patch: { password: 'another horse battery', currentPassword: PASSWORD },
        }),
      (user) => one.gql(admin, 'mutation ($user: ID!) { endSessions(user: $user) }', { user: user.id }),
      async (user) => {
        const link = await one.gql(admin, 'mutation ($user: ID!) { createSignInLink(user: $user) { url } }', {
          user: user.id,
        })
        const token = link.data.createSignInLink.url.split('#')[1]
        await one.gql(
          null,
          'mutation ($t: String!, $p: String!) { resetPassword(token: $t, password: $p) { token } }',
          { t: token, p: 'another horse battery' },
        )
      },
      (user) => database.query('update token_family set revoked_at = now() where user_id = $1', [user.id]),
    ]
    for (const end of ends) {
      const user = await makeAgent()
      const [token, second] = [await tokenOf(user), await tokenOf(user)]
      const options = await optionsOf<CreationOptions>(one.gql(token, ENROL, { p: PASSWORD }))
      const passkey = new SoftAuthenticator(PUBLIC_URL).create(options)
      // The other node knows the caller from now on, for some time.
      expect(reasonOf(await other.gql(token, '{ me { id } }'))).toBe('ok')
      await end(user, second)
      const answer = await other.gql(token, CONFIRM, { passkey, name: 'Thief' })
      expect([ends.indexOf(end), reasonOf(answer)]).toEqual([ends.indexOf(end), 'TOKEN_INVALID'])
      expect((await one.gql(admin, LIST, { user: user.id })).data.passkeys).toEqual([])
    }
  })

  it('has an id of at most 1,023 bytes', async () => {
    const token = await tokenOf(await makeAgent())
    const confirm = async (bytes: number) => {
      const options = await optionsOf<CreationOptions>(one.gql(token, ENROL, { p: PASSWORD }))
      const passkey = new SoftAuthenticator(PUBLIC_URL, bytes).create(options)
      return one.gql(token, CONFIRM, { passkey, name: 'Key' })
    }
    expect((await confirm(1_024)).errors![0]!.extensions).toMatchObject({ code: 'BAD_USER_INPUT', field: 'passkey' })
    expect(reasonOf(await confirm(1_023))).toBe('ok')
  })

  it('is of at most 20 a user, and of no bot and no API token', async () => {
    const { user, token, recovery } = await enrolled()
    await one.server.database.query(
      `insert into passkey (id, user_id, credential_id, public_key, sign_count, transports, name, created_at)
       select gen_random_uuid(), user_id, 'copy' || n, public_key, 0, transports, name, created_at
       from passkey, generate_series(1, 19) n where user_id = $1`,
      [user.id],
    )
    expect(reasonOf(await one.gql(token, ENROL, { p: PASSWORD, code: recovery[0] }))).toBe('TOO_MANY')
    const input = { email: `bot-${crypto.randomUUID()}@example.com`, role: 'BOT', password: PASSWORD }
    const made = await one.gql(
      admin,
      'mutation ($input: CreateUserInput!) { createUser(input: $input) { id email apiToken } }',
      { input },
    )
    const bot = made.data.createUser as MadeUser & { apiToken: string }
    expect(reasonOf(await one.gql(bot.apiToken, ENROL, { p: PASSWORD }))).toBe('SIGN_IN_REQUIRED')
    expect(reasonOf(await one.gql(bot.apiToken, PROOF))).toBe('SIGN_IN_REQUIRED')
    expect(reasonOf(await one.gql(await tokenOf(bot), ENROL, { p: PASSWORD }))).toBe('NO_SECOND_FACTOR')
  })

  it('needs a site for which browsers make passkeys', () => {
    expect(relyingPartyOf('https://chat.example')).toEqual({ id: 'chat.example', origin: 'https://chat.example' })
    expect(relyingPartyOf('http://localhost:8080')).toEqual({ id: 'localhost', origin: 'http://localhost:8080' })
    for (const url of ['http://chat.example', 'https://192.0.2.1', 'https://[2001:db8::1]:8443'])
      expect(() => relyingPartyOf(url)).toThrow(`it is ${url}`)
  })
})

describe('passkeys are removed', () => {
  it('by their user, by the password and a factor; a sign-in that was begun before is refused', async () => {
    const { user, token, key, id, recovery } = await enrolled()
    const phone = await enrol(token, { passkey: await proof({ token, key }) }, 'Phone')
    const begun = key.get(await challenge())
    expect(reasonOf(await one.gql(token, REMOVE, { id, p: PASSWORD }))).toBe('MISSING_VALUE')
    expect(reasonOf(await one.gql(token, REMOVE, { id, p: PASSWORD, code: '000000' }))).toBe('CODE_WRONG')
    expect(
      reasonOf(
        await one.gql(token, REMOVE, { id, p: PASSWORD, passkey: await proof({ token, key }, { isForged: true }) }),
      ),
    ).toBe('PASSKEY_INVALID')
    const passkey = await proof({ token, key: phone.key })
    expect((await one.gql(token, REMOVE, { id, p: PASSWORD, passkey })).data.removePasskey).toBe(true)
    expect(reasonOf(await other.gql(null, BY_PASSKEY, { passkey: begun }))).toBe('PASSKEY_REFUSED')
    // The codes end with the last factor, not before.
    expect((await one.gql(token, FACTOR, { user: 'me' })).data.secondFactor.recoveryCodesLeft).toBe(10)
    const last = { id: phone.id, p: PASSWORD, code: recovery[0] }
    expect((await one.gql(token, REMOVE, last)).data.removePasskey).toBe(true)
    expect(reasonOf(await one.gql(token, REMOVE, last))).toBe('RECORD_NOT_FOUND')
    expect((await one.gql(token, FACTOR, { user: 'me' })).data.secondFactor).toBeNull()
    expect(reasonOf(await signIn(user))).toBe('ok')
    expect(reasonOf(await one.gql(token, PROOF))).toBe('NO_SECOND_FACTOR')
  })

  it('with the other sessions of their user, which a thief may have opened by them', async () => {
    const { token, key, id } = await enrolled()
    const opened = (await bySignature(key)).data.signInByPasskey.token as string
    expect(reasonOf(await one.gql(opened, '{ me { id } }'))).toBe('ok')
    expect(reasonOf(await one.gql(token, REMOVE, { id, p: PASSWORD, passkey: await proof({ token, key }) }))).toBe('ok')
    expect(reasonOf(await one.gql(opened, '{ me { id } }'))).toBe('TOKEN_INVALID')
    expect(reasonOf(await one.gql(token, '{ me { id } }'))).toBe('ok')
  })

  it('with an app, the codes and all sessions by npm run owner:unlock, for the last owner', async () => {
    const lost = await one.makeContactCenter()
    const owner = await one.makeUser({ organization: lost, role: 'owner', password: PASSWORD })
    const { token, key } = await enrolled(owner)
    await setRule(lost, 'allowed_networks', ['127.0.0.0/8'])
    const unlock = (...args: string[]) =>
      unlockOwner(
        readConfig({ DATABASE_URL: one.databaseUrl, DATABASE_POOL_SIZE: '2' }),
        pino({ level: 'silent' }),
        args,
      )
    await expect(unlock('--factors')).rejects.toThrow('usage')
    await expect(unlock(owner.email, '--all')).rejects.toThrow('usage')
    expect(await unlock(owner.email, '--factors')).toContain('signs in by the password alone')
    expect(reasonOf(await signIn(owner))).toBe('ok')
    expect(reasonOf(await bySignature(key))).toBe('PASSKEY_REFUSED')
    for (const table of ['user_factor', 'passkey', 'recovery_code'])
      expect(await one.server.database.query(`select from ${table} where user_id = $1`, [owner.id])).toEqual([])
    await until(
      async () => reasonOf(await one.gql(token, '{ me { id } }')),
      (reason) => reason === 'TOKEN_INVALID',
    )
    // Rules stay: whoever has lost a phone is not shut out by them.
    expect(
      await one.server.database.query(
        'select from sign_in_policy where organization_id = $1 and allowed_networks is not null',
        [lost.id],
      ),
    ).toHaveLength(1)
    expect(
      await one.server.database.query(
        `select details::jsonb as details from audit_entry where action = 'ownerUnlock' and object ->> 'id' = $1`,
        [owner.id],
      ),
    ).toEqual([{ details: { removed: ['second factor'] } }])
    expect(await unlock(owner.email, '--factors')).toContain('no second factor')
  })

  it('by administrators, who see the names, with all sessions; and with their user', async () => {
    const [{ user, token, key }, gone] = [await enrolled(), await enrolled()]
    const client = liveClient(other.url, token)
    clients.push(client)
    const closed = closeCodeOf(client)
    await subscribe(client, 'inbox', 'subscription { inbox { __typename } }').next()
    expect(reasonOf(await one.gql(gone.token, LIST, { user: user.id }))).toBe('PERMISSION_MISSING')
    const foreign = await one.makeContactCenter()
    expect(reasonOf(await one.gql(foreign.owner, LIST, { user: user.id }))).toBe('RECORD_NOT_FOUND')
    expect((await one.gql(admin, RESET, { user: user.id })).data.resetFactors.id).toBe(user.id)
    expect(await closed).toBe(4403)
    await until(
      async () => reasonOf(await other.gql(token, '{ me { id } }')),
      (reason) => reason === 'TOKEN_INVALID',
    )
    expect(reasonOf(await bySignature(key))).toBe('PASSKEY_REFUSED')
    expect(reasonOf(await signIn(user))).toBe('ok')
    await one.gql(gone.token, PROOF)
    await one.gql(admin, 'mutation ($id: ID!) { deleteUser(id: $id) }', { id: gone.user.id })
    for (const table of ['passkey', 'passkey_challenge', 'recovery_code'])
      expect(await one.server.database.query(`select from ${table} where user_id = $1`, [gone.user.id])).toEqual([])
    expect(reasonOf(await bySignature(gone.key))).toBe('PASSKEY_REFUSED')
  })
})

describe('the sign-in policy', () => {
  it('counts a passkey as a second factor, which stays while it is asked for', async () => {
    const asking = await one.makeContactCenter()
    const user = await one.makeUser({ organization: asking, role: 'agent', password: PASSWORD })
    const { token, key, id, recovery } = await enrolled(user)
    const update = 'mutation ($patch: UpdateSignInPolicyInput!) { updateSignInPolicy(patch: $patch) { version } }'
    const effects = await one.gql(
      asking.owner,
      'query ($patch: UpdateSignInPolicyInput!) { signInPolicyEffects(patch: $patch) { usersToEnrol sessions } }',
      { patch: { secondFactor: 'ALL', graceDays: 0 } },
    )
    const before = effects.data.signInPolicyEffects.usersToEnrol as number
    expect(reasonOf(await one.gql(asking.owner, update, { patch: { secondFactor: 'ALL', graceDays: 1 } }))).toBe('ok')
    expect(before).toBe(1)
    expect((await one.gql(token, '{ secondFactorDue }')).data.secondFactorDue).toBeNull()
    expect((await bySignature(key)).data.signInByPasskey.secondFactorDue).toBeNull()
    one.clock.advance(2 * 86_400_000)
    const later = await bySignature(key)
    expect(reasonOf(later)).toBe('ok')
    const session = later.data.signInByPasskey.token as string
    const refused = await one.gql(session, REMOVE, { id, p: PASSWORD, code: recovery[0] })
    expect(reasonOf(refused)).toBe('SECOND_FACTOR_DEMANDED')
    // What was refused spends no code, and removes nothing.
    expect((await one.gql(session, FACTOR, { user: 'me' })).data.secondFactor.recoveryCodesLeft).toBe(10)
    const { id: phone } = await enrol(session, { code: recovery[0] }, 'Phone')
    expect(reasonOf(await one.gql(session, REMOVE, { id: phone, p: PASSWORD, code: recovery[1] }))).toBe('ok')
  })

  it('holds for passkeys as for passwords', async () => {
    const strict = await one.makeContactCenter()
    const user = await one.makeUser({ organization: strict, role: 'agent', password: PASSWORD })
    const { key } = await enrolled(user)
    const rule = (column: string, value: unknown) => setRule(strict, column, value)
    await rule('allowed_networks', ['192.0.2.0/24'])
    expect(reasonOf(await bySignature(key))).toBe('NETWORK_NOT_ALLOWED')
    await rule('allowed_networks', null)
    await rule('password_login', false)
    expect(reasonOf(await bySignature(key))).toBe('PASSWORD_LOGIN_OFF')
    await rule('password_login', null)
    expect(reasonOf(await bySignature(key))).toBe('ok')
  })
})

it('opens a session of the console, alone and after the password', async () => {
  const { user, key } = await enrolled()
  const post = (body: object) =>
    fetch(`${one.url}/console/session`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', origin: one.url },
      body: JSON.stringify(body),
    })
  const alone = await post({ passkey: key.get(await challenge()), timezone: 'Europe/Paris' })
  expect([alone.status, alone.headers.get('set-cookie')]).toEqual([200, expect.any(String)])
  const both = { email: user.email, password: PASSWORD }
  expect((await post(both)).status).toBe(401)
  expect((await post({ ...both, passkey: key.get(await challenge()) })).status).toBe(200)
  expect((await post({ passkey: key.get(await challenge(), { isForged: true }) })).status).toBe(401)
  expect((await post({ passkey: 'text' })).status).toBe(400)
})

it('leaves its changes in the audit log, and tells who looks at the user', async () => {
  const { user, token, key, id } = await enrolled()
  await bySignature(key)
  await signIn(user, { passkey: key.get(await challenge()) })
  await one.gql(token, RENAME, { id, name: 'Other' })
  await one.gql(token, REMOVE, { id, p: PASSWORD, passkey: await proof({ token, key }) })
  const rows = await one.server.database.query<{ action: string; details: Record<string, unknown> }>(
    "select action, details::jsonb as details from audit_entry where object ->> 'id' = $1",
    [user.id],
  )
  expect(rows.map(({ action, details }) => `${action} ${(details.secondFactor ?? '') as string}`).toSorted()).toEqual([
    'confirmPasskey ',
    'removePasskey ',
    'renamePasskey ',
    'signIn ',
    'signIn ',
    'signIn passkey',
  ])
  expect(rows.filter(({ details }) => details.passkey === id)).toHaveLength(1)
  const events = await one.server.database.query<{ text: string }>(
    "select count(*)::text as text from event where type = 'user.updated' and data ->> 'id' = $1",
    [user.id],
  )
  expect(Number(events[0]!.text)).toBeGreaterThanOrEqual(3)
})
