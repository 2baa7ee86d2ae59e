import type { Bench } from '../../harness/bench.js'

/** The owner that the bench's server starts with. */
const OWNER = { email: 'owner@example.com', password: 'correct horse battery' }

/** An office of one agent, in which consumers write. */
export interface BenchOffice {
  owner: typeof OWNER
  /** The owner's access token. */
  token: string
  /** A consumer's new conversation, which waits. @returns its id */
  arrive(text: string): Promise<string>
  /** A consumer's next message. */
  say(conversation: string, text: string, contentType?: 'TEXT_PLAIN' | 'IMAGE_PNG'): Promise<void>
  /** The id of a service of type `web`. */
  service: string
}

export async function openOffice(bench: Bench): Promise<BenchOffice> {
  const ask = async <T>(token: string | null, query: string, variables: object): Promise<T> => {
    const headers = { 'content-type': 'application/json', ...(token && { authorization: `Bearer ${token}` }) }
    const body = JSON.stringify({ query, variables })
    const response = await fetch(`${bench.url}/graphql`, { method: 'POST', headers, body })
    const { data, errors } = (await response.json()) as { data: Record<string, T>; errors?: { message: string }[] }
    if (errors) throw new Error(errors[0]!.message)
    return Object.values(data)[0]!
  }
  const { token, user } = await ask<{ token: string; user: string }>(
    null,
    'mutation ($email: String!, $password: String!) { createToken(email: $email, password: $password) { token user } }',
    OWNER,
  )
  const { organizationId: organization } = await ask<{ organizationId: string }>(token, '{ me { organizationId } }', {})
  await ask(token, 'mutation ($input: CreateChannelInput!) { createChannel(input: $input) { id } }', {
    input: { name: 'Desk', members: [{ user }] },
  })
  const service = await ask<{ id: string }>(
    token,
    'mutation ($input: CreateServiceInput!) { createService(input: $input) { id } }',
    { input: { type: 'web', params: {} } },
  )
  const { id: botId } = await ask<{ id: string }>(
    token,
    'mutation ($input: CreateUserInput!) { createUser(input: $input) { id } }',
    { input: { organization, email: 'bot@example.com', role: 'BOT' } },
  )
  const [bot] = await bench.tokens([{ id: botId, organization, role: 'bot' }])
  let arrivals = 0
  return {
    owner: OWNER,
    token: token!,
    service: service.id,
    async arrive(text) {
      const contact = { profile: { name: `Consumer ${++arrivals}`, email: `consumer-${arrivals}@example.com` } }
      const input = { organization, type: 'CONTACT', contact, touchpoint: 'WEB', messages: [{ role: 'CONTACT', text }] }
      const made = await ask<{ id: string }>(
        bot!,
        'mutation ($input: CreateConversationInput!) { createConversation(input: $input) { id } }',
        { input },
      )
      return made.id
    },
    async say(conversation, text, contentType = 'TEXT_PLAIN') {
      await ask(bot!, 'mutation ($c: ID!, $m: MessageInput!) { sendMessage(conversation: $c, message: $m) { id } }', {
        c: conversation,
        m: { role: 'CONTACT', text, contentType },
      })
    },
  }
}
