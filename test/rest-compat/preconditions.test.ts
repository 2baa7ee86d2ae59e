import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { buildSchema, isInputObjectType } from 'graphql'
import { readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { MadeOrganization, MadeUser } from '../support/factories.js'
import { startTestServer, type TestServer } from '../support/test-server.js'
import { uploadImage } from '../support/upload-image.js'

let app: TestServer
let center: MadeOrganization
let admin: MadeUser
let agent: MadeUser
let dataDir: string

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'preconditions-'))
  app = await startTestServer({ DATA_DIR: dataDir, RATE_LIMIT_PER_IP: '0' })
  center = await app.makeOrganization()
  admin = await app.makeUser({ organization: center, role: 'owner' })
  agent = await app.makeUser({ organization: center })
})
afterAll(async () => {
  await app.close()
  await rm(dataDir, { recursive: true })
})

interface Resource {
  path: string
  /** The GraphQL type. */
  type: string
  /** A body of which every call makes another record. */
  create: () => object
  make?: () => Promise<string>
  patch: (text: string) => object
}

const named = (name: string): object => ({ name })
const unique = (): string => crypto.randomUUID()
/** Longer with each change. */
let days = 200
const HOURS = [{ days: ['Mon'], opens: '09:00', closes: '17:00' }]

const RESOURCES: readonly Resource[] = [
  { path: 'workflows', type: 'Workflow', create: () => ({ name: 'W' }), patch: named },
  { path: 'channels', type: 'Channel', create: () => ({ name: 'C' }), patch: named },
  {
    path: 'users',
    type: 'User',
    create: () => ({ email: `${unique()}@example.com`, status: 'active' }),
    patch: (givenName) => ({ givenName }),
  },
  {
    path: 'organizations',
    type: 'Organization',
    create: () => ({ name: 'O', parent: center.id }),
    patch: named,
  },
  { path: 'orggroups', type: 'OrganizationGroup', create: () => ({ name: 'G' }), patch: named },
  {
    path: 'schedules',
    type: 'Schedule',
    create: () => ({ name: 'S', timezone: 'Europe/Paris', spans: HOURS }),
    patch: named,
  },
  {
    path: 'slapolicies',
    type: 'SlaPolicy',
    create: () => ({ name: 'P', targets: [{ clock: 'queue', minutes: 5 }] }),
    patch: named,
  },
  { path: 'services', type: 'Service', create: () => ({ name: 'S', type: 'mine' }), patch: named },
  {
    path: 'skills',
    type: 'Skill',
    create: () => ({ name: unique() }),
    patch: named,
  },
  {
    path: 'holds',
    type: 'Hold',
    create: () => ({ name: 'H', reason: 'R', to: '2001-01-01T00:00:00Z' }),
    patch: named,
  },
  {
    path: 'retentionpolicies',
    type: 'RetentionPolicy',
    create: () => ({}),
    // An organization has one.
    make: async () => {
      const organization = (await app.makeOrganization({ parent: center })).id
      const input = { organization, subject: 'contacts', days: 100 }
      return (await app.rest(admin, 'POST', '/v2/retentionpolicies', input)).body.id as string
    },
    patch: () => ({ days: (days += 1) }),
  },
  { path: 'labels', type: 'Label', create: () => ({ name: unique().slice(0, 40) }), patch: named },
  {
    path: 'macros',
    type: 'Macro',
    create: () => ({ name: unique(), steps: [{ kind: 'close' }] }),
    patch: named,
  },
  {
    path: 'views',
    type: 'View',
    create: () => ({ name: unique(), filter: { status: { eq: 'queued' } } }),
    patch: named,
  },
  { path: 'articles', type: 'Article', create: () => ({ title: 'A' }), patch: (title) => ({ title }) },
  { path: 'forms', type: 'Form', create: () => ({ name: unique() }), patch: (tag) => ({ tags: [tag] }) },
  { path: 'files', type: 'File', create: () => ({ name: 'F', url: 'https://a.example/a.pdf' }), patch: named },
  {
    path: 'holidaycalendars',
    type: 'HolidayCalendar',
    create: () => ({ name: unique(), days: [] }),
    patch: named,
  },
  {
    path: 'reasoncodes',
    type: 'ReasonCode',
    create: () => ({ name: unique() }),
    patch: (a) => ({ name: `${a} ${unique()}` }),
  },
  { path: 'locations', type: 'Location', create: () => ({ name: 'L' }), patch: named },
  {
    path: 'contacts',
    type: 'Contact',
    create: () => ({ profile: { name: 'C' } }),
    patch: (a) => ({ meta: { a } }),
  },
  {
    path: 'conversations',
    type: 'Conversation',
    create: () => ({ touchpoint: 'web', contact: { profile: { name: 'C', email: `${unique()}@example.com` } } }),
    patch: named,
  },
  {
    path: 'attachments',
    type: 'Attachment',
    create: () => ({}),
    make: async () =>
      ((await (await uploadImage(app, await app.tokenFor(admin), { name: 'a.png' })).json()) as { id: string }).id,
    patch: (name) => ({ fileName: `${name}.png` }),
  },
]

