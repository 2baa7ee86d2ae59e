import type { Clock } from '../../platform/db/clock.js'
import type { Database } from '../../platform/db/database.js'
import type { Transact } from '../../platform/events/transact.js'
import { finishJob, releaseJobs } from '../../platform/jobs/job.js'
import { ENDED } from '../../platform/jobs/job-type.js'
import type { JobRunner } from '../../platform/jobs/job-runner.js'
import type { Module } from '../../platform/module.js'
import type { PasswordLinks } from '../auth/password-links.js'
import { ContactCentersResolver } from './contact-centers-resolver.js'
import { heldBy } from './held-jobs.js'
import { CENTER_REOPENED } from './update-contact-center.js'

interface ContactCentersDependencies {
  clock: Clock
  database: Database
  jobs: JobRunner
  transact: Transact
  links: PasswordLinks
}

/** Builds the operator's part: contact centers are created, archived and reopened. */
export function openContactCentersModule({
  clock,
  database,
  jobs,
  transact,
  links,
}: ContactCentersDependencies): Module {
  jobs.register(CENTER_REOPENED, {
    async handler(job) {
      await database.sqlTransaction(async (sql) => {
        await releaseJobs(sql, heldBy(job.payload.center), clock.now())
        await finishJob(sql, job)
      })
      jobs.wake()
      return ENDED
    },
  })
  return { resolvers: [new ContactCentersResolver({ transact, links })] }
}
