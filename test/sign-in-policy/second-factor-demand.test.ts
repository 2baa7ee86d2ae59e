import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals'
import type { Client } from 'graphql-ws'
import { generateSync } from 'otplib'
import type { MadeOrganization, MadeUser } from '../support/factories.js'
import { closeCodeOf, liveClient, subscribe } from '../support/live-client.js'
import { startTestServer, type GraphqlAnswer, type RestAnswer, type TestServer } from '../support/test-server.js'
import { until } from '../support/until.js'

const DAY_MS = 86_400_000
const PASSWORD = 'correct horse battery'
const UPDATE = `mutation ($o: ID, $p: UpdateSignInPolicyInput!) { updateSignInPolicy(organization: $o, patch: $p) {
  own { secondFactor graceDays } effective { secondFactor graceDays } } }`

/** Two nodes without Redis: the second hears of nothing. */
let one: TestServer
let other: TestServer
let center: MadeOrganization & { owner: MadeUser }
let team: MadeOrganization
let admin: MadeUser
let agent: MadeUser
const clients: Client[] = []

beforeAll(async () => {
  one = await startTestServer()
  other = await startTestServer({}, { beside: one })
})
beforeEach(async () => {
  center = await one.makeContactCenter()
  team = await one.makeOrganization({ parent: center })
  admin = await one.makeUser({ organization: center, role: 'admin', password: PASSWORD })
  agent = await one.makeUser({ organization: team, password: PASSWORD })
})
afterEach(async () => {
  await Promise.all(clients.splice(0).map((client) => client.dispose()))
})
afterAll(async () => {
  await other.close()
  await one.close()
})

// The tests state what they expect of it.
type Answer = GraphqlAnswer<any> // oxlint-disable-line typescript/no-explicit-any
const refusal = ({ errors }: Answer) => errors?.[0]?.extensions
const codeOf = (secret: string, periods = 0): string =>
  generateSync({ secret, epoch: Math.floor(one.clock.now().getTime() / 1_000) + periods * 30 })
const signIn = ({ email }: MadeUser, more: object = {}, node = one): Promise<RestAnswer> =>
  node.rest(null, 'POST', '/v2/auth/token', { email, password: PASSWORD, ...more })
const reasonOf = async (answer: Promise<RestAnswer>): Promise<string> => {
  const { status, body } = await answer
  return status < 300 ? 'ok' : `${status} ${body.reason}`
}
async function tokenOf(user: MadeUser, more: object = {}): Promise<string> {
  const { status, body } = await signIn(user, more)
  expect(status).toBe(201)
  return (body as { token: string }).token
}
const uses = (token: string, node = one): Promise<string> => reasonOf(node.rest(token, 'GET', '/v2/users/me'))
const become = (token: string, expected: string, node = one): Promise<string> =>
  until(
    () => uses(token, node),
    (answer) => answer === expected,
  )
/** Enrols an app at the sign-in. @returns its secret, and the token */
async function enrol(user: MadeUser, node = one): Promise<{ secret: string; token: string }> {
  const begun = await node.rest(null, 'POST', '/v2/auth/enrolment', { email: user.email, password: PASSWORD })
  expect(begun.status).toBe(201)
  const { id, secret } = begun.body as unknown as { id: string; secret: string }
  return { secret, token: await tokenOf(user, { enrolment: id, code: codeOf(secret) }) }
}
/** An administrator with a factor of its own. */
async function leader(): Promise<string> {
  return (await enrol(admin)).token
}
const update = (patch: object, as: string, of: MadeOrganization | null = null): Promise<Answer> =>
  one.gql(as, UPDATE, { o: of?.id ?? null, p: patch })
async function set(patch: object, as: string, of: MadeOrganization | null = null) {
  const { data, errors } = await update(patch, as, of)
  expect(errors).toBeUndefined()
  return data.updateSignInPolicy
}

