import type { Context } from '../../platform/context.js'
import type { Sql } from '../../platform/db/database.js'
import { organizationStream } from '../../platform/events/event.js'
import type { Transact } from '../../platform/events/transact.js'
import { Unprocessable } from '../../platform/errors.js'
import { fetchRecord } from '../../platform/lists/fetch-record.js'
import { eventOf } from './organization-events.js'
import { Organization } from './organization.js'

/**
 * Deletes an organization without any records; removes it from the groups that it was a member of. Records are never
 * deleted with it: the specification is silent, and a mistake would cost a whole tenant.
 * @throws NotFound, Unprocessable naming the records that it still has
 */
export async function deleteOrganization(ctx: Context, transact: Transact, id: string): Promise<void> {
  await transact(ctx, async (tx) => {
    const organization = await fetchRecord(ctx, Organization, id, { em: tx.em, lock: true })
    const dependents = await dependentsOf(tx, organization.id)
    if (dependents.length > 0) throw stillUsed(organization.id, dependents)
    await tx.query(
      `update organization_group set members = array_remove(members, $1::uuid), updated_at = $2, version = version + 1
       where $1::uuid = any(members)`,
      [organization.id, ctx.now()],
    )
    tx.emit(organizationStream(organization.id), 'organization.deleted', eventOf(organization))
    tx.em.remove(organization)
    await tx.em.flush()
  })
}

/**
 * Finds the tables with rows of the organization by the database's foreign keys, so that a new resource cannot be
 * forgotten. The row lock blocks new ones until the commit.
 */
async function dependentsOf(sql: Sql, id: string): Promise<string[]> {
  const references = await sql.query<{ table: string; column: string }>(
    `select c.conrelid::regclass::text as table, a.attname as column
     from pg_constraint c join pg_attribute a on a.attrelid = c.conrelid and a.attnum = c.conkey[1]
     where c.contype = 'f' and c.confrelid = 'organization'::regclass and c.confdeltype in ('a', 'r')
     order by 1`,
  )
  const checks = references.map(
    ({ table, column }) => `select '${table}' as table where exists (select 1 from ${table} where ${column} = $1)`,
  )
  const found = await sql.query<{ table: string }>(checks.join(' union '), [id])
  return found.map(({ table }) => table).toSorted()
}

function stillUsed(id: string, tables: string[]): Unprocessable {
  const names = tables.map((table) => NAMES[table] ?? `${table.replaceAll('_', ' ')}s`)
  return new Unprocessable(`organization ${id} still has ${names.join(', ')}`, { reason: 'IN_USE', dependents: names })
}

const NAMES: Readonly<Record<string, string>> = { app_user: 'users', organization: 'sub-organizations' }
