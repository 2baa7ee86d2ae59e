import type { Sql } from '../../platform/db/sql.js'
import { Unprocessable } from '../../platform/errors.js'
import type { HoldName } from './hold.js'

/** Refuses what a legal hold keeps. */
export class OnHold extends Unprocessable {
  constructor(what: string, [hold, ...more]: readonly [HoldName, ...HoldName[]], field: string) {
    const others = more.length > 0 ? ` and ${more.length} more` : ''
    super(`${what} is kept by the hold “${hold.name}”${others}: it goes when that is released`, {
      reason: 'ON_HOLD',
      field,
      hold: hold.id,
      holds: [hold, ...more].map(({ id, name }) => ({ id, name })),
    })
  }
}

/** A lock of a contact center: by its advisory lock, since a hold may be of what does not exist yet. */
const lockOf = (how: string): string => `select ${how}(hashtextextended('hold ' || $1::text, 0))`
const SHARE_HOLDS = lockOf('pg_advisory_xact_lock_shared')

/**
 * Waits for the deletions and changes under way in a contact center, and has the next ones wait for the end of the transaction. Whoever
 * has it waits for nothing that a deletion locks: it is taken after checks, and no row of a conversation or contact is locked with it.
 */
export async function lockHolds(sql: Sql, center: string): Promise<void> {
  await sql.query(lockOf('pg_advisory_xact_lock'), [center])
}

/** Lets nobody make a hold in a contact center until the transaction has ended. The holds are read afterwards. */
export async function shareHolds(sql: Sql, center: string): Promise<void> {
  await sql.query(SHARE_HOLDS, [center], 'share-holds')
}

/** Returns the holds on conversations; until the transaction ends there are no others. */
export async function holdsOn(sql: Sql, center: string, conversations: readonly string[]): Promise<HoldName[]> {
  await shareHolds(sql, center)
  return sql.query<HoldName>(NAMES_ON, [conversations], 'holds-on')
}

/** Returns the holds on a contact and on its conversations; until the transaction ends there are no others. */
export async function holdsOnContact(sql: Sql, { id, org1 }: { id: string; org1: string }): Promise<HoldName[]> {
  await shareHolds(sql, org1)
  return sql.query<HoldName>(NAMES_ON_CONTACT, [id], 'holds-on-contact')
}

/**
 * Returns the holds on what an attachment was sent in, also if that was deleted since, and on the contact that uploaded it; until the
 * transaction ends there are no others.
 */
export async function holdsOnAttachment(sql: Sql, { id, org1 }: { id: string; org1: string }): Promise<HoldName[]> {
  await shareHolds(sql, org1)
  return sql.query<HoldName>(NAMES_ON_ATTACHMENT, [id], 'holds-on-attachment')
}

const namesOf = (holds: string): string =>
  `select id, name from hold where id in (${holds}) and released_at is null order by created_at, id`

/** SQL of the ids of holds, released ones too, on a record by the SQL of its id. */
const HELD_BY = {
  contacts: (id: string) => `select o.hold_id from holds_on_contact(${id}) o`,
  attachments: (id: string) => `
    select o.hold_id from holds_on(array(
      select conversation_id from message where meta ->> 'fileId' = ${id}::text and meta ? 'fileId'
      union select conversation_id from held_message where meta ->> 'fileId' = ${id}::text and meta ? 'fileId')) o
    union select o.hold_id from attachment a, holds_on_contact(a.contact_id) o where a.id = ${id} and a.contact_id is not null`,
}

const eachOf = (holds: (id: string) => string): string =>
  `select x.id, o.hold_id from unnest($1::uuid[]) as x (id) cross join lateral (${holds('x.id')}) o`

/** SQL of the holds, released ones too, on each of the records `$1`. */
export const HELD_AMONG = {
  conversations: 'select o.conversation_id as id, o.hold_id from holds_on($1::uuid[]) o',
  contacts: eachOf(HELD_BY.contacts),
  attachments: eachOf(HELD_BY.attachments),
}

const NAMES_ON = namesOf('select o.hold_id from holds_on($1::uuid[]) o')
const NAMES_ON_CONTACT = namesOf(HELD_BY.contacts('$1'))
const NAMES_ON_ATTACHMENT = namesOf(HELD_BY.attachments('$1::uuid'))

/**
 * SQL: keeps what a message would have said that was taken back before it was sent, if its conversation is held; once the holds are
 * shared. Values: the conversation, the message's id, the time, the user, the sender and the message.
 */
export const KEEP_CANCELLED = `
insert into held_message (organization_id, org1, org2, org3, created_at, updated_at, conversation_id, message_id, holds, deed,
  changed_by_id, type, role, user_id, sent_at, text, actions, items, meta)
select c.organization_id, c.org1, c.org2, c.org3, $3, $3, c.id, $2, held.holds, 'cancelled', $4,
  m.said ->> 'type', m.said ->> 'role', (m.sender #>> '{member,userId}')::uuid, $3, m.said ->> 'text',
  nullif(m.said -> 'actions', 'null'), nullif(m.said -> 'items', 'null'), nullif(m.said -> 'meta', 'null')
from conversation c cross join (select $5::jsonb as sender, $6::jsonb as said) m
  cross join lateral (select array_agg(hold_id) as holds from holds_on(array[c.id])) held
where c.id = $1 and held.holds is not null`

/** @throws OnHold naming the holds and the field; returns if there are none */
export function refuseHeld(holds: readonly HoldName[], what: string, field = 'id'): void {
  const [first, ...more] = holds
  if (first) throw new OnHold(what, [first, ...more], field)
}
