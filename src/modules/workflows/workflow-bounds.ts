import type { WriteTx } from '../../platform/events/transact.js'
import { Unprocessable } from '../../platform/errors.js'
import { lockToCount } from '../organizations/owned-record.js'

/** Limits per organization: all of it may have to be evaluated for one message. */
export const WORKFLOW_BOUNDS = { workflows: 100, rules: 10_000, conditions: 50_000 } as const

type Bound = keyof typeof WORKFLOW_BOUNDS

/** Checks the limits of an organization after a change, in its transaction. @throws Unprocessable naming the limit */
export async function checkWorkflowBounds(tx: WriteTx, organization: string): Promise<void> {
  await lockToCount(tx, organization)
  const [found] = await tx.query<Record<Bound, string | number>>(
    `select count(*) as workflows, coalesce(sum(jsonb_array_length(rules)), 0) as rules,
       coalesce(sum((select count(*) from jsonb_path_query(rules, 'strict $.**.operator'))), 0) as conditions
     from workflow where organization_id = $1`,
    [organization],
  )
  for (const bound of Object.keys(WORKFLOW_BOUNDS) as Bound[]) {
    const [count, max] = [Number(found![bound]), WORKFLOW_BOUNDS[bound]]
    if (count > max) {
      throw new Unprocessable(
        `the organization would have ${count} ${bound} of workflows; at most ${max} are allowed`,
        {
          reason: 'TOO_MANY',
          bound,
        },
      )
    }
  }
}
