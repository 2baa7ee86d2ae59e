import type { Context } from '../../../platform/context.js'
import type { Transact } from '../../../platform/events/transact.js'
import { requireLiveTargets } from '../live-targets.js'
import { readComment } from '../workflow-input.js'
import { changeWorkflow } from '../workflow-writes.js'
import { fetchWorkflow } from '../fetch-workflow.js'
import { readOrganizations, readOrganizationTags } from '../workflow-references.js'
import type { Workflow } from '../workflow.js'
import { requireChange } from './read-changes.js'

interface Restoration {
  workflow: string
  number: number
  ifVersion?: number | null | undefined
  comment?: string | null | undefined
}

/**
 * Restores name, limits and rules of a workflow as they were after one of its changes, which is a change itself.
 * @throws NotFound for the workflow, the number, or an organization or group that is gone; Unprocessable naming the channels,
 *   users and skills that are; ChangedMeanwhile
 */
export async function restoreWorkflow(
  ctx: Context,
  transact: Transact,
  { workflow, number, ifVersion, comment }: Restoration,
): Promise<Workflow> {
  const { id } = await fetchWorkflow(ctx, workflow)
  const cause = { kind: 'restored' as const, comment: readComment(comment), restoredFrom: number }
  return changeWorkflow(ctx, transact, { id, ifVersion, cause }, async (tx, stored) => {
    const { rules, names, ...state } = await requireChange(tx, id, { number, field: 'number' })
    await requireLiveTargets(tx, stored, { rules, names })
    const organizations = await readOrganizations(ctx, tx, state.organizations, stored.organizations)
    const organizationTags = await readOrganizationTags(ctx, tx, state.organizationTags, stored.organizationTags)
    Object.assign(stored, { name: state.name, organizations, organizationTags, rules })
    return stored
  })
}
