import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { readFileSync } from 'node:fs'
import type { OpenApiDocument } from '../../rest-compat/openapi/openapi-types.js'
import { routes } from '../../rest-compat/routes/index.js'
import type { FieldSpecs } from '../../rest-compat/record.js'
import { insertPendingChange } from '../four-eyes/insert-pending-change.js'
import { insertRun } from '../retention/insert-run.js'
import type { MadeUser } from '../support/factories.js'
import { letNextComeDue } from '../support/next-job.js'
import { startTestServer, type TestServer } from '../support/test-server.js'
import { until } from '../support/until.js'
import { uploadImage } from '../support/upload-image.js'

let app: TestServer
let admin: MadeUser
/** A record of each collection, in which every reference is set. */
const ids: Record<string, string> = {}

async function call<Body = { id: string }>(method: string, path: string, body?: unknown, as = admin): Promise<Body> {
  const answer = await app.rest(as, method, path, body)
  if (answer.status > 201) throw new Error(`${method} ${path}: ${JSON.stringify(answer.body)}`)
  return answer.body as Body
}

beforeAll(async () => {
  app = await startTestServer()
  const center = await app.makeOrganization()
  const customer = await app.makeOrganization({ parent: center })
  admin = await app.makeUser({ organization: center, role: 'admin' })
  const agent = await app.makeUser({ organization: customer, role: 'agent' })
  const organization = customer.id
  const make = async (path: string, body: object): Promise<string> => {
    ids[path] = (await call('POST', path, { organization, ...body })).id
    return ids[path]
  }
  const form = await make('/v2/forms', { name: 'Rental', isStatic: true, fields: [{ key: 'days', type: 'number' }] })
  await make('/v2/forms', { name: 'Consent', isStatic: true, fields: [{ key: 'agreed', type: 'boolean' }] })
  ids['/v2/organizations'] = organization
  await call('PATCH', `/v2/organizations/${organization}`, { categories: [{ name: 'Hire', forms: [form] }] })
  ids['/v2/users'] = agent.id
  await make('/v2/orggroups', { name: 'Group', members: [organization] })
  const channel = await make('/v2/channels', { name: 'Desk', members: [{ user: agent.id }] })
  await make('/v2/labels', { name: 'urgent' })
  const notify = { type: 'notify', params: { channels: [channel], users: [agent.id] } }
  const rules = [{ conditions: { all: [] }, event: notify }]
  ids['/v2/workflows'] = (await call('POST', '/v2/workflows', { rules, organizations: [organization] })).id
  const web = await make('/v2/services', { name: 'Site', type: 'web' })
  for (const [path, body] of [
    ['/v2/articles', { title: 'One' }],
    ['/v2/locations', { name: 'Shop' }],
  ] as const)
    await make(path, body)
  const attachment = (
    (await (await uploadImage(app, await app.tokenFor(admin), { name: 'a.png', organization })).json()) as {
      id: string
    }
  ).id
  ids['/v2/attachments'] = attachment
  await make('/v2/files', { name: 'Price list', attachment })
  const calendar = await make('/v2/holidaycalendars', { name: 'Feasts' })
  const schedule = await make('/v2/schedules', {
    name: 'Hours',
    timezone: 'UTC',
    spans: [{ days: ['Mon'], opens: '09:00', closes: '17:00' }],
    calendars: [calendar],
  })
  await make('/v2/slapolicies', { name: 'Gold', schedule, targets: [{ clock: 'queue', minutes: 5 }] })
  // One's own is of one's own organization.
  ids['/v2/macros'] = (
    await call('POST', '/v2/macros', { name: 'Thanks', channels: [channel], steps: [{ kind: 'close' }] })
  ).id
  ids['/v2/views'] = (await call('POST', '/v2/views', { name: 'Waiting', filter: { status: { eq: 'queued' } } })).id
  await make('/v2/skills', { name: 'sails' })
  await make('/v2/reasoncodes', { name: 'Lunch' })
  await make('/v2/domains', { name: 'populate.example' })
  const made = await call<{ id: string; contact: string }>('POST', '/v2/conversations', {
    organization,
    touchpoint: 'web',
    contact: { profile: { name: 'Bo', email: 'bo@example.com' } },
    messages: [{ role: 'contact', text: 'hi' }],
  })
  ids['/v2/conversations'] = made.id
  ids['/v2/contacts'] = made.contact
  const messages = `/v2/conversations/${made.id}/messages`
  const command = (text: string, meta: object): Promise<unknown> =>
    call('POST', messages, { type: 'command', text, meta }, agent)
  await call('POST', messages, { type: 'field', role: 'agent', text: '.days 3', meta: { form } }, agent)
  await command('/send', { form })
  ids['/v2/messages'] = (await call('POST', messages, { role: 'agent', text: 'hello', service: web }, agent)).id
  await command('/action like', { message: ids['/v2/messages'] })
  await command('/action comment well said', { message: ids['/v2/messages'] })
  await call('POST', `/v2/conversations/${made.id}/labels`, { label: ids['/v2/labels'] })
  // Queued again, for a channel of which nobody is online.
  await call('POST', messages, { role: 'contact', text: 'and now?' })
  await call('POST', messages, { type: 'command', text: '/follow' })
  await command('/leave', {})
  ids['/v2/ratings'] = await rated(channel, agent, organization)
  const { conversation } = await call<{ conversation: string }>('GET', `/v2/ratings/${ids['/v2/ratings']}`)
  ids['/v2/bulkruns'] = await refusedRun(conversation)
  ids['/v2/exports'] = (await call('POST', `/v2/contacts/${ids['/v2/contacts']}/export`, {})).id
  ids['/v2/erasures'] = await erased(organization)
  const spare = await call('POST', '/v2/contacts', { organization, profile: { name: 'Fy' } })
  await make('/v2/holds', { name: 'Case 7', reason: 'A court asked', contacts: [spare.id] })
  await make('/v2/retentionpolicies', { subject: 'conversations', days: 3650 })
  ids['/v2/retentionruns'] = await insertRun(app, ids['/v2/retentionpolicies']!)
  ids['/v2/pendingchanges'] = await insertPendingChange(app, organization)
  ids['/v2/proposals'] = await proposed(await app.makeUser({ organization: customer, role: 'bot' }), organization)
})

