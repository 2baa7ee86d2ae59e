import { Entity, Property } from '@mikro-orm/decorators/legacy'
import { Field, ID, InputType, Int, ObjectType } from 'type-graphql'
import { TextArray } from '../../platform/db/text-array.js'
import { rowLoader } from '../../platform/lists/rows.js'
import type { AttachmentType } from './content-type.js'
import { Node } from '../../platform/lists/node.js'
import { TenantRecord } from '../../platform/lists/tenant-record.js'
import { IfVersion } from '../../platform/lists/record-version.js'

@Entity({ tableName: 'attachment' })
@ObjectType({
  implements: Node,
  simpleResolvers: true,
  description: 'An uploaded image or PDF document, to which `meta.fileId` of a file message refers (2.12).',
})
export class Attachment extends TenantRecord {
  @Property({ type: 'text' })
  @Field(() => String, { description: 'File name without a path, with an extension of its type.' })
  fileName!: string

  @Property({ type: 'text' })
  @Field(() => String, { description: 'Media type, detected from the content: PNG, GIF, JPEG, WebP or PDF.' })
  fileType!: AttachmentType

  @Property({ type: 'integer' })
  @Field(() => Int, { description: 'Number of bytes of the content.' })
  size!: number

  @Property({ type: 'text' })
  @Field(() => String, { description: 'SHA-256 of the content, hexadecimal.' })
  sha256!: string

  @Property({ type: TextArray })
  @Field(() => [String], { description: 'Tags for filtering; attachments are not shared by them (4.3).' })
  tags!: string[]

  @Property({ type: 'uuid', nullable: true })
  @Field(() => ID, { nullable: true, description: 'The user who uploaded it; null for a consumer.' })
  userId!: string | null

  @Property({ type: 'uuid', nullable: true })
  @Field(() => ID, { nullable: true, description: 'The consumer who uploaded it; null for a user.' })
  contactId!: string | null
}

@InputType({
  description:
    'Changes of an attachment. Only the given keys change; `null` clears. The content cannot be changed: upload another.',
})
export class UpdateAttachmentInput {
  @IfVersion() ifVersion?: number | null

  @Field(() => String, { nullable: true, description: 'New name; gets an extension of its type if it has none.' })
  fileName?: string | null

  @Field(() => [String], { nullable: true, description: 'Replaces all tags.' })
  tags?: string[] | null
}

/** Loads attachments for references such as a file's, within the caller's tenants. */
export const attachmentLoader = rowLoader<Attachment>('attachment')
