import { setTimeout } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { heldBy, memberOfCenter, NOT_HELD } from '../../src/modules/contact-centers/held-jobs.js'
import { STALE_MS } from '../../src/platform/db/fresh-value.js'
import type { MadeOrganization, MadeUser } from '../support/factories.js'
import { liveClient, subscribe } from '../support/live-client.js'
import { OPERATOR_TOKEN, startTestServer, type TestServer } from '../support/test-server.js'
import { until } from '../support/until.js'
import { uploadImage } from '../support/upload-image.js'
import { createHooks, type Hooks } from '../webhooks/hooks.js'

let app: TestServer
/** Another node. */
let beside: TestServer
let hooks: Hooks

beforeAll(async () => {
  app = await startTestServer({ WEBHOOK_ALLOW_PRIVATE: 'true' }, { pace: 10 })
  beside = await startTestServer({ WEBHOOK_ALLOW_PRIVATE: 'true' }, { beside: app })
  hooks = createHooks(app)
})
afterAll(async () => {
  await beside.close()
  await app.close()
  await hooks.close()
})

const SIGN_IN = `mutation ($email: String!, $password: String!) { createToken(email: $email, password: $password) {
  token refreshToken } }`
const REFRESH = `mutation ($refreshToken: String!, $clientId: String!) {
  refreshToken(refreshToken: $refreshToken, clientId: $clientId) { token } }`
const GUEST_TOKEN = 'mutation ($id: ID!) { createGuestToken(conversation: $id) { token } }'
const START = 'mutation ($service: ID!) { startGuestSession(service: $service) { conversationId } }'
const PASSWORD = 'correct horse battery'

const signIn = (email: string) => app.gql(null, SIGN_IN, { email, password: PASSWORD })
const codeOf = ({ errors }: { errors?: { extensions: { code: string } }[] }): string =>
  errors?.[0]?.extensions.code ?? 'ok'
const me = (token: string, node = app) => node.gql(token, '{ me { id } }').then(codeOf)

async function change(what: 'archive' | 'reopen', id: string): Promise<string | null> {
  const { data, errors } = await app.gql(
    OPERATOR_TOKEN,
    `mutation ($id: ID!) { ${what}ContactCenter(id: $id) { archivedAt } }`,
    {
      id,
    },
  )
  if (errors) throw new Error(JSON.stringify(errors))
  return data[`${what}ContactCenter`].archivedAt
}

/** Archives it; afterwards no node takes a job of it any more because it has not heard of that. */
async function archiveForAll(id: string): Promise<void> {
  await change('archive', id)
  await setTimeout(STALE_MS + 1)
}

async function makeCenter(): Promise<{ center: MadeOrganization; owner: MadeUser; token: string }> {
  const { owner, ...center } = await app.makeContactCenter()
  return { center, owner, token: await app.tokenFor(owner) }
}

const converse = async (as: MadeUser | string): Promise<string> => {
  const contact = { profile: { name: 'C', email: `${crypto.randomUUID()}@example.com` } }
  const { body } = await app.rest(as, 'POST', '/v2/conversations', { touchpoint: 'web', contact })
  return body.id
}

