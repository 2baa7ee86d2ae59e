import { isDeepStrictEqual } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { PUBLISHED_RECORDS } from '../../rest-compat/openapi/published-records.js'
import { WEBHOOK_EVENTS } from '../../src/modules/webhooks/webhook-events.js'
import type { MadeUser } from '../support/factories.js'
import { liveClient, subscribe } from '../support/live-client.js'
import { startTestServer, type RestAnswer, type TestServer } from '../support/test-server.js'
import { until } from '../support/until.js'
import { uploadImage } from '../support/upload-image.js'
import { createHooks, type Hook, type Hooks } from './hooks.js'
import { RESOURCES } from './whole-resources.js'

// What a webhook tells of a record is what a GET shows, key by key (2.12, open points).
let app: TestServer
let hooks: Hooks
let hook: Hook
let admin: MadeUser
let bot: MadeUser

beforeAll(async () => {
  app = await startTestServer({ WEBHOOK_ALLOW_PRIVATE: 'true' }, { pace: 10 })
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

/** Gives the first such event, whenever it came: events of different records have no order. */
async function eventOf(event: string, fits: (data: Json) => boolean = () => true): Promise<Json> {
  const found = (): Json =>
    hook.receiver.received.map(({ json }) => json as Json).find((each) => each.event === event && fits(each.data))
  return until(found)
}

/** Events whose subject was compared, and the keys of it that a GET showed. */
const compared = new Set<string>()
const keysSeen = new Map<string, Set<string>>()

/** True for a value that says something: an empty list is told by whoever tells nothing. */
const isSaid = (value: unknown): boolean => typeof value !== 'object' || value === null || Object.keys(value).length > 0

/** Compares a record of an event, its subject unless said otherwise, with what is at its link. */
async function expectAsShown({ event, data }: Json, resource: string = event.split('.')[0]): Promise<void> {
  const shown = await call('GET', new URL(data.links[resource]).pathname.replace('/v2/', ''))
  expectAlike(data[resource], shown)
  if (event.startsWith(`${resource}.`)) compared.add(event)
  const keys = Object.keys(shown).filter((key) => isSaid(shown[key]))
  keysSeen.set(resource, new Set([...(keysSeen.get(resource) ?? []), ...keys]))
}

function expectAlike(told: Json, shown: Json): void {
  const extra = BESIDE_GET.filter((key) => !Object.hasOwn(shown, key))
  const bare = Object.fromEntries(Object.entries(told).filter(([key]) => !extra.includes(key)))
  expect(bare).toEqual(shown)
}

/** By which an agent is there to be offered conversations. */
const QUEUE = 'subscription { queue { __typename } }'
const RESPONSE = `shortcut text id organization: organizationId createdAt updatedAt`

/** Events that tell no record of `/v2`, or not the one that is there. */
const NOT_COMPARED: Readonly<Record<string, string>> = {
  'contact.erased': 'tells the erasure: the contact is empty from then on',
  'audit.sealed': 'tells the seal, which is no record of its own',
  'proposal.requested': 'tells who asks for what: a request is kept nowhere',
  'workflowDraft.refuse': 'tells why: drafts are not in /v2',
  'message.delivery': 'tells the deliveries, and of the message the id',
}
/** Keys that no event has. */
const NEVER_TOLD: readonly string[] = [
  // Shown once, in the answer to whoever makes the bot.
  'user.apiToken',
  // Of a macro that is shared there is none, and of others nothing is told.
  'macro.owner',
  // Told of ratings are those that were asked for.
  'rating.notAsked',
]
const isGone = (event: string): boolean => event.endsWith('.delete')

describe('the records of an event', () => {
  it.each(RESOURCES)('%s: show every key of a GET, with its value', async (resource, collection, make, patch) => {
    const { id } = await call('POST', collection, await make({ call, admin, bot }))
    const created = await eventOf(`${resource}.create`, (data) => data[resource].id === id)
    expect(new URL(created.data.links[resource]).pathname).toBe(`/v2/${collection}/${id}`)
    await expectAsShown(created)
    await call('PATCH', `${collection}/${id}`, patch)
    const isChanged = ({ [resource]: record }: Json): boolean =>
      record.id === id && Object.entries(patch).every(([key, value]) => isDeepStrictEqual(record[key], value))
    await expectAsShown(await eventOf(`${resource}.update`, isChanged))
  })

  it.each([
    ['label', 'labels', { name: 'VIP', hue: 3 }],
    ['macro', 'macros', { name: 'Away', isShared: true, steps: [{ kind: 'close' }] }],
  ])('%s: show when it was archived', async (resource, collection, made) => {
    const { id } = await call('POST', collection, made)
    await call('DELETE', `${collection}/${id}`)
    await expectAsShown(await eventOf(`${resource}.update`, ({ [resource]: record }) => record.archivedAt))
  })

  it('attachment: show every key of a GET, with its value', async () => {
    const answer = await uploadImage(app, await app.tokenFor(admin), { name: 'a.png' })
    const { id } = (await answer.json()) as Json
    await expectAsShown(await eventOf('attachment.create'))
    await call('PATCH', `attachments/${id}`, { tags: ['scan'] })
    await expectAsShown(await eventOf('attachment.update'))
    const file = await call('POST', 'files', { name: 'a', attachment: id })
    await expectAsShown(await eventOf('file.create', (data) => data.file.id === file.id))
  })

  it('contactNote: show every key of a GET, with its value', async () => {
    const { id: of } = await call('POST', 'contacts', { profile: { name: 'Ida', email: 'ida@example.com' } })
    const { id } = await call('POST', `contacts/${of}/notes`, { text: 'calls at noon' })
    await expectAsShown(await eventOf('contactNote.create'))
    await call('PATCH', `contacts/${of}/notes/${id}`, { text: 'calls at one' })
    await expectAsShown(await eventOf('contactNote.update'))
  })

  // It is not in `/v2`.
  it('cannedResponse: show what GraphQL has, and no link', async () => {
    const make = `mutation ($input: CreateCannedResponseInput!) { response: createCannedResponse(input: $input) { ${RESPONSE} } }`
    const made = (await app.gql(admin, make, { input: { shortcut: 'hi', text: 'Hello' } })).data.response
    const change = `mutation ($id: ID!, $patch: UpdateCannedResponseInput!) {
      response: updateCannedResponse(id: $id, patch: $patch) { ${RESPONSE} } }`
    const changed = (await app.gql(admin, change, { id: made.id, patch: { text: 'Good day' } })).data.response
    for (const [event, shown] of [
      ['cannedResponse.create', made],
      ['cannedResponse.update', changed],
    ]) {
      const { data } = await eventOf(event)
      expectAlike(data.cannedResponse, shown)
      expect(data.links).not.toHaveProperty('cannedResponse')
      compared.add(event)
    }
  })

  // The metadata of the organization among them (2.12).
  it('show the message, and whole what surrounds it', async () => {
    const { id: channel } = await call('POST', 'channels', { name: 'Front', members: [{ user: admin.id }] })
    const conversation = await hooks.converse(admin, { meta: { order: 7 } })
    await expectAsShown(await eventOf('conversation.create', (data) => data.conversation.id === conversation))
    const asked = await hooks.say(admin, conversation, 'where is it?')
    const told = await eventOf('message.create.contact.chat', ({ message }) => message.id === asked)
    const { message, contact: writer } = told.data
    for (const resource of ['message', 'contact', 'organization', 'conversation']) await expectAsShown(told, resource)
    expect(message).toMatchObject({ level: 1, path: admin.organization.id, url: expect.stringContaining(message.slug) })
    expect(writer.conversation).toBe(conversation)
    const command = { type: 'command', text: '/notify', meta: { channels: [channel] } }
    await call('POST', `conversations/${conversation}/messages`, command)
    await expectAsShown(await eventOf('channel.notify', (given) => given.channel.id === channel))

    const { id: answered } = await call('POST', `conversations/${conversation}/messages`, {
      text: 'soon',
      role: 'agent',
    })
    const sent = await eventOf('message.create.contact.chat', (given) => given.message.id === answered)
    await expectAsShown(sent, 'user')
    await expectAsShown(await eventOf('conversation.update', (given) => given.conversation.status === 'active'))
    await call('POST', `conversations/${conversation}/messages`, {
      type: 'command',
      text: '/action like',
      meta: { message: answered },
    })
    await expectAsShown(await eventOf('message.update', (given) => given.message.id === answered))
  })

  it('show all that a conversation and its messages can have', async () => {
    const { id: form } = await call('POST', 'forms', { name: 'Boat', fields: [{ name: 'Brand', type: 'text' }] })
    const { id: label } = await call('POST', 'labels', { name: 'Regular', hue: 4 })
    const { id: service } = await call('POST', 'services', { type: 'web', name: 'Site' })
    await call('PATCH', `organizations/${admin.organization.id}`, { categories: [{ name: 'Sales', forms: [form] }] })
    const conversation = await hooks.converse(admin, { language: 'nl', category: 'Sales' })
    const messages = `conversations/${conversation}/messages`
    await call('POST', `conversations/${conversation}/labels`, { label })
    await call('PATCH', `users/${bot.id}`, { disclosure: { en: 'I am a bot.' } })
    const token = await app.tokenFor(bot)
    const told = async (body: object): Promise<string> => {
      const { status, body: sent } = await app.rest(token, 'POST', `/v2/${messages}`, body)
      expect([status, sent.message]).toEqual([201, undefined])
      const event = `message.create.contact.${sent.type}`
      await expectAsShown(await eventOf(event, ({ message }) => message.id === sent.id))
      return sent.id
    }
    const first = await told({
      ...{ role: 'agent', type: 'card', text: 'choose', service, depth: 0, meta: { x: 1 }, provenance: { model: 'm' } },
      items: [{ title: 'Sloop', actions: [{ type: 'reply', text: 'This', payload: 'sloop' }] }],
      actions: [{ type: 'link', text: 'All', uri: 'https://example.com' }],
    })
    await told({ type: 'report', text: 'found', results: [{ name: 'Boat', values: { feet: 20 } }] })
    await call('POST', messages, { type: 'field', text: '.Brand Sloop', meta: { form } })
    const isOurs = ({ conversation: { id } }: Json): boolean => id === conversation
    await expectAsShown(
      await eventOf('conversation.update', (given) => isOurs(given) && given.conversation.forms[0].completedAt),
    )
    await call('POST', messages, { type: 'command', text: '/send' })
    await expectAsShown(
      await eventOf('conversation.update', (given) => isOurs(given) && given.conversation.results.length > 0),
    )

    // What a model writes and the consumer crosses; somebody stops it, and comments.
    const begin = `mutation ($c: ID!) { result: beginMessage(conversation: $c, message: { role: AGENT }) { id } }`
    const begun = await app.gql(bot, begin, { c: conversation })
    expect(begun.errors).toBeUndefined()
    const { id: stream } = begun.data.result
    const append = 'mutation ($id: ID!) { appendMessage(id: $id, offset: 0, text: "We") }'
    expect((await app.gql(bot, append, { id: stream })).errors).toBeUndefined()
    await app.gql(bot, 'mutation ($id: ID!) { stopMessage(id: $id) { id } }', { id: stream })
    const chat = 'message.create.contact.chat'
    await expectAsShown(await eventOf(chat, ({ message }) => message.id === stream))
    const guest = await app.gql(admin, 'mutation ($id: ID!) { createGuestToken(conversation: $id) { token } }', {
      id: conversation,
    })
    const reply = `mutation ($c: ID!, $seen: ID!) { result: sendMessage(conversation: $c, message: { text: "Wait", seen: $seen }) { id } }`
    const { data } = await app.gql(guest.data.createGuestToken.token, reply, { c: conversation, seen: first })
    await expectAsShown(await eventOf(chat, ({ message }) => message.id === data.result.id))
    await call('POST', messages, { type: 'command', text: '/action comment Fine', meta: { message: first } })
    await expectAsShown(await eventOf('message.update', ({ message }) => message.id === first))
  })

  it('show the user who signs in', async () => {
    const password = 'a password of the reader'
    const { id } = await call('POST', 'users', { email: 'lou@example.com', password })
    await app.rest(null, 'POST', '/v2/auth/token', { email: 'lou@example.com', password })
    await expectAsShown(await eventOf('user.login', ({ user }) => user.id === id))
  })

  it('show the agent at work, and the conversation that is offered', async () => {
    const agent = await app.makeUser({ organization: admin.organization })
    const live = liveClient(app.url, await app.tokenFor(agent))
    await subscribe(live, 'queue', QUEUE).next()
    const assignment = { mode: 'offer' }
    const { id: channel } = await call('POST', 'channels', { name: 'Desk', members: [{ user: agent.id }], assignment })
    const isTheirs = ({ user }: Json): boolean => user.id === agent.id
    await call('PATCH', `users/${agent.id}/staffing`, { capacity: 8 })
    await expectAsShown(await eventOf('user.staff', isTheirs))
    await call('PATCH', `users/${agent.id}/availability`, { availability: 'available' })
    await expectAsShown(await eventOf('user.availability', isTheirs))
    const conversation = await hooks.converse(admin)
    const command = { type: 'command', text: '/notify', meta: { channels: [channel] } }
    await call('POST', `conversations/${conversation}/messages`, command)
    const offered = await eventOf('conversation.offer', isTheirs)
    for (const resource of ['conversation', 'user']) await expectAsShown(offered, resource)
    const accept = { type: 'command', text: '/accept' }
    const { status } = await app.rest(agent, 'POST', `/v2/conversations/${conversation}/messages`, accept)
    expect(status).toBe(201)
    await expectAsShown(await eventOf('conversation.offerEnd', isTheirs))
    await live.dispose()
  })

  it("show a rating, with the consumer's words", async () => {
    const survey = { scale: 'five', text: 'Are you happy?', delaySeconds: 0, touchpoints: ['web'] }
    const settings = { members: [{ user: admin.id }], survey, signature: '<p>The boats</p>' }
    const { id: channel } = await call('POST', 'channels', { name: 'Care', ...settings })
    await expectAsShown(await eventOf('channel.create', (data) => data.channel.id === channel))
    const conversation = await hooks.converse(admin)
    const send = (body: object) => call('POST', `conversations/${conversation}/messages`, body)
    await send({ type: 'command', text: '/notify', meta: { channels: [channel] } })
    await send({ text: 'done', role: 'agent' })
    await send({ type: 'command', text: '/leave' })
    await app.gql(admin, 'mutation ($id: ID!) { closeConversation(conversation: $id) { undoUntil } }', {
      id: conversation,
    })
    app.clock.advance(60_000)
    const asked = await eventOf('rating.create', ({ rating }) => rating.conversation === conversation)
    await expectAsShown(asked)
    const guest = await app.gql(admin, 'mutation ($id: ID!) { createGuestToken(conversation: $id) { token } }', {
      id: conversation,
    })
    const answer = `mutation ($id: ID!) { answerSurvey(rating: $id, score: 4, comment: "Quick.") { id } }`
    await app.gql(guest.data.createGuestToken.token, answer, { id: asked.data.rating.id })
    const rated = await eventOf('rating.update', ({ rating }) => rating.conversation === conversation)
    expect(rated.data.rating.comment).toBe('Quick.')
    await expectAsShown(rated)
  })

  it('show the conversation whose clock runs out', async () => {
    await call('POST', 'slapolicies', { name: 'Fast', targets: [{ clock: 'queue', minutes: 5, warnMinutes: 2 }] })
    const conversation = await hooks.converse(admin, { messages: [{ role: 'contact', text: 'hello?' }] })
    const isOurs = (data: Json): boolean => data.conversation.id === conversation
    for (const [event, minutes] of [
      ['conversation.clockWarn', 4],
      ['conversation.clockBreach', 2],
    ] as const) {
      app.clock.advance(minutes * 60_000)
      await expectAsShown(await eventOf(event, isOurs))
    }
  })

  it('show the conversation in which a bot proposes something', async () => {
    const conversation = await hooks.converse(admin, { messages: [{ role: 'contact', text: 'hello?' }] })
    const read = 'query ($id: ID!) { conversation(id: $id) { mark } }'
    const { mark } = (await app.gql(admin, read, { id: conversation })).data.conversation
    const propose =
      'mutation ($id: ID!, $message: MessageInput!) { propose(conversation: $id, message: $message) { id } }'
    await app.gql(bot, propose, { id: conversation, message: { role: 'AGENT', text: 'yes', mark } })
    const isOurs = (data: Json): boolean => data.conversation.id === conversation
    await expectAsShown(await eventOf('conversation.proposal', isOurs))
  })

  it('show the conversation in which an agent asks bots to propose something', async () => {
    const conversation = await hooks.converse(admin, { messages: [{ role: 'contact', text: 'hello?' }] })
    const ask = 'mutation ($id: ID!) { requestProposal(conversation: $id, kind: REPLY) { id until } }'
    const { id, until } = (await app.gql(admin, ask, { id: conversation })).data.requestProposal
    const told = await eventOf('proposal.requested', ({ proposal }) => proposal.id === id)
    expect(told.data.proposal).toEqual({ id, kind: 'reply', user: admin.id, until })
    expect(told.data.conversation.mark).toBe(
      (await app.gql(admin, 'query ($id: ID!) { conversation(id: $id) { mark } }', { id: conversation })).data
        .conversation.mark,
    )
  })

  it('show the service that fails, with its error', async () => {
    const failing = await hooks.register(admin, { events: ['skill.create'] })
    failing.receiver.answer = () => ({ status: 503 })
    for (const name of 'ABCDEFGHIJKL') await call('POST', 'skills', { name })
    const told = await eventOf('service.error', ({ service }) => service.id === failing.id)
    const { error, ...service } = told.data.service
    expect(error).toBe('answered 503')
    await expectAsShown({ ...told, data: { ...told.data, service } })
  })

  it('are compared for every event but these', () => {
    const missing = WEBHOOK_EVENTS.filter(({ names }) => !names.some((name) => compared.has(name) || isGone(name)))
    expect(missing.map(({ name }) => name).toSorted()).toEqual(Object.keys(NOT_COMPARED).toSorted())
  })

  it('are compared by all of their keys but these', () => {
    const missing = Object.entries(PUBLISHED_RECORDS).flatMap(([resource, { fields }]) =>
      Object.keys(fields)
        .filter((key) => !keysSeen.get(resource)?.has(key))
        .map((key) => `${resource}.${key}`),
    )
    expect(missing.toSorted()).toEqual(NEVER_TOLD.toSorted())
  })
})
