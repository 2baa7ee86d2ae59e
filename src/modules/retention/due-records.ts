import { NIL } from 'uuid'
import { leastIdAt } from '../../platform/db/clock.js'
import type { Sql } from '../../platform/db/sql.js'
import { tenantSql, type OrganizationPath } from '../../platform/db/tenancy.js'
import { NOTICE_DAYS, type RetentionSubject } from './retention-policy.js'

export const DAY_MS = 86_400_000

/** The records that a policy erases at a time. */
export interface DueRecords {
  /** Path of the policy's organization. */
  path: OrganizationPath
  subject: RetentionSubject
  /** Time before which a record must have ended. */
  before: Date
  now: Date
}

/** The last record that was looked at. Null as `slot`: conversations without messages, which come first. */
export interface Cursor {
  slot: string | null
  id: string
}

/** Adds a value of a statement, and returns its number: `$3`. */
export type Bind = (value: unknown) => string

interface Subject {
  table: 'conversation' | 'attachment' | 'contact'
  /** Name of a record of the alias `t`, for whoever looks at a preview. */
  name: string
  /** Time from which the days of a record of `t` are counted. */
  since: string
  /** Condition that is cheap to test, and leaves out what is not over. */
  over?: string
  /** Condition on records of `t`, by a time before which they must have ended. */
  ended: (before: string) => string
  /** Condition on records of `t`: nothing is to come of their conversations, and no closing of one can be undone. */
  rests: (now: string) => string
}

const SINCE = 'coalesce(t.last_message_at, t.created_at)'

/** Condition on messages `m`, by the index of files. */
const SHOWS_FILE = `m.meta ->> 'fileId' = t.id::text and m.meta ? 'fileId'`

const OVER = `t.status in ('closed', 'archived')`

export const SUBJECTS: Readonly<Record<RetentionSubject, Subject>> = {
  conversations: {
    table: 'conversation',
    name: 't.name',
    since: SINCE,
    over: OVER,
    // What is cheap is tested before what reads more: few were merged into another.
    ended: (before) => `${OVER} and ${SINCE} < ${before}
      and (not exists (select from conversation_merge m where m.origin_id = t.id) or case_ended(t.id, ${before}))`,
    rests: (now) => `case_rests(t.id, ${now})`,
  },
  attachments: {
    table: 'attachment',
    name: 't.file_name',
    since: `coalesce((select max(coalesce(c.last_message_at, c.created_at)) from message m join conversation c on c.id = m.conversation_id
      where ${SHOWS_FILE}), t.created_at)`,
    ended: (before) => `t.created_at < ${before} and t.tags = '{}'
      and not exists (select from file f where f.attachment_id = t.id)
      and (t.contact_id is not null
        or exists (select from message m where ${SHOWS_FILE}))
      and not exists (select from message m where ${SHOWS_FILE}
        and not case_ended(m.conversation_id, ${before}))`,
    rests: (now) => `not exists (select from message m where ${SHOWS_FILE}
      and not case_rests(m.conversation_id, ${now}))`,
  },
  contacts: {
    table: 'contact',
    name: `coalesce(t.profile ->> 'name', t.email, t.telephone, '')`,
    since: `greatest(t.updated_at, (select max(coalesce(v.last_message_at, v.created_at)) from conversation v where v.contact_id = t.id))`,
    ended: (before) => `t.created_at < ${before} and t.updated_at < ${before} and t.erasing_at is null
      and not exists (select from conversation v where v.contact_id = t.id and not case_ended(v.id, ${before}))`,
    rests: (now) =>
      `not exists (select from conversation v where v.contact_id = t.id and not case_rests(v.id, ${now}))`,
  },
}

/** SQL: tells whether a record of `t` is due, but for when it came here; of those to which the policy applies. */
export function dueSql(due: DueRecords, bind: Bind): string {
  const ended = SUBJECTS[due.subject].ended(`${bind(due.before)}::timestamptz`)
  const keeping = due.subject === 'contacts' ? [noneKeptLongerSql(due, bind)] : []
  return `(${[ended, ...keeping].join(' and ')})`
}

/** Leaves out contacts of which a conversation is within its own term, the nearest of conversations: it would go with the contact. */
function noneKeptLongerSql({ now }: DueRecords, bind: Bind): string {
  const at = `${bind(now)}::timestamptz`
  return `not exists (select from conversation v cross join lateral (
      select q.days from retention_policy q
      where q.subject = 'conversations' and (q.ends_at is null or q.ends_at > ${at}) and q.organization_id in (v.org1, v.org2, v.org3)
      order by array_position(array[v.org3, v.org2, v.org1], q.organization_id), q.days desc limit 1) nearest
    where v.contact_id = t.id and coalesce(v.last_message_at, v.created_at) >= ${at} - nearest.days * interval '1 day')`
}

