import type { Client } from 'graphql-ws'
import { randomUUID } from 'node:crypto'
import { newContact, type ConversationFixture } from '../conversations/conversation-fixture.js'
import { liveClient, subscribe, type LiveSubscription } from '../support/live-client.js'
import type { MadeUser } from '../support/factories.js'
import type { TestServer } from '../support/test-server.js'

const CREATE = `mutation ($input: CreateConversationInput!, $key: String) {
  createConversation(input: $input, idempotencyKey: $key) { id status contactId messages(first: 5) { edges { node { id text } } } } }`
const SEND = `mutation ($id: ID!, $message: MessageInput!, $key: String) {
  sendMessage(conversation: $id, message: $message, idempotencyKey: $key) { id position deliveries { id status } } }`
const POLICY = 'mutation ($input: CreateSlaPolicyInput!) { createSlaPolicy(input: $input) { id } }'
const ASSIGN = 'mutation ($id: ID!, $patch: UpdateChannelInput!) { updateChannel(id: $id, patch: $patch) { id } }'
const AVAILABLE = 'mutation ($is: Availability!) { setAvailability(availability: $is) { load availability } }'
const DRAFT = 'mutation ($id: ID!, $text: String!) { saveDraft(conversation: $id, text: $text) { text } }'
const EDIT = 'mutation ($id: ID!) { updateMessage(id: $id, patch: { text: "edited" }) { id } }'

const ACCEPT = 'mutation ($id: ID!) { acceptConversation(conversation: $id) { id status } }'
const MERGE =
  'mutation ($id: ID!, $origin: ID!) { importConversation(conversation: $id, origin: $origin) { id status } }'
const CONTACT = 'mutation ($id: ID!, $patch: UpdateContactInput!) { updateContact(id: $id, patch: $patch) { id } }'
const USER = 'mutation ($id: ID!, $patch: UpdateUserInput!) { updateUser(id: $id, patch: $patch) { id } }'
const HOOK = 'mutation ($input: CreateServiceInput!) { createService(input: $input) { id } }'

const READS = [
  `{ conversations(first: 5) { edges { node { id status lastMessage { id text } participants { userId unreadCount } contact { id } clocks { breachedAt } } } totalCount } }`,
  '{ conversations(last: 5, orderBy: [{ field: CREATED_AT }]) { pageInfo { startCursor } edges { cursor node { id } } } }',
  '{ messages(first: 5) { edges { node { id text type likes deliveries { id } } } } }',
  '{ contacts(first: 5) { edges { node { id profile { name } } } } }',
  '{ users(first: 5) { edges { node { id email channels { id name } } } } }',
  '{ channels(first: 5) { edges { node { id name members { user { id } } } } } }',
  '{ agentStates { user { id } availability load } }',
  '{ me { id } organizations(first: 3) { edges { node { id name } } } }',
  '{ conversations(first: 3, filter: { name: { startsWith: "x" } }) { edges { node { id clocks { breachedAt } routingTrace { trigger } } } } }',
]

/** More of them show nothing new. */
const REFUSED_MAX = 20

/** Clients of two nodes that write, read and subscribe without ever trying again, round after round. */
export class UpgradeLoad {
  readonly refused: string[] = []
  /** Answers by operation, refused ones too. */
  readonly answers: Record<string, number> = {}
  /** Messages that were sent with a delay. */
  delayed = 0
  readonly #subscriptions: LiveSubscription<unknown>[] = []
  readonly #clients: Client[] = []
  #rounds: number[] = []
  #isOver = false
  #running: Promise<void>[] = []

  private constructor(
    private readonly fixture: ConversationFixture,
    private readonly nodes: readonly TestServer[],
  ) {}

  /**
   * Lets conversations have clocks that soon run out, offers and webhook events, and subscribes to what agents see.
   * @param hook address of a webhook
   */
  static async on(fixture: ConversationFixture, other: TestServer, hook: string): Promise<UpgradeLoad> {
    const load = new UpgradeLoad(fixture, [fixture, other])
    const targets = [
      { clock: 'FIRST_RESPONSE', minutes: 10, warnMinutes: 5 },
      { clock: 'NEXT_RESPONSE', seconds: 2, warnSeconds: 1 },
    ]
    await load.#must(fixture, fixture.admin, HOOK, { input: { type: 'webhook', params: { url: hook } } })
    await load.#must(fixture, fixture.admin, POLICY, { input: { name: 'Standard', targets } })
    await load.#must(fixture, fixture.admin, ASSIGN, { id: fixture.channel, patch: { assignment: { mode: 'OFFER' } } })
    for (const [node, agent] of [
      [fixture, fixture.ann],
      [other, fixture.ben],
    ] as const) {
      const client = liveClient(node.url, await fixture.tokenFor(agent))
      load.#clients.push(client)
      for (const field of ['queue', 'inbox', 'myConversations']) {
        const subscription = subscribe(client, field, `subscription { ${field} { __typename } }`)
        await subscription.next()
        load.#subscriptions.push(subscription)
      }
      await load.#must(node, agent, AVAILABLE, { is: 'AVAILABLE' })
    }
    return load
  }

