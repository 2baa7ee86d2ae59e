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
  -- Of a bot's: that nobody wrote it, how many automations answered each other up to it, what it was made of, and its
  -- words that it is a bot.
  is_automated boolean,
  depth int,
  provenance jsonb,
  disclosure text,
  -- Why its stream ended before its author had finished; null if it was finished, or sent whole.
  ending text,
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
create index message_file on message ((meta ->> 'fileId')) where meta ? 'fileId';
-- Whom mails name.
create index message_mail on message using gin ((meta -> '_mail') jsonb_path_ops) where meta ? '_mail'`

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

/**
 * Messages that are being written in front of their readers. A part is a JSON string: it may end within a character. Whoever
 * has the lock of a stream's row but adds to it has that of its conversation; whoever adds waits for no lock.
 */
const STREAMS = `
create table message_stream (
  id uuid primary key,
  organization_id uuid not null, org1 uuid not null, org2 uuid, org3 uuid,
  conversation_id uuid not null references conversation (id) on delete cascade,
  user_id uuid not null,
  saying jsonb not null,
  -- In UTF-16 units, and in UTF-8 bytes.
  length int not null default 0,
  bytes int not null default 0,
  created_at timestamptz not null,
  touched_at timestamptz not null,
  -- Null until something was shown of it.
  first_text_at timestamptz,
  ending text
);
create index message_stream_conversation on message_stream (conversation_id) where ending is null;
create index message_stream_user on message_stream (user_id) where ending is null;
create index message_stream_org1 on message_stream (org1) where ending is null;
create index message_stream_of_conversation on message_stream (conversation_id);
create index message_stream_touched on message_stream (touched_at);
create table message_stream_part (
  stream_id uuid not null references message_stream (id) on delete cascade,
  at int not null,
  text text not null,
  primary key (stream_id, at)
)`

/** Proposals of bots. A row changes under its conversation's lock alone. */
const PROPOSALS = `
create table proposal (
  id uuid primary key,
  organization_id uuid not null,
  conversation_id uuid not null references conversation (id) on delete cascade,
  bot_id uuid not null,
  kind text not null,
  action text not null,
  -- The message or the command, with the mark of the state that the bot saw; and who sends it, as of a delayed message.
  new_message jsonb not null,
  -- What is suggested where that is no message.
  suggestion jsonb not null default '{}',
  sender jsonb not null,
  hash text not null,
  status text not null,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  decided_at timestamptz,
  decided_by_id uuid,
  message_id uuid,
  outcome text,
  -- The share of its words that the agent changed who took it.
  changed_share real
);
create index proposal_conversation on proposal (conversation_id);
create index proposal_bot on proposal (bot_id) where status = 'pending';
create unique index proposal_message on proposal (message_id) where message_id is not null`

export const MESSAGES = [MESSAGE, ...DELETED, STREAMS, PROPOSALS]
