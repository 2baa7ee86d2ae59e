import type { Context } from '../../../platform/context.js'
import { BadUserInput, ChangedMeanwhile } from '../../../platform/errors.js'
import type { Transact, WriteTx } from '../../../platform/events/transact.js'
import { isAbsent } from '../../../platform/input.js'
import { defineJob } from '../../../platform/jobs/job-type.js'
import { markChanged } from '../../../platform/lists/record-version.js'
import { requireLiveTargets } from '../live-targets.js'
import { readComment } from '../workflow-input.js'
import { applyChange } from '../workflow-writes.js'
import type { Workflow } from '../workflow.js'
import { lockDraft, lockOwnDraft } from './save-draft.js'
import { hashOfRules } from '../rule-hash.js'
import { emitDraft, type WorkflowDraft } from './workflow-draft.js'

/** Publishes a draft at its time, if it is still in this version. */
export const WORKFLOW_PUBLISH = defineJob<{ draft: string; version: number; user: string }>('workflow.publish', {
  draft: 'string',
  version: 'number',
  user: 'string',
})

const DAYS_MAX = 90
const DAY_MS = 86_400_000

/** The outcome for a draft: it is published, or that is planned. */
export interface Publication {
  workflow: Workflow
  draft: WorkflowDraft | null
}

interface PublicationInput {
  workflow: string
  comment?: string | null | undefined
  /** Default: now. */
  at?: Date | null | undefined
  ifVersion?: number | null | undefined
}

/**
 * Publishes the caller's draft of a workflow: its rules run for every message from the commit on, on all nodes. With a time, a
 * job does so then, and what would be refused now is refused now.
 * @throws NotFound without a draft; ChangedMeanwhile if the workflow has other rules than those with which it began, or the
 *   draft another version; Unprocessable naming channels, users and skills that are gone, or a limit; BadUserInput
 */
export function publishDraft(ctx: Context, transact: Transact, input: PublicationInput): Promise<Publication> {
  const { workflow: id, ifVersion } = input
  const comment = readComment(input.comment)
  const at = isAbsent(input.at) ? null : requireFuture(input.at, ctx.now())
  return transact(ctx, async (tx) => {
    const { workflow, draft } = await lockOwnDraft(ctx, tx, { workflow: id, ifVersion })
    if (!at) {
      await publish(ctx, tx, { workflow, draft, comment })
      return { id: draft.id, workflow, draft: null }
    }
    await requirePublishable(tx, workflow, draft)
    Object.assign(draft, { publishAt: at, comment, refusal: null })
    markChanged(draft, ctx.now())
    emitDraft(tx, draft, 'updated')
    const payload = { draft: draft.id, version: draft.version, user: draft.userId }
    // Without a key: jobs of one key run in the order in which they were added, and a plan would wait for every later time before it.
    tx.addJob(WORKFLOW_PUBLISH.create(payload, { runAt: at }))
    return { id: draft.id, workflow, draft }
  })
}

/**
 * Takes back what is planned for a draft, one's own or another administrator's; the draft stays.
 * @throws NotFound, ChangedMeanwhile
 */
export function cancelPublication(
  ctx: Context,
  transact: Transact,
  given: { id: string; ifVersion?: number | null | undefined },
): Promise<WorkflowDraft> {
  return transact(ctx, async (tx) => {
    const { draft } = await lockDraft(ctx, tx, given)
    draft.publishAt = null
    markChanged(draft, ctx.now())
    emitDraft(tx, draft, 'updated')
    return draft
  })
}

/** Makes the rules of a draft those of its workflow. Needs the locks of both. @throws as {@link publishDraft} */
export async function publish(
  ctx: Context,
  tx: WriteTx,
  { workflow, draft, comment }: { workflow: Workflow; draft: WorkflowDraft; comment: string | null },
): Promise<void> {
  await requirePublishable(tx, workflow, draft)
  // Before the workflow changes, so that it is none of those that the change outdates.
  await tx.em.remove(draft).flush()
  const cause = { kind: 'published' as const, user: draft.userId, comment }
  await applyChange(ctx, tx, workflow, cause, async () => {
    workflow.rules = draft.rules
  })
  emitDraft(tx, draft, 'deleted')
}

async function requirePublishable(tx: WriteTx, workflow: Workflow, draft: WorkflowDraft): Promise<void> {
  if (hashOfRules(workflow.rules) !== draft.baseHash) {
    throw new ChangedMeanwhile(
      `workflow ${workflow.id} has other rules than those of version ${draft.baseVersion}, with which the draft began`,
      workflow.version,
    )
  }
  await requireLiveTargets(tx, workflow, draft)
}

function requireFuture(at: Date, now: Date): Date {
  const last = new Date(now.getTime() + DAYS_MAX * DAY_MS)
  if (at > now && at <= last) return at
  const span = `after now (${now.toISOString()}) and within ${DAYS_MAX} days`
  throw new BadUserInput('at', `at must be ${span}, not ${at.toISOString()}`)
}
