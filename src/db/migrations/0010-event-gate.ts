import { Migration } from '@mikro-orm/migrations'

/**
 * The gate of `event_listener`: every transaction that appends events holds a lock on it until its commit; a listener
 * is added while the gate is closed (`events/outbox.ts`, `webhooks/listening.ts`).
 */
export class EventGate extends Migration {
  override up(): void {
    // Always empty: only its locks are used.
    this.addSql('create table event_gate ()')
    // Leases are counted per webhook.
    this.addSql('drop index webhook_lane_leased')
    this.addSql('create index webhook_lane_leased on webhook_lane (service_id) where leased_by is not null')
  }
}
