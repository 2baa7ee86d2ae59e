import { Migration } from '@mikro-orm/migrations'

/**
 * What tells a missed offer from one that its agent could not see, all by the clock of the database: when an offer was
 * made and ended, since when a subscription and its node are there, and from when on an agent's misses count.
 */
export class MissedOffers extends Migration {
  override up(): void {
    this.addSql(`
alter table offer
  add column recorded_at timestamptz not null default now(),
  add column end_recorded_at timestamptz`)
    this.addSql(`
alter table queue_subscriber
  add column since timestamptz not null default now(),
  -- When its connection was lost; it counts for a grace period.
  add column lost_at timestamptz`)
    // Since when its row was renewed without a gap.
    this.addSql('alter table node add column alive_since timestamptz not null default now()')
    this.addSql('alter table staff add column misses_from timestamptz')
  }
}
