import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { MadeOrganization, MadeUser } from './support/factories.js'
import { startTestServer, type RestAnswer, type TestServer } from './support/test-server.js'
import { uploadImage } from './support/upload-image.js'
import { until } from './support/until.js'

/** Checks what a deleted resource leaves behind: the table in docs/decisions/deleting.md, row by row. */

let app: TestServer
let dataDir: string
let organization: MadeOrganization
let admin: MadeUser

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'deleting-'))
  app = await startTestServer({ DATA_DIR: dataDir })
  organization = await app.makeOrganization()
  admin = await app.makeUser({ organization, role: 'admin' })
})
afterAll(async () => {
  await app.close()
  await rm(dataDir, { recursive: true })
})

const call = (method: string, path: string, body?: object): Promise<RestAnswer> =>
  app.rest(admin, method, `/v2/${path}`, body)

async function ok(method: string, path: string, body?: object): Promise<RestAnswer['body']> {
  const answer = await call(method, path, body)
  if (answer.status >= 400) throw new Error(`${method} ${path}: ${answer.status} ${JSON.stringify(answer.body)}`)
  return answer.body
}
const make = async (path: string, body: object): Promise<string> => (await ok('POST', path, body)).id
const remove = async (path: string): Promise<void> => {
  expect((await call('DELETE', path)).status).toBe(204)
  expect((await call('GET', path)).status).toBe(404)
}
const refused = async (path: string): Promise<string> => {
  const { status, body } = await call('DELETE', path)
  expect(status).toBe(422)
  return body.message
}
const statusOf = async (path: string): Promise<number> => (await call('GET', path)).status

let contacts = 0
/** A closed conversation with one message of its contact. */
async function converse(more: object = {}): Promise<{ id: string; contact: string; message: string }> {
  const { id, contact, messages } = await ok('POST', 'conversations', {
    touchpoint: 'web',
    contact: { profile: { name: 'Carl', email: `carl-${++contacts}@example.com` } },
    messages: [{ text: 'Hello' }],
    ...more,
  })
  return { id, contact, message: messages[0] }
}
const notify = (params: object): object => ({ conditions: { all: [] }, event: { type: 'notify', params } })
const attach = async (): Promise<string> =>
  ((await (await uploadImage(app, await app.tokenFor(admin), { name: 'a.png' })).json()) as { id: string }).id

