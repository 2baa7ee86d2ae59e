import type { Context } from '../../platform/context.js'
import { isId } from '../../platform/db/clock.js'
import { tenantSql } from '../../platform/db/tenancy.js'
import type { Sql } from '../../platform/db/database.js'
import { NotFound, quoteValue } from '../../platform/errors.js'
import { filterSql, type FilterColumns } from './filter-sql.js'
import { composedNameSql } from '../users/user.js'
import type { PageRequest } from './page-request.js'
import type { PersonRow } from './person.js'
import type { Provisioner } from './provider-context.js'

/** Columns by which users are filtered. */
const COLUMNS: FilterColumns = {
  id: { sql: 'u.id', kind: 'id' },
  username: { sql: 's.user_name', kind: 'text' },
  externalid: { sql: 's.external_id', kind: 'exact' },
  displayname: {
    sql: `coalesce(nullif(u.display_name, ''), ${composedNameSql('u')}, '')`,
    kind: 'text',
  },
  active: { sql: "(u.status <> 'archived')", kind: 'boolean' },
  'emails.value': { sql: 'u.email', kind: 'text' },
  emails: { sql: 'u.email', kind: 'text' },
  // Of the one email that a user has, both are so.
  'emails.type': { sql: 'work', kind: 'constant' },
  'emails.primary': { sql: 'true', kind: 'constant' },
}

const PROPERTIES = `u.id, s.user_name as "userName", s.external_id as "externalId", s.owned, s.phone_type as "phoneType", u.display_name as "displayName",
  u.given_name as "givenName", u.family_name as "familyName", u.additional_name as "additionalName", u.email, u.phone, u.status,
  u.created_at as "createdAt", u.updated_at as "updatedAt", u.version`
const FROM = 'from scim_user s join app_user u on u.id = s.user_id'

/** Reads one user of the provider. @throws NotFound also for another provider's, and one that was moved out of its reach */
export async function readPersonRow(
  ctx: Context,
  sql: Pick<Sql, 'query'>,
  { provider }: Provisioner,
  id: string,
): Promise<PersonRow> {
  const values: unknown[] = [id, provider.id]
  const seen = tenantSql(ctx.tenant, 'u', values)
  const [row] = isId(id)
    ? await sql.query<PersonRow>(
        `select ${PROPERTIES} ${FROM} where s.user_id = $1 and s.service_id = $2 and s.deleted_at is null and ${seen}`,
        values,
      )
    : []
  if (!row) throw new NotFound(`User ${quoteValue(id)} not found`)
  return row
}

/** Reads a page of the provider's users, by id, and how many there are. @throws BadUserInput */
export async function listPersonRows(
  ctx: Context,
  { provider }: Provisioner,
  { filter, startIndex, count }: PageRequest,
): Promise<{ rows: PersonRow[]; total: number }> {
  const values: unknown[] = [provider.id]
  const seen = tenantSql(ctx.tenant, 'u', values)
  const condition = filter === null ? 'true' : filterSql(filter, COLUMNS, values)
  const where = `where s.service_id = $1 and s.deleted_at is null and ${seen} and ${condition}`
  const [number] = await ctx.reads.query<{ total: number }>(`select count(*)::int as total ${FROM} ${where}`, values)
  const total = number!.total
  if (count === 0 || startIndex > total) return { rows: [], total }
  const rows = await ctx.reads.query<PersonRow>(
    `select ${PROPERTIES} ${FROM} ${where} order by s.user_id limit ${count} offset ${startIndex - 1}`,
    values,
  )
  return { rows, total }
}
