import { reading, type ReadSql } from '../../platform/db/sql.js'
import type { OrganizationPath } from '../../platform/db/tenancy.js'
import type { ScheduleHours } from '../schedules/compiled-schedule.js'
import type { CompiledSchedules } from '../schedules/current-schedule.js'
import { isGroup, membersOf, type Condition, type Conditions } from './conditions.js'
import { HOURS_MEMBER as MEMBER, type FactSource } from './facts.js'
import type { RuleDefinition } from './rule-definition.js'

/** Tells whether conditions ask for hours: they are read for these only. */
export function readsHours(condition: Condition): boolean {
  if (isGroup(condition)) return membersOf(condition).some(readsHours)
  return condition.fact === 'context' && (condition.path === `.${MEMBER}` || condition.path.startsWith(`.${MEMBER}.`))
}

const known = new WeakMap<readonly RuleDefinition[], boolean>()

/** Tells the same of a workflow's rules, which are looked through once: they are kept by version. */
export function rulesReadHours(rules: readonly RuleDefinition[]): boolean {
  let reads = known.get(rules)
  if (reads === undefined) known.set(rules, (reads = rules.some(({ conditions }) => readsHours(conditions))))
  return reads
}

/** Tells whether conditions outside a workflow ask for hours. */
export const conditionsReadHours = (rows: readonly { conditions: Conditions }[]): boolean =>
  rows.some(({ conditions }) => readsHours(conditions))

/**
 * Reads the hours of the schedules of an organization and of those above it, as they are now. Of equal names the nearest
 * organization's counts: so a rule of a contact center may ask for the hours that each customer calls by one name.
 */
export async function readHours(
  sql: ReadSql,
  path: OrganizationPath,
  compiled: CompiledSchedules,
): Promise<NonNullable<FactSource['hours']>> {
  const rows = await sql.query<{ id: string; version: number; name: string } & ScheduleHours>(
    HOURS,
    [path.filter((organization) => organization !== undefined)],
    'hours-of-path',
  )
  return rows.map(({ id, version, name, ...hours }) => {
    const schedule = compiled.compile(id, version, hours)
    return { id, name, isOpenAt: (at) => schedule.isOpenAt(at) }
  })
}

const HOURS = reading(`
select id, version, name, timezone, spans, special_days as exceptions from schedule
where organization_id = any($1::uuid[]) order by array_position($1::uuid[], organization_id), id`)
