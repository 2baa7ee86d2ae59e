import { createHash } from 'node:crypto'
import { reading, type ReadSql } from '../../platform/db/sql.js'
import type { OrganizationPath } from '../../platform/db/tenancy.js'
import type { Conditions } from '../workflows/conditions.js'
import type { RuleEngines } from '../workflows/evaluation.js'
import type { Facts } from '../workflows/facts.js'
import { firstMatch } from '../workflows/first-match.js'
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
  const versions = policies.map(({ id, version }) => `${id}@${version}`).join(' ')
  const version = createHash('sha256').update(versions).digest('base64url')
  const found = await firstMatch(engines, policies, { list: 'SLA policies', version, facts })
  if (!found) return null
  const { id: policy, schedule, scheduleVersion } = found
  return { policy, version: found.version, schedule, scheduleVersion }
}
