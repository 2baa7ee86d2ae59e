import type { Config } from '../../platform/config.js'
import { ConditionTracesResolver } from './condition-trace-object.js'
import { openShares, TRIAL_LIMITS, TRIAL_PAUSE } from '../../platform/fairness/shares.js'
import type { Metrics } from '../../platform/metrics.js'
import type { Module } from '../../platform/module.js'
import { registerPublicationJobs, type PublicationJobsOptions } from './drafts/publication-jobs.js'
import { WorkflowDraftFieldsResolver, WorkflowDraftsResolver } from './drafts/drafts-resolver.js'
import { RuleEngines } from './evaluation.js'
import { WorkflowChangesResolver, WorkflowHistoryResolver } from './history/history-resolver.js'
import { WorkflowCache } from './workflow-cache.js'
import { WorkflowRulesResolver } from './workflow-rules-resolver.js'
import { RuleEventParamsResolver, WorkflowsResolver } from './workflows-resolver.js'

export interface WorkflowsModule extends Module {
  engines: RuleEngines
  workflows: WorkflowCache
}

interface WorkflowsDependencies extends PublicationJobsOptions {
  config: Pick<Config, 'rulesEngine'>
  metrics: Metrics
}

/** Builds the resolvers of workflows, and what routing evaluates them with. */
export function openWorkflowsModule(dependencies: WorkflowsDependencies): WorkflowsModule {
  const { config, metrics, transact } = dependencies
  registerPublicationJobs(dependencies)
  const trials = openShares('trials', TRIAL_LIMITS, metrics, { pause: TRIAL_PAUSE })
  const engines = new RuleEngines({ engine: config.rulesEngine, trials })
  const workflows = new WorkflowCache()
  return {
    engines,
    workflows,
    resolvers: [
      new WorkflowsResolver({ transact, cache: workflows }),
      new RuleEventParamsResolver(),
      new WorkflowRulesResolver({ transact, engines }),
      new WorkflowHistoryResolver(transact),
      new WorkflowChangesResolver(),
      new WorkflowDraftsResolver(transact),
      new WorkflowDraftFieldsResolver(),
      new ConditionTracesResolver(),
    ],
  }
}
