import { Entity, Property } from '@mikro-orm/decorators/legacy'
import { Field, ID, InputType, ObjectType } from 'type-graphql'
import { Node } from '../../../platform/lists/node.js'
import { IfVersion } from '../../../platform/lists/record-version.js'
import { rowLoader } from '../../../platform/lists/rows.js'
import { TenantRecord } from '../../../platform/lists/tenant-record.js'

export const NOTE_CHARS_MAX = 5_000
export const TEXT = `Not blank, at most ${NOTE_CHARS_MAX} characters.`

@Entity({ tableName: 'contact_note' })
@ObjectType({
  implements: Node,
  simpleResolvers: true,
  description: 'Text that an agent notes about a contact, for all agents who see the contact. Consumers never see it.',
})
export class ContactNote extends TenantRecord {
  @Property({ type: 'uuid' })
  @Field(() => ID, { description: 'The contact about whom it was noted.' })
  contactId!: string

  @Property({ type: 'uuid' })
  @Field(() => ID, { description: 'Id of the user who wrote it, who may be deleted.' })
  authorId!: string

  @Property({ type: 'text' })
  @Field(() => String, {
    description: "Name of its author when it was written: it stays when the author's user is gone.",
  })
  authorName!: string

  @Property({ type: 'text' })
  @Field(() => String, { description: TEXT })
  text!: string
}

@InputType({ description: 'Changes of a note. Only the given keys change.' })
export class UpdateContactNoteInput {
  @IfVersion() ifVersion?: number | null

  @Field(() => String, { nullable: true, description: TEXT })
  text?: string | null
}

export const contactNoteLoader = rowLoader<ContactNote>('contact_note')
