import { freePort } from '../../bench/chaos/free-port.js'
import ChipChat, { type Options } from 'chipchat'
import type { MadeOrganization, MadeUser } from '../support/factories.js'
import { startTestServer, type TestServer } from '../support/test-server.js'

/** A server as operators of legacy clients set it up, and the real legacy client (npm: chipchat 0.7.4) at it. */
export interface World {
  server: TestServer
  organization: MadeOrganization
  admin: MadeUser
  agent: MadeUser
  bot: MadeUser
  channel: string
  /** The client of a user with its API token, or with what is given. What it reports as errors is kept. */
  client(user: MadeUser, options?: Options): Promise<Client>
  /** A conversation with a consumer of its own, held by email. @returns its id */
  converse(more?: object): Promise<string>
  close(): Promise<void>
}

export interface Client extends ChipChat {
  /** Errors that it emitted as `error`, which most bots only log. */
  errors: unknown[]
}

export async function startWorld(env: Record<string, string> = {}): Promise<World> {
  const port = await freePort()
  const server = await startTestServer({
    PORT: String(port),
    // Where `Link` leads: the client follows it as it stands.
    PUBLIC_URL: `http://127.0.0.1:${port}`,
    EXPIRED_TOKEN_STATUS: '401',
    WEBHOOK_ALLOW_PRIVATE: 'true',
    ...env,
  })
  const organization = await server.makeOrganization({ name: 'Boats' })
  const [admin, agent, bot] = await Promise.all(
    (['admin', 'agent', 'bot'] as const).map((role) => server.makeUser({ organization, role, displayName: role })),
  )
  const { body: channel } = await server.rest(admin!, 'POST', '/v2/channels', { name: 'Sales' })
  const clients: Client[] = []
  let contacts = 0
  return {
    server,
    organization,
    admin: admin!,
    agent: agent!,
    bot: bot!,
    channel: channel.id,
    async client(user, options) {
      const token = options?.token ?? (await server.tokenFor(user))
      const client = Object.assign(new ChipChat({ host: server.url, token, email: user.email, ...options }), {
        errors: [],
      }) as Client
      client.on('error', (error: unknown) => client.errors.push(error))
      clients.push(client)
      return client
    },
    async converse(more = {}) {
      const contact = { profile: { name: 'Carl', email: `carl-${++contacts}@example.com` } }
      const { status, body } = await server.rest(bot!, 'POST', '/v2/conversations', {
        type: 'contact',
        touchpoint: 'email',
        contact,
        ...more,
      })
      if (status !== 201) throw new Error(`${status} ${JSON.stringify(body)}`)
      return body.id
    },
    async close() {
      for (const client of clients) client.server?.close()
      await server.close()
    },
  }
}
