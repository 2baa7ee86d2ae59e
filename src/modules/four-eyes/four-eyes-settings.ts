import { Entity, Property } from '@mikro-orm/decorators/legacy'
import { Field, ID, InputType, Int, ObjectType } from 'type-graphql'
import { TenantEntity } from '../../platform/db/tenancy.js'
import { IfVersion } from '../../platform/lists/record-version.js'
import { DateTime } from '../../platform/lists/scalars.js'

/** The areas that can be guarded, as settings name them. */
export const AREAS = ['erasure', 'hold', 'retention', 'signIn'] as const
export type GuardedArea = (typeof AREAS)[number]
export type Guarded = Record<GuardedArea, boolean>

export const NOTHING_GUARDED: Guarded = { erasure: false, hold: false, retention: false, signIn: false }

const HELP: Readonly<Record<GuardedArea, string>> = {
  erasure: 'Erasing and deleting contacts: `eraseContact`, `deleteContact`.',
  hold: 'Releasing legal holds: `releaseHold`. Holds are made at once, since what they keep could be gone meanwhile.',
  retention: 'Making, changing and deleting retention policies.',
  signIn:
    'The sign-in policy, providers, the proof and removal of domains, new tokens for SCIM, and `resetFactors`. What only ends access, ' +
    'such as `revokeScimToken` and `endSession`, is done at once.',
}

/** The areas of a contact center in which a change waits for a second administrator: one row, once any was guarded. */
@Entity({ tableName: 'four_eyes' })
export class StoredFourEyes extends TenantEntity implements Guarded {
  @Property({ type: 'boolean' })
  erasure!: boolean

  @Property({ type: 'boolean' })
  hold!: boolean

  @Property({ type: 'boolean' })
  retention!: boolean

  @Property({ type: 'boolean' })
  signIn!: boolean
}

@ObjectType({
  simpleResolvers: true,
  description:
    'The areas in which a change of an administrator is a `PendingChange` until another one approves it. They are of an organization of ' +
    'level 1, and hold for all organizations below it.',
})
export class FourEyes implements Guarded {
  @Field(() => ID, { description: 'The organization of level 1.' })
  organizationId!: string

  @Field(() => Boolean, { description: HELP.erasure })
  erasure!: boolean

  @Field(() => Boolean, { description: HELP.hold })
  hold!: boolean

  @Field(() => Boolean, { description: HELP.retention })
  retention!: boolean

  @Field(() => Boolean, { description: HELP.signIn })
  signIn!: boolean

  @Field(() => Int, {
    description:
      'Administrators who could approve a change of the caller: others that are active in the organization of the caller or one above it. ' +
      'At 0, changes in these areas are refused (`NO_APPROVER`).',
  })
  approvers!: number

  @Field(() => Int, { description: '0 until anything was set.' })
  version!: number

  @Field(() => DateTime, { nullable: true })
  updatedAt!: Date | null
}

@InputType({ description: 'Areas in which a change waits for a second administrator; what is absent stays.' })
export class SetFourEyesInput {
  @Field(() => Boolean, { nullable: true, description: HELP.erasure })
  erasure?: boolean | null

  @Field(() => Boolean, { nullable: true, description: HELP.hold })
  hold?: boolean | null

  @Field(() => Boolean, { nullable: true, description: HELP.retention })
  retention?: boolean | null

  @Field(() => Boolean, { nullable: true, description: HELP.signIn })
  signIn?: boolean | null

  @IfVersion() ifVersion?: number | null
}
