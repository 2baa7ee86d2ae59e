import { LockMode } from '@mikro-orm/core'
import type { Context } from '../../platform/context.js'
import { isId } from '../../platform/db/clock.js'
import type { Sql } from '../../platform/db/database.js'
import { organizationStream } from '../../platform/events/event.js'
import type { Transact, WriteTx } from '../../platform/events/transact.js'
import { defineJob } from '../../platform/jobs/job-type.js'
import { releaseJobs } from '../../platform/jobs/job.js'
import { markChanged } from '../../platform/lists/record-version.js'
import { eventOf } from '../organizations/organization-events.js'
import { Organization } from '../organizations/organization.js'
import type { ContactCenter } from './contact-center.js'
import { readUpdate, type UpdateContactCenterInput } from './contact-center-input.js'
import { fetchCenter, noCenter } from './contact-center-list.js'
import { heldBy } from './held-jobs.js'

/** Releases what was put back, while the contact center was reopened, by a node that did not know of it yet. */
export const CENTER_REOPENED = defineJob<{ center: string }>('contactCenter.reopened', { center: 'string' })
const KNOWN_EVERYWHERE_MS = 5_000

/**
 * Changes name and quotas. A quota below what there is refuses only what is added.
 * @throws NotFound, BadUserInput
 */
export async function updateContactCenter(
  ctx: Context,
  transact: Transact,
  { id, patch }: { id: string; patch: UpdateContactCenterInput },
): Promise<ContactCenter> {
  const { name, quotas } = readUpdate(patch)
  return change(ctx, transact, id, 'updated', async (tx, organization) => {
    await storeQuotas(tx, organization.id, quotas)
    if (name === undefined || name === organization.name) return
    organization.name = name
    markChanged(organization, ctx.now())
    tx.emit(organizationStream(organization.id), 'organization.updated', eventOf(organization))
  })
}

/**
 * Archives a contact center: no sign-in, token, socket, link or webhook of it works on any node from two seconds later at
 * the latest, what consumers send to it is refused as for an unknown service, and its jobs wait. Nothing is deleted, and
 * its names stay taken, so that {@link reopenContactCenter} restores everything. Archiving again changes nothing.
 * @throws NotFound
 */
export function archiveContactCenter(ctx: Context, transact: Transact, id: string): Promise<ContactCenter> {
  return change(ctx, transact, id, 'archived', async (tx, { id: center }) => {
    await tx.query(
      `insert into contact_center as c (org1, archived_at) values ($1, $2)
       on conflict (org1) do update set archived_at = coalesce(c.archived_at, excluded.archived_at)`,
      [center, ctx.now()],
    )
  })
}

/** Takes an archived contact center into use again; its jobs become due, but for terms of retention, a day later. @throws NotFound */
export function reopenContactCenter(ctx: Context, transact: Transact, id: string): Promise<ContactCenter> {
  return change(ctx, transact, id, 'reopened', async (tx, { id: center }) => {
    const reopened = await tx.query(
      'update contact_center set archived_at = null where org1 = $1 and archived_at is not null returning org1',
      [center],
    )
    if (reopened.length === 0) return
    await tx.query('select delay_retention($1, $2)', [center, ctx.now()])
    await releaseJobs(tx, heldBy(center), ctx.now())
    const runAt = new Date(ctx.now().getTime() + KNOWN_EVERYWHERE_MS)
    tx.addJob(CENTER_REOPENED.create({ center }, { runAt }))
  })
}

/** Stores quotas by column. Runs in the caller's transaction. */
export async function storeQuotas(sql: Sql, center: string, quotas: Record<string, number | null>): Promise<void> {
  const columns = Object.keys(quotas)
  if (columns.length === 0) return
  const places = columns.map((_, index) => `$${index + 2}::int`)
  await sql.query(
    `insert into contact_center (org1, ${columns.join(', ')}) values ($1, ${places.join(', ')})
     on conflict (org1) do update set ${columns.map((column) => `${column} = excluded.${column}`).join(', ')}`,
    [center, ...Object.values(quotas)],
  )
}

async function change(
  ctx: Context,
  transact: Transact,
  id: string,
  what: string,
  work: (tx: WriteTx, organization: Organization) => Promise<void>,
): Promise<ContactCenter> {
  // The operator's own context sees no organization.
  const center = await transact(ctx.system(), async (tx) => {
    const where = { id, level: 1 }
    const organization = isId(id)
      ? await tx.em.findOne(Organization, where, { lockMode: LockMode.PESSIMISTIC_WRITE })
      : null
    if (!organization) throw noCenter(id)
    await work(tx, organization)
    await tx.em.flush()
    return fetchCenter(tx, organization.id)
  })
  ctx.log.info({ center: center.id, requestId: ctx.requestId }, `contact center ${what}`)
  return center
}
