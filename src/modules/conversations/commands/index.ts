import { accept } from './accept.js'
import { action } from './action.js'
import { assign } from './assign.js'
import { block } from './block.js'
import type { Command, ExclusiveCommand } from './command.js'
import { enqueue } from './enqueue.js'
import { follow, unfollow } from './follow.js'
import { importOrigin } from './import.js'
import { join } from './join.js'
import { leave } from './leave.js'
import { notify } from './notify.js'
import { send } from './send.js'
import { set } from './set.js'

const ALL: readonly (Command | ExclusiveCommand)[] = [
  notify,
  enqueue,
  assign,
  follow,
  unfollow,
  join,
  accept,
  leave,
  block,
  send,
  set,
  action,
  importOrigin,
]

/** Commands by name and alias. A new command takes one file and one line here. */
export const COMMANDS: ReadonlyMap<string, Command | ExclusiveCommand> = new Map(
  ALL.flatMap((command) => [command.name, ...(command.aliases ?? [])].map((name) => [name, command] as const)),
)
