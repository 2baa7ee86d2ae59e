import type { Context } from '../../../platform/context.js'
import { organizationStream } from '../../../platform/events/event.js'
import type { WriteTx } from '../../../platform/events/transact.js'
import { MAIL_SHARE } from '../../../platform/jobs/job.js'
import { defineJob } from '../../../platform/jobs/job-type.js'
import { markChanged } from '../../../platform/lists/record-version.js'
import type { Workflow } from '../workflow.js'
import { hashOfRules } from '../rule-hash.js'
import { emitDraft, WorkflowDraft, type PublicationRefusalReason } from './workflow-draft.js'

/** Mails the author of a draft that it was not published. */
export const PUBLICATION_MAIL = defineJob<{ draft: string; user: string }>('workflow.publicationMail', {
  draft: 'string',
  user: 'string',
})

/**
 * Takes back the planned publication of a draft for a reason, and tells its author: at the draft, by the event
 * `workflowDraft.refused` and by mail. Needs the draft's lock.
 */
export function refusePublication(
  ctx: Context,
  tx: WriteTx,
  draft: WorkflowDraft,
  { reason, message }: { reason: PublicationRefusalReason; message: string },
): void {
  draft.publishAt = null
  draft.refusal = { at: ctx.now().toISOString(), reason, message }
  markChanged(draft, ctx.now())
  emitDraft(tx, draft, 'updated')
  const { id, organizationId: organization, workflowId: workflow, userId: user } = draft
  const data = { id, organization, workflow, user, reason, message }
  tx.emit(organizationStream(organization), 'workflowDraft.refused', data)
  tx.addJob(PUBLICATION_MAIL.create({ draft: id, user }, { key: `publicationMail:${id}`, share: MAIL_SHARE }))
}

/** Takes back the planned publications of a workflow whose rules have just changed. Needs the workflow's lock. */
export async function refuseOutdated(ctx: Context, tx: WriteTx, workflow: Workflow): Promise<void> {
  const hash = hashOfRules(workflow.rules)
  const planned = await tx.em.find(WorkflowDraft, { workflowId: workflow.id, publishAt: { $ne: null } })
  const by = ctx.maybeCaller?.kind === 'user' ? ` by ${ctx.maybeCaller.displayName}` : ''
  const message = `the rules of the workflow were changed${by}`
  for (const draft of planned) {
    if (draft.baseHash !== hash) refusePublication(ctx, tx, draft, { reason: 'changed', message })
  }
}
