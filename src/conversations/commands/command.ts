import type { Permission } from '../../access/permissions.js'
import type { JsonObject } from '../../json.js'
import type { ParsedCommand } from '../../messages/command-text.js'
import type { MessageRow } from '../../messages/message-row.js'
import type { ConversationDraft, Member } from '../writing/conversation-draft.js'
import type { Sender } from '../messages/members.js'
import type { Router } from '../routing/router.js'

/** What a command has at hand: the conversation's draft, who sent it, and for whom. */
export interface CommandRun<Parsed extends ParsedCommand = ParsedCommand> {
  draft: ConversationDraft
  router: Router
  sender: Sender
  /** Whom it is for: the message's `user` where the command takes one (4.8), else the sender. */
  actor: Member
  parsed: Parsed
  /** The message's metadata. */
  meta: JsonObject
  /** The command's own message, stored with the conversation. */
  message: MessageRow
  /** Part of a conversation create (4.7). */
  isInCreate: boolean
}

/** A slash command (4.8): one file each. */
export interface Command<Name extends ParsedCommand['name'] = ParsedCommand['name']> {
  name: Name
  permission: Permission
  /** 4.8 gives it a `user`, on whose part it is; every other command is its sender's own. */
  takesUser?: true
  /** It writes by itself, beyond the draft: it gets a transaction of its own. */
  isExclusive?: boolean
  /** Ids of other conversations that it changes: it finds them in `work.others`. */
  alsoLocks?(parsed: Extract<ParsedCommand, { name: Name }>): string[]
  run(run: CommandRun<Extract<ParsedCommand, { name: Name }>>): void | Promise<void>
}
