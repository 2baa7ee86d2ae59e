import { Migration } from '@mikro-orm/migrations'

/** Availability and capacity of agents, and the skills of an organization's agents. */
export class Staffing extends Migration {
  override up(): void {
    for (const statement of STATEMENTS) this.addSql(statement)
  }
}

const STATEMENTS = [
  `create table staff (
    user_id uuid primary key references app_user (id) on delete cascade,
    availability text not null,
    reason text,
    since timestamptz not null,
    -- When the user was first seen without a subscription to a queue; null while there is one.
    gone_at timestamptz,
    capacity int not null
  )`,
  `create index staff_present on staff (user_id) where availability <> 'offline'`,
  `create table skill (
    id uuid primary key,
    organization_id uuid not null references organization (id),
    org1 uuid not null,
    org2 uuid,
    org3 uuid,
    created_at timestamptz not null,
    updated_at timestamptz not null,
    name text not null
  )`,
  'create index skill_org1 on skill (org1, id)',
  'create index skill_org2 on skill (org2, id) where org2 is not null',
  'create index skill_org3 on skill (org3, id) where org3 is not null',
  'create unique index skill_name on skill (organization_id, lower(name))',
  `create table staff_skill (
    user_id uuid not null references app_user (id) on delete cascade,
    -- Refuses the deletion of a skill that a user has.
    skill_id uuid not null references skill (id),
    primary key (user_id, skill_id)
  )`,
  'create index staff_skill_skill on staff_skill (skill_id)',
  // The load of an agent counts its accepted conversations, not its history.
  'create index participant_accepted on participant (user_id, conversation_id) where accepted',
]
