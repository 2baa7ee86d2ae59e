import { must, type ConversationFixture, type Outcome } from '../conversations/conversation-fixture.js'
import type { MadeUser } from '../support/factories.js'
import { governing, type Line } from './governed-bot.js'

export const SHOWN = `id conversationId botId kind action status text input category fields mergeId articleId hash outcome changedShare decidedById messageId`
const SUGGEST = `mutation ($id: ID!, $suggestion: SuggestionInput, $mark: String, $key: String) {
  propose(conversation: $id, suggestion: $suggestion, mark: $mark, idempotencyKey: $key) { ${SHOWN} } }`
const TAKE = `mutation ($proposal: ID!, $key: String) { takeProposal(proposal: $proposal, idempotencyKey: $key) { ${SHOWN} } }`
const REJECT = `mutation ($proposal: ID!) { rejectProposal(proposal: $proposal) { ${SHOWN} } }`
export const APPROVE = `mutation ($proposal: ID!, $hash: String!) { approveProposal(proposal: $proposal, hash: $hash) { ${SHOWN} } }`

export interface Suggested {
  id: string
  conversationId: string
  botId: string
  kind: string
  action: string
  status: string
  text: string | null
  input: Record<string, unknown>
  category: string | null
  fields: Record<string, unknown> | null
  mergeId: string | null
  articleId: string | null
  hash: string
  outcome: string | null
  changedShare: number | null
  decidedById: string | null
  messageId: string | null
}

/** Lines that let a bot suggest everything, and do nothing by itself. */
export const MAY_SUGGEST: Line[] = ['REPLY', 'SET', 'NOTE', 'OTHER'].map((action) => ({ action, mode: 'SUGGEST' }))

/** The acts of bots that suggest, and of agents who take what they suggest. */
export function suggesting(fixture: ConversationFixture) {
  const by = governing(fixture)
  const { run, send } = fixture
  const trySuggest = async (
    as: MadeUser | string,
    id: string,
    suggestion: object,
    { mark, key }: { mark?: string; key?: string } = {},
  ): Promise<Outcome<Suggested>> =>
    run<Suggested>(as, SUGGEST, { id, suggestion, mark: mark ?? (await by.markOf(id, as)), key })
  const tryRead = ({ id }: { id: string }, as: MadeUser | string = fixture.ann): Promise<Outcome<Suggested>> =>
    run<Suggested>(as, `query ($id: ID!) { proposal(id: $id) { ${SHOWN} } }`, { id })
  return {
    ...by,
    trySuggest,
    suggested: (as: MadeUser | string, id: string, suggestion: object): Promise<Suggested> =>
      must(trySuggest(as, id, suggestion)),
    take: ({ id }: { id: string }, as: MadeUser | string = fixture.ann, key?: string) =>
      run<Suggested>(as, TAKE, { proposal: id, key }),
    reject: ({ id }: { id: string }, as: MadeUser | string = fixture.ann) =>
      run<Suggested>(as, REJECT, { proposal: id }),
    approve: ({ id, hash }: { id: string; hash: string }, as: MadeUser | string = fixture.ann) =>
      run<Suggested>(as, APPROVE, { proposal: id, hash }),
    tryRead,
    read: (proposal: { id: string }, as?: MadeUser | string): Promise<Suggested> => must(tryRead(proposal, as)),
    /** Sends an answer that was made of a suggestion. */
    answer: (id: string, proposal: { id: string }, text: string, as: MadeUser = fixture.ann, more: object = {}) =>
      send(as, id, { role: 'AGENT', text, proposal: proposal.id, ...more }),
    async pendingIn(id: string, as: MadeUser | string = fixture.ann): Promise<string[]> {
      const query = 'query ($id: ID!) { conversation(id: $id) { proposals { id } } }'
      const { proposals } = await must(run<{ proposals: { id: string }[] }>(as, query, { id }))
      return proposals.map((each) => each.id)
    },
  }
}
