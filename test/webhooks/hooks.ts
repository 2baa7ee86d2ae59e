import type { MadeOrganization, MadeUser } from '../support/factories.js'
import type { TestServer } from '../support/test-server.js'
import { until } from '../support/until.js'
import { startReceiver, type Receiver } from './receiver.js'

export interface Hook {
  id: string
  secret: string
  receiver: Receiver
}

export interface ShownDelivery {
  id: string
  eventId: string
  event: string
  status: 'PENDING' | 'DELIVERED' | 'FAILED'
  attemptCount: number
  statusCode: number | null
  error: string | null
  reply: string | null
  body: string | null
  conversationId: string | null
  attempts: {
    number: number
    statusCode: number | null
    error: string | null
    durationMs: number
    response: string | null
  }[]
}

export interface ShownService {
  id: string
  status: string
  params: Record<string, unknown>
  webhook: {
    pending: number
    failures: number
    lastError: string | null
    checkAt: string | null
    probeAt: string | null
    heldUntil: string | null
    lastIgnored: string | null
    lastIgnoredAt: string | null
  } | null
}

export interface Hooks {
  /** A webhook with a receiver of its own, active unless the receiver is told to refuse the handshake. */
  register(admin: MadeUser, params?: object, prepare?: (receiver: Receiver) => void): Promise<Hook>
  service(admin: MadeUser, id: string): Promise<ShownService>
  /** Waits for the status. */
  reach(admin: MadeUser, id: string, status: string): Promise<ShownService>
  deliveries(admin: MadeUser, id: string, filter?: object): Promise<ShownDelivery[]>
  /** A conversation with a contact of its own. @returns its id */
  converse(as: MadeUser, more?: object): Promise<string>
  /** Sends a message, by the consumer unless said otherwise. @returns its id */
  say(as: MadeUser, conversation: string, text: string, more?: object): Promise<string>
  center(): Promise<{ organization: MadeOrganization; admin: MadeUser; bot: MadeUser }>
  close(): Promise<void>
}

const SERVICE = `id status params webhook { pending failures lastError checkAt probeAt heldUntil lastIgnored lastIgnoredAt }`
const DELIVERY = `id eventId event status attemptCount statusCode error reply body conversationId
  attempts { number statusCode error durationMs response }`

export function createHooks(app: TestServer): Hooks {
  const receivers: Receiver[] = []
  let contacts = 0
  const hooks: Hooks = {
    async register(admin, params = {}, prepare) {
      const receiver = await startReceiver()
      receivers.push(receiver)
      prepare?.(receiver)
      const input = { type: 'webhook', params: { url: receiver.url, ...params } }
      const { status, body } = await app.rest(admin, 'POST', '/v2/services', input)
      if (status !== 201) throw new Error(`${status} ${JSON.stringify(body)}`)
      if (!prepare) await hooks.reach(admin, body.id, 'active')
      return { id: body.id, secret: body.params.secret, receiver }
    },
    async service(admin, id) {
      const { data } = await app.gql(admin, `query ($id: ID!) { service(id: $id) { ${SERVICE} } }`, { id })
      return data.service
    },
    reach: (admin, id, status) =>
      until(
        () => hooks.service(admin, id),
        (service) => service.status === status.toUpperCase(),
      ),
    async deliveries(admin, id, filter) {
      const { data } = await app.gql(
        admin,
        `query ($id: ID!, $filter: WebhookDeliveryFilter) {
          webhookDeliveries(service: $id, first: 100, filter: $filter) { edges { node { ${DELIVERY} } } } }`,
        { id, filter },
      )
      return data.webhookDeliveries.edges.map(({ node }: { node: ShownDelivery }) => node).toReversed()
    },
    async converse(as, more = {}) {
      const contact = { profile: { name: 'Eve', email: `eve-${++contacts}@example.com` } }
      const { status, body } = await app.rest(as, 'POST', '/v2/conversations', {
        type: 'contact',
        touchpoint: 'web',
        contact,
        ...more,
      })
      if (status !== 201) throw new Error(`${status} ${JSON.stringify(body)}`)
      return body.id
    },
    async say(as, conversation, text, more = { role: 'contact' }) {
      const { status, body } = await app.rest(as, 'POST', `/v2/conversations/${conversation}/messages`, {
        text,
        ...more,
      })
      if (status !== 201) throw new Error(`${status} ${JSON.stringify(body)}`)
      return body.id
    },
    async center() {
      const organization = await app.makeOrganization({ name: 'Center' })
      const admin = await app.makeUser({ organization, role: 'admin' })
      const bot = await app.makeUser({ organization, role: 'bot', displayName: 'Marvin' })
      return { organization, admin, bot }
    },
    async close() {
      for (const receiver of receivers) await receiver.close()
    },
  }
  return hooks
}
