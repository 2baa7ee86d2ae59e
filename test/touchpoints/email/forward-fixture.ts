import { expect } from '@jest/globals'
import type { MadeOrganization, MadeUser } from '../../support/factories.js'
import { startMailbox, type Arrived, type Mailbox } from '../../support/mailbox.js'
import { startTestServer, type TestServer } from '../../support/test-server.js'
import { until } from '../../support/until.js'
import { freePort } from '../../../bench/chaos/free-port.js'
import { rawMail, type MailParts } from './mails.js'

export const SUPPORT = 'support@boats.example'
export const SUPPLIER = 'sara@supplier.example'
const SECRET = 'an inbound secret of the test'

const MESSAGE = `id conversationId role isBackchannel text touchpoint meta answeredForwardingId
  forwarding { messageId to } recipients { to } author { __typename }
  mail { from { address name } auth }
  deliveries { id status reason code recipient copies { address status reason } }`

const FORWARD = `mutation ($message: ID!, $to: [String!]!, $note: String, $evenIfInternal: Boolean, $key: String) {
  forwardMessage(message: $message, to: $to, note: $note, evenIfInternal: $evenIfInternal, idempotencyKey: $key) { ${MESSAGE} } }`

export interface Seen {
  id: string
  conversationId: string
  role: string
  isBackchannel: boolean
  text: string | null
  touchpoint: string | null
  meta: Record<string, unknown> | null
  answeredForwardingId: string | null
  forwarding: { messageId: string; to: string[] } | null
  recipients: object | null
  author: object | null
  mail: { from: { address: string; name: string | null }; auth: string } | null
  deliveries: {
    id: string
    status: string
    reason: string | null
    code: string | null
    recipient: string | null
    copies: { address: string; status: string; reason: string | null }[]
  }[]
}

export interface Received {
  message: string
  conversation: string
  contact: string | null
  isRepeat: boolean
  ignored?: string
}

export type ForwardFixture = Awaited<ReturnType<typeof startForwardFixture>>

/** An organization with an email service, a mail server on the other side, and consumers who write. */
export async function startForwardFixture(env: Record<string, string> = {}) {
  const box: Mailbox = await startMailbox()
  const port = await freePort()
  const app: TestServer = await startTestServer({
    SMTP_URL: box.url,
    MAIL_SENDERS: 'any',
    SMTP_LISTEN_PORT: String(port),
    SMTP_LISTEN_HOST: '127.0.0.1',
    ...env,
  })
  const organization: MadeOrganization = await app.makeOrganization({ name: 'Harbour Boats' })
  const admin: MadeUser = await app.makeUser({ organization, role: 'admin' })
  const agent: MadeUser = await app.makeUser({ organization, displayName: 'Ann' })
  let count = 0

  async function must(as: MadeUser | string, document: string, variables: Record<string, unknown> = {}) {
    const { data, errors } = await app.gql(as, document, variables)
    expect(errors).toBeUndefined()
    return data
  }

  const made = await must(admin, 'mutation ($input: CreateServiceInput!) { createService(input: $input) { id } }', {
    input: { type: 'email', name: 'Mail', params: { address: SUPPORT, inboundSecret: SECRET } },
  })
  const service: string = made.createService.id

  async function post(raw: string, to = service): Promise<Received> {
    const response = await fetch(`${app.url}/inbound/email/${to}`, {
      method: 'POST',
      headers: { 'content-type': 'message/rfc822', 'x-inbound-secret': SECRET },
      body: raw,
    })
    expect(response.status).toBe(200)
    return (await response.json()) as Received
  }

  const mail = (parts: Partial<MailParts>): Promise<Received> => {
    count += 1
    return post(rawMail({ to: SUPPORT, messageId: `mail-${count}@example.com`, ...parts }))
  }

  /** Waits for a mail that was sent to an address, with a subject of this kind. */
  async function sentTo(address: string, subject: string): Promise<Arrived> {
    const found = (): Arrived | undefined =>
      box.mails.findLast(({ to, email }) => to.includes(address) && email.subject?.includes(subject))
    await until(() => Promise.resolve(found() !== undefined))
    return found()!
  }

  async function shown(id: string, as = admin): Promise<Seen> {
    return (await must(as, `query ($id: ID!) { message(id: $id) { ${MESSAGE} } }`, { id })).message
  }

  async function messagesOf(conversation: string, as: MadeUser | string = admin): Promise<Seen[]> {
    const found = await must(
      as,
      `query ($id: ID!) { conversation(id: $id) { messages(first: 100) { edges { node { ${MESSAGE} } } } } }`,
      { id: conversation },
    )
    return found.conversation.messages.edges.map((edge: { node: Seen }) => edge.node)
  }

  const becomes = (message: string, status: string): Promise<Seen> =>
    until(async () => {
      const seen = await shown(message)
      return seen.deliveries[0]?.status === status && seen
    })

  return {
    app,
    box,
    port,
    organization,
    admin,
    agent,
    service,
    must,
    post,
    mail,
    sentTo,
    shown,
    messagesOf,
    becomes,
    /** A mail of a new consumer, whose conversation the agent has accepted. */
    async begin(name: string, parts: Partial<MailParts> = {}): Promise<Received> {
      const received = await mail({ from: `${name} <${name}@example.com>`, text: `I am ${name}`, ...parts })
      await must(agent, 'mutation ($id: ID!) { acceptConversation(conversation: $id) { id } }', {
        id: received.conversation,
      })
      return received
    },
    async forward(message: string, to: string[], more: object = {}, as = agent): Promise<Seen> {
      return (await must(as, FORWARD, { message, to, ...more })).forwardMessage
    },
    async refusal(message: string, to: unknown, more: object = {}, as: MadeUser | string = agent) {
      const { errors } = await app.gql(as, FORWARD, { message, to, ...more })
      return { ...errors?.[0]?.extensions, message: errors?.[0]?.message }
    },
    /** An answer to a mail that arrived at the other side. */
    answer: (sent: Arrived, parts: Partial<MailParts> = {}): Promise<Received> =>
      mail({
        from: `Sara <${SUPPLIER}>`,
        to: sent.email.replyTo![0]!.address!,
        subject: `Re: ${sent.email.subject}`,
        headers: { 'In-Reply-To': sent.email.messageId!, References: sent.email.messageId! },
        ...parts,
      }),
    async close(): Promise<void> {
      await app.close()
      await box.close()
    },
  }
}