/** Has a bot suggest something in a conversation that waits. */
async function proposed(bot: MadeUser, organization: string): Promise<string> {
  const contact = { profile: { email: 'ed@example.com' } }
  const waiting = { organization, touchpoint: 'web', contact, messages: [{ role: 'contact', text: 'where is it?' }] }
  const one = `/v2/conversations/${(await call('POST', '/v2/conversations', waiting)).id}`
  const etag = (await app.rest(bot, 'GET', one)).headers.get('etag')!
  const body = { suggestion: { summary: 'Waits for an order.' } }
  const answer = await app.rest(bot, 'POST', `${one}/proposals`, body, { 'if-match': etag })
  return (answer.body as { id: string }).id
}

/** Erases a contact, and waits until nothing of it is left. */
async function erased(organization: string): Promise<string> {
  const { id: contact } = await call('POST', '/v2/contacts', { organization, profile: { name: 'Di' } })
  const { id } = await call('POST', `/v2/contacts/${contact}/erasure`, { reason: 'requested' })
  await until(
    async () => {
      const { status } = await call<{ status: string }>('GET', `/v2/erasures/${id}`)
      // Its second look is minutes later.
      if (status === 'erasing') await letNextComeDue(app, 'privacy.erase')
      return status
    },
    (status) => status === 'done',
  )
  return id
}

/** Begins a run of the admin that leaves a closed conversation as it is, and waits for its end. */
async function refusedRun(conversation: string): Promise<string> {
  const act = { step: { kind: 'snooze', minutes: 60 } }
  const { id } = await call('POST', '/v2/conversations/bulk', {
    act,
    id: crypto.randomUUID(),
    conversations: [conversation],
  })
  await until(
    () => call<{ state: string; skipped: number }>('GET', `/v2/bulkruns/${id}`),
    ({ state, skipped }) => state === 'done' && skipped === 1,
  )
  return id
}

/** Lets the agent close a conversation whose consumer is asked for a rating. */
async function rated(channel: string, agent: MadeUser, organization: string): Promise<string> {
  await call('PATCH', `/v2/channels/${channel}`, { survey: { scale: 'five' } })
  const contact = { profile: { name: 'Cy', email: 'cy@example.com' } }
  const asked = { organization, touchpoint: 'web', contact, messages: [{ role: 'contact', text: 'a boat?' }] }
  const { id } = await call('POST', '/v2/conversations', asked)
  const say = (body: object) => call('POST', `/v2/conversations/${id}/messages`, body, agent)
  await say({ type: 'command', text: '/notify', meta: { channels: [channel] } })
  await say({ type: 'command', text: '/accept' })
  await say({ role: 'agent', text: 'here it is' })
  const { errors } = await app.gql(
    agent,
    'mutation ($id: ID!) { closeConversation(conversation: $id) { undoUntil } }',
    {
      id,
    },
  )
  expect(errors).toBeUndefined()
  app.clock.advance(UNDO_MS)
  const [rating] = await until(
    () => call<{ id: string; askedAt?: string }[]>('GET', '/v2/ratings'),
    (all) => all.length > 0,
  )
  return rating!.id
}
afterAll(() => app.close())

const UNDO_MS = 16_000

/** References of a record that lead out of it, by their paths. */
function referencesOf(fields: FieldSpecs, path = ''): string[] {
  return Object.entries(fields).flatMap(([name, field]): string[] => {
    if (field.kind === 'reference') return [path + name]
    if (field.kind !== 'embedded') return []
    const own = [field.fields, ...Object.values(field.on)]
    return own.flatMap((each) => referencesOf(each, `${path}${name}.`))
  })
}

