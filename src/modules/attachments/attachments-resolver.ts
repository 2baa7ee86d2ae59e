import { Arg, Args, Authorized, Ctx, FieldResolver, ID, Mutation, Query, Resolver, Root } from 'type-graphql'
import type { Context } from '../../platform/context.js'
import type { Transact } from '../../platform/events/transact.js'
import { ConnectionArgs, type OrderTerm, type Page } from '../../platform/lists/connection.js'
import { fetchRecord } from '../../platform/lists/fetch-record.js'
import { listPage } from '../../platform/lists/list-page.js'
import { Organization, organizationLoader } from '../organizations/organization.js'
import { type UserProfile, userProfileLoader } from '../users/user-profile.js'
import { User } from '../users/user.js'
import type { AttachmentLinks } from './attachment-links.js'
import { AttachmentConnection, AttachmentFilter, attachmentList, AttachmentOrder } from './attachment-list.js'
import { deleteAttachment, updateAttachment } from './attachment-writes.js'
import { Attachment, UpdateAttachmentInput } from './attachment.js'

@Resolver(() => Attachment)
export class AttachmentsResolver {
  constructor(private readonly options: { transact: Transact; links: AttachmentLinks }) {}

  @Authorized('attachment.fetch')
  @Query(() => Attachment, {
    nullable: true,
    description: 'An attachment that the caller may see. Upload by `POST /v2/attachments`.',
  })
  attachment(@Ctx() ctx: Context, @Arg('id', () => ID) id: string): Promise<Attachment> {
    return fetchRecord(ctx, Attachment, id)
  }

  @Authorized('attachment.list')
  @Query(() => AttachmentConnection, {
    description: "Attachments of the caller's organization and those below it.",
  })
  attachments(
    @Ctx() ctx: Context,
    @Args(() => ConnectionArgs) args: ConnectionArgs,
    @Arg('filter', () => AttachmentFilter, { nullable: true }) filter?: object | null,
    @Arg('orderBy', () => [AttachmentOrder], { nullable: true }) orderBy?: OrderTerm[] | null,
  ): Promise<Page<Attachment>> {
    return listPage(ctx, attachmentList, { args, filter, orderBy })
  }

  @Authorized('attachment.update')
  @Mutation(() => Attachment, {
    description:
      'Updates an attachment. Only the given keys change; the content cannot be changed, nor the name (`ON_HOLD`) of what was sent in a held conversation.',
  })
  updateAttachment(
    @Ctx() ctx: Context,
    @Arg('id', () => ID) id: string,
    @Arg('patch', () => UpdateAttachmentInput) patch: UpdateAttachmentInput,
  ): Promise<Attachment> {
    return updateAttachment(ctx, this.options.transact, { id, patch })
  }

  @Authorized('attachment.delete')
  @Mutation(() => ID, {
    description:
      'With its content. Messages keep its id. UNPROCESSABLE while it is the content of a file, or kept by a legal hold (`ON_HOLD`).',
  })
  async deleteAttachment(@Ctx() ctx: Context, @Arg('id', () => ID) id: string): Promise<string> {
    await deleteAttachment(ctx, this.options.transact, id)
    return id.toLowerCase()
  }

  @FieldResolver(() => String, {
    description: 'Address at which it can be read without credentials, for some days (7 by default).',
  })
  url(@Root() { id, fileName }: Attachment): string {
    return this.options.links.urlOf(id, fileName)
  }

  @FieldResolver(() => Organization, { nullable: true, description: 'Owning organization.' })
  organization(@Root() { organizationId }: Attachment, @Ctx() ctx: Context): Promise<Organization | null> {
    return ctx.loader(organizationLoader).load(organizationId)
  }

  @FieldResolver(() => User, { nullable: true, description: 'The user who uploaded it; null for a consumer.' })
  user(@Root() { userId }: Attachment, @Ctx() ctx: Context): Promise<UserProfile | null> | null {
    return userId ? ctx.loader(userProfileLoader).load(userId) : null
  }
}
