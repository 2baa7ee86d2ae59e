import type { Context } from '../../platform/context.js'
import { pathOf } from '../../platform/db/tenancy.js'
import { organizationStream, type RecordChange, type ResourceEvents } from '../../platform/events/event.js'
import type { Transact, WriteTx } from '../../platform/events/transact.js'
import { refuseCleared } from '../../platform/input.js'
import { fetchRecord } from '../../platform/lists/fetch-record.js'
import { markChanged } from '../../platform/lists/record-version.js'
import { parseName } from '../organizations/organization-input.js'
import { checkNumber, insertOwned, owningPath } from '../organizations/owned-record.js'
import { Schedule } from '../schedules/schedule.js'
import { checkActs } from './sla-act-input.js'
import { SlaPolicy, type CreateSlaPolicyInput, type UpdateSlaPolicyInput } from './sla-policy.js'
import { parseMatched } from '../workflows/first-match.js'
import { parsePosition, parseTargets } from './sla-policy-input.js'

/** Maximum number per organization: all of them may be tried for one case. */
const POLICIES_MAX = 100

/** @throws NotFound naming `organization` or `schedule`; Unprocessable at the limit; BadUserInput */
export function createSlaPolicy(ctx: Context, transact: Transact, input: CreateSlaPolicyInput): Promise<SlaPolicy> {
  const given = readFields(input)
  return transact(ctx, async (tx) => {
    const path = await owningPath(ctx, tx, input.organization)
    await checkNumber(tx, SlaPolicy, { organization: path.at(-1)!, max: POLICIES_MAX, noun: 'SLA policies' })
    const last = await lastPosition(tx, path.at(-1)!)
    const scheduleId = await readSchedule(ctx, tx, input.schedule ?? null)
    const values = { conditions: { all: [] }, position: last + 1, ...given } as Values
    await checkActs(ctx, tx, values.targets, { path, stored: [] })
    const policy = await insertOwned(ctx, tx, SlaPolicy, { path, ...values, scheduleId })
    await recordVersion(tx, policy)
    emitPolicy(tx, policy, 'created')
    return policy
  })
}

/** Changes the given fields, which is a new version. @throws ChangedMeanwhile; as {@link createSlaPolicy} */
export function updateSlaPolicy(
  ctx: Context,
  transact: Transact,
  { id, patch }: { id: string; patch: UpdateSlaPolicyInput },
): Promise<SlaPolicy> {
  refuseCleared(patch, 'name', 'position', 'targets')
  const given = readFields(patch)
  return transact(ctx, async (tx) => {
    const policy = await fetchRecord(ctx, SlaPolicy, id, {
      em: tx.em,
      lock: true,
      ifVersion: patch.ifVersion,
    })
    if (given.targets) await checkActs(ctx, tx, given.targets, { path: pathOf(policy), stored: policy.targets })
    Object.assign(policy, given)
    if (patch.schedule !== undefined) policy.scheduleId = await readSchedule(ctx, tx, patch.schedule)
    markChanged(policy, ctx.now())
    await tx.em.flush()
    await recordVersion(tx, policy)
    emitPolicy(tx, policy, 'updated')
    return policy
  })
}

/** Clocks that run by the policy go on. */
export function deleteSlaPolicy(ctx: Context, transact: Transact, id: string): Promise<boolean> {
  return transact(ctx, async (tx) => {
    const policy = await fetchRecord(ctx, SlaPolicy, id, { em: tx.em, lock: true })
    emitPolicy(tx, policy, 'deleted')
    tx.em.remove(policy)
    return true
  })
}

type Values = Pick<SlaPolicy, 'name' | 'position' | 'conditions' | 'targets'>

const PARSERS: { [K in keyof Values]: (value: unknown, field: string) => Values[K] } = {
  name: parseName,
  position: parsePosition,
  conditions: (value, field) => parseMatched(value ?? { all: [] }, field),
  targets: parseTargets,
}

/** Parses the given fields; omits those that are `undefined`. */
function readFields(input: UpdateSlaPolicyInput): Partial<Values> {
  const given = (Object.keys(PARSERS) as (keyof Values)[]).filter((key) => input[key] !== undefined)
  return Object.fromEntries(given.map((key) => [key, PARSERS[key](input[key], key)]))
}

/** Locks the schedule, so that it is not deleted at the same time. @throws NotFound naming `schedule` */
async function readSchedule(ctx: Context, tx: WriteTx, id: string | null): Promise<string | null> {
  return id === null ? null : (await fetchRecord(ctx, Schedule, id, { em: tx.em, lock: true, field: 'schedule' })).id
}

/** Versions are never changed: clocks that run by one of them may be read at any time. */
async function recordVersion(tx: WriteTx, policy: SlaPolicy): Promise<void> {
  const { id, version, organizationId, name, conditions, targets, scheduleId, updatedAt } = policy
  await tx.query(
    `insert into sla_policy_version (policy_id, version, organization_id, terms, created_at) values ($1, $2, $3, $4, $5)`,
    [id, version, organizationId, JSON.stringify({ name, conditions, targets, scheduleId }), updatedAt],
  )
}

async function lastPosition(tx: WriteTx, organization: string): Promise<number> {
  const where = { organizationId: organization }
  const [last] = await tx.em.find(SlaPolicy, where, { orderBy: { position: 'desc' }, limit: 1 })
  return last?.position ?? 0
}

type PolicyData = Values & Pick<SlaPolicy, 'version'> & { schedule: string | null }

declare module '../../platform/events/event.js' {
  interface EventTypes extends ResourceEvents<'slaPolicy', PolicyData> {}
}

function emitPolicy(tx: WriteTx, policy: SlaPolicy, what: RecordChange): void {
  const { id, organizationId: organization, name, version, position, conditions, targets, scheduleId } = policy
  const data = { id, organization, name, version, position, conditions, targets, schedule: scheduleId }
  tx.emit(organizationStream(organization), `slaPolicy.${what}`, data)
}
