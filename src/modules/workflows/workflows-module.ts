import type { Config } from '../../platform/config.js'
import type { Transact } from '../../platform/events/transact.js'
import { ConditionTracesResolver } from './condition-trace-object.js'
import { openShares, TRIAL_LIMITS, TRIAL_PAUSE } from '../../platform/fairness/shares.js'
import type { Metrics } from '../../platform/metrics.js'
import type { Module } from '../../platform/module.js'
import { RuleEngines } from './evaluation.js'
import { WorkflowCache } from './workflow-cache.js'
import { WorkflowRulesResolver } from './workflow-rules-resolver.js'
import { RuleEventParamsResolver, WorkflowsResolver } from './workflows-resolver.js'

export interface WorkflowsModule extends Module {
  engines: RuleEngines
  workflows: WorkflowCache
}

interface WorkflowsDependencies {
  config: Pick<Config, 'rulesEngine'>
  metrics: Metrics
  transact: Transact
}

/** Builds the resolvers of workflows, and what routing evaluates them with. */
export function openWorkflowsModule({ config, metrics, transact }: WorkflowsDependencies): WorkflowsModule {
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
      new ConditionTracesResolver(),
    ],
  }
}
