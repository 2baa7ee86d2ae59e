import { pruneTokens } from './auth/token-families.js'
import type { Config } from './config.js'
import { pruneRoutingDecisions } from './conversations/routing/prune-decisions.js'
import { type Sql } from './db/database.js'
import { maintainEventPartitions } from './events/event-partitions.js'
import { Maintenance, type MaintenanceOptions } from './maintenance/maintenance.js'
import { pruneIdempotencyKeys } from './limits/idempotency.js'
import { pruneInbound } from './touchpoints/inbound-message-receiver.js'
import { pruneWebhooks } from './webhooks/retention.js'

/** Recurring maintenance, on one node at a time. */
export function createMaintenance(
  { eventRetentionDays, routingTraceDays }: Config,
  dependencies: Omit<MaintenanceOptions, 'tasks'>,
): Maintenance {
  const tasks = [
    { name: 'events', run: (sql: Sql, now: Date) => maintainEventPartitions(sql, now, eventRetentionDays) },
    { name: 'webhooks', run: (sql: Sql, now: Date) => pruneWebhooks(sql, now, eventRetentionDays) },
    {
      name: 'routing decisions',
      run: (sql: Sql, now: Date) => pruneRoutingDecisions(sql, now, routingTraceDays),
    },
    { name: 'idempotency keys', run: pruneIdempotencyKeys },
    { name: 'tokens', run: pruneTokens },
    { name: 'inbound messages', run: pruneInbound },
  ]
  return new Maintenance({ ...dependencies, tasks })
}
