import type { MadeOrganization, MadeUser, UserOptions } from '../support/factories.js'
import { startTestServer, type GraphqlAnswer, type TestServer } from '../support/test-server.js'

/** Basis of the tests of conversations: an organization with an administrator, a bot, two agents, a channel. */
export interface ConversationFixture extends TestServer {
  organization: MadeOrganization
  admin: MadeUser
  bot: MadeUser
  ann: MadeUser
  ben: MadeUser
  /** Its members are Ann and Ben. Without workflows, every queueing notifies it. */
  channel: string
  makeAgent(options?: Partial<UserOptions>): Promise<MadeUser>
  makeChannel(name: string, members?: MadeUser[], organization?: MadeOrganization): Promise<string>
  makeWorkflow(rules: object[], options?: { organization?: MadeOrganization; [key: string]: unknown }): Promise<string>
  /** By the bot, with a contact of its own unless the input says otherwise. Fails when it is refused. */
  create(input?: Record<string, unknown>, as?: MadeUser | string): Promise<Shown>
  tryCreate(input: Record<string, unknown>, as?: MadeUser | string, key?: string): Promise<Outcome<Shown>>
  send(as: MadeUser | string, conversation: string, message: object, key?: string): Promise<Outcome<SentMessage>>
  command(as: MadeUser | string, conversation: string, text: string, more?: object): Promise<Outcome<SentMessage>>
  show(conversation: string, as?: MadeUser | string): Promise<Shown>
  /** A conversation in this status, with Ann in it where somebody must be. */
  inStatus(status: Shown['status']): Promise<Shown>
  run<T>(as: MadeUser | string | null, query: string, variables?: Record<string, unknown>): Promise<Outcome<T>>
}

export interface Outcome<T> {
  value: T
  code?: string
  message?: string
  details: Record<string, unknown>
}

/** Resolves with what an operation answers. @throws Error for a refusal */
export async function must<T>(outcome: Promise<Outcome<T>>): Promise<T> {
  const { value, code, message } = await outcome
  if (code) throw new Error(`${code}: ${message}`)
  return value
}

export interface SentMessage {
  id: string
  position: number
  text: string
  meta: Record<string, unknown> | null
  isBackchannel: boolean
  userId: string | null
}

export interface ShownParticipant {
  userId: string
  name: string
  unreadCount: number
  inbox: boolean
  accepted: boolean
  active: boolean
  follow: boolean
}

export interface Shown {
  id: string
  status: 'QUEUED' | 'ACTIVE' | 'CLOSED' | 'ARCHIVED'
  name: string
  contactId: string
  touchpoint: string | null
  touchpoints: Record<string, { selected: boolean } | null>
  category: string | null
  categoryIndex: number | null
  language: string | null
  channels: string[]
  channelsOffline: string[]
  meta: Record<string, unknown>
  preview: string | null
  participants: ShownParticipant[]
  messages: { edges: { node: ShownMessage }[] }
  routingTrace: { trigger: string; queueing: number; entries: TraceEntry[] }[]
}

export interface ShownMessage {
  id: string
  text: string | null
  role: string
  type: string
  userId: string | null
  meta: Record<string, unknown> | null
  likes: string[]
  comments: { userId: string; messageId: string; text: string }[]
}

export interface TraceEntry {
  rule: { name: string } | null
  workflow: { name: string } | null
  outcome: string
  reason: string
  conditions: Record<string, unknown>[] | null
  channelsNotified: string[]
  channelsOffline: string[]
  users: string[]
  delaySeconds: number | null
}

const SHOWN = `id status name contactId touchpoint
  touchpoints { web { selected } email { selected } sms { selected } messenger { selected } } category categoryIndex language channels channelsOffline
  meta preview participants { userId name unreadCount inbox accepted active follow }
  messages(first: 100) { edges { node { id text role type userId meta likes comments { userId messageId text } } } }
  routingTrace { trigger queueing entries { rule { name } workflow { name } outcome reason
    conditions { depth kind fact path operator value isFound factValue result } channelsNotified
    channelsOffline users delaySeconds } }`

const CREATE = `mutation ($input: CreateConversationInput!, $key: String) {
  createConversation(input: $input, idempotencyKey: $key) { ${SHOWN} } }`
const SEND = `mutation ($id: ID!, $message: MessageInput!, $key: String) {
  sendMessage(conversation: $id, message: $message, idempotencyKey: $key) { id position text meta isBackchannel userId } }`

let contacts = 0
export const newContact = (name = 'Carl'): object => {
  return { profile: { name, email: `carl-${Date.now()}-${contacts++}@example.com` } }
}

