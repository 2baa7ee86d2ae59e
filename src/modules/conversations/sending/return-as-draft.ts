import { userStream } from '../../../platform/events/event.js'
import { pathOf } from '../../../platform/db/tenancy.js'
import type { NewMessage } from '../../messages/message-content.js'
import type { OutgoingMail } from '../../messages/outgoing-mail.js'
import type { Sender } from '../messages/members.js'
import type { WritingChange } from '../state/writing-change.js'
import { MovedOn, type HeldBecause } from './require-seen.js'

/** Others did something while a message waited for its delay: it is not sent. */
export class HeldWhenDue extends MovedOn {}

/**
 * Gives a held message back to its author, before what the author is writing now. Part of the transaction that ends the
 * message's job, so that the text is neither lost nor sent later.
 */
export function returnAsDraft(
  change: WritingChange,
  { newMessage, sender, because }: { newMessage: NewMessage; sender: Sender; because: HeldBecause },
): void {
  const user = sender.member?.userId
  const { text, isBackchannel, mail } = newMessage
  // What consumers send is never held; a card or a form without a text cannot be edited as one.
  if (user === undefined || text === null) return
  const { id } = change.conversation
  const typed = mail && JSON.stringify(asTyped(mail))
  change.afterWrites(RETURN, [user, id, text, isBackchannel, JSON.stringify(because), change.now, typed])
  const path = pathOf(change.conversation).filter((each) => each !== undefined)
  change.emit(userStream(user), 'draft.changed', { conversation: id, path })
}

/** The fields of a draft that hold these recipients. */
function asTyped({ to, cc, bcc, subject }: OutgoingMail): Record<'to' | 'cc' | 'bcc' | 'subject', string> {
  return { to: to.join(', '), cc: cc.join(', '), bcc: bcc.join(', '), subject: subject ?? '' }
}

/** From the user, who may be deleted by now. Cut like any draft. */
const RETURN = `
insert into conversation_draft as d (user_id, conversation_id, text, is_backchannel, held_because, updated_at, mail)
select u.id, $2, $3, $4, $5::jsonb, $6, $7::jsonb from app_user u where u.id = $1
on conflict (user_id, conversation_id) do update set
  text = left(excluded.text || e'\\n\\n' || d.text, 100000), is_backchannel = excluded.is_backchannel,
  held_because = excluded.held_because, mail = coalesce(excluded.mail, d.mail), updated_at = excluded.updated_at`
