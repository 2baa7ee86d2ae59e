import type { Logger } from 'pino'
import type { Context } from '../../../platform/context.js'
import type { Database } from '../../../platform/db/database.js'
import { isOnPath, pathOf, TENANT } from '../../../platform/db/tenancy.js'
import { ChangedMeanwhile, DomainError, NotFound, Unavailable } from '../../../platform/errors.js'
import type { Transact, WriteTx } from '../../../platform/events/transact.js'
import { finishJob, type Job } from '../../../platform/jobs/job.js'
import type { JobRunner } from '../../../platform/jobs/job-runner.js'
import { ENDED } from '../../../platform/jobs/job-type.js'
import type { Mailer } from '../../../platform/outbound/mailer.js'
import { User } from '../../users/user.js'
import type { Workflow } from '../workflow.js'
import { publish, WORKFLOW_PUBLISH } from './publish-draft.js'
import { PUBLICATION_MAIL, refusePublication } from './refuse-publication.js'
import { lockDraft } from './save-draft.js'
import type { PublicationRefusalReason, WorkflowDraft } from './workflow-draft.js'

export interface PublicationJobsOptions {
  database: Database
  jobs: JobRunner
  log: Logger
  mailer: Mailer
  transact: Transact
  systemContext: (requestId: string) => Context
}

/** Registers the jobs that publish drafts at their time, and that mail whose draft was not. */
export function registerPublicationJobs(options: PublicationJobsOptions): void {
  const { database, jobs, log, mailer, transact, systemContext } = options
  jobs.register(WORKFLOW_PUBLISH, {
    async handler(job) {
      const ctx = systemContext(job.id)
      try {
        await transact(ctx, (tx) => publishDue(ctx, tx, job))
      } catch (error) {
        const refusal = refusalOf(error)
        if (!refusal) throw error
        // What was tried is rolled back with the end of the job.
        await transact(ctx, (tx) => refuseDue(ctx, tx, job, refusal))
      }
      return ENDED
    },
  })
  jobs.register(PUBLICATION_MAIL, {
    isOutbound: true,
    handler: ({ payload }) => mailRefusal({ database, log, mailer }, payload.draft),
  })
}

type PublicationJob = Job<{ draft: string; version: number; user: string }>

async function publishDue(ctx: Context, tx: WriteTx, job: PublicationJob): Promise<void> {
  await finishJob(tx, job)
  const due = await lockDue(ctx, tx, job)
  if (!due) return
  const { workflow, draft } = due
  if (!(await mayPublish(tx, workflow, draft.userId))) {
    return refuse(ctx, tx, draft, { reason: 'notAllowed', message: 'the author is no administrator of it any more' })
  }
  await publish(ctx, tx, { workflow, draft, comment: draft.comment })
  tx.addAudit({
    ...{ action: 'publishWorkflowDraft', organization: workflow.organizationId, user: draft.userId },
    object: { type: 'workflow', id: workflow.id },
    details: { isPlanned: true, version: workflow.version, ...(draft.comment && { comment: draft.comment }) },
  })
}

async function refuseDue(ctx: Context, tx: WriteTx, job: PublicationJob, refusal: Refusal): Promise<void> {
  await finishJob(tx, job)
  const due = await lockDue(ctx, tx, job)
  if (due) refuse(ctx, tx, due.draft, refusal)
}

interface Refusal {
  reason: PublicationRefusalReason
  message: string
}

function refuse(ctx: Context, tx: WriteTx, draft: WorkflowDraft, refusal: Refusal): void {
  refusePublication(ctx, tx, draft, refusal)
  tx.addAudit({
    ...{ action: 'publishWorkflowDraftRefused', organization: draft.organizationId, user: draft.userId },
    object: { type: 'workflow', id: draft.workflowId },
    details: { ...refusal },
  })
}

/** Locks what is due; null if it was saved, published, discarded or taken back meanwhile. */
async function lockDue(
  ctx: Context,
  tx: WriteTx,
  { payload }: PublicationJob,
): Promise<{ workflow: Workflow; draft: WorkflowDraft } | null> {
  try {
    const due = await lockDraft(ctx, tx, { id: payload.draft })
    return due.draft.version === payload.version && due.draft.publishAt ? due : null
  } catch (error) {
    if (error instanceof NotFound) return null
    throw error
  }
}

/** Tells whether a user is still an administrator of the workflow's organization, or of one above it. */
async function mayPublish(tx: WriteTx, workflow: Workflow, user: string): Promise<boolean> {
  const where = { id: user, role: { $in: ['admin', 'owner'] as const }, status: { $ne: 'archived' as const } }
  const administrator = await tx.em.findOne(User, where, { filters: { [TENANT]: false } })
  const path = pathOf(workflow).filter((id) => id !== undefined)
  return administrator !== null && isOnPath({ path: pathOf(administrator) }, path)
}

/** Returns why a publication was refused; null for what is no refusal, such as a database that is away. */
function refusalOf(error: unknown): Refusal | null {
  if (!(error instanceof DomainError) || error instanceof Unavailable) return null
  const { message } = error
  if (error instanceof ChangedMeanwhile) return { reason: 'changed', message }
  return { reason: error.details.reason === 'TARGETS_GONE' ? 'targetsGone' : 'refused', message }
}

async function mailRefusal(
  { database, log, mailer }: Pick<PublicationJobsOptions, 'database' | 'log' | 'mailer'>,
  id: string,
): Promise<void> {
  const [row] = await database.query<{ email: string; name: string | null; message: string | null }>(
    `select u.email, w.name, d.refusal ->> 'message' as message from workflow_draft d
     join app_user u on u.id = d.user_id join workflow w on w.id = d.workflow_id
     where d.id = $1 and u.status <> 'archived'`,
    [id],
  )
  // Saved or planned again by now.
  if (!row?.message) return
  if (!mailer.isSet) {
    log.warn({ draft: id }, 'SMTP_URL is not set: the author of a draft was not mailed that it was not published')
    return
  }
  const name = row.name || 'without a name'
  await mailer.send({
    to: { name: '', address: row.email },
    subject: `Not published: your draft of the workflow ${name}`,
    text: `Your draft of the workflow ${name} was not published as planned: ${row.message}.\n\nThe draft is still there, and nothing has changed.\n`,
  })
}