/** SQL: tells whether the policy applies to a record of `t`: none of an organization below it has a policy of its own. */
export function noneNearerSql({ path, subject, now }: DueRecords, bind: Bind): string {
  const below = ['t.org1', 't.org2', 't.org3'].slice(path.length)
  if (below.length === 0) return 'true'
  return `not exists (select from retention_policy q where q.subject = '${subject}'
    and (q.ends_at is null or q.ends_at > ${bind(now)}::timestamptz) and q.organization_id in (${below.join(', ')}))`
}

/**
 * SQL: tells whether a record of `t` came here long enough ago. An id tells when it was made, also of a conversation that was imported
 * with its old messages.
 */
export function noticedSql({ now }: DueRecords, bind: Bind): string {
  return `t.id < ${bind(leastIdAt(new Date(now.getTime() - NOTICE_DAYS * DAY_MS)))}::uuid`
}

/** SQL: tells whether a record of `t` has its turn. */
const hasTurnSql = (due: DueRecords, bind: Bind): string =>
  [noticedSql(due, bind), dueSql(due, bind), noneNearerSql(due, bind)].join(' and ')

/** Records that one statement looks at. */
const LOOK = 1_000
/** Records that a slice erases. */
const SLICE = 200

interface Looked {
  id: string
  slot: string | null
}

/**
 * Reads the next records that are due, in bounded steps: of those that it looks at, in their order, no more are tested than a slice needs.
 * @returns their ids, and where the next slice begins; null after the last
 */
export async function nextDue(
  sql: Sql,
  due: DueRecords,
  after: Cursor | null,
): Promise<{ ids: string[]; cursor: Cursor | null }> {
  const cursor = after ?? { slot: null, id: NIL }
  const values: unknown[] = []
  const bind: Bind = (value) => `$${values.push(value)}`
  const { range, order, slot } = rangeOf(due, cursor, bind)
  const [page] = await sql.query<{ due: Looked[]; looked: number; last: Looked | null }>(
    `with t as materialized (
       select t.*, row_number() over (order by ${order}) as nth
       from ${SUBJECTS[due.subject].table} t where ${tenantSql(due, 't', values)} and ${range} order by ${order} limit ${LOOK}
     ), due as materialized (select t.id, ${slot} as slot, t.nth from t where ${hasTurnSql(due, bind)} limit ${SLICE})
     select (select coalesce(jsonb_agg(jsonb_build_object('id', id, 'slot', slot) order by nth), '[]') from due) as due,
       (select count(*)::int from t) as looked,
       (select jsonb_build_object('id', t.id, 'slot', ${slot}) from t order by nth desc limit 1) as last`,
    values,
  )
  const { due: chosen, looked, last: lastLooked } = page!
  const ids = chosen.map(({ id }) => id)
  // The next slice goes on behind what is erased now, or behind all that was looked at.
  const last = chosen.length === SLICE ? chosen.at(-1)! : looked === LOOK ? lastLooked : null
  if (last) return { ids, cursor: last }
  const isSilent = due.subject === 'conversations' && cursor.slot === null
  return { ids, cursor: isSilent ? { slot: new Date(0).toISOString(), id: NIL } : null }
}

/** Conversations are read in the order of their last messages, others in that of their ids: those that came too late are not read. */
function rangeOf(
  { subject, before }: DueRecords,
  { slot, id }: Cursor,
  bind: Bind,
): { range: string; order: string; slot: string } {
  if (subject !== 'conversations') {
    const range = `t.id > ${bind(id)}::uuid and t.id < ${bind(leastIdAt(before))}::uuid`
    return { range, order: 't.id', slot: 'null::timestamptz' }
  }
  if (slot === null) {
    const range = `t.last_message_slot is null and t.id > ${bind(id)}::uuid`
    return { range, order: 't.id', slot: 't.last_message_slot' }
  }
  const from = `${bind(slot)}::timestamptz`
  const range = `t.last_message_slot >= ${from} and t.last_message_slot < ${bind(before)}::timestamptz
    and (t.last_message_slot, t.id) > (${from}, ${bind(id)}::uuid)`
  return { range, order: 't.last_message_slot, t.id', slot: 't.last_message_slot' }
}

/** Returns those of some records that are still due, and of which nothing is to come, under the locks of whoever erases them. */
export async function stillDue(sql: Sql, due: DueRecords, ids: readonly string[]): Promise<string[]> {
  const values: unknown[] = [ids]
  const bind: Bind = (value) => `$${values.push(value)}`
  const { table, rests } = SUBJECTS[due.subject]
  const rows = await sql.query<{ id: string }>(
    `select t.id from ${table} t where t.id = any($1::uuid[]) and ${tenantSql(due, 't', values)}
       and ${hasTurnSql(due, bind)} and ${rests(`${bind(due.now)}::timestamptz`)}`,
    values,
  )
  return rows.map(({ id }) => id)
}
