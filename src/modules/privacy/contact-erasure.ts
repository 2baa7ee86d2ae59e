import { Entity, Property } from '@mikro-orm/decorators/legacy'
import { Field, ID, Int, ObjectType } from 'type-graphql'
import { graphqlEnum } from '../../platform/lists/graphql-enum.js'
import { Node } from '../../platform/lists/node.js'
import { DateTime } from '../../platform/lists/scalars.js'
import { TenantRecord } from '../../platform/lists/tenant-record.js'
import type { KnownNames } from './erasure-job.js'

export const ErasureReasonEnum = graphqlEnum(
  'ErasureReason',
  'Grounds on which a contact is erased: words that name nobody.',
  {
    REQUESTED: ['requested', 'The person asks for it, or takes a consent back.'],
    NOT_NEEDED: ['notNeeded', 'The data is not needed any more for what it was collected for.'],
    UNLAWFUL: ['unlawful', 'The data should never have been collected.'],
    OBLIGATION: ['obligation', 'A law or an order demands it.'],
    OTHER: ['other', 'None of these; also of `deleteContact`, which asks for no reason.'],
  },
)
export type ErasureReason = (typeof ErasureReasonEnum)[keyof typeof ErasureReasonEnum]

export const ContactErasureStatusEnum = graphqlEnum('ContactErasureStatus', 'Stages of the erasure of a contact.', {
  REQUESTED: ['requested', 'On the list that a restore was given: begun when the server starts, before it answers.'],
  BLOCKED: ['blocked', 'A legal hold keeps it, see `blockedBy`: it goes on by itself when the last is released.'],
  WITHDRAWING: ['withdrawing', 'The contact is emptied; its conversations are being removed.'],
  ERASING: ['erasing', 'The contact is gone; copies, events, webhooks and files are being erased.'],
  DONE: ['done', 'Nothing of it is left.'],
})
export type ContactErasureStatus = (typeof ContactErasureStatusEnum)[keyof typeof ContactErasureStatusEnum]

@Entity({ tableName: 'erasure' })
@ObjectType({
  implements: Node,
  simpleResolvers: true,
  description:
    'The erasure of a contact, by `eraseContact` or `deleteContact`: ids and numbers, which stay. It goes on after a failure and a restart ' +
    'until it is done; `erasures` tells what fails.',
})
export class ContactErasure extends TenantRecord {
  @Property({ type: 'uuid' })
  @Field(() => ID, { description: 'Id of the contact, which is gone.' })
  contactId!: string

  @Property({ type: 'text' })
  @Field(() => ErasureReasonEnum, { description: 'Ground on which it was demanded.' })
  reason!: ErasureReason

  @Property({ type: 'text' })
  @Field(() => ContactErasureStatusEnum)
  status!: ContactErasureStatus

  @Property({ type: 'int' })
  @Field(() => Int, { description: 'Conversations that were removed so far.' })
  conversations!: number

  @Property({ type: 'int' })
  @Field(() => Int, { description: 'Messages in them.' })
  messages!: number

  @Property({ type: 'int' })
  @Field(() => Int, {
    description: 'Times that one of these messages was forwarded by mail to people outside, who keep what they have.',
  })
  forwards!: number

  @Property({ type: 'int' })
  @Field(() => Int, { description: 'Attachments that go, unless a file or the message of another needs them.' })
  attachments!: number

  @Property({ type: 'int' })
  @Field(() => Int, { description: 'Notes of the contact that went.' })
  notes!: number

  @Property({ type: 'datetime', nullable: true })
  @Field(() => DateTime, { nullable: true, description: 'Time at which it was done.' })
  finishedAt!: Date | null

  /** Names that the contact was known by, as pseudonyms, until nothing looks for it any more. */
  @Property({ type: 'json', hidden: true })
  known!: KnownNames

  /** The jobs that are not done. */
  @Property({ type: 'json', hidden: true })
  pending!: string[]
}