describe('deleting (open points: "what refers to it")', () => {
  it('an organization: refused while anything belongs to it; leaves groups; workflows keep its id as a limit', async () => {
    const below = await app.makeOrganization({ parent: organization })
    const channel = await make('channels', { name: 'C', organization: below.id })
    expect(await refused(`organizations/${below.id}`)).toContain('channels')
    await remove(`channels/${channel}`)
    const group = await make('orggroups', { name: 'G', members: [below.id, organization.id] })
    const workflow = await make('workflows', { name: 'W', organizations: [below.id], rules: [] })
    await remove(`organizations/${below.id}`)
    expect((await ok('GET', `orggroups/${group}`)).members).toEqual([organization.id])
    expect((await ok('GET', `workflows/${workflow}`)).organizations).toEqual([below.id])
    await remove(`workflows/${workflow}`)
  })

  it('a group: its members stay; workflows keep its id as a limit', async () => {
    const group = await make('orggroups', { name: 'G', members: [organization.id] })
    const workflow = await make('workflows', { name: 'W', organizationTags: [group], rules: [] })
    await remove(`orggroups/${group}`)
    expect((await ok('GET', `workflows/${workflow}`)).organizationTags).toEqual([group])
    // And may be sent back so.
    await ok('PATCH', `workflows/${workflow}`, { organizationTags: [group] })
    await remove(`workflows/${workflow}`)
  })

  it('a user: tokens and memberships end, messages and likes stay, rules ignore it, conversations continue', async () => {
    const bot = await ok('POST', 'users', { email: 'bot@example.com', role: 'bot' })
    const channel = await make('channels', { name: 'C', members: [{ user: bot.id }] })
    const workflow = await make('workflows', { name: 'W', rules: [notify({ users: [bot.id], channels: [channel] })] })
    const { id, message } = await converse()
    const say = (body: object): Promise<RestAnswer> =>
      app.rest(bot.apiToken, 'POST', `/v2/conversations/${id}/messages`, body)
    const said = (await say({ role: 'agent', text: 'I am here' })).body
    await say({ type: 'command', text: '/action like', meta: { message } })
    expect((await ok('GET', `conversations/${id}`)).status).toBe('active')
    await remove(`users/${bot.id}`)
    expect((await app.rest(bot.apiToken, 'GET', '/v2/users/me')).status).toBe(401)
    expect((await ok('GET', `channels/${channel}`)).members).toEqual([])
    expect((await ok('GET', `messages/${said.id}`)).text).toBe('I am here')
    expect((await ok('GET', `messages/${message}`)).likes).toEqual([bot.id])
    expect((await ok('GET', `workflows/${workflow}`)).rules[0].event.params.users).toEqual([bot.id])
    // By a job: nobody is left who accepted.
    await until(async () => (await ok('GET', `conversations/${id}`)).status !== 'active')
    expect((await ok('POST', `conversations/${id}/messages`, { role: 'contact', text: 'Anybody?' })).text).toBe(
      'Anybody?',
    )
    await remove(`workflows/${workflow}`)
  })

  it('a channel: refused while conversations are queued in it; rules keep its id and pass over it', async () => {
    const channel = await make('channels', { name: 'C' })
    const workflow = await make('workflows', { name: 'W', rules: [notify({ channels: [channel] })] })
    const { id } = await converse({ messages: [{ role: 'contact', text: 'Hello' }] })
    expect(await refused(`channels/${channel}`)).toContain('queued')
    await ok('POST', `conversations/${id}/messages`, { type: 'command', text: '/accept' })
    await remove(`channels/${channel}`)
    const { rules } = await ok('GET', `workflows/${workflow}`)
    expect(rules[0].event.params.channels).toEqual([channel])
    await ok('PATCH', `workflows/${workflow}`, { rules })
    expect((await converse({ messages: [{ role: 'contact', text: 'Hi' }] })).id).toEqual(expect.any(String))
    await remove(`workflows/${workflow}`)
  })

  it('a workflow or a rule: what it routed stays routed, and its trace names it', async () => {
    const channel = await make('channels', { name: 'C' })
    const workflow = await make('workflows', { name: 'Named', rules: [notify({ name: 'R', channels: [channel] })] })
    const { id } = await converse({ messages: [{ role: 'contact', text: 'Hello' }] })
    await remove(`workflows/${workflow}`)
    expect((await ok('GET', `conversations/${id}`)).channelsOffline).toEqual([channel])
    const { data } = await app.gql(
      admin,
      'query ($id: ID!) { conversation(id: $id) { routingTrace { entries { workflow { name } rule { name } } } } }',
      { id },
    )
    expect(data.conversation.routingTrace[0].entries[0]).toEqual({ workflow: { name: 'Named' }, rule: { name: 'R' } })
  })

  it('a contact: refused while a conversation is open; else goes with its conversations', async () => {
    const { id, contact, message } = await converse({ messages: [{ role: 'contact', text: 'Hello' }] })
    expect(await refused(`contacts/${contact}`)).toContain(id)
    await ok('POST', `conversations/${id}/messages`, { role: 'agent', text: 'Bye' })
    await ok('POST', `conversations/${id}/messages`, { type: 'command', text: '/leave' })
    await remove(`contacts/${contact}`)
    expect([await statusOf(`conversations/${id}`), await statusOf(`messages/${message}`)]).toEqual([404, 404])
  })

  it('a conversation: goes with its messages and its guests; the contact and attachments stay', async () => {
    const { id, contact, message } = await converse()
    const fileId = await attach()
    await ok('POST', `conversations/${id}/messages`, { text: 'See', meta: { fileId } })
    const { data } = await app.gql(admin, 'mutation ($id: ID!) { createGuestToken(conversation: $id) { token } }', {
      id,
    })
    await remove(`conversations/${id}`)
    expect(await statusOf(`messages/${message}`)).toBe(404)
    expect([await statusOf(`contacts/${contact}`), await statusOf(`attachments/${fileId}`)]).toEqual([200, 200])
    expect(
      (await app.rest(data.createGuestToken.token, 'GET', `/v2/conversations/${id}`)).status,
    ).toBeGreaterThanOrEqual(401)
  })

  it('a message: the others stay; comments keep its id', async () => {
    const { id, message } = await converse()
    const comment = (
      await ok('POST', `conversations/${id}/messages`, {
        type: 'command',
        text: '/action comment Fine',
        meta: { message },
      })
    ).id
    await remove(`messages/${comment}`)
    expect((await ok('GET', `messages/${message}`)).comments).toMatchObject([{ message: comment, text: 'Fine' }])
    await remove(`messages/${message}`)
    expect((await ok('GET', `conversations/${id}`)).id).toBe(id)
  })

  it('a service: messages keep its id; what waited to be delivered goes', async () => {
    const service = await make('services', { name: 'S', type: 'some-crm' })
    const { id } = await converse()
    const sent = await make(`conversations/${id}/messages`, { text: 'Hi', service })
    await remove(`services/${service}`)
    expect((await ok('GET', `messages/${sent}`)).service).toBe(service)
  })

  it('a form: is removed from categories; values in conversations stay', async () => {
    const form = await make('forms', { name: 'F', fields: [{ key: 'a' }], isStatic: true })
    await ok('PATCH', `organizations/${organization.id}`, { categories: [{ name: 'A', forms: [form] }] })
    const { id } = await converse()
    await ok('POST', `conversations/${id}/messages`, { type: 'form', text: '+F', meta: { form, categoryIndex: 0 } })
    const { forms } = await ok('GET', `conversations/${id}`)
    await remove(`forms/${form}`)
    expect((await ok('GET', `organizations/${organization.id}`)).categories).toEqual([{ name: 'A', forms: [] }])
    expect((await ok('GET', `conversations/${id}`)).forms).toEqual(forms)
    expect(forms).toHaveLength(1)
  })

  it('an attachment: refused while it is the content of a file; messages keep its id', async () => {
    const attachment = await attach()
    const file = await make('files', { name: 'F', attachment })
    expect(await refused(`attachments/${attachment}`)).toContain('file')
    await remove(`files/${file}`)
    const { id } = await converse()
    const sent = await make(`conversations/${id}/messages`, { text: 'See', meta: { fileId: attachment } })
    await remove(`attachments/${attachment}`)
    expect((await ok('GET', `messages/${sent}`)).meta.fileId).toBe(attachment)
  })

  it('an article or a location: has no references', async () => {
    const [article, location] = [await make('articles', { title: 'A' }), await make('locations', { name: 'L' })]
    await remove(`articles/${article}`)
    expect(await statusOf(`locations/${location}`)).toBe(200)
    await remove(`locations/${location}`)
  })
})