describe('an archived contact center', () => {
  it('ends sign-in, refresh, tokens of users, bots and guests, and invitations, on all nodes; reopened, it gives all back', async () => {
    const { center, owner } = await makeCenter()
    const { token, refreshToken } = (await signIn(owner.email)).data.createToken
    const bot = await app.gql(
      token,
      `mutation { createUser(input: { email: "${crypto.randomUUID()}@example.com", role: BOT }) { apiToken } }`,
    )
    const { apiToken } = bot.data.createUser
    const guest = (await app.gql(token, GUEST_TOKEN, { id: await converse(token) })).data.createGuestToken.token
    const showGuest = (node: TestServer) => node.gql(guest, '{ conversations(first: 1) { totalCount } }').then(codeOf)
    const bystander = await makeCenter()

    expect(await change('archive', center.id)).not.toBeNull()
    for (const node of [app, beside]) {
      await until(async () => (await me(token, node)) === 'UNAUTHENTICATED')
      await until(async () => (await me(apiToken, node)) === 'UNAUTHENTICATED')
      await until(async () => (await showGuest(node)) === 'UNAUTHENTICATED')
    }
    expect(codeOf(await signIn(owner.email))).toBe('UNAUTHENTICATED')
    expect(codeOf(await app.gql(null, REFRESH, { refreshToken, clientId: owner.email }))).toBe('UNAUTHENTICATED')
    expect(await me(bystander.token)).toBe('ok')

    expect(await change('reopen', center.id)).toBeNull()
    for (const node of [app, beside]) {
      await until(async () => (await me(token, node)) === 'ok')
      await until(async () => (await me(apiToken, node)) === 'ok')
    }
    expect(codeOf(await signIn(owner.email))).toBe('ok')
    expect(codeOf(await app.gql(null, REFRESH, { refreshToken, clientId: owner.email }))).toBe('ok')
  })

  it('keeps an invitation from being accepted', async () => {
    const input = { name: 'Invited', ownerEmail: `${crypto.randomUUID()}@example.com` }
    const { data } = await app.gql(
      OPERATOR_TOKEN,
      'mutation ($input: CreateContactCenterInput!) { createContactCenter(input: $input) { id invitation { url } } }',
      { input },
    )
    const { id, invitation } = data.createContactCenter
    const accept = () =>
      app.gql(
        null,
        'mutation ($token: String!) { acceptInvitation(token: $token, password: "a good password") { token } }',
        {
          token: invitation.url.split('#')[1],
        },
      )
    await change('archive', id)
    expect(codeOf(await accept())).toBe('UNPROCESSABLE')
    await change('reopen', id)
    expect(codeOf(await accept())).toBe('ok')
  })

  it('has its sockets closed on all nodes, and no others', async () => {
    const { center, owner, token } = await makeCenter()
    const bystander = await makeCenter()
    const closed: string[] = []
    const open = async (node: TestServer, name: string, as: string) => {
      const client = liveClient(node.url, as)
      client.on('closed', (event) => closed.push(`${name} ${(event as { code: number }).code}`))
      await subscribe(client, 'inbox', 'subscription { inbox { __typename } }').next()
      return client
    }
    const clients = [
      await open(app, 'here', token),
      await open(beside, 'there', token),
      await open(app, 'other', bystander.token),
    ]
    await change('archive', center.id)
    await until(() => closed.length === 2)
    expect(closed.toSorted()).toEqual(['here 4403', 'there 4403'])
    expect(owner.email).toContain('@')
    await Promise.all(clients.map((client) => client.dispose()))
  })

  it('takes nothing in: of visitors, of providers, by links', async () => {
    const { center, token } = await makeCenter()
    const service = async (type: string, params: object): Promise<string> =>
      (await app.rest(token, 'POST', '/v2/services', { type, params })).body.id
    const web = await service('web', {})
    const upload = (await (await uploadImage(app, token, { name: 'a.png' })).json()) as { url: string }
    const path = new URL(upload.url).pathname + new URL(upload.url).search
    const download = () => fetch(`${app.url}${path}`).then(({ status }) => status)
    const start = () => app.gql(null, START, { service: web }).then(codeOf)
    const settings = () => fetch(`${app.url}/widget/${web}.json`).then(({ status }) => status)
    const before = [await start(), await download()]
    expect(before).toEqual(['ok', 200])
    const shown = await settings()
    await change('archive', center.id)
    expect([await start(), await download()]).toEqual(['NOT_FOUND', 404])
    expect(await settings()).toBe(404)
    await change('reopen', center.id)
    expect([await start(), await download(), await settings()]).toEqual(['ok', 200, shown])
  })

  it('sends no webhooks until it is reopened, then all that it owes, in order', async () => {
    const { center, owner } = await makeCenter()
    const hook = await hooks.register(owner, { events: ['message.create.contact.chat'] })
    const conversation = await hooks.converse(owner)
    hook.receiver.answer = () => ({ status: 503 })
    await hooks.say(owner, conversation, 'one')
    await hook.receiver.count(1)
    await hooks.say(owner, conversation, 'two')
    await archiveForAll(center.id)
    // The first may have been tried again before: each attempt that has come is over.
    const attempts = 'select coalesce(sum(attempts), 0)::int as count from webhook_delivery where service_id = $1'
    await until(async () => {
      const [row] = await app.server.database.query<{ count: number }>(attempts, [hook.id])
      return row!.count === hook.receiver.received.length
    })
    const before = hook.receiver.received.length
    hook.receiver.answer = () => ({ status: 200 })
    // Whatever was under way is over, and another's webhook is served meanwhile: this one's time has come and gone.
    const other = await makeCenter()
    const otherHook = await hooks.register(other.owner, { events: ['message.create.contact.chat'] })
    app.clock.advance(60_000)
    const admin = await app.makeUser({ organization: other.center, role: 'admin' })
    await hooks.say(admin, await hooks.converse(admin), 'elsewhere')
    await otherHook.receiver.count(1)
    expect(hook.receiver.received).toHaveLength(before)
    await change('reopen', center.id)
    app.clock.advance(60_000)
    await until(() => hook.receiver.received.length >= before + 2)
    const sent = hook.receiver.received.map(({ json }) => json.data.message.text)
    expect([...new Set(sent)]).toEqual(['one', 'two'])
  })

  it('holds its delayed messages, and no others; reopened, it sends them', async () => {
    const { center, token } = await makeCenter()
    const other = await makeCenter()
    const [here, there] = [await converse(token), await converse(other.token)]
    const later = (as: string, conversation: string) =>
      app.gql(
        as,
        'mutation ($id: ID!, $message: MessageInput!) { sendMessage(conversation: $id, message: $message) { id } }',
        {
          id: conversation,
          message: { role: 'AGENT', text: 'later', delay: 30_000 },
        },
      )
    expect([codeOf(await later(token, here)), codeOf(await later(other.token, there))]).toEqual(['ok', 'ok'])
    await archiveForAll(center.id)
    app.clock.advance(40_000)
    const said = async (conversation: string): Promise<number> =>
      (
        await app.server.database.query("select 1 from message where conversation_id = $1 and text = 'later'", [
          conversation,
        ])
      ).length
    await until(async () => (await said(there)) === 1)
    await until(async () => {
      const held = await app.server.database.query(
        "select 1 from job where kind = 'message.process' and last_error like $1",
        [`%${heldBy(center.id)}%`],
      )
      return held.length === 1
    })
    expect(await said(here)).toBe(0)
    await change('reopen', center.id)
    await until(async () => (await said(here)) === 1)
  })

  it('erases nothing by terms of retention, and for a day after it is reopened', async () => {
    const { center, token } = await makeCenter()
    const { data } = await app.gql(
      token,
      'mutation { createRetentionPolicy(input: { subject: CONTACTS, days: 3650 }) { id } }',
    )
    const { id } = data.createRetentionPolicy
    await archiveForAll(center.id)
    app.clock.advance(25 * 3_600_000)
    const jobs = (): Promise<{ at: Date; error: string | null }[]> =>
      app.server.database.query(
        `select run_at as at, last_error as error from job where kind = 'retention.begin' and payload ->> 'policy' = $1`,
        [id],
      )
    await until(async () => (await jobs())[0]?.error?.includes(heldBy(center.id)))
    const reopened = app.clock.now().getTime()
    await change('reopen', center.id)
    const [job] = await until(jobs, ([next]) => next !== undefined && next.at.getTime() > reopened + 23 * 3_600_000)
    expect(job!.error).toBeNull()
    expect(await app.server.database.query('select 1 from retention_run where policy_id = $1', [id])).toEqual([])
  })

  it.each([
    ['deleted', 'DELETE', '', undefined],
    ['to be erased, with conversations that are open', 'POST', '/erasure', { reason: 'requested' }],
  ])('still erases what was %s', async (_, method, more, body) => {
    const { center, owner } = await makeCenter()
    const conversation = await converse(owner)
    const [{ contact }] = (await app.server.database.query<{ contact: string }>(
      'select contact_id as contact from conversation where id = $1',
      [conversation],
    )) as [{ contact: string }]
    const demanded = await app.rest(owner, method, `/v2/contacts/${contact}${more}`, body)
    expect(demanded.status).toBeLessThan(300)
    await change('archive', center.id)
    await until(async () => {
      // It looks a second time, some minutes later.
      app.clock.advance(30_000)
      const left = await app.server.database.query(
        "select 1 from job where kind in ('contact.erase', 'privacy.erase') and payload ->> 'contact' = $1",
        [contact],
      )
      return left.length === 0
    })
    const left = await app.server.database.query('select 1 from conversation where id = $1', [conversation])
    expect(left).toEqual([])
  })

  it('keeps its names: no other user gets the email of one of its users', async () => {
    const { center, owner } = await makeCenter()
    await change('archive', center.id)
    const { errors } = await app.gql(
      OPERATOR_TOKEN,
      'mutation ($input: CreateContactCenterInput!) { createContactCenter(input: $input) { id } }',
      { input: { name: 'Other', ownerEmail: owner.email } },
    )
    expect(errors?.[0]?.extensions).toMatchObject({ code: 'UNPROCESSABLE', field: 'ownerEmail' })
  })

  it('is archived once and reopened once, whoever repeats it', async () => {
    const { center } = await makeCenter()
    const first = await change('archive', center.id)
    app.clock.advance(1_000)
    expect(await change('archive', center.id)).toBe(first)
    expect(await change('reopen', center.id)).toBeNull()
    expect(await change('reopen', center.id)).toBeNull()
  })
})

describe('a kind of job', () => {
  it('is held with its contact center, or named among those that are not', async () => {
    const { glob, readFile } = await import('node:fs/promises')
    const unknown: string[] = []
    let count = 0
    for await (const path of glob('src/**/*.ts')) {
      const text = await readFile(path, 'utf8')
      for (const [, kind, members] of text.matchAll(/defineJob<[^(]*>\(\s*'([\w.]+)',\s*\{([^}]*)\}/g)) {
        count += 1
        const payload = Object.fromEntries([...members!.matchAll(/(\w+):/g)].map(([, member]) => [member, 'x']))
        if (!NOT_HELD.has(kind!) && !memberOfCenter(payload)) unknown.push(kind!)
      }
    }
    expect(count).toBeGreaterThan(25)
    expect(unknown).toEqual([])
  })
})
