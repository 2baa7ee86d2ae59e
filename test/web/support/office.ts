import type { Page } from 'playwright-core'
import { startTestServer, type TestServer } from '../../support/test-server.js'
import type { MadeOrganization, MadeUser } from '../../support/factories.js'

export const PASSWORD = 'a password for tests'

export interface TestOffice extends TestServer {
  organization: MadeOrganization
  owner: MadeUser
  ann: MadeUser
  bob: MadeUser
  /** The bot behind the touchpoints, which speaks for the consumers. */
  bot: MadeUser
  channel: string
  /** A consumer's first message. @returns the conversation's id */
  arrive(name: string, text: string, more?: Record<string, unknown>): Promise<string>
  /** A consumer's next message. */
  say(conversation: string, text: string): Promise<void>
}

/** An organization with a channel of two agents. */
export async function startOffice(env: Record<string, string> = {}): Promise<TestOffice> {
  const server = await startTestServer(env)
  const organization = await server.makeOrganization({ name: 'Harbour Boats', country: 'NL' })
  const make = (displayName: string, role: 'agent' | 'bot' | 'owner') =>
    server.makeUser({
      organization,
      role,
      displayName,
      password: role === 'bot' ? undefined : PASSWORD,
      email: `${displayName.split(' ')[0]!.toLowerCase()}@harbour.example`,
    })
  const [owner, ann, bob, bot] = [
    await make('Olga Owner', 'owner'),
    await make('Ann de Vries', 'agent'),
    await make('Bob Jansen', 'agent'),
    await make('Widget', 'bot'),
  ]
  const { data } = await server.gql(
    owner,
    'mutation ($input: CreateChannelInput!) { createChannel(input: $input) { id } }',
    {
      input: { organization: organization.id, name: 'Service yard', members: [{ user: ann.id }, { user: bob.id }] },
    },
  )
  let arrivals = 0
  return {
    ...server,
    organization,
    owner,
    ann,
    bob,
    bot,
    channel: data.createChannel.id,
    async arrive(name, text, more = {}) {
      const input = {
        organization: organization.id,
        type: 'CONTACT',
        contact: { profile: { name, email: `consumer${++arrivals}@example.com` } },
        touchpoint: 'WEB',
        messages: [{ role: 'CONTACT', text }],
        ...more,
      }
      const answer = await server.gql(
        bot,
        'mutation ($input: CreateConversationInput!) { createConversation(input: $input) { id } }',
        { input },
      )
      if (answer.errors) throw new Error(answer.errors[0]!.message)
      return answer.data.createConversation.id
    },
    async say(conversation, text) {
      const answer = await server.gql(
        bot,
        'mutation ($c: ID!, $m: MessageInput!) { sendMessage(conversation: $c, message: $m) { id } }',
        {
          c: conversation,
          m: { role: 'CONTACT', text },
        },
      )
      if (answer.errors) throw new Error(answer.errors[0]!.message)
    },
  }
}

export async function signIn(page: Page, { email }: MadeUser): Promise<void> {
  await page.getByRole('textbox', { name: 'Email' }).fill(email)
  await page.getByRole('textbox', { name: 'Password' }).fill(PASSWORD)
  await page.getByRole('button', { name: 'Sign in' }).click()
  // The dot: the word is silent where the rail has a page of that name.
  await page.locator('.rail .live .good').waitFor()
}
