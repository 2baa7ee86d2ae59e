import { Migration } from '@mikro-orm/migrations'

/** State that provider deliveries need: who opted out of texts, and how many of several calls have been made. */
export class ProviderDeliveries extends Migration {
  override up(): void {
    this.addSql(`
create table opt_out (
  service_id uuid not null references service (id) on delete cascade,
  -- As the provider has it: E.164.
  address text not null,
  opted_out_at timestamptz not null,
  primary key (service_id, address)
)`)
    this.addSql(`
create table delivery_part (
  delivery_id uuid not null references delivery (id) on delete cascade,
  -- From 0.
  part int not null,
  provider_id text not null,
  primary key (delivery_id, part)
)`)
  }
}