export async function startConversationFixture(
  ...given: Parameters<typeof startTestServer>
): Promise<ConversationFixture> {
  const server = await startTestServer(...given)
  const organization = await server.makeOrganization({ name: 'Acme' })
  const [admin, bot, ann, ben] = await Promise.all([
    server.makeUser({ organization, role: 'admin', displayName: 'Ada' }),
    server.makeUser({ organization, role: 'bot', displayName: 'Bot' }),
    server.makeUser({ organization, displayName: 'Ann' }),
    server.makeUser({ organization, displayName: 'Ben' }),
  ])

  const run: ConversationFixture['run'] = async (as, query, variables) =>
    outcome(await server.gql(as, query, variables))
  const must = async <T>(as: MadeUser, query: string, variables: Record<string, unknown>): Promise<T> => {
    const { value, code, message } = await run<T>(as, query, variables)
    if (code) throw new Error(`${code}: ${message}`)
    return value
  }
  const makeChannel: ConversationFixture['makeChannel'] = async (name, members = [], owner = organization) => {
    const input = { name, organization: owner.id, members: members.map(({ id }) => ({ user: id })) }
    const by = owner === organization ? admin : await server.makeUser({ organization: owner, role: 'admin' })
    const { id } = await must<{ id: string }>(
      by,
      'mutation ($input: CreateChannelInput!) { createChannel(input: $input) { id } }',
      { input },
    )
    return id
  }
  const channel = await makeChannel('Sales', [ann, ben])
  const tryCreate: ConversationFixture['tryCreate'] = (input, as = bot, key) =>
    run(as, CREATE, { input: { contact: newContact(), touchpoint: 'WEB', ...input }, key })
  const create: ConversationFixture['create'] = async (input = {}, as = bot) => {
    const { value, code, message } = await tryCreate(input, as)
    if (code) throw new Error(`${code}: ${message}`)
    return value
  }
  const send: ConversationFixture['send'] = (as, id, message, key) => run(as, SEND, { id, message, key })
  const command: ConversationFixture['command'] = (as, id, text, more = {}) =>
    send(as, id, { type: 'COMMAND', text, ...more })
  const show: ConversationFixture['show'] = async (id, as = admin) => {
    const { value, code, message } = await run<Shown>(as, `query ($id: ID!) { conversation(id: $id) { ${SHOWN} } }`, {
      id,
    })
    if (code) throw new Error(`${code}: ${message}`)
    return value
  }
  return {
    ...server,
    organization,
    admin,
    bot,
    ann,
    ben,
    channel,
    makeChannel,
    tryCreate,
    create,
    send,
    command,
    show,
    run,
    makeAgent: (options = {}) => server.makeUser({ organization, ...options }),
    async makeWorkflow(rules, { organization: owner = organization, ...rest } = {}) {
      const by = owner === organization ? admin : await server.makeUser({ organization: owner, role: 'admin' })
      const input = { name: 'Routing', organization: owner.id, rules, ...rest }
      const { id } = await must<{ id: string }>(
        by,
        'mutation ($input: CreateWorkflowInput!) { createWorkflow(input: $input) { id } }',
        { input },
      )
      return id
    },
    async inStatus(status) {
      const { id } = await create({ messages: [{ role: 'CONTACT', text: 'hello' }] })
      if (status === 'ACTIVE' || status === 'CLOSED') await send(ann, id, { role: 'AGENT', text: 'hi' })
      if (status === 'CLOSED') await command(ann, id, '/leave')
      // Nothing but /import archives, which has a suite of its own.
      if (status === 'ARCHIVED') {
        await server.server.database.query(
          `update conversation set status = 'archived', channels = '{}', channels_offline = '{}' where id = $1`,
          [id],
        )
      }
      return show(id)
    },
  }
}

function outcome<T>({ data, errors }: GraphqlAnswer<Record<string, T>>): Outcome<T> {
  const value = Object.values(data ?? {})[0] as T
  const error = errors?.[0]
  if (!error) return { value, details: {} }
  const { code, ...details } = error.extensions
  return { value, code, message: error.message, details }
}

/** A rule that fires always unless it has conditions. */
export const rule = (params: object, more: { priority?: number; conditions?: object } = {}): object => ({
  conditions: { all: [] },
  event: { type: 'notify', params },
  ...more,
})

export const texts = ({ messages }: Pick<Shown, 'messages'>): (string | null)[] =>
  messages.edges.map(({ node }) => node.text)

export { until } from '../support/until.js'
