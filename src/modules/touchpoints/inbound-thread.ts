import { mergedInto } from '../conversations/state/merged-conversation.js'
import { isId } from '../../platform/db/clock.js'
import type { Sql } from '../../platform/db/database.js'
import type { TouchpointService } from './adapter.js'
import type { KnownContact } from './inbound-contact.js'

/** The one touchpoint where an answer proves what it answers. */
const EMAIL = 'email'

/**
 * Returns the conversation that collects a contact's messages of a touchpoint, or those that somebody else may have
 * written (`isApart`); merged ones are followed to their target
 * (4.8). A thread without a target is removed, and so is one that a message may not join; see {@link isOpenToGuest}.
 */
export async function threadOf(
  sql: Sql,
  { contact, touchpoint, isApart, now }: { contact: string; touchpoint: string; isApart: boolean; now: Date },
): Promise<string | null> {
  const [thread] = await sql.query<{ conversation_id: string }>(
    'select conversation_id from touchpoint_thread where contact_id = $1 and touchpoint = $2 and is_apart = $3',
    [contact, touchpoint, isApart],
    'touchpoint-thread',
  )
  if (!thread) return null
  const found = await mergedInto(sql, thread.conversation_id)
  // What was apart and was merged is the contact's: nobody else continues it.
  const isOthers = isApart && found !== thread.conversation_id
  const open = isOthers || (found && touchpoint === EMAIL && (await isOpenToGuest(sql, found, now))) ? null : found
  if (!open) {
    await sql.query(
      `delete from touchpoint_thread
       where contact_id = $1 and touchpoint = $2 and conversation_id = $3 and is_apart = $4`,
      [contact, touchpoint, thread.conversation_id, isApart],
    )
  }
  return open
}

/**
 * Tells whether the token of a visitor reads the conversation. The address there may be the visitor's word alone: a
 * mail that shows no token of ours is by whoever has the address, who has not answered this conversation, and stays out
 * of it.
 */
async function isOpenToGuest(sql: Sql, conversation: string, now: Date): Promise<boolean> {
  const rows = await sql.query(
    'select 1 from token_family where conversation_id = $1 and revoked_at is null and expires_at > $2 limit 1',
    [conversation, now],
    'guest-of-conversation',
  )
  return rows.length > 0
}

/**
 * Returns a conversation in or below the service's organization that a consumer proved to write to, and its contact.
 */
export async function conversationOf(
  sql: Sql,
  service: TouchpointService,
  id: string,
): Promise<{ id: string; contact: KnownContact } | null> {
  const open = isId(id) ? await mergedInto(sql, id) : null
  if (!open) return null
  const [found] = await sql.query<KnownContact>(
    `select t.id, t.profile ->> 'name' as name, t.email, t.telephone, t.status = 'blocked' as "isBlocked"
     from conversation c join contact t on t.id = c.contact_id
     where c.id = $1 and $2 in (c.org1, c.org2, c.org3) and t.erasing_at is null`,
    [open, service.organizationId],
  )
  return found ? { id: open, contact: found } : null
}
