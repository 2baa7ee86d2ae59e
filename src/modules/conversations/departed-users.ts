import type { Context } from '../../platform/context.js'
import type { ReadSql } from '../../platform/db/sql.js'
import { ifThere } from '../../platform/if-there.js'
import { settleAfterLeave } from './commands/leave.js'
import type { ConversationWriter } from './writer/conversation-writer.js'
import { pausedAmong, usersInReach } from './state/reach.js'
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
  await leaveEach(system, OUT_OF_REACH, user, (id) =>
    writer.run(system, id, async (change) => {
      // The user was moved back in the meantime.
      if ((await usersInReach(change.sql, change.conversation, [user])).has(user)) return
      if (change.participants.delete(user)) await settleAfterLeave(change, router, 'the agent is gone')
    }),
  )
}

/** Removes a paused bot from the conversations that it has taken, as `/leave` would. Idempotent. */
export async function leavePaused(
  { writer, router }: { writer: ConversationWriter; router: Router },
  system: Context,
  user: string,
): Promise<void> {
  await leaveEach(system, TAKEN, user, (id) =>
    writer.run(system, id, async (change) => {
      if (!(await isPaused(change.sql, user))) return
      if (change.participants.delete(user)) await settleAfterLeave(change, router, 'the bot is paused')
    }),
  )
}

/** Tells whether a bot is paused. */
export const isPaused = async (sql: ReadSql, bot: string): Promise<boolean> => (await pausedAmong(sql, [bot])).has(bot)

async function leaveEach(
  system: Context,
  text: string,
  user: string,
  leave: (conversation: string) => Promise<void>,
): Promise<void> {
  for (let after: string | null = null; ;) {
    const rows: { id: string }[] = await system.reads.query<{ id: string }>(text, [user, after, AT_ONCE])
    await Promise.all(rows.map(({ id }) => ifThere(leave(id))))
    if (rows.length < AT_ONCE) return
    after = rows.at(-1)!.id
  }
}

const TAKEN = `
select p.conversation_id as id from participant p
where p.user_id = $1 and ($2::uuid is null or p.conversation_id > $2) and (p.accepted or p.active)
order by p.conversation_id limit $3`

/** Uses the index of a user's conversations, in descending order. */
const OUT_OF_REACH = `
select p.conversation_id as id from participant p join conversation c on c.id = p.conversation_id
where p.user_id = $1 and ($2::uuid is null or p.conversation_id > $2)
  and (p.inbox or p.accepted or p.active or p.follow)
  and not exists (select 1 from app_user u where u.id = p.user_id and u.status <> 'archived'
    and u.organization_id in (c.org1, c.org2, c.org3))
order by p.conversation_id limit $3`
