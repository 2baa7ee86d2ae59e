import type { Transact } from '../events/transact.js'
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
export function openWorkflowsModule({ transact }: { transact: Transact }): WorkflowsModule {
  const engines = new RuleEngines()
  const workflows = new WorkflowCache()
  return {
    engines,
    workflows,
    resolvers: [
      new WorkflowsResolver({ transact, cache: workflows }),
      new WorkflowRulesResolver({ transact, engines }),
    ],
  }
}
