import { isDeepStrictEqual } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import type { MadeUser } from '../support/factories.js'
import { startTestServer, type RestAnswer, type TestServer } from '../support/test-server.js'
import { until } from '../support/until.js'
import { uploadImage } from '../support/upload-image.js'
import { createHooks, type Hook, type Hooks } from './hooks.js'

// What a webhook tells of a record is what a GET shows, key by key (2.12, open points).
let app: TestServer
let hooks: Hooks
let hook: Hook
let admin: MadeUser
let bot: MadeUser

beforeAll(async () => {
  app = await startTestServer({ WEBHOOK_ALLOW_PRIVATE: 'true' })
  hooks = createHooks(app)
  ;({ admin, bot } = await hooks.center())
  hook = await hooks.register(admin)
})
afterAll(async () => {
  await hooks.close()
  await app.close()
})

type Json = RestAnswer['body']

/** Only in what webhooks tell: legacy bots split it. */
const BESIDE_GET = ['orgPath']

async function call(method: string, path: string, body?: object): Promise<Json> {
  const answer = await app.rest(admin, method, `/v2/${path}`, body)
  if (answer.status >= 300) throw new Error(`${method} ${path}: ${answer.status} ${JSON.stringify(answer.body)}`)
  return answer.body
}

/** Gives the data of the first such event, whenever it came: events of different records have no order. */
async function dataOf(event: string, fits: (data: Json) => boolean = () => true): Promise<Json> {
  const found = (): Json =>
    hook.receiver.received.map(({ json }) => json as Json).find((each) => each.event === event && fits(each.data))
  return ((await until(found)) as Json).data
}

async function expectAsShown(path: string, told: Json): Promise<void> {
  const shown = await call('GET', path)
  const extra = BESIDE_GET.filter((key) => !Object.hasOwn(shown, key))
  const bare = Object.fromEntries(Object.entries(told).filter(([key]) => !extra.includes(key)))
  expect(bare).toEqual(shown)
}

const contact = {
  profile: { name: 'Zoe', email: 'zoe@example.com', address: { city: 'Ghent' } },
  meta: { tier: 'gold' },
}
const when = { all: [{ fact: 'message', path: '.text', operator: 'defined', value: true }] }

/** `[resource, collection, create, update]` of every resource that `/v2` creates and changes. */
const RESOURCES: [string, string, () => Json, Json][] = [
  [
    'article',
    'articles',
    () => ({ title: 'Hours', summary: 'When', body: 'Nine to five', language: 'en', tags: ['a'], meta: { x: 1 } }),
    { title: 'Opening hours' },
  ],
  ['channel', 'channels', () => ({ name: 'Sales', members: [{ user: bot.id }] }), { name: 'Sales EU' }],
  [
    'channel',
    'channels',
    () => ({
      name: 'Offers',
      assignment: { mode: 'offer', requeueGoneSeconds: 60 },
      serviceLevel: { answerSeconds: 30, shortAbandonSeconds: 5 },
    }),
    { name: 'Offers EU' },
  ],
  ['contact', 'contacts', () => contact, { meta: { tier: 'silver' } }],
  [
    'file',
    'files',
    () => ({ name: 'Price list', url: 'https://example.com/prices.pdf', fileType: 'application/pdf', tags: ['a'] }),
    { name: 'Prices' },
  ],
  [
    'form',
    'forms',
    () => ({ name: 'Order', fields: [{ name: 'Brand', type: 'text' }], email: ['orders@example.com'], tags: ['a'] }),
    { meta: { x: 2 } },
  ],
  [
    'location',
    'locations',
    () => ({ name: 'Shop', address: { streetAddress: 'Main 1' }, telephone: '+3112345', tags: ['a'] }),
    { name: 'Store' },
  ],
  [
    'organization',
    'organizations',
    () => ({ name: 'Branch', categories: [{ name: 'a' }], tags: ['a'] }),
    { meta: { x: 3 } },
  ],
  ['organizationGroup', 'orggroups', () => ({ name: 'Group', members: [admin.organization.id] }), { name: 'Groups' }],
  [
    'schedule',
    'schedules',
    () => ({
      name: 'Office',
      timezone: 'Europe/Amsterdam',
      text: 'Closed',
      spans: [{ days: ['Mon'], opens: '09:00', closes: '17:00' }],
    }),
    { name: 'Desk' },
  ],
  [
    'service',
    'services',
    () => ({ type: 'web', name: 'S', params: { greeting: 'Hi' }, meta: { x: 1 } }),
    { name: 'T' },
  ],
  ['skill', 'skills', () => ({ name: 'Dutch' }), { name: 'Flemish' }],
  ['slaPolicy', 'slapolicies', () => ({ name: 'Gold', targets: [{ clock: 'queue', minutes: 5 }] }), { name: 'Silver' }],
  [
    'user',
    'users',
    () => ({
      email: 'kim@example.com',
      givenName: 'Kim',
      familyName: 'Ng',
      phone: '+3161',
      settings: { locale: 'nl' },
    }),
    { avatar: 'https://example.com/kim.png' },
  ],
  [
    'workflow',
    'workflows',
    () => ({
      _id: '507f1f77bcf86cd799439011',
      name: 'W',
      rules: [{ conditions: when, event: { type: 'notify', params: {} } }],
    }),
    { name: 'V' },
  ],
]

