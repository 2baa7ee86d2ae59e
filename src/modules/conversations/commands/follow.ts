import type { Command } from './command.js'
import { notAParticipant } from './not-a-participant.js'

/** `/follow` (3.2): each later consumer message adds the conversation to the user's inbox. */
export const follow: Command = {
  name: 'follow',
  permission: 'conversation.command',
  grant: 'accept',
  takesUser: true,
  run({ change, actor }) {
    change.join(actor).follow = true
  },
}

/** `/unfollow` (3.2): ends `/follow`. The user must be a participant. */
export const unfollow: Command = {
  name: 'unfollow',
  permission: 'conversation.command',
  grant: 'accept',
  takesUser: true,
  run({ change, actor }) {
    const participant = change.participants.get(actor.userId)
    if (!participant) throw notAParticipant(actor.userId)
    participant.follow = false
  },
}
