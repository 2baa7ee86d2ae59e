import { TENANT, tenantIndexes } from './tenant-columns.js'

const CONVERSATION = `
create table conversation (${TENANT},
  type text not null,
  name text not null,
  slug text not null unique,
  status text not null check (status in ('queued', 'active', 'closed', 'archived')),
  contact_id uuid references contact (id) on delete cascade,
  touchpoint text,
  -- A separate column: \`touchpoint\` does not tell whether a user chose it (4.7, delivery rule 4).
  touchpoint_chosen boolean not null default false,
  touchpoints jsonb not null default '{}',
  category text, category_index int, language text,
  channels uuid[] not null default '{}',
  channels_offline uuid[] not null default '{}',
  -- Named by /notify, which keep a conversation that is not queued: see \`is-waiting-sql.ts\`.
  task_channels uuid[] not null default '{}',
  forms jsonb not null default '[]',
  results jsonb not null default '[]',
  meta jsonb not null default '{}',
  created_by_id uuid,

  queued_at timestamptz,
  queueing int not null default 0,
  routing_remainder jsonb,
  -- What the rules that queued it ask of agents.
  needs jsonb,
  -- The order in which what waits is served.
  urgency int not null default 0,
  -- Whether a consumer was told that it is closed, and until when.
  hours_told boolean not null default false,
  hours_told_until timestamptz,

  -- The pending offer; all null without one. How long it was pending is measured from \`offer_at\`.
  offer_id uuid,
  offer_user_id uuid,
  offer_at timestamptz,
  offer_until timestamptz,

  awaiting_reply boolean not null default false,
  message_count int not null default 0,
  -- Counts changes after which an answer written before would be blind, who made the last one (null: nobody that could
  -- answer), and the newest of anybody else, see \`turn.ts\`.
  turn int not null default 0,
  turn_by uuid,
  turn_other int not null default 0,
  last_message_id uuid,
  last_message_at timestamptz,
  -- In slots of ten minutes: with the exact time, every message would write to all indexes of its conversation
  -- (measured: 43 % more WAL per message). Few conversations share a slot and need sorting.
  last_message_slot timestamptz
    generated always as (date_bin('10 minutes', last_message_at, 'epoch'::timestamptz)) stored,
  last_message_role text,
  preview text,

  -- The current case, see \`milestone\`.
  milestone_count int not null default 0,
  case_at timestamptz,
  case_turns int not null default 0,
  case_channels uuid[] not null default '{}',
  -- How many messages each bot has sent in the case.
  case_bots jsonb not null default '{}',
  waiting_since timestamptz,
  unanswered_since timestamptz,
  -- The clocks of the current case, the earliest due time of those that have not ended, and from when they are at risk.
  sla jsonb,
  next_due timestamptz,
  risk_at timestamptz,
  -- Without references: an archived label stays, and labels are never deleted.
  labels uuid[] not null default '{}',
  -- Messages whose last delivery failed.
  undelivered int not null default 0,
  closed_at timestamptz,
  -- Without a reference: the note may be deleted.
  hand_over_note_id uuid,
  -- Put aside by those who accepted it: until when, by whom and since when.
  snoozed_until timestamptz,
  snoozed_by uuid,
  snoozed_at timestamptz,
  -- Proposals on which nobody has decided, at most three; their content is in their rows.
  proposals jsonb
) with (fillfactor = 85)`

/**
 * Sort orders of lists: a deep page costs the same as the first. No index holds what a message changes, such as its
 * time: with one each message would write to every index of the conversation.
 */
const CONVERSATION_LISTS = `
${tenantIndexes('conversation')}
-- Few are open, and they are what consoles list.
${tenantIndexes('conversation', 'conversation_open', 'id', `status in ('queued', 'active')`)}
${tenantIndexes('conversation', 'conversation_recent', 'last_message_slot')}
${tenantIndexes('conversation', 'conversation_open_recent', 'last_message_slot', `status in ('queued', 'active')`)}
${tenantIndexes('conversation', 'conversation_created', 'created_at, id')}
${tenantIndexes('conversation', 'conversation_archived', 'id', `status = 'archived'`)}
${tenantIndexes('conversation', 'conversation_closed', 'closed_at, id', 'closed_at is not null')}
create index conversation_undelivered on conversation (org1, id) where undelivered > 0;
create index conversation_contact on conversation (contact_id);
create index conversation_labels on conversation using gin (labels) where labels <> '{}'`

/** The condition of \`is-waiting-sql.ts\`. */
const WAITS = `status = 'queued' or task_channels <> '{}'`

