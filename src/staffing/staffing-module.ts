import type { Logger } from 'pino'
import type { Config } from '../config.js'
import type { Context } from '../context.js'
import type { Clock } from '../db/clock.js'
import type { Database } from '../db/database.js'
import type { Transact } from '../events/transact.js'
import type { JobRunner } from '../jobs/job-runner.js'
import type { Module } from '../module.js'
import { AbsenceWatch } from './absence.js'
import { SkillsResolver } from './skills-resolver.js'
import { registerStaffingJobs } from './staffing-jobs.js'
import { StaffingResolver } from './staffing-resolver.js'

export interface StaffingDependencies {
  config: Config
  database: Database
  clock: Clock
  log: Logger
  transact: Transact
  jobs: JobRunner
  systemContext: (requestId: string) => Context
}

/** Builds the resolvers of availability, capacity and skills, and the watch that sets absent agents offline. */
export function openStaffingModule(dependencies: StaffingDependencies): Module {
  const { config, transact } = dependencies
  registerStaffingJobs(dependencies)
  const absences = new AbsenceWatch(dependencies)
  return {
    resolvers: [new SkillsResolver(transact), new StaffingResolver({ transact, idleMinutes: config.idleMinutes })],
    start: () => absences.start(),
    stop: () => absences.stop(),
  }
}
