import { holdsOn, refuseHeld } from '../../holds/held.js'
import { filesOfSql } from '../state/files-of-conversation.js'
import type { ConversationChange } from '../state/conversation-change.js'
import type { WritingChange } from '../state/writing-change.js'
import { releaseClosings } from './close-conversation.js'

/**
 * Removes a conversation with its content, whatever its status: its offer is withdrawn, its streams and clocks end with it. What its
 * closings count as stays in reports.
 * @param isErased its contact is being erased, which needs its id however little it leaves
 * @throws OnHold
 */
export async function removeConversation(change: WritingChange, { isErased }: { isErased: boolean }): Promise<void> {
  const { id, org1 } = change.conversation
  refuseHeld(await holdsOn(change.sql, org1, [id]), `conversation ${id}`)
  await removeTogether(change, [change], { isErased })
}

/**
 * Removes conversations that no hold keeps, among those that the operation has locked, with one statement for each table.
 * @param gone the operation's own, others of it, or both
 */
export async function removeTogether(
  change: WritingChange,
  gone: readonly ConversationChange[],
  { isErased }: { isErased: boolean },
): Promise<void> {
  const { text, values } = await releaseClosings(change, gone)
  for (const each of gone) each.remove()
  const ids = gone.map(({ conversation }) => conversation.id)
  change.afterWrites(REMEMBER_DELETED, [ids, isErased])
  change.afterWrites('delete from conversation where id = any($1::uuid[])', [ids])
  change.afterWrites(text, values)
}

/** SQL: keeps what leads from the conversations `$1` to their copies in others, to cards that name them, and to their files: an erasure of the contact finds these by it. */
const REMEMBER_DELETED = `
insert into deleted_conversation (id, contact_id, named_in, attachments)
select c.id, c.contact_id, named.ids, named.files from conversation c cross join lateral (
  select array(select other from merge_suggestion where one = c.id
    union select one from merge_suggestion where other = c.id) as ids,
    array(${filesOfSql('c.id')}) as files) as named
where c.id = any($1::uuid[]) and c.contact_id is not null and ($2
  or cardinality(named.ids) > 0 or cardinality(named.files) > 0 or exists (select from message m where m.origin_id = c.id))`
