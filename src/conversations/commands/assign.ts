import { readMembers } from '../members.js'
import type { Command } from './command.js'
import { idsOf } from './meta-ids.js'

/** `/assign` (4.8): the users of `meta.users` become participants with `inbox` set. */
export const assign: Command<'assign'> = {
  name: 'assign',
  permission: 'conversation.command',
  async run({ work, sender, meta }) {
    const users = idsOf(meta, 'users', { isRequired: true })!
    const members = await readMembers(work.sql, sender, work.conversation, users, 'meta.users[]')
    for (const member of members) work.join(member).inbox = true
  },
}
