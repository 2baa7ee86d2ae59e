import { Arg, Args, Authorized, Ctx, FieldResolver, ID, Mutation, Query, Resolver, Root } from 'type-graphql'
import type { AttachmentLinks } from '../attachments/attachment-links.js'
import { Attachment, attachmentLoader } from '../attachments/attachment.js'
import type { Context } from '../../platform/context.js'
import type { Transact } from '../../platform/events/transact.js'
import { idempotently } from '../../platform/limits/idempotency.js'
import { ConnectionArgs, type OrderTerm, type Page } from '../../platform/lists/connection.js'
import { listPage } from '../../platform/lists/list-page.js'
import { Organization, organizationLoader } from '../organizations/organization.js'
import { fetchShared, isShared } from '../sharing/shared-records.js'
import { FileConnection, FileFilter, fileList, FileOrder } from './file-list.js'
import { createFile, deleteFile, updateFile } from './file-writes.js'
import { CreateFileInput, File, sharedFiles, UpdateFileInput } from './file.js'

@Resolver(() => File)
export class FilesResolver {
  constructor(private readonly options: { transact: Transact; links: AttachmentLinks }) {}

  @Authorized('file.fetch')
  @Query(() => File, {
    nullable: true,
    description: 'A file of an organization that the caller sees, or a shared one (4.3).',
  })
  file(@Ctx() ctx: Context, @Arg('id', () => ID) id: string): Promise<File> {
    return fetchShared(ctx, sharedFiles, id)
  }

  @Authorized('file.list')
  @Query(() => FileConnection, {
    description: "Files of the caller's organization and those below it, and those shared with it (4.3).",
  })
  files(
    @Ctx() ctx: Context,
    @Args(() => ConnectionArgs) args: ConnectionArgs,
    @Arg('filter', () => FileFilter, { nullable: true }) filter?: object | null,
    @Arg('orderBy', () => [FileOrder], { nullable: true }) orderBy?: OrderTerm[] | null,
  ): Promise<Page<File>> {
    return listPage(ctx, fileList, { args, filter, orderBy })
  }

  @Authorized('file.create')
  @Mutation(() => File, { description: 'Adds an attachment or an external address to the library.' })
  createFile(
    @Ctx() ctx: Context,
    @Arg('input', () => CreateFileInput) input: CreateFileInput,
    @Arg('idempotencyKey', () => String, { nullable: true }) key?: string | null,
  ): Promise<File> {
    return idempotently(ctx, { key, operation: 'createFile', input }, () =>
      createFile(ctx, this.options.transact, input),
    )
  }

  @Authorized('file.update')
  @Mutation(() => File, { description: 'Updates a file. Only the given keys change. FORBIDDEN for a shared file.' })
  updateFile(
    @Ctx() ctx: Context,
    @Arg('id', () => ID) id: string,
    @Arg('patch', () => UpdateFileInput) patch: UpdateFileInput,
  ): Promise<File> {
    return updateFile(ctx, this.options.transact, { id, patch })
  }

  @Authorized('file.delete')
  @Mutation(() => ID, { description: 'Deletes a file. Its attachment stays, since messages may use it.' })
  async deleteFile(@Ctx() ctx: Context, @Arg('id', () => ID) id: string): Promise<string> {
    await deleteFile(ctx, this.options.transact, id)
    return id.toLowerCase()
  }

  @FieldResolver(() => String, {
    description: 'Address of the content: `url`, or a signed link to the attachment, valid for some days.',
  })
  downloadUrl(@Root() { url, attachmentId, name }: File): string {
    return url ?? this.options.links.urlOf(attachmentId!, name)
  }

  @FieldResolver(() => Attachment, {
    nullable: true,
    description: 'Null for an external address, and for a shared file of another tenant.',
  })
  attachment(@Root() { attachmentId }: File, @Ctx() ctx: Context): Promise<Attachment | null> | null {
    return attachmentId ? ctx.loader(attachmentLoader).load(attachmentId) : null
  }

  @FieldResolver(() => Organization, {
    nullable: true,
    description: "Owning organization; null if it is another tenant's.",
  })
  organization(@Root() file: File, @Ctx() ctx: Context): Promise<Organization | null> {
    return ctx.loader(organizationLoader).load(file.organizationId)
  }

  @FieldResolver(() => Boolean, {
    description: 'Whether another organization shares it with the caller, who can then only read it (4.3).',
  })
  isShared(@Root() file: File, @Ctx() ctx: Context): boolean {
    return isShared(ctx, file)
  }
}
