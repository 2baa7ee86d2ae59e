import { createHash } from 'node:crypto'
import { reading, type ReadSql } from '../../platform/db/sql.js'
import type { OrganizationPath } from '../../platform/db/tenancy.js'
import type { Condition, Conditions } from '../workflows/conditions.js'
import type { RuleEngines } from '../workflows/evaluation.js'
import type { FactName, Facts } from '../workflows/facts.js'
import type { WorkflowDefinition } from '../workflows/rule-definition.js'
import { Situation } from '../workflows/situation.js'
import type { SlaChoice } from './sla-clock.js'

export interface TriedPolicy {
  id: string
  version: number
  conditions: Conditions
  schedule: string | null
  scheduleVersion: number | null
}

/** Reads the policies that are tried for an organization: its own by position, then those of each organization above. */
export function policiesFor(sql: ReadSql, path: OrganizationPath): Promise<TriedPolicy[]> {
  return sql.query<TriedPolicy>(POLICIES, [path.filter((organization) => organization !== undefined)], 'policies-for')
}

const POLICIES = reading(`
select p.id, p.version, p.conditions, p.schedule_id as schedule, s.version as "scheduleVersion"
from sla_policy p left join schedule s on s.id = p.schedule_id where p.organization_id = any($1::uuid[])
order by array_position($1::uuid[], p.organization_id) desc, p.position, p.id`)

/**
 * Returns the first policy whose conditions hold, with the versions by which its clocks count; null if none applies. The
 * conditions are evaluated as rules are, within the same limits.
 */
export async function choosePolicy(
  engines: RuleEngines,
  policies: readonly TriedPolicy[],
  facts: Facts,
): Promise<SlaChoice | null> {
  if (policies.length === 0) return null
  const situation = new Situation(facts)
  const workflow = asWorkflow(policies)
  await engines.prepare([workflow], situation)
  const [first] = await engines.match(workflow, situation)
  const found = policies.find(({ id }) => id === first?.rule.id)
  if (!found) return null
  const { id: policy, version, schedule, scheduleVersion } = found
  return { policy, version, schedule, scheduleVersion }
}

/** Lists the facts that the conditions of policies read. */
export function factsReadBy(policies: readonly Pick<TriedPolicy, 'conditions'>[]): ReadonlySet<FactName> {
  const names = new Set<FactName>()
  const collect = (condition: Condition): void => {
    if ('fact' in condition) names.add(condition.fact)
    else for (const each of 'all' in condition ? condition.all : condition.any) collect(each)
  }
  for (const { conditions } of policies) collect(conditions)
  return names
}

/** The rules that match come in the order of the workflow. */
function asWorkflow(policies: readonly TriedPolicy[]): WorkflowDefinition {
  const versions = policies.map(({ id, version }) => `${id}@${version}`).join(' ')
  return {
    id: 'SLA policies',
    name: 'SLA policies',
    version: createHash('sha256').update(versions).digest('base64url'),
    rules: policies.map(({ id, conditions }) => ({
      id,
      conditions,
      event: { type: 'notify', params: {} },
      priority: 1,
    })),
  }
}
