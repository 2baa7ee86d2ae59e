import type { BotAction } from '../../bots/bot-grant.js'
import type { Permission } from '../../../platform/access/permissions.js'
import type { JsonObject } from '../../../platform/json.js'
import type { MessageRow } from '../../messages/message-row.js'
import type { ConversationChange } from '../state/conversation-change.js'
import type { Member } from '../state/new-participant.js'
import type { WritingChange } from '../state/writing-change.js'
import type { Sender } from '../messages/members.js'
import type { Router } from '../routing/router.js'

/** Input of a command: the conversation's change, the sender, and the user for whom the command runs. */
export interface CommandRun<Change = ConversationChange> {
  change: Change
  router: Router
  sender: Sender
  /** The user for whom the command runs: the message's `user` if the command takes one (4.8), else the sender. */
  actor: Member
  /** The command's own message, stored with the conversation. */
  message: MessageRow
  /** True if the command is part of creating a conversation (4.7). */
  isInCreate: boolean
}

/** Path of an argument in the input that has it: `meta.users` in a message, `users` in a mutation. */
export type ArgumentPath = (argument: string) => string

/** Checked arguments, and how a refusal names them. */
export interface Given<Arguments extends object> {
  given: Arguments
  at: ArgumentPath
}

/** Arguments as they come, from a message or from a mutation. */
export type Unchecked<Arguments extends object> = object & { readonly [Key in KeysOf<Arguments>]?: unknown }

type KeysOf<Arguments> = Arguments extends unknown ? keyof Arguments : never

/** A slash command (4.8), one file each: its arguments and its effect. */
export interface Command<Arguments extends object = object> extends CommandSyntax<Arguments> {
  isExclusive?: false
  run(run: CommandRun & Given<Arguments>): void | Promise<void>
}

/** A command that also issues statements of its own: it gets a transaction of its own. */
export interface ExclusiveCommand<Arguments extends object = object> extends CommandSyntax<Arguments> {
  isExclusive: true
  run(run: CommandRun<WritingChange> & Given<Arguments>): void | Promise<void>
}

interface CommandSyntax<Arguments extends object> {
  name: string
  /** Other names that clients may write. */
  aliases?: readonly string[]
  permission: Permission
  /** Action that a governed bot needs; null for one that asks by itself, if it needs anything. */
  grant: BotAction | null
  /** True if 4.8 defines a `user`, for whom the command runs; every other command runs for its sender. */
  takesUser?: true
  /** Number of streams that it tells of the conversation at least, where the arguments name them: what it costs. */
  streamsOf?(given: Arguments): number
  /** Names of the arguments that a message has in its text, after the command's name. */
  inText?: readonly string[]
  /** Takes the arguments out of a message. If absent, they are keys of `meta`, and nothing may follow the name. */
  read?(rest: string, meta: JsonObject): Unchecked<Arguments>
  /** Writes the arguments as a message has them: the inverse of `read`. If absent, they are keys of `meta`. */
  write?(given: Arguments): { rest?: string; meta?: JsonObject }
  /** Checks the arguments, wherever they come from. If absent, there are none. @throws BadUserInput */
  check?(given: Unchecked<Arguments>, at: ArgumentPath): Arguments
  /** Returns the ids of other conversations that the command changes, available as `change.others`. */
  alsoLocks?(given: Arguments): string[]
}
