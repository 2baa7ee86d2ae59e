import { randomBytes } from 'node:crypto'
import type { Clock } from '../../platform/db/clock.js'
import type { Database } from '../../platform/db/database.js'
import { insertCenter, setFirstOwner } from './center-rows.js'

export interface BootstrapOptions {
  database: Database
  clock: Clock
  hashPassword: (password: string) => Promise<string>
  /** `ADMIN_EMAIL`; default: `admin@localhost`. */
  adminEmail: string | undefined
  /** `ADMIN_PASSWORD`; default: generated. */
  adminPassword: string | undefined
}

/** The owner created by a first start. */
export interface FirstOwner {
  organization: string
  user: string
  email: string
  /** To be shown once; null when `ADMIN_PASSWORD` was given. */
  generatedPassword: string | null
}

/** An arbitrary constant: if several nodes start on an empty database, one creates the first organization. */
const BOOTSTRAP_LOCK = 7_301_960_422

/**
 * Creates a contact center and its owner in an empty database, at the first start (open points, Authentication).
 * @returns null when there is an organization already
 */
export async function bootstrap(options: BootstrapOptions): Promise<FirstOwner | null> {
  const { database, clock } = options
  const [{ exists } = { exists: false }] = await database.query<{ exists: boolean }>(ANY_ORGANIZATION)
  if (exists) return null
  const email = options.adminEmail ?? 'admin@localhost'
  const generatedPassword = options.adminPassword ? null : randomBytes(12).toString('base64url')
  const passwordHash = await options.hashPassword(options.adminPassword ?? generatedPassword!)
  return database.sqlTransaction(async (sql) => {
    await sql.query('select pg_advisory_xact_lock($1)', [BOOTSTRAP_LOCK])
    const [made] = await sql.query<{ exists: boolean }>(ANY_ORGANIZATION)
    if (made?.exists) return null
    const { id: organization } = await insertCenter(sql, clock, 'Messaging Contact Center')
    const user = clock.newId()
    await sql.query(
      `insert into app_user (id, organization_id, org1, created_at, updated_at, email, password_hash, role, status,
         display_name, provider)
       values ($1, $2, $2, $3, $3, $4, $5, 'owner', 'active', 'Owner', 'local')`,
      [user, organization, clock.now(), email, passwordHash],
    )
    await setFirstOwner(sql, organization, user)
    return { organization, user, email, generatedPassword }
  })
}

const ANY_ORGANIZATION = 'select exists (select 1 from organization) as exists'
