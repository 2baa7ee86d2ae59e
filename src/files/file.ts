import { Entity, Property } from '@mikro-orm/decorators/legacy'
import { Field, ID, InputType, Int, ObjectType } from 'type-graphql'
import { sharedSql, TenantEntity } from '../db/tenancy.js'
import { TextArray } from '../db/text-array.js'
import { DateTime } from '../lists/scalars.js'
import type { SharedResource } from '../sharing/shared-records.js'

const URL = 'Where its content is, http or https, when it is kept elsewhere.'
const TAGS = 'Shares the file with organizations that have one of them; set by administrators (4.3).'

@Entity({ tableName: 'file' })
@ObjectType({
  simpleResolvers: true,
  description: 'What an organization keeps to be sent or looked up: an attachment, or an address elsewhere (2.11).',
})
export class File extends TenantEntity {
  @Field(() => ID)
  declare id: string

  @Field(() => ID, { description: 'Owning organization.' })
  declare organizationId: string

  @Property({ type: 'text' })
  @Field(() => String)
  name!: string

  @Property({ type: 'text', nullable: true })
  @Field(() => String, { nullable: true, description: `${URL} Null when it is an attachment.` })
  url!: string | null

  @Property({ type: 'uuid', nullable: true })
  @Field(() => ID, {
    nullable: true,
    description: 'The attachment that is its content; null when it is kept elsewhere.',
  })
  attachmentId!: string | null

  @Property({ type: 'text', nullable: true })
  @Field(() => String, { nullable: true, description: 'Media type; that of the attachment, if it is one.' })
  fileType!: string | null

  @Property({ type: 'integer', nullable: true })
  @Field(() => Int, { nullable: true, description: 'Bytes; those of the attachment, if it is one.' })
  size!: number | null

  @Property({ type: TextArray })
  @Field(() => [String], { description: TAGS })
  tags!: string[]

  @Field(() => DateTime)
  declare createdAt: Date

  @Field(() => DateTime)
  declare updatedAt: Date
}

@InputType({
  description: 'Only the given keys change; `null` clears. A new content (`url` or `attachment`) replaces the old.',
})
export class UpdateFileInput {
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
    description: 'Media type of what is kept elsewhere, such as `application/zip`.',
  })
  fileType?: string | null

  @Field(() => Int, { nullable: true, description: 'Bytes of what is kept elsewhere.' })
  size?: number | null

  @Field(() => [String], { nullable: true, description: TAGS })
  tags?: string[] | null
}

@InputType({ description: 'A new file: its content is either a `url` or an `attachment`.' })
export class CreateFileInput extends UpdateFileInput {
  @Field(() => String, { description: 'Not blank, at most 200 characters.' })
  declare name: string

  @Field(() => ID, { nullable: true, description: "The caller's organization when absent." })
  organization?: string | null
}

export const sharedFiles: SharedResource<File> = { entity: File, table: 'file', visible: sharedSql('file') }
