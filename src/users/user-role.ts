import { registerEnumType } from 'type-graphql'
import type { Role } from '../access/scopes.js'

/** The values of `Role`, for GraphQL. Each corresponds to a scope (section 5). */
export const UserRole = {
  VIEWER: 'viewer',
  AGENT: 'agent',
  BOT: 'bot',
  ADMIN: 'admin',
  OWNER: 'owner',
} as const satisfies Readonly<Record<string, Role>>
registerEnumType(UserRole, {
  name: 'UserRole',
  description: 'Role of a user, which determines its scopes (section 5).',
})