async function make({ path, create, make: other }: Resource): Promise<string> {
  if (other) return other()
  const { status, body } = await app.rest(admin, 'POST', `/v2/${path}`, create())
  expect(`${status} ${body.message ?? ''}`).toBe('201 ')
  return body.id as string
}

const patchRest = (resource: Resource, id: string, patch: object, ifMatch?: string) =>
  app.rest(admin, 'PATCH', `/v2/${resource.path}/${id}`, patch, ifMatch === undefined ? {} : { 'if-match': ifMatch })

const tagOf = async (resource: Resource, id: string): Promise<string> =>
  (await app.rest(admin, 'GET', `/v2/${resource.path}/${id}`)).headers.get('etag') ?? 'none'

const fieldOf = ({ type }: Resource): string => type[0]!.toLowerCase() + type.slice(1)

/** A view is saved, whether it is a new one or not. */
const inputOf = ({ type }: Resource): string => (type === 'View' ? 'SaveViewInput' : `Update${type}Input`)

async function patchGraphql(resource: Resource, id: string, patch: object) {
  const change = resource.type === 'View' ? 'saveView(id: $id, input:' : `update${resource.type}(id: $id, patch:`
  const operation = `mutation ($id: ID!, $patch: ${inputOf(resource)}!) { result: ${change} $patch) { version } }`
  const { data, errors } = await app.gql(admin, operation, { id, patch })
  return {
    version: (data as { result: { version: number } | null } | null)?.result?.version,
    error: errors?.[0]?.extensions as { code: string; reason: string; version: number } | undefined,
  }
}

async function versionOf(resource: Resource, id: string): Promise<number> {
  const { data } = await app.gql(admin, `query ($id: ID!) { result: ${fieldOf(resource)}(id: $id) { version } }`, {
    id,
  })
  return (data as { result: { version: number } }).result.version
}

it('covers every change that takes a version', () => {
  const schema = buildSchema(readFileSync('schema.graphql', 'utf8'))
  const inputs = Object.values(schema.getTypeMap()).filter(
    (type) => isInputObjectType(type) && 'ifVersion' in type.getFields(),
  )
  // Of notes: test/timeline; of two administrators: test/four-eyes.
  const elsewhere = [
    'UpdateContactNoteInput',
    'UpdateCannedResponseInput',
    'UpdateWorkflowRuleInput',
    'UpdateSignInPolicyInput',
    'SetFourEyesInput',
  ]
  const covered = [...RESOURCES.map(inputOf), ...elsewhere]
  expect(inputs.map(({ name }) => name).toSorted()).toEqual(covered.toSorted())
})

