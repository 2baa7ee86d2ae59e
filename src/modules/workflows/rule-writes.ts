import type { Context } from '../../platform/context.js'
import { isId } from '../../platform/db/clock.js'
import { pathOf } from '../../platform/db/tenancy.js'
import { NotFound, quoteValue, Unprocessable } from '../../platform/errors.js'
import type { Transact, WriteTx } from '../../platform/events/transact.js'
import { checkWorkflowSize, parseRule, parseRulePatch } from './rule.js'
import type { RuleDefinition } from './rule-definition.js'
import type { UpdateWorkflowRuleInput, WorkflowRuleInput } from './workflow-input.js'
import { checkRuleTargets } from './workflow-references.js'
import { changeWorkflow, clientId } from './workflow-writes.js'
import type { Workflow } from './workflow.js'

/** Appends a rule (4.5). @throws NotFound for the workflow or a target; Unprocessable for an id in use; BadUserInput */
export function createRule(
  ctx: Context,
  transact: Transact,
  { workflow: id, input }: { workflow: string; input: WorkflowRuleInput },
): Promise<RuleDefinition> {
  const parsed = parseRule(input)
  const ruleId = clientId(input, '') ?? ctx.newId()
  return changeWorkflow(ctx, transact, { id }, async (tx, workflow) => {
    if (workflow.rules.some((other) => other.id === ruleId)) {
      throw new Unprocessable(`workflow ${workflow.id} already has a rule with the id ${ruleId}`, {
        reason: 'ID_TAKEN',
        field: 'id',
      })
    }
    const rule = { id: ruleId, ...(await checkTargets(ctx, tx, workflow, parsed)) }
    return replaceRules(workflow, [...workflow.rules, rule], rule)
  })
}

/** Changes the given fields of a rule; a given event replaces the whole event (4.5). @throws as {@link createRule} */
export function updateRule(
  ctx: Context,
  transact: Transact,
  { workflow: id, rule: ruleId, patch }: { workflow: string; rule: string; patch: UpdateWorkflowRuleInput },
): Promise<RuleDefinition> {
  const { ifVersion, ...changes } = patch
  return changeWorkflow(ctx, transact, { id, ifVersion }, async (tx, workflow) => {
    const stored = findRule(workflow, ruleId)
    const parsed = parseRulePatch(stored, changes)
    const rule = { id: stored.id, ...(await checkTargets(ctx, tx, workflow, parsed)) }
    return replaceRules(
      workflow,
      workflow.rules.map((other) => (other === stored ? rule : other)),
      rule,
    )
  })
}

/** Removes a rule and returns its id. @throws NotFound for the workflow or the rule */
export function deleteRule(
  ctx: Context,
  transact: Transact,
  { workflow: id, rule: ruleId }: { workflow: string; rule: string },
): Promise<string> {
  return changeWorkflow(ctx, transact, { id }, async (_tx, workflow) => {
    const stored = findRule(workflow, ruleId)
    workflow.rules = workflow.rules.filter((other) => other !== stored)
    return stored.id
  })
}

/** @throws NotFound */
export function findRule(workflow: Workflow, id: string): RuleDefinition {
  const rule = workflow.rules.find((candidate) => candidate.id === (isId(id) ? id.toLowerCase() : id))
  if (!rule) throw new NotFound(`Rule ${quoteValue(id)} not found`)
  return rule
}

async function checkTargets(
  ctx: Context,
  tx: WriteTx,
  workflow: Workflow,
  rule: Omit<RuleDefinition, 'id'>,
): Promise<Omit<RuleDefinition, 'id'>> {
  const scope = { path: pathOf(workflow), stored: workflow.rules }
  const [checked] = await checkRuleTargets(ctx, tx, [{ rule, field: '' }], scope)
  return checked!
}

function replaceRules(workflow: Workflow, rules: RuleDefinition[], changed: RuleDefinition): RuleDefinition {
  checkWorkflowSize(rules)
  workflow.rules = rules
  return changed
}
