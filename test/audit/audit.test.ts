import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import pg from 'pg'
import { CHAIN_START, hashEntry } from '../../src/platform/audit/entry-hash.js'
import { ChainCheck, type ExportedEntry } from '../../src/modules/audit/audit-chain.js'
import { verifyExport } from '../../src/modules/audit/verify-export.js'
import type { MadeOrganization, MadeUser } from '../support/factories.js'
import { OPERATOR_TOKEN, startTestServer, type TestServer } from '../support/test-server.js'
import { until } from '../support/until.js'
import { createHooks, type Hooks } from '../webhooks/hooks.js'

const PASSWORD = 'correct horse battery'
const ENTRIES = `query ($filter: AuditEntryFilter) { auditEntries(first: 100, filter: $filter) { edges { node {
  id number action hash organizationId at actor { kind id } object { type id } details } } } }`

interface Entry {
  id: string
  number: number | null
  action: string
  hash: string | null
  organizationId: string
  actor: { kind: string; id: string | null }
  object: { type: string; id: string } | null
  details: { changes?: { record: string; change: string; values: Record<string, { from: unknown; to: unknown }> }[] }
}

let app: TestServer
/** Another node. */
let beside: TestServer
let hooks: Hooks
let center: MadeOrganization & { owner: MadeUser }
let token: string

beforeAll(async () => {
  app = await startTestServer({ WEBHOOK_ALLOW_PRIVATE: 'true' })
  beside = await startTestServer({ WEBHOOK_ALLOW_PRIVATE: 'true' }, { beside: app })
  hooks = createHooks(app)
  center = await app.makeContactCenter()
  token = await app.tokenFor(center.owner)
})
afterAll(async () => {
  await beside.close()
  await app.close()
  await hooks.close()
})

async function entriesOf(as: string | MadeUser, filter: object = {}): Promise<Entry[]> {
  const { data, errors } = await app.gql(as, ENTRIES, { filter })
  if (errors) throw new Error(JSON.stringify(errors))
  return data.auditEntries.edges.map(({ node }: { node: Entry }) => node)
}

const ask = async (as: string | MadeUser, text: string, variables: Record<string, unknown> = {}, node = app) => {
  const { data, errors } = await node.gql(as, text, variables)
  if (errors) throw new Error(JSON.stringify(errors))
  return data
}

async function makeChannel(as: string | MadeUser = token, name = `c${crypto.randomUUID()}`): Promise<string> {
  const made = await ask(as, 'mutation ($name: String!) { createChannel(input: { name: $name }) { id } }', { name })
  return made.createChannel.id
}

/** The chain's state once all entries are in it. */
const whole = () =>
  until(
    async () =>
      (await ask(token, '{ verifyAudit { from to isWhole faults { number fault } unchained unsealed } }')).verifyAudit,
    ({ unchained }) => unchained === 0,
  )

async function exported(): Promise<ExportedEntry[]> {
  const { status, headers, body } = await app.rest(token, 'GET', '/v2/audit?limit=10000')
  expect([status, headers.get('content-type')]).toEqual([200, 'application/x-ndjson; charset=utf-8'])
  return (body as string)
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as ExportedEntry)
}