  /** Events that the subscriptions received. */
  get events(): number {
    return this.#subscriptions.reduce((sum, { events }) => sum + events.length, 0)
  }

  start(): void {
    const half = READS.length / 2
    this.#running = this.nodes.flatMap((node) => {
      let earlier: string | null = null
      return [
        this.#repeat(async (round) => {
          earlier = await this.#write(node, round, earlier)
        }),
        this.#repeat(() => this.#read(node, READS.slice(0, half))),
        this.#repeat(() => this.#read(node, READS.slice(half))),
      ]
    })
  }

  /** Does all of it once on one more node. */
  async once(node: TestServer): Promise<void> {
    await this.#write(node, 1, await this.#write(node, 0, null))
    await this.#read(node, READS)
  }

  /** Resolves when every client has done so many more rounds, each of all that it does. */
  async rounds(count: number): Promise<void> {
    const until = this.#rounds.map((done) => done + count)
    while (this.refused.length < REFUSED_MAX && this.#rounds.some((done, index) => done < until[index]!))
      await new Promise((resolve) => setTimeout(resolve, 20))
  }

  async stop(): Promise<void> {
    this.#isOver = true
    await Promise.all(this.#running.splice(0))
    for (const { errors } of this.#subscriptions) this.refused.push(...errors.map((error) => JSON.stringify(error)))
    await Promise.all(this.#clients.splice(0).map((client) => client.dispose()))
  }

  async #repeat(run: (round: number) => Promise<void>): Promise<void> {
    const index = this.#rounds.push(0) - 1
    while (!this.#isOver && this.refused.length < REFUSED_MAX) await run(this.#rounds[index]!++)
  }

  /** @returns the conversation that it leaves, to be merged into the next one */
  async #write(node: TestServer, round: number, earlier: string | null): Promise<string | null> {
    const { admin, ann, ben, bot } = this.fixture
    const input = { contact: newContact(), touchpoint: 'WEB', messages: [{ role: 'CONTACT', text: 'hello' }] }
    const key = randomUUID()
    const made = await this.#ask<{ id: string; contactId: string }>(node, bot, CREATE, { input, key })
    if (!made) return null
    const { id } = made
    await this.#ask(node, bot, CREATE, { input, key })
    await this.#ask(node, ann, SEND, { id, message: { role: 'AGENT', text: 'Hi' }, key: randomUUID() })
    await this.#ask(node, ben, ACCEPT, { id })
    if (round % 2 === 0) {
      const later = { role: 'AGENT', text: 'later', delay: 200 }
      if (await this.#ask(node, ann, SEND, { id, message: later })) this.delayed += 1
    } else if (earlier) await this.#ask(node, admin, MERGE, { id, origin: earlier })
    const sent = await this.#ask<{ id: string }>(node, bot, SEND, { id, message: { role: 'CONTACT', text: 'And?' } })
    if (sent) await this.#ask(node, admin, EDIT, { id: sent.id })
    await this.#ask(node, admin, CONTACT, { id: made.contactId, patch: { meta: { round } } })
    await this.#ask(node, admin, USER, { id: bot.id, patch: { displayName: `Bot ${round}` } })
    for (const text of ['not yet', '']) await this.#ask(node, ann, DRAFT, { id, text })
    await this.#ask(node, ann, AVAILABLE, { is: 'AVAILABLE' })
    for (const agent of [ann, ben])
      await this.#ask(node, agent, SEND, { id, message: { type: 'COMMAND', text: '/leave' } })
    return id
  }

  async #read(node: TestServer, queries: readonly string[]): Promise<void> {
    for (const query of queries) await this.#ask(node, this.fixture.admin, query)
  }

  async #ask<T>(node: TestServer, as: MadeUser, query: string, variables: object = {}): Promise<T | null> {
    const { data, errors } = await node.gql<Record<string, T>>(as, query, { ...variables })
    const operation = /{\s*(\w+)/.exec(query)![1]!
    this.answers[operation] = (this.answers[operation] ?? 0) + 1
    if (errors) this.refused.push(`${query.slice(0, 60)}: ${errors[0]!.extensions?.code} ${errors[0]!.message}`)
    return errors ? null : (Object.values(data)[0] ?? null)
  }

  async #must(node: TestServer, as: MadeUser, query: string, variables: object): Promise<void> {
    if (!(await this.#ask(node, as, query, variables))) throw new Error(this.refused.join())
  }
}
