import type { Client } from 'graphql-ws'
import type { MadeUser } from '../support/factories.js'
import { liveClient, subscribe } from '../support/live-client.js'
import { startConversationFixture, until, type ConversationFixture } from './conversation-fixture.js'

export interface OfferState {
  id: string
  status: string
  offer: { id: string; userId: string; until: string } | null
  routingTrace: { candidates: { userId: string; outcome: string; load: number }[] }[]
}

/** A conversation fixture with agents who take offers. */
export interface Office extends ConversationFixture {
  /** Makes a channel of these members, with settings of its assignment. */
  channelWith(assignment: object | null, members: MadeUser[]): Promise<string>
  /** Subscribes the agent to its queues and makes it available. */
  ready(agent: MadeUser, capacity?: number): Promise<void>
  setAvailability(agent: MadeUser, is: string): Promise<void>
  /** A conversation that waits in this channel alone. */
  wait(...channels: string[]): Promise<string>
  stateOf(id: string): Promise<OfferState>
  /** Waits for an offer of the conversation, to this agent if one is given. */
  offered(id: string, to?: MadeUser): Promise<OfferState>
  /** Waits until the conversation has this status. */
  becomes(id: string, status: string): Promise<OfferState>
  loadOf(agent: MadeUser): Promise<number>
  availabilityOf(agent: MadeUser): Promise<string>
  consumerSays(id: string, text: string): Promise<void>
  /** Ends the sockets of the agents. */
  disconnect(): Promise<void>
}

const ASSIGN = 'mutation ($id: ID!, $patch: UpdateChannelInput!) { updateChannel(id: $id, patch: $patch) { id } }'
const AVAILABLE = 'mutation ($is: Availability!) { setAvailability(availability: $is) { availability } }'
const CAPACITY = 'mutation ($u: ID!, $c: Int!) { updateStaff(user: $u, patch: { capacity: $c }) { load } }'
const OFFER = `query ($id: ID!) { conversation(id: $id) { id status offer { id userId until }
  routingTrace { candidates { userId outcome load } } } }`

export async function startOffice(...given: Parameters<typeof startConversationFixture>): Promise<Office> {
  const fixture = await startConversationFixture(...given)
  const clients: Client[] = []
  const must = async <T>(as: MadeUser, query: string, variables: Record<string, unknown> = {}): Promise<T> => {
    const { value, code, message } = await fixture.run<T>(as, query, variables)
    if (code) throw new Error(`${code}: ${message}`)
    return value
  }
  const setAvailability = async (agent: MadeUser, is: string): Promise<void> =>
    void (await must(agent, AVAILABLE, { is }))
  const stateOf = (id: string): Promise<OfferState> => must(fixture.admin, OFFER, { id })
  const disconnect = async (): Promise<void> => {
    await Promise.all(clients.splice(0).map((client) => client.dispose()))
  }
  return {
    ...fixture,
    async channelWith(assignment, members) {
      const channel = await fixture.makeChannel(`Team ${crypto.randomUUID()}`, members)
      if (assignment) await must(fixture.admin, ASSIGN, { id: channel, patch: { assignment } })
      return channel
    },
    async ready(agent, capacity = 12) {
      const client = liveClient(fixture.url, await fixture.tokenFor(agent))
      clients.push(client)
      await subscribe(client, 'queue', 'subscription { queue { __typename } }').next()
      await must(fixture.admin, CAPACITY, { u: agent.id, c: capacity })
      await setAvailability(agent, 'AVAILABLE')
    },
    setAvailability,
    async wait(...channels) {
      const { id } = await fixture.create()
      const { code, message } = await fixture.command(fixture.admin, id, '/notify', { meta: { channels } })
      if (code) throw new Error(`${code}: ${message}`)
      return id
    },
    stateOf,
    offered: (id, to) =>
      until(
        () => stateOf(id),
        ({ offer }) => offer !== null && (!to || offer.userId === to.id),
      ),
    becomes: (id, status) =>
      until(
        () => stateOf(id),
        (state) => state.status === status,
      ),
    loadOf: async (agent) => (await must<{ load: number }>(agent, '{ agentState { load } }')).load,
    availabilityOf: async (agent) =>
      (await must<{ availability: string }>(agent, '{ agentState { availability } }')).availability,
    async consumerSays(id, text) {
      const { code, message } = await fixture.send(fixture.bot, id, { role: 'CONTACT', text })
      if (code) throw new Error(`${code}: ${message}`)
    },
    disconnect,
    async close() {
      await disconnect()
      await fixture.close()
    },
  }
}
