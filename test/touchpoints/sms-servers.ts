import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { freePort } from '../../bench/chaos/free-port.js'
import { Victim } from '../../bench/chaos/victim.js'
import { makeDatabase } from '../support/database.js'

const OWNER = { email: 'owner@example.com', password: 'correct horse battery' }

/** A server in a process of its own, as a client sees it. */
export interface SmsServer {
  process: Victim
  gql<T>(query: string, variables?: object): Promise<T>
  /** A conversation held by SMS. @returns its id */
  open(telephone: string): Promise<string>
  say(conversation: string, text: string, more?: object): Promise<{ id: string }>
  deliveriesOf(conversation: string): Promise<SmsDelivery[]>
  metric(name: string): Promise<number>
}

export interface SmsDelivery {
  text: string
  status: string
  reason: string | null
  attempts: number
}

export interface SmsWorld {
  databaseUrl: string
  /** Texts in the order in which the provider was given them. */
  texts: string[]
  provider: {
    /** Keeps its answers until it is told otherwise. */
    holds: boolean
    /** Time that each answer takes. */
    delayMs: number
  }
  /** @param env besides what every server here has */
  start(env?: Record<string, string>): Promise<SmsServer>
  close(): Promise<void>
}

/** A database, a provider of text messages, and servers on them, of which the first makes the service. */
export async function openSmsWorld(): Promise<SmsWorld> {
  const made = await makeDatabase()
  const servers: SmsServer[] = []
  const held: ServerResponse[] = []
  const answers = createServer((request, response) => {
    void (async () => {
      const chunks = await request.toArray()
      world.texts.push(new URLSearchParams(Buffer.concat(chunks as Buffer[]).toString()).get('Body')!)
      const answer = { sid: `SM${world.texts.length}`, status: 'queued' }
      if (world.provider.holds) return void held.push(response)
      if (world.provider.delayMs > 0) await new Promise((resolve) => setTimeout(resolve, world.provider.delayMs))
      response.writeHead(201, { 'content-type': 'application/json' }).end(JSON.stringify(answer))
    })()
  })
  await new Promise<void>((resolve) => void answers.listen(0, '127.0.0.1', resolve))
  const apiUrl = `http://127.0.0.1:${(answers.address() as AddressInfo).port}`
  const world: SmsWorld = {
    databaseUrl: made.url,
    texts: [],
    provider: { holds: false, delayMs: 0 },
    async start(env = {}) {
      const server = await startServer(made.url, env)
      if (servers.push(server) === 1) {
        const params = { accountSid: 'AC1', authToken: 't', from: '+3197010253', apiUrl }
        const input = { type: 'sms', params }
        await server.gql('mutation ($input: CreateServiceInput!) { createService(input: $input) { id } }', { input })
      }
      return server
    },
    async close() {
      await Promise.all(servers.map((server) => server.process.kill()))
      answers.closeAllConnections()
      await new Promise((resolve) => answers.close(resolve))
      await made.drop()
    },
  }
  return world
}

async function startServer(databaseUrl: string, env: Record<string, string>): Promise<SmsServer> {
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const process = new Victim(
    'test/support/node-process.mjs',
    {
      PORT: String(port),
      HOST: '127.0.0.1',
      LOG_LEVEL: 'fatal',
      DATABASE_URL: databaseUrl,
      WEBHOOK_ALLOW_PRIVATE: 'true',
      ADMIN_EMAIL: OWNER.email,
      ADMIN_PASSWORD: OWNER.password,
      RATE_LIMIT_PER_SECOND: '100000',
      GRAPHQL_COST_PER_MINUTE: '1000000000',
      ...env,
    },
    `${url}/readyz`,
  )
  await process.start()
  let token: string | null = null
  const server: SmsServer = {
    process,
    async gql<T>(query: string, variables: object = {}) {
      const headers = { 'content-type': 'application/json', ...(token && { authorization: `Bearer ${token}` }) }
      const body = JSON.stringify({ query, variables })
      const response = await fetch(`${url}/graphql`, { method: 'POST', headers, body })
      const { data, errors } = (await response.json()) as { data: Record<string, T>; errors?: { message: string }[] }
      if (errors) throw new Error(errors[0]!.message)
      return Object.values(data)[0]!
    },
    async open(telephone) {
      const input = { touchpoint: 'SMS', contact: { profile: { name: 'Carl', telephone } } }
      const create = 'mutation ($input: CreateConversationInput!) { createConversation(input: $input) { id } }'
      return (await server.gql<{ id: string }>(create, { input })).id
    },
    say: (id, text, more = {}) =>
      server.gql(
        'mutation ($id: ID!, $message: MessageInput!) { sendMessage(conversation: $id, message: $message) { id } }',
        { id, message: { role: 'AGENT', text, ...more } },
      ),
    async deliveriesOf(id) {
      const { messages } = await server.gql<{
        messages: { edges: { node: { text: string; deliveries: Omit<SmsDelivery, 'text'>[] } }[] }
      }>(
        `query ($id: ID!) { conversation(id: $id) { messages(first: 100) { edges { node {
          text deliveries { status reason attempts } } } } } }`,
        { id },
      )
      return messages.edges.map(({ node: { text, deliveries } }) => ({ text, ...deliveries[0]! }))
    },
    async metric(name) {
      const text = await (await fetch(`${url}/metrics`)).text()
      return Number(new RegExp(`^${name} (.*)$`, 'm').exec(text)?.[1])
    },
  }
  const signIn =
    'mutation ($email: String!, $password: String!) { createToken(email: $email, password: $password) { token } }'
  token = (await server.gql<{ token: string }>(signIn, OWNER)).token
  return server
}
