import type { Scope } from '../../platform/access/scopes.js'
import { graphqlEnum } from '../../platform/lists/graphql-enum.js'

export const TokenScope = graphqlEnum('TokenScope', 'Scope of a token; each includes those before it (section 5.3).', {
  GUEST: ['guest', 'Reads what a consumer sees, and writes messages.'],
  AGENT: ['agent', 'Takes part in conversations.'],
  BOT: ['bot', 'Reads most records, and changes contacts, forms and messages.'],
  ADMIN: ['admin', 'Changes all records of the organization and those below it.'],
}) satisfies Readonly<Record<string, Scope>>
export type TokenScope = (typeof TokenScope)[keyof typeof TokenScope]
