import { pathOf } from '../../../platform/db/tenancy.js'
import { applicableWorkflows } from '../../workflows/applicable-workflows.js'
import type { DecisionBasis } from '../../workflows/decision-basis.js'
import type { RuleEngines } from '../../workflows/evaluation.js'
import { liveFacts } from '../../workflows/facts.js'
import type { WorkflowEvaluation } from '../../workflows/routing-plan.js'
import type { CompiledSchedules } from '../../schedules/current-schedule.js'
import { readHours, rulesReadHours } from '../../workflows/schedule-facts.js'
import { Situation } from '../../workflows/situation.js'
import type { WorkflowCache } from '../../workflows/workflow-cache.js'
import { recordVersions } from '../../workflows/workflow-versions.js'
import type { ConversationChange } from '../state/conversation-change.js'
import { readFactSource } from './routing-facts.js'

export interface EvaluationOptions {
  engines: RuleEngines
  workflows: WorkflowCache
  schedules: CompiledSchedules
}

/** Number of conditions whose evaluation takes about as long as a send. */
const CONDITIONS_PER_SEND = 2_500

/**
 * Finds the rules that match a conversation, in all workflows that run (3.4). The statement that reads the workflows
 * fixes their versions for all operations of the transaction: concurrent changes do not affect the decision.
 * @param only the organizations on its path whose workflows run; all of them if undefined
 */
export async function evaluateWorkflows(
  change: ConversationChange,
  { engines, workflows, schedules }: EvaluationOptions,
  only: readonly string[] | undefined,
): Promise<{ evaluations: WorkflowEvaluation[]; basis: DecisionBasis | null }> {
  const { sql, conversation } = change
  const source = await readFactSource(change)
  const organization = {
    id: conversation.organizationId,
    path: pathOf(conversation),
    tags: source.organization.tags ?? [],
  }
  const all = await change.shared.once(`workflows for ${organization.id}`, async () => {
    const found = await applicableWorkflows(sql, organization, change.now, workflows)
    const unrecorded = found.filter(({ isRecorded }) => !isRecorded)
    await change.shared.lockOnce(`versions for ${organization.id}`, (all) =>
      recordVersions(all, unrecorded, change.now),
    )
    return found
  })
  const applicable = all.filter(({ organizationId }) => !only || only.includes(organizationId))
  if (applicable.length === 0) return { evaluations: [], basis: null }
  if (applicable.some(({ workflow }) => rulesReadHours(workflow.rules)))
    source.hours = await change.shared.once(`hours of ${organization.id}`, () =>
      readHours(sql, organization.path, schedules),
    )
  const situation = new Situation(liveFacts(source, change.now))
  const evaluations: WorkflowEvaluation[] = []
  const conditions = await engines.prepare(
    applicable.map(({ workflow }) => workflow),
    situation,
  )
  change.cost += conditions / CONDITIONS_PER_SEND
  for (const { workflow, nearness } of applicable) {
    const rules = await engines.match(workflow, situation)
    evaluations.push({ workflow: { id: workflow.id, name: workflow.name }, nearness, rules })
  }
  const versions = applicable.map(({ workflow: { id, version }, nearness }) => ({ id, version, nearness }))
  return { evaluations, basis: { facts: situation.seen, workflows: versions } }
}
