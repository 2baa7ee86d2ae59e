import { Entity, Property } from '@mikro-orm/decorators/legacy'
import { Field, Float, ID, Int, ObjectType } from 'type-graphql'
import { graphqlEnum } from '../../../platform/lists/graphql-enum.js'
import { Node } from '../../../platform/lists/node.js'
import { DateTime } from '../../../platform/lists/scalars.js'
import { TenantRecord } from '../../../platform/lists/tenant-record.js'

export const ContactExportStatusEnum = graphqlEnum('ContactExportStatus', 'Stages of the export of a contact.', {
  PENDING: ['pending', 'It is being written, or waits for that.'],
  READY: ['ready', 'It can be downloaded until `expiresAt`.'],
  FAILED: ['failed', 'It could not be written, after several attempts: operators find the reason in the log.'],
  EXPIRED: ['expired', 'The file is gone: after 7 days, or because something that it has was deleted.'],
})
export type ContactExportStatus = (typeof ContactExportStatusEnum)[keyof typeof ContactExportStatusEnum]

@Entity({ tableName: 'contact_export' })
@ObjectType({
  implements: Node,
  simpleResolvers: true,
  description:
    'The export of a contact: a ZIP that a person can read, of pages, JSON and files. It goes with the contact, and its file after 7 days.',
})
export class ContactExport extends TenantRecord {
  @Property({ type: 'uuid' })
  @Field(() => ID)
  contactId!: string

  @Property({ type: 'uuid' })
  @Field(() => ID, { description: 'Id of the user who asked for it, who may be deleted.' })
  requestedById!: string

  @Property({ type: 'boolean' })
  @Field(() => Boolean, { description: 'Whether it has what only the team sees: notes and back-channel messages.' })
  notes!: boolean

  @Property({ type: 'text' })
  @Field(() => ContactExportStatusEnum)
  status!: ContactExportStatus

  @Property({ type: 'int' })
  @Field(() => Int, { description: 'Conversations that it has; 0 until it is ready.' })
  conversations!: number

  @Property({ type: 'int' })
  @Field(() => Int, { description: 'Messages in them.' })
  messages!: number

  @Property({ type: 'int' })
  @Field(() => Int, { description: 'Attachments that it has.' })
  files!: number

  @Property({ type: 'double', nullable: true })
  @Field(() => Float, { nullable: true, description: 'Number of bytes of the ZIP; null until it is ready.' })
  size!: number | null

  @Property({ type: 'text', nullable: true })
  @Field(() => String, { nullable: true, description: 'SHA-256 of the ZIP, hexadecimal.' })
  sha256!: string | null

  @Property({ type: 'datetime', nullable: true })
  @Field(() => DateTime, { nullable: true, description: 'Time at which its file goes; null until it is ready.' })
  expiresAt!: Date | null

  /** Ids of the conversations, notes and attachments that its file has; while it is pending, of those deleted meanwhile. */
  @Property({ type: 'json', hidden: true })
  records!: string[]
}
