import type { Permission } from '../../access/permissions.js'
import type { JsonObject } from '../../json.js'
import type { MessageRow } from '../../messages/message-row.js'
import type { ConversationDraft } from '../writing/conversation-draft.js'
import type { Member } from '../writing/new-participant.js'
import type { WritingDraft } from '../writing/writing-draft.js'
import type { Sender } from '../messages/members.js'
import type { Router } from '../routing/router.js'

/** Input of a command: the conversation's draft, the sender, and the user for whom the command runs. */
export interface CommandRun<Arguments extends object = object, Draft = ConversationDraft> {
  draft: Draft
  router: Router
  sender: Sender
  /** The user for whom the command runs: the message's `user` if the command takes one (4.8), else the sender. */
  actor: Member
  /** Result of the command's `parse`. */
  parsed: Arguments
  /** The message's metadata. */
  meta: JsonObject
  /** The command's own message, stored with the conversation. */
  message: MessageRow
  /** Whether the command is part of creating a conversation (4.7). */
  isInCreate: boolean
}

/** A slash command (4.8), one file each: its syntax and its effect. */
export interface Command<Arguments extends object = object> extends CommandSyntax<Arguments> {
  isExclusive?: false
  run(run: CommandRun<Arguments>): void | Promise<void>
}

/** A command that also issues statements of its own: it gets a transaction of its own. */
export interface ExclusiveCommand<Arguments extends object = object> extends CommandSyntax<Arguments> {
  isExclusive: true
  run(run: CommandRun<Arguments, WritingDraft>): void | Promise<void>
}

interface CommandSyntax<Arguments extends object> {
  name: string
  /** Other names that clients may write. */
  aliases?: readonly string[]
  permission: Permission
  /** Whether 4.8 defines a `user`, for whom the command runs; every other command runs for its sender. */
  takesUser?: true
  /**
   * Parses the text that follows the name. If absent, nothing may follow: arguments are in the message's `user` and
   * `meta`.
   * @throws BadUserInput
   */
  parse?(rest: string, field: string): Arguments
  /** Returns the ids of other conversations that the command changes, available as `draft.others`. */
  alsoLocks?(parsed: Arguments): string[]
}
