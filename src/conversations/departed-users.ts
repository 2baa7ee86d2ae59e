import type { Context } from '../context.js'
import { NotFound } from '../errors.js'
import { settleAfterLeave } from './commands/leave.js'
import type { ConversationWriter } from './writing/conversation-writer.js'
import { usersInReach } from './writing/reach.js'
import type { Router } from './routing/router.js'

const AT_ONCE = 100

/**
 * Removes a user from the conversations that are no longer in the user's reach, as `/leave` would: otherwise a
 * conversation would stay active (3.1 requires its last accepting agent to leave) with nobody to be notified.
 * Idempotent.
 */
export async function leaveOutOfReach(
  { writer, router }: { writer: ConversationWriter; router: Router },
  system: Context,
  user: string,
): Promise<void> {
  for (let after: string | null = null; ;) {
    const rows: { id: string }[] = await system.reads.query<{ id: string }>(OUT_OF_REACH, [user, after, AT_ONCE])
    await Promise.all(rows.map(({ id }) => leaveOne(id)))
    if (rows.length < AT_ONCE) return
    after = rows.at(-1)!.id
  }

  async function leaveOne(id: string): Promise<void> {
    const leave = writer.run(system, id, async (draft) => {
      // The user was moved back in the meantime.
      if ((await usersInReach(draft.sql, draft.conversation, [user])).has(user)) return
      if (draft.participants.delete(user)) await settleAfterLeave(draft, router, 'the agent is gone')
    })
    await leave.catch((error: unknown) => {
      if (!(error instanceof NotFound)) throw error
    })
  }
}

/** Uses the index of a user's conversations, in descending order. */
const OUT_OF_REACH = `
select p.conversation_id as id from participant p join conversation c on c.id = p.conversation_id
where p.user_id = $1 and ($2::uuid is null or p.conversation_id > $2)
  and (p.inbox or p.accepted or p.active or p.follow)
  and not exists (select 1 from app_user u where u.id = p.user_id and u.status <> 'archived'
    and u.organization_id in (c.org1, c.org2, c.org3))
order by p.conversation_id limit $3`
