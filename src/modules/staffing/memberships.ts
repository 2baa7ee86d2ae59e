import type { Context } from '../../platform/context.js'
import { channelStream } from '../../platform/events/event.js'
import type { Transact } from '../../platform/events/transact.js'
import { finishJob } from '../../platform/jobs/job.js'
import type { JobRunner } from '../../platform/jobs/job-runner.js'
import { MEMBERSHIPS_CHANGED } from '../users/user-jobs.js'
import { readShownAgent } from './agent-state.js'
import { channelsOf, showAgent } from './staff-events.js'

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
        await tx.query('select from staff where user_id = $1 for no key update', [user])
        await finishJob(tx, job)
        const memberships = await channelsOf(tx, user)
        const agent = await readShownAgent(tx, user)
        const shown = agent ? memberships : []
        const isShown = (channel: string): boolean => shown.includes(channel)
        const from = channels.filter((channel) => !isShown(channel))
        for (const channel of from) tx.emit(channelStream(channel), 'agent.removed', { user, from, channels: shown })
        if (agent) showAgent(tx, agent, channels.filter(isShown))
      })
    },
  })
}