describe('the records of an event', () => {
  it.each(RESOURCES)('%s: show every key of a GET, with its value', async (resource, collection, make, patch) => {
    const { id } = await call('POST', collection, make())
    const created = (await dataOf(`${resource}.create`, (data) => data[resource].id === id))[resource]
    expect(created).toMatchObject({ id })
    await expectAsShown(`${collection}/${id}`, created)
    await call('PATCH', `${collection}/${id}`, patch)
    const isChanged = ({ [resource]: record }: Json): boolean =>
      record.id === id && Object.entries(patch).every(([key, value]) => isDeepStrictEqual(record[key], value))
    const updated = (await dataOf(`${resource}.update`, isChanged))[resource]
    await expectAsShown(`${collection}/${id}`, updated)
  })

  it('attachment: show every key of a GET, with its value', async () => {
    const answer = await uploadImage(app, await app.tokenFor(admin), { name: 'a.png' })
    const { id } = (await answer.json()) as Json
    await expectAsShown(`attachments/${id}`, (await dataOf('attachment.create')).attachment)
    const file = await call('POST', 'files', { name: 'a', attachment: id })
    await expectAsShown(`files/${file.id}`, (await dataOf('file.create', (data) => data.file.id === file.id)).file)
  })

  // The metadata of the organization among them (2.12).
  it('show the message, and whole what surrounds it', async () => {
    const { id: channel } = await call('POST', 'channels', { name: 'Front', members: [{ user: admin.id }] })
    const conversation = await hooks.converse(admin, { meta: { order: 7 } })
    const asked = await hooks.say(admin, conversation, 'where is it?')
    const data = await dataOf('message.create.contact.chat', ({ message }) => message.id === asked)
    const { message, contact: writer, organization } = data
    await expectAsShown(`messages/${asked}`, message)
    expect(message).toMatchObject({ level: 1, path: admin.organization.id, url: expect.stringContaining(message.slug) })
    await expectAsShown(`contacts/${writer.id}`, writer)
    expect(writer.conversation).toBe(conversation)
    await expectAsShown(`organizations/${organization.id}`, organization)
    await expectAsShown(`conversations/${conversation}`, data.conversation)
    const command = { type: 'command', text: '/notify', meta: { channels: [channel] } }
    await call('POST', `conversations/${conversation}/messages`, command)
    const notified = await dataOf('channel.notify', (given) => given.channel.id === channel)
    await expectAsShown(`channels/${channel}`, notified.channel)

    const { id: answered } = await call('POST', `conversations/${conversation}/messages`, {
      text: 'soon',
      role: 'agent',
    })
    const sent = await dataOf('message.create.contact.chat', (given) => given.message.id === answered)
    await expectAsShown(`users/${admin.id}`, sent.user)
    const { conversation: now } = await dataOf('conversation.update', (given) => given.conversation.status === 'active')
    await expectAsShown(`conversations/${conversation}`, now)
    await call('POST', `conversations/${conversation}/messages`, {
      type: 'command',
      text: '/action like',
      meta: { message: answered },
    })
    const liked = await dataOf('message.update', (given) => given.message.id === answered)
    await expectAsShown(`messages/${answered}`, liked.message)
  })

  it('show the user who signs in', async () => {
    const password = 'a password of the reader'
    const { id } = await call('POST', 'users', { email: 'lou@example.com', password })
    await app.rest(null, 'POST', '/v2/auth/token', { email: 'lou@example.com', password })
    await expectAsShown(`users/${id}`, (await dataOf('user.login')).user)
  })
})
