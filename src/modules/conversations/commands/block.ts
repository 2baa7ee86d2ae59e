import { BLOCK_CONTACT } from '../../contacts/block-contact.js'
import { NOTE_CONTACT_BLOCKED } from '../../contacts/note-contact-change.js'
import { Unprocessable } from '../../../platform/errors.js'
import { applyMove } from '../state/transitions.js'
import type { ExclusiveCommand } from './command.js'

/** `/block` (4.8, 3.1): blocks the contact and its network address, and closes the conversation. */
export const block: ExclusiveCommand = {
  name: 'block',
  permission: 'conversation.command',
  grant: 'other',
  isExclusive: true,
  run({ change, sender }) {
    const { conversation, participants, now } = change
    if (!conversation.contactId)
      throw new Unprocessable('the conversation has no contact to block', { reason: 'NO_CONTACT' })
    applyMove(conversation, 'block')
    change.clocks.isBlocking = true
    for (const participant of participants.values()) Object.assign(participant, { accepted: false, active: false })
    // The contact may be created by the same request.
    change.afterWrites(BLOCK_CONTACT, [conversation.contactId, now])
    change.afterWrites(NOTE_CONTACT_BLOCKED, [conversation.contactId, now, sender.member?.userId ?? null])
  },
}
