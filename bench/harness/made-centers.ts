import { systemClock } from '../../src/platform/db/clock.js'
import type { Bench } from './bench.js'
import type { SeededUser } from './seed.js'
import { OPERATOR_TOKEN } from './server-settings.js'

const CENTER =
  'mutation ($input: CreateContactCenterInput!) { createContactCenter(input: $input) { id invitation { url } } }'
const ACCEPT =
  'mutation ($token: String!, $password: String!) { acceptInvitation(token: $token, password: $password) { user } }'
const CUSTOMER = 'mutation ($input: CreateOrganizationInput!) { createOrganization(input: $input) { id } }'
const USER = 'mutation ($input: CreateUserInput!) { createUser(input: $input) { id } }'
const CHANNEL = 'mutation ($input: CreateChannelInput!) { createChannel(input: $input) { id } }'
const CONVERSATION = 'mutation ($input: CreateConversationInput!) { createConversation(input: $input) { id } }'

export interface MadeCenter {
  id: string
  /** Access token of its owner. */
  owner: string
}

/** Contact centers, customers, users and channels as an operator and an owner make them: by the product's interface. */
export class MadeCenters {
  constructor(private readonly bench: Pick<Bench, 'url' | 'tokens'>) {}

  async center(name: string): Promise<MadeCenter> {
    const input = { name, ownerEmail: `owner-${systemClock.newId()}@example.com` }
    const { id, invitation } = await this.#ask<{ id: string; invitation: { url: string } }>(OPERATOR_TOKEN, CENTER, {
      input,
    })
    const given = { token: invitation.url.split('#')[1], password: 'correct horse battery' }
    const { user } = await this.#ask<{ user: string }>(null, ACCEPT, given)
    return { id, owner: await this.#tokenOf({ id: user, organization: id, role: 'owner' }) }
  }

  async customer({ id: parent, owner }: MadeCenter, name: string): Promise<string> {
    return (await this.#ask<{ id: string }>(owner, CUSTOMER, { input: { name, parent } })).id
  }

  /** @returns an access token */
  async user({ owner }: MadeCenter, organization: string, role: 'agent' | 'bot'): Promise<string> {
    const email = `${role}-${systemClock.newId()}@example.com`
    const input = { email, organization, role: role.toUpperCase(), status: 'ACTIVE', displayName: role }
    const { id } = await this.#ask<{ id: string }>(owner, USER, { input })
    return this.#tokenOf({ id, organization, role })
  }

  async channels({ owner }: MadeCenter, organization: string, count: number): Promise<void> {
    for (let number = 1; number <= count; number++)
      await this.#ask(owner, CHANNEL, { input: { name: `Channel ${number}`, organization } })
  }

  /** @returns ids of conversations in which an agent can write */
  async conversations(token: string, count: number): Promise<string[]> {
    const ids: string[] = []
    while (ids.length < count) {
      const contact = { profile: { name: 'Consumer', email: `consumer-${systemClock.newId()}@example.com` } }
      const input = { type: 'CONTACT', touchpoint: 'WEB', contact }
      ids.push((await this.#ask<{ id: string }>(token, CONVERSATION, { input })).id)
    }
    return ids
  }

  async #tokenOf(user: SeededUser): Promise<string> {
    return (await this.bench.tokens([user]))[0]!
  }

  async #ask<Value>(token: string | null, query: string, variables: object): Promise<Value> {
    const response = await fetch(`${this.bench.url}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...(token && { authorization: `Bearer ${token}` }) },
      body: JSON.stringify({ query, variables }),
    })
    const { data, errors } = (await response.json()) as { data?: Record<string, Value>; errors?: unknown }
    if (errors || !data) throw new Error(JSON.stringify(errors))
    return Object.values(data)[0]!
  }
}
