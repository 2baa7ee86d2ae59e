import { TENANT, tenantIndexes } from './tenant-columns.js'

/**
 * Ratings of cases by their consumers, and why one was not asked: ids and numbers, which stay. Words of theirs go with the
 * conversation. No references: reports of the past count what was rated in conversations that are gone.
 */
const RATING = `
create table rating (${TENANT},
  -- The conversation that has its messages now; that of the case is where it was closed.
  conversation_id uuid not null,
  case_conversation_id uuid not null,
  case_at timestamptz not null,
  contact_id uuid,
  -- The one whose survey it is, and all of the case.
  channel_id uuid not null,
  channels uuid[] not null,
  -- The agent who answered last.
  user_id uuid,
  touchpoint text,
  scale text not null,
  not_asked text,
  asked_at timestamptz,
  expires_at timestamptz,
  score int,
  rated_at timestamptz,
  check ((not_asked is null) = (asked_at is not null)),
  check ((score is null) = (rated_at is null))
);
${tenantIndexes('rating')}
create unique index rating_case on rating (case_conversation_id, case_at);
create index rating_conversation on rating (conversation_id);
create index rating_contact on rating (contact_id, asked_at);

create table rating_comment (
  rating_id uuid primary key references rating (id) on delete cascade,
  -- Of a merged conversation it goes with either: with whom it is said of now, and with who wrote it.
  conversation_id uuid not null references conversation (id) on delete cascade,
  case_conversation_id uuid not null references conversation (id) on delete cascade,
  comment text not null
);
create index rating_comment_conversation on rating_comment (conversation_id);
create index rating_comment_case on rating_comment (case_conversation_id)`

export const RATINGS = [RATING]
