const MAILBOX = `
-- A mailbox that is read: when it is next due, who reads it, and how that goes.
create table mailbox (
  service_id uuid primary key references service (id) on delete cascade,
  -- Counts changes of the service's settings: whoever reads it with others begins anew.
  generation int not null default 1,
  due_at timestamptz not null,
  leased_by int,
  leased_until timestamptz,
  -- Number of the lease, by which its holder proves it.
  lease int not null default 0,
  -- When its folders were last found to be read to their end, and compared with the ledger.
  read_at timestamptz,
  audited_at timestamptz,
  failure text,
  failure_code text,
  failing_since timestamptz,
  failures int not null default 0
) with (fillfactor = 70);
create index mailbox_due on mailbox (due_at);

-- A numbering of a folder's mails: they keep their numbers (UIDs) until the server says or shows that they do not.
create table mailbox_epoch (
  id uuid primary key,
  service_id uuid not null references service (id) on delete cascade,
  folder text not null,
  uidvalidity bigint not null,
  uidnext bigint not null,
  -- The last number when it began: what is not in the ledger up to it was there before.
  first_uid bigint not null,
  -- Numbers up to it are in the ledger.
  last_uid bigint not null,
  -- Why it began.
  why text not null check (why in ('first', 'uidvalidity', 'uidnext', 'print')),
  began_at timestamptz not null,
  ended_at timestamptz
);
create unique index mailbox_epoch_current on mailbox_epoch (service_id, folder) where ended_at is null;
create index mailbox_epoch_service on mailbox_epoch (service_id);

-- The ledger: each mail, and what became of it.
create table mailbox_entry (
  id uuid primary key,
  epoch_id uuid not null references mailbox_epoch (id) on delete cascade,
  service_id uuid not null,
  uid bigint not null,
  state text not null default 'listed' check (state in ('listed', 'stored', 'again', 'automatic', 'bounce', 'own',
    'blocked', 'tooLarge', 'unreadable', 'gone')),
  reason text,
  -- No reference: what became of a mail outlives its message.
  message_id uuid,
  -- Keyed hashes of its head and of its identity, by which a copy is recognized; nothing of a mail can be told by them.
  print bytea,
  identity bytea,
  listed_at timestamptz not null,
  settled_at timestamptz,
  -- Attempts to read it; and when the next is due after one that failed.
  tries int not null default 0,
  retry_at timestamptz,
  -- Since when it has not been in the folder.
  missing_since timestamptz,
  -- When an administrator asked to read it again, and its state until then.
  asked_at timestamptz,
  asked_of text,
  unique (epoch_id, uid)
);
create index mailbox_entry_service on mailbox_entry (service_id, id);
create index mailbox_entry_state on mailbox_entry (service_id, state);
create index mailbox_entry_print on mailbox_entry (service_id, print) where print is not null;
create index mailbox_entry_identity on mailbox_entry (service_id, identity) where identity is not null;
create index mailbox_entry_listed on mailbox_entry (epoch_id, uid) where state = 'listed'`

export const MAILBOXES = [MAILBOX]
