import type { MadeOrganization, MadeUser } from '../support/factories.js'
import { startTestServer, type TestServer } from '../support/test-server.js'
import { until } from '../support/until.js'

export const PUBLIC_URL = 'https://chat.example'

export interface DeliveryRow {
  id: string
  status: string
  reason: string | null
  code: string | null
  recipient: string | null
  provider_id: string | null
  segments: number | null
  attempts: number
}

export interface Said {
  id: string
  conversation_id: string
  contact_id: string
  type: string
  role: string
  text: string | null
  touchpoint: string | null
  actions: unknown
  meta: Record<string, unknown> | null
}

/** An organization with an agent, behind a provider's service. */
export interface ProviderFixture {
  app: TestServer
  organization: MadeOrganization
  admin: MadeUser
  agent: MadeUser
  makeService(type: string, params: object, isOwnType?: boolean): Promise<string>
  /** Addresses at which the provider calls, and believes that it calls. */
  hook(type: string, service: string, rest?: string): { url: string; publicUrl: string }
  /** Consumer messages of a service, oldest first. */
  receivedBy(service: string): Promise<Said[]>
  /** An agent's answer. @returns the message's id */
  answer(conversation: string, message: object, as?: MadeUser | string): Promise<string>
  delivery(message: string): Promise<DeliveryRow>
  /** Waits for a delivery's status. */
  becomes(message: string, status: string): Promise<DeliveryRow>
}

export async function startProviderFixture(
  env: Record<string, string> = {},
  overrides: Parameters<typeof startTestServer>[1] = {},
): Promise<ProviderFixture> {
  const app = await startTestServer({ WEBHOOK_ALLOW_PRIVATE: 'true', PUBLIC_URL, ...env }, overrides)
  const organization = await app.makeOrganization({ name: 'Harbour', country: 'NL' })
  const admin = await app.makeUser({ organization, role: 'admin' })
  const agent = await app.makeUser({ organization })
  const sql = app.server.database
  const delivery = async (message: string): Promise<DeliveryRow> => {
    const [row] = await sql.query<DeliveryRow>('select * from delivery where message_id = $1', [message])
    return row!
  }
  return {
    app,
    organization,
    admin,
    agent,
    delivery,
    async makeService(type, params, isOwnType = false) {
      const { data, errors } = await app.gql<{ createService: { id: string } }>(
        admin,
        'mutation ($input: CreateServiceInput!) { createService(input: $input) { id } }',
        { input: { type, params, isOwnType } },
      )
      if (errors) throw new Error(errors[0]!.message)
      return data.createService.id
    },
    hook(type, service, rest = '') {
      const path = `/inbound/${type}/${service}${rest}`
      return { url: `${app.url}${path}`, publicUrl: `${PUBLIC_URL}${path}` }
    },
    receivedBy: (service) =>
      sql.query<Said>(
        `select m.*, c.contact_id from inbound_message i join message m on m.id = i.message_id
       join conversation c on c.id = m.conversation_id where i.service_id = $1 order by m.id`,
        [service],
      ),
    async answer(conversation, message, as = agent) {
      const { data, errors } = await app.gql<{ sendMessage: { id: string } }>(
        as,
        'mutation ($id: ID!, $message: MessageInput!) { sendMessage(conversation: $id, message: $message) { id } }',
        { id: conversation, message: { role: 'AGENT', ...message } },
      )
      if (errors) throw new Error(errors[0]!.message)
      return data.sendMessage.id
    },
    becomes: (message, status) =>
      until(async () => {
        const row = await delivery(message)
        return row?.status === status && row
      }),
  }
}
