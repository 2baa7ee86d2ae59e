import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import createClient, { type Client } from 'openapi-fetch'
import { WEBHOOK_EVENTS } from '../../src/modules/webhooks/webhook-events.js'
import { createHooks, type Hooks } from '../webhooks/hooks.js'
import type { OpenApiDocument } from '../../rest-compat/openapi/openapi-types.js'
import { checkAnswer } from '../support/openapi-answers.js'
import { insertRun } from '../retention/insert-run.js'
import { startNameServer, type NameServer } from '../support/name-server.js'
import { imageForm, PNG } from '../support/upload-image.js'
import type { MadeOrganization, MadeUser } from '../support/factories.js'
import { startTestServer, type TestServer } from '../support/test-server.js'
import type { components, paths } from './openapi-types.js'
import { committedExamples, ExampleRecorder, writeExamples, type Envelope } from './recorded-examples.js'
import { until } from '../support/until.js'

type Schemas = components['schemas']

const PASSWORD = 'the admin of the center'
const operations = operationIds()
const called = new Set<string>()
const recorder = new ExampleRecorder()
let server: TestServer
let names: NameServer
let api: Client<paths>
let me: string
let admin: MadeUser
let center: MadeOrganization
let hooks: Hooks
/** Waits until all events are delivered. */
let delivered: () => Promise<Envelope[]>

beforeAll(async () => {
  names = await startNameServer()
  server = await startTestServer({
    PUBLIC_URL: 'https://chat.example',
    WEBHOOK_ALLOW_PRIVATE: 'true',
    DNS_SERVERS: names.address,
  })
  center = await server.makeOrganization({ name: 'Harbour' })
  const ann = await server.makeUser({
    organization: center,
    role: 'admin',
    email: 'ann@example.com',
    password: PASSWORD,
  })
  admin = ann
  hooks = createHooks(server)
  const { id, receiver } = await hooks.register(ann)
  delivered = async () => {
    await until(async () => (await hooks.service(ann, id)).webhook?.pending === 0)
    return receiver.received.map(({ json }) => json as Envelope)
  }
  const email = 'ann@example.com'
  const visitor = clientOf(null)
  const tokens = ok(await visitor.POST('/v2/auth/token', { body: { email, password: PASSWORD } }))
  me = tokens.user!
  api = clientOf(tokens.token)
  const { refreshToken } = tokens
  ok(await api.GET('/v2/auth/token', { params: { query: { refreshToken } } }))
})
afterAll(async () => {
  await server.close()
  await hooks.close()
  await names.close()
})

/** A client as a user of the document makes it; each exchange is held against the document and recorded. */
function clientOf(token: string | null): Client<paths> {
  const client = createClient<paths>({
    baseUrl: server.url,
    ...(token !== null && { headers: { authorization: `Bearer ${token}` } }),
  })
  const bodies = new Map<string, string>()
  client.use({
    async onRequest({ request, id }) {
      // What is deleted is deleted in deliveries, too.
      if (request.method === 'DELETE') await delivered()
      const isJson = request.headers.get('content-type')?.startsWith('application/json')
      if (isJson) bodies.set(id, await request.clone().text())
    },
    async onResponse({ request, response, schemaPath, id }) {
      const operation = operations.get(`${request.method} ${schemaPath}`)!
      called.add(operation)
      const text = bodies.get(id)
      const requestBody: unknown = text === undefined ? undefined : JSON.parse(text)
      const contentType = response.headers.get('content-type')
      const plain = /^text\/|ndjson/.test(contentType ?? '') ? await response.clone().text() : undefined
      const body: unknown = /[/+]json/.test(contentType ?? '') ? await response.clone().json() : plain
      const { pathname, search } = new URL(request.url)
      const { status } = response
      const answered = { status, contentType, body: body ?? '' }
      checkAnswer({ method: request.method, path: pathname + search, requestBody, ...answered })
      // A body that is too large is no example.
      if (text === undefined || text.length < 10_000) {
        recorder.record(operation, { request: requestBody, status, response: body })
      }
    },
  })
  return client
}

function operationIds(): ReadonlyMap<string, string> {
  const document = JSON.parse(readFileSync('openapi.json', 'utf8')) as OpenApiDocument
  const pairs = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(
      ([method, { operationId }]) => [`${method.toUpperCase()} ${path}`, operationId] as const,
    ),
  )
  return new Map(pairs)
}

/** @returns the data, typed by the document @throws Error for a refusal */
function ok<Data>({ data, error, response }: { data?: Data; error?: unknown; response: Response }): Data {
  if (!response.ok) throw new Error(`${response.status} ${JSON.stringify(error)}`)
  return data as Data
}

const at = (id: string) => ({ params: { path: { id } } })

