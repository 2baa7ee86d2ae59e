import type { ConversationFixture, Outcome } from '../conversations/conversation-fixture.js'
import type { MadeUser } from '../support/factories.js'

export interface MadeHold {
  id: string
  name: string
  contacts: string[]
  conversations: string[]
  users: string[]
  from: string | null
  to: string | null
  createdById: string
  releasedAt: string | null
  releasedById: string | null
  version: number
}

export interface Kept {
  conversationId: string
  messageId: string
  holds: string[]
  deed: string
  changedById: string | null
  text: string | null
  meta: Record<string, unknown> | null
}

const HOLD = 'id name reason contacts conversations users from to createdById releasedAt releasedById version'
export const CREATE_HOLD = `mutation ($input: CreateHoldInput!) { createHold(input: $input) { ${HOLD} } }`
const RELEASE = `mutation ($id: ID!) { releaseHold(id: $id) { ${HOLD} } }`
const KEPT = `query ($hold: ID, $conversation: ID) { heldMessages(hold: $hold, conversation: $conversation) {
  edges { node { conversationId messageId holds deed changedById text meta } } } }`

export interface Holds {
  try(input: object, as?: MadeUser): Promise<Outcome<MadeHold>>
  make(input: object, as?: MadeUser): Promise<MadeHold>
  release(id: string, as?: MadeUser): Promise<MadeHold>
  tryKept(by: { hold?: string; conversation?: string }, as?: MadeUser): Promise<Outcome<unknown>>
  kept(by: { hold?: string; conversation?: string }): Promise<Kept[]>
}

/** Makes and releases holds as the fixture's administrator. */
export function holdsOf(fixture: ConversationFixture): Holds {
  const given = (input: object): object => ({ name: 'Case 7', reason: 'A court asked for it', ...input })
  const must = async <T>(outcome: Promise<Outcome<T>>): Promise<T> => {
    const { value, code, message } = await outcome
    if (code) throw new Error(`${code}: ${message}`)
    return value
  }
  const create: Holds['try'] = (input, as = fixture.admin) => fixture.run(as, CREATE_HOLD, { input: given(input) })
  const tryKept: Holds['tryKept'] = (by, as = fixture.admin) => fixture.run(as, KEPT, by)
  return {
    try: create,
    make: (input, as) => must(create(input, as)),
    release: (id, as = fixture.admin) => must(fixture.run<MadeHold>(as, RELEASE, { id })),
    tryKept,
    async kept(by) {
      const { edges } = (await must(tryKept(by))) as { edges: { node: Kept }[] }
      return edges.map(({ node }) => node)
    },
  }
}
