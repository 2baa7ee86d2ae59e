import { readMembers } from '../messages/members.js'
import { putInInbox } from '../state/inbox-reason.js'
import type { Command } from './command.js'
import { parseIds } from './parse-ids.js'

/** `/assign` (4.8): adds the users as participants with `inbox` set. */
export const assign: Command<{ users: string[] }> = {
  name: 'assign',
  permission: 'conversation.command',
  grant: 'handOver',
  check: ({ users }, at) => ({ users: parseIds(users, at('users')) }),
  async run({ change, sender, given, at }) {
    const members = await readMembers(change.sql, sender, change.conversation, given.users, `${at('users')}[]`)
    for (const member of members) putInInbox(change.join(member), 'assigned')
  },
}
