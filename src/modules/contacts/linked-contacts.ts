import { reading, type ReadSql } from '../../platform/db/sql.js'

/** Contacts that are taken for one person at most: more is a mistake of whoever merges. */
const LINKED_MAX = 100

/** SQL: user `$5` merges conversation `$3` of contact `$1` into conversation `$4` of contact `$2` at `$6`. */
export const NOTE_CONTACT_MERGE = `
insert into contact_merge (origin_id, target_id, origin_conversation_id, target_conversation_id, user_id, created_at)
select $1, $2, $3, $4, $5, $6 where exists (select from contact where id = $1) and exists (select from contact where id = $2)`

/**
 * Returns the contact and those that are the same person, because conversations of theirs were merged: the notes and the
 * history of one are shown with each of them. All are of one organization, as merged conversations are. Nothing is moved, so that
 * erasing one of them erases what was noted of it, and no more.
 */
export async function linkedContacts(sql: ReadSql, id: string): Promise<string[]> {
  const rows = await sql.query<{ id: string }>(LINKED, [id], 'linked-contacts')
  return rows.map((row) => row.id)
}

const LINKED = reading(`
with recursive linked as (
  select $1::uuid as id
  union
  select other.id from linked l, lateral (
    select g.target_id as id from contact_merge g where g.origin_id = l.id
    union all
    select g.origin_id from contact_merge g where g.target_id = l.id
  ) as other
)
select id from linked limit ${LINKED_MAX}`)
