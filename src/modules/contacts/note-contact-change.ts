import { isDeepStrictEqual } from 'node:util'
import type { Context } from '../../platform/context.js'
import type { Sql } from '../../platform/db/sql.js'
import type { JsonObject } from '../../platform/json.js'
import type { StoredProfile } from './contact-profile.js'
import type { Contact } from './contact.js'

/** The values of which a timeline tells that they changed. */
export type Noted = Pick<Contact, 'profile' | 'meta' | 'status'>

export interface ContactChange {
  before: Noted
  at: Date
  /** A user, the contact itself, or the service for null. */
  by: { user: string | null } | 'contact'
}

const FIELDS_MAX = 50
/** Older ones are dropped: a directory that is synchronized every night must not grow for ever. */
const CHANGES_MAX = 200

/** Takes down the values as they are, before a change. Changes replace them, and never write into them. */
export const noted = ({ profile, meta, status }: Noted): Noted => ({ profile, meta, status })

/** Returns the caller's user; null for a guest and for the service. */
export const callerId = ({ maybeCaller }: Context): string | null =>
  maybeCaller?.kind === 'user' ? maybeCaller.user : null

/**
 * Records which fields of a locked contact changed, without their values, for its timeline. What one user changes within ten
 * minutes is one change: a form fills field after field.
 */
export async function noteContactChange(
  sql: Pick<Sql, 'query'>,
  contact: Noted & Pick<Contact, 'id'>,
  { before, at, by }: ContactChange,
): Promise<void> {
  const fields = changedFields(before, contact)
  if (fields.length === 0) return
  const user = by === 'contact' ? null : by.user
  await sql.query(NOTE_CHANGE, [contact.id, at, user, by === 'contact', fields])
}

/** SQL: `$3`, a user, blocks the contact `$1` at `$2`. */
export const NOTE_CONTACT_BLOCKED = `
insert into contact_change (contact_id, user_id, fields, created_at) values ($1, $3, '{status}', $2)`

/** Returns the names of the fields that differ, such as `profile.email`, `meta.tier` and `status`. */
export function changedFields(before: Noted, after: Noted): string[] {
  return [
    ...differing(before.profile, after.profile).map((key) => `profile.${key}`),
    // Keys with `_` are the service's own.
    ...differing(before.meta, after.meta)
      .filter((key) => !key.startsWith('_'))
      .map((key) => `meta.${key}`),
    ...(before.status === after.status ? [] : ['status']),
  ].slice(0, FIELDS_MAX)
}

function differing(one: StoredProfile | JsonObject | null, other: StoredProfile | JsonObject | null): string[] {
  const [from, to] = [one ?? {}, other ?? {}] as [JsonObject, JsonObject]
  return [...new Set([...Object.keys(from), ...Object.keys(to)])].filter(
    (key) => !isDeepStrictEqual(from[key] ?? null, to[key] ?? null),
  )
}

const NOTE_CHANGE = `
with newest as (
  select id, user_id, is_by_contact, created_at from contact_change where contact_id = $1
  order by created_at desc, id desc limit 1
), joined as (
  update contact_change c
  set fields = array(select distinct f from unnest(c.fields || $5::text[]) as f order by f limit ${FIELDS_MAX})
  from newest n where c.id = n.id and n.user_id is not distinct from $3 and n.is_by_contact = $4
    and n.created_at > $2::timestamptz - interval '10 minutes'
  returning c.id
), pruned as (
  delete from contact_change where id in (
    select id from contact_change where contact_id = $1 order by created_at desc, id desc offset ${CHANGES_MAX - 1})
)
insert into contact_change (contact_id, user_id, is_by_contact, fields, created_at)
select $1, $3, $4, $5, $2 where not exists (select from joined)`