describe('a client generated from the document calls', () => {
  it('users', async () => {
    const created: Schemas['User'] = ok(
      await api.POST('/v2/users', { body: { email: 'kim@example.com', givenName: 'Kim', role: 'agent' } }),
    )
    const { id } = created
    expect(ok(await api.GET('/v2/users/me')).id).toBe(me)
    expect(ok(await api.GET('/v2/users/{id}', at(id))).email).toBe('kim@example.com')
    expect(ok(await api.GET('/v2/users/{id}/sessions', at(me)))[0]).toMatchObject({ isCurrent: true })
    ok(await api.DELETE('/v2/users/{id}/sessions', at(id)))
    const { database } = server.server
    const [session] = await database.query<{ id: string }>(
      `insert into token_family (id, user_id, created_at, expires_at) values (gen_random_uuid(), $1, now(), now() + interval '1 day')
       returning id`,
      [id],
    )
    ok(await api.DELETE('/v2/users/{id}/sessions/{session}', { params: { path: { id, session: session!.id } } }))
    const [linked] = await database.query<{ id: string }>(
      `insert into user_identity (id, user_id, org1, issuer, subject, email, is_proven, created_at, used_at)
       select gen_random_uuid(), id, org1, 'https://sso.example.com', '8a1', email, true, now(), now() from app_user where id = $1
       returning id`,
      [id],
    )
    expect(ok(await api.GET('/v2/users/{id}/identities', at(id)))[0]).toMatchObject({ subject: '8a1' })
    const ofUser = { params: { path: { id, identity: linked!.id } } }
    ok(await api.DELETE('/v2/users/{id}/identities/{identity}', ofUser))
    expect(ok(await api.PATCH('/v2/users/{id}', { ...at(id), body: { familyName: 'Lee' } })).displayName).toBe(
      'Kim Lee',
    )
    const query = { email: 'kim@example.com', sort: '-createdAt', limit: 1 }
    expect(ok(await api.GET('/v2/users', { params: { query } })).map(({ name }) => name)).toEqual(['Kim Lee'])
    ok(await api.DELETE('/v2/users/{id}', at(id)))
  })

  it('domains', async () => {
    const made = ok(await api.POST('/v2/domains', { body: { name: 'shop.example.com' } }))
    expect(made).toMatchObject({ status: 'pending', record: { name: '_switchboard.shop.example.com' } })
    const { id } = made
    expect(ok(await api.GET('/v2/domains')).map(({ name }) => name)).toEqual(['shop.example.com'])
    expect(ok(await api.GET('/v2/domains/{id}', at(id))).id).toBe(id)
    names.texts.set(made.record.name, [made.record.value])
    expect(ok(await api.POST('/v2/domains/verify', { body: { domain: id } })).status).toBe('verified')
    ok(await api.DELETE('/v2/domains/{id}', at(id)))
  })

  it('the sign-in policy', async () => {
    const visitor = clientOf(null)
    const begun = await visitor.POST('/v2/auth/enrolment', { body: { email: 'ann@example.com', password: PASSWORD } })
    expect(ok(begun).uri).toContain('otpauth://totp/')
    const body = { passwordMinLength: 14, maxSessionHours: 720, allowedNetworks: ['127.0.0.0/8', '2001:db8::/32'] }
    const ends = ok(await api.POST('/v2/signinpolicy/effects', { body: { apiTokenMaxDays: 90 } }))
    expect(ends).toEqual({ apiTokens: 0, sessions: 0, usersToEnrol: 0 })
    const changed = ok(await api.PATCH('/v2/signinpolicy', { body }))
    expect(changed.effective).toMatchObject(body)
    expect(ok(await api.GET('/v2/signinpolicy')).own).toMatchObject(body)
    ok(await api.PATCH('/v2/signinpolicy', { body: { passwordMinLength: null, allowedNetworks: null } }))
  })

  it('the routing as a document', async () => {
    const document = 'version: 1\nskills:\n  - name: Sailing\n'
    const planned = ok(await api.POST('/v2/routing/plan', { body: { document } }))
    expect(planned.changes).toHaveLength(1)
    const body = { document, digest: planned.digest, comment: 'From the repository' }
    expect(ok(await api.PUT('/v2/routing', { body })).changes).toHaveLength(1)
    expect(ok(await api.GET('/v2/routing', { parseAs: 'text' }))).toContain('- name: Sailing')
  })

  it('organizations and their groups', async () => {
    const { id } = ok(await api.POST('/v2/organizations', { body: { name: 'Shop', country: 'NL' } }))
    expect(ok(await api.GET('/v2/organizations', { params: { query: { name: '^Sh' } } })).length).toBe(1)
    expect(ok(await api.GET('/v2/organizations/{id}', at(id))).level).toBe(2)
    const patched = ok(await api.PATCH('/v2/organizations/{id}', { ...at(id), body: { tags: ['retail'] } }))
    expect(patched.tags).toEqual(['retail'])
    expect(ok(await api.GET('/v2/organizations/{id}/workflows', at(id)))).toEqual([])
    const group = ok(await api.POST('/v2/orggroups', { body: { name: 'Shops', members: [id] } }))
    expect(ok(await api.GET('/v2/orggroups/{id}', at(group.id))).members).toEqual([id])
    expect(ok(await api.GET('/v2/orggroups')).length).toBe(1)
    ok(await api.PATCH('/v2/orggroups/{id}', { ...at(group.id), body: { members: [] } }))
    ok(await api.DELETE('/v2/orggroups/{id}', at(group.id)))
    ok(await api.DELETE('/v2/organizations/{id}', at(id)))
  })

  it('channels and their members', async () => {
    const { id } = ok(await api.POST('/v2/channels', { body: { name: 'Sales' } }))
    const member = { params: { path: { id, user: me } } }
    expect(ok(await api.POST('/v2/channels/{id}/members', { ...at(id), body: { user: me } })).members).toHaveLength(1)
    expect(ok(await api.GET('/v2/channels/{id}/members', at(id)))).toEqual([{ user: me }])
    expect(ok(await api.GET('/v2/channels/{id}/members/{user}', member)).user).toBe(me)
    ok(await api.DELETE('/v2/channels/{id}/members/{user}', member))
    ok(await api.PATCH('/v2/channels/{id}/members', { ...at(id), body: [{ user: me }] }))
    expect(ok(await api.GET('/v2/channels/{id}', at(id))).status).toBe('active')
    ok(await api.PATCH('/v2/channels/{id}', { ...at(id), body: { name: 'Sales and service' } }))
    expect(ok(await api.GET('/v2/channels', { params: { query: { populate: 'members.user' } } })).length).toBe(1)
  })

  it('workflows and their rules', async () => {
    const rule: Schemas['WorkflowRuleInput'] = {
      conditions: { all: [{ fact: 'message', path: '.text', operator: 'match', value: 'boat' }] },
      event: { type: 'notify', params: { name: 'Boats', channels: [] } },
    }
    const facts = { message: { text: 'a boat' } }
    const { id } = ok(await api.POST('/v2/workflows', { body: { name: 'Routing', rules: [rule] } }))
    expect(ok(await api.GET('/v2/workflows')).length).toBe(1)
    expect(ok(await api.GET('/v2/workflows/{id}', at(id))).rules).toHaveLength(1)
    expect(ok(await api.POST('/v2/workflows/{id}', { ...at(id), body: facts })).map(({ type }) => type)).toEqual([
      'notify',
    ])
    ok(await api.PATCH('/v2/workflows/{id}', { ...at(id), body: { name: 'Routing of boats' } }))
    const added = ok(await api.POST('/v2/workflows/{id}/rules', { ...at(id), body: { ...rule, priority: 2 } }))
    expect(ok(await api.GET('/v2/workflows/{id}/rules', at(id)))).toHaveLength(2)
    const one = { params: { path: { id, rule: added.id } } }
    expect(ok(await api.GET('/v2/workflows/{id}/rules/{rule}', one)).priority).toBe(2)
    ok(await api.PATCH('/v2/workflows/{id}/rules/{rule}', { ...one, body: { priority: 3 } }))
    expect(ok(await api.POST('/v2/workflows/{id}/rules/{rule}', { ...one, body: facts }))).toHaveLength(1)
    ok(await api.DELETE('/v2/workflows/{id}/rules/{rule}', one))
    expect(ok(await api.GET('/v2/workflows/{id}/versions', at(id))).map(({ number }) => number)).toEqual([
      5, 4, 3, 2, 1,
    ])
    const first = { params: { path: { id, number: '1' } } }
    expect(ok(await api.GET('/v2/workflows/{id}/versions/{number}', first)).rules).toHaveLength(1)
    const restored = await api.POST('/v2/workflows/{id}/versions/{number}', { ...first, body: { comment: 'Back' } })
    expect(ok(restored).name).toBe('Routing')
    ok(await api.DELETE('/v2/workflows/{id}', at(id)))
  })

  it('contacts, conversations and messages', async () => {
    const profile = { name: 'Carl', email: 'carl@example.com' }
    const contact = ok(await api.POST('/v2/contacts', { body: { profile } }))
    ok(await api.PATCH('/v2/contacts/{id}', { ...at(contact.id), body: { meta: { customer: 7 } } }))
    expect(ok(await api.GET('/v2/contacts/{id}', at(contact.id))).profile?.name).toBe('Carl')
    expect(ok(await api.GET('/v2/contacts', { params: { query: { 'profile.email': profile.email } } })).length).toBe(1)
    const { id } = ok(
      await api.POST('/v2/conversations', {
        body: {
          type: 'contact',
          touchpoint: 'web',
          name: 'A boat',
          contact: { profile: { name: 'Dora', email: 'dora@example.com' } },
          messages: [{ role: 'contact', text: 'Hello, I would like to buy a boat.' }],
        },
      }),
    )
    const sent = ok(await api.POST('/v2/conversations/{id}/messages', { ...at(id), body: { text: 'Sail or motor?' } }))
    const one = { params: { path: { id, message: sent.id } } }
    expect(ok(await api.GET('/v2/conversations/{id}/messages', at(id))).length).toBe(2)
    expect(ok(await api.GET('/v2/conversations/{id}/messages/{message}', one)).text).toBe('Sail or motor?')
    ok(await api.PATCH('/v2/conversations/{id}/messages/{message}', { ...one, body: { text: 'A sailing boat?' } }))
    expect(ok(await api.GET('/v2/conversations/{id}', at(id))).status).toBe('queued')
    const query = { populate: 'contact,messages', select: 'contact,messages' }
    const { contact: populated } = ok(await api.GET('/v2/conversations/{id}', { params: { path: { id }, query } }))
    expect(typeof populated === 'object' && populated.profile?.name).toBe('Dora')
    ok(await api.PATCH('/v2/conversations/{id}', { ...at(id), body: { name: 'A sailing boat' } }))
    expect(ok(await api.GET('/v2/conversations', { params: { query: { name: '~sailing' } } })).length).toBe(1)
    const other = ok(await api.POST('/v2/messages', { body: { conversation: id, text: 'Or a motor boat?' } }))
    expect(ok(await api.GET('/v2/messages/{id}', at(other.id))).conversation).toBe(id)
    expect(ok(await api.GET('/v2/messages', { params: { query: { conversation: id } } })).length).toBe(3)
    ok(await api.PATCH('/v2/messages/{id}', { ...at(other.id), body: { meta: { kind: 'question' } } }))
    const params = { address: 'support@harbour.example', inboundSecret: 'a secret of the example' }
    const { id: mail } = ok(await api.POST('/v2/services', { body: { name: 'Mail', type: 'email', params } }))
    const [first] = ok(await api.GET('/v2/conversations/{id}/messages', at(id)))
    const forward = { to: ['sara@supplier.example'], note: 'Do you have one for her?' }
    const note = ok(await api.POST('/v2/messages/{id}/forward', { ...at(first!.id), body: forward }))
    expect(note).toMatchObject({ isBackchannel: true, meta: { _forward: { message: first!.id } } })
    ok(await api.DELETE('/v2/services/{id}', at(mail)))
    ok(await api.DELETE('/v2/messages/{id}', at(other.id)))
    ok(await api.DELETE('/v2/conversations/{id}/messages/{message}', one))
    ok(await api.DELETE('/v2/conversations/{id}', at(id)))
    ok(await api.DELETE('/v2/contacts/{id}', at(contact.id)))
  })

  it('erasures', async () => {
    const { id } = ok(await api.POST('/v2/contacts', { body: { profile: { name: 'Jo Jones' } } }))
    const made = ok(await api.POST('/v2/contacts/{id}/erasure', { ...at(id), body: { reason: 'requested' } }))
    expect(ok(await api.GET('/v2/erasures/{id}', at(made.id))).contact).toBe(id)
    // None: ids and times differ from run to run.
    const since = { since: '2099-01-01T00:00:00Z' }
    const lines = await api.GET('/v2/erasures', { params: { query: since }, parseAs: 'text' })
    expect([lines.response.status, lines.data ?? '']).toEqual([200, ''])
  })

  it('exports of contacts', async () => {
    const { id } = ok(await api.POST('/v2/contacts', { body: { profile: { name: 'Ada Jones' } } }))
    const made = ok(await api.POST('/v2/contacts/{id}/export', { ...at(id), body: { notes: true } }))
    const ready = await until(
      async () => ok(await api.GET('/v2/exports/{id}', at(made.id))),
      ({ status }) => status === 'ready',
    )
    expect(ready.contact).toBe(id)
    const link = new URL(ready.url!).searchParams
    const query = { user: link.get('user')!, expires: link.get('expires')!, signature: link.get('signature')! }
    const params = { path: { id: made.id }, query }
    const bytes = ok(await api.GET('/v2/exports/{id}/file', { params, parseAs: 'arrayBuffer' }))
    expect(bytes).toHaveProperty('byteLength', ready.size)
    expect(ok(await api.GET('/v2/contacts/{id}/exports', at(id))).map((each) => each.id)).toEqual([made.id])
  })

  it('holds, and what they keep', async () => {
    const { id } = ok(await api.POST('/v2/contacts', { body: { profile: { name: 'Kim Kay' } } }))
    const body = { name: 'Case 7', reason: 'A court asked for it.', contacts: [id] }
    const hold = ok(await api.POST('/v2/holds', { body }))
    expect(ok(await api.GET('/v2/holds/{id}', at(hold.id))).contacts).toEqual([id])
    expect(ok(await api.GET('/v2/holds')).length).toBe(1)
    ok(await api.PATCH('/v2/holds/{id}', { ...at(hold.id), body: { name: 'Case 7a' } }))
    const refused = await api.DELETE('/v2/contacts/{id}', at(id))
    expect(refused.response.status).toBe(422)
    const erasure = ok(await api.POST('/v2/contacts/{id}/erasure', { ...at(id), body: { reason: 'requested' } }))
    expect(erasure).toMatchObject({ status: 'blocked', blockedBy: [{ id: hold.id, name: 'Case 7a' }] })
    expect(ok(await api.GET('/v2/holds/{id}/messages', at(hold.id)))).toEqual([])
    expect(ok(await api.DELETE('/v2/holds/{id}', at(hold.id))).releasedAt).toEqual(expect.any(String))
  })

  it('terms of retention, and what they erase', async () => {
    const body = { subject: 'conversations' as const, days: 3_650 }
    const query = { subject: 'conversations', days: '3650' }
    expect(ok(await api.GET('/v2/retentionpreview', { params: { query } }))).toMatchObject({ due: 0, sample: [] })
    const policy = ok(await api.POST('/v2/retentionpolicies', { body }))
    expect((await api.POST('/v2/retentionpolicies', { body })).response.status).toBe(422)
    expect(ok(await api.GET('/v2/retentionpolicies/{id}', at(policy.id))).days).toBe(3_650)
    expect(ok(await api.GET('/v2/retentionpolicies')).length).toBe(1)
    expect(ok(await api.PATCH('/v2/retentionpolicies/{id}', { ...at(policy.id), body: { days: 3_000 } })).days).toBe(
      3_000,
    )
    const run = await insertRun(server, policy.id)
    expect(ok(await api.GET('/v2/retentionruns')).length).toBe(1)
    expect(ok(await api.GET('/v2/retentionruns/{id}', at(run)))).toMatchObject({ policy: policy.id, erased: 0 })
    expect(ok(await api.DELETE('/v2/retentionpolicies/{id}', at(policy.id))).endsAt).toEqual(expect.any(String))
  })

  it('changes that need two administrators', async () => {
    const second = await server.makeUser({ organization: center, role: 'admin' })
    const other = clientOf(await server.tokenFor(second))
    expect(ok(await api.PATCH('/v2/foureyes', { body: { hold: true } }))).toMatchObject({ hold: true, approvers: 1 })
    const body = { name: 'Case 8', reason: 'A court asked', to: '2001-01-01T00:00:00.000Z' }
    const propose = async (): Promise<string> => {
      const hold = ok(await api.POST('/v2/holds', { body }))
      const { response, error } = await api.DELETE('/v2/holds/{id}', at(hold.id))
      expect([response.status, error]).toEqual([422, expect.objectContaining({ reason: 'APPROVAL_NEEDED' })])
      return (error as unknown as { pendingChange: string }).pendingChange
    }
    const [approved, refused, withdrawn] = [await propose(), await propose(), await propose()]
    expect(ok(await other.GET('/v2/pendingchanges')).length).toBe(3)
    expect(ok(await other.GET('/v2/pendingchanges/{id}', at(approved))).operation).toBe('releaseHold')
    expect(ok(await other.POST('/v2/pendingchanges/{id}/approve', at(approved))).status).toBe('approved')
    const why = { body: { comment: 'The case goes on' } }
    expect(ok(await other.POST('/v2/pendingchanges/{id}/refuse', { ...at(refused), ...why })).status).toBe('refused')
    expect(ok(await api.POST('/v2/pendingchanges/{id}/withdraw', at(withdrawn))).status).toBe('withdrawn')
    // Guarded no more, once the other agrees.
    const { error } = await api.PATCH('/v2/foureyes', { body: { hold: false } })
    ok(
      await other.POST(
        '/v2/pendingchanges/{id}/approve',
        at((error as unknown as { pendingChange: string }).pendingChange),
      ),
    )
    expect(ok(await api.GET('/v2/foureyes')).hold).toBe(false)
  })

  it('services and forms', async () => {
    const params = { url: 'https://receiver.example/hook', events: ['message.create.contact.*'] }
    const { id } = ok(
      await api.POST('/v2/services', { body: { name: 'CRM', type: 'webhook', status: 'inactive', params } }),
    )
    expect(ok(await api.GET('/v2/services/{id}', at(id))).type).toBe('webhook')
    expect(ok(await api.GET('/v2/services', { params: { query: { name: 'CRM' } } })).length).toBe(1)
    ok(await api.PATCH('/v2/services/{id}', { ...at(id), body: { name: 'CRM of the shop' } }))
    const { id: mailbox } = ok(await api.POST('/v2/services', { body: { name: 'Support', type: 'mailbox' } }))
    const mails = { params: { path: { id: mailbox }, query: { state: 'unreadable', limit: 10 } } }
    expect(ok(await api.GET('/v2/services/{id}/entries', mails))).toEqual([])
    ok(await api.DELETE('/v2/services/{id}', at(mailbox)))
    const { id: social } = ok(await api.POST('/v2/services', { body: { name: 'Social', type: 'whatsapp' } }))
    await server.server.database.query(
      `insert into message_template (id, service_id, provider_id, name, language, category, status, body, buttons, is_unsupported, synced_at)
       values (gen_random_uuid(), $1, '90210', 'boat_ready', 'nl', 'UTILITY', 'approved', 'Hello {{name}}, your boat is ready.', '["Thanks"]', false, now())`,
      [social],
    )
    const approved = { params: { path: { id: social }, query: { status: 'approved', search: 'boat' } } }
    expect(ok(await api.GET('/v2/services/{id}/templates', approved))).toMatchObject([{ variables: ['name'] }])
    ok(await api.DELETE('/v2/services/{id}', at(social)))
    ok(await api.DELETE('/v2/services/{id}', at(id)))
    const form = ok(
      await api.POST('/v2/forms', { body: { name: 'Address', fields: [{ name: 'city', type: 'text' }] } }),
    )
    expect(ok(await api.GET('/v2/forms/{id}', at(form.id))).fields).toHaveLength(1)
    expect(ok(await api.GET('/v2/forms')).length).toBe(1)
    ok(await api.PATCH('/v2/forms/{id}', { ...at(form.id), body: { tags: ['sales'] } }))
    ok(await api.DELETE('/v2/forms/{id}', at(form.id)))
  })

  it('articles, locations, attachments and files', async () => {
    const article = ok(await api.POST('/v2/articles', { body: { title: 'Opening hours', body: '<p>From nine.</p>' } }))
    expect(ok(await api.GET('/v2/articles/{id}', at(article.id))).status).toBe('draft')
    expect(ok(await api.GET('/v2/articles')).length).toBe(1)
    ok(await api.PATCH('/v2/articles/{id}', { ...at(article.id), body: { status: 'published' } }))
    ok(await api.DELETE('/v2/articles/{id}', at(article.id)))
    const place = ok(await api.POST('/v2/locations', { body: { name: 'Harbour', latitude: 52.37, longitude: 4.9 } }))
    expect(ok(await api.GET('/v2/locations/{id}', at(place.id))).latitude).toBe(52.37)
    expect(ok(await api.GET('/v2/locations')).length).toBe(1)
    ok(await api.PATCH('/v2/locations/{id}', { ...at(place.id), body: { timezone: 'Europe/Amsterdam' } }))
    ok(await api.DELETE('/v2/locations/{id}', at(place.id)))
    const attachment = ok(
      await api.POST('/v2/attachments', { body: { file: 'boat.png' }, bodySerializer: ({ file }) => imageForm(file) }),
    )
    expect(ok(await api.GET('/v2/attachments/{id}', at(attachment.id))).fileType).toBe('image/png')
    expect(ok(await api.GET('/v2/attachments')).length).toBe(1)
    ok(await api.PATCH('/v2/attachments/{id}', { ...at(attachment.id), body: { tags: ['boats'] } }))
    const link = new URL(attachment.url)
    const [expires, signature] = [link.searchParams.get('expires')!, link.searchParams.get('signature')!]
    const params = { path: { id: attachment.id, name: 'boat.png' }, query: { expires, signature } }
    const bytes = ok(await api.GET('/v2/attachments/{id}/{name}', { params, parseAs: 'arrayBuffer' }))
    expect(bytes).toHaveProperty('byteLength', PNG.length)
    const file = ok(await api.POST('/v2/files', { body: { name: 'A boat', attachment: attachment.id } }))
    expect(ok(await api.GET('/v2/files/{id}', at(file.id))).attachment).toBe(attachment.id)
    expect(ok(await api.GET('/v2/files')).length).toBe(1)
    ok(await api.PATCH('/v2/files/{id}', { ...at(file.id), body: { name: 'The boat' } }))
    ok(await api.DELETE('/v2/files/{id}', at(file.id)))
    ok(await api.DELETE('/v2/attachments/{id}', at(attachment.id)))
  })

  it('ratings', async () => {
    const channel = ok(
      await api.POST('/v2/channels', { body: { name: 'Rated', survey: { scale: 'five', onceDays: 0 } } }),
    )
    const conversation = ok(
      await api.POST('/v2/conversations', {
        body: {
          type: 'contact',
          name: 'A rated case',
          touchpoint: 'web',
          contact: { profile: { email: 'rated@example.com' } },
        },
      }),
    )
    const id = crypto.randomUUID()
    await server.server.database.query(
      `insert into rating (id, organization_id, org1, created_at, updated_at, conversation_id, case_conversation_id, case_at,
         contact_id, channel_id, channels, touchpoint, scale, asked_at, expires_at, score, rated_at)
       select $1, organization_id, org1, created_at, created_at, id, id, created_at, contact_id, $3, array[$3::uuid], 'web', 'five',
         created_at, created_at + interval '14 days', 4, created_at from conversation where id = $2`,
      [id, conversation.id, channel.id],
    )
    expect(ok(await api.GET('/v2/ratings')).length).toBe(1)
    expect(ok(await api.GET('/v2/ratings/{id}', at(id))).score).toBe(4)
  })

  it('proposals', async () => {
    const bot = clientOf(await server.tokenFor(await server.makeUser({ organization: center, role: 'bot' })))
    const { id } = ok(
      await api.POST('/v2/conversations', {
        body: {
          type: 'contact',
          name: 'A late order',
          touchpoint: 'web',
          contact: { profile: { email: 'late@example.com' } },
          messages: [{ role: 'contact', text: 'Where is it?' }],
        },
      }),
    )
    const etag = async (): Promise<string> =>
      (await bot.GET('/v2/conversations/{id}', at(id))).response.headers.get('etag')!
    const propose = async (given: components['schemas']['MessageInput'] | { category: string }) => {
      const proposed = 'category' in given ? { suggestion: given } : { message: given }
      const params = { path: { id }, header: { 'If-Match': await etag() } }
      return ok(await bot.POST('/v2/conversations/{id}/proposals', { params, body: proposed }))
    }
    const answer = await propose({ role: 'agent', text: 'On its way.' })
    expect(ok(await api.GET('/v2/conversations/{id}/proposals', at(id)))).toEqual([answer])
    const approved = ok(
      await api.POST('/v2/proposals/{id}/approve', { ...at(answer.id!), body: { hash: answer.hash! } }),
    )
    expect(ok(await api.GET('/v2/proposals/{id}', at(answer.id!)))).toEqual(approved)
    ok(await api.PATCH('/v2/organizations/{id}', { ...at(center.id), body: { categories: [{ name: 'Orders' }] } }))
    const category = await propose({ category: 'Orders' })
    expect(ok(await api.POST('/v2/proposals/{id}/take', at(category.id!))).outcome).toBe('accepted')
    const other = await propose({ role: 'agent', text: 'Tomorrow.' })
    expect(ok(await api.POST('/v2/proposals/{id}/reject', at(other.id!))).outcome).toBe('rejected')
    const params = { events: ['proposal.requested'] }
    const { id: service } = ok(await api.POST('/v2/services', { body: { name: 'Assistant', type: 'events', params } }))
    const request = await api.POST('/v2/conversations/{id}/proposals/request', { ...at(id), body: { kind: 'reply' } })
    expect(ok(request).kind).toBe('reply')
    ok(await api.DELETE('/v2/services/{id}', at(service)))
  })

  it('copies of conversations, where the server sends mail', async () => {
    const conversation = ok(
      await api.POST('/v2/conversations', {
        body: {
          type: 'contact',
          name: 'A copy',
          touchpoint: 'web',
          contact: { profile: { email: 'copied@example.com' } },
        },
      }),
    )
    const { response } = await api.POST('/v2/conversations/{id}/transcript', {
      ...at(conversation.id),
      body: { to: 'copied@example.com' },
    })
    expect(response.status).toBe(422)
  })

  it('notes of a contact, and its timeline', async () => {
    const contact = ok(await api.POST('/v2/contacts', { body: { profile: { name: 'Konstantina' } } }))
    const text = 'Crane 2 is out until Thursday.'
    const note = ok(await api.POST('/v2/contacts/{id}/notes', { ...at(contact.id), body: { text } }))
    expect(note).toMatchObject({ text, contact: contact.id, author: admin.id })
    const on = { params: { path: { id: contact.id, note: note.id } } }
    expect(ok(await api.GET('/v2/contacts/{id}/notes/{note}', on)).text).toBe(text)
    ok(await api.PATCH('/v2/contacts/{id}/notes/{note}', { ...on, body: { text: `${text} Tell her.` } }))
    expect(ok(await api.GET('/v2/contacts/{id}/notes', at(contact.id))).length).toBe(1)
    const timeline = ok(await api.GET('/v2/contacts/{id}/timeline', at(contact.id)))
    expect(timeline).toMatchObject([{ kind: 'note', contact: contact.id, users: [admin.id], note: { id: note.id } }])
    ok(await api.DELETE('/v2/contacts/{id}/notes/{note}', on))
    expect(ok(await api.GET('/v2/contacts/{id}/notes', at(contact.id)))).toEqual([])
  })

  it('labels, and those of a conversation', async () => {
    const label = ok(await api.POST('/v2/labels', { body: { name: 'Refund', hue: 145 } }))
    expect(ok(await api.GET('/v2/labels/{id}', at(label.id))).hue).toBe(145)
    expect(ok(await api.GET('/v2/labels')).length).toBe(1)
    ok(await api.PATCH('/v2/labels/{id}', { ...at(label.id), body: { name: 'Refunds' } }))
    const conversation = ok(
      await api.POST('/v2/conversations', {
        body: {
          type: 'contact',
          name: 'A refund',
          touchpoint: 'web',
          contact: { profile: { email: 'labelled@example.com' } },
        },
      }),
    )
    const on = { params: { path: { id: conversation.id, label: label.id } } }
    const put = api.POST('/v2/conversations/{id}/labels', { ...at(conversation.id), body: { label: label.id } })
    expect(ok(await put).labels).toEqual([label.id])
    expect(ok(await api.DELETE('/v2/conversations/{id}/labels/{label}', on)).labels).toEqual([])
    expect(ok(await api.DELETE('/v2/labels/{id}', at(label.id))).archivedAt).toEqual(expect.any(String))
  })

  it('macros, and what a run of one did', async () => {
    const steps = [
      { kind: 'reply' as const, text: 'Dear {{ givenName }}, Thursday is yours.' },
      { kind: 'snooze' as const, until: 'tomorrow' as const },
    ]
    const macro = ok(await api.POST('/v2/macros', { body: { name: 'Book a lift-out', shortcut: 'lift', steps } }))
    expect(ok(await api.GET('/v2/macros/{id}', at(macro.id))).steps).toMatchObject(steps)
    expect(ok(await api.GET('/v2/macros')).length).toBe(1)
    ok(await api.PATCH('/v2/macros/{id}', { ...at(macro.id), body: { name: 'Book a lift-out, by phone' } }))
    const contact = { profile: { name: 'Konstantina', email: 'lift@example.com' } }
    const body = {
      type: 'contact' as const,
      touchpoint: 'web' as const,
      contact,
      messages: [{ role: 'contact' as const, text: 'hi' }],
    }
    const conversation = ok(await api.POST('/v2/conversations', { body }))
    const run = { conversations: [conversation.id], id: crypto.randomUUID() }
    const [result] = ok(await api.POST('/v2/macros/{id}/run', { ...at(macro.id), body: run }))
    expect(result).toMatchObject({ conversation: conversation.id, isDone: true })
    expect(ok(await api.DELETE('/v2/macros/{id}', at(macro.id))).archivedAt).toEqual(expect.any(String))
  })

  it('views that were saved', async () => {
    const filter = { status: { eq: 'queued' as const } }
    const view = ok(await api.POST('/v2/views', { body: { name: 'Waiting in Dutch', filter } }))
    expect(ok(await api.GET('/v2/views/{id}', at(view.id))).filter).toMatchObject(filter)
    expect(ok(await api.GET('/v2/views')).length).toBe(1)
    const order = [{ field: 'createdAt' as const, direction: 'asc' as const }]
    ok(await api.PATCH('/v2/views/{id}', { ...at(view.id), body: { name: 'The oldest in Dutch', orderBy: order } }))
    ok(await api.DELETE('/v2/views/{id}', at(view.id)))
  })

  it('acts with many conversations', async () => {
    const contact = { profile: { name: 'Konstantina', email: 'bulk@example.com' } }
    const messages = [{ role: 'contact' as const, text: 'my boat is loose' }]
    const body = { type: 'contact' as const, touchpoint: 'web' as const, contact, messages }
    const conversation = ok(await api.POST('/v2/conversations', { body }))
    // Not by the client: the examples are its first answers, which would be of a run that has begun, or of one that has ended.
    const ended = (run: string, state = 'done') =>
      until(
        () => server.rest(admin, 'GET', `/v2/bulkruns/${run}`),
        (answer) => answer.body.state === state,
      )
    const act = { step: { kind: 'note' as const, text: 'crane 2 is out' } }
    const id = crypto.randomUUID()
    const begun = ok(await api.POST('/v2/conversations/bulk', { body: { act, id, conversations: [conversation.id] } }))
    expect(begun).toMatchObject({ id, total: 1, kinds: ['note'] })
    await ended(id)
    const run = ok(await api.GET('/v2/bulkruns/{id}', at(id)))
    expect(run).toMatchObject({ done: 1, skipped: 0, refusals: [] })
    expect(ok(await api.POST('/v2/bulkruns/{id}/cancel', at(id))).state).toBe('done')
    const closed = { act: { step: { kind: 'close' as const } }, id: crypto.randomUUID() }
    ok(await api.POST('/v2/conversations/bulk', { body: { ...closed, conversations: [conversation.id] } }))
    await ended(closed.id)
    expect(ok(await api.POST('/v2/bulkruns/{id}/undo', at(closed.id))).id).toBe(closed.id)
    await ended(closed.id, 'undone')
    // Else it waits in the channels that others of these tests delete.
    await server.rest(admin, 'DELETE', `/v2/conversations/${conversation.id}`)
  })

  it('skills, and the availability and capacity of agents', async () => {
    const skill = ok(await api.POST('/v2/skills', { body: { name: 'Dutch' } }))
    expect(ok(await api.GET('/v2/skills/{id}', at(skill.id))).name).toBe('Dutch')
    expect(ok(await api.GET('/v2/skills')).map(({ name }) => name)).toContain('Dutch')
    ok(await api.PATCH('/v2/skills/{id}', { ...at(skill.id), body: { name: 'Dutch (B2)' } }))
    const own = ok(await api.PATCH('/v2/users/{id}/availability', { ...at('me'), body: { availability: 'available' } }))
    expect(own).toMatchObject({ availability: 'available', capacity: 12, load: 0 })
    ok(await api.PATCH('/v2/users/{id}/staffing', { ...at(me), body: { capacity: 8, skills: [skill.id] } }))
    const read = ok(await api.GET('/v2/users/{id}/availability', at('me')))
    expect(read).toMatchObject({ capacity: 8, skills: [{ id: skill.id, name: 'Dutch (B2)' }] })
    expect((await api.DELETE('/v2/skills/{id}', at(skill.id))).response.status).toBe(422)
    expect((await api.POST('/v2/offers/{id}/decline', { ...at(me), body: {} })).response.status).toBe(404)
    ok(await api.PATCH('/v2/users/{id}/staffing', { ...at(me), body: { skills: [] } }))
    ok(await api.DELETE('/v2/skills/{id}', at(skill.id)))
  })

  it('reason codes', async () => {
    const body = { name: 'Lunch', availabilities: ['away' as const] }
    const code = ok(await api.POST('/v2/reasoncodes', { body }))
    expect(ok(await api.GET('/v2/reasoncodes/{id}', at(code.id)))).toMatchObject(body)
    expect(ok(await api.GET('/v2/reasoncodes')).length).toBe(1)
    ok(await api.PATCH('/v2/reasoncodes/{id}', { ...at(code.id), body: { name: 'Break' } }))
    const state = { availability: 'away' as const, reasonCode: code.id }
    const own = ok(await api.PATCH('/v2/users/{id}/availability', { ...at('me'), body: state }))
    expect(own.reasonCode).toEqual({ id: code.id, name: 'Break' })
    ok(await api.PATCH('/v2/users/{id}/availability', { ...at('me'), body: { availability: 'available' } }))
    ok(await api.DELETE('/v2/reasoncodes/{id}', at(code.id)))
  })

  it('schedules and SLA policies', async () => {
    const days = ['Mon' as const, 'Tue' as const]
    const schedule = ok(
      await api.POST('/v2/schedules', {
        body: { name: 'Office', timezone: 'Europe/Amsterdam', spans: [{ days, opens: '09:00', closes: '17:00' }] },
      }),
    )
    expect(ok(await api.GET('/v2/schedules/{id}', at(schedule.id)))).toMatchObject({ version: 1, spans: [{ days }] })
    expect(ok(await api.GET('/v2/schedules')).length).toBe(1)
    const exceptions = [{ firstDay: '2026-12-25', lastDay: '2026-12-26', name: 'Christmas' }]
    expect(ok(await api.PATCH('/v2/schedules/{id}', { ...at(schedule.id), body: { exceptions } })).version).toBe(2)
    const holidays = { name: 'Netherlands', days: [{ firstDay: '2027-04-27', lastDay: '2027-04-27', name: 'King' }] }
    const calendar = ok(await api.POST('/v2/holidaycalendars', { body: holidays }))
    expect(ok(await api.GET('/v2/holidaycalendars/{id}', at(calendar.id))).name).toBe('Netherlands')
    expect(ok(await api.GET('/v2/holidaycalendars')).length).toBe(1)
    ok(await api.PATCH('/v2/holidaycalendars/{id}', { ...at(calendar.id), body: { name: 'Dutch holidays' } }))
    const calendars = [calendar.id]
    expect(ok(await api.PATCH('/v2/schedules/{id}', { ...at(schedule.id), body: { calendars } })).version).toBe(3)
    expect((await api.DELETE('/v2/holidaycalendars/{id}', at(calendar.id))).response.status).toBe(422)
    ok(await api.PATCH('/v2/schedules/{id}', { ...at(schedule.id), body: { calendars: [] } }))
    ok(await api.DELETE('/v2/holidaycalendars/{id}', at(calendar.id)))
    const targets = [{ clock: 'firstResponse' as const, minutes: 30, warnMinutes: 10 }]
    const body = { name: 'Standard', schedule: schedule.id, targets }
    const policy = ok(await api.POST('/v2/slapolicies', { body }))
    expect(ok(await api.GET('/v2/slapolicies/{id}', at(policy.id)))).toMatchObject({ schedule: schedule.id, targets })
    expect(ok(await api.GET('/v2/slapolicies')).length).toBe(1)
    const conversation = ok(
      await api.POST('/v2/conversations', {
        body: {
          type: 'contact',
          touchpoint: 'web',
          contact: { profile: { email: 'due@example.com' } },
          messages: [{ role: 'contact', text: 'When do you answer?' }],
        },
      }),
    )
    expect(ok(await api.GET('/v2/conversations/{id}/clocks', at(conversation.id)))).toMatchObject([
      { clock: 'firstResponse', state: 'running' },
    ])
    ok(await api.DELETE('/v2/conversations/{id}', at(conversation.id)))
    expect((await api.DELETE('/v2/schedules/{id}', at(schedule.id))).response.status).toBe(422)
    ok(await api.PATCH('/v2/slapolicies/{id}', { ...at(policy.id), body: { schedule: null } }))
    ok(await api.DELETE('/v2/slapolicies/{id}', at(policy.id)))
    ok(await api.DELETE('/v2/schedules/{id}', at(schedule.id)))
  })

  it('reports, as CSV', async () => {
    const query = { from: '2026-03-01T00:00:00Z', to: '2026-03-31T22:00:00Z', by: 'day', timezone: 'Europe/Amsterdam' }
    const params = { path: { metric: 'created' }, query }
    const csv = ok(await api.GET('/v2/reports/{metric}', { params, parseAs: 'text' }))
    expect(csv.split('\r\n', 2)).toEqual(['day,created', '2026-03-01,0'])
    // Beyond the last entry: hashes differ from run to run.
    const audit = await api.GET('/v2/audit', { params: { query: { after: '1000000' } }, parseAs: 'text' })
    expect([audit.response.status, audit.data ?? '']).toEqual([200, ''])
    const own = { path: { metric: 'transferred' }, query }
    const mine = ok(await api.GET('/v2/users/me/reports/{metric}', { params: own, parseAs: 'text' }))
    expect(mine.split('\r\n', 2)).toEqual(['day,transferred', '2026-03-01,0'])
  })

  it('refused requests, with the error of the status', async () => {
    const gone = await api.GET('/v2/channels/{id}', at(me))
    const code: 'NOT_FOUND' | undefined = gone.response.status === 404 ? (gone.error?.code as 'NOT_FOUND') : undefined
    expect(code).toBe('NOT_FOUND')
    expect((await clientOf(null).GET('/v2/channels')).response.status).toBe(401)
    const [channel] = ok(await api.GET('/v2/channels'))
    const empty = await api.PATCH('/v2/channels/{id}', { ...at(channel!.id), body: { name: ' ' } })
    expect([empty.response.status, empty.error?.field]).toEqual([400, 'name'])
    const agent = await server.makeUser({ organization: await server.makeOrganization(), role: 'viewer' })
    const viewer = clientOf(await server.tokenFor(agent))
    expect((await viewer.POST('/v2/channels', { body: { name: 'Mine' } })).response.status).toBe(403)
    const twice = await api.POST('/v2/users', { body: { email: 'ann@example.com', role: 'agent' } })
    expect(twice.response.status).toBe(422)
    const large = await api.POST('/v2/channels', { body: { name: 'x'.repeat(2_000_000) } })
    expect(large.response.status).toBe(413)
    const text = await api.POST('/v2/channels', { body: { name: 'x' }, headers: { 'content-type': 'text/plain' } })
    expect(text.response.status).toBe(415)
    ok(await api.DELETE('/v2/channels/{id}', at(channel!.id)))
  })

  it('events that are taken', async () => {
    const params = { events: ['location.create'] }
    const { id } = ok(await api.POST('/v2/services', { body: { name: 'Sync', type: 'events', params } }))
    ok(await api.POST('/v2/locations', { body: { name: 'Pier' } }))
    const [taken] = ok(await api.POST('/v2/services/{id}/take', { ...at(id), body: { max: 10, waitSeconds: 20 } }))
    expect(taken).toMatchObject({ event: 'location.create', attempt: 1 })
    const body = { ids: [taken!.id] }
    ok(await api.POST('/v2/services/{id}/retry', { ...at(id), body: { ...body, attempts: [1] } }))
    ok(await api.POST('/v2/services/{id}/acknowledge', { ...at(id), body }))
    ok(await api.DELETE('/v2/services/{id}', at(id)))
  })

  it('events that are read by cursor', async () => {
    const { id } = ok(await api.POST('/v2/services', { body: { name: 'Data warehouse', type: 'feed' } }))
    const query = { types: 'location.*', limit: '10', waitSeconds: '20' }
    ok(await api.POST('/v2/locations', { body: { name: 'Lighthouse' } }))
    const page = ok(await api.GET('/v2/events', { params: { query } }))
    expect(page).toMatchObject({ events: [{ event: 'location.create', cursor: page.cursor }], hasMore: false })
    const rest = ok(await api.GET('/v2/events', { params: { query: { after: page.cursor!, types: query.types } } }))
    expect(rest).toEqual({ events: [], cursor: page.cursor, hasMore: false })
    ok(await api.DELETE('/v2/services/{id}', at(id)))
  })

  it('provisioning by a provider', async () => {
    const { id } = ok(await api.POST('/v2/services', { body: { name: 'Work account', type: 'feed' } }))
    // No provider is asked here whether it is one.
    await server.server.database.query(`update service set type = 'oidc' where id = $1`, [id])
    const made = ok(await api.POST('/v2/services/{id}/scimtokens', { ...at(id), body: { overlapHours: 24 } }))
    const { url, tokens } = ok(await api.GET('/v2/services/{id}/provisioning', at(id)))
    expect(url).toBe(`https://chat.example/scim/v2/${id}`)
    expect(tokens.map((token) => token.id)).toEqual([made.id])
    const params = { path: { id, token: made.id } }
    ok(await api.DELETE('/v2/services/{id}/scimtokens/{token}', { params }))
    ok(await api.DELETE('/v2/services/{id}', at(id)))
  })

  it('every operation of the document', () => {
    expect([...operations.values()].filter((operation) => !called.has(operation))).toEqual([])
  })
})

describe('the examples of the document', () => {
  it("equal the server's requests, responses and events: EXAMPLES=write regenerates them", async () => {
    recorder.recordEvents(WEBHOOK_EVENTS, await delivered())
    if (process.env.EXAMPLES === 'write') writeExamples(recorder.examples)
    expect(recorder.examples).toEqual(committedExamples())
  })
})
