/** Presence of users and contacts by node. A node that does not renew `seen_at` is dead, and its rows are ignored. */
const NODE = `
create unlogged table node (
  id uuid primary key,
  seen_at timestamptz not null,
  started_at timestamptz not null,
  -- Since when its row was renewed without a gap.
  alive_since timestamptz not null default now(),
  -- When it had registered again because its presence was lost; infinity until then, null for one that has just started.
  again_at timestamptz
);

create unlogged table queue_subscriber (
  node_id uuid not null references node (id) on delete cascade,
  subscription_id uuid not null,
  channel_id uuid not null,
  user_id uuid not null,
  since timestamptz not null default now(),
  -- When its connection was lost; it counts for a grace period.
  lost_at timestamptz,
  primary key (channel_id, subscription_id)
);
create index queue_subscriber_node on queue_subscriber (node_id);

create unlogged table conversation_viewer (
  node_id uuid not null references node (id) on delete cascade,
  subscription_id uuid not null,
  conversation_id uuid not null,
  user_id uuid,
  contact_id uuid,
  primary key (conversation_id, subscription_id)
);
create index conversation_viewer_node on conversation_viewer (node_id);
create index conversation_viewer_contact on conversation_viewer (contact_id) where contact_id is not null`

export const PRESENCE = [NODE]
