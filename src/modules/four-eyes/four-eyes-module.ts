import type { Context } from '../../platform/context.js'
import type { Transact } from '../../platform/events/transact.js'
import type { JobRunner } from '../../platform/jobs/job-runner.js'
import { finishJob } from '../../platform/jobs/job.js'
import { ENDED } from '../../platform/jobs/job-type.js'
import type { Module } from '../../platform/module.js'
import { CHANGE_EXPIRE, settle } from './decide-change.js'
import { addChangeEntry, type FourEyesGuard } from './four-eyes-guard.js'
import { FourEyesResolver } from './four-eyes-resolver.js'
import { PendingChange } from './pending-change.js'

interface FourEyesModuleDependencies {
  transact: Transact
  jobs: JobRunner
  systemContext: (requestId: string) => Context
  fourEyes: FourEyesGuard
}

/** Builds the changes that wait for a second administrator, and registers the job that ends them. */
export function openFourEyesModule({ transact, jobs, systemContext, fourEyes }: FourEyesModuleDependencies): Module {
  jobs.register(CHANGE_EXPIRE, {
    attemptsMax: Infinity,
    async handler(job) {
      const system = systemContext(job.id)
      await transact(system, async (tx) => {
        await finishJob(tx, job)
        const change = await tx.em.findOne(PendingChange, { id: job.payload.change })
        const tell = change && (await settle(system, tx, change, { status: 'expired', by: null }))
        if (!tell) return
        tell()
        addChangeEntry(tx, 'expireChange', change)
      })
      return ENDED
    },
  })
  return { resolvers: [new FourEyesResolver(transact, fourEyes)] }
}
