import type { Context } from '../../platform/context.js'
import { pathOf } from '../../platform/db/tenancy.js'
import { organizationStream, type RecordChange, type ResourceEvents } from '../../platform/events/event.js'
import type { Transact, WriteTx } from '../../platform/events/transact.js'
import { refuseCleared } from '../../platform/input.js'
import { markChanged } from '../../platform/lists/record-version.js'
import { parseName } from '../organizations/organization-input.js'
import { insertOwned, owningPath } from '../organizations/owned-record.js'
import { fetchOwn } from '../sharing/shared-records.js'
import { parseTags } from '../sharing/tags.js'
import { contentOf } from './file-content.js'
import { File, sharedFiles, type CreateFileInput, type UpdateFileInput } from './file.js'

/** @throws NotFound naming `organization` or `attachment`; BadUserInput */
export function createFile(ctx: Context, transact: Transact, input: CreateFileInput): Promise<File> {
  const name = parseName(input.name, 'name')
  const tags = parseTags(input.tags)
  return transact(ctx, async (tx) => {
    const path = await owningPath(ctx, tx, input.organization)
    const content = await contentOf(ctx, tx, input, { path, stored: null })
    const file = await insertOwned(ctx, tx, File, { path, ...content, name, tags })
    emitFile(tx, file, 'created')
    return file
  })
}

/** Changes the given fields. @throws as {@link createFile}; NotFound, or Forbidden for a shared file */
export function updateFile(
  ctx: Context,
  transact: Transact,
  { id, patch }: { id: string; patch: UpdateFileInput },
): Promise<File> {
  refuseCleared(patch, 'name')
  const name = patch.name === undefined ? undefined : parseName(patch.name, 'name')
  return transact(ctx, async (tx) => {
    const file = await fetchOwn(ctx, tx, sharedFiles, id, patch.ifVersion)
    if (name !== undefined) file.name = name
    if (patch.tags !== undefined) file.tags = parseTags(patch.tags)
    const { url, attachmentId, fileType, size } = await contentOf(ctx, tx, patch, { path: pathOf(file), stored: file })
    Object.assign(file, { url, attachmentId, fileType, size })
    markChanged(file, ctx.now())
    emitFile(tx, file, 'updated')
    return file
  })
}

/** Deletes a file; its attachment stays, since messages may use it. */
export function deleteFile(ctx: Context, transact: Transact, id: string): Promise<boolean> {
  return transact(ctx, async (tx) => {
    const file = await fetchOwn(ctx, tx, sharedFiles, id)
    emitFile(tx, file, 'deleted')
    tx.em.remove(file)
    return true
  })
}

/** The values of a file. */
type FileData = Pick<File, 'name' | 'url' | 'fileType' | 'size' | 'tags'> & { attachment: File['attachmentId'] }

declare module '../../platform/events/event.js' {
  interface EventTypes extends ResourceEvents<'file', FileData> {}
}

function emitFile(tx: WriteTx, file: File, what: RecordChange): void {
  const { id, organizationId, name, url, attachmentId, fileType, size, tags } = file
  tx.emit(organizationStream(organizationId), `file.${what}`, {
    id,
    organization: organizationId,
    name,
    url,
    attachment: attachmentId,
    fileType,
    size,
    tags,
  })
}
