import type { FourEyesGuard } from '../four-eyes/four-eyes-guard.js'
import type { Module } from '../../platform/module.js'
import { registerRetentionJobs, type RetentionDependencies } from './retention-jobs.js'
import { RetentionResolver } from './retention-resolver.js'
import { RetentionRunsResolver } from './retention-runs-resolver.js'

/** Builds the policies by which records are erased after a term, and registers the jobs. */
export function openRetentionModule(dependencies: RetentionDependencies & { fourEyes: FourEyesGuard }): Module {
  registerRetentionJobs(dependencies)
  return { resolvers: [new RetentionResolver(dependencies.fourEyes), new RetentionRunsResolver()] }
}
