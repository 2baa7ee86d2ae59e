/**
 * The milestones of conversations, from which reports are made: append-only, ids and numbers only. `xid` is the
 * transaction that wrote a row, so that a reader can tell which rows can no longer be joined by earlier ones.
 */
const MILESTONE = `
create table milestone (
  conversation_id uuid not null,
  nth int not null,
  kind text not null,
  at timestamptz not null,
  xid xid8 not null default pg_current_xact_id(),
  org1 uuid not null,
  org2 uuid,
  org3 uuid,
  user_id uuid,
  channels uuid[] not null,
  touchpoint text,
  category text,
  ms bigint,
  turn int,
  detail text,
  -- The reason code of an agent's state.
  reason_id uuid,
  -- The bot and the kind of a proposal.
  bot_id uuid,
  proposal_kind text,
  primary key (conversation_id, nth)
);
create index milestone_fold on milestone (org1, xid);
create index milestone_kind on milestone (org1, kind, at);
-- The timeline of a contact with thousands of conversations reads the few closings of each.
create index milestone_closed on milestone (conversation_id, nth) where kind = 'closed';
-- The end of an agent's last work.
create index milestone_left on milestone (user_id, at) where kind in ('agentLeft', 'snoozed');
-- Rows arrive in order of time: enough to find those that are too old.
create index milestone_age on milestone using brin (at) with (pages_per_range = 32)`

/**
 * Milestones counted by quarter of an hour, and by 4 and 24 hours for long spans, in three cubes: by agent, by topic, and
 * by both. `report_fold` is how far each contact center's milestones are counted.
 */
const REPORT = `
create table report_fold (org1 uuid primary key, xid xid8 not null default '0');

create table report_group (
  id int generated always as identity primary key,
  org1 uuid not null,
  cube smallint not null,
  key uuid not null,
  org2 uuid,
  org3 uuid,
  user_id uuid,
  reason_id uuid,
  bot_id uuid,
  proposal_kind text,
  touchpoint text,
  category text,
  channels uuid[] not null,
  unique (org1, cube, key)
);

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
) with (fillfactor = 90)`

export const REPORTS = [MILESTONE, REPORT]
