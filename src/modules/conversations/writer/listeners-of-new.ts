import type { Sql } from '../../../platform/db/database.js'
import { hasWebhookListenersSql } from '../../../platform/events/outbox.js'
import type { PendingWrite } from './pending-write.js'

/** Tells whether a webhook receives events of the new conversations; for existing ones, the lock statement reads it. */
export async function readListenersOfNew(sql: Sql, writes: readonly PendingWrite[]): Promise<boolean> {
  const made = writes.flatMap(({ newAggregate }) => newAggregate?.conversation ?? [])
  if (made.length === 0) return false
  const places = new Map(made.map(({ org1, org2, org3 }) => [`${org1} ${org2} ${org3}`, [org1, org2, org3]]))
  const columns = [0, 1, 2].map((level) => [...places.values()].map((place) => place[level]))
  const rows = await sql.query<{ some: boolean }>(LISTENERS_OF_NEW, columns, 'listeners-of-new')
  return rows.some(({ some }) => some)
}

const LISTENERS_OF_NEW = `
select ${hasWebhookListenersSql('c')} as some from unnest($1::uuid[], $2::uuid[], $3::uuid[]) as c(org1, org2, org3)`
