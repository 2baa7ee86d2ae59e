import type { Readable } from 'node:stream'
import { expectRecord } from '../attachments/attachment-jobs.js'
import { emitAttachment } from '../attachments/attachment-events.js'
import type { AttachmentParts } from '../attachments/attachments-module.js'
import type { AttachmentType } from '../attachments/content-type.js'
import { safeFileName } from '../attachments/file-name.js'
import type { ReceivedFile } from '../attachments/upload-spool.js'
import type { Clock } from '../../platform/db/clock.js'
import type { Sql } from '../../platform/db/database.js'
import { BadUserInput } from '../../platform/errors.js'
import type { Share } from '../../platform/fairness/share.js'
import type { WritingChange } from '../conversations/state/writing-change.js'

/** A file as a provider sent it. */
export interface InboundAttachment {
  fileName: string
  /** Set for a file of the server's own making; else its first bytes tell. */
  type?: AttachmentType
  content: Readable
}

/** A file in the store that has no record yet. */
export interface KeptFile extends Omit<ReceivedFile, 'path'> {
  id: string
  fileName: string
}

/** A file that may not be attached, and why; shown in the message. */
export interface RefusedFile {
  fileName: string
  reason: string
}

const FILES_MAX = 20

export interface InboundFiles {
  kept: KeptFile[]
  refused: RefusedFile[]
}

/**
 * Stores a message's files before the transaction that creates the message. Call {@link dropFiles} if that is rolled
 * back.
 */
export async function keepFiles(
  { spool, store }: Pick<AttachmentParts, 'spool' | 'store'>,
  { sql, clock, share }: { sql: Sql; clock: Clock; share: Share },
  attachments: readonly InboundAttachment[],
): Promise<InboundFiles> {
  const files: InboundFiles = { kept: [], refused: [] }
  try {
    for (const [index, { fileName: given, content, type: known }] of attachments.entries()) {
      if (index >= FILES_MAX) {
        content.destroy()
        files.refused.push({ fileName: shortName(given), reason: `more than ${FILES_MAX} files came with the message` })
        continue
      }
      try {
        const { path, size, sha256, type } = await spool.receive(content, share, known)
        const id = clock.newId()
        await expectRecord(sql, clock, id)
        await store.keep(id, { path, size, sha256, type })
        files.kept.push({ id, fileName: safeFileName(given, type), size, sha256, type })
      } catch (error) {
        if (!(error instanceof BadUserInput)) throw error
        files.refused.push({ fileName: shortName(given), reason: error.message })
      }
    }
    return files
  } catch (error) {
    await dropFiles({ store }, files.kept)
    throw error
  }
}

export async function dropFiles({ store }: Pick<AttachmentParts, 'store'>, kept: readonly KeptFile[]): Promise<void> {
  await Promise.all(kept.map(({ id }) => store.remove(id)))
}

/** Creates the files' records, as uploads of the contact; of nobody for what somebody else sent. */
export async function recordFiles(
  change: WritingChange,
  contact: string | null,
  kept: readonly KeptFile[],
): Promise<void> {
  const { organizationId, org1, org2, org3 } = change.conversation
  for (const { id, fileName, size, sha256, type } of kept) {
    await change.sql.query(
      `insert into attachment (id, organization_id, org1, org2, org3, created_at, updated_at, file_name, file_type, size,
         sha256, contact_id)
       values ($1, $2, $3, $4, $5, $6, $6, $7, $8, $9, $10, $11)`,
      [id, organizationId, org1, org2, org3, change.now, fileName, type, size, sha256, contact],
    )
    emitAttachment(
      change,
      {
        id,
        organizationId,
        org1,
        org2,
        org3,
        fileName,
        fileType: type,
        size,
        sha256,
        tags: [],
        userId: null,
        contactId: contact,
      },
      'created',
    )
  }
}

function shortName(name: string): string {
  return name
    .replace(/\p{Cc}/gu, '')
    .slice(0, 150)
    .toWellFormed()
}
