import { createServer, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { Victim } from '../../bench/chaos-victim.js'
import { makeDatabase, type TestDatabase } from '../support/database.js'
import { eventually } from './provider.js'

/** A server in a process of its own, and a provider of text messages that keeps its answers until it is told. */
let made: TestDatabase
let victim: Victim
let provider: Server
let url: string
let token: string
const texts: string[] = []
const held: ServerResponse[] = []
let holds = false

beforeAll(async () => {
  made = await makeDatabase()
  provider = createServer((request, response) => {
    void (async () => {
      const chunks = await request.toArray()
      texts.push(new URLSearchParams(Buffer.concat(chunks as Buffer[]).toString()).get('Body')!)
      if (holds) held.push(response)
      else response.writeHead(201, { 'content-type': 'application/json' }).end(JSON.stringify({ sid: `SM${texts.length}`, status: 'queued' }))
    })()
  })
  await new Promise<void>((resolve) => void provider.listen(0, '127.0.0.1', resolve))
  const port = await freePort()
  url = `http://127.0.0.1:${port}`
  victim = new Victim('../test/support/node-process.mjs', {
    PORT: String(port), HOST: '127.0.0.1', LOG_LEVEL: 'fatal', DATABASE_URL: made.url, WEBHOOK_ALLOW_PRIVATE: 'true',
    ADMIN_EMAIL: 'owner@example.com', ADMIN_PASSWORD: 'correct horse battery', RATE_LIMIT_PER_SECOND: '100000',
  }, `${url}/readyz`)
  await victim.start()
  token = (await gql<{ token: string }>('mutation { createToken(email: "owner@example.com", password: "correct horse battery") { token } }')).token
  const { port: providerPort } = provider.address() as AddressInfo
  const params = { accountSid: 'AC1', authToken: 't', from: '+3197010253', apiUrl: `http://127.0.0.1:${providerPort}` }
  await gql('mutation ($input: CreateServiceInput!) { createService(input: $input) { id } }', { input: { type: 'sms', params } })
}, 180_000)
afterAll(async () => {
  await victim.kill()
  provider.closeAllConnections()
  await new Promise((resolve) => provider.close(resolve))
  await made.drop()
})

async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  return port
}

async function gql<T>(query: string, variables: object = {}): Promise<T> {
  const headers = { 'content-type': 'application/json', ...(token && { authorization: `Bearer ${token}` }) }
  const response = await fetch(`${url}/graphql`, { method: 'POST', headers, body: JSON.stringify({ query, variables }) })
  const { data, errors } = (await response.json()) as { data: Record<string, T>; errors?: { message: string }[] }
  if (errors) throw new Error(errors[0]!.message)
  return Object.values(data)[0]!
}

const open = async (telephone: string): Promise<string> => (await gql<{ id: string }>(
  'mutation ($input: CreateConversationInput!) { createConversation(input: $input) { id } }',
  { input: { touchpoint: 'SMS', contact: { profile: { name: 'Carl', telephone } } } },
)).id
const say = (id: string, text: string) => gql<{ id: string }>(
  'mutation ($id: ID!, $text: String!) { sendMessage(conversation: $id, message: {role: AGENT, text: $text}) { id } }', { id, text },
)
const deliveriesOf = async (id: string): Promise<{ text: string; status: string; reason: string | null; attempts: number }[]> => {
  const { messages } = await gql<{ messages: { edges: { node: { text: string; deliveries: [{ status: string; reason: string | null; attempts: number }] } }[] } }>(
    'query ($id: ID!) { conversation(id: $id) { messages(first: 100) { edges { node { text deliveries { status reason attempts } } } } } }', { id },
  )
  return messages.edges.map(({ node: { text, deliveries: [delivery] } }) => ({ text, ...delivery }))
}

describe('a server that is killed while it hands a message over', () => {
  it('leaves it to a person, once it is back, where the provider cannot tell a repeat', async () => {
    const id = await open('+31612345001')
    holds = true
    await say(id, 'in the air')
    await say(id, 'behind it')
    await eventually(() => texts.includes('in the air'))
    await victim.kill()
    holds = false
    await victim.start()
    const settled = await eventually(async () => {
      const now = await deliveriesOf(id)
      return now.every(({ status }) => status !== 'QUEUED') && now
    }, 30_000)
    expect(settled).toEqual([
      { text: 'in the air', status: 'MAYBE_SENT', reason: expect.stringContaining('stopped'), attempts: 1 },
      { text: 'behind it', status: 'SENT', reason: null, attempts: 1 },
    ])
    expect(texts.filter((text) => text === 'in the air')).toHaveLength(1)
  }, 180_000)

  it('sends no message twice and forgets none, however often it is killed', async () => {
    const conversations = await Promise.all([1, 2, 3, 4].map((index) => open(`+3161234510${index}`)))
    const accepted: string[] = []
    for (let kill = 0; kill < 3; kill += 1) {
      const sends = conversations.flatMap((id, at) => Array.from({ length: 5 }, async (_, index) => {
        const text = `message ${kill}.${at}.${index}`
        await say(id, text)
        accepted.push(text)
      }))
      await Promise.race([Promise.allSettled(sends), eventually(() => accepted.length > kill * 20 + 8)])
      await victim.kill()
      await Promise.allSettled(sends)
      await victim.start()
    }
    const settled = (await Promise.all(conversations.map((id) => eventually(async () => {
      const now = await deliveriesOf(id)
      return now.every(({ status }) => status !== 'QUEUED') && now
    }, 60_000)))).flat()
    const stored = new Set(settled.map(({ text }) => text))
    expect(accepted.filter((text) => !stored.has(text))).toEqual([])
    expect(texts.filter((text, index) => texts.indexOf(text) !== index)).toEqual([])
    for (const { text, status } of settled) {
      if (status === 'SENT') expect(texts).toContain(text)
      else expect(status).toBe('MAYBE_SENT')
    }
  }, 180_000)
})
