import { Migration } from '@mikro-orm/migrations'

/** See jobs/job-statements.ts. */
export class JobPartitions extends Migration {
  override up(): void {
    for (const statement of STATEMENTS) this.addSql(statement)
  }
}

/** Share of jobs that are added without one by earlier releases, which may run at the same time. */
const LEGACY_SHARE = `case when kind in ('touchpoint.deliver', 'sms.media', 'messenger.event', 'user.invite')
  then 'legacy' else '' end`

const STATEMENTS = [
  // `failures`: attempts since it last asked for more time. `share`: the quota that it counts against, where that is
  // bounded.
  'alter table job add column failures int not null default 0, add column share text',
  'drop index job_run_at',
  'create index job_free on job (run_at) where key is null',
  `create index job_given_up on job (created_at) where run_at = 'infinity'`,
  `create table job_partition (
    key text primary key,
    -- Empty for jobs of the server's own.
    share text not null,
    -- When its first job is due; never when it has none.
    due_at timestamptz not null,
    -- Counts what is added.
    version bigint not null default 1,
    leased_by int,
    leased_until timestamptz
  ) with (fillfactor = 70)`,
  'create index job_partition_due on job_partition (share, due_at)',
  'create index job_partition_leased on job_partition (share) where leased_by is not null',
  // A trigger, so that every way of adding a job is covered.
  `create function job_added() returns trigger language plpgsql as $body$
  begin
    insert into job_partition as p (key, share, due_at)
    select distinct on (key) key, coalesce(share, ${LEGACY_SHARE}), run_at from added
    where key is not null order by key, number
    on conflict (key) do update set version = p.version + 1,
      due_at = case when p.due_at = 'infinity' then excluded.due_at else p.due_at end;
    return null;
  end $body$`,
  'create trigger job_added after insert on job referencing new table as added for each statement execute function job_added()',
  `insert into job_partition (key, share, due_at)
   select distinct on (key) key, coalesce(share, ${LEGACY_SHARE}), run_at from job
   where key is not null and run_at < 'infinity' order by key, number`,
]
