import type { Logger } from 'pino'
import type { Config } from '../../platform/config.js'
import type { Context } from '../../platform/context.js'
import type { Clock } from '../../platform/db/clock.js'
import type { Database } from '../../platform/db/database.js'
import type { Transact } from '../../platform/events/transact.js'
import type { Pulse } from '../../platform/jobs/pulse.js'
import type { JobRunner } from '../../platform/jobs/job-runner.js'
import type { Module } from '../../platform/module.js'
import { AbsenceWatch } from './absence.js'
import { registerMembershipJob } from './memberships.js'
import { ReasonCodesResolver } from './reason-codes-resolver.js'
import { SkillsResolver } from './skills-resolver.js'
import { registerStaffingJobs } from './staffing-jobs.js'
import { registerWrapUpJobs } from './wrap-up.js'
import { StaffingResolver } from './staffing-resolver.js'

export interface StaffingDependencies {
  config: Config
  database: Database
  clock: Clock
  log: Logger
  transact: Transact
  jobs: JobRunner
  pulse: Pulse
  systemContext: (requestId: string) => Context
}

/** Builds the resolvers of availability, capacity and skills, and the watch that sets absent agents offline. */
export function openStaffingModule(dependencies: StaffingDependencies): Module {
  const { config, transact } = dependencies
  registerStaffingJobs(dependencies)
  registerWrapUpJobs(dependencies)
  registerMembershipJob(dependencies)
  const absences = new AbsenceWatch(dependencies)
  return {
    resolvers: [
      new SkillsResolver(transact),
      new ReasonCodesResolver(transact),
      new StaffingResolver({ transact, idleMinutes: config.idleMinutes }),
    ],
    start: () => absences.start(),
    stop: () => absences.stop(),
  }
}
