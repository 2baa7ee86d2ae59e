import { reading, type ReadSql } from '../../platform/db/sql.js'
import type { OrganizationPath } from '../../platform/db/tenancy.js'

/** Counts the administrators other than a user who could approve what is proposed in an organization: its own, and those above. */
export async function countApprovers(sql: ReadSql, path: OrganizationPath, user: string): Promise<number> {
  const [found] = await sql.query<{ count: number }>(
    APPROVERS,
    [path.filter((each) => each !== undefined), user],
    'four-eyes-approvers',
  )
  return found!.count
}

const APPROVERS = reading(`
select count(*)::int as count from app_user u
where u.organization_id = any($1::uuid[]) and u.role in ('admin', 'owner') and u.status = 'active' and u.id <> $2`)
