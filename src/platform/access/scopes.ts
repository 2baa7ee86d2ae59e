/** Scopes in ascending order (section 5.3); each includes those before it. */
export const SCOPES = ['guest', 'agent', 'bot', 'admin'] as const
export type Scope = (typeof SCOPES)[number]

/**
 * The one scope of the installation's operator, who creates and archives contact centers. It includes none of the scopes of
 * section 5.3 and is included in none: an operator sees nothing of a contact center's records, and no user administers others.
 */
export const OPERATOR = 'operator'

/** Roles of users (section 5). */
export const ROLES = ['viewer', 'agent', 'bot', 'admin', 'owner'] as const
export type Role = (typeof ROLES)[number]

const SCOPE_OF_ROLE: Readonly<Record<Role, Scope>> = {
  viewer: 'guest',
  agent: 'agent',
  bot: 'bot',
  admin: 'admin',
  owner: 'admin',
}

/** Returns a scope and all it includes: `bot` gives guest, agent, bot. */
export function cascade(highest: Scope): Scope[] {
  return SCOPES.slice(0, SCOPES.indexOf(highest) + 1)
}

/** Returns the scopes that a user of the role has at most. */
export function scopesOfRole(role: Role): Scope[] {
  return cascade(SCOPE_OF_ROLE[role])
}

/** Returns the scopes named in a token, cascaded and limited to those of the user's current role. */
export function effectiveScopes(named: readonly string[], role: Role): Scope[] {
  const allowed = scopesOfRole(role)
  const highest = SCOPES.findLast((scope) => named.includes(scope))
  return highest ? cascade(highest).filter((scope) => allowed.includes(scope)) : []
}
