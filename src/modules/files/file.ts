import { Entity, Property } from '@mikro-orm/decorators/legacy'
import { Field, ID, InputType, Int, ObjectType } from 'type-graphql'
import { sharedSql } from '../../platform/db/tenancy.js'
import { TextArray } from '../../platform/db/text-array.js'
import type { SharedResource } from '../sharing/shared-records.js'
import { Node } from '../../platform/lists/node.js'
import { TenantRecord } from '../../platform/lists/tenant-record.js'
import { IfVersion } from '../../platform/lists/record-version.js'

const URL = 'External address of the content, http or https.'
const TAGS = 'Shares the file with organizations that have one of them; set by administrators (4.3).'

@Entity({ tableName: 'file' })
@ObjectType({
  implements: Node,
  simpleResolvers: true,
  description: "A file of an organization's library, to send or look up: an attachment, or an external address (2.11).",
})
export class File extends TenantRecord {
  @Property({ type: 'text' })
  @Field(() => String)
  name!: string

  @Property({ type: 'text', nullable: true })
  @Field(() => String, { nullable: true, description: `${URL} Null for an attachment.` })
  url!: string | null

  @Property({ type: 'uuid', nullable: true })
  @Field(() => ID, {
    nullable: true,
    description: 'The attachment with its content; null for an external address.',
  })
  attachmentId!: string | null

  @Property({ type: 'text', nullable: true })
  @Field(() => String, { nullable: true, description: "Media type; the attachment's, if it has one." })
  fileType!: string | null

  @Property({ type: 'integer', nullable: true })
  @Field(() => Int, { nullable: true, description: "Size in bytes; the attachment's, if it has one." })
  size!: number | null

  @Property({ type: TextArray })
  @Field(() => [String], { description: TAGS })
  tags!: string[]
}

@InputType()
export abstract class FileFieldsInput {
  @Field(() => String, { nullable: true, description: 'Not blank, at most 200 characters.' })
  name?: string | null

  @Field(() => String, { nullable: true, description: URL })
  url?: string | null

  @Field(() => ID, {
    nullable: true,
    description: 'An attachment of the same organization, or of one above or below it.',
  })
  attachment?: string | null

  @Field(() => String, {
    nullable: true,
    description: 'Media type of external content, such as `application/zip`.',
  })
  fileType?: string | null

  @Field(() => Int, { nullable: true, description: 'Size of external content in bytes.' })
  size?: number | null

  @Field(() => [String], { nullable: true, description: TAGS })
  tags?: string[] | null
}

@InputType({
  description:
    'Changes of a file. Only the given keys change; `null` clears. New content (`url` or `attachment`) replaces the old.',
})
export class UpdateFileInput extends FileFieldsInput {
  @IfVersion() ifVersion?: number | null
}

@InputType({ description: 'A new file, whose content is either a `url` or an `attachment`.' })
export class CreateFileInput extends FileFieldsInput {
  @Field(() => String, { description: 'Not blank, at most 200 characters.' })
  declare name: string

  @Field(() => ID, { nullable: true, description: "Defaults to the caller's organization." })
  organization?: string | null
}

export const sharedFiles: SharedResource<File> = { entity: File, table: 'file', visible: sharedSql('file') }
