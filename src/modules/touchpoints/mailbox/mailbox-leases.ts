import { isCenterInUseSql } from '../../../platform/db/archived-centers.js'
import type { Sql } from '../../../platform/db/database.js'
import { isDeadSql, type RunnerSession } from '../../../platform/jobs/runner-session.js'
import { isServiceInUseSql } from '../../services/service-in-use.js'
import { MAILBOX } from './mailbox-params.js'

/** A mailbox that a node has for itself. */
export interface LeasedMailbox {
  service: string
  /** Proves the lease. */
  lease: number
  /** Number of the settings. */
  generation: number
  auditedAt: Date | null
}

const IN_USE = `exists (
  select from service s where s.id = m.service_id and s.type = '${MAILBOX}' and ${isServiceInUseSql('s')}
    and ${isCenterInUseSql('s')})`

const LEASE = `
update mailbox l set leased_by = $1, leased_until = $2, lease = l.lease + 1 where l.service_id in (
  select m.service_id from mailbox m
  where m.due_at <= $3 and (m.leased_until is null or m.leased_until < $3) and not m.service_id = any($4::uuid[]) and ${IN_USE}
  order by m.due_at limit $5 for update skip locked)
returning l.service_id as service, l.lease, l.generation, l.audited_at as "auditedAt"`

/** Takes mailboxes that are due and that nobody reads. @param running those of this node */
export function leaseMailboxes(
  sql: Sql,
  of: { runner: number; until: Date; now: Date; running: readonly string[]; limit: number },
): Promise<LeasedMailbox[]> {
  return sql.query(LEASE, [of.runner, of.until, of.now, of.running, of.limit], 'lease-mailboxes')
}

const RENEW = `
update mailbox m set leased_by = $1, leased_until = $2, read_at = coalesce(x.read_at, m.read_at)
from unnest($3::uuid[], $4::int[], $5::int[], $6::timestamptz[]) as x(service, lease, generation, read_at)
where m.service_id = x.service and m.lease = x.lease and m.generation = x.generation and ${IN_USE}
returning m.service_id as service`

/**
 * Renews leases, and notes when the mailboxes were read. @returns those that are still this node's, with the settings that it
 * knows, and in use
 */
export async function renewMailboxes(
  session: RunnerSession,
  until: Date,
  held: readonly (LeasedMailbox & { readAt: Date | null })[],
): Promise<ReadonlySet<string>> {
  const rows = await session.query<{ service: string }>(
    RENEW,
    [
      session.runner,
      until,
      held.map(({ service }) => service),
      held.map(({ lease }) => lease),
      held.map(({ generation }) => generation),
      held.map(({ readAt }) => readAt),
    ],
    'renew-mailboxes',
  )
  return new Set(rows.map(({ service }) => service))
}

/** Gives a mailbox back, to be read again at a time; nothing if somebody else has it. */
export async function releaseMailbox(
  sql: Sql,
  { service, lease }: Pick<LeasedMailbox, 'service' | 'lease'>,
  dueAt: Date,
): Promise<void> {
  await sql.query(
    `update mailbox set leased_by = null, leased_until = null, due_at = $3 where service_id = $1 and lease = $2`,
    [service, lease, dueAt],
    'release-mailbox',
  )
}

export async function releaseDeadMailboxes(sql: Sql): Promise<void> {
  await sql.query(
    `update mailbox set leased_by = null, leased_until = null where ${isDeadSql('leased_by')}`,
    [],
    'release-dead-mailboxes',
  )
}

/** SQL: when the first mailbox is due that nobody reads, up to `until`. */
export const dueMailboxesSql = (now: string, until: string): string => `
select min(m.due_at) from mailbox m
where m.due_at <= ${until} and (m.leased_until is null or m.leased_until < ${now}) and ${IN_USE}`

/** SQL: whether a node that has mailboxes is dead. */
export const HAS_DEAD_MAILBOXES = `exists (select from mailbox where ${isDeadSql('leased_by')})`
