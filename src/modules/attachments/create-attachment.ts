import type { Context } from '../../platform/context.js'
import { pathOf, tenantColumns } from '../../platform/db/tenancy.js'
import { Forbidden, OutcomeUnknown } from '../../platform/errors.js'
import type { Transact, WriteTx } from '../../platform/events/transact.js'
import { idempotently } from '../../platform/limits/idempotency.js'
import { fetchRecord } from '../../platform/lists/fetch-record.js'
import { invalidToken } from '../auth/tokens.js'
import { Organization } from '../organizations/organization.js'
import { emitAttachment } from './attachment-events.js'
import { expectRecord } from './attachment-jobs.js'
import type { AttachmentStore } from './attachment-store.js'
import { Attachment } from './attachment.js'
import { safeFileName } from './file-name.js'
import type { ReceivedFile } from './upload-spool.js'

export interface UploadDependencies {
  transact: Transact
  store: AttachmentStore
}

export interface Upload {
  file: ReceivedFile
  /** File name given by the client. */
  fileName: string | undefined
  /** Defaults to the caller's organization. */
  organization: string | undefined
  /** The `Idempotency-Key` header. */
  idempotencyKey: string | undefined
}

/**
 * Stores an upload: the bytes first, then the record, so that no record lacks its bytes.
 * @throws NotFound naming `organization`; Forbidden for a guest who names another; Unauthenticated for one who was
 *   deleted while the file was received
 */
export function createAttachment(ctx: Context, dependencies: UploadDependencies, upload: Upload): Promise<Attachment> {
  const owner = upload.organization ?? ctx.caller.organization
  // A guest's token can read in organizations below its own, but writes only to its own.
  if (ctx.guestCaller && owner !== ctx.caller.organization) {
    throw new Forbidden('a guest can only upload to its own organization')
  }
  const fileName = safeFileName(upload.fileName, upload.file.type)
  const input = { owner, fileName, sha256: upload.file.sha256 }
  return idempotently(ctx, { key: upload.idempotencyKey, operation: 'createAttachment', input }, async () => {
    const organization = await fetchRecord(ctx, Organization, owner, { field: 'organization' })
    return keep(ctx, dependencies, { organization, fileName, file: upload.file })
  })
}

async function keep(
  ctx: Context,
  { transact, store }: UploadDependencies,
  { organization, fileName, file }: { organization: Organization; fileName: string; file: ReceivedFile },
): Promise<Attachment> {
  const id = ctx.newId()
  await expectRecord(ctx.database, ctx.clock, id)
  // Before the transaction: a remote store must not hold a database connection.
  await store.keep(id, file)
  try {
    return await transact(ctx, async (tx) => {
      const { maybeCaller, guestCaller } = ctx
      const now = ctx.now()
      if (guestCaller) await requireContact(tx, guestCaller.contact)
      const attachment = tx.em.create(Attachment, {
        id,
        ...tenantColumns(pathOf(organization)),
        fileName,
        fileType: file.type,
        size: file.size,
        sha256: file.sha256,
        tags: [],
        userId: maybeCaller?.kind === 'user' ? maybeCaller.user : null,
        contactId: guestCaller?.contact ?? null,
        createdAt: now,
        updatedAt: now,
        version: 1,
      })
      await tx.em.persist(attachment).flush()
      emitAttachment(tx, attachment, 'created')
      return attachment
    })
  } catch (error) {
    // The record may be committed; orphaned bytes are removed by a job.
    if (error instanceof OutcomeUnknown) throw error
    await store.remove(id).catch((removeError: unknown) => {
      ctx.log.warn({ err: removeError, attachment: id }, 'failed to remove the bytes of a failed upload')
    })
    throw error
  }
}

/**
 * Checks that the guest was not deleted since the upload began, and keeps its deletion waiting: that finds the record, or
 * none is made. @throws Unauthenticated, as for every other request of the guest
 */
async function requireContact(tx: WriteTx, contact: string): Promise<void> {
  const found = await tx.query('select 1 from contact where id = $1 for key share', [contact])
  if (found.length === 0) throw invalidToken()
}
