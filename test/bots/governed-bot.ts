import { must, texts, type ConversationFixture, type Outcome } from '../conversations/conversation-fixture.js'
import type { MadeUser } from '../support/factories.js'

export interface Line {
  action: string
  mode: string
  conditions?: object
}

export interface Governance {
  version: number
  grants: (Line & { organizationId: string })[]
}

export interface Governed {
  id: string
  governance: Governance | null
}

/** Sends where the fixture does not: as by another node. */
export const SEND =
  'mutation ($id: ID!, $message: MessageInput!) { sendMessage(conversation: $id, message: $message) { id } }'
const GOVERNED = 'id governance { version grants { action mode conditions organizationId } }'
const SET = `mutation ($bot: ID!, $grants: [BotGrantInput!]!, $organization: ID, $ifVersion: Int) {
  setBotGrants(bot: $bot, grants: $grants, organization: $organization, ifVersion: $ifVersion) { ${GOVERNED} } }`
const RELEASE = `mutation ($id: ID!) { releaseBot(id: $id) { ${GOVERNED} } }`

export const ACTIONS = ['NOTE', 'REPLY', 'SET', 'HAND_OVER', 'ACCEPT', 'CLOSE', 'OTHER']

/** Lines that let the bot do these by itself, and nothing else. */
export const acting = (...actions: string[]): Line[] => actions.map((action) => ({ action, mode: 'ACT' }))

export const allBut = (...actions: string[]): Line[] => acting(...ACTIONS.filter((each) => !actions.includes(each)))

/** The acts of an administrator who governs bots. */
export function governing({ admin, organization, run, rest, makeUser, create, show }: ConversationFixture) {
  const makeBot = (): Promise<MadeUser> => makeUser({ organization, role: 'bot' })
  const govern = (
    bot: MadeUser,
    grants: Line[],
    { as = admin, ...more }: { as?: MadeUser | string | undefined; organization?: string; ifVersion?: number } = {},
  ): Promise<Outcome<Governed>> => run<Governed>(as, SET, { bot: bot.id, grants, ...more })
  return {
    makeBot,
    govern,
    async governed(grants: Line[], as?: MadeUser): Promise<MadeUser> {
      const bot = await makeBot()
      await must(govern(bot, grants, { as }))
      return bot
    },
    async setCategories(...names: string[]): Promise<void> {
      const categories = names.map((name) => ({ name }))
      await rest(admin, 'PATCH', `/v2/organizations/${organization.id}`, { categories })
    },
    /** A conversation that waits. */
    waiting: (): Promise<{ id: string }> => create({ messages: [{ role: 'CONTACT', text: 'hello' }] }),
    textsOf: async (id: string): Promise<unknown[]> => texts(await show(id)),
    async markOf(id: string, as: MadeUser | string = admin): Promise<string> {
      const { mark } = await must(
        run<{ mark: string }>(as, 'query ($id: ID!) { conversation(id: $id) { mark } }', { id }),
      )
      return mark
    },
    release: (bot: MadeUser, as: MadeUser | string = admin): Promise<Outcome<Governed>> =>
      run<Governed>(as, RELEASE, { id: bot.id }),
  }
}

/** A refusal for want of a grant. */
export const refused = (action: string, mode = 'NONE'): object => ({
  code: 'FORBIDDEN',
  details: { reason: 'NO_GRANT', action, mode },
})
