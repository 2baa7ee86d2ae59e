import { isId } from '../../platform/db/clock.js'
import { reading, type ReadSql, type ReadStatement } from '../../platform/db/sql.js'
import type { Job } from '../../platform/jobs/job.js'
import type { CenterQuotas } from '../../platform/limits/center-quotas.js'

/**
 * Kinds that an archived contact center does not hold: what is to be erased or to end does so all the same, and files and reports
 * are the installation's own work.
 */
export const NOT_HELD: ReadonlySet<string> = new Set([
  'privacy.erase',
  'contact.erase',
  'contactExport.end',
  'hold.changed',
  'conversation.deleted',
  'message.deleted',
  'contactNote.deleted',
  'message.copyDeleted',
  'attachment.deleted',
  'attachment.remove',
  'attachment.sweep',
  'report.fold',
  'user.apiTokenEnds',
  'contactCenter.reopened',
  // Of channels of several contact centers. What they route is delivered by other jobs, which are held.
  'presence.lost',
  'presence.back',
])

const centerOf = (table: string): ReadStatement => reading(`select org1 as center from ${table} where id = $1`)

/** The member of a payload that tells whose job it is, and how; the first that a payload has counts. */
const CENTER_BY_MEMBER = {
  conversation: centerOf('conversation'),
  message: centerOf('message'),
  delivery: centerOf('delivery'),
  service: centerOf('service'),
  contact: centerOf('contact'),
  organization: centerOf('organization'),
  domain: centerOf('domain'),
  user: centerOf('app_user'),
  users: centerOf('app_user'),
  subscription: reading(
    'select u.org1 as center from push_subscription p join app_user u on u.id = p.user_id where p.id = $1',
  ),
  email: reading('select org1 as center from app_user where lower(email) = lower($1)'),
} as const

/** The reason for which an archived contact center's jobs are held; see `releaseJobs`. */
export function heldBy(center: string): string {
  return `contact center ${center} is archived`
}

/** Tells whether jobs with these members of a payload can be held. */
export function memberOfCenter(payload: Readonly<Record<string, unknown>>): keyof typeof CENTER_BY_MEMBER | undefined {
  return (Object.keys(CENTER_BY_MEMBER) as (keyof typeof CENTER_BY_MEMBER)[]).find((member) => payload[member] != null)
}

/** Returns why a job must wait: its contact center is archived. Asks nothing while none is. */
export async function reasonToHold(sql: ReadSql, quotas: CenterQuotas, job: Job): Promise<string | null> {
  const archived = await quotas.archived()
  if (archived.size === 0 || NOT_HELD.has(job.kind)) return null
  const member = memberOfCenter(job.payload)
  if (!member) return null
  const given = job.payload[member]
  const value = Array.isArray(given) ? given[0] : given
  if (typeof value !== 'string' || (member !== 'email' && !isId(value))) return null
  const [row] = await sql.query<{ center: string }>(CENTER_BY_MEMBER[member], [value], `center-of-job-${member}`)
  return row && archived.has(row.center) ? heldBy(row.center) : null
}
