import type { Transact } from '../events/transact.js'
import { ConditionTracesResolver } from './condition-trace-object.js'
import { openShares, TRIAL_LIMITS } from '../fairness/shares.js'
import type { Metrics } from '../metrics.js'
import type { Module } from '../module.js'
import { RuleEngines } from './evaluation.js'
import { WorkflowCache } from './workflow-cache.js'
import { WorkflowRulesResolver } from './workflow-rules-resolver.js'
import { WorkflowsResolver } from './workflows-resolver.js'

export interface WorkflowsModule extends Module {
  engines: RuleEngines
  workflows: WorkflowCache
}

/** Builds the resolvers of workflows, and what routing evaluates them with. */
export function openWorkflowsModule({ metrics, transact }: { metrics: Metrics; transact: Transact }): WorkflowsModule {
  const engines = new RuleEngines({ trials: openShares('trials', TRIAL_LIMITS, metrics) })
  const workflows = new WorkflowCache()
  return {
    engines,
    workflows,
    resolvers: [
      new WorkflowsResolver({ transact, cache: workflows }),
      new WorkflowRulesResolver({ transact, engines }),
      new ConditionTracesResolver(),
    ],
  }
}
