import { Entity, Property } from '@mikro-orm/decorators/legacy'
import { Field, ID, Int, ObjectType } from 'type-graphql'
import { graphqlEnum } from '../../platform/lists/graphql-enum.js'
import { Node } from '../../platform/lists/node.js'
import { DateTime } from '../../platform/lists/scalars.js'
import { TenantRecord } from '../../platform/lists/tenant-record.js'
import { HoldName } from '../holds/hold.js'
import type { Cursor } from './due-records.js'
import { RetentionSubjectEnum, type RetentionSubject } from './retention-policy.js'

export const RetentionRunStatusEnum = graphqlEnum('RetentionRunStatus', 'Stages of a run of a retention policy.', {
  RUNNING: ['running', 'Records are being erased; also after a restart.'],
  DONE: ['done', 'All that was due was erased, but for what a hold keeps and what failed.'],
  STOPPED: [
    'stopped',
    'The policy was changed, deleted or put off meanwhile, as by a restore: what had its turn before is erased, the rest is not.',
  ],
})
export type RetentionRunStatus = (typeof RetentionRunStatusEnum)[keyof typeof RetentionRunStatusEnum]

/** Most held records that a run names. */
export const KEPT_MAX = 100

@ObjectType({ simpleResolvers: true, description: 'A record that is due, and that legal holds keep.' })
export class HeldRecord {
  @Field(() => ID, { description: 'Id of the conversation, the attachment or the contact.' })
  id!: string

  @Field(() => [HoldName], { description: 'The holds that keep it.' })
  holds!: HoldName[]
}

@Entity({ tableName: 'retention_run' })
@ObjectType({
  implements: Node,
  simpleResolvers: true,
  description:
    'A run of a retention policy: numbers and ids. Each begins and ends with an entry in the audit log, unless its policy is put off.',
})
export class RetentionRun extends TenantRecord {
  @Property({ type: 'uuid' })
  @Field(() => ID, { description: 'The retention policy that it carries out.' })
  policyId!: string

  @Property({ type: 'int', hidden: true })
  policyVersion!: number

  @Property({ type: 'text' })
  @Field(() => RetentionSubjectEnum)
  subject!: RetentionSubject

  @Property({ type: 'int' })
  @Field(() => Int, { description: 'Term of the policy when the run began.' })
  days!: number

  @Property({ type: 'datetime' })
  @Field(() => DateTime, { description: 'Time before which a record must have been over to be erased.' })
  before!: Date

  @Property({ type: 'text' })
  @Field(() => RetentionRunStatusEnum)
  status!: RetentionRunStatus

  @Property({ type: 'int' })
  @Field(() => Int, { description: 'Records that were erased so far; of contacts, those whose erasure began.' })
  erased!: number

  @Property({ type: 'int' })
  @Field(() => Int, { description: 'Records that were due, and that a legal hold keeps.' })
  held!: number

  @Property({ type: 'int' })
  @Field(() => Int, { description: 'Records that could not be erased: the next run tries again.' })
  failed!: number

  @Property({ type: 'json' })
  @Field(() => [HeldRecord], { description: `The first ${KEPT_MAX} of those that a hold keeps.` })
  kept!: HeldRecord[]

  @Property({ type: 'json', nullable: true, hidden: true })
  cursor!: Cursor | null

  @Property({ type: 'datetime', nullable: true })
  @Field(() => DateTime, { nullable: true, description: 'Time of its end.' })
  finishedAt!: Date | null
}
