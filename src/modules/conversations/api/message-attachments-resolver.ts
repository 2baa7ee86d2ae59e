import { Ctx, FieldResolver, Resolver, Root } from 'type-graphql'
import { Attachment } from '../../attachments/attachment.js'
import { attachmentKeyOf, messageAttachmentLoader } from '../../attachments/message-attachment.js'
import type { Context } from '../../../platform/context.js'
import { Message } from '../../messages/message.js'
import type { MessageRow } from '../../messages/message-row.js'

@Resolver(() => Message)
export class MessageAttachmentsResolver {
  @FieldResolver(() => Attachment, {
    nullable: true,
    description:
      'Attachment of a file message, named by `meta.fileId`, with a fresh link (2.12). Null if it has been deleted.',
  })
  attachment(@Root() message: MessageRow, @Ctx() ctx: Context): Promise<Attachment | null> | null {
    const key = attachmentKeyOf(message)
    return key === null ? null : ctx.loader(messageAttachmentLoader).load(key)
  }
}
