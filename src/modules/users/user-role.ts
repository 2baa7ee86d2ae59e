import type { Role } from '../../platform/access/scopes.js'
import { graphqlEnum } from '../../platform/lists/graphql-enum.js'

export const UserRole = graphqlEnum('UserRole', 'Role of a user, which determines its scopes (section 5).', {
  VIEWER: ['viewer', 'Reads what its organization has.'],
  AGENT: ['agent', 'Talks to consumers.'],
  BOT: ['bot', 'A program that takes part with an API token.'],
  ADMIN: ['admin', 'Sets up the organization and those below it.'],
  OWNER: ['owner', 'An administrator who may appoint other owners.'],
}) satisfies Readonly<Record<string, Role>>
