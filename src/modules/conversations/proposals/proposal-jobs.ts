import type { Context } from '../../../platform/context.js'
import { reading } from '../../../platform/db/sql.js'
import { defineJob } from '../../../platform/jobs/job-type.js'
import type { Job } from '../../../platform/jobs/job.js'
import { ifThere } from '../../../platform/if-there.js'
import { maySendStill, type Sender } from '../messages/members.js'
import type { ConversationChange } from '../state/conversation-change.js'
import type { PendingProposal } from '../state/pending-proposal.js'
import { usersInReach } from '../state/reach.js'
import type { ConversationWriter } from '../writer/conversation-writer.js'

interface Lapse {
  conversation: string
  proposal: string
}

/** Ends a proposal on which nobody has decided. */
export const PROPOSAL_LAPSE = defineJob<Lapse>('proposal.lapse', { conversation: 'string', proposal: 'string' })

/** Handles the job. */
export async function lapseProposal(writer: ConversationWriter, system: Context, job: Job<Lapse>): Promise<void> {
  const { conversation, proposal } = job.payload
  const end = (change: ConversationChange): void => endWhere(change, ({ id }) => id === proposal)
  await ifThere(writer.run(system, conversation, end, { job }))
}

/**
 * Ends what a bot proposes at the moment and could no longer do, in whatever conversation: it is paused, gone, no bot any more, out of
 * their reach, or the token with which it proposed has ended.
 */
export async function endProposalsOf(writer: ConversationWriter, system: Context, bot: string): Promise<void> {
  const rows = await system.reads.query<{ id: string }>(OF_BOT, [bot])
  const end = async (change: ConversationChange): Promise<void> => {
    const { conversation, now, sql } = change
    const isInReach = (await usersInReach(sql, conversation, [bot])).has(bot)
    // If it goes on by now, what it proposes since stands.
    for (const { id, sender } of await sql.query<{ id: string; sender: Sender }>(PENDING_OF_BOT, [
      bot,
      conversation.id,
    ]))
      if (!isInReach || !(await maySendStill(sql, sender, now))) endWhere(change, (proposal) => proposal.id === id)
  }
  for (const { id } of rows) await ifThere(writer.run(system, id, end))
}

function endWhere(change: ConversationChange, isMeant: (proposal: PendingProposal) => boolean): void {
  for (const proposal of change.conversation.proposals ?? [])
    if (isMeant(proposal)) change.proposals.end(change, proposal, { status: 'ended' })
}

const PENDING_OF_BOT = reading(
  `select id, sender from proposal where bot_id = $1 and conversation_id = $2 and status = 'pending'`,
)

const OF_BOT = `select distinct conversation_id as id from proposal where bot_id = $1 and status = 'pending'`
