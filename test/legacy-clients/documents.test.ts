import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { startWorld, type Client, type World } from './world.js'

/**
 * Each request that the client's README, documents and examples show, with ids of this server in the place of theirs. The
 * statuses are counted where the client itself has them.
 */
let world: World
const statuses: number[] = []

beforeAll(async () => {
  world = await startWorld()
})
afterAll(() => world.close())

const counted = (user: World['bot']): Promise<Client> => {
  const afterResponse = [(response: { statusCode: number }) => (statuses.push(response.statusCode), response)]
  return world.client(user, { fetchExtensions: { afterResponse } })
}

// [legacy whole.documents]
it('replays the requests of the documents of the client: all 2xx', async () => {
  const [bot, admin] = [await counted(world.bot), await counted(world.admin)]
  const id = await world.converse({ messages: [{ role: 'contact', text: 'Hello' }] })
  const form = await admin.forms.create({
    name: 'Test Drive',
    fields: [{ name: 'brand' }, { name: 'model' }],
    meta: { init: 'x' },
  })
  const service = await admin.services.create({ type: 'twilio', name: 'SMS', params: {} })
  await admin.articles.create({ title: 'Replies', content: '<p>Red</p>\n<p>Blue</p>' })
  const requests: (() => Promise<unknown>)[] = [
    // README.md, docs/quickstart.md, examples/start.js
    () => bot.users.get(bot.auth.user),
    () => bot.send(id, { text: '👍', role: 'agent' }),
    () =>
      bot.send(id, {
        text: 'What do you need help with?',
        actions: [
          { type: 'postback', text: 'Settings', payload: 'HELP_SETTINGS' },
          { type: 'postback', text: 'FAQ', payload: 'HELP_FAQ' },
          { type: 'postback', text: 'Talk to a human', payload: 'HELP_HUMAN' },
        ],
      }),
    () => bot.send(id, { contentType: 'image/png', text: 'http://example.com/image.png' }),
    () => admin.users.create({ name: 'John Doe', email: 'john.doe@example.com' }),
    // docs/conversation.md
    () => bot.conversations.get(id),
    ...['Hello World', { text: 'Hello World' }, [{ text: 'Hello World', role: 'bot' }], ['Hello', 'How are you?']].map(
      (message) => () => bot.send(id, message),
    ),
    () => bot.send(id, 'Hello World', { role: 'bot' }),
    () =>
      bot.send(id, {
        text: 'Favorite color?',
        actions: ['Red', 'Green', 'Blue'].map((text) => ({ type: 'reply', text, payload: text.toUpperCase() })),
      }),
    () =>
      bot.send(id, {
        items: ['Article 1', 'Article 2'].map((title, index) => ({
          title,
          mediaUrl: 'https://picsum.photos/200',
          actions: [{ type: 'link', text: `Art ${index + 1}`, payload: 'http://example.org/' }],
        })),
        actions: [{ type: 'postback', text: 'View More', payload: 'VIEW_MORE' }],
      }),
    async () => (await bot.conversation(id)).set('favoriteColor', 'red'),
    async () => (await bot.conversation(id)).join(),
    async () => (await bot.conversation(id)).accept(),
    async () => (await bot.conversation(id)).assign(world.agent.id),
    async () => (await bot.conversation(id)).notify(),
    async () => (await bot.conversation(id)).notify([world.channel], []),
    async () => (await bot.conversation(id)).notify([], [world.organization.id]),
    async () => (await bot.conversation(id)).leave(),
    async () => (await bot.conversation(id)).set('mybot.status', 'finished'),
    () => bot.send(id, { type: 'form', text: '+Test Drive', meta: { form: form.id } }),
    () => bot.send(id, '.model Laser', { type: 'field', meta: { form: form.id } }),
    // docs/events.md
    () => bot.send(id, { text: 'You said: hi', type: 'mention', meta: { targetUser: world.agent.id } }),
    () => bot.send(id, { text: 'You are on planet earth now.', isBackchannel: true }),
    () =>
      bot.send(id, [
        { text: 'Hello. Want to buy a car?', role: 'agent' },
        { type: 'command', text: '/set someBotStateVar step2' },
      ]),
    () => bot.send(id, 'Okidoki', { role: 'agent' }),
    // docs/restapi.md
    () =>
      bot.articles.list({
        sort: '-title',
        offset: 0,
        limit: 10,
        select: 'title,content',
        populate: 'organization',
        content: '~article',
        createdAt: '>2019-01-01',
      }),
    () => admin.forms.get(form.id),
    () => bot.conversations.create({ name: 'Review', messages: [{ text: 'start' }] }),
    () => admin.organizations.update(world.organization.id, { tags: ['prime'] }),
    () => admin.services.delete(service.id),
    () => bot.conversations.create({ messages: [{ text: 'Hi' }] }),
    async () => {
      const organization = await admin.organizations.create({ name: 'Acme', email: 'foo-customer@example.com' })
      const made = await admin.forms.create({
        organization: organization.id,
        name: 'Support Case',
        fields: [{ name: 'Case ID' }],
      })
      return admin.conversations.create({
        organization: organization.id,
        messages: [{ type: 'form', meta: { form: made.id } }],
      })
    },
    // examples/api.js, context.js, preload.js, pagination.js
    () => bot.contacts.list({ limit: 5, sort: '-createdAt' }),
    async () => bot.contacts.get((await bot.contacts.list({ limit: 1 }))[0].id),
    () => bot.conversations.list(),
    () => bot.conversations.list({ sort: '-createdAt', limit: 1 }),
    () => bot.organizations.get(world.organization.id, { populate: 'categories.forms' }),
    () => bot.messages.list({ conversation: id, pagination: {} }),
    () => bot.messages.list({ conversation: id, pagination: { limit: 5, countLimit: 20, backoff: 1 } }),
    // examples/copyformsbetweensorgs.js
    async () => {
      const to = await admin.organizations.create({ name: 'Copy' })
      const forms = await admin.forms.list({ organization: world.organization.id })
      return Promise.all(forms.map((each: object) => admin.forms.create({ ...each, organization: to.id })))
    },
    // examples/say.js, state.js, triggers.js, quickreplies.js
    () =>
      bot.send(id, [
        { text: 'Start', role: 'agent', delay: 500 },
        { text: 'Step 1', role: 'agent', delay: 6000 },
        { text: 'Step 2', type: 'card', role: 'agent', delay: 12000 },
      ]),
    async () => (await bot.conversation(id)).set('step', 2),
    () => bot.send(id, { text: 'Take step 2', actions: [{ type: 'postback', payload: 'STEP', text: 'take a step' }] }),
    () =>
      bot.send(id, {
        text: '<span/>',
        contentType: 'text/html',
        type: 'card',
        actions: [{ type: 'postback', text: 'Review this result', payload: 'REVIEW' }],
      }),
    () =>
      bot.send(id, {
        text: 'Report',
        type: 'report',
        isBackchannel: true,
        delay: 3500,
        results: [{ name: 'Conversation Review', values: { review: 'Awesome' } }],
      }),
    () =>
      bot.send(id, {
        text: 'quick replies',
        actions: ['Red', 'Blue'].map((payload) => ({ type: 'reply', payload })),
        meta: { hidden: true },
      }),
    // examples/outboundsms.js
    () => bot.conversations.get(id, { select: 'participants' }),
    () => bot.organizations.get(world.organization.id, { select: 'commands,displayName' }),
    () => admin.services.list({ organization: world.organization.id, type: 'twilio' }),
    () => bot.contacts.list({ 'profile.telephone': '+31612345678', organization: world.organization.id }),
    () =>
      bot.conversations.create({
        organization: world.organization.id,
        type: 'contact',
        meta: {},
        contact: {
          profile: {
            givenName: 'Barack',
            familyName: 'Obama',
            email: 'barack.obama@example.com',
            locale: 'en',
            telephone: '+31612345678',
            address: { 'Zip Code': '', City: '' },
          },
        },
        messages: [
          { text: '/accept', type: 'command' },
          { text: 'hi there', role: 'agent', delay: 1000, touchpoint: 'sms' },
          {
            role: 'agent',
            text: 'Please click',
            meta: { SenderID: '' },
            touchpoint: 'sms',
            delay: 10000,
            actions: [
              { text: 'link:', type: 'link', uri: 'https://example.com/?id={authuser}&token={authtoken}&ts=1' },
            ],
          },
          { text: '/leave', type: 'command', delay: 11000 },
        ],
      }),
    () =>
      bot.send(id, {
        text: 'Weet je het zeker?',
        isBackchannel: true,
        actions: ['Ja', 'Nee'].map((text) => ({ type: 'reply', text, payload: text })),
      }),
    () => bot.send(id, { type: 'command', text: '/leave', delay: 1000 }),
  ]
  for (const [index, request] of requests.entries()) {
    // A consumer's answer, so that the bot is not counted out (section 8).
    if (index % 10 === 9) await admin.send(id, { role: 'contact', text: 'go on' })
    await request()
  }
  expect(statuses.filter((status) => status < 200 || status > 299)).toEqual([])
  expect(statuses.length).toBeGreaterThan(requests.length)
  process.stdout.write(`chipchat: ${requests.length} calls of its documents, ${statuses.length} requests, all 2xx\n`)
})
