import { Unprocessable } from '../../errors.js'
import type { Command } from './command.js'

/** `/follow` (3.2): each later consumer message sets `inbox` for the user. */
export const follow: Command<'follow'> = {
  name: 'follow',
  permission: 'conversation.command',
  run({ work, actor }) {
    work.join(actor).follow = true
  },
}

/** `/unfollow` (3.2): the user must be a participant. */
export const unfollow: Command<'unfollow'> = {
  name: 'unfollow',
  permission: 'conversation.command',
  run({ work, actor }) {
    const participant = work.participants.get(actor.userId)
    if (!participant) {
      throw new Unprocessable(`user ${actor.userId} is not a participant of the conversation`, {
        field: 'user',
        user: actor.userId,
      })
    }
    participant.follow = false
  },
}