describe('a second factor that is asked for', () => {
  it('may be enrolled until the grace is over, which sign-ins tell, and by the sign-in itself afterwards', async () => {
    const lead = await leader()
    const bot = await one.makeUser({ organization: team, role: 'bot', password: PASSWORD })
    const stranger = await one.makeContactCenter()
    const elsewhere = await one.makeUser({ organization: stranger, password: PASSWORD })
    const effects = 'query { signInPolicyEffects(patch: { secondFactor: ALL }) { usersToEnrol } }'
    const { usersToEnrol } = (await one.gql(lead, effects)).data.signInPolicyEffects
    // The owner and the agent: the administrator has one, and bots are no people.
    expect(usersToEnrol).toBe(2)
    await set({ secondFactor: 'ALL', graceDays: 10 }, lead)
    const { body } = await signIn(agent)
    const { secondFactorDue: due } = body as unknown as { secondFactorDue: string }
    const days = (Date.parse(due) - one.clock.now().getTime()) / DAY_MS
    expect([days > 9.9, days <= 10]).toEqual([true, true])
    // Of whom nothing is asked gets what it got before.
    for (const user of [bot, elsewhere]) {
      const keys = Object.keys((await signIn(user)).body)
      expect(keys.toSorted()).toEqual([
        'expiresAt',
        'organization',
        'refreshToken',
        'scope',
        'token',
        'tokenType',
        'user',
      ])
    }
    one.clock.advance(9.5 * DAY_MS)
    const token = await tokenOf(agent)
    expect((await one.gql(token, '{ secondFactorDue }')).data.secondFactorDue).toBe(due)
    const client = liveClient(other.url, token)
    clients.push(client)
    const closed = closeCodeOf(client)
    await subscribe(client, 'inbox', 'subscription { inbox { __typename } }').next()
    one.clock.advance(0.5 * DAY_MS)
    expect(await closed).toBe(4403)
    for (const node of [one, other]) {
      expect(await become(token, '401 TOKEN_INVALID', node)).toBe('401 TOKEN_INVALID')
      expect(await reasonOf(signIn(agent, {}, node))).toBe('403 ENROLMENT_REQUIRED')
    }
    // Whoever does not know the password learns nothing.
    expect(await reasonOf(signIn(agent, { password: 'a wrong password' }))).toBe('401 WRONG_CREDENTIALS')
    const guess = { email: agent.email, password: 'a wrong password' }
    expect(await reasonOf(one.rest(null, 'POST', '/v2/auth/enrolment', guess))).toBe('401 WRONG_CREDENTIALS')
    expect(await reasonOf(signIn(bot))).toBe('ok')
    const begun = await other.rest(null, 'POST', '/v2/auth/enrolment', { email: agent.email, password: PASSWORD })
    const { id, secret } = begun.body as unknown as { id: string; secret: string }
    expect(await reasonOf(signIn(agent, { enrolment: id, code: codeOf(secret, 9) }))).toBe('422 CODE_WRONG')
    expect(await reasonOf(signIn(agent, { enrolment: crypto.randomUUID(), code: codeOf(secret) }))).toBe(
      '404 RECORD_NOT_FOUND',
    )
    const signedIn = await signIn(agent, { enrolment: id, code: codeOf(secret) })
    expect(signedIn).toMatchObject({ status: 201 })
    expect(signedIn.body).not.toHaveProperty('secondFactorDue')
    expect(await uses((signedIn.body as { token: string }).token, other)).toBe('ok')
    // From now on as for everybody who has one.
    expect(await reasonOf(signIn(agent))).toBe('401 SECOND_FACTOR_REQUIRED')
    expect(
      await reasonOf(one.rest(null, 'POST', '/v2/auth/enrolment', { email: agent.email, password: PASSWORD })),
    ).toBe('422 SECOND_FACTOR_ENROLLED')
  })

  it('stays while it is asked for; a reset gives no new grace, a provider’s session needs none', async () => {
    const lead = await leader()
    const { secret, token } = await enrol(agent)
    await set({ secondFactor: 'ALL', graceDays: 0 }, lead)
    one.clock.advance(60_000)
    const remove = await one.gql(
      token,
      'mutation ($p: String!, $c: String!) { removeTotp(currentPassword: $p, code: $c) }',
      {
        p: PASSWORD,
        c: codeOf(secret),
      },
    )
    expect(refusal(remove)).toMatchObject({ code: 'UNPROCESSABLE', reason: 'SECOND_FACTOR_DEMANDED' })
    expect(
      (await one.gql(lead, 'mutation ($u: ID!) { resetFactors(user: $u) { id } }', { u: agent.id })).errors,
    ).toBeUndefined()
    expect(await reasonOf(signIn(agent))).toBe('403 ENROLMENT_REQUIRED')
    // As a provider opens one.
    const colleague = await one.makeUser({ organization: team, password: PASSWORD })
    await set({ secondFactor: 'OFF' }, lead)
    const theirs = await tokenOf(colleague)
    await one.server.database.query('update token_family set service_id = $2 where user_id = $1', [
      colleague.id,
      crypto.randomUUID(),
    ])
    await set({ secondFactor: 'ALL' }, lead)
    expect(await reasonOf(signIn(colleague))).toBe('403 ENROLMENT_REQUIRED')
    expect(await uses(theirs, other)).toBe('ok')
  })

  it('is said before to end the sessions of whom it leaves no time, also where the days are made fewer', async () => {
    const { secret, token } = await enrol(admin)
    let lead = token
    const bot = await one.makeUser({ organization: team, role: 'bot', password: PASSWORD })
    const query = `query ($p: UpdateSignInPolicyInput!, $o: ID) {
      signInPolicyEffects(patch: $p, organization: $o) { sessions usersToEnrol } }`
    const effectsOf = async (p: object, of: MadeOrganization | null = null) =>
      (await one.gql(lead, query, { p, o: of?.id ?? null })).data?.signInPolicyEffects
    await tokenOf(agent)
    await tokenOf(agent)
    await tokenOf(bot)
    // The agent's, and that by which the owner was made; the administrator has a factor, and bots are no people.
    expect(await effectsOf({ secondFactor: 'ALL' })).toEqual({ sessions: 3, usersToEnrol: 2 })
    expect(await effectsOf({ secondFactor: 'ALL', graceDays: 10 })).toEqual({ sessions: 0, usersToEnrol: 2 })
    expect(await effectsOf({ secondFactor: 'ADMINS' })).toEqual({ sessions: 1, usersToEnrol: 1 })
    await set({ secondFactor: 'ALL', graceDays: 30 }, lead)
    one.clock.advance(10 * DAY_MS)
    const fresh = await tokenOf(agent)
    lead = await tokenOf(admin, { code: codeOf(secret) })
    expect(await effectsOf({ graceDays: 11 })).toEqual({ sessions: 0, usersToEnrol: 0 })
    expect(await effectsOf({ graceDays: 5 })).toMatchObject({ sessions: 4 })
    // Below, of those who are there.
    expect(await effectsOf({ secondFactor: 'ALL', graceDays: 5 }, team)).toMatchObject({ sessions: 3 })
    expect(await effectsOf({ secondFactor: 'OFF', graceDays: null })).toMatchObject({ sessions: 0 })
    const refused = await one.gql(lead, query, { p: { graceDays: 5 }, o: team.id })
    expect(refusal(refused)).toMatchObject({ code: 'BAD_USER_INPUT', field: 'graceDays' })
    await set({ graceDays: 5 }, lead)
    expect(await become(fresh, '401 TOKEN_INVALID')).toBe('401 TOKEN_INVALID')
  })

  it('is asked of administrators alone, from when somebody becomes one; the strictest of the path', async () => {
    const lead = await leader()
    await set({ secondFactor: 'ADMINS', graceDays: 7 }, lead)
    expect(await reasonOf(signIn(agent))).toBe('ok')
    one.clock.advance(20 * DAY_MS)
    const fresh = await signIn(admin, { code: 'none' })
    expect(fresh.status).toBe(401)
    expect(await reasonOf(signIn(agent))).toBe('ok')
    // The rule is old, and begins to hold for this person now.
    const session = await one.tokenFor(center.owner)
    const owner = await update({ graceDays: 8 }, session)
    expect(refusal(owner)).toMatchObject({ code: 'UNAUTHENTICATED' })
    await one.server.database.query(`update app_user set role = 'agent' where id = $1`, [agent.id])
    const bySelf = await enrolled()
    const promote = 'mutation ($id: ID!) { updateUser(id: $id, patch: { role: ADMIN }) { id } }'
    expect((await one.gql(bySelf, promote, { id: agent.id })).errors).toBeUndefined()
    const { secondFactorDue } = (await signIn(agent)).body as unknown as { secondFactorDue: string }
    expect(Math.round((Date.parse(secondFactorDue) - one.clock.now().getTime()) / DAY_MS)).toBe(7)
    // Below, everybody, and at once.
    const colleague = await one.makeUser({ organization: team, password: PASSWORD })
    expect(refusal(await update({ secondFactor: 'OFF' }, bySelf, team))).toMatchObject({ reason: 'STRICTER_ABOVE' })
    const below = await set({ secondFactor: 'ALL', graceDays: 0 }, bySelf, team)
    expect(below.effective).toEqual({ secondFactor: 'ALL', graceDays: 0 })
    expect(await reasonOf(signIn(colleague))).toBe('403 ENROLMENT_REQUIRED')
    expect(await reasonOf(signIn(agent))).toBe('403 ENROLMENT_REQUIRED')
  })

  /** The administrator of this test again, after days. */
  async function enrolled(): Promise<string> {
    const made = await one.makeUser({ organization: center, role: 'admin', password: PASSWORD })
    return (await enrol(made)).token
  }

  it('needs its author to have one, or time for it; days need a demand', async () => {
    const own = await tokenOf(admin)
    expect(refusal(await update({ secondFactor: 'ALL' }, own))).toMatchObject({
      reason: 'WOULD_LOCK_OUT',
      field: 'secondFactor',
    })
    expect(refusal(await update({ graceDays: 5 }, own))).toMatchObject({ code: 'BAD_USER_INPUT', field: 'graceDays' })
    for (const graceDays of [-1, 91])
      expect(refusal(await update({ secondFactor: 'ALL', graceDays }, own))).toMatchObject({ field: 'graceDays' })
    expect((await set({ secondFactor: 'ALL', graceDays: 5 }, own)).own).toEqual({ secondFactor: 'ALL', graceDays: 5 })
    expect(refusal(await update({ graceDays: 0 }, own))).toMatchObject({ reason: 'WOULD_LOCK_OUT' })
    expect((await set({ secondFactor: 'OFF' }, own)).own).toEqual({ secondFactor: null, graceDays: null })
    expect(await reasonOf(signIn(agent))).toBe('ok')
  })
})
