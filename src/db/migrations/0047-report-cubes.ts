import { Migration } from '@mikro-orm/migrations'

/**
 * Milestones are counted in three cubes: by agent, by topic, and by both, with durations by class in the same row.
 * Everything is counted anew from the milestones.
 */
export class ReportCubes extends Migration {
  override up(): void {
    this.addSql('drop table report_slot, report_group')
    this.addSql('truncate report_fold')
    this.addSql(`
create table report_group (
  id int generated always as identity primary key,
  org1 uuid not null,
  cube smallint not null,
  key uuid not null,
  org2 uuid,
  org3 uuid,
  user_id uuid,
  touchpoint text,
  category text,
  channels uuid[] not null,
  unique (org1, cube, key)
)`)
    this.addSql(`
create table report_slot (
  org1 uuid not null,
  measure smallint not null,
  cube smallint not null,
  span smallint not null,
  quarter int not null,
  group_id int not null,
  count int not null,
  timed int not null,
  ms bigint not null,
  -- Classes of durations with their counts; one class may be there several times.
  classes bigint[] not null,
  primary key (org1, measure, cube, span, quarter, group_id)
) with (fillfactor = 90)`)
  }
}
