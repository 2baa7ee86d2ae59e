import { TENANT, tenantIndexes, UNCHECKED_TENANT } from './tenant-columns.js'

/**
 * Legal holds: ids of what must not be lost, of any number of which each holds by itself. No references: what a released hold
 * named may go. Those of one contact center and what they would refuse come one after the other by an advisory lock, see
 * `modules/holds/held.ts`.
 */
const HOLD = `
create table hold (${TENANT},
  name text not null,
  reason text not null,
  contacts uuid[] not null default '{}',
  conversations uuid[] not null default '{}',
  users uuid[] not null default '{}',
  -- A span of time, of which one end may be open; both null for none.
  "from" timestamptz,
  "to" timestamptz,
  created_by_id uuid,
  released_at timestamptz,
  released_by_id uuid
);
${tenantIndexes('hold')}
create index hold_active on hold (org1) where released_at is null;
create index hold_contacts on hold using gin (contacts) where released_at is null;
create index hold_conversations on hold using gin (conversations) where released_at is null`

/** Messages of held conversations as they were before they were edited or deleted; they go with the last hold on them. */
const HELD_MESSAGE = `
create table held_message (${UNCHECKED_TENANT.replace('primary key', 'primary key default gen_random_uuid()')},
  conversation_id uuid not null references conversation (id) on delete cascade,
  -- No reference: it may be deleted.
  message_id uuid not null,
  holds uuid[] not null,
  deed text not null check (deed in ('edited', 'deleted', 'cancelled')),
  -- Who edited or deleted it; null for the server and for consumers.
  changed_by_id uuid,
  -- Of the message itself.
  type text not null, role text not null,
  user_id uuid,
  sent_at timestamptz not null,
  text text,
  actions jsonb, items jsonb, meta jsonb
);
${tenantIndexes('held_message')}
create index held_message_conversation on held_message (conversation_id, id);
create index held_message_of_center on held_message (org1, conversation_id);
create index held_message_file on held_message ((meta ->> 'fileId')) where meta ? 'fileId'`

/** Users who took part in a conversation that was held for that, and do not any more: whoever is sued leaves, is moved or archived. */
const HELD_PART = `
create table held_part (
  conversation_id uuid not null references conversation (id) on delete cascade,
  -- No reference: a deleted user's part stays.
  user_id uuid not null,
  primary key (conversation_id, user_id)
)`

/**
 * Finds the holds on conversations. What was merged into one is part of it: a hold on the origin, or on its contact, is one on
 * the target.
 */
const HOLDS_ON = `
create function holds_on(conversations uuid[]) returns table (hold_id uuid, conversation_id uuid) language sql stable as $$
  with recursive line as (
    select id as root, id from unnest(conversations) as id
    union select l.root, m.origin_id from line l join conversation_merge m on m.target_id = l.id
  ), said as materialized (
    select l.root, c.id, c.contact_id, r.org1, r.org2, r.org3, c.created_at, coalesce(c.last_message_at, c.created_at) as last_at
    from line l join conversation c on c.id = l.id join conversation r on r.id = l.root
  ), of_users as materialized (
    select s.root, s.id, h.id as hold, h.users from said s
    join hold h on h.org1 = s.org1 and h.organization_id in (s.org1, s.org2, s.org3) and h.released_at is null and h.users <> '{}'
  ), part as materialized (
    select o.id, array(
      select user_id from participant where conversation_id = o.id
      union select user_id from held_part where conversation_id = o.id
      union select user_id from message where conversation_id = o.id and user_id is not null) as users
    from (select distinct id from of_users) o
  ), found as (
    select l.root, h.id from line l join hold h on h.conversations @> array[l.id] and h.released_at is null
    union
    select s.root, h.id from said s join hold h on h.contacts @> array[s.contact_id] and h.released_at is null
    union
    select s.root, h.id from said s
      join hold h on h.org1 = s.org1 and h.organization_id in (s.org1, s.org2, s.org3) and h.released_at is null
      where (h."from" is not null or h."to" is not null)
        and s.created_at < coalesce(h."to", 'infinity') and s.last_at >= coalesce(h."from", '-infinity')
    union
    select o.root, o.hold from of_users o join part p on p.id = o.id where o.users && p.users
  )
  select f.id, f.root from found f join hold h on h.id = f.id join conversation r on r.id = f.root
  where h.organization_id in (r.org1, r.org2, r.org3)
$$`

