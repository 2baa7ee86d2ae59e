/** The operator's decisions on a contact center. One without a row has no quotas, and was never archived. */
const CONTACT_CENTER = `
create table contact_center (
  org1 uuid primary key references organization (id) on delete cascade,
  -- The owner who was invited first.
  owner_id uuid references app_user (id) on delete set null,
  archived_at timestamptz,
  users_max int,
  organizations_max int,
  guest_messages_per_minute int,
  guest_upload_mebibytes_per_day int
);
create index contact_center_owner on contact_center (owner_id) where owner_id is not null;
-- Few: every check of access asks for all of them.
create index contact_center_archived on contact_center (org1) where archived_at is not null`

export const CONTACT_CENTERS = [CONTACT_CENTER]
