import { Entity, Property } from '@mikro-orm/decorators/legacy'
import { Field, ID, ObjectType } from 'type-graphql'
import { TextArray } from '../../platform/db/text-array.js'
import type { JsonObject } from '../../platform/json.js'
import { graphqlEnum } from '../../platform/lists/graphql-enum.js'
import { Node } from '../../platform/lists/node.js'
import { DateTime, JsonObject as JsonObjectScalar } from '../../platform/lists/scalars.js'
import { TenantRecord } from '../../platform/lists/tenant-record.js'

/** Time in which a change can be approved. */
export const EXPIRES_MS = 72 * 3_600_000

export const FourEyesAreaEnum = graphqlEnum(
  'FourEyesArea',
  'Areas in which a change waits for a second administrator.',
  {
    ERASURE: ['erasure', 'Contacts are erased or deleted.'],
    HOLD: ['hold', 'Legal holds are released.'],
    RETENTION: ['retention', 'Retention policies are made, changed or deleted.'],
    SIGN_IN: ['signIn', 'The ways in which people sign in change.'],
    FOUR_EYES: ['fourEyes', 'An area needs no second administrator any more.'],
  },
)
export type FourEyesArea = (typeof FourEyesAreaEnum)[keyof typeof FourEyesAreaEnum]

export const PendingChangeStatusEnum = graphqlEnum(
  'PendingChangeStatus',
  'Stages of a change that needs two administrators.',
  {
    PENDING: ['pending', 'It waits for another administrator; nothing was changed yet.'],
    APPROVED: ['approved', 'Another administrator approved it, and it was carried out.'],
    REFUSED: ['refused', 'Another administrator refused it.'],
    WITHDRAWN: ['withdrawn', 'Whoever proposed it took it back.'],
    EXPIRED: ['expired', 'Nobody decided within 72 hours.'],
    VOID: [
      'void',
      'It could not be carried out any more when it was approved: its object is gone or was changed meanwhile, or whoever proposed it may not do so any more.',
    ],
  },
)
export type PendingChangeStatus = (typeof PendingChangeStatusEnum)[keyof typeof PendingChangeStatusEnum]

@Entity({ tableName: 'pending_change' })
@ObjectType({
  implements: Node,
  simpleResolvers: true,
  description:
    'A change that waits for a second administrator, or did. It is of the organization of whoever proposed it, so that nobody of one below decides.',
})
export class PendingChange extends TenantRecord {
  @Property({ type: 'text' })
  @Field(() => FourEyesAreaEnum)
  area!: FourEyesArea

  @Property({ type: 'text' })
  @Field(() => String, {
    description: 'The mutation that is carried out once it is approved: `eraseContact` and the like.',
  })
  operation!: string

  @Property({ type: 'text', nullable: true })
  @Field(() => String, {
    nullable: true,
    description:
      'Kind of the record that it changes: `contact`, `hold`, `retentionPolicy` and the like; null for a new one.',
  })
  objectType!: string | null

  @Property({ type: 'uuid', nullable: true })
  @Field(() => ID, { nullable: true, description: 'The record that it changes; null for a new one.' })
  objectId!: string | null

  @Property({ type: 'text', nullable: true })
  @Field(() => String, {
    nullable: true,
    description: 'Name of the record when the change was proposed; null for a contact, whose name is not kept here.',
  })
  objectName!: string | null

  @Property({ type: 'int', nullable: true, hidden: true })
  objectVersion!: number | null

  @Property({ type: 'json' })
  @Field(() => JsonObjectScalar, { description: 'The arguments of the mutation, without secrets.' })
  input!: JsonObject

  /** The arguments with their secrets; empty once it is decided. */
  @Property({ type: 'text', hidden: true })
  sealedInput!: string

  /** Keyed hash of operation and arguments: a repeated proposal is the same one. */
  @Property({ type: 'text', hidden: true })
  digest!: string

  @Property({ type: 'uuid' })
  @Field(() => ID, { description: 'The administrator who proposed it.' })
  proposedById!: string

  /** Scopes and session of whoever proposed it: on approval it gets no more rights than these. */
  @Property({ type: TextArray, hidden: true })
  scopes!: string[]

  @Property({ type: 'uuid', nullable: true, hidden: true })
  familyId!: string | null

  @Property({ type: 'text' })
  @Field(() => PendingChangeStatusEnum)
  status!: PendingChangeStatus

  @Property({ type: 'datetime' })
  @Field(() => DateTime, { description: '72 hours after it was proposed: then it can be approved no more.' })
  expiresAt!: Date

  @Property({ type: 'uuid', nullable: true })
  @Field(() => ID, { nullable: true, description: 'Whoever approved, refused or withdrew it.' })
  decidedById!: string | null

  @Property({ type: 'datetime', nullable: true })
  @Field(() => DateTime, { nullable: true, description: 'Time at which it was decided or ended.' })
  decidedAt!: Date | null

  @Property({ type: 'text', nullable: true })
  @Field(() => String, {
    nullable: true,
    description: 'Ground on which it was refused, or could not be carried out. It should name no consumer: it stays.',
  })
  comment!: string | null

  @Property({ type: 'text', persist: false, nullable: true })
  @Field(() => String, {
    nullable: true,
    description: 'The new token of `createScimToken`. Only shown in the answer of the `approveChange` that made it.',
  })
  token?: string | null
}
