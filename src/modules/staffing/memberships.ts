import type { Context } from '../../platform/context.js'
import { channelStream } from '../../platform/events/event.js'
import type { Transact, WriteTx } from '../../platform/events/transact.js'
import { finishJob, RetryLater } from '../../platform/jobs/job.js'
import type { JobRunner } from '../../platform/jobs/job-runner.js'
import { MEMBERSHIPS_CHANGED } from '../users/user-jobs.js'
import { readShownAgent } from './agent-state.js'
import { placesOf, showAgent } from './staff-events.js'

/**
 * Registers the job that shows to the screens of channels who became a member and who is none any more. It looks at the
 * memberships as they are by then, under the lock that every change of an agent's state takes: whichever came last is shown
 * last.
 */
export function registerMembershipJob({
  jobs,
  transact,
  systemContext,
}: {
  jobs: JobRunner
  transact: Transact
  systemContext: (requestId: string) => Context
}): void {
  jobs.register(MEMBERSHIPS_CHANGED, {
    handler: async (job) => {
      const { user, channels } = job.payload
      await transact(systemContext(job.id), async (tx) => {
        if (!(await lockState(tx, user))) throw new RetryLater('the state of the agent has just been made', 0)
        await finishJob(tx, job)
        const { channels: memberships, version } = await placesOf(tx, user)
        const agent = await readShownAgent(tx, user)
        const shown = agent ? memberships : []
        const isShown = (channel: string): boolean => shown.includes(channel)
        const from = channels.filter((channel) => !isShown(channel))
        for (const channel of from)
          tx.emit(channelStream(channel), 'agent.removed', { user, from, channels: shown, version })
        if (agent) showAgent(tx, agent, { channels: channels.filter(isShown), version })
      })
    },
  })
}

/**
 * Locks the row of the user's state. Where there is none the lock is the user's, for which whoever makes that row waits: what is
 * read here would be shown after the first state that is set otherwise. The row is not made here, since a bot with one counts as an
 * agent.
 * @returns false if it has been made meanwhile: to be tried again, since both locks could be waited for in another order
 */
async function lockState(tx: WriteTx, user: string): Promise<boolean> {
  const state = await tx.query('select 1 from staff where user_id = $1 for no key update', [user])
  if (state.length > 0) return true
  await tx.query('select 1 from app_user where id = $1 for update', [user])
  const made = await tx.query('select 1 from staff where user_id = $1', [user])
  return made.length === 0
}