/** Finds the holds on a contact, or on one of its conversations, which are not looked through where there are none. */
const HOLDS_ON_CONTACT = `
create function holds_on_contact(contact uuid) returns table (hold_id uuid) language sql stable as $$
  select h.id from contact c join hold h on h.contacts @> array[c.id] and h.released_at is null
  where c.id = $1 and h.organization_id in (c.org1, c.org2, c.org3)
  union
  select o.hold_id from holds_on(array(select v.id from conversation v where v.contact_id = $1
    and exists (select from hold h where h.org1 = v.org1 and h.released_at is null))) o
$$`

/**
 * Keeps what is edited and deleted in held conversations: triggers, so that every way is covered. Each waits for a hold that is
 * being made, and is waited for by it. Who does it is told by the transaction, in a setting of its own.
 */
const KEPT = [
  `create function share_holds(org1 uuid) returns void language sql volatile as $$
     select pg_advisory_xact_lock_shared(hashtextextended('hold ' || org1::text, 0)) $$`,
  `create function keep_held_message() returns trigger language plpgsql as $$
     declare
       found uuid[];
     begin
       perform share_holds(old.org1);
       if exists (select from hold h where h.org1 = old.org1 and h.released_at is null) then
         found := array(select h.hold_id from holds_on(array[old.conversation_id]) h);
         if cardinality(found) > 0 then
           insert into held_message (organization_id, org1, org2, org3, created_at, updated_at, conversation_id,
             message_id, holds, deed, changed_by_id, type, role, user_id, sent_at, text, actions, items, meta)
           values (old.organization_id, old.org1, old.org2, old.org3, now(), now(), old.conversation_id,
             old.id, found, case tg_op when 'DELETE' then 'deleted' else 'edited' end,
             (nullif(current_setting('switchboard.editors', true), '')::jsonb ->> old.id::text)::uuid,
             old.type, old.role, old.user_id, old.created_at, old.text, old.actions, old.items, old.meta);
         end if;
       end if;
       return case tg_op when 'DELETE' then old else new end;
     end $$`,
  // Of a merge, the copy has all that its original had.
  `create trigger message_held_edited before update on message for each row
   when (old.text is distinct from new.text or old.actions is distinct from new.actions
     or old.items is distinct from new.items or old.meta is distinct from new.meta
       and coalesce(old.meta, '{}') - '_target' is distinct from coalesce(new.meta, '{}') - '_target')
   execute function keep_held_message()`,
  // Not with its conversation, of which nothing is kept: that is refused where it is held.
  `create trigger message_held_deleted before delete on message for each row when (pg_trigger_depth() = 0)
   execute function keep_held_message()`,
  `create function keep_held_part() returns trigger language plpgsql as $$
     begin
       if not exists (select from hold h where h.released_at is null) then
         return old;
       end if;
       insert into held_part (conversation_id, user_id)
       select c.id, old.user_id from conversation c
       where c.id = old.conversation_id and exists (
         select from hold h where h.org1 = c.org1 and h.released_at is null and h.users @> array[old.user_id])
       on conflict do nothing;
       return old;
     end $$`,
  `create trigger participant_held before delete on participant for each row execute function keep_held_part()`,
  // Every way refuses it before: this is a guard against one that does not.
  `create function refuse_held() returns trigger language plpgsql as $$
     begin
       perform share_holds(old.org1);
       if not exists (select from hold h where h.org1 = old.org1 and h.released_at is null) then
         return old;
       end if;
       if tg_table_name = 'conversation' and exists (select from holds_on(array[old.id]))
         or tg_table_name = 'contact' and exists (select from holds_on_contact(old.id)) then
         raise exception '% % is on hold', tg_table_name, old.id using errcode = 'restrict_violation';
       end if;
       return old;
     end $$`,
  `create trigger conversation_held before delete on conversation for each row execute function refuse_held()`,
  `create trigger contact_held before delete on contact for each row execute function refuse_held()`,
]

export const HOLDS = [HOLD, HELD_MESSAGE, HELD_PART, HOLDS_ON, HOLDS_ON_CONTACT, ...KEPT]