const QUEUES = `
create index conversation_waiting_channels on conversation using gin (channels) where ${WAITS};
create index conversation_waiting_offline on conversation using gin (channels_offline) where ${WAITS};
-- In the order in which queues are listed: where thousands wait in the channels that are asked for, a page is read in
-- this order instead of sorting them all; few are found by the indexes of their channels.
create index conversation_waiting_order on conversation (org1, queued_at, id) where ${WAITS};
-- In their turn: whom to offer first, and places in line.
create index conversation_turn on conversation (org1, urgency desc, next_due, queued_at, id) where ${WAITS};
create index conversation_offered on conversation (offer_user_id) where offer_id is not null;
create index conversation_next_due on conversation (org1, next_due, id) where next_due is not null;
-- A wallboard reads only those at risk.
create index conversation_risk on conversation (org1, risk_at) where risk_at is not null`

const PARTICIPANT = `
create table participant (
  conversation_id uuid not null references conversation (id) on delete cascade,
  -- No reference: a deleted user's part stays in the history.
  user_id uuid not null,
  name text, avatar text, role text not null,
  unread_count int not null default 0,
  -- Up to which message the participant has read.
  read_position int,
  inbox boolean not null default false,
  -- Why it came there last, and by which message, which may be gone.
  inbox_reason text,
  inbox_message_id uuid,
  -- The conversation's \`last_message_slot\`, for what is in an inbox: the order in which inboxes are listed.
  inbox_slot timestamptz,
  accepted boolean not null default false,
  -- Since when the user works on it, and for how long it did before it was snoozed last.
  accepted_at timestamptz,
  handled_ms bigint not null default 0,
  active boolean not null default false,
  follow boolean not null default false,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (conversation_id, user_id)
) with (fillfactor = 85);
create index participant_user on participant (user_id, conversation_id);
create index participant_inbox_order on participant (user_id, inbox_slot, conversation_id) where inbox;
-- The load of an agent counts its accepted conversations, not its history.
create index participant_accepted on participant (user_id, conversation_id) where accepted`

/**
 * Keep \`inbox_slot\`, whatever way of writing changes a conversation. A conversation enters another slot at most every
 * ten minutes, so that a message rarely writes to the index.
 */
const INBOX_ORDER = [
  `create function inbox_entered() returns trigger language plpgsql as $body$
  begin
    update participant p set inbox_slot = case when new.inbox then (
      select c.last_message_slot from conversation c where c.id = new.conversation_id) end
    where p.conversation_id = new.conversation_id and p.user_id = new.user_id;
    return null;
  end $body$`,
  `create function inbox_advanced() returns trigger language plpgsql as $body$
  begin
    update participant p set inbox_slot = new.last_message_slot where p.conversation_id = new.id and p.inbox;
    return null;
  end $body$`,
  `create trigger inbox_entered after insert on participant for each row when (new.inbox)
   execute function inbox_entered()`,
  `create trigger inbox_changed after update on participant for each row when (new.inbox is distinct from old.inbox)
   execute function inbox_entered()`,
  `create trigger inbox_advanced after update on conversation for each row
   when (new.last_message_slot is distinct from old.last_message_slot) execute function inbox_advanced()`,
]

const MERGES = `
-- Pairs for which a merge was suggested: each is suggested once (4.8, 6.5).
create table merge_suggestion (
  one uuid not null references conversation (id) on delete cascade,
  other uuid not null references conversation (id) on delete cascade,
  created_at timestamptz not null,
  primary key (one, other),
  check (one < other)
);
create index merge_suggestion_other on merge_suggestion (other);

-- Guests are redirected to the target. No references: a merge may lead through a deleted conversation.
create table conversation_merge (
  origin_id uuid primary key,
  target_id uuid not null,
  created_at timestamptz not null
);
create index conversation_merge_target on conversation_merge (target_id)`

/** Texts that agents have written and not sent. */
const DRAFT = `
create table conversation_draft (
  user_id uuid not null references app_user (id) on delete cascade,
  conversation_id uuid not null references conversation (id) on delete cascade,
  text text not null,
  is_backchannel boolean not null,
  -- Fields above a mail, as they were typed.
  mail jsonb,
  -- Why a delayed message came back as a draft: what had happened meanwhile.
  held_because jsonb,
  updated_at timestamptz not null,
  primary key (user_id, conversation_id)
);
create index conversation_draft_conversation on conversation_draft (conversation_id)`

/** Decisions of a queueing and their reasons, one row a run of the rules. */
const DECISION = `
create table routing_decision (
  id uuid primary key,
  conversation_id uuid not null references conversation (id) on delete cascade,
  queueing int not null,
  trigger text not null,
  entries jsonb not null,
  -- The facts that were read, and the versions of the workflows that ran.
  facts jsonb,
  workflows jsonb,
  -- Each member of the channel at the last offer of the queueing, and why it was chosen or not.
  candidates jsonb,
  created_at timestamptz not null
);
create index routing_decision_conversation on routing_decision (conversation_id, id)`

export const CONVERSATIONS = [
  CONVERSATION,
  CONVERSATION_LISTS,
  QUEUES,
  PARTICIPANT,
  ...INBOX_ORDER,
  MERGES,
  DRAFT,
  DECISION,
]
