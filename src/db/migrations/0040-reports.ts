import { Migration } from '@mikro-orm/migrations'

/**
 * What reports read: milestones counted by quarter of an hour, and by 4 and 24 hours for long spans. `report_fold` is how
 * far each level-1 organization's milestones are counted. `database_id` tells a restored database from its origin.
 */
export class Reports extends Migration {
  override up(): void {
    this.addSql('alter table channel_member add column supervisor boolean not null default false')
    this.addSql('alter table installation add column database_id bigint')
    this.addSql("create table report_fold (org1 uuid primary key, xid xid8 not null default '0')")
    this.addSql(`
create table report_group (
  id int generated always as identity primary key,
  org1 uuid not null,
  org2 uuid,
  org3 uuid,
  user_id uuid,
  touchpoint text,
  category text,
  channels uuid[] not null,
  key uuid not null,
  unique (org1, key)
)`)
    this.addSql(`
create table report_slot (
  org1 uuid not null,
  measure smallint not null,
  span smallint not null,
  quarter int not null,
  group_id int not null,
  bucket smallint not null,
  count int not null,
  timed int not null,
  ms bigint not null,
  primary key (org1, measure, span, quarter, group_id, bucket)
) with (fillfactor = 90)`)
  }
}
