import type { Role } from '../../src/platform/access/scopes.js'
import { scopesOfRole } from '../../src/platform/access/scopes.js'
import { createPasswordHasher, type PasswordCost } from '../../src/modules/auth/passwords.js'
import type { TokenSigner } from '../../src/modules/auth/tokens.js'
import { insertCenter } from '../../src/modules/organizations/center-rows.js'
import { systemClock } from '../../src/platform/db/clock.js'
import type { Sql } from '../../src/platform/db/database.js'
import type { OrganizationPath } from '../../src/platform/db/tenancy.js'

export interface MadeOrganization {
  id: string
  name: string
  path: OrganizationPath
}

export interface MadeUser {
  id: string
  email: string
  role: Role
  organization: MadeOrganization
}

export interface UserOptions {
  organization: MadeOrganization
  role?: Role
  email?: string
  /** Without one the user cannot sign in by password. */
  password?: string
  status?: string
  displayName?: string
}

export interface Factories {
  /** A contact center without `parent`, and without an owner; else an organization below it. */
  makeOrganization(options?: { parent?: MadeOrganization; name?: string; country?: string }): Promise<MadeOrganization>
  /** An active agent unless said otherwise. */
  makeUser(options: UserOptions): Promise<MadeUser>
  /** A new sign-in's access token. */
  tokenFor(user: MadeUser): Promise<string>
}

/** A cost of passwords that takes no time, which adds up over hundreds of servers. `auth/passwords` has the product's. */
export const CHEAP: PasswordCost = { memoryCost: 64, timeCost: 1 }

/** Records by plain SQL, below every rule: what a test stands on, not what it tests. */
export function createFactories(server: { readonly database: Sql; readonly signer: TokenSigner }): Factories {
  const hasher = createPasswordHasher({ cost: CHEAP })
  return {
    async makeOrganization({ parent, name = 'An organization', country } = {}) {
      if (!parent) {
        const { id } = await insertCenter(server.database, systemClock, name)
        if (country) await server.database.query('update organization set country = $2 where id = $1', [id, country])
        return { id, name, path: [id] }
      }
      const id = systemClock.newId()
      const path = [...parent.path, id] as unknown as OrganizationPath
      await server.database.query(
        `insert into organization (id, organization_id, org1, org2, org3, created_at, updated_at, name, country,
           parent_id, level)
         values ($1, $1, $2, $3, $4, $5, $5, $6, $7, $8, $9)`,
        [id, path[0], path[1], path[2], systemClock.now(), name, country, parent.id, path.length],
      )
      return { id, name, path }
    },

    async makeUser({ organization, role = 'agent', password, status = 'active', ...options }) {
      const id = systemClock.newId()
      const email = options.email ?? `${role}-${id}@example.com`
      const { path } = organization
      await server.database.query(
        `insert into app_user (id, organization_id, org1, org2, org3, created_at, updated_at, email, password_hash, role,
           status, display_name, provider)
         values ($1, $2, $3, $4, $5, $6, $6, $7, $8, $9, $10, $11, 'local')`,
        [
          id,
          organization.id,
          path[0],
          path[1],
          path[2],
          systemClock.now(),
          email,
          password === undefined ? null : await hasher.hash(password),
          role,
          status,
          options.displayName ?? `The ${role}`,
        ],
      )
      return { id, email, role, organization }
    },

    async tokenFor(user) {
      const family = systemClock.newId()
      await server.database.query(
        `insert into token_family (id, user_id, created_at, expires_at) values ($1, $2, now(), now() + interval '30 days')`,
        [family, user.id],
      )
      const { token } = await server.signer.signAccess({
        user: user.id,
        organization: user.organization.id,
        scopes: scopesOfRole(user.role),
        family,
      })
      return token
    },
  }
}
