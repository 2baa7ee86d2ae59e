import { Entity, Property } from '@mikro-orm/decorators/legacy'
import { Field, ID, InputType, Int, ObjectType } from 'type-graphql'
import { graphqlEnum } from '../../platform/lists/graphql-enum.js'
import { Node } from '../../platform/lists/node.js'
import { IfVersion } from '../../platform/lists/record-version.js'
import { DateTime } from '../../platform/lists/scalars.js'
import { TenantRecord } from '../../platform/lists/tenant-record.js'

export const DAYS = { min: 1, max: 3_650 }
/** Between what is said of a policy and its first effect. */
export const DELAY_MS = 86_400_000
/** Days for which newcomers, such as imports, are kept at least. */
export const NOTICE_DAYS = 7

export const RetentionSubjectEnum = graphqlEnum('RetentionSubject', 'Records that a retention policy erases.', {
  CONVERSATIONS: [
    'conversations',
    'Closed and archived conversations with their messages and files, once their last message is old enough. Contacts stay.',
  ],
  ATTACHMENTS: [
    'attachments',
    'Files that were sent in conversations or uploaded by contacts, once each of these conversations is over and its last message old enough. ' +
      'Messages stay. Kept are the contents of files, those with tags, and what users uploaded and never sent.',
  ],
  CONTACTS: [
    'contacts',
    'Contacts with all that is theirs, once nothing was changed of them and nothing said in their conversations for so long, and none is open.',
  ],
})
export type RetentionSubject = (typeof RetentionSubjectEnum)[keyof typeof RetentionSubjectEnum]

const DAYS_HELP = `Days after which it is erased, from ${DAYS.min} to ${DAYS.max}.`
const STARTS_AT =
  'Time before which nothing is erased, at least 24 hours after the policy was made, shortened or put off.'
const CONFIRMED =
  'True to have more than half of what there is erased at once, or more than is looked at; otherwise that is refused (`CONFIRMATION_NEEDED`).'

@Entity({ tableName: 'retention_policy' })
@ObjectType({
  implements: Node,
  simpleResolvers: true,
  description:
    'A term after which something is erased, once a day. It is of an organization and those below it, but for those that have a policy of ' +
    'their own of the same subject: the nearest one holds alone, whether it is longer or shorter.',
})
export class RetentionPolicy extends TenantRecord {
  @Property({ type: 'text' })
  @Field(() => RetentionSubjectEnum)
  subject!: RetentionSubject

  @Property({ type: 'int' })
  @Field(() => Int, { description: DAYS_HELP })
  days!: number

  @Property({ type: 'datetime' })
  @Field(() => DateTime, { description: STARTS_AT })
  startsAt!: Date

  @Property({ type: 'datetime', nullable: true })
  @Field(() => DateTime, {
    nullable: true,
    description:
      'Present once it was deleted: it erases nothing any more, and until this time those of organizations above do not either.',
  })
  endsAt!: Date | null

  @Property({ type: 'uuid', nullable: true })
  @Field(() => ID, { nullable: true, description: 'The user who made it.' })
  createdById!: string | null
}

@InputType({ description: 'A new retention policy. Look at `retentionPreview` before.' })
export class CreateRetentionPolicyInput {
  @Field(() => RetentionSubjectEnum)
  subject!: RetentionSubject

  @Field(() => Int, { description: DAYS_HELP })
  days!: number

  @Field(() => DateTime, { nullable: true, description: `${STARTS_AT} Default: in 24 hours.` })
  startsAt?: Date | null

  @Field(() => Boolean, { nullable: true, description: CONFIRMED })
  confirmed?: boolean | null

  @Field(() => ID, { nullable: true, description: "Defaults to the caller's organization." })
  organization?: string | null
}

@InputType({
  description:
    'Only the given keys change. A run that is under way ends; a shorter term takes effect after 24 hours, a longer one at once.',
})
export class UpdateRetentionPolicyInput {
  @IfVersion() ifVersion?: number | null

  @Field(() => Int, { nullable: true, description: DAYS_HELP })
  days?: number | null

  @Field(() => DateTime, { nullable: true, description: STARTS_AT })
  startsAt?: Date | null

  @Field(() => Boolean, { nullable: true, description: CONFIRMED })
  confirmed?: boolean | null
}