describe.each(RESOURCES.map((resource) => [resource.path, resource] as const))('/v2/%s', (_, resource) => {
  const change = (): object => resource.patch(unique())

  it('answers with the ETag of the version, and refuses a change to another one with 412', async () => {
    const id = await make(resource)
    const before = await tagOf(resource, id)
    // That of a conversation also has its mark.
    expect(before).toMatch(resource.path === 'conversations' ? /^"[1-9]\d*-\d+\.\d+\.[0-9a-f]{6}"$/ : /^"[1-9]\d*"$/)
    const changed = await patchRest(resource, id, change(), before)
    expect(changed.status).toBe(200)
    const after = changed.headers.get('etag')
    expect(after).not.toBe(before)
    expect(await tagOf(resource, id)).toBe(after)

    const shown = (await app.rest(admin, 'GET', `/v2/${resource.path}/${id}`)).body
    const refused = await patchRest(resource, id, change(), before)
    expect(refused).toMatchObject({ status: 412, body: { code: 'PRECONDITION_FAILED', reason: 'OTHER_VERSION' } })
    expect(refused.body.message).toContain('changed meanwhile')
    expect((await app.rest(admin, 'GET', `/v2/${resource.path}/${id}`)).body).toEqual(shown)
    expect(await tagOf(resource, id)).toBe(after)
  })

  it('takes a change without a precondition, with any version and with a weak tag of the present one', async () => {
    const id = await make(resource)
    expect((await patchRest(resource, id, change())).status).toBe(200)
    expect((await patchRest(resource, id, change(), '*')).status).toBe(200)
    expect((await patchRest(resource, id, change(), `W/${await tagOf(resource, id)}`)).status).toBe(200)
    expect((await patchRest(resource, id, change(), 'W/"1"')).status).toBe(412)
    expect((await patchRest(resource, id, change(), '"not-a-tag-of-ours"')).status).toBe(412)
    expect(await patchRest(resource, id, change(), 'bare')).toMatchObject({ status: 400, body: { field: 'If-Match' } })
  })

  it('lets exactly one of two changes to the same version pass, through either door', async () => {
    const id = await make(resource)
    for (let round = 0; round < 3; round++) {
      const tag = await tagOf(resource, id)
      const ifVersion = await versionOf(resource, id)
      expect(tag.replace(/-[^"]+/, '')).toBe(`"${ifVersion}"`)
      const [one, other] = await Promise.all([
        patchRest(resource, id, change(), tag),
        patchGraphql(resource, id, { ...change(), ifVersion }),
      ])
      const passed = [one.status === 200, other.error === undefined]
      expect(passed.filter(Boolean)).toHaveLength(1)
      if (passed[0]) expect(other.error).toMatchObject({ code: 'PRECONDITION_FAILED', reason: 'OTHER_VERSION' })
      else expect(one.status).toBe(412)
    }
  })

  it('refuses a precondition where it would have no effect', async () => {
    const id = await make(resource)
    const tag = await tagOf(resource, id)
    const refused = await app.rest(admin, 'DELETE', `/v2/${resource.path}/${id}`, undefined, { 'if-match': tag })
    expect(refused).toMatchObject({ status: 400, body: { field: 'If-Match' } })
    expect(await tagOf(resource, id)).toBe(tag)
  })
})

describe('a version', () => {
  it('of a record that is created is in the answer', async () => {
    const { headers } = await app.rest(admin, 'POST', '/v2/channels', { name: 'C' })
    expect(headers.get('etag')).toBe('"1"')
  })

  it('of a channel counts its members, whichever way they change', async () => {
    const channel = RESOURCES.find(({ path }) => path === 'channels')!
    const id = await make(channel)
    const stale = await tagOf(channel, id)
    const added = await app.rest(admin, 'POST', `/v2/channels/${id}/members`, { user: agent.id })
    expect(added.headers.get('etag')).toBe(await tagOf(channel, id))
    const members = `/v2/channels/${id}/members`
    expect((await app.rest(admin, 'PATCH', members, [], { 'if-match': stale })).status).toBe(412)
    const list = await app.rest(admin, 'GET', members)
    expect(list.body).toHaveLength(1)
    const present = list.headers.get('etag')!
    expect((await app.rest(admin, 'PATCH', members, [], { 'if-match': present })).status).toBe(200)
    expect(await tagOf(channel, id)).not.toBe(present)
  })

  it('of a workflow is that of its rules', async () => {
    const workflow = RESOURCES.find(({ path }) => path === 'workflows')!
    const id = await make(workflow)
    const rule = { conditions: { all: [] }, event: { type: 'notify', params: {} } }
    const { id: ruleId } = (await app.rest(admin, 'POST', `/v2/workflows/${id}/rules`, rule)).body
    const path = `/v2/workflows/${id}/rules/${ruleId}`
    const tag = (await app.rest(admin, 'GET', path)).headers.get('etag')!
    expect(tag).toBe(await tagOf(workflow, id))
    expect((await app.rest(admin, 'PATCH', path, { priority: 2 }, { 'if-match': tag })).status).toBe(200)
    expect((await app.rest(admin, 'PATCH', path, { priority: 3 }, { 'if-match': tag })).status).toBe(412)
    expect((await patchRest(workflow, id, { rules: [] }, tag)).status).toBe(412)
    expect((await app.rest(admin, 'GET', path)).body.priority).toBe(2)
  })

  it("of a contact moves with what the consumer and other agents' commands change, and of a user with settings", async () => {
    const contact = RESOURCES.find(({ path }) => path === 'contacts')!
    const id = await make(contact)
    const tag = await tagOf(contact, id)
    const blocked = await patchRest(contact, id, { status: 'blocked' })
    expect(blocked.headers.get('etag')).toBe(await tagOf(contact, id))
    expect((await patchRest(contact, id, { meta: {} }, tag)).status).toBe(412)
    const me = (await app.rest(agent, 'GET', '/v2/users/me')).headers.get('etag')!
    await app.gql(agent, 'mutation { updateMySettings(patch: { locale: "nl" }) { id } }')
    const late = await app.rest(agent, 'PATCH', '/v2/users/me', { givenName: 'Late' }, { 'if-match': me })
    expect(late.status).toBe(412)
  })

  it('of a canned response, which has no place in /v2, is held to in GraphQL', async () => {
    const input = { shortcut: 'hello', text: 'x' }
    const created = await app.gql(
      admin,
      'mutation ($input: CreateCannedResponseInput!) { result: createCannedResponse(input: $input) { id version } }',
      { input },
    )
    const { id, version } = (created.data as { result: { id: string; version: number } }).result
    const response = { path: '', type: 'CannedResponse', create: () => input, patch: named }
    const answers = await Promise.all(
      ['a', 'b', 'c'].map((text) => patchGraphql(response, id, { text, ifVersion: version })),
    )
    expect(answers.filter(({ error }) => !error)).toEqual([{ version: version + 1, error: undefined }])
    expect(
      answers.filter(({ error }) => error?.reason === 'OTHER_VERSION' && error.version === version + 1),
    ).toHaveLength(2)
  })

  it('of a record that the caller may not see is not told', async () => {
    const stranger = await app.makeUser({ organization: await app.makeOrganization(), role: 'admin' })
    const id = await make(RESOURCES[0]!)
    const answer = await app.rest(stranger, 'PATCH', `/v2/workflows/${id}`, { name: 'x' }, { 'if-match': '"99"' })
    expect(answer.status).toBe(404)
    expect(answer.headers.get('etag')).toBeNull()
  })

  it('goes with a large answer that is compressed, as a weak tag that a change takes', async () => {
    const body = 'word '.repeat(4_000)
    const { id } = (await app.rest(admin, 'POST', '/v2/articles', { title: 'Long', body })).body
    const authorization = `Bearer ${await app.tokenFor(admin)}`
    const answer = await fetch(`${app.url}/v2/articles/${id}`, {
      headers: { authorization, 'accept-encoding': 'gzip' },
    })
    expect(answer.headers.get('content-encoding')).toBe('gzip')
    const tag = answer.headers.get('etag')!
    expect(tag).toBe('W/"1"')
    expect(((await answer.json()) as { body: string }).body).toBe(body)
    const changed = await app.rest(admin, 'PATCH', `/v2/articles/${id}`, { title: 'Short' }, { 'if-match': tag })
    expect(changed.status).toBe(200)
  })
})

describe('messages to a conversation', () => {
  const conversations = RESOURCES.find(({ path }) => path === 'conversations')!
  const send = (id: string, body: unknown, ifMatch?: string) =>
    app.rest(
      admin,
      'POST',
      `/v2/conversations/${id}/messages`,
      body,
      ifMatch === undefined ? {} : { 'if-match': ifMatch },
    )
  const news = (id: string) => send(id, { role: 'contact', text: 'never mind' })

  it('are refused with 412 and the news when others have written since the ETag, whatever else changed the record', async () => {
    const id = await make(conversations)
    const tag = await tagOf(conversations, id)
    expect((await patchRest(conversations, id, named(unique()), tag)).status).toBe(200)
    expect((await send(id, { role: 'agent', text: 'in time' }, tag)).status).toBe(201)
    const { body: said } = await news(id)
    const refused = await send(id, { role: 'agent', text: 'blind' }, tag)
    expect(refused).toMatchObject({
      status: 412,
      body: {
        code: 'PRECONDITION_FAILED',
        reason: 'MOVED_ON',
        field: 'If-Match',
        status: 'active',
        news: [{ id: said.id, kind: 'consumer' }],
      },
    })
    const present = await tagOf(conversations, id)
    expect(present).toContain(refused.body.mark)
    expect((await send(id, { role: 'agent', text: 'read' }, present)).status).toBe(201)
    expect((await send(id, { role: 'agent', text: 'read' }, `W/"${String(refused.body.mark)}"`)).status).toBe(201)
    expect((await send(id, { role: 'agent', text: 'whatever' }, '*')).status).toBe(201)
  })

  it('are held as a list, at the address of all messages, and with the mark in the body, which says 422', async () => {
    const id = await make(conversations)
    const tag = await tagOf(conversations, id)
    const { mark } = (await app.rest(admin, 'GET', `/v2/conversations/${id}`)).body as { mark: string }
    await news(id)
    expect(
      (
        await send(
          id,
          [
            { role: 'agent', text: 'a' },
            { role: 'agent', text: 'b' },
          ],
          tag,
        )
      ).status,
    ).toBe(412)
    const all = await app.rest(
      admin,
      'POST',
      '/v2/messages',
      { conversation: id, role: 'agent', text: 'a' },
      { 'if-match': tag },
    )
    expect(all.status).toBe(412)
    expect(await send(id, { role: 'agent', text: 'a', mark })).toMatchObject({
      status: 422,
      body: { reason: 'MOVED_ON', field: 'mark' },
    })
    expect(await send(id, { role: 'agent', text: 'a' }, '"17"')).toMatchObject({ status: 412 })
    expect(await send(id, { role: 'agent', text: 'a' }, 'bare')).toMatchObject({
      status: 400,
      body: { field: 'If-Match' },
    })
    const other = await tagOf(conversations, await make(conversations))
    expect(await send(id, { role: 'agent', text: 'a' }, other)).toMatchObject({ status: 400 })
  })
})
