import type { MadeUser } from '../../support/factories.js'
import type { TestOffice } from './office.js'

export interface Line {
  action: string
  mode: string
  conditions?: object
}

export interface Suggested {
  id: string
  hash: string
}

const GOVERN = `mutation ($bot: ID!, $grants: [BotGrantInput!]!, $ifVersion: Int) {
  setBotGrants(bot: $bot, grants: $grants, ifVersion: $ifVersion) { id governance { version } } }`
const SUGGEST = `mutation ($c: ID!, $s: SuggestionInput!, $mark: String!) {
  propose(conversation: $c, suggestion: $s, mark: $mark) { id hash } }`
const MARK = 'query ($id: ID!) { conversation(id: $id) { mark } }'
const PROPOSE = `mutation ($c: ID!, $m: MessageInput!) { propose(conversation: $c, message: $m) { id hash } }`

/** Acts of a bot and its administrator by the interface, beside what is done in the browser. */
export function botsOf(office: TestOffice) {
  // oxlint-disable-next-line typescript/no-explicit-any -- as the answer is
  async function run(as: MadeUser, query: string, variables: object): Promise<any> {
    const { data, errors } = await office.gql(as, query, { ...variables })
    if (errors) throw new Error(errors[0]!.message)
    return Object.values(data)[0]
  }
  return {
    run,
    make: (displayName: string): Promise<MadeUser> =>
      office.makeUser({ organization: office.organization, role: 'bot', displayName }),
    govern: (bot: MadeUser, grants: Line[], ifVersion?: number): Promise<unknown> =>
      run(office.owner, GOVERN, { bot: bot.id, grants, ifVersion }),
    /** Proposes for the state as it is now. */
    async suggest(bot: MadeUser, conversation: string, message: object = {}): Promise<Suggested> {
      const { mark } = await run(office.owner, MARK, { id: conversation })
      const m = { role: 'AGENT', text: 'Your order left the harbour yesterday.', mark, ...message }
      return run(bot, PROPOSE, { c: conversation, m })
    },
    /** Suggests what people take, such as a category, for the state as it is now. */
    async suggestToTake(bot: MadeUser, conversation: string, s: object): Promise<Suggested> {
      const { mark } = await run(office.owner, MARK, { id: conversation })
      return run(bot, SUGGEST, { c: conversation, s, mark })
    },
    statusOf: async ({ id }: Pick<Suggested, 'id'>): Promise<string> =>
      (await run(office.owner, 'query ($id: ID!) { proposal(id: $id) { status } }', { id })).status,
    async messagesOf(conversation: string): Promise<{ text: string; userId: string; approvedById: string | null }[]> {
      const query = `query ($id: ID!) { conversation(id: $id) {
        messages(last: 50) { edges { node { type text userId approvedById } } } } }`
      const { messages } = await run(office.owner, query, { id: conversation })
      return messages.edges
        .map(({ node }: { node: object }) => node)
        .filter(({ type }: { type: string }) => type === 'CHAT')
    },
  }
}
