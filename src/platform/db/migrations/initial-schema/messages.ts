import { UNCHECKED_TENANT, tenantIndexes } from './tenant-columns.js'

/** The conversation vouches for the organization: to ask for it with every message costs a quarter of the insert. */
const MESSAGE = `
create table message (${UNCHECKED_TENANT},
  conversation_id uuid not null references conversation (id) on delete cascade,
  position int not null,
  type text not null, role text not null,
  is_backchannel boolean not null default false,
  -- Sent after its delay as one of its conversation's create, see \`bot-history.ts\`; null for all others.
  is_delayed_of_create boolean,
  user_id uuid,
  content_type text not null default 'text/plain',
  text text,
  service_id uuid, touchpoint text,
  actions jsonb, items jsonb, meta jsonb,
  -- The submitted results to which a message of type \`results\` refers (2.9).
  results jsonb,
  likes uuid[] not null default '{}',
  comments jsonb not null default '[]',
  -- When its content was last edited; null for one that never was.
  edited_at timestamptz,
  -- Whether a consumer wrote it before its page showed the answer before it; null if the page did not tell.
  crossed_answer boolean,
  -- Of a bot's: that nobody wrote it, how many automations answered each other up to it, and its words that it is a bot.
  is_automated boolean,
  depth int,
  disclosure text,
  -- Of a copy in the target of a merge: the conversation it comes from, which limits guests' view, and the id with which
  -- it was sent, so that repeating that id creates nothing.
  origin_id uuid,
  original_id uuid
);
${tenantIndexes('message')}
${tenantIndexes('message', 'message_created', 'created_at, id')}
create unique index message_position on message (conversation_id, position);
create index message_origin on message (origin_id) where origin_id is not null;
create index message_original on message (original_id) where original_id is not null;
create index message_file on message ((meta ->> 'fileId')) where meta ? 'fileId'`

/**
 * Ids of deleted messages are remembered, so that repeating one creates nothing in the conversation that it was sent to,
 * and in those that this one is merged into: nobody refuses an id in conversations of others. Messages that go with
 * their conversation are not remembered: nothing can be sent to it again.
 */
const DELETED = [
  `create table deleted_message (id uuid not null, conversation_id uuid, deleted_at timestamptz not null)`,
  `create unique index deleted_message_id on deleted_message (id, conversation_id) nulls not distinct`,
  `create function remember_deleted_messages() returns trigger language plpgsql as $$
      begin
        insert into deleted_message (id, conversation_id, deleted_at)
        select i.id, gone.conversation_id, now() from gone join conversation c on c.id = gone.conversation_id
          cross join lateral (values (gone.id), (gone.original_id)) as i(id)
        where i.id is not null
        on conflict do nothing;
        return null;
      end $$`,
  `create trigger message_deleted after delete on message referencing old table as gone
   for each statement execute function remember_deleted_messages()`,
]

export const MESSAGES = [MESSAGE, ...DELETED]
