import type { Permission } from '../../access/permissions.js'
import type { JsonObject } from '../../json.js'
import type { MessageRow } from '../../messages/message-row.js'
import type { ConversationDraft, Member } from '../writing/conversation-draft.js'
import type { Sender } from '../messages/members.js'
import type { Router } from '../routing/router.js'

/** What a command has at hand: the conversation's draft, who sent it, and for whom. */
export interface CommandRun<Arguments extends object = object> {
  draft: ConversationDraft
  router: Router
  sender: Sender
  /** Whom it is for: the message's `user` where the command takes one (4.8), else the sender. */
  actor: Member
  /** What its `parse` read of the text. */
  parsed: Arguments
  /** The message's metadata. */
  meta: JsonObject
  /** The command's own message, stored with the conversation. */
  message: MessageRow
  /** Part of a conversation create (4.7). */
  isInCreate: boolean
}

/** A slash command (4.8), one file each: what its text says, and what it does. */
export interface Command<Arguments extends object = object> {
  name: string
  /** Other names that clients may write. */
  aliases?: readonly string[]
  permission: Permission
  /** 4.8 gives it a `user`, on whose part it is; every other command is its sender's own. */
  takesUser?: true
  /** It writes by itself, beyond the draft: it gets a transaction of its own. */
  isExclusive?: boolean
  /**
   * Reads what follows its name. Absent: nothing may follow, its arguments are in the message's `user` and `meta`.
   * @throws BadUserInput
   */
  parse?(rest: string, field: string): Arguments
  /** Ids of other conversations that it changes: it finds them in `draft.others`. */
  alsoLocks?(parsed: Arguments): string[]
  run(run: CommandRun<Arguments>): void | Promise<void>
}
