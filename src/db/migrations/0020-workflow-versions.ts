import { Migration } from '@mikro-orm/migrations'

/**
 * Stores the input of a routing decision instead of a trace of every rule: the facts that were read and the versions of
 * the workflows that ran, whose rules are kept. Earlier decisions have null in both, and all rules among their entries.
 */
export class WorkflowVersions extends Migration {
  override up(): void {
    this.addSql(`
alter table routing_decision add column facts jsonb, add column workflows jsonb;

-- No reference to the workflow: what it decided outlives it.
create table workflow_version (
  workflow_id uuid not null,
  version text not null,
  organization_id uuid not null references organization (id) on delete cascade,
  name text not null,
  -- Hashes of its rules, in their order.
  rules text[] not null,
  created_at timestamptz not null,
  primary key (workflow_id, version)
);
create index workflow_version_organization on workflow_version (organization_id);

create table workflow_version_rule (
  workflow_id uuid not null,
  hash text not null,
  organization_id uuid not null references organization (id) on delete cascade,
  rule jsonb not null,
  primary key (workflow_id, hash)
);
create index workflow_version_rule_organization on workflow_version_rule (organization_id)`)
  }
}
