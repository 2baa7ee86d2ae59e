import { BLOCK_CONTACT } from '../../contacts/block-contact.js'
import { Unprocessable } from '../../errors.js'
import { applyMove } from '../writing/transitions.js'
import type { ExclusiveCommand } from './command.js'

/** `/block` (4.8, 3.1): blocks the contact and its network address, and closes the conversation. */
export const block: ExclusiveCommand = {
  name: 'block',
  permission: 'conversation.command',
  isExclusive: true,
  run({ draft }) {
    const { conversation, participants, now } = draft
    if (!conversation.contactId) throw new Unprocessable('the conversation has no contact to block')
    applyMove(conversation, 'block')
    draft.clocks.isBlocking = true
    for (const participant of participants.values()) Object.assign(participant, { accepted: false, active: false })
    // The contact may be created by the same request.
    draft.afterWrites(BLOCK_CONTACT, [conversation.contactId, now])
  },
}
