import type { ParsedCommand } from '../../messages/command-text.js'
import { accept } from './accept.js'
import { action } from './action.js'
import { assign } from './assign.js'
import { block } from './block.js'
import type { Command } from './command.js'
import { enqueue } from './enqueue.js'
import { follow, unfollow } from './follow.js'
import { importOrigin } from './import.js'
import { join } from './join.js'
import { leave } from './leave.js'
import { notify } from './notify.js'
import { send } from './send.js'
import { set } from './set.js'

const ALL = [
  accept,
  action,
  assign,
  block,
  enqueue,
  follow,
  importOrigin,
  join,
  leave,
  notify,
  send,
  set,
  unfollow,
] as const

/** A new command is one file and one line here. */
export const COMMANDS: ReadonlyMap<ParsedCommand['name'], Command> = new Map(
  ALL.map((command) => [command.name, command as unknown as Command]),
)