/** Values at a path, in all elements of lists on the way. */
function at(value: unknown, [name, ...rest]: readonly string[]): unknown[] {
  if (Array.isArray(value)) return value.flatMap((each) => at(each, name === undefined ? [] : [name, ...rest]))
  if (name === undefined) return value === undefined || value === null ? [] : [value]
  return typeof value === 'object' && value !== null ? at((value as Record<string, unknown>)[name], rest) : []
}

const records = routes.flatMap(({ method, path, result }) =>
  method === 'GET' && path.endsWith('/:id') && path.split('/').length === 4 && result.kind === 'record'
    ? [{ collection: path.slice(0, -'/:id'.length), record: result.record }]
    : [],
)

/** Collections that can be listed as records. */
const lists = new Set(
  routes.flatMap(({ method, path, result }) => (method === 'GET' && result.kind !== 'text' ? [path] : [])),
)

/** Set by none of the records above: nobody is online, no service speaks by these ways, and one message has no results. */
const EMPTY = [
  'channels',
  'results.form',
  'touchpoints.email.services',
  'touchpoints.sms.services',
  'touchpoints.messenger.services',
]

describe('populate (section 1)', () => {
  // [1 Expansion]
  it.each(records)(
    'shows every reference of $collection in full',
    async ({ collection, record: { fields, populate } }) => {
      expect(referencesOf(fields).filter((path) => !populate.includes(path))).toEqual([])
      const one = `${collection}/${ids[collection]}`
      const plain = await call('GET', one)
      const empty: string[] = []
      for (const path of populate) {
        const found = at(await call('GET', `${one}?populate=${path}`), path.split('.'))
        const isDirect = !populate.some((other) => path.startsWith(`${other}.`))
        const shown = found.map((each) => (each as { id?: unknown }).id)
        expect({ path, shown }).toEqual({
          path,
          shown: isDirect ? at(plain, path.split('.')) : shown.map(() => expect.any(String)),
        })
        if (found.length === 0) empty.push(path)
      }
      expect(empty.filter((path) => !EMPTY.includes(path))).toEqual([])
    },
  )

  it('shows all references within an object, and forms of results', async () => {
    const one = `/v2/conversations/${ids['/v2/conversations']}`
    const { participants, results } = await call<Record<string, object[]>>(
      'GET',
      `${one}?populate=participants,results`,
    )
    expect(participants).toMatchObject([{ user: { id: admin.id, role: 'admin' } }])
    expect(results).toMatchObject([{ form: { name: 'Rental', fields: [{ key: 'days' }] }, values: { days: 3 } }])
    const messages = await call<object[]>('GET', `${one}/messages?type=results&populate=results.form`)
    expect(messages).toMatchObject([{ results: [{ form: { name: 'Rental' } }] }])
  })
})

describe('select', () => {
  // Each answer is held against the schema that `openapi.json` has for it: see test/support/openapi-answers.ts.
  it.each(records)(
    'shows the named members of $collection and the id, alone and in lists, as the document says',
    async ({ collection, record: { fields } }) => {
      const one = `${collection}/${ids[collection]}`
      const plain = await call<Record<string, unknown>>('GET', one)
      for (const name of Object.keys(fields)) {
        const expected = Object.fromEntries(Object.entries(plain).filter(([key]) => key === 'id' || key === name))
        expect({ name, shown: await call('GET', `${one}?select=${name}`) }).toEqual({ name, shown: expected })
        if (!lists.has(collection)) continue
        const listed = await call<{ id: string }[]>('GET', `${collection}?select=${name}&limit=100`)
        expect(listed.length).toBeGreaterThan(0)
        for (const each of listed) {
          expect(Object.keys(each).filter((key) => key !== 'id' && key !== name)).toEqual([])
        }
      }
      const every = `${one}?select=${Object.keys(fields).slice(0, SELECTED_MAX).join(',')}`
      expect(await call('GET', every)).toMatchObject({ id: plain.id })
    },
  )

  it('has a schema for each answer that it can shorten', () => {
    const { paths } = JSON.parse(readFileSync('openapi.json', 'utf8')) as OpenApiDocument
    const without = Object.entries(paths).flatMap(([path, operations]) =>
      Object.entries(operations).flatMap(([method, { parameters, responses }]) => {
        const takesIt = parameters.some(({ name }) => name === 'select')
        const answers = Object.entries(responses).filter(([status]) => status.startsWith('2')) as [string, Answer][]
        const hasIt = answers.some(([, { content }]) => content?.['application/json']?.['x-selected'])
        return takesIt === hasIt ? [] : [`${method} ${path}`]
      }),
    )
    expect(without).toEqual([])
  })

  it('shortens what a create and a change answer, too', async () => {
    const { body: made, status } = await app.rest(admin, 'POST', '/v2/channels?select=name', { name: 'Short' })
    expect([status, made]).toEqual([201, { id: expect.any(String), name: 'Short' }])
    const changed = await app.rest(admin, 'PATCH', `/v2/channels/${made.id}?select=status`, { name: 'Shorter' })
    expect(changed.body).toEqual({ id: made.id, status: 'active' })
  })
})

const SELECTED_MAX = 50

type Answer = { content?: Record<string, Record<string, unknown>> }
