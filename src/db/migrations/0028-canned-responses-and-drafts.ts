import { Migration } from '@mikro-orm/migrations'

/** Texts of an organization that its agents insert, and what an agent has written and not sent. */
export class CannedResponsesAndDrafts extends Migration {
  override up(): void {
    for (const statement of STATEMENTS) this.addSql(statement)
  }
}

const STATEMENTS = [
  `create table canned_response (
    id uuid primary key,
    organization_id uuid not null references organization (id),
    org1 uuid not null,
    org2 uuid,
    org3 uuid,
    created_at timestamptz not null,
    updated_at timestamptz not null,
    shortcut text not null,
    text text not null
  )`,
  'create index canned_response_org1 on canned_response (org1, id)',
  'create index canned_response_org2 on canned_response (org2, id) where org2 is not null',
  'create index canned_response_org3 on canned_response (org3, id) where org3 is not null',
  'create unique index canned_response_shortcut on canned_response (organization_id, shortcut)',
  `create table conversation_draft (
    user_id uuid not null references app_user (id) on delete cascade,
    conversation_id uuid not null references conversation (id) on delete cascade,
    text text not null,
    is_backchannel boolean not null,
    updated_at timestamptz not null,
    primary key (user_id, conversation_id)
  )`,
  'create index conversation_draft_conversation on conversation_draft (conversation_id)',
]
