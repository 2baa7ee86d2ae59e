import type { UserCaller } from '../../platform/access/caller.js'
import { effectiveScopes, type Role } from '../../platform/access/scopes.js'
import { isCenterInUseSql } from '../../platform/db/archived-centers.js'
import type { MaskedKind } from '../../platform/masking/masker.js'
import { reading, type ReadSql } from '../../platform/db/sql.js'
import { pathOf } from '../../platform/db/tenancy.js'
import { hidesContactsSql } from '../users/hides-contacts.js'
import { isPausedSql } from '../users/pause-bots.js'
import { displayNameOf } from '../users/user.js'

/** A user as a caller is made of it. */
export interface CallerRow {
  id: string
  organization_id: string
  org1: string
  org2: string | null
  org3: string | null
  role: Role
  status: string
  email: string
  avatar: string | null
  display_name: string | null
  given_name: string | null
  additional_name: string | null
  family_name: string | null
  is_paused: boolean
  hides_contacts: boolean
  mask: MaskedKind[] | null
}

/** SQL: the columns of a {@link CallerRow} of the user `u`. */
export const CALLER_COLUMNS = `u.id, u.organization_id, u.org1, u.org2, u.org3, u.role, u.status, u.email, u.avatar,
  u.display_name, u.given_name, u.additional_name, u.family_name, u.mask, ${isPausedSql('u')} as is_paused, ${hidesContactsSql('u')} as hides_contacts`

/** @param scopes that the token, or whoever it acts for, was limited to */
export function userCallerOf(row: CallerRow, scopes: readonly string[]): UserCaller {
  return {
    kind: 'user',
    key: `user:${row.id}`,
    user: row.id,
    role: row.role,
    isBot: row.role === 'bot',
    ...(row.is_paused && { isPaused: true }),
    ...(row.hides_contacts && { hidesContacts: true }),
    ...(row.mask && { mask: row.mask }),
    organization: row.organization_id,
    path: pathOf(row),
    scopes: new Set(effectiveScopes(scopes, row.role)),
    displayName: displayNameOf({
      displayName: row.display_name,
      givenName: row.given_name,
      additionalName: row.additional_name,
      familyName: row.family_name,
    }),
    avatar: row.avatar,
    email: row.email,
  }
}

/**
 * Reads a user as the caller of what it asked for earlier, with its rights of now.
 * @param scopes that it had when it asked: a restricted token gets no more
 * @returns null for one that may not sign in any more; `isCenterInUse` false: nobody of its contact center may at present
 */
export async function callerOfUser(
  sql: ReadSql,
  user: string,
  scopes: readonly string[],
): Promise<{ caller: UserCaller; isCenterInUse: boolean } | null> {
  const [row] = await sql.query<CallerRow & { in_use: boolean }>(CALLER_OF_USER, [user], 'caller-of-user')
  return row ? { caller: userCallerOf(row, scopes), isCenterInUse: row.in_use } : null
}

const CALLER_OF_USER = reading(`
select ${CALLER_COLUMNS}, ${isCenterInUseSql('u')} as in_use from app_user u
where u.id = $1 and (u.status = 'active' or u.role = 'bot' and u.status <> 'archived')`)
