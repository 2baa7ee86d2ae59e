import type { Operation as Permission } from '../../access/permissions.js'
import type { JsonObject } from '../../json.js'
import type { ParsedCommand } from '../../messages/command-text.js'
import type { MessageRow } from '../../messages/message-row.js'
import type { ConversationWork, Member } from '../conversation-work.js'
import type { Sender } from '../members.js'
import type { Router } from '../router.js'

/** What a command has at hand: the conversation's draft, who sent it, and for whom. */
export interface CommandRun<Parsed extends ParsedCommand = ParsedCommand> {
  work: ConversationWork
  router: Router
  sender: Sender
  /** The message's `user`, the sender when it names none. */
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
  /** It writes by itself, beyond the draft: it gets a transaction of its own. */
  isAlone?: boolean
  /** Ids of other conversations that it changes: it finds them in `work.others`. */
  alsoLocks?(parsed: Extract<ParsedCommand, { name: Name }>): string[]
  run(run: CommandRun<Extract<ParsedCommand, { name: Name }>>): void | Promise<void>
}
