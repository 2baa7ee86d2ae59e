import type { Sql } from '../../platform/db/database.js'
import type { WriteTx } from '../../platform/events/transact.js'
import { defineJob } from '../../platform/jobs/job-type.js'
import { isProvisionedSql } from '../users/managed-elsewhere.js'
import type { Provider } from './providers.js'

/** Job: give the role and the channels of the role map anew to users whose groups have changed. Handled by `scim/`. */
export const SCIM_RIGHTS = defineJob<{ service: string }>('scim.rights', { service: 'string' })

/** Adds the job that gives rights to whom they are due; those of a provider run one after the other. */
export function addRightsJob(tx: Pick<WriteTx, 'addJob'>, service: string): void {
  tx.addJob(SCIM_RIGHTS.create({ service }, { key: `scim:${service}` }))
}

/**
 * Rights are due to all who are in a group that the provider keeps here: the role map has changed, or the provider provisions again.
 * Of one that does not provision now they are nobody's.
 */
export async function dueToAll(tx: Pick<WriteTx, 'query' | 'addJob'>, service: string, now: Date): Promise<void> {
  await tx.query(
    `update scim_user x set rights_due = gen_random_uuid()
     from (select user_id from scim_user s where service_id = $1 and ${isProvisionedSql('$2')}
       and exists (select from scim_member m where m.user_id = s.user_id) order by user_id for no key update) u
     where x.user_id = u.user_id`,
    [service, now],
  )
  // Also those who have left their last group meanwhile: to them it was due before.
  addRightsJob(tx, service)
}

/**
 * Tells whether the user is in a group that a provider keeps here: such groups say what it may, in place of the claims of a sign-in by
 * any provider, while theirs provisions.
 */
export async function hasGroupRights(sql: Pick<Sql, 'query'>, user: string, now: Date): Promise<boolean> {
  const found = await sql.query(
    `select from scim_user s where user_id = $1 and ${isProvisionedSql('$2')}
       and exists (select from scim_member m where m.user_id = s.user_id)`,
    [user, now],
    'rights-by-groups',
  )
  return found.length > 0
}

/** Tells whether a provider of the contact center has removed the person with this email. */
export async function isRemoved(
  sql: Pick<Sql, 'query'>,
  { path: [center] }: Pick<Provider, 'path'>,
  email: string,
): Promise<boolean> {
  const found = await sql.query(`select from scim_removed where org1 = $1 and email_hash = ${removedNameSql('$2')}`, [
    center,
    email,
  ])
  return found.length > 0
}

/** SQL: a name by which a removed person is known when nothing else of it is left, and which reveals nothing. */
export const removedNameSql = (email: string): string => `erased_name(lower(${email}))`
