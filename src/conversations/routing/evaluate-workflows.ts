import { pathOf } from '../../db/tenancy.js'
import { applicableWorkflows } from '../../workflows/applicable-workflows.js'
import type { DecisionBasis } from '../../workflows/decision-basis.js'
import type { RuleEngines } from '../../workflows/evaluation.js'
import { liveFacts } from '../../workflows/facts.js'
import type { WorkflowEvaluation } from '../../workflows/routing-plan.js'
import { Situation } from '../../workflows/situation.js'
import type { WorkflowCache } from '../../workflows/workflow-cache.js'
import { recordVersions } from '../../workflows/workflow-versions.js'
import type { ConversationDraft } from '../writing/conversation-draft.js'
import { readFactSource } from './routing-facts.js'

/** Number of conditions whose evaluation takes about as long as a send. */
const CONDITIONS_PER_SEND = 2_500

/**
 * Finds the rules that match a conversation, in all workflows that run (3.4). The statement that reads the workflows
 * fixes their versions for all operations of the transaction: concurrent changes do not affect the decision.
 * @param only the organizations on its path whose workflows run; all of them if undefined
 */
export async function evaluateWorkflows(
  draft: ConversationDraft,
  { engines, workflows }: { engines: RuleEngines; workflows: WorkflowCache },
  only: readonly string[] | undefined,
): Promise<{ evaluations: WorkflowEvaluation[]; basis: DecisionBasis | null }> {
  const { sql, conversation } = draft
  const source = await readFactSource(draft)
  const organization = {
    id: conversation.organizationId,
    path: pathOf(conversation),
    tags: source.organization.tags ?? [],
  }
  const all = await draft.shared.once(`workflows for ${organization.id}`, async () => {
    const found = await applicableWorkflows(sql, organization, draft.now, workflows)
    const unrecorded = found.filter(({ isRecorded }) => !isRecorded)
    await draft.shared.lockOnce(`versions for ${organization.id}`, (all) => recordVersions(all, unrecorded, draft.now))
    return found
  })
  const applicable = all.filter(({ organizationId }) => !only || only.includes(organizationId))
  if (applicable.length === 0) return { evaluations: [], basis: null }
  const situation = new Situation(liveFacts(source, draft.now))
  const evaluations: WorkflowEvaluation[] = []
  const conditions = await engines.prepare(
    applicable.map(({ workflow }) => workflow),
    situation,
  )
  draft.cost += conditions / CONDITIONS_PER_SEND
  for (const { workflow, nearness } of applicable) {
    const rules = await engines.match(workflow, situation)
    evaluations.push({ workflow: { id: workflow.id, name: workflow.name }, nearness, rules })
  }
  const versions = applicable.map(({ workflow: { id, version }, nearness }) => ({ id, version, nearness }))
  return { evaluations, basis: { facts: situation.seen, workflows: versions } }
}
