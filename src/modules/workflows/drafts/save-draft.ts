import type { Context } from '../../../platform/context.js'
import { isId } from '../../../platform/db/clock.js'
import { pathOf, tenantSql } from '../../../platform/db/tenancy.js'
import { BadUserInput, ChangedMeanwhile, NotFound } from '../../../platform/errors.js'
import type { Transact, WriteTx } from '../../../platform/events/transact.js'
import { isAbsent } from '../../../platform/input.js'
import { fetchRecord, recordNotFound } from '../../../platform/lists/fetch-record.js'
import { markChanged, requireVersion } from '../../../platform/lists/record-version.js'
import { insertOwned } from '../../organizations/owned-record.js'
import { fetchWorkflow } from '../fetch-workflow.js'
import { findChange } from '../history/read-changes.js'
import { namesOf, targetsOf } from '../history/record-change.js'
import type { WorkflowRuleInput } from '../workflow-input.js'
import { readRules } from '../workflow-writes.js'
import type { Workflow } from '../workflow.js'
import { hashOfRules } from '../rule-hash.js'
import { emitDraft, WorkflowDraft } from './workflow-draft.js'

interface SavedDraft {
  workflow: string
  rules: readonly WorkflowRuleInput[]
  /** Version of the draft that its author saw; 0: there was none. */
  ifVersion?: number | null | undefined
  /** Version of the workflow with which the rules began; default: that of the draft, else the present one. */
  baseVersion?: number | null | undefined
}

/**
 * Saves the caller's draft of a workflow; what was planned for it is planned no more. Locks the workflow.
 * @throws NotFound for the workflow or a target; BadUserInput naming the part of a rule; ChangedMeanwhile if the draft is
 *   another by now, as by a second window
 */
export function saveDraft(ctx: Context, transact: Transact, given: SavedDraft): Promise<WorkflowDraft> {
  const { user } = ctx.userCaller
  return transact(ctx, async (tx) => {
    const workflow = await fetchWorkflow(ctx, given.workflow, { em: tx.em, lock: true })
    const stored = await tx.em.findOne(WorkflowDraft, { workflowId: workflow.id, userId: user })
    requireDraftVersion(workflow.id, stored, given.ifVersion)
    const known = [...workflow.rules, ...(stored?.rules ?? [])]
    const rules = await readRules(ctx, tx, given.rules, { path: pathOf(workflow), stored: known })
    const base = await baseOf(tx, workflow, stored, given.baseVersion)
    const names = await namesOf(tx, workflow, targetsOf({ rules }))
    const values = {
      ...base,
      rules,
      // A channel that was deleted keeps the name that it had.
      names: { ...namesIn(stored, rules), ...Object.fromEntries(names) },
      publishAt: null,
      comment: null,
      refusal: null,
    }
    if (!stored) {
      const path = pathOf(workflow)
      const made = await insertOwned(ctx, tx, WorkflowDraft, {
        path,
        ...values,
        workflowId: workflow.id,
        userId: user,
      })
      emitDraft(tx, made, 'created')
      return made
    }
    Object.assign(stored, values)
    markChanged(stored, ctx.now())
    emitDraft(tx, stored, 'updated')
    return stored
  })
}

/** Discards the caller's draft of a workflow. @throws NotFound, ChangedMeanwhile */
export function discardDraft(
  ctx: Context,
  transact: Transact,
  { workflow: id, ifVersion }: { workflow: string; ifVersion?: number | null | undefined },
): Promise<string> {
  return transact(ctx, async (tx) => {
    const { draft } = await lockOwnDraft(ctx, tx, { workflow: id, ifVersion })
    emitDraft(tx, draft, 'deleted')
    tx.em.remove(draft)
    return draft.id
  })
}

/** Locks a workflow and then the caller's draft of it. @throws NotFound, ChangedMeanwhile */
export async function lockOwnDraft(
  ctx: Context,
  tx: WriteTx,
  { workflow: id, ifVersion }: { workflow: string; ifVersion?: number | null | undefined },
): Promise<{ workflow: Workflow; draft: WorkflowDraft }> {
  const workflow = await fetchWorkflow(ctx, id, { em: tx.em, lock: true })
  const draft = await tx.em.findOne(WorkflowDraft, { workflowId: workflow.id, userId: ctx.userCaller.user })
  requireDraftVersion(workflow.id, draft, ifVersion)
  if (!draft) throw new NotFound(`the caller has no draft of workflow ${workflow.id}`)
  return { workflow, draft }
}

/** Locks a draft of any administrator, and its workflow before it. @throws NotFound, ChangedMeanwhile */
export async function lockDraft(
  ctx: Context,
  tx: WriteTx,
  { id, ifVersion }: { id: string; ifVersion?: number | null | undefined },
): Promise<{ workflow: Workflow; draft: WorkflowDraft }> {
  // By this transaction's connection: those that hold one and wait for a second would wait for each other.
  const values: unknown[] = [id]
  const tenant = tenantSql(ctx.tenant, 'd', values)
  const [found] = isId(id)
    ? await tx.query<{ workflow: string }>(
        `select d.workflow_id as workflow from workflow_draft d where d.id = $1 and ${tenant}`,
        values,
      )
    : []
  if (!found) throw recordNotFound('WorkflowDraft', id)
  const workflow = await fetchWorkflow(ctx, found.workflow, { em: tx.em, lock: true })
  return { workflow, draft: await fetchRecord(ctx, WorkflowDraft, id, { em: tx.em, lock: true, ifVersion }) }
}

function requireDraftVersion(
  workflow: string,
  draft: WorkflowDraft | null,
  ifVersion: number | null | undefined,
): void {
  if (draft) return requireVersion('WorkflowDraft', draft, ifVersion)
  if (isAbsent(ifVersion) || ifVersion === 0) return
  throw new ChangedMeanwhile(
    `the caller has no draft of workflow ${workflow}, not one of version ${ifVersion}: it was published or discarded meanwhile`,
    0,
  )
}

/** Finds the state of the workflow with which the rules began. @throws BadUserInput */
async function baseOf(
  tx: WriteTx,
  workflow: Workflow,
  stored: WorkflowDraft | null,
  given: number | null | undefined,
): Promise<Pick<WorkflowDraft, 'baseVersion' | 'baseHash'>> {
  if (isAbsent(given) && stored) return { baseVersion: stored.baseVersion, baseHash: stored.baseHash }
  if (isAbsent(given) || given === workflow.version) {
    return { baseVersion: workflow.version, baseHash: hashOfRules(workflow.rules) }
  }
  if (given === stored?.baseVersion) return { baseVersion: given, baseHash: stored.baseHash }
  const change = await findChange(tx, workflow.id, given)
  if (change) return { baseVersion: given, baseHash: hashOfRules(change.rules) }
  throw new BadUserInput('baseVersion', `baseVersion ${given} is not known of workflow ${workflow.id}`)
}

function namesIn(draft: WorkflowDraft | null, rules: WorkflowDraft['rules']): Record<string, string> {
  const wanted = new Set(targetsOf({ rules }))
  return Object.fromEntries(Object.entries(draft?.names ?? {}).filter(([id]) => wanted.has(id)))
}
