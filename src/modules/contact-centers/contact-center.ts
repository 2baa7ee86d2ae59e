import { Field, ID, Int, ObjectType } from 'type-graphql'
import { DateTime } from '../../platform/lists/scalars.js'

@ObjectType({
  simpleResolvers: true,
  description: 'Bounds of a contact center that its operator sets; null: none of its own.',
})
export class ContactCenterQuotas {
  @Field(() => Int, { nullable: true, description: 'Users, bots among them, that are not archived.' })
  users!: number | null

  @Field(() => Int, { nullable: true, description: 'Organizations of levels 2 and 3.' })
  organizations!: number | null

  @Field(() => Int, {
    nullable: true,
    description: 'Messages per minute of all its guests, in place of `ORGANIZATION_GUEST_MESSAGES_PER_MINUTE`.',
  })
  guestMessagesPerMinute!: number | null

  @Field(() => Int, {
    nullable: true,
    description: 'Uploads of all its guests, in MiB per day, in place of `ORGANIZATION_GUEST_UPLOAD_BYTES_PER_DAY`.',
  })
  guestUploadMebibytesPerDay!: number | null
}

@ObjectType({ simpleResolvers: true, description: 'Numbers of records that quotas bound.' })
export class ContactCenterUsage {
  @Field(() => Int, { description: 'Users that are not archived.' })
  users!: number

  @Field(() => Int, { description: 'Organizations of levels 2 and 3.' })
  organizations!: number
}

@ObjectType({
  simpleResolvers: true,
  description:
    'A contact center (an organization of level 1) as the operator of the installation sees it: nothing of its content.',
})
export class ContactCenter {
  @Field(() => ID, { description: 'Id of the organization.' })
  id!: string

  @Field(() => String)
  name!: string

  @Field(() => DateTime)
  createdAt!: Date

  @Field(() => DateTime, { nullable: true, description: 'Time of its archiving; null while it is in use.' })
  archivedAt!: Date | null

  @Field(() => String, {
    nullable: true,
    description: 'Email of the owner who was invited first, unless deleted since.',
  })
  ownerEmail!: string | null

  /** The quotas as columns; the field is resolved. */
  usersMax!: number | null
  organizationsMax!: number | null
  guestMessagesPerMinute!: number | null
  guestUploadMebibytesPerDay!: number | null
  /** The owner who was invited first; null once it has signed in. */
  invitedId!: string | null
}
