import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { createExampleBot, type BotOptions } from '../../examples/bot.js'
import type { MadeUser } from '../support/factories.js'
import { startTestServer, type TestServer } from '../support/test-server.js'
import { createHooks, type Hooks } from '../webhooks/hooks.js'
import { until } from '../support/until.js'

let app: TestServer
let hooks: Hooks
let bot: Server

beforeAll(async () => {
  app = await startTestServer({ WEBHOOK_ALLOW_PRIVATE: 'true' })
  hooks = createHooks(app)
})
afterAll(async () => {
  bot.closeAllConnections()
  bot.close()
  await app.close()
})

interface Shown {
  status: string
  meta: { bot?: string; asked?: string }
  participants: { user: string }[]
  channels: string[]
  channelsOffline: string[]
  forms: { name: string; values: Record<string, unknown> }[]
}

describe('the example bot', () => {
  let admin: MadeUser
  let conversation: string
  let channel: string
  const options: BotOptions = { server: '', token: '', secret: '', form: '' }

  const shown = async (): Promise<Shown> => (await app.rest(admin, 'GET', `/v2/conversations/${conversation}`)).body
  const said = async (id = conversation) => {
    const { body } = await app.rest(admin, 'GET', `/v2/conversations/${id}/messages?sort=createdAt&type=chat`)
    return (body as { role: string; text: string }[]).map(({ role, text }) => `${role}: ${text}`)
  }

  it('has fewer than 60 lines', () => {
    expect(readFileSync('examples/bot.ts', 'utf8').trimEnd().split('\n').length).toBeLessThan(60)
  })

  it('is registered with its secret, and answers the handshake', async () => {
    ;({ admin } = await hooks.center())
    const users = await app.rest(admin, 'POST', '/v2/users', {
      email: 'bot@example.com',
      role: 'bot',
      displayName: 'Bot',
    })
    channel = (await app.rest(admin, 'POST', '/v2/channels', { name: 'Support' })).body.id
    const fields = [{ key: 'topic', label: 'Topic', type: 'text' }]
    const form = await app.rest(admin, 'POST', '/v2/forms', {
      name: 'Request',
      isStatic: true,
      fields,
      email: ['a@example.com'],
    })
    expect([users.status, form.status]).toEqual([201, 201])
    Object.assign(options, { server: app.url, token: users.body.apiToken, form: form.body.id })
    options.secret = `whsec_${randomBytes(32).toString('base64')}`
    bot = createExampleBot(options)
    await new Promise<void>((resolve) => void bot.listen(0, '127.0.0.1', resolve))
    const url = `http://127.0.0.1:${(bot.address() as AddressInfo).port}/`
    const params = { url, events: ['message.create.contact.*'], secret: options.secret }
    const service = await app.rest(admin, 'POST', '/v2/services', { type: 'webhook', name: 'Bot', params })
    await hooks.reach(admin, service.body.id, 'active')
  })

  it('greets and asks for the name', async () => {
    conversation = await hooks.converse(admin, { messages: [{ role: 'contact', text: 'Hello?' }] })
    await until(async () => (await said()).length === 2)
    expect(await said()).toEqual(['contact: Hello?', 'agent: Welcome! I am a bot. What is it about?'])
    expect(await shown()).toMatchObject({ status: 'active', meta: { asked: 'topic' } })
  })

  it('keeps the answer in the form, and hands over to the agents', async () => {
    await hooks.say(admin, conversation, 'My bicycle')
    await until(async () => (await shown()).status === 'queued')
    expect((await said()).slice(2)).toEqual([
      'contact: My bicycle',
      'agent: Thank you. One of my colleagues will be with you in a moment.',
    ])
    const { channels, channelsOffline, forms, meta, participants } = await shown()
    expect([...channels, ...channelsOffline]).toEqual([channel])
    expect(forms).toMatchObject([{ name: 'Request', values: { topic: 'My bicycle' } }])
    expect([meta.bot, meta.asked, participants]).toEqual(['done', undefined, []])
  })

  it('is silent after handing over, and answers only signed requests', async () => {
    await hooks.say(admin, conversation, 'Anybody there?')
    const { port } = bot.address() as AddressInfo
    const forged = {
      id: 'x',
      event: 'message.create.contact.chat',
      data: { message: { role: 'contact' }, conversation: { id: conversation, meta: {} } },
    }
    const response = await fetch(`http://127.0.0.1:${port}/`, { method: 'POST', body: JSON.stringify(forged) })
    expect(response.status).toBe(401)
    // In another conversation it answers, after what was said here before.
    const other = await hooks.converse(admin, { messages: [{ role: 'contact', text: 'Hello?' }] })
    await until(async () => (await said(other)).length === 2)
    expect((await said()).slice(4)).toEqual(['contact: Anybody there?'])
  })
})
