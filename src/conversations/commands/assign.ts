import { readMembers } from '../messages/members.js'
import type { Command } from './command.js'
import { idsOf } from './meta-ids.js'

/** `/assign` (4.8): adds the users of `meta.users` as participants with `inbox` set. */
export const assign: Command = {
  name: 'assign',
  permission: 'conversation.command',
  async run({ draft, sender, meta }) {
    const users = idsOf(meta, 'users', { isRequired: true })!
    const members = await readMembers(draft.sql, sender, draft.conversation, users, 'meta.users[]')
    for (const member of members) draft.join(member).inbox = true
  },
}