describe('the audit log', () => {
  it('has an entry for each change of a setting, with old and new values, in the transaction of the change', async () => {
    const id = await makeChannel(token, 'Before')
    await ask(token, 'mutation ($id: ID!) { updateChannel(id: $id, patch: { name: "After" }) { id } }', { id })
    await ask(token, 'mutation ($id: ID!) { deleteChannel(id: $id) }', { id })
    const entries = (await entriesOf(token, { object: { eq: id } })).toReversed()
    expect(entries.map(({ action }) => action)).toEqual(['createChannel', 'updateChannel', 'deleteChannel'])
    for (const { actor, object, organizationId } of entries) {
      expect(actor).toEqual({ kind: 'user', id: center.owner.id })
      expect(object).toEqual({ type: 'channel', id })
      expect(organizationId).toBe(center.id)
    }
    const [created, updated] = entries
    expect(created!.details.changes![0]!.values.name).toEqual({ from: null, to: 'Before' })
    expect(updated!.details.changes).toMatchObject([
      { record: 'channel', change: 'updated', values: { name: { from: 'Before', to: 'After' } } },
    ])
  })

  it('has who pauses a bot and lets it go on, also a supervisor', async () => {
    const bot = await app.makeUser({ organization: center, role: 'bot' })
    const agent = await app.makeUser({ organization: center })
    await ask(
      token,
      'mutation ($id: ID!, $user: ID!) { addChannelMember(channel: $id, user: $user, supervisor: true) { id } }',
      {
        id: await makeChannel(),
        user: agent.id,
      },
    )
    for (const [as, verb] of [
      [token, 'pauseBot'],
      [agent, 'resumeBot'],
    ] as const)
      await ask(as, `mutation ($id: ID!) { ${verb}(id: $id) { id } }`, { id: bot.id })
    const { errors } = await app.gql(agent, 'mutation ($id: ID!) { pauseBot(id: $id) { id } }', { id: agent.id })
    expect(errors![0]!.extensions.reason).toBe('NOT_A_BOT')
    const entries = (await entriesOf(token, { object: { eq: bot.id }, action: { in: ['pauseBot', 'resumeBot'] } })).map(
      ({ action, actor, object }) => ({ action, actor, object }),
    )
    const object = { type: 'user', id: bot.id }
    expect(entries.toReversed()).toEqual([
      { action: 'pauseBot', actor: { kind: 'user', id: center.owner.id }, object },
      { action: 'resumeBot', actor: { kind: 'user', id: agent.id }, object },
    ])
    expect(await entriesOf(token, { object: { eq: agent.id }, action: { eq: 'pauseBot' } })).toEqual([])
  })

  it('has none of what was refused', async () => {
    const before = (await entriesOf(token)).length
    const { errors } = await app.gql(token, 'mutation { createChannel(input: { name: "  " }) { id } }')
    expect(errors).toBeDefined()
    expect(await entriesOf(token)).toHaveLength(before)
  })

  it('keeps no secrets: it tells that they changed', async () => {
    const secret = `s3cret${crypto.randomUUID()}`
    const { body } = await app.rest(token, 'POST', '/v2/services', {
      type: 'webhook',
      params: { url: 'https://hooks.example.com/a', secret },
    })
    await app.rest(token, 'PATCH', `/v2/services/${body.id}`, {
      params: { url: 'https://hooks.example.com/b', secret },
    })
    const user = await app.makeUser({ organization: center })
    await ask(
      token,
      'mutation ($id: ID!) { updateUser(id: $id, patch: { password: "another horse battery" }) { id } }',
      {
        id: user.id,
      },
    )
    const text = JSON.stringify(await entriesOf(token))
    expect(text).not.toContain(secret)
    expect(text).not.toContain('another horse battery')
    expect(text).not.toContain('$argon2')
    const [changed] = await entriesOf(token, { object: { eq: body.id }, action: { eq: 'updateService' } })
    expect(changed!.details.changes![0]!.values).toMatchObject({
      'params.url': { from: '(not kept)', to: '(not kept)' },
    })
  })

  const signIn = ({ email }: MadeUser, p: string) =>
    app.gql(null, 'mutation ($e: String!, $p: String!) { createToken(email: $e, password: $p) { token } }', {
      e: email,
      p,
    })

  it('has a sign-in that was refused while something else held the row of its user', async () => {
    const user = await app.makeUser({ organization: center, password: PASSWORD })
    const outside = new pg.Client({ connectionString: app.databaseUrl })
    await outside.connect()
    try {
      await outside.query('begin')
      await outside.query('select from app_user where id = $1 for no key update', [user.id])
      await signIn(user, 'wrong')
      await until(async () => (await entriesOf(token, { object: { eq: user.id } })).length > 0)
    } finally {
      await outside.end()
    }
    const entries = await entriesOf(token, { object: { eq: user.id } })
    expect(entries.map(({ action }) => action)).toEqual(['signInRefused'])
  })

  it('has sign-ins, those that were refused once a minute, and sign-outs', async () => {
    const user = await app.makeUser({ organization: center, password: PASSWORD })
    await signIn(user, 'wrong')
    await signIn(user, 'wrong again')
    const { data } = await signIn(user, PASSWORD)
    await ask(data.createToken.token, 'mutation { revokeToken }')
    const actions = await until(
      async () => (await entriesOf(token, { object: { eq: user.id } })).map(({ action }) => action).toReversed(),
      (found) => found.includes('signInRefused') && found.includes('signOut'),
    )
    expect(actions.filter((action) => action !== 'signInRefused')).toEqual(['signIn', 'signOut'])
    expect(actions.filter((action) => action === 'signInRefused')).toHaveLength(1)
  })

  it('shows an administrator of an organization below its own entries, and not the chain', async () => {
    const customer = await app.makeOrganization({ parent: center })
    const admin = await app.makeUser({ organization: customer, role: 'admin' })
    const above = await makeChannel()
    const own = await makeChannel(admin)
    const seen = await entriesOf(admin)
    expect(seen.map(({ object }) => object?.id)).toContain(own)
    expect(JSON.stringify(seen)).not.toContain(above)
    const { errors } = await app.gql(admin, '{ verifyAudit { isWhole } }')
    expect(errors![0]!.extensions).toMatchObject({ code: 'FORBIDDEN', reason: 'CENTER_ADMIN_REQUIRED' })
    expect((await app.rest(admin, 'GET', '/v2/audit')).status).toBe(403)
    const agent = await app.makeUser({ organization: center })
    expect((await app.gql(agent, '{ auditEntries { totalCount } }')).errors![0]!.extensions.code).toBe('FORBIDDEN')
    const other = await app.makeContactCenter()
    expect(JSON.stringify(await entriesOf(await app.tokenFor(other.owner)))).not.toContain(own)
  })

  it('has what changes no record of its own', async () => {
    const hook = await hooks.register(center.owner, { events: ['user.login'] })
    await ask(token, 'mutation ($id: ID!) { verifyWebhook(service: $id) { status } }', { id: hook.id })
    const invited = await ask(
      token,
      `mutation { createUser(input: { email: "${crypto.randomUUID()}@example.com", status: INVITED }) { id } }`,
    )
    const user = invited.createUser.id
    await ask(token, 'mutation ($id: ID!) { createSignInLink(user: $id) { url } }', { id: user })
    expect((await entriesOf(token, { object: { eq: hook.id } })).map(({ action }) => action)).toContain('verifyWebhook')
    expect((await entriesOf(token, { object: { eq: user } })).map(({ action }) => action)).toEqual([
      'createSignInLink',
      'createUser',
    ])
  })

  it('has what the operator did', async () => {
    const { data } = await app.gql(
      OPERATOR_TOKEN,
      'mutation ($id: ID!) { updateContactCenter(id: $id, patch: { name: "Renamed" }) { id } }',
      { id: center.id },
    )
    expect(data.updateContactCenter.id).toBe(center.id)
    const [entry] = await entriesOf(token, { action: { eq: 'updateContactCenter' } })
    expect(entry).toMatchObject({ actor: { kind: 'operator' }, organizationId: center.id })
    const other = await app.makeContactCenter()
    for (const what of ['archive', 'reopen']) {
      await ask(OPERATOR_TOKEN, `mutation ($id: ID!) { ${what}ContactCenter(id: $id) { id } }`, { id: other.id })
    }
    const actions = (await entriesOf(await app.tokenFor(other.owner))).map(({ action }) => action)
    expect(actions.slice(0, 2)).toEqual(['reopenContactCenter', 'archiveContactCenter'])
  })
})

describe('the chain of the audit log', () => {
  it('has each entry once, without a gap, however many write at once on two nodes', async () => {
    const made = await Promise.all(
      Array.from({ length: 24 }, async (_, index) => {
        const name = `r${crypto.randomUUID()}`
        const text = 'mutation ($name: String!) { createChannel(input: { name: $name }) { id } }'
        return (await ask(token, text, { name }, index % 2 ? app : beside)).createChannel.id as string
      }),
    )
    const { isWhole, faults, to } = await whole()
    expect({ isWhole, faults }).toEqual({ isWhole: true, faults: [] })
    const entries = await exported()
    expect(entries.map(({ number }) => number)).toEqual(Array.from({ length: to }, (_, index) => index + 1))
    const named = entries.filter(({ action }) => action === 'createChannel').map(({ object }) => object!.id)
    expect(named.filter((id) => made.includes(id as string)).toSorted()).toEqual(made.toSorted())
  })

  it('is sealed: whoever keeps the seals elsewhere sees also what a writer of the database hides', async () => {
    const hook = await hooks.register(center.owner, { events: ['audit.sealed'] })
    await whole()
    await app.server.maintenance.run()
    await hook.receiver.count(1)
    const { data } = hook.receiver.received[0]!.json
    const seals = `${data.audit.seal}\n`
    const keys = await (await fetch(`${app.url}/.well-known/jwks.json`)).text()
    const entries = await exported()
    expect(data.audit.number).toBeLessThanOrEqual(entries.length)
    const verify = (changed: readonly ExportedEntry[], its = seals) =>
      verifyExport(linesOf(changed), { seals: its, keys }).catch((error: Error) => error.message)

    expect(await verify(entries)).toMatch(/^whole: entries 1 to \d+ .* 1 seals/)
    expect(await verify(entries.map((entry) => ({ ...entry, details: null, salt: null })))).toMatch(/^whole/)
    const at = 2
    const swap = entries.with(at, entries[at + 1]!).with(at + 1, entries[at]!)
    expect(await verify(entries.toSpliced(at, 1))).toMatch(/entry 3 is missing/)
    expect(await verify(entries.with(at, { ...entries[at]!, action: 'nothing' }))).toMatch(/entry 3 is not what/)
    expect(await verify(entries.with(at, { ...entries[at]!, details: { a: 1 } }))).toMatch(/entry 3 has details/)
    expect(await verify(swap)).toMatch(/faults/)
    // Of these two the chain alone tells nothing.
    const cut = entries.slice(0, data.audit.number - 1)
    expect(new ChainCheck({}).end()).toEqual([])
    expect(await verify(cut)).toMatch(/is gone|and what follows is gone/)
    expect(await verify(rewritten(entries))).toMatch(/has another hash than its seal says/)
    expect(await verify(entries, `${seals.slice(0, 80)}x${seals.slice(81)}`)).toMatch(/seal 1 is not signed/)
  })

  it('is found to be changed in the database, where the server refuses to change it', async () => {
    await makeChannel()
    const { to } = await whole()
    const { database } = app.server
    const change = 'update audit_entry set action = $3 where org1 = $1 and number = $2'
    await expect(database.query(change, [center.id, to, 'x'])).rejects.toThrow(/never changed/)
    await expect(database.query('delete from audit_entry where org1 = $1', [center.id])).rejects.toThrow(
      /never deleted/,
    )
    const outside = new pg.Client({ connectionString: app.databaseUrl })
    await outside.connect()
    try {
      await outside.query('alter table audit_entry disable trigger audit_entry_unchanged')
      await outside.query(change, [center.id, to, 'nothing'])
      await outside.query('alter table audit_entry enable trigger audit_entry_unchanged')
    } finally {
      await outside.end()
    }
    const { isWhole, faults } = await whole()
    expect({ isWhole, faults }).toEqual({ isWhole: false, faults: [{ number: to, fault: 'ALTERED' }] })
  })

  it('still verifies once details are dropped', async () => {
    const other = await app.makeContactCenter()
    const their = await app.tokenFor(other.owner)
    await makeChannel(their)
    const show = async () => (await ask(their, '{ verifyAudit { isWhole to unchained } }')).verifyAudit
    await until(show, ({ to, unchained }) => to > 0 && unchained === 0)
    app.clock.advance(401 * 24 * 3_600_000)
    await app.server.maintenance.run()
    const [row] = await app.server.database.query<{ kept: number }>(
      'select count(details)::int as kept from audit_entry where org1 = $1',
      [other.id],
    )
    expect(row).toEqual({ kept: 0 })
    const [state] = await app.server.database.query('select number from audit_chain where org1 = $1', [other.id])
    expect(state).toBeDefined()
  })
})

async function* linesOf(entries: readonly ExportedEntry[]): AsyncGenerator<string> {
  for (const entry of entries) yield JSON.stringify(entry)
}

/** The chain as who can write to the database would make it anew, with one entry changed. */
function rewritten(entries: readonly ExportedEntry[]): ExportedEntry[] {
  let previous = CHAIN_START
  return entries.map((entry, index) => {
    const changed = index === 0 ? { ...entry, action: 'nothing' } : entry
    previous = hashEntry(previous, changed)
    return { ...changed, hash: previous }
  })
}
